"""What is left over of a counter without an end decides; and a condition that breaks only as play ends, far behind a range."""
from rulewright.model.lang import *


class Game(State):
    c: Annotated[int, Range(0, 9)]
    d: Annotated[int, Range(0, 9)]


@invariant
def few(g: Game) -> bool:
    return g.d < 50


@entry("breaks")
@procedure
async def breaks(g: Game) -> None:
    """60 is no more than any value that is told apart while play goes on."""
    goes = True
    while goes or g.c % 7 == 6:  #: 1.1
        goes = await may(FIRST)
        g.c += 1  #: 1.2
    g.d += 60  #: 1.3


@entry("holds")
@procedure
async def holds(g: Game) -> None:
    """The nearest that breaks nothing."""
    goes = True
    while goes or g.c % 7 == 6:  #: 1.1
        goes = await may(FIRST)
        g.c += 1  #: 1.2
    g.d += 40  #: 1.3
