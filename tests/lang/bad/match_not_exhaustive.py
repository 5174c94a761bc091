"""Cases that do not cover every value."""
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


class Pass(Inaction):
    """Do nothing."""


class Paint(Record):
    colour: Colour
    twice: bool


@procedure
async def main(g: Game) -> None:
    act = await choose(g.turn, {Pass()} | {Paint(c, True) for c in Colour})
    match act:
        case Paint(Colour.RED):
            g.turn = FIRST
        case Pass():
            return
    match act:
        case Pass() | Paint(twice=True):
            return
    match g.turn:
        case FIRST:
            return
    match g.life[FIRST]:
        case 0 | 1 | 2:
            return
