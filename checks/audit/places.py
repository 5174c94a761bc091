"""A book with other lines in one of its modules."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from ...model.engine.library import Book
from ...model.lang.source import Source, read_source
from ...spec.diagnostics import Collector

Rule = ast.FunctionDef | ast.AsyncFunctionDef



def with_lines(source: Source, first: int, last: int, new: Sequence[str]) -> Source | None:
    """The module with other lines instead of these (counted from 1), no more than there were; None if there are more, or Python cannot read it."""
    if len(new) > last - first + 1:
        return None
    lines = source.text.splitlines()
    text = "\n".join([*lines[: first - 1], *new, *[""] * (last - first + 1 - len(new)), *lines[last:]]) + "\n"
    report = Collector()
    made = read_source(source.file, text, report)
    return None if report.diagnostics else made


def with_module(book: Book, old: Source, new: Source) -> Book:
    """The book with one of its modules replaced."""
    others = tuple(new if s is old else s for s in book.rulebook.sources)
    return replace(book, rulebook=replace(book.rulebook, sources=others))


def gives_options(source: Source, rule: Rule) -> bool:
    """Is the result a record, or a set of them? Such rules are put in place of their calls, and have no instructions of
    their own: of those it is not known what executes them."""
    if not isinstance(rule, ast.FunctionDef) or len(rule.body) > 2:
        return False
    name = ast.unparse(rule.returns).removeprefix("Set[").rstrip("]") if rule.returns is not None else ""
    return name not in ("bool", "int", "Card", "Player", "Option[Player", "Option[Obj", "Zone", "Lane", "None") and any(
        "class " + name + "(" in line or line.startswith(name + " =") for line in source.lines
    )
