"""Books by lot in which several things wait, or apply at once, and what comes first makes a difference, or none: for what is there afterwards, for
who can bring about what, for who wins.

Play is short and nothing grows, so that everything can be worked out: who carries out is asked to choose, throws dice, lets more wait, is asked
again and again, or ends play.
"""
from __future__ import annotations

from .books import Book, Part, Rule
from .draw import Draw, one

PLAYERS = ("FIRST", "SECOND")
LETTERS = "ABCD"


class Orders(Draw):
    """Draws one book with things that wait."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.counters = ["c0", "c1"][:self.luck.choice((1, 1, 2))]
        self.flags = ["f0", "f1"][:self.luck.choice((1, 2, 2))]
        self.turns, self.waits = self.chance(0.5), True
        self.least = self.far = 4
        self.whose = self.chance(0.4)
        self.own, self.at_once = self.whose and self.chance(0.6), self.chance(0.3)

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("counter", 50), ("flag", 40), ("turn", 12 if self.turns else 0), ("waiting", 10), ("two", 12 if len(self.counters) > 1 else 0)))
        match kind:
            case "flag":
                return f"{self.luck.choice(('', 'not '))}g.{self.luck.choice(self.flags)}"
            case "turn":
                return f"g.active == {self.luck.choice(PLAYERS)}"
            case "waiting":
                return f"len(g.w) {self.luck.choice(('>', '=='))} {self.luck.randint(0, 2)}"
            case "two":
                return f"g.c0 {self.luck.choice(('<', '==', '>='))} g.c1"
            case _:
                return f"g.{self.luck.choice(self.counters)} {self.luck.choice(('>', '==', '<'))} {self.luck.randint(0, 3)}"

    def who(self) -> str:
        """Who decides something on the way."""
        kind = self.weighted((("seat", 50), ("depends", 30), ("turn", 15 if self.turns else 0), ("open", 8), ("whose", 30 if "whose" in self.locals else 0)))
        match kind:
            case "depends":
                self.has("who decides depends")
                return f"{self.luck.choice(PLAYERS)} if {self.condition()} else {self.luck.choice(PLAYERS)}"
            case "turn":
                return "g.active"
            case "open":
                self.has("open decision")
                return f'OPEN("{self.clause()}")'
            case "whose":
                return "whose"
            case _:
                return self.luck.choice(PLAYERS)

    def changed(self) -> Part:
        """Something is other than before."""
        c, f = self.luck.choice(self.counters), self.luck.choice(self.flags)
        kind = self.weighted((("set", 30), ("more", 20), ("flag", 30), ("turn", 12 if self.turns else 0), ("double", 10), ("end", 10)))
        match kind:
            case "set":
                return one(f"g.{c} = {self.luck.randint(0, 3)}  #: {self.clause()}")
            case "more":
                return one(f"if g.{c} < {self.luck.randint(2, 8)}:", one(f"g.{c} += 1"))
            case "flag":
                return one(f"g.{f} = {self.luck.choice(('True', 'False', f'not g.{f}'))}  #: {self.clause()}")
            case "turn":
                return one("g.active = other(g.active)")
            case "double":
                return one(f"if g.{c} < 5:", one(f"g.{c} += g.{self.luck.choice(self.counters)}"))
            case _:
                self.has("ends while things wait")
                return one(f"if {self.condition()}:", self.ending())

    def ending(self) -> Part:
        kind = self.weighted((("win", 70), ("draw", 12), ("gap", 10), ("conflict", 4)))
        return one(f"finish({self.luck.choice(PLAYERS)})" if kind == "win" else "finish(None)" if kind == "draw" else f'{kind}("{self.clause()}")')

    def effect(self) -> list[Part]:
        """What a waiting thing does."""
        x, c = self.fresh(), self.luck.choice(self.counters)
        kind = self.weighted((("plain", 40), ("number", 25), ("may", 22), ("luck", 10), ("more", 8), ("loop", 6), ("test", 20)))
        match kind:
            case "number":
                return [one(f"{x} = await choose({self.who()}, {{{self.luck.randint(0, 1)}, {self.luck.randint(2, 5)}}})  #: {self.clause()}"), one(f"g.{c} = {x}")]
            case "may":
                return [one(f"if await may({self.who()}):", self.changed(), otherwise=self.maybe(self.changed, 0.3))]
            case "luck":
                self.has("chance")
                return [one(f"{x} = await chance({{1, {self.luck.choice(('2', '2, 3'))}}})"), one(f"if {x} == 1:", self.changed(), otherwise=self.maybe(self.changed, 0.3))]
            case "more":
                self.has("more comes to wait")
                f = self.luck.choice(self.flags)
                return [one(f"if not g.{f}:", one(f"g.{f} = True"), self.added(self.luck.choice(LETTERS)))]
            case "loop":
                self.has("asked again and again")
                return [one(f"while {self.condition()}:", one(f"{x} = await may({self.who()})"), one(f"if {x}:", *self.left()))]
            case "test":
                return [one(f"if {self.condition()}:", self.changed(), otherwise=self.maybe(self.changed, 0.4))]
            case _:
                return [self.changed(), *self.maybe(self.changed, 0.2)]

    def left(self) -> list[Part]:
        """A loop is left, or perhaps."""
        return [one("return")] if self.chance(0.6) else [self.changed()]

    def added(self, letter: str) -> Part:
        who = self.luck.choice(("whose", "FIRST", "SECOND")) if "whose" in self.locals else self.luck.choice(PLAYERS)
        return one(f"g.w.add(Wait(Kind.{letter}{f', {who}' if self.whose else ''}))")

    def by(self) -> str:
        """Who decides what comes first."""
        return self.weighted((('OPEN("2.1")', 60), (self.luck.choice(PLAYERS), 25), (self.luck.choice(('g.active', 'other(g.active)')) if self.turns else "FIRST", 15)))

    def resolver(self) -> list[Part]:
        """What waits is carried out: all of it by one, or each player's own, one player's first; it may be picked in a rule of its own."""
        given = "e.kind, e.whose" if self.whose else "e.kind"
        do = [one("g.w.remove(e)"), one(f"await carry(g, {given})  #: 2.2")]
        if self.own:
            self.has("each player's own")
            mine = "{w for w in g.w if w.whose == p}"
            by = self.luck.choice(("p", "p", 'OPEN("2.1")'))
            pick = one(f"e = await choose({by}, {mine})  #: 2.1")
            self.helper("all_of", "", [one("while any(w.whose == p for w in g.w):", pick, *do)], "p: Player")
            first, then = self.luck.choice((PLAYERS, PLAYERS[::-1], *((("g.active", "other(g.active)"),) if self.turns else ())))
            return [one("while g.w:", one(f"await all_of(g, {first})"), one(f"await all_of(g, {then})"))]
        pick = one(f"e = await choose({self.by()}, {{w for w in g.w}})  #: 2.1")
        if self.chance(0.3):
            self.has("picked in a rule of its own")
            self.helper("pick", "", [pick, *do])
            return [one("while g.w:", one("await pick(g)"))]
        return [one("while len(g.w) > 0:", pick, *do)]

    def situations(self) -> None:
        """What applies at once."""
        self.has("situations at once")
        settled = self.turns and self.chance(0.3)
        if settled:
            self.rules.append(Rule("whose_turn", "", "", (one("return g.active"),), "define", "Player"))
        for k in range(self.luck.choice((2, 2, 3))):
            params = self.luck.choice(("", "", "p: Player"))
            f = self.luck.choice(self.flags)
            mend = one(f"g.{f} = {self.luck.choice(('True', 'False'))}")
            test = f"{'not ' if 'True' in mend.line else ''}g.{f}{self.luck.choice(('', f' and {self.condition()}'))}"
            end = [one(f"finish({self.luck.choice((*PLAYERS, *(['p'] if params else [])))})")] if self.chance(0.3) else [mend, *(self.effect() if self.chance(0.6) else [self.changed()])]
            self.rules.append(Rule(f"applies{k}", params, "", (one(f"when({test})  #: 3.{k + 1}"), *end), "situation" + "\n@settled_by(whose_turn)" * settled))

    def book(self) -> Book:
        self.locals = ["whose"] if self.whose else []
        self.helper("carry", "", [one("match kind:", *(one(f"case Kind.{k}:", *self.effect()) for k in LETTERS))], "kind: Kind, whose: Player" if self.whose else "kind: Kind")
        self.locals = []
        if self.at_once:
            self.situations()
        body = self.resolver()
        if self.chance(0.6):
            self.helper("resolve", self.luck.choice(("", "STEP", "PHASE")), body)
            body = [one("await resolve(g)")]
        begin = [one(f"if await may({self.luck.choice(PLAYERS)}):", self.changed())] if self.chance(0.4) else [self.changed()] if self.chance(0.3) else []
        fill = [self.added(k) for k in (self.luck.sample(LETTERS, 2) if self.chance(0.7) else self.luck.choices(LETTERS, k=3))]
        if self.chance(0.15):
            fill.append(one(f"if await may({self.luck.choice(PLAYERS)}):", self.added(self.luck.choice(LETTERS))))
        if self.chance(0.6):
            self.has("what came of an order decides who wins")
            a, b = self.luck.choice((PLAYERS, PLAYERS[::-1]))
            then = [one(f"if {self.condition()}:", one(f"finish({a})")), one(f"finish({b})")]
        else:
            then = [*self.effect(), one(f"if {self.condition()}:", self.ending())] if self.chance(0.5) else []
        self.rules.append(Rule("main", "", "", (*begin, *fill, *body, *then)))
        fields = [*(f"    {c}: Annotated[int, Range(0, 9)]" for c in self.counters), *(f"    {f}: bool" for f in self.flags), *(["    active: Player"] if self.turns else []),
                  "    w: Multiset[Wait]"]
        kinds = "".join(f"    {k} = {n}\n" for n, k in enumerate(LETTERS, 1))
        head = f"class Kind(Enum):\n{kinds}\n\nclass Wait(Record):\n    kind: Kind\n{'    whose: Player' + chr(10) if self.whose else ''}\n\nclass Game(State):\n" + "\n".join(fields) + "\n"
        position = {self.luck.choice([*self.counters, *self.flags]): 1} if self.chance(0.3) else {}
        return Book(head, tuple(self.rules), tuple(self.counters), {}, {"w": self.luck.choice((5, 8))}, position, features=frozenset(self.features))
