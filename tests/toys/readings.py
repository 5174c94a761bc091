"""Readings: one that changes play, and one that does not."""
from rulewright.model.lang import *

LANES = Range(1, 3)


class Game(State):
    tapped: bool
    bell: bool
    debt: Annotated[int, Range(-2, 0)]


@entry("rest")
@procedure(scope=Scope.PHASE)
async def rest(g: Game) -> None:
    """Does a resting character stand up again when the phase is repeated? If so, resting can be repeated for ever."""
    while True:
        rests = await may(FIRST)
        if not rests:
            return
        if g.tapped:
            finish(SECOND)
        g.tapped = True  #: 1.1
        if reading("rest") == "untaps":
            g.tapped = False  #: 1.2


@entry("colour")
@procedure(scope=Scope.PHASE)
async def colour(g: Game) -> None:
    """Both colours come to the same."""
    rings = await may(FIRST)
    if rings:
        if reading("colour") == "red":
            g.bell = True  #: 2.1
        else:
            g.bell = not g.bell  #: 2.1


@entry("odds")
@procedure
async def odds(g: Game) -> None:
    """One reading makes one of two things twice as probable as the other; the next makes nothing of it."""
    high = await chance({n > 1 for n in LANES if n < 3 or reading("colour") == "red"})
    finish(FIRST if high else SECOND)  #: 2.1


@entry("debt")
@procedure
async def debt(g: Game) -> None:
    """One reading takes one, the other two."""
    g.debt = -1 if reading("colour") == "red" else -2  #: 2.1


@entry("main")
@procedure
async def main(g: Game) -> None:
    first = await may(SECOND)
    if first:
        await rest(g)
    else:
        await colour(g)
