"""Somebody decides whether it goes round again, and the rules do not say who."""
from rulewright.model.lang import *


class Game(State):
    lamp: bool
    taken: Set[Player]
    last: Player
    n: Annotated[int, Range(0, 12)]


@entry("open choice")
@procedure(scope=Scope.STEP)
async def open_choice(g: Game) -> None:
    while True:
        again = await may(OPEN("1.1"))  #: 1.1
        if not again:
            return
        g.lamp = not g.lamp  #: 1.2


@entry("named")
@procedure(scope=Scope.STEP)
async def named(g: Game) -> None:
    while True:
        again = await may(FIRST)  #: 1.1
        if not again:
            return
        g.lamp = not g.lamp  #: 1.2


@entry("open way")
@procedure(scope=Scope.STEP)
async def open_way(g: Game) -> None:
    """It goes round in any case; only which way is open."""
    while True:
        on = await choose(OPEN("1.1"), {False, True})  #: 1.1
        g.lamp = on  #: 1.2


@entry("open once")
@procedure(scope=Scope.STEP)
async def open_once(g: Game) -> None:
    on = await choose(OPEN("1.1"), {False, True})  #: 1.1
    g.lamp = on  #: 1.2


@entry("open for nothing")
@procedure(scope=Scope.STEP)
async def open_for_nothing(g: Game) -> None:
    """Open, but nothing depends on it."""
    on = await choose(OPEN("1.1"), {False, True})  #: 1.1
    g.lamp = False  #: 1.2


@entry("open order for nothing")
@procedure(scope=Scope.STEP)
async def open_order_for_nothing(g: Game) -> None:
    """One after another; in the end both are taken in any case."""
    rest = PLAYERS - g.taken
    while rest:
        p = await choose(OPEN("1.1"), rest)  #: 1.1
        rest -= {p}
        g.taken |= {p}  #: 1.2


@entry("open order")
@procedure(scope=Scope.STEP)
async def open_order(g: Game) -> None:
    """The same, and it is kept who was the last."""
    rest = PLAYERS - g.taken
    while rest:
        p = await choose(OPEN("1.1"), rest)  #: 1.1
        rest -= {p}
        g.taken |= {p}  #: 1.2
        g.last = p  #: 1.2


@entry("open behind a counter")
@procedure(scope=Scope.STEP)
async def open_behind_a_counter(g: Game) -> None:
    """A number is raised as often as somebody likes, and then by 1 or 3: which of them, nobody decides."""
    again = await may(FIRST)
    while again:
        g.n += 1  #: 1.2
        again = await may(FIRST)
    g.n += 3  #: 1.2
    by = await choose(OPEN("1.1"), {1, 3})  #: 1.1
    g.n += by  #: 1.2
    last = await may(SECOND)
    if last or g.n == 0:
        finish(SECOND)
    finish(FIRST)
