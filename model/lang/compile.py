"""From the sources of a book and a world to a program."""
from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.flow import mark_calls
from ..ir.program import Function, Layout, LocalInfo, Program, VerdictInfo
from ..ir.verify import verify
from ..ir.build import FALSE, negate
from .cards import Facts, Scripts
from .declare import Declarations, RuleDecl, declare
from .layout import LayoutBuilder
from .passes import hoist_static_tests, insert_consults, insert_settling, remove_unreachable
from .source import Refused, Reporter, Source
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


def compile_book(book: Rulebook, world: World, entry: str) -> Program:
    """Compile a book for a world, beginning with the entry point (or procedure) named `entry`.

    Raises BadInput with every error found.
    """
    collector = Collector()
    program = Compiler(book, world, collector).run(entry)
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

    def __init__(self, book: Rulebook, world: World, collector: Collector) -> None:
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
            self.collector.add(Diagnostic(
                Position(self.book.sources[0].file if self.book.sources else self.book.name, 1, 1), "no-state",
                Text(ja="状態のクラス（State）がありません", en="the book has no state class"),
                Text(ja="`class Game(State):` を書いてください", en="write `class Game(State):`"), None))
            return None
        self.facts.check()
        self.check_marks()
        self.policy = next((r for r in self.d.rules.values() if r.kind == "trigger_policy"), None)
        start = self.entry_point(entry)
        for r in self.d.rules.values():  # everything is translated, so that everything is checked
            self.need(r.name)
        self.drain()
        situations = [r for r in self.d.rules.values() if r.kind == "situation"]
        self.settling(situations)
        self.drain()
        if self.collector.diagnostics or start is None:
            return None
        program = Program(
            self.book.name, self.layout, self.functions, self.tables, start, self.d.cause,
            {r: self.book.readings[r].alternatives for r in self.branching}, dict(self.branching),
            frozenset(self.consulted), tuple(r.name for r in self.d.rules.values() if r.kind == "invariant"),
            self.verdicts(), self.world.stack_depth)
        hoist_static_tests(program)
        verify(program)
        insert_settling(program, [r.name for r in situations if not r.is_async and self.matters(r)],
                        [f"when {r.name}" for r in situations if r.is_async])
        insert_consults(program)
        remove_unreachable(program)
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
            if name != d.state_class and name not in d.definitions:
                try:
                    d.record(name)
                except Refused:
                    continue
        for r in self.world.branching:
            n = len(self.book.readings[r].alternatives)
            self.branching[r] = builder.block(f"reading {r}", t.OptionType(t.ReadingType(r, n, self.book.readings[r].alternatives)),
                                              -1, f"reading {r}", 1)
        self.layout: Layout = builder.build({})
        self.nodes = builder.nodes
        self.policy: RuleDecl | None = None

    def entry_point(self, entry: str) -> str | None:
        by_name = {r.entry: r.name for r in self.d.rules.values() if r.entry}
        name = by_name.get(entry, entry)
        rule = self.d.rules.get(name)
        if rule is None or not rule.is_async or rule.params:
            known = sorted(by_name) or sorted(r.name for r in self.d.rules.values() if r.kind == "procedure" and not r.params)
            near = nearest(entry, known)
            self.collector.add(Diagnostic(
                Position(self.book.name, 1, 1), "no-such-entry",
                Text(ja=f"`{entry}` から始めることはできません", en=f"a game cannot begin with `{entry}`"),
                Text(ja=f"`{near}` ではありませんか" if near else "始められるのは: " + ", ".join(known),
                     en=f"did you mean `{near}`?" if near else "it can begin with: " + ", ".join(known)), entry))
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

    def drain(self) -> None:
        while self.pending:
            self.pending.pop(0)()

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
            raise at.refuse(node, "unknown-reading", f"there is no reading `{name}`", f"解釈 `{name}` は readings.yaml にありません",
                            (f"did you mean `{near}`?", f"`{near}` ではありませんか") if near else
                            ("register it in readings.yaml", "readings.yaml に登録してください"))
        self.consulted.add(name)
        if r.numbers is not None:
            return t.Int(*r.numbers), ir.Const(int(self.world.readings.get(name, r.default)))
        of = t.ReadingType(name, len(r.alternatives), r.alternatives)
        if name in self.branching:
            return of, ir.Load(self.branching[name], at=at.mark(node))
        return of, ir.Const(r.alternatives.index(self.world.readings.get(name, r.default)))

    def check_clause(self, clause: str, node: ast.AST, at: Reporter) -> None:
        """Report a clause id that the book does not have."""
        if self.book.clauses is not None and clause not in self.book.clauses:
            near = nearest(clause, sorted(self.book.clauses))
            at.refuse(node, "unknown-clause", f"the book has no clause {clause}", f"この本に条 {clause} はありません",
                      None if near is None else (f"did you mean {near}?", f"{near} ではありませんか"))

    def check_marks(self) -> None:
        """Every clause mark names a clause of the book."""
        if self.book.clauses is None:
            return
        for source in self.book.sources:
            at = Reporter(source, self.collector)
            for line, ids in source.clauses.items():
                for c in ids:
                    if c not in self.book.clauses:
                        node = ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
                        self.check_clause(c, node, at)

    def master_of(self, card: ir.Expr) -> Val | None:
        """Whose a card's ability is, by the book's define `master` (for the guards of triggers)."""
        rule = self.d.rules.get("master")
        if rule is None or rule.ir_kind != "define" or len(rule.params) != 1:
            return None
        self.need("master")
        return Val(rule.result, (ir.Call("master", (card,)),))

    def lowering(
        self, at: Reporter, name: str, kind: str, result: t.Type, clauses: Mapping[int, tuple[str, ...]] | None = None,
    ) -> RuleLowering:
        marks = clauses or {}
        return RuleLowering(self, at, name, kind, result, lambda n: marks.get(id(n)))

    def add_function(self, name: str, kind: str, low: RuleLowering, arity: int, result: t.Type, scope: int = 0) -> None:
        self.functions[name] = Function(
            name, kind, arity, [LocalInfo(n, of) for n, of in low.locals], low.code, result, low.handlers, scope)  # pyright: ignore[reportArgumentType]

    # ------------------------------------------------------------ rules
    def translate(self, rule: RuleDecl) -> None:
        """Make the IR function of a rule."""
        low = self.lowering(rule.reporter, rule.name, rule.ir_kind, rule.result, rule.clauses)
        low.clauses = rule.clauses.get(id(rule.node), ())
        for p, of in rule.params:
            low.names[p] = Variable(of, tuple(low.new_local(p, s) for s in of.flat()))
        if rule.state is not None:
            low.names[rule.state] = StateRef()
        arity = len(low.locals)
        body = list(rule.node.body)
        try:
            if rule.kind == "action":
                self.action_guard(rule, low)
            if rule.kind == "situation" and rule.is_async:
                body = self.situation_guard(rule, low, body)
        except Refused:
            return
        if isinstance(rule.result, t.RecordType | t.UnionType | t.CauseType) and rule.ir_kind == "define":
            scratch = [s for s in body if isinstance(s, ast.Return) and s.value is not None]
            try:
                for s in scratch:
                    assert s.value is not None
                    low.meaning(s.value)
            except Refused:
                pass
            return
        low.block(body)
        if low.code and isinstance(low.code[-1], ir.Return) and not self.reaches_end(low):
            pass
        elif isinstance(rule.result, t.NothingType):
            low.put(ir.Return(at=low.mark(rule.node)))
        elif self.falls_through(rule.node.body):
            rule.reporter.refuse(rule.node, "path-without-result", f"`{rule.name}` can come to its end without a result",
                                 f"`{rule.name}` には、値を返さずに終わる場合があります",
                                 ("return something on every path, or write gap(\"clause\") where the rules are silent",
                                  "どの場合も return するか、規則が沈黙する所に gap(\"条番号\") と書いてください"))
        else:
            low.put(ir.End("gap", None, "", at=low.mark(rule.node)))
        self.add_function(rule.name, rule.ir_kind, low, arity, rule.result, rule.scope)

    def reaches_end(self, low: RuleLowering) -> bool:
        """Does some jump lead behind the last instruction?"""
        end = len(low.code)
        return any(end in (getattr(i, "target", -2), getattr(i, "otherwise", -2), getattr(i, "done", -2)) for i in low.code) or any(
            h.target == end for h in low.handlers)

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
                return any(isinstance(x, ast.Break) for x in ast.walk(w))
            case ast.Match(cases=cases):
                return any(self.falls_through(c.body) for c in cases)
            case ast.With(body=a):
                return self.falls_through(a)
            case ast.Try(body=a, handlers=hs):
                return self.falls_through(a) or any(self.falls_through(h.body) for h in hs)
            case _:
                return True

    def action_guard(self, rule: RuleDecl, low: RuleLowering) -> None:
        """An action that is forbidden is simply not done."""
        args = [low.of_variable(v) for p, _ in rule.params if isinstance(v := low.names[p], Variable)]
        for r in self.d.rules.values():
            if r.kind in ("forbids", "permits", "requires") and r.subject == rule.name and [x for _, x in r.params] != [x for _, x in rule.params]:
                raise r.reporter.refuse(r.node, "norm-parameters", f"`{r.name}` must have the parameters of `{rule.name}`",
                                        f"`{r.name}` の引数は `{rule.name}` と同じにします")
        no = low.norms("forbids", rule.name, args, rule.node)
        if no == FALSE:
            return
        b = low.put(ir.Branch(negate(negate(no)), -1, at=low.mark(rule.node)))
        if isinstance(rule.result, t.NothingType):
            low.put(ir.Return(at=low.mark(rule.node)))
        else:
            low.put(ir.Return(ir.Const(rule.result.lo if isinstance(rule.result, t.OptionType) else 0), at=low.mark(rule.node)))
        low.point(b, low.here())

    # ------------------------------------------------------------ situations
    def situation_guard(self, rule: RuleDecl, low: RuleLowering, body: list[ast.stmt]) -> list[ast.stmt]:
        """The `when(…)` of an async situation becomes a define of its own."""
        rest = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        first = rest[0] if rest else None
        if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and isinstance(first.value.func, ast.Name)
                and first.value.func.id == "when" and len(first.value.args) == 1):
            raise rule.reporter.refuse(rule.node, "situation-without-when", f"the situation `{rule.name}` does not say when it holds",
                                       f"`{rule.name}` に、成り立つ条件がありません",
                                       ("begin it with `when(condition)`", "最初に `when(条件)` と書いてください"))
        guard = self.lowering(rule.reporter, f"when {rule.name}", "define", t.BOOL, rule.clauses)
        guard.clauses = rule.clauses.get(id(first), low.clauses)
        for p, of in rule.params:
            guard.names[p] = Variable(of, tuple(guard.new_local(p, s) for s in of.flat()))
        if rule.state is not None:
            guard.names[rule.state] = StateRef()
        arity = len(guard.locals)
        guard.put(ir.Return(guard.test(first.value.args[0]), at=guard.mark(first)))
        self.add_function(f"when {rule.name}", "define", guard, arity, t.BOOL)
        return rest[1:]

    def settling(self, situations: list[RuleDecl]) -> None:
        """The procedure `settle`: as long as a situation holds, who orders them takes one, and it is carried out."""
        asking = [r for r in situations if r.is_async]
        if not asking:
            return
        at = asking[0].reporter
        low = self.lowering(at, "settle", "procedure", t.NOTHING)
        head = low.put(ir.Label())
        widest = max(len(r.params) for r in asking)
        offers: list[ir.Offer] = []
        for k, r in enumerate(asking):
            binders: list[ir.Binder] = []
            args: list[ir.Expr] = []
            for p, of in r.params:
                x = low.new_local(p, of)
                span = of.hi - of.lo + 1
                binders.append(ir.Binder(x, ir.Const((1 << span) - 1), of.lo))
                args.append(ir.Local(x))
            padding: list[ir.Expr] = [ir.Const(0)] * (widest - len(args))
            offers.append(ir.Offer(tuple(binders), ir.Call(f"when {r.name}", tuple(args)), (ir.Const(k), *args, *padding)))
        due = self.any_due(low, asking)
        b = low.put(ir.Branch(due, -1))
        chosen = [low.new_local("situation", t.Int(0, len(asking) - 1))] + [low.new_local("of", t.ANY_INT) for _ in range(widest)]
        low.names["g"] = StateRef()
        by = next((r.subject for r in asking if r.subject), "")
        owner: ir.Owner = ir.ByNobody("")
        if by:
            decider = self.d.rules.get(by)
            if decider is None or decider.ir_kind != "define":
                at.refuse(asking[0].node, "settled-by", f"`{by}` is not a define that names the decider", f"`{by}` は決める人を返す @define ではありません")
                return
            self.need(by)
            owner = ir.ByPlayer(ir.Call(by, ()))
        low.put(ir.Choose(owner, tuple(offers), tuple(chosen), SituationType(tuple(r.name for r in asking), widest)))
        for k, r in enumerate(asking):
            skip = low.put(ir.Branch(ir.Binary("eq", ir.Local(chosen[0]), ir.Const(k)), -1))
            low.put(ir.Invoke(r.name, tuple(ir.Local(x) for x in chosen[1:1 + len(r.params)])))
            low.put(ir.Jump(head))
            low.point(skip, low.here())
        low.put(ir.Jump(head))
        low.point(b, low.here())
        low.put(ir.Return())
        self.add_function("settle", "procedure", low, 0, t.NOTHING)

    def any_due(self, low: RuleLowering, asking: list[RuleDecl]) -> ir.Expr:
        parts: list[ir.Expr] = []
        for r in asking:
            xs = [low.new_local(p, of) for p, of in r.params]
            e: ir.Expr = ir.Call(f"when {r.name}", tuple(ir.Local(x) for x in xs))
            for x, (_, of) in reversed(list(zip(xs, r.params, strict=True))):
                e = ir.Fold("any", x, ir.Const((1 << (of.hi - of.lo + 1)) - 1), ir.Const(1), e, of.lo)
            parts.append(e)
        return parts[0] if len(parts) == 1 else ir.Any(tuple(parts))

    # ------------------------------------------------------------ verdicts
    def verdicts(self) -> tuple[VerdictInfo, ...]:
        out: list[VerdictInfo] = []
        for r in self.d.rules.values():
            if r.kind == "verdict" and r.name in self.functions:
                marks = tuple(dict.fromkeys(c for i in self.functions[r.name].code for c in i.at.clauses))
                out.append(VerdictInfo(r.name, r.subject, r.result, r.params[0][1] if r.params else t.NOTHING, marks,
                                       frozenset(b for a, b in self.d.rankings if a == r.name)))
        return tuple(out)


@dataclass(frozen=True)
class SituationType(t.Type):
    """Which situation is carried out next, and of what."""

    names: tuple[str, ...]
    widest: int

    @property
    def width(self) -> int:
        return 1 + self.widest


__all__ = ["Compiler", "Rulebook", "SituationType", "compile_book", "layout_of"]
