"""Tail calls, and calls inside a recursive component."""
from rulewright.model.lang import *


class Game(State):
    n: Annotated[int, Range(0, 6)]
    turn: Player


@procedure
async def bounce(g: Game, p: Player, depth: Annotated[int, Range(0, 9)]) -> None:
    """Calls itself and has something left to do: the call is a label."""
    if depth < 3:
        await bounce(g, other(p), depth + 1)
    g.turn = p


@procedure
async def ping(g: Game) -> None:
    """Two procedures that replace each other: no frame is left behind."""
    if g.n < 6:
        g.n += 1
        await pong(g)


@procedure
async def pong(g: Game) -> None:
    go = await may(g.turn)
    if go:
        await ping(g)


@procedure
async def plain(g: Game) -> bool:
    """Not recursive: a call of it is no label."""
    return g.n == 0


@procedure
async def main(g: Game) -> None:
    nothing_yet = await plain(g)
    if nothing_yet:
        await bounce(g, FIRST, 0)
    await ping(g)
