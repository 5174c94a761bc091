"""Procedures: asking, loops, results, calls that end a procedure."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    left: Annotated[int, Range(0, 3)] = 3
    done: bool


@procedure
async def ask(g: Game, p: Player) -> bool:
    goes_on = await may(p)
    return goes_on


@procedure
async def countdown(g: Game) -> int:
    """How often both said yes."""
    n = 0
    while g.left > 0:
        g.left -= 1
        a = await ask(g, g.turn)
        if not a:
            continue
        b = await ask(g, other(g.turn))
        if not b:
            break
        n += 1
    return n


@procedure
async def last_word(g: Game) -> None:
    g.done = True
    await closing(g)


@procedure
async def closing(g: Game) -> None:
    x = await may(g.turn)
    if x:
        g.turn = other(g.turn)


@procedure
async def main(g: Game) -> None:
    n = await countdown(g)
    if n == 3:
        finish(g.turn)
    await last_word(g)
