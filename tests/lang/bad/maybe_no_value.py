"""A local that is set on some paths only."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def bonus(g: Game, p: Player) -> int:
    if g.life[p] > 3:
        n = 1
    return n


@procedure
async def main(g: Game) -> None:
    return
