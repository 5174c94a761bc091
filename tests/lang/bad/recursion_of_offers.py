"""A define that gives options, made of itself."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Pass(Inaction):
    """Do nothing."""


@define
def options(g: Game) -> Set[Pass]:
    return options(g) | {Pass()}


@procedure
async def main(g: Game) -> None:
    return
