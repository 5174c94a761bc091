"""A choice that nobody is named for, and a long way on from each of its options, to the same end or to another."""
from rulewright.model.lang import *


class Game(State):
    long: bool
    steps: Annotated[int, Range(0, 60)]


@procedure
async def walk(g: Game) -> None:
    x = await choose(OPEN("1.1"), {1, 2})  #: 1.1
    g.long = x == 2
    while g.steps < (50 if g.long else 5):
        g.steps += 1


@entry("same")
@procedure
async def same(g: Game) -> None:
    """Whichever is taken, the first player wins."""
    await walk(g)
    finish(FIRST)  #: 1.2


@entry("other")
@procedure
async def other_wins(g: Game) -> None:
    """It decides who wins."""
    await walk(g)
    finish(SECOND if g.long else FIRST)  #: 1.2


@entry("no longer")
@procedure
async def no_longer(g: Game) -> None:
    """After the short way only the second player can win; after the long one either, which is seen at once."""
    x = await choose(OPEN("1.1"), {1, 2})  #: 1.1
    g.long = x == 2
    if g.long:
        ends = await may(FIRST)
        if ends:
            finish(FIRST)  #: 1.2
    while g.steps < (50 if g.long else 5):
        g.steps += 1
    finish(SECOND)  #: 1.2
