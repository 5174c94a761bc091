"""The clause-marked statements of a book; the book with other lines in one of its modules."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...model.engine.library import Book
from ...model.lang.source import Source, attach_clauses, read_source
from ...spec.diagnostics import Collector

Rule = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Place:
    """A clause-marked statement: lines from `first` to `last` of a module, indented by `indent`."""

    file: str
    rule: str
    first: int
    last: int
    indent: int
    clauses: tuple[str, ...]
    text: str

    def covers(self, file: str, line: int) -> bool:
        """Does an instruction of that line come from the statement?"""
        return file == self.file and self.first <= line <= self.last

    def __str__(self) -> str:
        return f"{self.file}:{self.first} {self.rule} [{' '.join(self.clauses)}] {self.text.splitlines()[0]}"


def places(book: Book) -> list[Place]:
    """Every clause-marked statement of the book's own modules, in order."""
    return [p for source in book.rulebook.sources for p in places_in(source)]


def places_in(source: Source) -> Iterator[Place]:
    """The clause-marked statements of a module."""
    for rule in source.tree.body:
        if not isinstance(rule, Rule):
            continue
        clauses = attach_clauses(source, rule)
        for node in ast.walk(rule):
            if isinstance(node, ast.stmt) and node is not rule and id(node) in clauses:
                last = node.end_lineno or node.lineno
                yield Place(
                    source.file, rule.name, node.lineno, last, node.col_offset, clauses[id(node)],
                    ast.get_source_segment(source.text, node) or "",
                )


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
