"""Counters that leave their ranges: some go on for ever, some only seem to."""
from rulewright.model.lang import *


class Game(State):
    lamp: bool
    c: Annotated[int, Range(0, 9)]
    d: Annotated[int, Range(0, 9)]
    narrow: Annotated[int, Range(0, 6)]


@entry("exit far behind")
@procedure
async def exit_far_behind(g: Game) -> None:
    """Ends at a value far behind the range."""
    while g.c < 70:  #: 1.1
        g.c += 1  #: 1.2


@entry("no exit")
@procedure
async def no_exit(g: Game) -> None:
    """The nearest that goes on: what is compared makes no difference from some value on."""
    while g.c < 70 or g.c > 3:  #: 1.1
        g.c += 1  #: 1.2


@entry("late stop")
@procedure
async def late_stop(g: Game) -> None:
    """The second player may stop, but not before a value far behind the range."""
    while True:  #: 1.1
        if g.c >= 40:
            stops = await may(SECOND)
            if stops:
                return
        g.c += 1  #: 1.2


@entry("set back")
@procedure
async def set_back(g: Game) -> None:
    """The counter is set back far behind its range, and then comes an end."""
    while True:  #: 1.1
        g.c += 1  #: 1.2
        if g.c > 30:
            if g.lamp:
                return
            g.lamp = True
            g.c = 0


@entry("set back for ever")
@procedure
async def set_back_for_ever(g: Game) -> None:
    """Nothing grows in the end: the same comes again."""
    while True:  #: 1.1
        g.c += 1  #: 1.2
        if g.c > 30:
            g.c = 0


@entry("two together, apart")
@procedure
async def two_apart(g: Game) -> None:
    """One rises faster than the other; what they are apart ends it."""
    while g.d < g.c + 25:  #: 1.1
        g.c += 1  #: 1.2
        g.d += 2


@entry("two together, alike")
@procedure
async def two_alike(g: Game) -> None:
    """Both rise alike, so what they are apart never ends it."""
    while g.d < g.c + 25:  #: 1.1
        g.c += 1  #: 1.2
        g.d += 1


@entry("sum")
@procedure
async def sum_of_both(g: Game) -> None:
    """Their sum ends it."""
    while g.c + g.d < 50:  #: 1.1
        g.c += 1  #: 1.2
        g.d += 1


@entry("choice")
@procedure
async def choice_of_two(g: Game) -> None:
    """One way has no end; the other leads to a gap far behind the range."""
    goes = await may(FIRST)
    if goes:
        while g.c >= 0:  #: 1.1
            g.c += 1  #: 1.2
    while g.c < 12:
        g.c += 1
    gap("1.3")


@entry("range")
@procedure
async def in_a_range(g: Game) -> None:
    """The range is the model's, not the rules'."""
    while g.narrow < 20:  #: 1.1
        g.narrow += 1  #: 1.2


@entry("up and down")
@procedure
async def up_and_down(g: Game) -> None:
    """A counter that rises and falls as somebody likes. It is not shown that large values are alike."""
    while True:  #: 1.1
        rises = await may(FIRST)
        if rises:
            g.c += 1  #: 1.2
        elif g.c > 0:
            g.c -= 1  #: 1.3


@entry("needs")
@procedure
async def needs(g: Game) -> None:
    await deeper(g, 1)


@procedure
async def deeper(g: Game, n: int) -> None:
    """Calls that nest, but not for ever."""
    if n < 150:
        await deeper(g, n + 1)  #: 1.4
    g.lamp = True


@entry("nests")
@procedure
async def nests(g: Game) -> None:
    await deeper_still(g, 1)


@procedure
async def deeper_still(g: Game, n: int) -> None:
    """Calls that nest for ever."""
    if n < 150 or n > 3:
        await deeper_still(g, n + 1)  #: 1.4
    g.lamp = True


@entry("copied")
@procedure
async def copied(g: Game) -> None:
    """What another counter came to is what ends it."""
    while g.d < 30:  #: 1.1
        g.c += 1  #: 1.2
        g.d = g.c


@entry("held")
@procedure
async def held(g: Game) -> None:
    """A counter in a local, while somebody chooses."""
    while True:  #: 1.1
        n = g.c + 1
        lights = await may(SECOND)
        g.lamp = lights
        g.c = n  #: 1.2
        if n > 33:
            return


@entry("doubles")
@procedure
async def doubles(g: Game) -> None:
    """Grows by more each time."""
    while g.c >= 0:  #: 1.1
        g.c += g.c + 1  #: 1.2


@entry("seldom")
@procedure
async def seldom(g: Game) -> None:
    """A clause that is carried out far behind the range alone."""
    while g.c < 30:  #: 1.1
        g.c += 1  #: 1.2
        if g.c == 25:
            g.lamp = True  #: 1.3
        if g.c == 40:
            g.lamp = False  #: 1.4
