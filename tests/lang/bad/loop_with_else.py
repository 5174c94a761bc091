"""A loop with `else`, and a `break` outside a loop."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def tidy(g: Game) -> None:
    for p in PLAYERS:
        g.life[p] = 5
    else:
        g.turn = FIRST
    break


@procedure
async def main(g: Game) -> None:
    return
