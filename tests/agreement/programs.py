"""Random rule programs, made of IR nodes: whatever the verifier accepts, sensible enough to be played for a while.

Each is made from a seed alone. Values mostly stay within their domains, so that play goes on; now and then they do
not, because a bound exceeded and a fault of the encoding have to be the same everywhere, too.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.flow import live_across_calls, liveness, mark_calls
from rulewright.model.ir.program import ContainerInfo, Function, Handler, Layout, LocalInfo, Program, Slot, ZoneInfo
from rulewright.model.ir.types import (
    ANY_INT,
    BOOL,
    NOTHING,
    CardType,
    CauseType,
    Int,
    ObjType,
    OptionType,
    PlayerType,
    RecordType,
    SetType,
    Type,
    UnionType,
    ZoneType,
    blank,
    domain,
)
from rulewright.model.ir.verify import verify

SMALL, LANE, PLAYER = Int(-3, 12), Int(0, 4), PlayerType("Player", 2)
PASS, ENTER = RecordType("Pass", ()), RecordType("Enter", (("lane", SMALL),))
ACTION = UnionType((PASS, ENTER))
SIGNALS = ("PhaseEnds", "TurnEnds")
KINDS = ("int", "bool", "card", "object", "cards", "zone", "player", "lanes", "big")


class World:
    """The state of a random program: cards, zones, slots, containers, tables."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.cards = luck.choice((0, 1, 3, 3, 5, 5, 8, 12, 20, 63, 64, 70, 130)) if luck.random() < 0.9 else 64
        few = luck.randint(2, 5)
        self.zones = tuple(ZoneInfo(f"zone{k}", "zone", luck.random() < 0.6, None, k) for k in range(few))
        self.types: dict[str, Type] = {
            "int": SMALL, "bool": BOOL, "card": OptionType(CardType("Card", self.cards)),
            "object": OptionType(ObjType("Obj", self.cards)), "cards": SetType(CardType("Card", self.cards)),
            "zone": ZoneType("Zone", few), "player": PLAYER, "lanes": SetType(LANE), "big": ANY_INT}
        self.slots: list[Slot] = []
        self.fields: dict[str, list[tuple[int, int]]] = {k: [] for k in KINDS}
        """Slots by kind: first, and how many side by side."""
        self.location = self.add("location", OptionType(self.types["zone"]), self.cards, "zones")
        for k in range(self.cards):
            self.slots[self.location + k] = replace(self.slots[self.location + k], initial=luck.randrange(few))
        self.rank = self.add("rank", Int(0, max(1, self.cards)), self.cards, "zones")
        height = dict.fromkeys(range(few), 0)
        for k in range(self.cards):
            z = self.slots[self.location + k].initial
            if self.zones[z].ordered and luck.random() < 0.7:
                self.slots[self.rank + k] = replace(self.slots[self.rank + k], initial=height[z])
                height[z] += 1
        self.close_ranks()
        for kind in KINDS:
            for n in range(luck.randint(1, 2)):
                count = luck.choice((1, 1, 2, 5)) if kind not in ("card", "object") or n else max(1, self.cards)
                of = self.types[kind]
                self.fields[kind].append((self.add(f"{kind}{n}", of, count, f"{kind}{n}"), count))
        self.given = {k: self.add(f"given{k}", BOOL, 1, "given", 1) for k, z in enumerate(self.zones) if z.ordered and luck.random() < 0.4}
        self.reading = self.add("reading", OptionType(Int(0, 2)), 1, "readings", -1)
        self.containers: dict[str, ContainerInfo] = {}
        for name in ("waiting", "notes"):
            self.container(name, False)
        self.container("attacks", True)
        self.tables = [tuple(luck.randint(-3, 12) for _ in range(max(1, self.cards))),
                       tuple(luck.randrange(1 << max(1, self.cards)) for _ in range(4))]

    def close_ranks(self) -> None:
        """No holes."""
        for z in range(len(self.zones)):
            mine = [k for k in range(self.cards) if self.slots[self.location + k].initial == z]
            order = sorted({self.slots[self.rank + k].initial for k in mine})
            for k in mine:
                r = order.index(self.slots[self.rank + k].initial) if self.zones[z].ordered else 0
                self.slots[self.rank + k] = replace(self.slots[self.rank + k], initial=r)

    def add(self, name: str, of: Type, count: int, group: str, initial: int | None = None) -> int:
        first = len(self.slots)
        lo, _ = domain(of)
        for k in range(count):
            value = blank(of) if initial is None else initial
            self.slots.append(Slot(f"{name}[{k}]", of, max(lo, value), group))
        return first

    def container(self, name: str, is_pool: bool) -> None:
        capacity = self.luck.randint(1, 4)
        kinds = [self.luck.choice(("int", "object", "cards", "player", "card")) for _ in range(self.luck.randint(1, 3))]
        head = self.add(f"{name}.head", SetType(Int(0, capacity - 1)) if is_pool else Int(0, capacity), 1, name)
        columns = tuple(self.add(f"{name}.{k}", self.types[kind], capacity, name) for k, kind in enumerate(kinds))
        self.containers[name] = ContainerInfo(name, head, columns, capacity, SMALL, is_pool)
        self.kinds_of = {**getattr(self, "kinds_of", {}), name: kinds}

    def layout(self) -> Layout:
        per_card = [self.location, self.rank] if self.cards else []
        return Layout(tuple(self.slots), self.location, self.rank, self.cards, self.zones, self.containers,
                      tuple(per_card), self.given)


class Writer:
    """Writes one function: expressions of a kind, and statements."""

    def __init__(self, maker: Maker, name: str, kind: str, params: list[str], result: str | None) -> None:
        self.maker, self.world, self.luck = maker, maker.world, maker.luck
        self.name, self.kind, self.result = name, kind, result
        self.locals: list[LocalInfo] = []
        self.kinds: list[str] = []
        self.code: list[ir.Instr] = []
        self.handlers: list[Handler] = []
        self.in_batch = False
        self.marks = 0
        for p in params:
            self.local(p)
        self.arity = len(params)

    # ------------------------------------------------------------ locals and marks
    def local(self, kind: str) -> int:
        self.locals.append(LocalInfo(f"{kind}{len(self.locals)}", self.world.types[kind]))
        self.kinds.append(kind)
        return len(self.locals) - 1

    def hidden(self, kind: str) -> int:
        """A local that only its binder sets."""
        x = self.local(kind)
        self.kinds[x] = ""
        return x

    def at(self) -> ir.Mark:
        self.marks += 1
        clauses = tuple(self.luck.sample(("1.1", "1.2", "2"), self.luck.randint(0, 2)))
        return ir.Mark(f"{self.name}.py", self.marks, 1, clauses)

    def put(self, i: ir.Instr) -> int:
        self.code.append(i)
        return len(self.code) - 1

    # ------------------------------------------------------------ expressions
    def expr(self, kind: str, depth: int = 3) -> ir.Expr:
        """A random expression of a kind."""
        luck, w = self.luck, self.world
        ways: list[Callable[[], ir.Expr]] = [lambda: self.constant(kind)]
        mine = [x for x, k in enumerate(self.kinds) if k == kind]
        if mine:
            ways += [lambda: ir.Local(luck.choice(mine))] * 3
        ways += [lambda: self.load(kind, depth)] * 2
        if depth > 0:
            def e(k: str) -> ir.Expr:
                return self.expr(k, depth - 1)
            ways.append(lambda: ir.If(e("bool"), e(kind), e(kind), at=self.at()))
            known = [f for f in self.maker.defines if f.result_kind == kind]
            if known:
                f = luck.choice(known)
                ways += [lambda: ir.Call(f.name, tuple(e(k) for k in f.params), at=self.at())] * 2
            ways += getattr(self, f"_{kind}")(e)
        del w
        return luck.choice(ways)()

    def constant(self, kind: str) -> ir.Expr:
        lo, hi = domain(self.world.types[kind])
        if kind in ("int", "big"):
            return ir.Const(self.luck.randint(-1, 6))
        if kind in ("cards", "lanes"):
            return ir.Const(self.luck.randint(0, hi) & self.luck.randint(0, hi))
        return ir.Const(self.luck.randint(lo, hi) if self.luck.random() < 0.2 else self.luck.randint(max(0, lo), max(0, hi)) if hi >= 0 else lo)

    def load(self, kind: str, depth: int) -> ir.Expr:
        base, count = self.luck.choice(self.world.fields[kind])
        if count == 1:
            return ir.Load(base)
        if depth <= 0 or self.luck.random() < 0.4:
            return ir.Load(base + self.luck.randrange(count))
        return ir.Load(base, self.index(count, depth - 1), count, at=self.at())

    def index(self, count: int, depth: int) -> ir.Expr:
        """Mostly inside."""
        e = self.expr("int", depth)
        return e if self.luck.random() < 0.02 else ir.Binary("mod", e, ir.Const(count))

    def _int(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        luck, at = self.luck, self.at()
        body, test, x = e("int"), e("bool"), self.hidden("card")

        def fold() -> ir.Expr:
            self.kinds[x] = "card"
            kind = luck.choice(("sum", "min", "max"))
            out = ir.Fold(kind, x, e("cards"), e("bool"), e("int"), default=e("int") if luck.random() < 0.97 else None, at=at)
            self.kinds[x] = ""
            return ir.Binary("mod", out, ir.Const(7)) if kind == "sum" else out

        def divide(op: str) -> ir.Expr:
            by = e("int")
            return ir.Binary(op, body, by if luck.random() < 0.03 else ir.Const(luck.choice((-3, 2, 5, 1 << 40))), at=at)  # pyright: ignore[reportArgumentType]

        def table() -> ir.Expr:
            return ir.Table(0, ir.Binary("mod", body, ir.Const(len(self.world.tables[0]))) if luck.random() < 0.97 else body, at=at)

        def arithmetic() -> ir.Expr:
            op = luck.choice(("add", "sub", "mul", "min", "max"))
            return ir.Binary("min", ir.Const(12), ir.Binary("max", ir.Const(-3), ir.Binary(op, body, e("int"))))
        return [
            fold, arithmetic, arithmetic, table, lambda: divide("div"), lambda: divide("mod"),
            lambda: ir.Unary("neg", ir.Binary("min", body, ir.Const(3))), lambda: ir.Unary("abs", body),
            lambda: ir.Unary("size", e("cards")), lambda: ir.Unary("size", e("lanes")),
            lambda: ir.Within(body, *((-2, 11) if luck.random() < 0.1 else (-40, 40)), at=at), lambda: ir.Unary("lowest", ir.Binary("union", e("lanes"), ir.Const(8)) if luck.random() < 0.9 else e("lanes"), at=at),
            lambda: ir.If(test, ir.Binary("mod", e("big"), ir.Const(9)), body)]

    def _big(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        luck = self.luck
        op = luck.choice(("add", "sub", "mul", "min", "max"))

        def wide() -> ir.Expr:
            out: ir.Expr = ir.Binary(op, e("big"), e("big"))
            for _ in range(luck.randint(0, 2)):
                out = ir.Binary("mul", out, e("big"))
            return ir.Binary("mod", out, ir.Const(luck.choice((7, 100, 30_000))))
        return [wide, lambda: ir.Binary(op, e("int"), e("int")), lambda: e("int")]

    def _bool(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        luck, x = self.luck, self.hidden(luck_kind := self.luck.choice(("card", "int")))
        kind = luck.choice(("int", "card", "cards", "zone", "player", "lanes", "big"))

        def fold() -> ir.Expr:
            domain_of = e("cards") if luck_kind == "card" else e("lanes")
            self.kinds[x] = luck_kind
            out = ir.Fold(luck.choice(("any", "all")), x, domain_of, e("bool"), e("bool"), offset=0 if luck_kind == "card" else luck.randint(-2, 3), at=self.at())
            self.kinds[x] = ""
            return out
        return [
            fold, lambda: ir.Binary(luck.choice(("eq", "ne", "lt", "le", "gt", "ge")), e(kind), e(kind)),
            lambda: ir.Unary("not", e("bool")), lambda: ir.All(tuple(e("bool") for _ in range(luck.randint(0, 3)))),
            lambda: ir.Any(tuple(e("bool") for _ in range(luck.randint(0, 3)))), lambda: ir.Binary("member", e("card"), e("cards")),
            lambda: ir.Binary("member", e("int"), e("lanes"))]

    def _card(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        luck, x = self.luck, self.hidden("card")

        def find() -> ir.Expr:
            zone = e("zone")
            self.kinds[x] = "card"
            out = ir.PileFind(zone, x, e("bool"), luck.random() < 0.5, at=self.at())
            self.kinds[x] = ""
            return out
        return [
            find, lambda: ir.Unary("only", e("cards")), lambda: ir.Unary("only", ir.PileTop(e("zone"))),
            lambda: self.rarely(ir.Unary("lowest", e("cards"), at=self.at()), e("object")),
            lambda: self.rarely(ir.Present(e("card"), -1, at=self.at()), e("object")), lambda: e("object")]

    def near(self, e: ir.Expr) -> ir.Expr:
        """Not so far from 0 that a set of so many members would fill the memory."""
        return ir.Binary("mod", e, ir.Const(self.luck.choice((5, 12, 12, 63, 65, 150))))

    def rarely(self, odd: ir.Expr, usual: ir.Expr) -> ir.Expr:
        return odd if self.luck.random() < 0.06 else usual

    def _object(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        return [lambda: e("card")]

    def _cards(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        luck, x = self.luck, self.hidden("card")
        op = luck.choice(("union", "meet", "without", "differ"))
        every = (1 << self.world.cards) - 1

        def fold() -> ir.Expr:
            source = e("cards")
            self.kinds[x] = "card"
            way = luck.random()
            out: ir.Expr = (
                ir.Fold("union", x, source, e("bool"), e("cards")) if way < 0.4 else
                ir.Fold("set", x, source, e("bool"), e("card") if way < 0.42 else ir.Local(x), at=self.at()))
            self.kinds[x] = ""
            return out
        single = [lambda: ir.Unary("single", ir.Binary("max", e("card"), ir.Const(0)) if luck.random() < 0.97 else e("card"), at=self.at())]
        return [
            fold, lambda: ir.Binary(op, e("cards"), e("cards")), lambda: ir.ZoneCards(e("zone")), lambda: ir.ZoneCards(e("zone")),
            lambda: ir.PileTop(e("zone")), lambda: ir.Binary("meet", ir.Table(1, ir.Binary("mod", e("int"), ir.Const(4))), ir.Const(every)),
            lambda: ir.Binary("meet", ir.Unary("below", self.near(e("int"))), ir.Const(every)), *(single if self.world.cards else [])]

    def _zone(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        return [lambda: ir.Binary("mod", e("int"), ir.Const(len(self.world.zones)))]

    def _player(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        return [lambda: ir.Binary("sub", ir.Const(1), e("player")), lambda: e("bool")]

    def _lanes(self, e: Callable[[str], ir.Expr]) -> list[Callable[[], ir.Expr]]:
        shifted = ir.Binary("shift", e("lanes"), self.near(e("int")))
        return [lambda: ir.Binary("meet", shifted, ir.Const(31)), lambda: ir.Binary("union", e("lanes"), e("lanes")),
                lambda: ir.Binary("meet", ir.Unary("below", self.near(e("int"))), ir.Const(31)),
                lambda: ir.Binary("meet", ir.Unary("single", ir.Unary("abs", self.near(e("int")))), ir.Const(31))]

    # ------------------------------------------------------------ statements
    def block(self, size: int, depth: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        luck = self.luck
        ways = [self.assign] * 2
        if self.kind != "define":
            ways += [self.store] * 4 + [self.card_effect] * 4 + [self.container_effect] * 3 + [self.do] * 3
        if depth > 0:
            ways += [lambda: self.branch(depth), lambda: self.each(depth)]
            if self.kind != "define" and not self.in_batch:
                ways += [lambda: self.batch(depth)] * 2
        if self.kind == "procedure" and not self.in_batch:
            ways += [self.choose] * 4 + [self.choose_some] * 2 + [self.invoke] * 3 + [self.consult]
            if depth > 0:
                ways += [lambda: self.loop(depth), lambda: self.attempt(depth)]
        luck.choice(ways)()

    def assign(self) -> None:
        kind = self.luck.choice(KINDS)
        mine = [x for x, k in enumerate(self.kinds) if k == kind]
        value = self.expr(kind)
        self.put(ir.Assign(self.luck.choice(mine) if mine and self.luck.random() < 0.6 else self.local(kind), value, at=self.at()))

    def store(self) -> None:
        kind = self.luck.choice(KINDS)
        base, count = self.luck.choice(self.world.fields[kind])
        op = "set"
        if kind == "int":
            op = self.luck.choice(("set", "set", "add"))
        elif kind in ("cards", "lanes"):
            op = self.luck.choice(("set", "union", "without"))
        value = self.expr(kind) if op != "add" else ir.Const(self.luck.choice((-9, -1, -1, 1, 1, 1, 8)))
        if count > 1 and self.luck.random() < 0.6:
            self.put(ir.Store(base, self.index(count, 2), count, value, op, at=self.at()))  # pyright: ignore[reportArgumentType]
        else:
            self.put(ir.Store(base + self.luck.randrange(count), None, 1, value, op, at=self.at()))  # pyright: ignore[reportArgumentType]

    def some_card(self) -> ir.Expr:
        if self.luck.random() < 0.02:
            return self.expr("card")
        return ir.Binary("max", ir.Const(0), self.expr("card"))

    def card_effect(self) -> None:
        if not self.world.cards:
            return
        luck = self.luck
        way = luck.random()
        if way < 0.6:
            self.put(ir.Put(self.some_card(), self.expr("zone"), luck.random() < 0.6, at=self.at()))
        elif way < 0.75:
            self.put(ir.Shuffle(self.expr("zone"), at=self.at()))
        else:
            self.put(ir.Renew(self.some_card(), at=self.at()))

    def container_effect(self) -> None:
        luck, w = self.luck, self.world
        name = luck.choice(("waiting", "waiting", "notes", "attacks"))
        values = tuple(self.expr(k, 2) for k in w.kinds_of[name])
        if name == "attacks":
            if luck.random() < 0.6:
                x = self.local("int")
                every = (1 << w.containers[name].capacity) - 1
                at = self.put(ir.Branch(ir.Binary("ne", ir.Load(w.containers[name].head), ir.Const(every)), 0)) if luck.random() < 0.95 else -1
                self.put(ir.New(name, values, x, at=self.at()))
                if at >= 0:
                    self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
                return
            k: ir.Expr = self.expr("int", 2)
            if luck.random() < 0.97:
                k = ir.Unary("lowest", ir.Load(w.containers[name].head))
                at = self.put(ir.Branch(ir.Load(w.containers[name].head), 0))
                self.put(ir.Free(name, k, at=self.at()))
                self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
                return
            self.put(ir.Free(name, k, at=self.at()))
            return
        full = ir.Load(w.containers[name].head)
        way = luck.random()
        if way < 0.6:
            at = self.put(ir.Branch(ir.Binary("lt", full, ir.Const(w.containers[name].capacity)), 0)) if luck.random() < 0.95 else -1
            self.put(ir.Insert(name, values, at=self.at()))
            if at >= 0:
                self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        elif way < 0.9:
            self.put(ir.Remove(name, values, at=self.at()))
        else:
            self.put(ir.Clear(name, at=self.at()))

    def do(self) -> None:
        if self.maker.steps:
            f = self.luck.choice(self.maker.steps)
            args = tuple(self.expr(k, 2) for k in f.params)
            event = self.luck.random() < 0.3
            x = self.local(f.result_kind) if f.result_kind and not event and self.luck.random() < 0.6 else None
            self.put(ir.Do(f.name, args, x, event, at=self.at()))

    def branch(self, depth: int) -> None:
        at = self.put(ir.Branch(self.expr("bool"), 0, at=self.at()))
        self.block(self.luck.randint(1, 2), depth - 1)
        over = self.put(ir.Jump(0))
        self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        self.block(self.luck.randint(0, 2), depth - 1)
        self.code[over] = ir.Jump(len(self.code))

    def each(self, depth: int) -> None:
        if not self.world.cards:
            return
        source = ir.Binary("meet", self.expr("cards"), ir.Const(self.luck.randrange(1, 8)))
        rest, x = self.local("cards"), self.local("card")
        self.kinds[rest] = ""
        self.put(ir.Assign(rest, source))
        head = self.put(ir.Next(rest, x, 0, 0))
        self.block(self.luck.randint(1, 2), depth - 1)
        self.put(ir.Jump(head))
        self.code[head] = replace(self.code[head], done=len(self.code))  # pyright: ignore[reportCallIssue]

    def batch(self, depth: int) -> None:
        self.put(ir.BatchBegin(at=self.at()))
        self.in_batch = True
        self.block(self.luck.randint(1, 4), depth - 1)
        self.in_batch = False
        self.put(ir.BatchEnd(at=self.at()))

    # ------------------------------------------------------------ procedures
    def owner(self) -> ir.Owner:
        way = self.luck.random()
        return ir.ByPlayer(self.expr("player")) if way < 0.7 else ir.ByChance() if way < 0.85 else ir.ByNobody("9.9")

    def choose(self) -> None:
        luck = self.luck
        way = luck.random()
        if way < 0.35:
            x = self.local("bool")
            self.put(ir.Choose(self.owner(), (ir.Offer((), ir.Const(1), (ir.Const(0),)), ir.Offer((), ir.Const(1), (ir.Const(1),))), (x,), BOOL, at=self.at()))
        elif way < 0.7:
            offers: list[ir.Offer] = []
            for _ in range(luck.randint(1, 2)):
                var = self.hidden("card")
                source = self.expr("cards")
                self.kinds[var] = "card"
                values = (ir.Local(var) if luck.random() < 0.7 else self.expr("card"), self.expr("int", 1))
                offers.append(ir.Offer((ir.Binder(var, source),), self.expr("bool"), values))
                self.kinds[var] = ""
            if luck.random() < 0.7:
                offers.append(ir.Offer((), ir.Const(1), (ir.Const(-1), ir.Const(0))))
            of = RecordType("Enter", (("card", OptionType(CardType("Card", self.world.cards))), ("number", SMALL)))
            x, y = self.local("card"), self.local("int")
            self.put(ir.Choose(self.owner(), tuple(offers), (x, y), of, at=self.at()))
        else:
            var = self.hidden("int")
            source = self.expr("lanes")
            self.kinds[var] = "int"
            enter = ir.Offer((ir.Binder(var, source, 0),), self.expr("bool"), (ir.Const(1), ir.Local(var)))
            self.kinds[var] = ""
            x, y = self.local("bool"), self.local("int")
            self.put(ir.Choose(self.owner(), (ir.Offer((), ir.Const(1), (ir.Const(0), ir.Const(0))), enter), (x, y), ACTION, at=self.at()))

    def choose_some(self) -> None:
        x = self.local("cards")
        among = self.expr("cards")
        if self.luck.random() < 0.95:
            among = ir.Binary("meet", among, ir.Const(self.luck.randrange(1 << min(8, max(1, self.world.cards)))))
        self.put(ir.ChooseSome(self.owner(), among, self.expr("int", 1), self.expr("int", 1), x, self.world.types["cards"], at=self.at()))

    def consult(self) -> None:
        self.put(ir.Consult("reading", self.world.reading, at=self.at()))

    def invoke(self) -> None:
        f = self.luck.choice(self.maker.procedures)
        args = tuple(self.expr(k, 2) for k in f.params)
        x = self.local(f.result_kind) if f.result_kind and self.luck.random() < 0.7 else None
        self.put(ir.Invoke(f.name, args, x, at=self.at()))

    def loop(self, depth: int) -> None:
        head = self.put(ir.Label(at=self.at()))
        out = self.put(ir.Branch(self.expr("bool"), 0))
        self.block(self.luck.randint(1, 3), depth - 1)
        self.put(ir.Jump(head))
        self.code[out] = replace(self.code[out], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]

    def go_round(self) -> None:
        """Round after round, so that there are many states."""
        self.block(self.luck.randint(0, 2), 1)
        head = self.put(ir.Label(at=self.at()))
        out = self.put(ir.Branch(ir.Any((self.expr("bool"), self.expr("bool"), self.expr("bool"))), 0))
        for _ in range(self.luck.randint(1, 3)):
            self.choose()
            self.block(self.luck.randint(1, 2), 2)
        self.put(ir.Jump(head))
        self.code[out] = replace(self.code[out], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]

    def attempt(self, depth: int) -> None:
        first = len(self.code)
        self.block(self.luck.randint(1, 3), depth - 1)
        if self.luck.random() < 0.7:
            at = self.put(ir.Branch(ir.All((self.expr("bool"), self.expr("bool"))), 0))
            self.put(ir.Throw(self.luck.choice(SIGNALS), at=self.at()))
            self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        over = self.put(ir.Jump(0))
        for signal in self.luck.sample(SIGNALS, self.luck.randint(1, 2)):
            self.handlers.append(Handler(first, over, signal, len(self.code)))
            self.block(self.luck.randint(0, 2), depth - 1)
        self.code[over] = ir.Jump(len(self.code))

    # ------------------------------------------------------------ the whole
    def finish(self) -> Function:
        luck = self.luck
        if self.kind != "define" and luck.random() < 0.15:
            at = self.put(ir.Branch(ir.All((self.expr("bool"), self.expr("bool"))), 0))
            kind = luck.choice(("win", "win", "draw", "gap", "conflict", "not modelled"))
            winner = ir.Binary("sub", self.expr("player"), ir.Const(luck.randint(0, 1))) if kind == "win" else None
            self.put(ir.End(kind, winner, "" if kind in ("win", "draw") else "7.7", at=self.at()))  # pyright: ignore[reportArgumentType]
            self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        self.put(ir.Return(None if self.result is None else self.expr(self.result), at=self.at()))
        of = NOTHING if self.result is None else self.world.types[self.result]
        scope = luck.choice((0, 0, 1, 2, 3)) if self.kind == "procedure" else 0
        return Function(self.name, self.kind, self.arity, self.locals, self.code, of, self.handlers, scope)  # pyright: ignore[reportArgumentType]


class Head:
    """What callers know of a function."""

    def __init__(self, name: str, params: list[str], result: str | None) -> None:
        self.name, self.params, self.result_kind = name, params, result or ""


class Maker:
    """Makes a program."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.world = World(self.luck)
        self.defines: list[Head] = []
        self.steps: list[Head] = []
        self.procedures: list[Head] = []

    def program(self) -> Program:
        luck = self.luck
        functions: dict[str, Function] = {}
        for kind, heads, count in (("define", self.defines, luck.randint(1, 4)), ("step", self.steps, luck.randint(1, 4))):
            for k in range(count):
                params = [luck.choice(KINDS) for _ in range(luck.randint(0, 3))]
                result = luck.choice(KINDS) if kind == "define" or luck.random() < 0.5 else None
                w = Writer(self, f"{kind}{k}", kind, params, result)
                w.block(luck.randint(0 if kind == "define" else 1, 4), 2)
                functions[w.name] = w.finish()
                heads.append(Head(w.name, params, result))
        names = [Head("main", [], None)]
        for k in range(luck.randint(1, 4)):
            names.append(Head(f"part{k}", [luck.choice(KINDS) for _ in range(luck.randint(0, 2))], luck.choice((None, luck.choice(KINDS)))))
        self.procedures = names
        for h in names:
            w = Writer(self, h.name, "procedure", h.params, h.result_kind or None)
            if h.name == "main":
                w.go_round()
            else:
                w.block(luck.randint(1, 5), 2)
            functions[h.name] = w.finish()
        program = Program(
            "random", self.world.layout(), functions, self.world.tables, "main", CauseType(0, 0, 0, self.world.cards),
            {"reading": ("a", "b", "c")[: luck.randint(1, 3)]}, {"reading": self.world.reading}, frozenset(("reading",)),
            stack_depth=luck.randint(2, 6))
        mark_calls(program)
        verify(program)
        return program


def random_program(seed: int) -> Program:
    """The program of a seed."""
    return Maker(seed).program()


def random_state(program: Program, state: State, luck: random.Random) -> State:
    """A state with the same frames, and other values in slots and locals: any that their domains allow, as long as
    multisets are in order and piles without holes."""
    layout = program.layout
    slots = list(state.slots)
    for k, s in enumerate(layout.slots):
        if luck.random() < 0.7 and s.group != "zones":
            slots[k] = some(s.type, luck)
    for m in layout.containers.values():
        columns = [layout.slots[c].type for c in m.columns]
        if m.is_pool:
            used = [bool(slots[m.head] >> k & 1) for k in range(m.capacity)]
            entries = [tuple(some(c, luck) for c in columns) if u else tuple(map(blank, columns)) for u in used]
        else:
            entries = sorted(tuple(some(c, luck) for c in columns) for _ in range(slots[m.head]))
            entries += [tuple(map(blank, columns))] * (m.capacity - len(entries))
        for k, e in enumerate(entries):
            for c, x in zip(m.columns, e, strict=True):
                slots[c + k] = x
    if luck.random() < 0.7:
        lay_anew(layout, slots, luck)
    frames: list[tuple[int, ...]] = []
    functions = list(program.functions.values())
    for d, f in enumerate(state.frames):
        fn = functions[f[0]]
        live = (liveness(fn) if d == len(state.frames) - 1 else live_across_calls(fn, liveness(fn)))[f[1]]
        new = [some(x.type, luck) if k in live and luck.random() < 0.5 else f[k + 2] for k, x in enumerate(fn.locals)]
        frames.append((f[0], f[1], *new))
    return State(tuple(slots), tuple(frames))


def some(of: Type, luck: random.Random) -> int:
    """Any value; of a set, about half of all members."""
    lo, hi = domain(of)
    if isinstance(of, SetType):
        return luck.randint(0, hi) & luck.randint(0, hi) if luck.random() < 0.7 else luck.randint(0, hi)
    return luck.choice((lo, hi)) if luck.random() < 0.05 else luck.randint(max(lo, -9), min(hi, max(9, lo))) if hi - lo > 1000 else luck.randint(lo, hi)


def lay_anew(layout: Layout, slots: list[int], luck: random.Random) -> None:
    """Every card into some zone, piles in some order, some of it unknown."""
    heights: dict[int, list[int]] = {}
    cards = list(range(layout.card_count))
    luck.shuffle(cards)
    for c in cards:
        z = luck.randrange(len(layout.zones))
        slots[layout.location + c] = z
        there = heights.setdefault(z, [])
        rank = 0 if not there else there[-1] + luck.choice((0, 1, 1))
        there.append(rank)
        slots[layout.rank + c] = rank if layout.zones[z].ordered else 0
