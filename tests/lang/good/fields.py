"""Fields by player, card, number and member; records in the state."""
from rulewright.model.lang import *


class Suit(Enum):
    RED = 1
    BLUE = 2


Lane = Annotated[int, Range(1, 2)]


class Mark(Record):
    suit: Suit = Suit.BLUE
    count: Annotated[int, Range(0, 9)] = 3


class Both(Record):
    left: Mark = Mark(Suit.RED)
    right: Mark = Mark(count=4)


class Game(State):
    ready: Per[Player, bool] = each(True)
    board: Per[Player, Per[Lane, Per[Card, bool]]]
    leader: Per[Player, Per[Lane, Option[Player]]]
    worth: Per[Card, Annotated[int, Range(-3, 3)]] = each(-1)
    notes: Per[Suit, Per[Card, bool]]
    mark: Mark = Mark(count=1)
    pair: Per[Player, Both]


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        g.board[owner(c)][1][c] = True
        g.board[owner(c)][2][c] = False
        g.worth[c] += 2
        g.notes[Suit.BLUE][c] = g.ready[owner(c)]
    g.leader[SECOND][2] = FIRST
    g.mark = g.pair[FIRST].left
    g.pair[SECOND].right.count -= 1
    g.pair[FIRST] = Both(g.mark, Mark(Suit.BLUE, 9))
    g.ready[FIRST] = g.pair[FIRST] == g.pair[SECOND]
