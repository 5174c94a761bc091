"""What the rules of one book share while they are translated for one world: what is declared, what is printed, where everything
lies, and which functions are asked for; and whether clause marks belong to statements and name clauses."""

from __future__ import annotations

import ast
from contextlib import suppress

from ...spec.diagnostics import Collector, nearest
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.program import Function, Layout
from .declarations import Declarations
from .facts import Abilities, Facts, question_result
from .layout import LayoutBuilder
from .signatures import MADE_FOR_USE, RuleDecl
from .source import CALLER, Refused, Reporter, Source, marked_lines
from .values import Val
from .world import Rulebook, World


class Scope:
    """Known from the beginning: `book`, `world`. Known once the types are (`lay_out`): `d`, `layout`, `nodes`, `facts`, `abilities`.
    Grows while rules are translated: `functions`, `tables`, `pending` (what is asked for and not made yet, in order)."""

    d: Declarations
    facts: Facts
    abilities: Abilities
    layout: Layout
    policy: RuleDecl | None = None

    def __init__(self, book: Rulebook, world: World, collector: Collector) -> None:
        self.book = book
        self.world = world
        self.collector = collector
        self.functions: dict[str, Function] = {}
        self.tables: list[tuple[int, ...]] = []
        self.asked: dict[tuple[str, str], None] = {}
        self.pending: list[tuple[str, str]] = []
        self.consulted: set[str] = set()

    def lay_out(self, d: Declarations) -> None:
        """Between types and rules: the layout of the state, and what the cards capture."""
        self.d = d
        self.facts = Facts(d, self.tables)
        self.abilities = Abilities(d, self.world.abilities)
        builder = LayoutBuilder(d)
        d.zone_count = builder.count_zones()
        self.abilities.read()
        for name in d.fields:
            if name not in d.parts and name not in d.definitions:
                with suppress(Refused):
                    d.record(name)
        self.layout = builder.build()
        self.nodes = builder.nodes

    # ------------------------------------------------------------ functions asked for
    def ask(self, kind: str, what: str, function: str = "") -> str:
        """A function is used: make it, if it is not made yet. Its name."""
        if (kind, what) not in self.asked:
            self.asked[kind, what] = None
            self.pending.append((kind, what))
        return function or what

    def need(self, rule: str) -> None:
        """The rule is used: translate it."""
        self.ask("rule", rule)

    def result_of(self, function: str) -> t.Type | None:
        """The type of what a function gives, if it is known already."""
        if function in self.d.rules:
            return self.d.rules[function].result
        if ("question", function) in self.asked:  # which may not be made yet
            return question_result(function)[0]
        made = self.functions.get(function)
        return made.result if made is not None else t.BOOL

    def rules_of(self, kind: str, subject: str) -> list[RuleDecl]:
        """Rules of a kind about something, in the order of the book."""
        return [r for r in self.d.rules.values() if r.kind == kind and r.subject == subject]

    def constant_table(self, row: tuple[int, ...]) -> int:
        """The number of a constant table with these entries."""
        if row not in self.tables:
            self.tables.append(row)
        return self.tables.index(row)

    def master_of(self, card: ir.Expr) -> Val | None:
        """Whose a card's ability is, by the book's define of that (for the guards of triggers)."""
        rule = next((r for r in self.d.rules.values() if r.known_as == "master"), None)
        if rule is None:
            return None
        self.need(rule.name)
        return Val(rule.result, (ir.Call(rule.name, (card,)),))


def check_clause(scope: Scope, clause: str, node: ast.AST, at: Reporter) -> None:
    """Report a clause id that the book does not have."""
    if scope.book.clauses is not None and clause not in scope.book.clauses:
        near = nearest(clause, sorted(scope.book.clauses)) if clause != CALLER else None
        at.refuse(
            node, "unknown-clause", f"the book has no clause {clause}", f"この本に条 {clause} はありません",
            (f"write `#: {CALLER}` alone, or the clause", f"`#: {CALLER}` だけにするか、条番号だけを書いてください")
            if clause == CALLER
            else None if near is None else (f"did you mean {near}?", f"{near} ではありませんか"))


def check_marks(scope: Scope, source: Source) -> None:
    """Every clause mark belongs to a statement, and names a clause of the book."""
    at = Reporter(source, scope.collector)
    if source.kernel:
        check_no_marks(source, at)
        return
    heads = {
        line
        for r in scope.d.rules.values()
        if r.reporter.source is source and r.kind in MADE_FOR_USE and not r.entry
        for line in r.head
    }
    for line in sorted(source.for_callers - heads):
        at.refuse(
            ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0), "caller-place",
            f"`{CALLER}` stands behind the head of a rule that others call", f"`{CALLER}` は、ほかから呼ばれる規則の見出しの行に書きます",
            ("name the clause, or move it behind the `def` line", "条番号を書くか、`def` の行の末尾に移してください"))
    places = marked_lines(source, scope.d.rules)
    for line, ids in source.clauses.items():
        before, mark, _ = source.lines[line - 1].partition("#:") if line <= len(source.lines) else ("", "", "")
        column = len(before.encode()) if mark else 0
        node = ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
        if line not in places:
            at.refuse(
                node, "mark-alone", "this clause mark belongs to no statement", "この条番号は、どの文にも付いていません",
                ("write it at the end of the line on which the statement ends", "文が終わる行の末尾に書いてください"))
        elif not ids:
            at.refuse(
                node, "mark-empty", "which clause?", "条番号がありません", ("write `#: 9.4.3`", "`#: 9.4.3` のように書いてください"))
        for clause in ids:
            check_clause(scope, clause, node, at)
    for line, column, ids in source.marks_without_colon(scope.book.clauses or ()):
        column = len(source.lines[line - 1][:column].encode())
        at.refuse(
            ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column),
            "mark-colon",
            "this is a comment, and marks no clause",
            "これはただの注釈で、条番号として読まれません",
            (
                f"write `#: {', '.join(ids)}`, or other words beside it if a comment is meant",
                f"`#: {', '.join(ids)}` と書いてください（注釈なら、ほかの言葉も添えてください）",
            ),
        )


def check_no_marks(source: Source, at: Reporter) -> None:
    """The kernel belongs to no book."""
    for line in sorted({*source.clauses, *source.for_callers}):
        at.refuse(
            ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0), "kernel-mark",
            "the kernel belongs to no book, so it cites no clauses", "kernel はどの本のものでもないので、条番号は付けません",
            ("mark the book's calls", "本の側の呼び出しに条番号を付けてください"))
