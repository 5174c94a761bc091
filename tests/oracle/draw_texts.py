"""Books by lot whose cards have texts: what arises when a card is moved waits and is carried out in some order, and lets more arise; numbers and
conditions that texts give for other cards.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .books import Book, Part, Rule
from .draw import one
from .draw_cards import Cards

HEAD = '''from typing import Any


class Says(Definition):
    of: Any


class Printed(Definition):
    power: Annotated[int, Range(0, 3)]
    abilities: Set[Ability]


class Waiting(Record):
    ability: Ability
    this: Option[Obj]
    cause: Cause


class Moved(Event):
    card: Option[Obj]
    to: Zone
'''
RULES = '''

@step
def move(g: Game, c: Card, to: Zone) -> None:
    put(c, to)
    {renew}emit(Moved(c, to))


@known_as("master")
@define
def master(g: Game, c: Card) -> Option[Player]:
    return zone_player(zone_of(c))


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    g.w.add(Waiting(ability, card, cause))
'''


class Texts(Cards):
    """Draws one book whose cards have texts."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.all_cards = self.all_cards[:3]
        self.piles = self.piles and self.chance(0.4)
        self.per = False
        self.silent = False
        self.texts = dict[int, tuple[Mapping[str, str], ...]]()

    def to_card(self, x: str, alone: bool = True) -> Part:
        if not self.silent and alone and self.chance(0.45):
            self.has("a move that texts listen to")
            return one(f"move(g, {x}, {self.bag()})")
        return super().to_card(x, alone)

    def condition(self, deep: int = 1) -> str:
        if not self.silent and self.chance(0.12):
            self.has("what texts give for cards")
            a, x, y = self.fresh(), self.fresh(), self.fresh()
            over = f"for {x} in {self.luck.choice(('CARDS', self.bag()))} for {a} in Printed({x}).abilities"
            return self.luck.choice((
                f"sum(how_much(g, {a}, {x}, FIRST, {x}) {over}) {self.luck.choice(('>', '<', '=='))} {self.luck.choice(('0', '1', '-1', self.counter()))}",
                f"any(applies_to(g, {a}, {x}, SECOND, {y}) {over} for {y} in {self.bag()})"))
        return super().condition(deep)

    def remembered(self) -> Part:
        if self.chance(0.3):
            a, x = self.fresh(), self.fresh()
            return one(f"{self.counter()} = sum(how_much(g, {a}, {x}, FIRST, {x}) for {x} in CARDS for {a} in Printed({x}).abilities)")
        return super().remembered()

    def text(self) -> str:
        """What a text does."""
        self.players, self.calls, self.locals, self.names_of_cards = ["you"], [], [], []
        lines: list[Part] = []
        if self.chance(0.7):
            here = one("if this is not None:", self.to_card("this"))
            lines.append(here if self.chance(0.6) else one(f"if this is not None and {self.of_card('this')}:", self.to_card("this")))
        if not lines or self.chance(0.5):
            lines += self.statement(0)
        self.players = []
        return "\n".join(x for p in lines for x in p.lines(0))

    def ability(self) -> Mapping[str, str]:
        """One ability: it listens, or says something of cards."""
        if self.chance(0.7):
            test = self.luck.choice(("event.card == this", f"event.to == {self.luck.choice(('g.away', 'g.hand[FIRST]', 'g.heap'))}",
                                     "event.card == this and event.to == g.away", "event.card is not None and event.card != this"))
            return {"when": "Moved", "if": test, "text": self.text()}
        self.silent = True
        self.players = ["you"]
        says = {"how_much": self.luck.choice(("1", "-1", "Printed(card).power", f"1 if {self.of_card('card')} else 0", f"0 - {self.sum_of()}"))} if self.chance(0.6) else {
            "applies_to": self.of_card("card")}
        self.silent, self.players = False, []
        return says

    def shaped(self) -> list[Part]:
        for power in sorted({p for p, _ in self.all_cards}):
            if not self.texts or self.chance(0.5):
                self.texts[power] = tuple(self.ability() for _ in range(self.weighted(((1, 75), (2, 25)))))
        self.loops = 0
        who = self.luck.choice(("p", "p", "FIRST", 'OPEN("2.1")'))
        wait = one("while g.w:", one(f"w = await choose({who}, {{w for w in g.w}})"), one("g.w.remove(w)"),
                   one("await run_text(g, w.ability, w.this, p, w.cause)"))
        self.rules.append(Rule("resolve", "p: Player", self.luck.choice(("", "STEP")), (wait,)))
        return [*super().shaped(), one(f"await resolve(g, {self.luck.choice(('FIRST', 'SECOND'))})"), *self.maybe(self.guarded_end, 0.4)]

    def call(self) -> Part:
        return one(f"await resolve(g, {self.player()})") if self.chance(0.4) else super().call()

    def statement(self, deep: int) -> list[Part]:
        return [one(f"await resolve(g, {self.player()})")] if deep and self.calls and self.chance(0.12) else super().statement(deep)

    def head(self) -> list[str]:
        return [HEAD, *(x for x in super().head() if "class Printed" not in x)]

    def fields(self) -> list[str]:
        return [*super().fields(), "    w: Multiset[Waiting]"]

    def book(self) -> Book:
        drawn = super().book()
        renew = self.luck.choice(("renew(c)\n    ", ""))
        return replace(drawn, head=drawn.head + RULES.format(renew=renew), texts=self.texts, capacities={"w": self.luck.randint(3, 6)})
