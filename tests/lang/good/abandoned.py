"""The rest of a block is dropped once a condition holds."""
from rulewright.model.lang import *


class Game(State):
    life: Annotated[int, Range(0, 9)] = 4
    steps: Annotated[int, Range(0, 9)]
    flag: bool


@step
def hurt(g: Game) -> None:
    g.life -= 1
    g.steps += 1


@procedure
async def main(g: Game) -> None:
    more = await may(FIRST)
    with abandon_when(lambda: g.life <= 2 and more):
        hurt(g)
        with restored(g.flag):
            g.flag = True
            hurt(g)
            g.steps += 1
        again = await may(SECOND)
        if again:
            hurt(g)
        hurt(g)
    g.steps += 1
