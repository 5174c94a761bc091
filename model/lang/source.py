"""Source text of rules: modules of a book, and scripts of cards; where each clause mark belongs."""
from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...spec.diagnostics import Collector, Diagnostic, Position
from ...spec.text import Text
from ..ir.nodes import Mark

CLAUSE_MARK = re.compile(r"#:\s*([^\s#,]+)")


class Refused(Exception):
    """Something was refused and reported; what depends on it is not looked at."""


@dataclass
class Source:
    """A piece of rule text: `tree` is what Python's parser made of it; `place` maps its lines and columns (1-based)
    to the file it stands in (for scripts inside YAML)."""

    file: str
    text: str
    tree: ast.Module
    place: Callable[[int, int], tuple[int, int]]
    clauses: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Clause marks by line."""

    def position(self, node: ast.AST) -> Position:
        """Where a node stands."""
        line, column = self.place(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)
        return Position(self.file, line, column)


def same_place(line: int, column: int) -> tuple[int, int]:
    """The text is the file."""
    return line, column


def read_source(
    file: str, text: str, report: Collector, place: Callable[[int, int], tuple[int, int]] = same_place,
    expression: bool = False,
) -> Source | None:
    """Parse a module, or a script. Reports a syntax error and gives None."""
    try:
        if expression:
            parsed = ast.parse(text.strip(), mode="eval")
            tree = ast.Module([ast.Expr(parsed.body, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)], [])
        else:
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line = getattr(e, "lineno", None) or 1
        column = getattr(e, "offset", None) or 1
        what = getattr(e, "msg", None) or str(e)
        report.add(Diagnostic(
            Position(file, *place(line, column)), "syntax",
            Text(ja=f"規則言語として読めません（{what}）", en=f"this is not valid rule text ({what})"), None, None,
        ))
        return None
    return Source(file, text, tree, place, dict(clause_marks(text)))


def clause_marks(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Lines with their clause marks (`#: 7.2.3`, several allowed)."""
    try:
        for t in tokenize.generate_tokens(io.StringIO(text).readline):
            if t.type == tokenize.COMMENT and t.string.startswith("#:"):
                yield t.start[0], tuple(CLAUSE_MARK.findall(t.string))
    except (tokenize.TokenError, IndentationError):
        return


def attach_clauses(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[int, tuple[str, ...]]:
    """Clauses of each statement of a function, by `id(node)`; `id(function)` has those of the `def` line.

    A mark belongs to the innermost statement that ends on its line; where none ends there, to the compound statement
    whose header it is.
    """
    out: dict[int, tuple[str, ...]] = {}
    ends: dict[int, ast.stmt] = {}
    heads: dict[int, ast.stmt] = {}
    cases: dict[int, ast.stmt] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.match_case):
            cases[node.pattern.lineno] = node.body[0]
        if not isinstance(node, ast.stmt) or node is function:
            continue
        heads.setdefault(node.lineno, node)
        assert node.end_lineno is not None
        best = ends.get(node.end_lineno)
        if best is None or inside(node, best):
            ends[node.end_lineno] = node
    first_body = function.body[0].lineno
    for line, marks in source.clauses.items():
        if function.lineno <= line < first_body:
            out[id(function)] = out.get(id(function), ()) + marks
        elif (node := ends.get(line) or heads.get(line) or cases.get(line)) is not None:
            out[id(node)] = out.get(id(node), ()) + marks
    return out


def inside(a: ast.stmt, b: ast.stmt) -> bool:
    """Does statement `a` lie within `b`?"""
    return (a.lineno, a.col_offset) >= (b.lineno, b.col_offset) and a is not b and (
        (a.end_lineno or 0, a.end_col_offset or 0) <= (b.end_lineno or 0, b.end_col_offset or 0)
    )


@dataclass
class Reporter:
    """Reports about one source."""

    source: Source
    collector: Collector

    def mark(self, node: ast.AST, clauses: tuple[str, ...] = ()) -> Mark:
        """The node's position and clauses, for the IR."""
        p = self.source.position(node)
        return Mark(p.file, p.line, p.column, clauses)

    def refuse(self, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> Refused:
        """Report that something is outside the language; `hint` (en, ja) says what to write instead."""
        segment = ast.get_source_segment(self.source.text, node) if hasattr(node, "lineno") else None
        value = None if segment is None else segment.splitlines()[0][:80]
        self.collector.add(Diagnostic(
            self.source.position(node), code, Text(ja=ja, en=en),
            None if hint is None else Text(ja=hint[1], en=hint[0]), value,
        ))
        return Refused()
