"""Rules that only checks ask, and that fail themselves: an invariant, a clause about endless loops, a verdict."""
from rulewright.model.lang import *


class Game(State):
    parts: Annotated[int, Range(0, 2)] = 2
    fates: bool


class Loop(Record):
    turn_player_acts: bool


class Fate(Enum):
    WINS = 1
    LOSES = 2


@invariant
def shares_are_whole(g: Game) -> bool:
    return 2 % g.parts == 0


@verdict("endless loop")
def loop_is_drawn(loop: Loop) -> Option[Fate]:
    return Fate.WINS if 1 // (1 if loop.turn_player_acts else 0) == 2 else None  #: 1.4


@verdict("fate")
def wins(g: Game, p: Player) -> Option[Fate]:
    return Fate.WINS if p == FIRST else None  #: 1.2


@verdict("fate")
def loses(g: Game, p: Player) -> Option[Fate]:
    return Fate.LOSES if p == FIRST or 1 // (g.parts - 2) == 1 else None  #: 1.3


@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        n = await choose_number(FIRST, 0, 2)
        match n:
            case 0:
                g.parts = 0 if g.parts == 1 else 1  #: 1.1
            case 1:
                judged = judge("fate", g, FIRST, Fate)
                theirs = judge("fate", g, SECOND, Fate)
                return
            case _:
                return
