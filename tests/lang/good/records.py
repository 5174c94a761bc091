"""Records and unions, told apart by `match`."""
from rulewright.model.lang import *


class Suit(Enum):
    RED = 1
    BLUE = 2


class Pass(Inaction):
    """Do nothing."""


class Paint(Record):
    suit: Suit
    twice: bool = False


class Name(Record):
    number: Annotated[int, Range(1, 3)]


Action = Pass | Paint | Name


class Game(State):
    suit: Suit
    paints: Annotated[int, Range(0, 9)]
    number: Annotated[int, Range(0, 3)]


@define
def paints(g: Game) -> Set[Paint]:
    return {Paint(s) for s in Suit if s != g.suit} | {Paint(s, twice=True) for s in Suit}


@define
def options(g: Game) -> Set[Action]:
    return {Pass()} | paints(g) | ({Name(n) for n in Range_} if g.paints > 0 else set())


Range_ = Range(1, 3)


@define
def standard(g: Game) -> Paint:
    return Paint(g.suit, True)


@procedure
async def main(g: Game) -> None:
    while True:
        act = await choose(FIRST, options(g))
        match act:
            case Pass():
                return
            case Paint(suit, twice=True) if suit == g.suit:
                g.paints += 2
            case Paint(Suit.RED | Suit.BLUE as suit):
                g.suit = suit
                g.paints += 1
            case Name(number=1 | 2):
                g.number = 1
            case Name(n):
                g.number = n
        if act == standard(g) or g.paints > 3:
            return
