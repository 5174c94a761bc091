"""Books by lot in which loops lie within loops: over both players, over numbers, until a number has gone down, and calls inside.

Numbers go down in the inner loop and up in the outer, are filled again, set to one another or belong to a player; loops are left early.
"""
from __future__ import annotations

from .books import Book, Part, Rule
from .draw import Draw, one

PER = "n"
"""A number of each player's."""


class Nested(Draw):
    """Draws one book with loops in loops."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.counters = self.counters[:2]
        self.least = self.luck.randint(2, 4)
        self.far = self.least + 2
        self.waits = False
        self.per = self.chance(0.6)
        self.signal = self.chance(0.25)
        self.lanes = self.chance(0.3)
        self.players, self.loops = list[str](), 0

    # ------------------------------------------------------------ places
    def player(self) -> str:
        return self.luck.choice([*self.players, *(f"other({p})" for p in self.players), "FIRST", "SECOND", *(["g.active"] if self.turns else [])])

    def counter(self) -> str:
        if self.per and self.chance(0.45):
            return f"g.{PER}[{self.player()}]"
        return super().counter()

    def decider(self) -> str:
        return self.player() if self.players and self.chance(0.5) else super().decider()

    def inside(self, *body: Part) -> list[Part]:
        return list(body)

    def number(self) -> int:
        return self.luck.randint(-2, 0) if self.chance(0.06) else super().number()

    def condition(self, deep: int = 1) -> str:
        if self.lanes and self.chance(0.12):
            return self.luck.choice((f"len(g.lanes) {self.luck.choice(('>', '==', '<'))} {self.luck.randint(0, 2)}", f"{self.luck.randint(1, 3)} in g.lanes", "not g.lanes"))
        return super().condition(deep)

    # ------------------------------------------------------------ loops
    def lane_by_lane(self, deep: int) -> Part:
        """One number after the other is taken out of a set."""
        self.has("loop over a set that gets smaller")
        k = self.fresh()
        begin = one(f"{k} = await choose({self.decider()}, g.lanes)")
        body = self.round_of(deep, one(f"g.lanes -= {{{self.luck.choice((k, k, k, k, '1'))}}}"))
        return one(f"while {self.luck.choice(('g.lanes', 'len(g.lanes) > 0', 'len(g.lanes) > 1'))}:", begin, *body)

    def lane(self) -> Part:
        self.has("a set of numbers")
        return one(self.luck.choice(("g.lanes |= {1}", "g.lanes = {1, 2}", "g.lanes -= {2}", f"g.lanes = {{y for y in LANES if y <= {self.counter()}}}")))

    def handed_on(self) -> Part:
        """From one number to another."""
        self.has("a number is handed on")
        a, b = self.counter(), self.counter()
        return one(f"if {a} > 0:", one(f"{a} -= 1"), one(f"{b} += 1"))

    def round_of(self, deep: int, *own: Part) -> list[Part]:
        """What is done each time: something of its own, and what is drawn, in some order; `deep`: how many loops may lie in it."""
        self.loops += 1
        out = list(own)
        for _ in range(self.luck.randint(0 if own else 1, 2)):
            out[(at := self.luck.randint(0, len(out))):at] = self.statement(deep)
        if self.chance(0.15):
            out.append(one(f"if {self.condition()}:", one(self.luck.choice(("break", "continue", "return") if self.loops else ("return",)))))
        self.loops -= 1
        return out

    def over_players(self, deep: int) -> Part:
        self.has("loop over the players")
        p = self.fresh()
        order = self.luck.choice(("FIRST, SECOND", "SECOND, FIRST", *(("g.active, other(g.active)",) if self.turns else ())))
        self.players.append(p)
        body = self.round_of(deep)
        self.players.pop()
        return one(f"for {p} in ({order}):", *body)

    def over_numbers(self, deep: int) -> Part:
        self.has("loop over numbers")
        k = self.fresh()
        those = "LANES" if self.lanes and self.chance(0.3) else self.luck.choice((f"up_to({self.counter()})", "up_to(2)", "{1, 3}", f"{{y for y in {{1, 2}} if y < {self.counter()}}}"))
        mine = one(f"if {self.counter()} {self.luck.choice(('==', '<'))} {k}:", *self.statement(0))
        return one(f"for {k} in {those}:", *self.round_of(deep, *((mine,) if self.chance(0.4) else ())))

    def down(self, deep: int) -> Part:
        """Until a number has gone down, or not quite."""
        self.has("loop that counts down")
        c, by = self.counter(), self.weighted(((1, 80), (2, 20)))
        less = one(f"{c} -= {by}") if self.chance(0.85) else one(f"if {self.condition()}:", one(f"{c} -= {by}"))
        return one(f"while {c} {self.luck.choice(('>', '>', '>=', '!='))} {by - 1 if self.chance(0.85) else 0}:", *self.round_of(deep, less))

    def up(self, deep: int) -> Part:
        self.has("loop that counts up")
        c = self.counter()
        more = one(f"{c} += 1") if self.chance(0.85) else one(f"if {self.condition()}:", one(f"{c} += 1"))
        return one(f"while {c} {self.luck.choice(('<', '<', '<=', '!='))} {self.luck.randint(1, self.least)}:", *self.round_of(deep, more))

    def while_wanted(self, deep: int) -> Part:
        """As often as somebody likes, or as there is something left."""
        self.has("loop while somebody likes")
        c = self.counter()
        return one(f"while {c} > 0 and {self.condition(0)}:", one(f"if not await may({self.decider()}):", one("break")),
                   *self.round_of(deep, one(f"{c} -= 1")))

    def counted_here(self, deep: int) -> list[Part]:
        """A number of the rule's own."""
        self.has("number in a frame")
        k = self.fresh()
        begin = one(f"{k} = {self.luck.randint(1, 3)}")
        self.locals.append(k)
        loop = one(f"while {k} > 0:", *self.round_of(deep, one(f"{k} -= 1")))
        self.locals.remove(k)
        return [begin, loop]

    def caught(self, deep: int) -> Part:
        self.has("signal")
        outside, self.loops = self.loops, -1
        body = self.round_of(deep, one(f"if {self.condition()}:", one("raise Stop")))
        self.loops = outside
        return one("try:", *body, otherwise=tuple(self.statement(0)))

    def any_loop(self, deep: int) -> list[Part]:
        kind = self.weighted((("players", 22), ("numbers", 12), ("down", 30), ("up", 14), ("wanted", 10), ("own", 10), ("signal", 8 if self.signal else 0),
                              ("lanes", 16 if self.lanes else 0)))
        match kind:
            case "lanes":
                return [self.lane_by_lane(deep)]
            case "players":
                return [self.over_players(deep)]
            case "numbers":
                return [self.over_numbers(deep)]
            case "down":
                return [self.down(deep)]
            case "up":
                return [self.up(deep)]
            case "wanted":
                return [self.while_wanted(deep)]
            case "own":
                return self.counted_here(deep)
            case _:
                return [self.caught(deep)]

    # ------------------------------------------------------------ statements
    def refill(self) -> Part:
        self.has("filled again")
        c = self.counter()
        value = self.luck.choice((str(self.luck.randint(1, 2)), self.counter(), f"max({self.counter()}, 1)", f"min({self.counter()}, 2)"))
        return one(f"{c} = {value}") if self.chance(0.5) else one(f"if {self.condition()}:", one(f"{c} = {value}"))

    def step_of(self) -> Part:
        """One number down, perhaps another up."""
        a, b = self.counter(), self.counter()
        return one(f"if {a} > 0:", one(f"{a} -= 1"), *((one(f"{b} += 1"),) if self.chance(0.4) else ()))

    def statement(self, deep: int) -> list[Part]:
        kind = self.weighted((("loop", 45 if deep else 0), ("refill", 8), ("step", 22), ("call", 12 if self.calls and deep else 0),
                              ("raise", 6 if self.signal and not deep else 0), ("lane", 8 if self.lanes else 0), ("on", 8), ("else", 25)))
        match kind:
            case "lane":
                return [self.lane()]
            case "on":
                return [self.handed_on()]
            case "loop":
                return self.any_loop(deep - 1)
            case "refill":
                return [self.refill()]
            case "step":
                return [self.step_of()]
            case "call":
                return [self.call()]
            case "raise":
                return [one(f"if {self.condition()}:", one("raise Stop"))]
            case _:
                return super().statement(min(deep, 1))

    def grow(self) -> Part:
        return super().grow() if self.chance(0.35) else self.step_of()

    def inner_loop(self) -> Part:
        return self.down(0)

    def ending(self) -> Part:
        return one("return") if self.chance(0.5) else super().ending()

    def call(self) -> Part:
        name = self.luck.choice(self.calls)
        return one(f"await {name}(g, {self.player()})" if name == "of" else f"await {name}(g)")

    # ------------------------------------------------------------ the whole
    def always(self) -> str:
        """What is said always to hold."""
        kind = self.weighted((("any", 30), ("most", 40), ("both", 20 if self.per else 0), ("sum", 20)))
        if kind == "sum":
            return f"{self.number_of()} + {self.number_of()} {self.luck.choice(('==', '<=', '!='))} {self.luck.randint(0, 4)}"
        if kind == "both":
            return f"all(g.{PER}[q] {self.luck.choice(('<=', '<', '!='))} {self.luck.choice((str(self.luck.randint(1, 3)), self.counter()))} for q in PLAYERS)"
        return self.condition() if kind == "any" else f"{self.counter()} {self.luck.choice(('<=', '<', '>='))} {self.luck.choice((str(self.number()), self.counter()))}"

    def stated(self) -> None:
        """Conditions that are said always to hold."""
        for k in range(self.weighted(((0, 55), (1, 30), (2, 15)))):
            self.has("invariant")
            self.rules.append(Rule(f"holds_{k}", "", "", (one(f"return {self.always()}"),), "invariant", "bool"))

    def number_of(self) -> str:
        """A number of the state, of which one may say that it goes down."""
        per = f"sum(g.{PER}[q] for q in PLAYERS)"
        return f"{self.luck.choice(('', '', '2 * '))}{self.luck.choice((self.counter(), self.counter(), *((per,) if self.per else ())))}"

    def said_to_go_down(self) -> None:
        """What is stated of the loops of the phase, right or wrong."""
        for k in range(self.weighted(((0, 60), (1, 28), (2, 12))) if "while " in self.rules[-1].text else 0):
            self.has("decreases")
            sums = self.luck.choice((self.number_of(), f"{self.number_of()} + {self.number_of()}", f"{self.number_of()} - {self.number_of()}", f"5 - {self.number_of()}"))
            self.rules.append(Rule(f"goes_down_{k}", "", "", (one(f"return {sums}"),), "decreases(phase)", "int"))

    def shaped(self) -> list[Part]:
        """The rules, and how play begins."""
        self.stated()
        if self.chance(0.5):
            self.players.append("p")
            self.helper("of", self.luck.choice(("", "STEP")), [*self.any_loop(self.luck.randint(0, 1)), *self.statement(0)], "p: Player")
            self.players.pop()
            self.calls.append("of")
        if self.chance(0.5):
            self.helper("part", self.luck.choice(("", "STEP")), [*self.statement(1), *self.statement(0)])
            self.calls.append("part")
        if self.chance(0.12):
            self.has("recursion")
            self.helper("again", "", [one(f"if {self.condition()}:", *self.statement(0), one("await again(g)")), *self.statement(0)])
            self.calls.append("again")
        self.helper("phase", "PHASE", [*self.any_loop(2), *(self.statement(1) if self.chance(0.4) else [])])
        self.said_to_go_down()
        self.calls.append("phase")
        go: list[Part] = [self.call(), *self.statement(1)] if self.chance(0.6) else self.any_loop(2)
        if all(r.name != "phase" or "phase" not in str(go) for r in self.rules):
            go.append(one("await phase(g)"))
        if self.signal:
            go = [one("try:", *go, otherwise=tuple(self.statement(0)))]
        return go

    def growing(self) -> tuple[str, ...]:
        """The fields that are numbers."""
        return (*self.counters, *([PER] if self.per else []))

    def head(self) -> list[str]:
        """What stands before the state."""
        lanes = ["LANES = Range(1, 3)\nLane = Annotated[int, LANES]\n"] if self.lanes else []
        return [*lanes, "class Printed(Definition):\n    power: Annotated[int, Range(0, 3)]\n", *(["class Stop(Signal):\n    pass\n"] if self.signal else [])]

    def cards(self) -> tuple[tuple[int, int], ...]:
        """Power and owner of each card: of fewer than four no loop is proved to end by what is stated."""
        return ((1, 0), (1, 1), (2, 0), (2, 1))

    def fields(self) -> list[str]:
        out = [f"    {c}: Annotated[int, Range({self.luck.choice((0, 0, 0, -2))}, {self.luck.randint(self.least, self.least + 2)})]{self.luck.choice(('', f' = {self.luck.randint(0, 2)}'))}"
               for c in self.counters]
        if self.per:
            out.append(f"    {PER}: Per[Player, Annotated[int, Range(0, {self.luck.randint(2, self.least)})]] = each({self.luck.randint(0, 2)})")
        out += [f"    lanes: Set[Lane]{self.luck.choice(('', ' = {1, 2}', ' = {1, 3}'))}"] if self.lanes else []
        return ["    heap: Bag", *out, *(f"    {f}: bool" for f in self.flags), *(["    active: Player"] if self.turns else [])]

    def book(self) -> Book:
        main = self.shaped()
        head = "\n\n".join([*self.head(), "class Game(State):\n" + "\n".join(self.fields()) + "\n"])
        return Book(head, (*self.rules, Rule("main", "", "", tuple(main))), self.growing(),
                    cards=self.cards(), features=frozenset(self.features))
