"""The code of a rule while it is written: instructions, jumps, locals; and what interrupts play: choices, chance, calls of procedures and of scripts."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import TRUE, binary, unary
from ..ir.flow import redirected, walk
from ..ir.program import Function, FunctionKind, Handler, Leaf, LocalInfo, linear
from .expressions import ExpressionLowering
from .scope import Scope
from .signatures import RuleDecl
from .source import Refused, Reporter
from .values import Meaning, OpenDecider, Place, StateRef, Val, Variable, container

SILENCE = ("gap", "conflict", "not_modelled")

MOST_NUMBERS = 512


@dataclass
class Loop:
    """An enclosing loop: where `continue` goes, which jumps are still to be pointed at its end, how many
    restorations were open when it began, and whether it stands inside `simultaneously`."""

    head: int
    exits: list[int]
    depth: int
    in_batch: bool = False


@dataclass
class Abandon:
    """An enclosing `abandon_when`: its condition, the jumps to be pointed at its end, and how many restorations were
    open when it began."""

    condition: ast.expr
    depth: int
    exits: list[int] = field(default_factory=list[int])


class CodeLowering(ExpressionLowering):
    """Translates one rule (or script). `kind` is define, step or procedure; `result` its type."""

    def __init__(
        self,
        scope: Scope,
        at: Reporter,
        name: str,
        kind: FunctionKind,
        result: t.Type,
    ) -> None:
        super().__init__(scope, at, name)
        self.kind: FunctionKind = kind
        self.result = result
        self.code: list[ir.Instr] = []
        self.handlers: list[Handler] = []
        self.loops: list[Loop] = []
        self.restores: list[list[tuple[Leaf, ir.Expr | None, int]]] = []
        self.abandons: list[Abandon] = []
        self.in_batch = False
        self.failed = False
        """Something was refused: the code is not complete."""
        self.many: frozenset[str] = frozenset()
        """Locals that are assigned in several places: their numbers are not held to the range of the first."""
        self.behind: Sequence[ast.stmt] = ()

    @abstractmethod
    def block(self, body: Sequence[ast.stmt]) -> None:
        """Translate statements one after the other."""

    def checked_block(self, live: Sequence[ast.stmt], dead: Sequence[ast.stmt]) -> None:
        """Translate both, keep the code of the live one: what is constant in this scenario is still checked."""
        begin, handlers = self.here(), len(self.handlers)
        self.block(dead)
        del self.code[begin:], self.handlers[handlers:]
        for around in (*self.loops, *self.abandons):
            around.exits = [k for k in around.exits if k < begin]
        self.block(live)

    def begin(self, rule: RuleDecl) -> int:
        """The parameters of a rule become names. How many locals they take."""
        for p, of in rule.params:
            self.names[p] = self.declare_variable(p, of)
        if rule.state is not None:
            self.names[rule.state] = StateRef(rule.part)
        return len(self.locals)

    # ------------------------------------------------------------ code
    def put(self, i: ir.Instr) -> int:
        self.code.append(i)
        return len(self.code) - 1

    def add(self, arity: int, scope: int = 0, at: ir.Mark | None = None) -> None:
        """The function is complete. `at`: where its rule is written, if not where its first instruction is."""
        self.scope.functions[self.name] = Function(
            self.name,
            self.kind,
            arity,
            [LocalInfo(n, of) for n, of in self.locals],
            self.code,
            self.result,
            self.handlers,
            scope,
            at or self.code[0].at,
        )

    def here(self) -> int:
        return len(self.code)

    def land(self, *jumps: int) -> None:
        """Let these jumps go to what is put next."""
        for k in jumps:
            self.code[k] = redirected(self.code[k], lambda _: self.here())

    @contextmanager
    def where(self, test: ir.Expr, at: ir.Mark = ir.NOWHERE) -> Iterator[None]:
        """What is put within is done where the test holds."""
        b = self.put(ir.Branch(test, -1, at=at))
        yield
        self.land(b)

    @contextmanager
    def for_members(self, rest: int, var: int, at: ir.Mark = ir.NOWHERE, lo: int = 0) -> Iterator[int]:
        """What is put within is done for each member of the set in the local `rest`. Gives where the loop begins."""
        head = self.put(ir.Next(rest, var, lo, -1, at=at))
        yield head
        self.put(ir.Jump(head, at=at))
        self.land(head)

    def effect_allowed(self, node: ast.AST, what: str, ja: str = "") -> None:
        self.demand(
            self.kind != "define", node, "define-changes-state",
            f"a define looks and changes nothing, and {what} changes the state",
            f"@define は見るだけで、状態を変えられません（{ja or what}）", ("make it a @step", "@step にしてください"))

    # ------------------------------------------------------------ assignment
    def store_variable(self, x: Variable, v: Val, node: ast.AST) -> None:
        """Locals := value; parts that read the locals being set are read first."""
        targets = set(x.locals)
        if len(x.locals) > 1 and any(isinstance(n, ir.Local) and n.index in targets for p in v.parts for n in walk(p)):
            kept = [self.new_local("kept", s) for s in x.type.flat()]
            for k, p in zip(kept, v.parts, strict=True):
                self.put(ir.Assign(k, p, at=self.mark(node)))
            v = Val(v.type, tuple(ir.Local(k) for k in kept))
        for k, p in zip(x.locals, v.parts, strict=True):
            if p != ir.Local(k):
                self.put(ir.Assign(k, p, at=self.mark(node)))

    def local_type(self, of: t.Type, node: ast.AST) -> t.Type:
        """The type of a local that was given a value of type `of`."""
        match of:
            case t.Int():
                return t.ANY_INT if of.lo < t.ANY_INT.lo or of.hi > t.ANY_INT.hi else of
            case t.NothingType():
                raise self.refuse(
                    node, "untyped-none", "of what could this be none?", "何が「なし」なのか分かりません",
                    ("write its type: `best: Option[Card] = None`", "型を書いてください: `best: Option[Card] = None`"))
            case t.EmptySetType():
                raise self.refuse(
                    node, "untyped-set", "a set of what?", "何の集合か分かりません",
                    ("write its type: `found: Set[Card] = set()`", "型を書いてください: `found: Set[Card] = set()`"))
            case _:
                return of

    def result_variable(self, name: str | None, of: t.Type) -> Variable:
        """A fresh variable for the result of something done; a number that is assigned elsewhere too has no range."""
        return self.declare_variable(
            name or "ignored", t.ANY_INT if isinstance(of, t.Int) and name in self.many else of
        )

    def is_constant(self, name: str) -> bool:
        """Does the name stand for something fixed, which a local must not hide?"""
        known = (self.d.constants, self.d.ranges, self.d.types, self.d.fields, self.d.aliases, self.d.rules)
        return name in ("FIRST", "SECOND", "PLAYERS", "CARDS") or any(name in x for x in known)

    def assign_where(self, target: ast.expr) -> Refused:
        return self.refuse(
            target, "assign-where", "assign to a local or to a field of the state", "代入先は変数か状態の項目です",
            ("a record in a local does not change: make a new one", "変数に入れた Record は書き換えられません。新しく作ってください"))

    def store(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr, op: ir.StoreOp) -> None:
        """Write the scalars of a leaf, or of an entry of a pool."""
        match m:
            case Place(node=Leaf() as leaf):
                index = linear(leaf.keys, [e for _, e in m.keys]) if m.keys else None
                self.put(ir.Store(leaf.base, index, leaf.count, v.expr, op, at=self.mark(s)))
            case Val(parts=parts) if parts and all(isinstance(p, ir.Load) and p.index is not None for p in parts):
                for p, x in zip(parts, v.parts, strict=True):
                    assert isinstance(p, ir.Load)
                    info = next((c for c in self.scope.layout.containers.values() if p.base in c.columns), None)
                    if info is None:
                        raise self.assign_where(target)
                    self.demand(
                        info.is_pool, target, "entry-changed", "an entry of a multiset is not changed",
                        "Multiset の要素は書き換えません", ("remove it and add the new one", "除いてから新しいものを加えてください"))
                    self.put(ir.Store(p.base, p.index, p.count, x, op, at=self.mark(s)))
            case _:
                raise self.assign_where(target)

    # ------------------------------------------------------------ things done
    def is_done(self, node: ast.expr) -> bool:
        """Does it give its value by something that is done: what is awaited, a step, `judge`, or `g.pool.new(…)`?"""
        match node:
            case ast.Await() | ast.Call(func=ast.Attribute(attr="new")):
                return True
            case ast.Call(func=ast.Name(id=name)):
                return name == "judge" or (name in self.d.rules and self.d.rules[name].ir_kind == "step")
            case _:
                return False

    # ------------------------------------------------------------ awaiting
    def awaited(self, node: ast.Await, call: ast.expr, result: str | None) -> Variable | None:
        self.demand(
            self.kind == "procedure", node, "await-in-step", f"a {self.kind} cannot be interrupted",
            f"{self.kind} の途中で割り込みは起こりません", ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"))
        self.demand(
            not self.in_batch, node, "await-in-batch", "nobody can be asked while things happen at once",
            "同時に行う処理の途中で選ばせることはできません", ("ask before the block", "ブロックの前に選ばせてください"))
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise self.refuse(
                node, "await-what", "only a choice or a procedure is awaited", "await できるのは選択か手順だけです",
                ("drop the `await`", "`await` を取ってください"))
        name = call.func.id
        match name:
            case "choose" | "chance":
                return self.choose(call, name, result)
            case "choose_some":
                return self.choose_some(call, result)
            case "choose_number":
                return self.choose_number(call, result)
            case "may":
                who = self.one(call)
                x = self.result_variable(result or "answer", t.BOOL)
                k = self.new_local("option", t.BOOL)
                offer = ir.Offer((ir.Binder(k, ir.Const(3)),), TRUE, (ir.Local(k),), at=self.mark(call))
                self.put(ir.Choose(self.decider(who), (offer,), x.locals, t.BOOL, at=self.mark(node)))
                return x
            case "run_text" | "run_cost":
                self.run_script(node, call, name)
                return None
        if name not in self.d.rules:
            raise self.d.unknown(call.func, name, self.at)
        decl = self.d.rules[name]
        self.demand(
            decl.ir_kind == "procedure", node, "needless-await", f"`{name}` is a {decl.kind} and cannot be interrupted",
            f"`{name}` は {decl.kind} で、割り込みは起こりません", ("drop the `await`", "`await` を取ってください"))
        return self.carry_out(call, name, result, ir.Invoke, node)

    def carry_out(
        self, call: ast.Call, name: str, result: str | None, instruction: type[ir.Do | ir.Invoke], node: ast.expr,
    ) -> Variable | None:
        """Call the step or procedure `name`; its result, if it has one, as a fresh variable."""
        call, decl = self.use(call, name)
        args = self.arguments(call, decl)
        self.scope.need(decl.name)
        x = None if isinstance(decl.result, t.NothingType) else self.result_variable(result, decl.result)
        self.put(instruction(
            decl.name, tuple(p for v in args for p in v.parts), None if x is None else x.locals[0], at=self.mark(node)))
        return x

    def decider(self, node: ast.expr) -> ir.Owner:
        m = self.meaning(node)
        if isinstance(m, OpenDecider):
            return ir.ByNobody(m.clause, at=self.mark(node))
        return ir.ByPlayer(self.coerce(self.load(m, node), self.d.player, node).expr, at=self.mark(node))

    def choose(self, call: ast.Call, name: str, result: str | None) -> Variable:
        if call.keywords or len(call.args) != (1 if name == "chance" else 2):
            hint = ("write `await chance(options)`", "`await chance(選択肢)` と書いてください")
            if name == "choose":
                hint = (
                    'write `await choose(who, options)`; if the rules do not say who: `OPEN("clause")`',
                    '`await choose(決める人, 選択肢)` と書いてください。決める人が書かれていなければ `OPEN("条番号")` です',
                )
            raise self.refuse(
                call, "choose-form",
                "who decides, and between what?" if name == "choose" else "chance is between options",
                "誰が、何の中から選びますか" if name == "choose" else "chance には選択肢だけを渡します", hint)
        owner = ir.ByChance(at=self.mark(call)) if name == "chance" else self.decider(call.args[0])
        among = call.args[-1]
        offers = self.as_offers(self.offered(among), among)
        if isinstance(offers.type, t.NothingType):
            raise self.refuse(
                call.args[-1], "no-options", "there is nothing to choose from", "選択肢がありません",
                ('where the rules leave a player without any option, write gap("clause")',
                 '規則上選べるものがないなら gap("条番号") と書いてください'))
        x = self.result_variable(result or "choice", offers.type)
        fitted = tuple(
            replace(o, values=self.fit(Val(offers.type, o.values), call.args[-1]).parts) for o in offers.offers
        )
        self.put(ir.Choose(owner, fitted, x.locals, offers.type, at=self.mark(call)))
        return x

    def offered(self, among: ast.expr) -> Meaning:
        """Between what one chooses: of a multiset, its entries."""
        if not isinstance(among, ast.SetComp | ast.GeneratorExp):
            m = self.meaning(among)
            if container(m) is None:
                return m
            each = ast.comprehension(ast.Name("entry", ast.Store()), among, [], 0)
            among = ast.fix_missing_locations(
                ast.copy_location(ast.SetComp(ast.Name("entry", ast.Load()), [each]), among)
            )
        return self.comprehension(among, None, offered=True)

    def choose_some(self, call: ast.Call, result: str | None) -> Variable:
        args = call.args
        by_name = {k.arg: k.value for k in call.keywords}
        least, most = (args[k] if k < len(args) else by_name.pop(n, None) for k, n in ((2, "at_least"), (3, "at_most")))
        if not 2 <= len(args) <= 4 or least is None or by_name:
            raise self.refuse(
                call, "choose-form", "who decides, between what, and how many?", "誰が、何の中から、いくつ選びますか",
                ("write `await choose_some(who, options, at_least=…)`, and `at_most=…` where not any number will do",
                 "`await choose_some(決める人, 選択肢, at_least=…)` と書いてください（上限があるなら `at_most=…` も）"))
        v = self.as_set(self.value(args[1]), args[1])
        of = v.type if isinstance(v.type, t.SetType) else t.SetType(t.Int(0, 0))
        x = self.declare_variable(result or "chosen", of)
        self.put(
            ir.ChooseSome(
                self.decider(args[0]),
                v.expr,
                self.number(least).expr,
                ir.Const(of.span) if most is None else self.number(most).expr,
                x.locals[0],
                of,
                at=self.mark(call),
            )
        )
        return x

    def choose_number(self, call: ast.Call, result: str | None) -> Variable:
        by_name = {k.arg: k.value for k in call.keywords}
        args = list(call.args) + [
            by_name.pop(n) for n in ("at_least", "at_most")[max(0, len(call.args) - 1) :] if n in by_name
        ]
        if len(args) != 3 or by_name:
            raise self.refuse(
                call, "choose-form", "who decides, from which number to which?", "誰が、いくつからいくつまでの数を選びますか",
                ("write `await choose_number(who, at_least, at_most)`", "`await choose_number(決める人, 下限, 上限)` と書いてください"))
        a, b = self.number(args[1]), self.number(args[2])
        least, most = max(a.type.lo, -MOST_NUMBERS), min(b.type.hi, MOST_NUMBERS)
        if a.type == t.ANY_INT:
            least = max(least, min(0, most))
        of = t.Int(least, max(least, most))
        lo, hi = (self.fit(Val(of, (v.expr,)), n).expr for v, n in ((a, args[1]), (b, args[2])))
        x = self.result_variable(result or "number", of)
        k = self.new_local("option", of)
        width = binary("add", binary("sub", hi, lo), ir.Const(1))
        domain = binary(
            "shift", unary("below", width, self.mark(call)), binary("sub", lo, ir.Const(least)), self.mark(call)
        )
        offer = ir.Offer((ir.Binder(k, domain, least),), TRUE, (ir.Local(k),), at=self.mark(call))
        self.put(ir.Choose(self.decider(args[0]), (offer,), x.locals, of, at=self.mark(call)))
        return x

    def run_script(self, node: ast.Await, call: ast.Call, name: str) -> None:
        args = [a for a in call.args if self.state_or_none(a) is None]
        many = 4 if name == "run_text" else 3
        if len(args) != many:
            raise self.refuse(
                node, "argument-count", f"`{name}` takes {many} arguments besides the state",
                f"`{name}` の引数は、状態のほかに {many} 個です",
                ("write `await run_text(g, ability, this, you, cause)` or `await run_cost(g, ability, this, you)`",
                 "`await run_text(g, ability, this, you, cause)` か `await run_cost(g, ability, this, you)` と書いてください"))
        types = (self.d.ability, t.OptionType(self.d.card.as_object), self.d.player, self.d.cause)
        given = tuple(p for a, of in zip(args, types, strict=False) for p in self.value(a, of).parts)
        key = name.removeprefix("run_")
        if self.scope.abilities.having(key):
            self.put(ir.Invoke(self.scope.ask("switch", key, f"run {key}"), given, at=self.mark(node)))


def as_load(target: ast.expr) -> ast.expr:
    """The target of `+=`, to be read."""
    out = ast.parse(ast.unparse(target), mode="eval").body
    for n in ast.walk(out):
        ast.copy_location(n, target)
    return out
