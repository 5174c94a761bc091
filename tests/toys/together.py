"""An end that takes both players, and one that takes one of them."""
from rulewright.model.lang import *


class Game(State):
    lamp: bool


@entry("both")
@procedure(scope=Scope.PHASE)
async def both(g: Game) -> None:
    """Whoever wants to goes on."""
    go = True
    while go:
        a = await may(FIRST)
        c = await may(SECOND)
        go = a or c  #: 1.1
        g.lamp = not g.lamp


@entry("one")
@procedure(scope=Scope.PHASE)
async def one(g: Game) -> None:
    """The first player says whether it goes on; the second says something else."""
    go = True
    while go:
        go = await may(FIRST)  #: 1.1
        g.lamp = await may(SECOND)
