"""A rule that serves several clauses: what has no mark of its own in it is done for the clauses of the call."""
from rulewright.model.lang import *


class Game(State):
    life: Per[Player, Annotated[int, Range(0, 5)]] = each(2)


@procedure
async def hits(g: Game, p: Player) -> bool:  #: caller
    """The player may hit the other."""
    if not can_hit(g, p):
        return False  #: 1.1
    hit = await may(p)
    if hit:
        lose(g, other(p))
    return hit


@define
def can_hit(g: Game, p: Player) -> bool:  #: caller
    return g.life[other(p)] > 0


@step
def lose(  #: caller
    g: Game, p: Player
) -> None:
    g.life[p] -= 1


@procedure
async def main(g: Game) -> None:
    acted = await hits(g, FIRST)  #: 1.2
    if acted:
        await hits(g, FIRST)  #: 1.3
    while await hits(g, SECOND):  #: 9.4.3
        lose(g, SECOND)  #: 1.2
