"""From the sources of a book and a world to a program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, either, negate
from ..ir.flow import endless_calls, mark_calls, successors, unassigned
from ..ir.program import Function, FunctionKind, Layout, LocalInfo, Program, VerdictInfo
from ..ir.tidy import tidy
from ..ir.verify import verify
from .cards import Facts, Scripts
from .declarations import MADE_FOR_USE, Declarations, RuleDecl
from .declare import declare
from .layout import LayoutBuilder, blank_of
from .passes import (
    drop_unread,
    hoist_static_tests,
    insert_consults,
    insert_settling,
    remove_unreachable,
    shifting_loops,
)
from .patterns import NO_TYPES, Cited, Given, Types, made_for
from .source import Refused, Reporter, Source, marked_lines
from .statements import RuleLowering
from .values import StateRef, Val, Variable
from .world import ReadingDef, World


@dataclass(frozen=True)
class Rulebook:
    """The rules of a book as read from its modules: parsed once, compiled for each world.

    `clauses` are the ids the book has; None means that marks are not checked (toy games).
    """

    name: str
    sources: tuple[Source, ...]
    readings: Mapping[str, ReadingDef]
    clauses: frozenset[str] | None = None


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
        self.d = Declarations(self.world, self.collector)
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
        self.check_marks()
        self.policy = next((r for r in self.d.rules.values() if r.kind == "trigger_policy"), None)
        start = self.entry_point(entry)
        for r in list(self.d.rules.values()):  # everything in the book is translated, so that everything is checked
            if not r.is_pattern and not (r.of_kernel and r.kind in MADE_FOR_USE):
                self.need(r.name)
        self.drain()
        situations = [r for r in self.d.rules.values() if r.kind == "situation"]
        self.settling(situations)
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
        )
        verify(program)
        hoist_static_tests(program)
        if not self.keep_unread:
            drop_unread(program)
        verify(program)
        insert_settling(
            program,
            [r.name for r in situations if not r.is_async and self.matters(r)],
            [f"when {r.name}" for r in situations if r.is_async],
        )
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
        insert_consults(program)
        verify(program)
        remove_unreachable(program)
        tidy(program)
        mark_calls(program)
        verify(program)
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
        self.check_readings()
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

    def check_readings(self) -> None:
        """The readings that a scenario names exist, and have the answers that it gives."""
        for name in sorted({*self.world.branching, *self.world.readings}):
            r = self.book.readings.get(name)
            if r is None:
                near = nearest(name, self.book.readings)
                self.collector.add(
                    Diagnostic(
                        None,
                        "unknown-reading",
                        Text(ja=f"解釈 `{name}` はありません", en=f"there is no reading `{name}`"),
                        None if near is None else Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?"),
                        name,
                    )
                )
                continue
            if name in self.world.branching and r.numbers is not None:
                self.collector.add(
                    Diagnostic(
                        None,
                        "numeric-reading",
                        Text(
                            ja=f"解釈 `{name}` は数なので、すべてを試すことはできません",
                            en=f"the reading `{name}` is a number: it cannot be branched over",
                        ),
                        Text(ja="調べたい数を一つ選んでください", en="choose one number"),
                        name,
                    )
                )
            answer = self.world.readings.get(name)
            if answer is not None and answer not in r.alternatives and not fits_numbers(answer, r):
                near = nearest(answer, r.alternatives)
                known = "、".join(r.alternatives) if r.numbers is None else f"{r.numbers[0]}..{r.numbers[1]}"
                self.collector.add(
                    Diagnostic(
                        None,
                        "no-such-alternative",
                        Text(
                            ja=f"解釈 `{name}` に選択肢 `{answer}` はありません",
                            en=f"the reading `{name}` has no alternative `{answer}`",
                        ),
                        Text(
                            ja=f"`{near}` ではありませんか" if near else f"あるのは: {known}",
                            en=f"did you mean `{near}`?" if near else f"known: {known}",
                        ),
                        answer,
                    )
                )

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
        asks = any(isinstance(n, ast.Name) and n.id == "state_holds" for n in ast.walk(rule.node))
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

    def constant_table(self, values: Sequence[int]) -> int:
        """The number of a constant table with these entries."""
        row = tuple(values)
        if row not in self.tables:
            self.tables.append(row)
        return self.tables.index(row)

    def reading(self, name: str, node: ast.AST, at: Reporter) -> tuple[t.Type, ir.Expr]:
        """Type and value of a reading: constant where it is fixed, else from its slot."""
        r = self.book.readings.get(name)
        if r is None:
            near = nearest(name, list(self.book.readings))
            raise at.refuse(
                node,
                "unknown-reading",
                f"there is no reading `{name}`",
                f"解釈 `{name}` は readings.yaml にありません",
                (f"did you mean `{near}`?", f"`{near}` ではありませんか")
                if near
                else ("register it in readings.yaml", "readings.yaml に登録してください"),
            )
        self.consulted.add(name)
        answer = self.world.readings.get(name, r.default)
        if r.numbers is not None:
            return t.Int(*r.numbers), ir.Const(int(answer) if fits_numbers(answer, r) else r.numbers[0])
        of = t.ReadingType(name, len(r.alternatives), r.alternatives)
        if name in self.branching:
            return of, ir.Load(self.branching[name], at=at.mark(node))
        return of, ir.Const(r.alternatives.index(answer) if answer in r.alternatives else 0)

    def check_clause(self, clause: str, node: ast.AST, at: Reporter) -> None:
        """Report a clause id that the book does not have."""
        if self.book.clauses is not None and clause not in self.book.clauses:
            near = nearest(clause, sorted(self.book.clauses))
            at.refuse(
                node,
                "unknown-clause",
                f"the book has no clause {clause}",
                f"この本に条 {clause} はありません",
                None if near is None else (f"did you mean {near}?", f"{near} ではありませんか"),
            )

    def check_marks(self) -> None:
        """Every clause mark belongs to a statement, and names a clause of the book."""
        for source in self.book.sources:
            self.check_marks_of(source)

    def check_marks_of(self, source: Source) -> None:
        at = Reporter(source, self.collector)
        if source.kernel:
            self.check_no_marks(source, at)
            return
        places = marked_lines(source, self.d.rules)
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
            for c in ids:
                self.check_clause(c, node, at)

    def check_no_marks(self, source: Source, at: Reporter) -> None:
        """The kernel belongs to no book."""
        for line in source.clauses:
            at.refuse(
                ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0),
                "kernel-mark",
                "the kernel belongs to no book, so it cites no clauses",
                "kernel はどの本のものでもないので、条番号は付けません",
                ("mark the book's calls", "本の側の呼び出しに条番号を付けてください"),
            )

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
            name, kind, arity, [LocalInfo(n, of) for n, of in low.locals], low.code, result, low.handlers, scope
        )

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
                body = self.situation_guard(rule, low, body)
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
        if self.falls_through(rule.node.body) and not isinstance(rule.result, t.NothingType):
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
        if self.reaches_end(low):
            at = low.mark(rule.node)
            low.put(ir.Return(at=at) if isinstance(rule.result, t.NothingType) else ir.End("gap", None, "", at=at))
        if not low.failed:
            self.add_function(rule.name, rule.ir_kind, low, arity, rule.result, rule.scope)

    def reaches_end(self, low: RuleLowering) -> bool:
        """Does anything lead behind the last instruction (code that nothing comes to included)?"""
        end = len(low.code)
        return (
            not end
            or any(end in successors(i, k) for k, i in enumerate(low.code))
            or any(h.target == end for h in low.handlers)
        )

    def falls_through(self, body: Sequence[ast.stmt]) -> bool:
        """Can control come to the end of the block?"""
        if not body:
            return True
        match body[-1]:
            case ast.Return() | ast.Raise():
                return False
            case ast.Expr(value=ast.Call(func=ast.Name(id="gap" | "conflict" | "not_modelled" | "finish"))):
                return False
            case ast.If(body=a, orelse=b):
                return not b or self.falls_through(a) or self.falls_through(b)
            case ast.While(test=ast.Constant(value=True)) as w:
                return breaks_out(w.body)
            case ast.Match(cases=cases):
                return any(self.falls_through(c.body) for c in cases)
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="abandon_when")))]):
                return True
            case ast.With(body=a):
                return self.falls_through(a)
            case ast.Try(body=a, handlers=hs):
                return self.falls_through(a) or any(self.falls_through(h.body) for h in hs)
            case _:
                return True

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

    # ------------------------------------------------------------ situations
    def situation_guard(self, rule: RuleDecl, low: RuleLowering, body: list[ast.stmt]) -> list[ast.stmt]:
        """The `when(…)` of an async situation becomes a define of its own."""
        rest = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        first = rest[0] if rest else None
        if not (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Call)
            and isinstance(first.value.func, ast.Name)
            and first.value.func.id == "when"
            and len(first.value.args) == 1
        ):
            raise rule.reporter.refuse(
                rule.node,
                "situation-without-when",
                f"the situation `{rule.name}` does not say when it holds",
                f"`{rule.name}` に、成り立つ条件がありません",
                ("begin it with `when(condition)`", "最初に `when(条件)` と書いてください"),
            )
        guard = self.lowering(rule.reporter, f"when {rule.name}", "define", t.BOOL, rule.clauses)
        guard.clauses = rule.clauses.get(id(first), low.clauses)
        for p, of in rule.params:
            guard.names[p] = Variable(of, tuple(guard.new_local(p, s) for s in of.flat()))
        if rule.state is not None:
            guard.names[rule.state] = StateRef(rule.part)
        arity = len(guard.locals)
        guard.put(ir.Return(guard.test(first.value.args[0]), at=guard.mark(first)))
        self.add_function(f"when {rule.name}", "define", guard, arity, t.BOOL)
        return rest[1:]

    def settling(self, situations: list[RuleDecl]) -> None:
        """The procedure `settle situations`: as long as a situation holds, who orders them takes one, and it is carried out."""
        asking = [r for r in situations if r.is_async]
        if not asking:
            return
        deciders = {r.subject for r in asking}
        if len(deciders) > 1:
            other = next(r for r in asking if r.subject != asking[0].subject)
            other.reporter.refuse(
                other.node,
                "settled-by",
                "two situations can arise together: who orders them must be the same for all",
                "situation は同時に成り立つことがあるので、順番を決める人は全部で同じにします",
                ("write the same `@settled_by(…)` above each", "どれにも同じ `@settled_by(…)` を付けてください"),
            )
            return
        self.make_due(asking)
        low = self.lowering(asking[0].reporter, "settle situations", "procedure", t.NOTHING)
        kind = SituationType(tuple(t.RecordType(r.name, tuple(r.params)) for r in asking))
        offers: list[ir.Offer] = []
        for k, r in enumerate(asking):
            binders = self.everyone(low, r)
            values: list[ir.Expr] = [ir.Const(k), *(ir.Const(t.blank(x)) for x in kind.flat()[1:])]
            _, first, _ = kind.offset(r.name)
            values[first : first + len(binders)] = [ir.Local(b.var) for b in binders]
            offers.append(
                ir.Offer(
                    tuple(binders),
                    ir.Call(f"when {r.name}", tuple(ir.Local(b.var) for b in binders)),
                    tuple(values),
                    at=low.mark(r.node),
                )
            )
        head = low.put(ir.Label())
        b = low.put(ir.Branch(ir.Call("situation due", ()), -1))
        chosen = [low.new_local("situation", x) for x in kind.flat()]
        marks = dict.fromkeys(c for r in asking for c in r.clauses.get(id(r.node), ()))
        owner: ir.Owner = ir.ByNobody(" ".join(marks))
        if asking[0].subject:
            if asking[0].subject not in self.d.rules:
                return
            self.need(asking[0].subject)
            owner = ir.ByPlayer(ir.Call(asking[0].subject, ()))
        low.put(ir.Choose(owner, tuple(offers), tuple(chosen), kind))
        for k, r in enumerate(asking):
            skip = low.put(ir.Branch(ir.Binary("eq", ir.Local(chosen[0]), ir.Const(k)), -1))
            _, first, _ = kind.offset(r.name)
            low.put(ir.Invoke(r.name, tuple(ir.Local(x) for x in chosen[first : first + len(r.params)])))
            low.put(ir.Jump(head))
            low.point(skip, low.here())
        low.put(ir.Jump(head))
        low.point(b, low.here())
        low.put(ir.Return())
        self.add_function("settle situations", "procedure", low, 0, t.NOTHING)

    def everyone(self, low: RuleLowering, r: RuleDecl) -> list[ir.Binder]:
        """Binders that go through everything a situation is looked at for."""
        return [ir.Binder(low.new_local(p, of), ir.Const(t.SetType(of).hi), of.lo) for p, of in r.params]

    def make_due(self, asking: list[RuleDecl]) -> None:
        """The define `due`: does some situation hold?"""
        low = self.lowering(asking[0].reporter, "situation due", "define", t.BOOL)
        parts: list[ir.Expr] = []
        for r in asking:
            binders = self.everyone(low, r)
            call = ir.Call(f"when {r.name}", tuple(ir.Local(b.var) for b in binders))
            parts.append(low.fold("any", binders, [TRUE] * len(binders), call, r.node))
        low.put(ir.Return(either(parts)))
        self.add_function("situation due", "define", low, 0, t.BOOL)

    # ------------------------------------------------------------ verdicts
    def verdicts(self) -> tuple[VerdictInfo, ...]:
        out: list[VerdictInfo] = []
        for r in self.d.rules.values():
            if r.kind == "verdict" and r.name in self.functions:
                marks = tuple(
                    c for c, _ in Counter(c for i in self.functions[r.name].code for c in i.at.clauses).most_common()
                )
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


@dataclass(frozen=True)
class SituationType(t.UnionType):
    """Which situation is carried out next, and of what: a record for each, with its parameters as fields."""


def fits_numbers(answer: str, r: ReadingDef) -> bool:
    """Is the answer one of the numbers that a numeric reading allows?"""
    if r.numbers is None or not answer.isascii() or not answer.removeprefix("-").isdigit():
        return False
    return r.numbers[0] <= int(answer) <= r.numbers[1]


def breaks_out(body: Sequence[ast.stmt]) -> bool:
    """Does some `break` in the body of a loop leave that loop?"""
    for s in body:
        match s:
            case ast.Break():
                return True
            case ast.For() | ast.While() | ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                inner = [x for f in ("body", "orelse", "handlers", "cases") for x in getattr(s, f, [])]
                inner = [
                    y for x in inner for y in (x.body if isinstance(x, ast.ExceptHandler | ast.match_case) else [x])
                ]
                if breaks_out(inner):
                    return True
    return False


__all__ = ["Compiler", "Rulebook", "SituationType", "compile_book", "layout_of"]
