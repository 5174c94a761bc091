"""A step that repeats itself by calling itself."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def mill(g: Game, p: Player) -> None:
    if g.life[p] > 0:
        g.life[p] -= 1
        mill(g, p)


@procedure
async def main(g: Game) -> None:
    return
