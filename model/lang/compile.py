"""From the sources of a book and a world to a program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, negate
from ..ir.flow import endless_calls, mark_calls, unassigned
from ..ir.program import Function, FunctionKind, Layout, LocalInfo, NormInfo, Program, VerdictInfo
from ..ir.tidy import tidy
from ..ir.verify import Verified, verify
from .book import Rulebook
from .cards import Scripts
from .consults import insert_consults
from .declarations import Declarations
from .declare import declare
from .facts import Facts
from .kinds import MADE_FOR_USE, RuleDecl
from .layout import LayoutBuilder, blank_of
from .marks import check_marks
from .passes import hoist_static_tests, insert_settling, remove_unreachable, shifting_loops
from .paths import falls_through, reaches_end
from .patterns import NO_TYPES, Cited, Given, Types, made_for
from .reading import check_readings
from .situations import SituationType, settling, situation_guard
from .source import Refused, Reporter
from .statements import RuleLowering
from .unread import drop_unread
from .values import StateRef, Val, Variable
from .world import World


def compile_book(book: Rulebook, world: World, entry: str, keep_unread: bool = False) -> Program:
    """Compile a book for a world, beginning with the entry point (or procedure) named `entry`.

    `keep_unread`: keep time stamps that no rule reads (to test that leaving them out is unobservable).
    Raises BadInput with every error found.
    """
    collector = Collector()
    program = Compiler(book, world, collector, keep_unread).run(entry)
    collector.raise_if_any()
    assert program is not None
    return program


def layout_of(book: Rulebook, world: World) -> Layout:
    """The layout of the book's state in a world, without its rules. Raises BadInput."""
    collector = Collector()
    compiler = Compiler(book, world, collector)
    declare(list(book.sources), world, collector, compiler.prepare)
    collector.raise_if_any()
    return compiler.layout


def entries_of(book: Rulebook, world: World) -> tuple[str, ...]:
    """Where a scenario of the book can begin, in the order of the book. Raises BadInput."""
    collector = Collector()
    declared = declare(list(book.sources), world, collector, Compiler(book, world, collector).prepare)
    collector.raise_if_any()
    return tuple(r.entry for r in declared.rules.values() if r.entry)


def passed(program: Program, verified: Verified, *passes: Callable[[Program], object]) -> None:
    """The program after these passes; what each leaves is verified."""
    for one in passes:
        one(program)
        verify(program, verified)


class Compiler:
    """Holds what is shared while the rules of one book are translated for one world."""

    def __init__(self, book: Rulebook, world: World, collector: Collector, keep_unread: bool = False) -> None:
        self.keep_unread = keep_unread
        self.book = book
        self.world = world
        self.collector = collector
        self.functions: dict[str, Function] = {}
        self.tables: list[tuple[int, ...]] = []
        self.needed: set[str] = set()
        self.pending: list[Callable[[], None]] = []
        self.branching: dict[str, int] = {}
        self.consulted: set[str] = set()

    # ------------------------------------------------------------ the whole
    def run(self, entry: str) -> Program | None:
        self.d = declare(list(self.book.sources), self.world, self.collector, self.prepare)
        if not self.d.state_class:
            self.collector.add(
                Diagnostic(
                    Position(self.book.sources[0].file if self.book.sources else self.book.name, 1, 1),
                    "no-state",
                    Text(ja="状態のクラス（State）がありません", en="the book has no state class"),
                    Text(ja="`class Game(State):` を書いてください", en="write `class Game(State):`"),
                    None,
                )
            )
            return None
        self.facts.check()
        check_marks(self)
        self.policy = next((r for r in self.d.rules.values() if r.kind == "trigger_policy"), None)
        start = self.entry_point(entry)
        for r in list(self.d.rules.values()):  # everything in the book is translated, so that everything is checked
            if not r.is_pattern and not (r.of_kernel and r.kind in MADE_FOR_USE):
                self.need(r.name)
        self.drain()
        situations = [r for r in self.d.rules.values() if r.kind == "situation"]
        settling(self, situations)
        self.drain()
        self.check_flow()
        self.check_patterns()
        for r in [self.d.rules[name] for name in sorted(self.needed)]:
            if not r.expanded and r.name not in self.functions and not self.collector.diagnostics:
                r.reporter.refuse(
                    r.node,
                    "lost",
                    f"`{r.name}` could not be read, and the reason got lost: a defect of Rulewright",
                    f"`{r.name}` を読めませんでした（理由を示せないのは Rulewright の不備です）",
                    ("please report it, with this rule", "この規則を添えて報告してください"),
                )
        if self.collector.diagnostics or start is None:
            return None
        program = Program(
            self.book.name,
            self.layout,
            self.functions,
            self.tables,
            start,
            self.d.cause,
            {r: self.book.readings[r].alternatives for r in self.branching},
            dict(self.branching),
            frozenset(self.consulted),
            tuple(r.name for r in self.d.rules.values() if r.kind == "invariant"),
            self.verdicts(),
            self.world.stack_depth,
            self.norms(),
        )
        verified: Verified = {}
        verify(program, verified)
        simple = [r.name for r in situations if not r.is_async and self.matters(r)]
        asking = [f"when {r.name}" for r in situations if r.is_async]
        passed(program, verified, hoist_static_tests, *(() if self.keep_unread else (drop_unread,)), lambda p: insert_settling(p, simple, asking))
        for at, name in shifting_loops(program):
            self.collector.add(
                Diagnostic(
                    Position(at.file or self.book.name, max(1, at.line), max(1, at.column)),
                    "loop-over-entries",
                    Text(
                        ja=f"`{name}` の要素を順に処理している途中で、ここで `{name}` の要素が変わりえます",
                        en=f"the entries of `{name}` are gone through, and this may change which there are",
                    ),
                    Text(
                        ja="残っている間、一つずつ選ばせるか、`with simultaneously():` と書いてください",
                        en="let somebody choose one at a time while there are any, or write `with simultaneously():`",
                    ),
                )
            )
        if self.collector.diagnostics:
            return None
        passed(program, verified, insert_consults, remove_unreachable, tidy, mark_calls)
        return program

    def prepare(self, d: Declarations) -> None:
        """Between types and rules: the layout of the state, and what the cards capture."""
        self.d = d
        self.facts = Facts(self)
        self.scripts = Scripts(self)
        builder = LayoutBuilder(d)
        d.zone_count = builder.count_zones()
        self.scripts.read()
        for name in d.fields:
            if name not in d.parts and name not in d.definitions:
                try:
                    d.record(name)
                except Refused:
                    continue
        check_readings(self)
        for r in sorted(self.world.branching & self.book.readings.keys()):
            n = len(self.book.readings[r].alternatives)
            if not n:
                continue
            self.branching[r] = builder.block(
                f"reading {r}",
                t.OptionType(t.ReadingType(r, n, self.book.readings[r].alternatives)),
                -1,
                f"reading {r}",
                1,
            )
        self.layout: Layout = builder.build({})
        self.nodes = builder.nodes
        self.policy: RuleDecl | None = None

    def entry_point(self, entry: str) -> str | None:
        by_name = {r.entry: r.name for r in self.d.rules.values() if r.entry}
        name = by_name.get(entry, entry)
        rule = self.d.rules.get(name)
        if rule is None or not rule.is_async or rule.params:
            known = sorted(by_name) or sorted(
                r.name for r in self.d.rules.values() if r.kind == "procedure" and not r.params
            )
            near = nearest(entry, known)
            self.collector.add(
                Diagnostic(
                    None,
                    "no-such-entry",
                    Text(ja=f"`{entry}` から始めることはできません", en=f"a game cannot begin with `{entry}`"),
                    Text(
                        ja=f"`{near}` ではありませんか" if near else "始められるのは: " + ", ".join(known),
                        en=f"did you mean `{near}`?" if near else "it can begin with: " + ", ".join(known),
                    ),
                    entry,
                )
            )
            return None
        return name

    def matters(self, rule: RuleDecl) -> bool:
        """A situation about state triggers is dropped where no card has one."""
        asks = any(isinstance(n, ast.Name) and n.id == "state_holds" for n in rule.reporter.source.nodes(rule.node))
        return not asks or bool(self.scripts.having("state_holds"))

    # ------------------------------------------------------------ services for the lowering
    def need(self, name: str) -> None:
        """The rule is used: translate it."""
        if name not in self.needed:
            self.needed.add(name)
            self.pending.append(lambda: self.translate(self.d.rules[name]))

    def made_for(
        self, rule: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types = NO_TYPES
    ) -> RuleDecl:
        """The rule with what it was given in place of its parameters; one of the kernel does it for these clauses."""
        inherited = clauses if rule.of_kernel else ()
        if not given and not inherited and not types:
            return rule
        new = made_for(rule, given, inherited, cited, types)
        return self.d.rules.setdefault(new.name, new)

    def check_patterns(self) -> None:
        """A rule of the book that takes rules is used, or else nothing in it was looked at."""
        used = {r.base for r in self.d.rules.values() if r.name != r.base}
        for r in self.d.rules.values():
            if r.is_pattern and not r.of_kernel and r.base not in used and not self.collector.diagnostics:
                r.reporter.refuse(
                    r.node,
                    "pattern-unused",
                    f"`{r.base}` is given rules, and nobody uses it: so nothing in it can be checked",
                    f"`{r.base}` は規則を渡されて使われるものですが、どこからも使われていないので、調べられません",
                    ("use it, or drop it", "使うか、取り除いてください"),
                )

    def drain(self) -> None:
        while self.pending:
            with suppress(Refused):
                self.pending.pop(0)()

    def result_of(self, function: str) -> t.Type | None:
        """The type of what a function gives, if it is known already."""
        if function in self.d.rules:
            return self.d.rules[function].result
        made = self.functions.get(function)
        return made.result if made is not None else t.BOOL

    def rules_of(self, kind: str, subject: str) -> list[RuleDecl]:
        """Rules of a kind about something, in the order of the book."""
        return [r for r in self.d.rules.values() if r.kind == kind and r.subject == subject]

    def printed(self, cls: str, name: str) -> tuple[int, t.Type, int | None]:
        """The table of an attribute, its type, and its value where all have the same."""
        table, of = self.facts.table(cls, name)
        values = set(self.tables[table])
        return table, of, values.pop() if len(values) == 1 else None

    def reading(self, name: str) -> tuple[str, int | None]:
        """The answer to a reading, and its slot where it is branched over; from now on it is consulted."""
        self.consulted.add(name)
        return self.world.readings.get(name, self.book.readings[name].default), self.branching.get(name)

    def constant_table(self, values: Sequence[int]) -> int:
        """The number of a constant table with these entries."""
        row = tuple(values)
        if row not in self.tables:
            self.tables.append(row)
        return self.tables.index(row)

    def table_of_its_own(self, values: Sequence[int]) -> int:
        """The number of a new constant table, whatever the entries of others are."""
        self.tables.append(tuple(values))
        return len(self.tables) - 1

    def check_flow(self) -> None:
        """Defines and steps come to an end, and no local is read before it has a value."""
        for chain in endless_calls(self.functions):
            rule = next((self.d.rules[n] for n in chain if n in self.d.rules), None)
            way = " → ".join(n.partition("[")[0] for n in chain)
            at = None if rule is None else rule.reporter.source.position(rule.node)
            self.collector.add(
                Diagnostic(
                    at or Position(self.book.name, 1, 1),
                    "recursion",
                    Text(
                        ja=f"`{way.partition(' ')[0]}` が自分自身を使っています（{way}）。終わらないおそれがあります",
                        en=f"`{way.partition(' ')[0]}` uses itself ({way}), and might never come to an end",
                    ),
                    Text(
                        ja="手順（@procedure）なら自分自身を呼べます。集合を順に調べるだけなら for か any/all/sum を使ってください",
                        en="a @procedure may call itself; to go through a set, use `for`, or any/all/sum",
                    ),
                )
            )
        for f in self.functions.values():
            for x, pc in unassigned(f).items():
                m, name = f.code[pc].at, f.locals[x].name
                self.collector.add(
                    Diagnostic(
                        Position(m.file or self.book.name, max(1, m.line), max(1, m.column)),
                        "maybe-unset",
                        Text(ja=f"`{name}` に値が入っていない場合があります", en=f"`{name}` may have no value here"),
                        Text(
                            ja=f"先に `{name} = …` と書いてください",
                            en=f"write `{name} = …` first, for the other cases",
                        ),
                        name,
                    )
                )

    def master_of(self, card: ir.Expr) -> Val | None:
        """Whose a card's ability is, by the book's define `master` (for the guards of triggers)."""
        rule = self.d.rules.get("master")
        if rule is None or rule.ir_kind != "define" or len(rule.params) != 1:
            return None
        self.need("master")
        return Val(rule.result, (ir.Call("master", (card,)),))

    def lowering(
        self,
        at: Reporter,
        name: str,
        kind: str,
        result: t.Type,
        clauses: Mapping[int, tuple[str, ...]] | None = None,
    ) -> RuleLowering:
        marks = clauses or {}
        return RuleLowering(self, at, name, kind, result, lambda n: marks.get(id(n)))

    def add_function(self, name: str, kind: FunctionKind, low: RuleLowering, arity: int, result: t.Type, scope: int = 0) -> None:
        self.functions[name] = Function(
            name, kind, arity, [LocalInfo(n, of) for n, of in low.locals], low.code, result, low.handlers, scope)

    # ------------------------------------------------------------ rules
    def translate(self, rule: RuleDecl) -> None:
        """Make the IR function of a rule."""
        low = self.lowering(rule.reporter, rule.name, rule.ir_kind, rule.result, rule.clauses)
        low.clauses = rule.inherited or rule.clauses.get(id(rule.node), ())
        for p, of in rule.params:
            low.names[p] = Variable(of, tuple(low.new_local(p, s) for s in of.flat()))
        if rule.state is not None:
            low.names[rule.state] = StateRef(rule.part)
        arity = len(low.locals)
        body = list(rule.node.body)
        try:
            if rule.kind == "action":
                self.action_guard(rule, low)
            if rule.kind == "situation" and rule.is_async:
                body = situation_guard(self, rule, low, body)
        except Refused:
            return
        if rule.expanded:
            with suppress(Refused):
                returned = low.only_return(rule)
                assert returned.value is not None
                low.expanding.append(rule.name)
                low.as_declared(rule, low.meaning(returned.value), returned.value)
            return
        low.find_single_assignments(rule.node)
        low.block(body)
        if falls_through(rule.node.body) and not isinstance(rule.result, t.NothingType):
            rule.reporter.refuse(
                rule.node,
                "path-without-result",
                f"`{rule.name}` can come to its end without a result",
                f"`{rule.name}` には、値を返さずに終わる場合があります",
                (
                    'return something on every path, or write gap("clause") where the rules are silent',
                    'どの場合も return するか、規則が沈黙する所に gap("条番号") と書いてください',
                ),
            )
            low.failed = True
        if reaches_end(low):
            at = low.mark(rule.node)
            low.put(ir.Return(at=at) if isinstance(rule.result, t.NothingType) else ir.End("gap", None, "", at=at))
        if not low.failed:
            self.add_function(rule.name, rule.ir_kind, low, arity, rule.result, rule.scope)

    def action_guard(self, rule: RuleDecl, low: RuleLowering) -> None:
        """An action that is forbidden is simply not done."""
        args = [low.of_variable(v) for p, _ in rule.params if isinstance(v := low.names[p], Variable)]
        no = low.prohibited(rule.base, args, rule.node)
        if no == FALSE:
            return
        if isinstance(rule.result, t.Finite):
            raise rule.reporter.refuse(
                rule.result_note or rule.node,
                "result-of-forbidden",
                f"what does `{rule.name}` give where it is forbidden? There is no {rule.result} for that",
                f"`{rule.name}` が禁止されているとき、何を返しますか（{rule.result} では表せません）",
                (f"write `-> Option[{rule.result}]`", f"`-> Option[{rule.result}]` と書いてください"),
            )
        b = low.put(ir.Branch(negate(negate(no)), -1, at=low.mark(rule.node)))
        if isinstance(rule.result, t.NothingType):
            low.put(ir.Return(at=low.mark(rule.node)))
        else:
            low.put(ir.Return(ir.Const(blank_of(rule.result)), at=low.mark(rule.node)))
        low.point(b, low.here())

    # ------------------------------------------------------------ verdicts and norms
    def clauses_of(self, function: str) -> tuple[str, ...]:
        """The clauses that a function cites, the most frequent first."""
        return tuple(c for c, _ in Counter(c for i in self.functions[function].code for c in i.at.clauses).most_common())

    def norms(self) -> tuple[NormInfo, ...]:
        return tuple(
            NormInfo(r.name, r.kind, r.subject, self.clauses_of(r.name), frozenset(b for a, b in self.d.rankings if a == r.kind))
            for r in self.d.rules.values() if r.kind in ("permits", "forbids", "requires") and r.name in self.functions)

    def verdicts(self) -> tuple[VerdictInfo, ...]:
        out: list[VerdictInfo] = []
        for r in self.d.rules.values():
            if r.kind == "verdict" and r.name in self.functions:
                marks = self.clauses_of(r.name)
                out.append(
                    VerdictInfo(
                        r.name,
                        r.subject,
                        r.result,
                        r.params[0][1] if r.params else t.NOTHING,
                        marks,
                        frozenset(b for a, b in self.d.rankings if a == r.name),
                    )
                )
        return tuple(out)


__all__ = ["Compiler", "Rulebook", "SituationType", "compile_book", "entries_of", "layout_of"]
