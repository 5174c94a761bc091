"""A state made of parts: one of the kernel, one of the book; their rules work on it."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.turns import *


class Points(State):
    points: Per[Player, Annotated[int, Range(0, 9)]] = each(1)


class Game(Turns, Points):
    over: bool


@step
def score(g: Points, p: Player, by: Annotated[int, Range(0, 3)]) -> None:
    g.points[p] += by  #: 1.1


@procedure
async def main(g: Game) -> None:
    while g.points[FIRST] < 3:
        score(g, g.turn_player, 1)  #: 1.2
        pass_turn(g)  #: 1.3
    pass_turn(g)
    g.over = True
