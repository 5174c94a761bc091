"""The clause-marked statements of a book, which are written otherwise one by one."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.checks.audit.places import Rule
from rulewright.model.engine.library import Book
from rulewright.model.lang.source import Source, attach_clauses


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
    """The clause-marked statements of a module that do something."""
    for rule in source.tree.body:
        if not isinstance(rule, Rule):
            continue
        clauses = attach_clauses(source, rule)
        for node in ast.walk(rule):
            if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass) and node is not rule and id(node) in clauses:
                last = node.end_lineno or node.lineno
                yield Place(
                    source.file, rule.name, node.lineno, last, node.col_offset, clauses[id(node)],
                    ast.get_source_segment(source.text, node) or "",
                )
