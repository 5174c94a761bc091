"""Books by lot whose cards have abilities that wait for what is moved and are carried out in some order: what two of them do touches the same, or not,
is decided by players, by luck or by nobody, and lets others arise.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .books import Book, Part, Rule
from .draw import one
from .draw_orders import PLAYERS, Orders
from .draw_texts import HEAD, RULES


class Abilities(Orders):
    """Draws one book with abilities that wait."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.waits, self.whose, self.own = False, False, False
        self.piles, self.tired, self.replaced = self.chance(0.3), self.chance(0.6), self.chance(0.3)
        self.at_once = self.chance(0.2)

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("else", 60), ("tired", 20 if self.tired and "this" in self.locals else 0), ("size", 15)))
        if kind == "tired":
            return f"{self.luck.choice(('', 'not '))}g.tired[this]"
        if kind == "size":
            return f"len({self.bag()}) {self.luck.choice(('>', '==', '<'))} {self.luck.randint(0, 2)}"
        said = super().condition(deep)
        return "g.f0" if "g.w" in said else said

    def bag(self) -> str:
        return self.luck.choice(("g.heap", "g.away", "g.hand[you]" if "this" in self.locals else "g.hand[FIRST]", "g.hand[SECOND]"))

    def who(self) -> str:
        return self.luck.choice(("you", "you", "other(you)")) if "this" in self.locals and self.chance(0.5) else super().who()

    def effect(self) -> list[Part]:
        x = self.fresh()
        kind = self.weighted((("else", 55), ("move", 22 if "this" in self.locals else 0), ("tired", 14 if self.tired and "this" in self.locals else 0), ("card", 16), ("each", 8)))
        match kind:
            case "move":
                return [one("if this is not None:", self.moved("this"))]
            case "tired":
                return [one("if this is not None:", one(f"g.tired[this] = {self.luck.choice(('True', 'False', 'not g.tired[this]'))}"))]
            case "card":
                those = self.bag()
                return [one(f"if {those}:", one(f"{x} = await choose({self.who()}, {those})"), self.moved(x) if not self.tired or self.chance(0.6) else one(f"g.tired[{x}] = True"))]
            case "each":
                return [one(f"for {x} in {self.bag()}:", one(f"g.tired[{x}] = {self.luck.choice(('True', 'False'))}") if self.tired else one("pass"))]
            case _:
                return super().effect()

    def moved(self, x: str) -> Part:
        if self.piles and self.chance(0.4):
            return one(f"put({x}, g.deck[{self.luck.choice(PLAYERS)}]{self.luck.choice(('', ', at=BOTTOM'))})")
        return one(f"{self.luck.choice(('move', 'put'))}({x}, {self.bag()})".replace("move(", "move(g, "))

    def added(self, letter: str) -> Part:
        return self.changed()

    def ability(self) -> Mapping[str, str]:
        self.locals = ["this"]
        text = "\n".join(x for p in (*self.effect(), *(self.effect() if self.chance(0.3) else [])) for x in p.lines(0))
        self.locals = []
        return {"when": "Moved", "if": self.luck.choice(("event.card == this", "event.card == this", "event.to == g.away")), "text": text}

    def book(self) -> Book:
        powers = [0, 1] if self.chance(0.6) else [0, 1, 2]
        texts = {p: (self.ability(),) for p in powers}
        if self.at_once:
            self.situations()
        cards = tuple((p, self.luck.choice((0, 1))) for p in powers) + (((3, 0),) if self.chance(0.5) else ())
        pick = one(f"w = await choose({self.luck.choice(('p', 'p', 'OPEN(' + chr(34) + '2.1' + chr(34) + ')'))}, {{w for w in g.w}})  #: 2.1")
        self.rules.append(Rule("resolve", "p: Player", "", (one("while g.w:", pick, one("g.w.remove(w)"), one("await run_text(g, w.ability, w.this, p, w.cause)  #: 2.2")),)))
        self.rules.append(Rule("main", "", "", (one("for c in CARDS:", one("move(g, c, g.hand[owner(c)])")), *self.maybe(self.changed, 0.5), one("await resolve(g, FIRST)"),
                                               one(f"if {self.condition()}:", one("finish(FIRST)")))))
        fields = ["    heap: Bag", "    away: Bag", "    hand: Per[Player, Bag]", *(["    deck: Per[Player, Pile]"] if self.piles else []), *(["    tired: Per[Card, bool]"] if self.tired else []),
                  *(f"    {c}: Annotated[int, Range(0, 9)]" for c in self.counters), *(f"    {f}: bool" for f in self.flags), *(["    active: Player"] if self.turns else []), "    w: Multiset[Waiting]"]
        head = HEAD + "\n\nclass Game(State):\n" + "\n".join(fields) + "\n" + RULES.format(renew=self.luck.choice(("renew(c)\n    ", "")))
        return replace(Book(head, tuple(self.rules), tuple(self.counters), {}, {"w": 6}, {}, features=frozenset(self.features)), cards=cards, texts=texts)
