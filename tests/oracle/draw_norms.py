"""Books by lot with norms about an action that is told a card: what they ask for is where cards lie, what is printed on them, numbers on them, how
many there are; of numbers also more than their ranges have, as a scenario may give them (`caps`).
"""
from __future__ import annotations

from .books import Book, Rule
from .draw import Draw, one
from .draw_orders import PLAYERS
from .draw_verdicts import KINDS


class Norms(Draw):
    """Draws one book with norms about a card."""

    def where(self) -> str:
        return self.luck.choice(("g.away", "g.hand[p]", "g.hand[other(p)]", *(f"g.hand[{x}]" for x in PLAYERS)))

    def asked_for(self, deep: int = 1) -> str:
        """A condition on a card, a player and the position."""
        much, few = f"{self.luck.choice(('<', '==', '>', '>='))} {self.luck.randint(0, 5)}", f"{self.luck.choice(('<', '==', '>'))} {self.luck.randint(0, 3)}"
        kind = self.weighted((("lies", 20), ("printed", 15), ("mark", 20), ("number", 20), ("many", 15), ("some", 10), ("all", 8), ("count", 10), ("owner", 8), ("two", 45 * deep)))
        match kind:
            case "lies":
                return f"c {self.luck.choice(('in', 'not in'))} {self.where()}"
            case "printed":
                return f"Printed(c).power {few}"
            case "mark":
                return f"g.mark[c] {much}"
            case "number":
                return f"g.n[{self.luck.choice(('p', 'other(p)', *PLAYERS))}] {much}"
            case "many":
                return f"len({self.where()}) {few}"
            case "some":
                return f"any(x != c and {self.luck.choice((f'g.mark[x] {much}', f'Printed(x).power {few}'))} for x in {self.where()})"
            case "all":
                return f"all(g.mark[x] {much} for x in CARDS)"
            case "count":
                return f"{self.luck.choice((f'len({self.where()})', 'len(g.hand[p]) + len(g.away)'))} {self.luck.choice(('==', '<', '>'))} len(CARDS)" if self.chance(0.6) else f"len(CARDS) {few}"
            case "owner":
                return f"owner(c) {self.luck.choice(('==', '!='))} p"
            case _:
                return f"({self.asked_for(0)} {self.luck.choice(('and', 'and', 'or'))} {self.asked_for(0)})"

    def book(self) -> Book:
        self.has("norms about cards")
        rules = [Rule("act", "c: Card, p: Player", "", (one("put(c, g.away)"),), "action")]
        for k in range(self.luck.choice((2, 2, 3))):
            said = self.asked_for()
            rules.append(Rule(f"norm_{k}", "c: Card, p: Player", "", (one(f"return {said}  #: {1 + k}.1"),), f"{KINDS[k % 2] if k < 2 else self.luck.choice(KINDS)}(act)", "bool"))
        raised = self.chance(0.3)
        rules.append(Rule("main", "", "", (one("for c in CARDS:", one("g.mark[c] += 1" if raised else "g.mark[c] = 1"), one("act(g, c, FIRST)")),)))
        head = ("class Printed(Definition):\n    power: Annotated[int, Range(0, 3)] = 0\n\n\nclass Game(State):\n    away: Bag\n    hand: Per[Player, Bag]\n"
                "    mark: Per[Card, Annotated[int, Range(0, 3)]]\n    n: Per[Player, Annotated[int, Range(0, 3)]]\n")
        cards = tuple((self.luck.randint(0, 3), self.luck.randint(0, 1)) for _ in range(self.luck.randint(1, 4)))
        return Book(head, tuple(rules), ("mark", "n"), {"mark": 6, "n": 6}, {}, {}, cards, features=frozenset(self.features))
