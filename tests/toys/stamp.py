"""A mandatory loop that also counts how often it went round. A loop only if no rule reads the count."""
from rulewright.model.lang import *


class Game(State):
    lamp: bool
    stamp: Annotated[int, Range(0, 20)]
    last: Annotated[int, Range(0, 20)] = 12


@procedure
async def blind(g: Game) -> None:
    """No rule reads the stamp."""
    while True:
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@procedure
async def read(g: Game) -> None:
    """Play ends when the stamp says so."""
    while g.stamp < g.last:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@procedure
async def read_at_the_end(g: Game) -> None:
    """The last value of the range is the one that ends play."""
    while g.stamp < 20:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@procedure
async def read_too_late(g: Game) -> None:
    """Play would end at a value that the stamp cannot have."""
    while g.stamp <= 20:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@procedure
async def chosen(g: Game) -> None:
    """No rule reads the stamp, and somebody can stop."""
    while True:
        again = await may(SECOND)
        if not again:
            return
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@procedure
async def chosen_and_read(g: Game) -> None:
    """Somebody can go on, but not for ever."""
    while g.stamp < g.last:  #: 1.3
        again = await may(SECOND)
        if not again:
            return
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2
