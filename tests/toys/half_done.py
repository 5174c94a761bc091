"""A step that asks for a reading when half of it is done."""
from rulewright.model.lang import *


class Game(State):
    pool: Per[Player, Annotated[int, Range(0, 3)]] = each(2)


@invariant
def four_tokens(g: Game) -> bool:
    return sum(g.pool[p] for p in PLAYERS) == 4


@step
def give(g: Game) -> None:
    g.pool[FIRST] -= 1
    if reading("rest") == "untaps":
        g.pool[SECOND] += 1  #: 1.1
    else:
        g.pool[FIRST] += 1  #: 1.2


@entry("main")
@procedure
async def main(g: Game) -> None:
    gives = await may(FIRST)
    if gives:
        give(g)
