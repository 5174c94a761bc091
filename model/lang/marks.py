"""Clause marks: each belongs to a statement and names a clause of the book."""

from __future__ import annotations

import ast

from ...spec.diagnostics import nearest
from .kinds import MADE_FOR_USE
from .scope import Scope
from .source import CALLER, Reporter, Source, marked_lines


def check_clause(scope: Scope, clause: str, node: ast.AST, at: Reporter) -> None:
    """Report a clause id that the book does not have."""
    if scope.book.clauses is not None and clause not in scope.book.clauses:
        near = nearest(clause, sorted(scope.book.clauses)) if clause != CALLER else None
        at.refuse(
            node,
            "unknown-clause",
            f"the book has no clause {clause}",
            f"この本に条 {clause} はありません",
            (f"write `#: {CALLER}` alone, or the clause", f"`#: {CALLER}` だけにするか、条番号だけを書いてください") if clause == CALLER
            else None if near is None else (f"did you mean {near}?", f"{near} ではありませんか"),
        )


def check_marks(scope: Scope) -> None:
    """Every clause mark belongs to a statement, and names a clause of the book."""
    for source in scope.book.sources:
        check_marks_of(scope, source)


def check_marks_of(scope: Scope, source: Source) -> None:
    at = Reporter(source, scope.collector)
    if source.kernel:
        check_no_marks(source, at)
        return
    heads = {line for r in scope.d.rules.values() if r.reporter.source is source and r.kind in MADE_FOR_USE and not r.entry for line in r.head}
    for line in sorted(source.for_callers - heads):
        at.refuse(
            ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0),
            "caller-place",
            f"`{CALLER}` stands behind the head of a rule that others call",
            f"`{CALLER}` は、ほかから呼ばれる規則の見出しの行に書きます",
            ("name the clause, or move it behind the `def` line", "条番号を書くか、`def` の行の末尾に移してください"),
        )
    places = marked_lines(source, scope.d.rules)
    for line, ids in source.clauses.items():
        column = (
            source.lines[line - 1].index("#:")
            if line <= len(source.lines) and "#:" in source.lines[line - 1]
            else 0
        )
        column = len(source.lines[line - 1][:column].encode()) if column else 0
        node = ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
        if line not in places:
            at.refuse(
                node,
                "mark-alone",
                "this clause mark belongs to no statement",
                "この条番号は、どの文にも付いていません",
                (
                    "write it at the end of the line on which the statement ends",
                    "文が終わる行の末尾に書いてください",
                ),
            )
        elif not ids:
            at.refuse(
                node,
                "mark-empty",
                "which clause?",
                "条番号がありません",
                ("write `#: 9.4.3`", "`#: 9.4.3` のように書いてください"),
            )
        for clause in ids:
            check_clause(scope, clause, node, at)


def check_no_marks(source: Source, at: Reporter) -> None:
    """The kernel belongs to no book."""
    for line in sorted({*source.clauses, *source.for_callers}):
        at.refuse(
            ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0),
            "kernel-mark",
            "the kernel belongs to no book, so it cites no clauses",
            "kernel はどの本のものでもないので、条番号は付けません",
            ("mark the book's calls", "本の側の呼び出しに条番号を付けてください"),
        )
