"""Counting with `range(…)`, and through a number."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def mill(g: Game) -> None:
    for n in range(3):
        g.turn = other(g.turn)
    for n in 3:
        g.turn = other(g.turn)


@procedure
async def main(g: Game) -> None:
    return
