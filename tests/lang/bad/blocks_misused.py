"""Conditions and places of blocks in the wrong form."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    tired: Per[Card, bool]


@step
def confuse(g: Game, p: Player, card: Card) -> None:
    with abandon_when(g.life[p] == 0):
        g.turn = p
    with abandon_when(lambda: g.life[p]):
        g.turn = p
    with restored(g.tired):
        g.turn = p
    with restored(p, g.hand[p]):
        g.turn = p
    with simultaneous():
        g.turn = p


@procedure
async def main(g: Game) -> None:
    return
