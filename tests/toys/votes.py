"""Play goes on until both players want it to end; each vote stands until it is cast anew."""
from rulewright.model.lang import *


class Game(State):
    wants_end: Per[Player, bool]


@entry("together")
@procedure(scope=Scope.PHASE)
async def together(g: Game) -> None:
    """Both votes are needed."""
    while True:
        for p in (FIRST, SECOND):
            said = await may(p)
            g.wants_end[p] = said  #: 1.1
            if g.wants_end[FIRST] and g.wants_end[SECOND]:
                return  #: 1.2


@entry("either")
@procedure(scope=Scope.PHASE)
async def either(g: Game) -> None:
    """One vote is enough."""
    while True:
        for p in (FIRST, SECOND):
            said = await may(p)
            if said:
                return  #: 1.2


@entry("once")
@procedure(scope=Scope.PHASE)
async def once(g: Game) -> None:
    """There is one vote."""
    for p in (FIRST, SECOND):
        said = await may(p)
        g.wants_end[p] = said  #: 1.1
