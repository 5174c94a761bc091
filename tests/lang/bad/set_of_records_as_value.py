"""A set of records where a value is needed."""
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
    return {Pass()}


@define
def some(g: Game) -> bool:
    return len(options(g)) > 0


@step
def keep(g: Game, left: Set[Pass]) -> None:
    kept = options(g)


@procedure
async def main(g: Game) -> None:
    return
