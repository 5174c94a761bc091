"""A ladder: who errs once falls and play is over, so the top is hardly ever come to by lot."""
from rulewright.model.lang import *


class Game(State):
    height: Annotated[int, Range(0, 40)] = 0


@invariant
def nobody_is_on_top(g: Game) -> bool:
    return g.height < 30


@entry("main")
@procedure
async def main(g: Game) -> None:
    fallen = False
    while not fallen:
        left = await may(FIRST)
        if left == (g.height % 2 == 0):
            g.height += 1
        else:
            fallen = True
