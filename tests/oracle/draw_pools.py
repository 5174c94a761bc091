"""Books by lot with records that are referred to: made, changed, chosen, freed, and looked at where they may be gone; what waits refers to them."""
from __future__ import annotations

from .books import Book, Part, Rule
from .draw import one
from .draw_orders import PLAYERS, Orders

DEEDS = '''class Deed(Record):
    kind: Kind
    n: Annotated[int, Range(0, 3)] = 1


class Wait(Record):
    kind: Kind
    of: Option[Ref[Deed]]
    whose: Player


class Printed(Definition):
    power: Annotated[int, Range(0, 3)]
'''


class Pools(Orders):
    """Draws one book with a pool."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.whose, self.own = True, False
        self.refs = list[str]()

    def of_deed(self, y: str) -> str:
        """What can hold of a record."""
        return self.luck.choice((f"g.deeds[{y}].n {self.luck.choice(('>', '==', '<'))} {self.luck.randint(0, 3)}", f"g.deeds[{y}].kind == Kind.{self.luck.choice('AB')}", f"g.chain == {y}"))

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("else", 50), ("size", 18), ("any", 18), ("chain", 14)))
        match kind:
            case "size":
                return f"len(g.deeds) {self.luck.choice(('>', '==', '<', '>='))} {self.luck.randint(0, 3)}"
            case "any":
                y = self.fresh()
                return f"{self.luck.choice(('any', 'all', 'not any'))}({self.of_deed(y)} for {y} in g.deeds)"
            case "chain":
                return f"g.chain is {self.luck.choice(('', 'not '))}None"
            case _:
                return super().condition(deep)

    def made(self) -> Part:
        self.has("a record is made")
        x = self.fresh()
        new = [one(f"{x} = g.deeds.new(Deed(Kind.{self.luck.choice('AB')}, {self.luck.randint(0, 2)}))"), *self.maybe(lambda: one(f"g.chain = {x}"), 0.5)]
        if self.chance(0.3):
            new.append(one(f"g.w.add(Wait(Kind.{self.luck.choice('ABCD')}, {x}, {self.luck.choice(PLAYERS)}))"))
            return one("if len(g.deeds) < 3 and len(g.w) < 4:", *new)
        return one("if len(g.deeds) < 3:", *new)

    def to_deed(self, x: str) -> list[Part]:
        kind = self.weighted((("free", 45), ("more", 20), ("less", 15), ("chain", 20)))
        match kind:
            case "free":
                self.has("a record is freed")
                return [one(f"g.deeds.free({x})")]
            case "more":
                return [one(f"if g.deeds[{x}].n < 3:", one(f"g.deeds[{x}].n += 1"))]
            case "less":
                return [one(f"if g.deeds[{x}].n > 0:", one(f"g.deeds[{x}].n -= 1"), otherwise=(one(f"g.deeds.free({x})"),) if self.chance(0.5) else ())]
            case _:
                return [one(f"g.chain = {x}")]

    def effect(self) -> list[Part]:
        x, y = self.fresh(), self.fresh()
        kind = self.weighted((("else", 40), ("made", 22), ("choice", 26), ("each", 10), ("chain", 12), ("while", 14), ("of", 20 if "of" in self.locals else 0)))
        match kind:
            case "made":
                return [self.made()]
            case "choice":
                self.has("a record is chosen")
                those = f"{{{y} for {y} in g.deeds}}" if self.chance(0.6) else f"{{{y} for {y} in g.deeds if {self.of_deed(y)}}}"
                test = "g.deeds" if "if" not in those else f"any({those.partition(' if ')[2][:-1]} for {y} in g.deeds)"
                return [one(f"if {test}:", one(f"{x} = await choose({self.who()}, {those})  #: {self.clause()}"), *self.to_deed(x))]
            case "each":
                return [one(f"for {x} in g.deeds:", one(f"if g.deeds[{x}].n > 0:", one(f"g.deeds[{x}].n -= 1")))]
            case "chain":
                return [one(f"{x} = g.chain"), one(f"if {x} is not None:", *self.to_deed(x))]
            case "while":
                self.has("records are gone through, one by one")
                body = [one(f"{x} = await choose({self.who()}, {{{y} for {y} in g.deeds}})"), *self.to_deed(x), *self.maybe(self.changed, 0.3)]
                return [one("while g.deeds:", *body)]
            case "of":
                return [one("if of is not None:", *self.to_deed("of"))]
            case _:
                return super().effect()

    def added(self, letter: str) -> Part:
        return one("if len(g.w) < 4:", one(f"g.w.add(Wait(Kind.{letter}, {self.luck.choice(('None', 'g.chain'))}, {self.luck.choice(PLAYERS)}))"))

    def resolver(self) -> list[Part]:
        pick = one(f"e = await choose({self.by()}, {{w for w in g.w}})  #: 2.1")
        return [one("while g.w:", pick, one("g.w.remove(e)"), one("await carry(g, e.kind, e.of, e.whose)  #: 2.2"))]

    def book(self) -> Book:
        self.locals = ["whose", "of"]
        self.helper("carry", "", [one("match kind:", *(one(f"case Kind.{k}:", *self.effect()) for k in "ABCD"))], "kind: Kind, of: Option[Ref[Deed]], whose: Player")
        self.locals = []
        for k in range(self.weighted(((0, 50), (1, 50)))):
            self.has("invariant")
            y = self.fresh()
            self.rules.append(Rule(f"holds_{k}", "", "", (one(f"return all({self.of_deed(y)} for {y} in g.deeds)" if self.chance(0.5) else f"return {self.condition()}"),), "invariant", "bool"))
        if self.at_once:
            self.situations()
        self.helper("resolve", self.luck.choice(("", "PHASE")), self.resolver())
        main = [self.made(), *self.maybe(self.made, 0.6), *self.effect(), self.added("A"), self.added("B"), one("await resolve(g)"), *self.effect(), *self.maybe(lambda: one(f"if {self.condition()}:", self.ending()), 0.6)]
        self.rules.append(Rule("main", "", "", tuple(main)))
        fields = ["    heap: Bag", *(f"    {c}: Annotated[int, Range(0, 9)]" for c in self.counters), *(f"    {f}: bool" for f in self.flags), *(["    active: Player"] if self.turns else []),
                  "    deeds: Pool[Deed]", "    chain: Option[Ref[Deed]]", "    w: Multiset[Wait]"]
        kinds = "".join(f"    {k} = {n}\n" for n, k in enumerate("ABCD", 1))
        head = f"class Kind(Enum):\n{kinds}\n\n{DEEDS}\n\nclass Game(State):\n" + "\n".join(fields) + "\n"
        return Book(head, tuple(self.rules), tuple(self.counters), {}, {"w": 5, "deeds": 3}, {}, cards=((1, 0), (1, 1), (2, 0), (2, 1)), features=frozenset(self.features))
