"""Signals unwind procedures to where they are caught."""
from rulewright.model.lang import *


class PhaseEnds(Signal):
    """The phase ends."""


class TurnEnds(Signal):
    """The turn ends."""


class Game(State):
    n: Annotated[int, Range(0, 9)]


@procedure
async def deep(g: Game) -> None:
    which = await choose_number(FIRST, 0, 3)
    if which == 1:
        raise PhaseEnds
    if which == 2:
        raise TurnEnds
    g.n += 1


@procedure
async def middle(g: Game) -> None:
    try:
        await deep(g)
        g.n += 2
    except PhaseEnds:
        g.n += 4
    if g.n == 3:
        again = await may(SECOND)
        if again:
            raise TurnEnds


@procedure
async def main(g: Game) -> None:
    try:
        await middle(g)
    except TurnEnds:
        g.n = 9
        raise PhaseEnds
    except PhaseEnds:
        g.n = 0
