"""Two situations whose order two different rules decide."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def mine(g: Game) -> Player:
    return g.turn


@define
def yours(g: Game) -> Player:
    return other(g.turn)


@situation
@settled_by(mine)
async def low(g: Game) -> None:
    when(g.life[FIRST] == 1)
    g.life[FIRST] = 2


@situation
@settled_by(yours)
async def high(g: Game) -> None:
    when(g.life[FIRST] == 9)
    g.life[FIRST] = 8


@procedure
async def main(g: Game) -> None:
    return
