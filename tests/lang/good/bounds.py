"""A value that would leave its range ends the play."""
from rulewright.model.lang import *


LANES = Range(1, 3)


class Card_(Record):
    n: Annotated[int, Range(0, 3)]


class Game(State):
    n: Annotated[int, Range(0, 3)] = 2
    lane: Per[Annotated[int, LANES], bool]
    grid: Per[Annotated[int, LANES], Per[Annotated[int, LANES], bool]]
    marks: Set[Annotated[int, LANES]]
    kept: Multiset[Card_]


@define
def doubled(n: Annotated[int, Range(0, 3)]) -> Annotated[int, Range(0, 3)]:
    return n + n


@procedure
async def main(g: Game) -> None:
    what = await choose_number(FIRST, 0, 8)
    if what == 0:
        g.n += 2
    elif what == 1:
        g.n = g.n - 3
    elif what == 2:
        g.lane[g.n + 2] = True
    elif what == 3:
        g.grid[g.n + 2][1] = True
    elif what == 4:
        g.marks = {g.n + 2}
    elif what == 5:
        g.n = doubled(g.n)
    elif what == 6:
        g.n = doubled(g.n + 2) - 3
    elif what == 7:
        g.kept.add(Card_(g.n + 2))
    else:
        g.n = 3
