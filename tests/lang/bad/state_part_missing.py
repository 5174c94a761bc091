"""Rules of a part of the state that use another part."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.turns import *


class Points(State):
    points: Per[Player, Annotated[int, Range(0, 9)]]


class Game(Turns, Points):
    hand: Per[Player, Bag]


@define
def poor(g: Points, p: Player) -> bool:
    return g.points[p] == 0 and len(g.hand[p]) == 0


@step
def lose(g: Points, p: Player) -> None:
    g.points[p] -= 1
    pass_turn(g)
    g.point[p] += 1


@procedure
async def main(g: Game) -> None:
    lose(g, FIRST)
