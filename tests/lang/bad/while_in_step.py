"""A loop without end in a step."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def burn(g: Game, p: Player) -> None:
    while g.life[p] > 0:
        g.life[p] -= 1


@procedure
async def main(g: Game) -> None:
    return
