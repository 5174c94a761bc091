"""A procedure called without `await`, as a statement and in a condition."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def draw_phase(g: Game) -> bool:
    again = await may(g.turn)
    return again


@procedure
async def main(g: Game) -> None:
    draw_phase(g)
    if draw_phase(g):
        g.turn = other(g.turn)
