"""Defaults that are no constants of the type."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    mark: Mark
    flag: bool = "yes"
    who: Player = other(FIRST)
    flags: Per[Player, bool] = each(3)
    pile: Pile = set()


class Colour(Enum):
    RED = 1


class Mark(Record):
    of: Colour = Colour.REED
    on: bool = 1


@define
def first_mark(g: Game) -> bool:
    return g.mark.on


@procedure
async def main(g: Game) -> None:
    return
