"""Multisets and pools used like lists."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    marks: Multiset[Mark]
    nested: Per[Player, Multiset[Mark]]
    numbers: Multiset[Player]


class Mark(Record):
    on: Card


@step
def confuse(g: Game, card: Card) -> None:
    g.marks.append(Mark(card))
    g.marks = set()
    for m in g.marks:
        g.marks.remove(m)
        m.on = card
    if g.marks:
        g.turn = FIRST
    kept = g.marks
    one: Multiset[Mark] = g.marks


@procedure
async def main(g: Game) -> None:
    return
