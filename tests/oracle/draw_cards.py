"""Books by lot with cards: zones and piles, marks and numbers on cards, sets of cards, what the book remembers of them.

Of some cards there are copies, so that the checks treat them as equal. Loops lie over zones and over all cards.
"""
from __future__ import annotations

from .books import Part
from .draw import COMPARE, one
from .draw_nested import Nested


class Cards(Nested):
    """Draws one book with cards."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.counters = self.counters[:1]
        self.per, self.signal = self.per and self.chance(0.3), self.signal and self.chance(0.4)
        self.piles, self.tired, self.mark = self.chance(0.5), self.chance(0.6), self.chance(0.35)
        self.chosen, self.target = self.chance(0.35), self.chance(0.35)
        powers = [self.luck.randint(0, 2) for _ in range(self.luck.randint(1, 2))]
        self.all_cards = tuple((self.luck.choice(powers), self.luck.choice((0, 0, 1))) for _ in range(self.luck.choice((3, 4, 4))))
        self.names_of_cards = list[str]()

    # ------------------------------------------------------------ places
    def bag(self) -> str:
        return self.luck.choice(("g.heap", "g.away", f"g.hand[{self.player()}]"))

    def pile(self) -> str:
        return f"g.deck[{self.player()}]"

    def zone(self) -> str:
        return self.pile() if self.piles and self.chance(0.35) else self.bag()

    def cards_of(self) -> str:
        """A set of cards."""
        some = self.weighted(((self.zone(), 50), ("CARDS", 15), ("g.chosen", 20 if self.chosen else 0), ("those", 20), ("both", 8)))
        if some == "those":
            x = self.fresh()
            return f"{{{x} for {x} in {self.luck.choice((self.zone(), 'CARDS'))} if {self.of_card(x)}}}"
        if some == "both":
            x, y = self.fresh(), self.fresh()
            return f"({{{x} for {x} in {self.zone()}}} {self.luck.choice('-&|')} {{{y} for {y} in CARDS if {self.of_card(y)}}})"
        return some

    # ------------------------------------------------------------ conditions
    def of_card(self, x: str) -> str:
        """What can hold of a card."""
        kind = self.weighted((("tired", 30 if self.tired else 0), ("mark", 20 if self.mark else 0), ("power", 15), ("owner", 12), ("where", 15),
                              ("chosen", 15 if self.chosen else 0), ("target", 10 if self.target else 0)))
        match kind:
            case "tired":
                return f"{self.luck.choice(('', 'not '))}g.tired[{x}]"
            case "mark":
                return f"g.mark[{x}] {self.luck.choice(COMPARE)} {self.luck.randint(0, 2)}"
            case "power":
                return f"Printed({x}).power {self.luck.choice(('>=', '==', '<'))} {self.luck.randint(0, 2)}"
            case "owner":
                return f"owner({x}) == {self.player()}"
            case "chosen":
                return f"{x} {self.luck.choice(('in', 'not in'))} g.chosen"
            case "target":
                return f"g.target == {x}"
            case _:
                return f"zone_of({x}) {self.luck.choice(('==', '!='))} {self.zone()}"

    def sum_of(self) -> str:
        """A number made of cards."""
        self.has("sum over cards")
        x = self.fresh()
        return self.luck.choice((
            f"len({self.cards_of()})", f"sum(Printed({x}).power for {x} in {self.cards_of()})", f"sum(1 for {x} in CARDS if {self.of_card(x)})",
            f"max((Printed({x}).power for {x} in {self.cards_of()}), default=0)", f"sum(len(g.hand[{x}]) for {x} in PLAYERS)",
            *((f"sum(g.mark[{x}] for {x} in {self.cards_of()})",) if self.mark else ())))

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("else", 40), ("size", 18), ("any", 18), ("number", 14), ("this", 14 if self.names_of_cards else 0), ("none", 6 if self.target else 0)))
        match kind:
            case "size":
                return f"len({self.zone()}) {self.luck.choice(COMPARE)} {self.luck.randint(0, 3)}"
            case "any":
                x = self.fresh()
                return f"{self.luck.choice(('any', 'all', 'not any'))}({self.of_card(x)} for {x} in {self.cards_of()})"
            case "number":
                return f"{self.sum_of()} {self.luck.choice(COMPARE)} {self.luck.choice((str(self.luck.randint(0, 3)), self.counter(), f'len({self.zone()})'))}"
            case "this":
                return self.of_card(self.luck.choice(self.names_of_cards))
            case "none":
                return f"g.target is {self.luck.choice(('', 'not '))}None"
            case _:
                return super().condition(deep)

    # ------------------------------------------------------------ what is done to a card
    def to_card(self, x: str, alone: bool = True) -> Part:
        """One thing done to a card; `alone`: not to others at the same time."""
        kind = self.weighted((("bag", 40), ("pile", 20 if self.piles and alone else 0), ("tired", 20 if self.tired else 0), ("mark", 20 if self.mark else 0),
                              ("chosen", 15 if self.chosen else 0), ("target", 12 if self.target and alone else 0), ("renew", 6)))
        match kind:
            case "pile":
                self.has("put onto a pile")
                return one(f"put({x}, {self.pile()}{self.luck.choice(('', ', at=BOTTOM'))})")
            case "tired":
                return one(f"g.tired[{x}] = {self.luck.choice(('True', 'False', f'not g.tired[{x}]'))}")
            case "mark":
                return one(self.luck.choice((f"g.mark[{x}] += 1", f"g.mark[{x}] = {self.luck.randint(0, 2)}", f"g.mark[{x}] -= 1")))
            case "chosen":
                return one(f"g.chosen {self.luck.choice('|-')}= {{{x}}}")
            case "target":
                return one(f"g.target = {x}")
            case "renew":
                self.has("a card becomes a new object")
                return one(f"renew({x})")
            case _:
                to = self.bag()
                put = one(f"put({x}, {to})")
                return one(f"if len({to}) < {self.luck.randint(1, 2)}:", put) if alone and self.chance(0.2) else put

    def passed(self) -> Part:
        """A mark goes from one card to another."""
        self.has("marks are handed on")
        x, y = self.fresh(), self.fresh()
        return one("if any(g.mark[z] > 0 for z in CARDS):", one(f"{x} = await choose({self.decider()}, {{z for z in CARDS if g.mark[z] > 0}})"),
                   one(f"{y} = await choose({self.decider()}, {self.luck.choice(('CARDS', f'{{z for z in CARDS if z != {x}}}'))})"),
                   one(f"g.mark[{x}] -= 1"), one(f"g.mark[{y}] += 1"))

    # ------------------------------------------------------------ statements
    def picked(self, deep: int) -> list[Part]:
        """Somebody chooses a card."""
        self.has("a card is chosen")
        those, x = self.cards_of() if self.chance(0.4) else self.zone(), self.fresh()
        who = self.decider()
        self.names_of_cards.append(x)
        done = [one(f"{x} = await choose({who}, {those})  #: {self.clause()}"), self.to_card(x), *([self.to_card(x)] if self.chance(0.3) else []),
                *(self.statement(deep - 1) if deep and self.chance(0.3) else [])]
        self.names_of_cards.remove(x)
        return done if self.chance(0.15) else [one(f"if len({those}) > 0:", *done)]

    def some(self) -> list[Part]:
        """Somebody chooses some of the cards."""
        self.has("some cards are chosen")
        xs, x = self.fresh(), self.fresh()
        most = self.luck.choice(("", ", at_most=1", ", at_most=2"))
        return [one(f"{xs} = await choose_some({self.decider()}, {self.zone()}, at_least={self.luck.choice((0, 0, 1))}{most})"), one(f"for {x} in {xs}:", self.to_card(x, False))]

    def drawn_card(self) -> list[Part]:
        self.has("chance", "a card is drawn")
        pile, x = self.pile(), self.fresh()
        return [one(f"if {pile}:", one(f"{x} = await chance(on_top({pile}))"), self.to_card(x))]

    def topmost(self) -> list[Part]:
        pile, x, y = self.pile(), self.fresh(), self.fresh()
        return [one(f"{x} = {self.luck.choice(('last', 'first'))}({y} for {y} in {pile} if {self.of_card(y)})"), one(f"if {x} is not None:", self.to_card(x))]

    def each_card(self) -> Part:
        """Something is done to all cards of some sort."""
        self.has("loop over cards")
        x = self.fresh()
        at_all = self.to_card(x, False)
        return one(f"for {x} in {self.luck.choice((self.zone(), 'CARDS', self.cards_of()))}:",
                   at_all if self.chance(0.5) else one(f"if {self.of_card(x)}:", at_all, *((self.to_card(x, False),) if self.chance(0.3) else ())))

    def shuffled(self) -> Part:
        self.has("shuffled")
        return one(f"shuffle({self.pile()})")

    def until_empty(self, deep: int) -> Part:
        """As long as there is a card somewhere, one is taken and something done to it."""
        self.has("loop over a zone, one by one")
        those, x = self.cards_of() if self.chance(0.4) else self.zone(), self.fresh()
        self.names_of_cards.append(x)
        away = one(f"g.chosen -= {{{x}}}") if those == "g.chosen" and self.chance(0.8) else self.to_card(x)
        body = self.round_of(deep, one(f"{x} = await choose({self.decider()}, {those})"), away, *([self.to_card(x)] if self.chance(0.3) else []))
        self.names_of_cards.remove(x)
        k = next(k for k, p in enumerate(body) if p.line.startswith(f"{x} = "))
        return one(f"while len({those}) > 0:", body[k], *body[:k], *body[k + 1:])

    def remembered(self) -> Part:
        return one(f"{self.counter()} = {self.sum_of()}" if self.chance(0.7) or not self.flags else f"g.{self.luck.choice(self.flags)} = {self.condition()}")

    def any_loop(self, deep: int) -> list[Part]:
        kind = self.weighted((("zone", 40), ("else", 40)))
        return [self.until_empty(deep)] if kind == "zone" else super().any_loop(deep)

    def statement(self, deep: int) -> list[Part]:
        kind = self.weighted((("pick", 22), ("some", 6), ("draw", 10 if self.piles else 0), ("top", 6 if self.piles else 0), ("each", 14),
                              ("shuffle", 5 if self.piles else 0), ("remember", 7), ("pass", 14 if self.mark else 0), ("else", 42)))
        match kind:
            case "pass":
                return [self.passed()]
            case "pick":
                return self.picked(deep)
            case "some":
                return self.some()
            case "draw":
                return self.drawn_card()
            case "top":
                return self.topmost()
            case "each":
                return [self.each_card()]
            case "shuffle":
                return [self.shuffled()]
            case "remember":
                return [self.remembered()]
            case _:
                return super().statement(deep)

    # ------------------------------------------------------------ the whole
    def cards(self) -> tuple[tuple[int, int], ...]:
        return self.all_cards

    def always(self) -> str:
        x = self.fresh()
        kind = self.weighted((("else", 25), ("where", 30), ("size", 20), ("owner", 10), ("sum", 15), ("as many", 20 if self.mark else 0)))
        match kind:
            case "as many":
                return f"sum(g.mark[{x}] for {x} in CARDS) {self.luck.choice(('==', '<='))} {self.luck.choice((0, len(self.all_cards)))}"
            case "where":
                return f"all({self.of_card(x)} for {x} in {self.zone()})"
            case "size":
                return f"len({self.zone()}) <= {self.luck.choice((str(self.luck.randint(0, 2)), f'len({self.zone()})'))}"
            case "owner":
                return f"all(owner({x}) == q for q in PLAYERS for {x} in g.hand[q])"
            case "sum":
                return f"{self.sum_of()} {self.luck.choice(('<=', '==', '!='))} {self.luck.choice((str(self.luck.randint(0, 3)), self.sum_of()))}"
            case _:
                return super().always()

    def number_of(self) -> str:
        x = self.fresh()
        return self.luck.choice((super().number_of(), f"len({self.zone()})", f"len({{{x} for {x} in CARDS if {self.of_card(x)}}})", f"len({{{x} for {x} in {self.zone()} if {self.of_card(x)}}})",
                                 *((f"sum(g.mark[{x}] for {x} in {self.luck.choice(('CARDS', self.zone()))})",) if self.mark else ()), "sum(len(g.hand[q]) for q in PLAYERS)"))

    def growing(self) -> tuple[str, ...]:
        return (*super().growing(), *(["mark"] if self.mark else []))

    def shaped(self) -> list[Part]:
        begin = [one("for c in CARDS:", one("put(c, g.hand[owner(c)])"))] if self.chance(0.5) else []
        if self.piles and self.chance(0.7):
            begin = [one("for c in CARDS:", one("put(c, g.deck[owner(c)])")), one("shuffle(g.deck[FIRST])"), one("shuffle(g.deck[SECOND])")]
        return [*begin, *super().shaped()]

    def fields(self) -> list[str]:
        heap, *others = super().fields()
        more = ["    away: Bag", "    hand: Per[Player, Bag]", *(["    deck: Per[Player, Pile]"] if self.piles else []),
                *([f"    tired: Per[Card, bool]{self.luck.choice(('', ' = each(True)'))}"] if self.tired else []),
                *([f"    mark: Per[Card, Annotated[int, Range(0, 3)]]{self.luck.choice(('', ' = each(1)'))}"] if self.mark else []),
                *(["    chosen: Set[Card]"] if self.chosen else []), *(["    target: Option[Obj]"] if self.target else [])]
        return [heap, *more, *others]
