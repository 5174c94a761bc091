"""Locals that matter no more do not keep equal states apart."""
from rulewright.model.lang import *


class Game(State):
    turn: Player


@procedure
async def main(g: Game) -> None:
    while True:
        n = await choose_number(g.turn, 1, 3)
        if n == 3:
            return
        for p in PLAYERS:
            if n == 1:
                g.turn = p
        again = await may(g.turn)
        if not again:
            g.turn = other(g.turn)
