"""Rules that can come to their end without a result, or give one that they should not."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Colour(Enum):
    RED = 1
    BLUE = 2


@define
def price(c: Colour) -> int:
    if c == Colour.RED:
        return 1
    elif c == Colour.BLUE:
        return 2


@define
def sign(n: Annotated[int, Range(0, 2)]) -> int:
    while True:
        break


@step
def nothing(g: Game) -> None:
    return 3


@step
def something(g: Game) -> int:
    return


@define
def silent(g: Game):
    return 3


@procedure
async def main(g: Game) -> None:
    return
