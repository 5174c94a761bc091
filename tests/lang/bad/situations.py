"""Situations that do not say when, with a condition too late, or in the wrong form."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def anybody(g: Game, p: Player) -> Player:
    return p


@situation
async def dead(g: Game, p: Player) -> None:
    finish(other(p))


@situation
async def alive(g: Game) -> None:
    g.turn = FIRST
    when(g.life[FIRST] > 0)


@situation
def tidy(g: Game, p: Player) -> None:
    g.life[p] = 5


@situation
@settled_by(anybody)
async def orderly(g: Game) -> bool:
    when(True)
    return True


@situation
@settled_by(anybody)
async def odd(g: Game) -> None:
    when(g.life[FIRST] == 1)


@procedure
async def main(g: Game) -> None:
    return
