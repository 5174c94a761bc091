"""OPEN kept as a value, chosen between, without a clause."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def decider(g: Game) -> Decider:
    return g.turn


@procedure
async def main(g: Game) -> None:
    who = OPEN("1.1")
    if await may(g.turn if g.turn == FIRST else OPEN("1.1")):
        return
    a = await may(OPEN("1.1") or g.turn)
    b = await may(OPEN())
    c = await may(OPEN("1.3"))
    if OPEN("1.1") == g.turn:
        return
