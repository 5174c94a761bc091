"""Who is out loses, and both may be out at once: the first player says who is looked at first."""
from rulewright.model.lang import *


class Game(State):
    lamps: Per[Player, Annotated[int, Range(0, 3)]] = each(1)


@define
def decider(g: Game) -> Player:
    return FIRST


@situation
@settled_by(decider)
async def all_burn(g: Game, p: Player) -> None:
    """Which does not come about here: nothing of it is told."""
    when(g.lamps[p] == 3)  #: 1.1
    finish(p)  #: 1.1


@situation
@settled_by(decider)
async def a_player_is_out(g: Game, p: Player) -> None:
    when(g.lamps[p] == 0)  #: 1.5
    finish(other(p))  #: 1.5


@entry("main")
@procedure
async def main(g: Game) -> None:
    lose_one(g)
    return


@step
def lose_one(g: Game) -> None:
    with simultaneously():
        for p in PLAYERS:
            g.lamps[p] -= 1  #: 1.4
