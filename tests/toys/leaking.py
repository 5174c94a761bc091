"""A counter with a cap that the rules forget, and a number that one of two actions loses."""
from rulewright.model.lang import *


class Game(State):
    here: Annotated[int, Range(0, 9)] = 4
    there: Annotated[int, Range(0, 9)] = 0
    count: Annotated[int, Range(0, 5)] = 0


@invariant
def nothing_is_lost(g: Game) -> bool:
    return g.here + g.there == 4


@step
def move(g: Game) -> None:
    g.here -= 1
    g.there += 1


@step
def drop(g: Game) -> None:
    g.there -= 1


@step
def one_more(g: Game) -> None:
    g.count += 1


@entry("main")
@procedure
async def main(g: Game) -> None:
    while g.here > 0:
        await move_or_count(g)


@entry("dropping")
@procedure
async def dropping(g: Game) -> None:
    while True:
        yes = await may(FIRST)
        if yes and g.here > 0:
            move(g)
        elif g.there > 2:
            drop(g)


@procedure
async def move_or_count(g: Game) -> None:
    yes = await may(FIRST)
    if yes:
        move(g)
    else:
        one_more(g)
