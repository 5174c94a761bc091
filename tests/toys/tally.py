"""A tally that is kept for longer than any play lasts: for ever, or until it is full."""
from rulewright.model.lang import *


class Game(State):
    tally: Annotated[int, Range(0, 32_000)] = 0
    side: bool = False


@procedure
async def keep(g: Game) -> None:
    g.tally += 1  #: 1.1
    if await may(FIRST):
        g.side = not g.side  #: 1.2


@entry("main")
@procedure
async def main(g: Game) -> None:
    while g.tally >= 0:
        await keep(g)


@entry("full")
@procedure
async def full(g: Game) -> None:
    while g.tally < 25_000:
        await keep(g)
