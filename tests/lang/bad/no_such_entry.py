"""Play cannot begin where the scenario says."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def mian(g: Game) -> None:
    return
