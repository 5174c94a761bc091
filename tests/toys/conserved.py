"""Tokens that must not get lost."""
from rulewright.model.lang import *


class Game(State):
    pool: Per[Player, Annotated[int, Range(0, 3)]] = each(2)
    leaks: bool = True


@invariant
def four_tokens(g: Game) -> bool:
    return sum(g.pool[p] for p in PLAYERS) == 4


@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        n = await choose_number(FIRST, 0, 1)
        if n == 0:
            return
        if g.pool[FIRST] == 0:
            return
        g.pool[FIRST] -= 1  #: 1.1
        if not g.leaks:
            g.pool[SECOND] = min(3, g.pool[SECOND] + 1)  #: 1.2
            g.pool[FIRST] = 4 - g.pool[SECOND]
