"""`await` in the middle of an expression, in a condition, in a loop head and behind `+=`."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def main(g: Game) -> None:
    put(await choose(g.turn, g.hand[g.turn]), g.trash)
    if await may(g.turn):
        g.turn = other(g.turn)
    while await may(g.turn) and g.life[g.turn] > 0:
        g.turn = other(g.turn)
    g.life[g.turn] -= await choose_number(g.turn, 0, 2)
