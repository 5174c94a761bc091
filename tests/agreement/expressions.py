"""Random expressions of a kind, and the locals of the function that they are written for."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Handler, LocalInfo
from rulewright.model.ir.types import domain

if TYPE_CHECKING:
    from .programs import Maker


class Expressions:
    """Writes expressions for one function."""

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
        over, var = luck.choice((("cards", "card"), ("lanes", "int")))
        body, test, x = e("int"), e("bool"), self.hidden(var)

        def fold() -> ir.Expr:
            source, offset = e(over), 0 if over == "cards" else luck.randint(-2, 3)
            self.kinds[x] = var
            kind = luck.choice(("sum", "min", "max"))
            out = ir.Fold(kind, x, source, e("bool"), e("int"), offset, e("int") if luck.random() < 0.97 else None, at=at)
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

        def numbers() -> ir.Expr:
            source, n = e("lanes"), self.hidden("int")
            self.kinds[n] = "int"
            body = self.near(e("int"))
            if luck.random() < 0.05:
                body = ir.Binary("sub", body, ir.Const(1))
            out = ir.Fold("set", n, source, e("bool"), body, luck.randint(-1, 3), at=self.at())
            self.kinds[n] = ""
            return ir.Binary("meet", out, ir.Const(every))
        single = [lambda: ir.Unary("single", ir.Binary("max", e("card"), ir.Const(0)) if luck.random() < 0.97 else e("card"), at=self.at())]
        return [
            fold, numbers, lambda: ir.Binary(op, e("cards"), e("cards")), lambda: ir.ZoneCards(e("zone")), lambda: ir.ZoneCards(e("zone")),
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
