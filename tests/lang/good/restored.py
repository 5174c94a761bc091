"""Places that get their values back, however the block is left."""
from rulewright.model.lang import *


class Stop(Signal):
    """Enough."""


class Game(State):
    turn: Player
    n: Annotated[int, Range(0, 9)]
    flags: Per[Player, bool]


@procedure
async def in_turn_of(g: Game, p: Player, how: Annotated[int, Range(0, 4)]) -> Annotated[int, Range(0, 9)]:
    """Every way out of the block."""
    while True:
        with restored(g.turn, g.flags[g.turn]):
            g.flags[g.turn] = True
            g.turn = p
            g.n += 1
            if how == 1:
                return g.n + 1 if g.turn == p else 0
            if how == 2:
                break
            if how == 3:
                raise Stop
            if how == 4 and g.n == 1:
                continue
            await nothing(g)
        return 7
    return 8


@procedure
async def nothing(g: Game) -> None:
    sure = await may(g.turn)
    if not sure:
        raise Stop


@step
def briefly(g: Game) -> None:
    with restored(g.n):
        g.n = 9
        g.flags[SECOND] = g.n == 9


@procedure
async def main(g: Game) -> None:
    how = await choose_number(FIRST, 0, 4)
    try:
        result = await in_turn_of(g, SECOND, how)
        g.n = result
    except Stop:
        g.n = 6
    briefly(g)
    if g.turn != FIRST or g.flags[FIRST]:
        gap("1.1")
