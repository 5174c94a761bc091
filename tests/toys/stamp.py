"""A lamp that blinks for ever, and a stamp that counts how often. A loop, unless a rule reads the stamp."""
from rulewright.model.lang import *


class Entry(Record):
    stamp: Annotated[int, Range(0, 20)]


class Game(State):
    lamp: bool
    stamp: Annotated[int, Range(0, 20)]
    turns: Per[Player, Annotated[int, Range(0, 20)]]
    last: Annotated[int, Range(0, 20)] = 12
    waiting: Multiset[Entry]
    wide: Annotated[int, Range(0, 1000)]


@entry("blind")
@procedure
async def blind(g: Game) -> None:
    """No rule reads the stamp."""
    while True:
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("read")
@procedure
async def read(g: Game) -> None:
    """Play ends when the stamp says so."""
    while g.stamp < g.last:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("read at the end")
@procedure
async def read_at_the_end(g: Game) -> None:
    """The last value of the range is the one that ends play."""
    while g.stamp < 20:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("read beyond the end")
@procedure
async def read_beyond_the_end(g: Game) -> None:
    """Play would end at the first value that the stamp cannot have."""
    while g.stamp <= 20:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("read for nothing")
@procedure
async def read_for_nothing(g: Game) -> None:
    """The stamp is read, but play goes on whatever it says."""
    while g.lamp or not g.lamp or g.stamp > 3:  #: 1.3
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("parity")
@procedure
async def parity(g: Game) -> None:
    """Play looks at whether the stamp is even, for ever."""
    while True:
        g.lamp = g.stamp % 2 == 0  #: 1.1
        g.stamp += 1  #: 1.2


@entry("chosen")
@procedure
async def chosen(g: Game) -> None:
    """Somebody can stop."""
    while True:
        again = await may(SECOND)
        if not again:
            return
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("chosen and read")
@procedure
async def chosen_and_read(g: Game) -> None:
    """Somebody can go on, but not for ever."""
    while g.stamp < g.last:  #: 1.3
        again = await may(SECOND)
        if not again:
            return
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2


@entry("two stamps")
@procedure
async def two_stamps(g: Game) -> None:
    """One stamp grows slowly, the other faster."""
    while g.stamp >= 0 and g.turns[SECOND] >= 0:
        g.lamp = not g.lamp  #: 1.1
        g.stamp += 1  #: 1.2
        g.turns[SECOND] += 3


@entry("entries")
@procedure
async def entries(g: Game) -> None:
    """What waits is stamped; only the stamp tells one round from the next."""
    g.waiting.add(Entry(0))
    while len(g.waiting) > 0:
        g.waiting.clear()
        g.stamp += 1  #: 1.2
        g.lamp = not g.lamp  #: 1.1
        g.waiting.add(Entry(g.stamp))


@entry("wide")
@procedure
async def wide(g: Game) -> None:
    """A stamp with a large range."""
    while g.wide >= 0:
        g.lamp = not g.lamp  #: 1.1
        g.wide += 1  #: 1.2


@entry("two ways")
@procedure
async def two_ways(g: Game) -> None:
    """One way goes on for ever; of the other, only the bound of the range hides that it ends."""
    goes = await may(FIRST)
    if goes:
        await read_for_nothing(g)
    while g.turns[SECOND] <= 20:
        g.turns[SECOND] += 1
