"""A field in two parts, a part that is none, a rule of a part that uses another part, two wholes."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.turns import *


class Points(State):
    points: Per[Player, Annotated[int, Range(0, 9)]]
    turns: bool


class Mark(Record):
    on: bool


class Zones(State):
    hand: Per[Player, Bag]


class Game(Turns, Points, Mark):
    points: bool


class Other(Points):
    extra: bool


@define
def poor(g: Points, p: Player) -> bool:
    return g.points[p] == 0 and len(g.hand[p]) == 0


@step
def lose(g: Points, p: Player) -> None:
    g.points[p] -= 1
    pass_turn(g)


@step
def draw(g: Zones, p: Player) -> None:
    g.point[p] += 1


@step
def keep(p: Player, g: Points) -> None:
    return


@define
def all_of(g: Game) -> Points:
    return g


@procedure
async def main(g: Game) -> None:
    lose(g, FIRST)
