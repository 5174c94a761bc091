"""Parts of play, and readings of the same words by different players."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    n: Annotated[int, Range(0, 3)]


@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    await phase(g)
    await phase(g)


@procedure(scope=Scope.PHASE)
async def phase(g: Game) -> None:
    await a_step(g)


@procedure(scope=Scope.STEP)
async def a_step(g: Game) -> None:
    while True:
        go = await may(g.turn)
        if not go:
            return


@entry("turns")
@procedure
async def main(g: Game) -> None:
    while g.n < 3:
        await turn(g)
        g.turn = other(g.turn)
        g.n += 1
