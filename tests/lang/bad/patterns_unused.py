"""A rule that is given rules, and that nobody uses: nothing in it can be looked at."""
from rulewright.model.lang import *


class Game(State):
    turn: Player


@procedure
async def both(g: Game, offer: Procedure[[Player], bool]) -> None:
    await offer(g, FIRST)
    await offer(g, SECOND)


@procedure
async def main(g: Game) -> None:
    return
