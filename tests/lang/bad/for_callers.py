"""`caller` in place of a clause where nobody calls, at a statement, and beside a clause."""
from rulewright.model.lang import *


class Game(State):
    life: Annotated[int, Range(0, 5)]


@invariant
def alive(g: Game) -> bool:  #: caller
    return g.life >= 0


@step
def lose(g: Game) -> None:  #: caller
    g.life -= 1  #: caller


@step
def win(g: Game) -> None:  #: caller, 1.1
    g.life += 1


@procedure
async def main(g: Game) -> None:
    lose(g)  #: 1.1
    win(g)  #: 1.2
