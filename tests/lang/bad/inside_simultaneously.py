"""Leaving, asking, nesting and stopping in the middle of what happens at once."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Stop(Signal):
    """Enough."""


@procedure
async def main(g: Game) -> None:
    for p in (FIRST, SECOND):
        with simultaneously():
            g.life[p] -= 1
            if g.life[p] == 0:
                return
            if g.life[p] == 1:
                break
            again = await may(p)
            with simultaneously():
                g.turn = p
            with abandon_when(lambda: g.life[p] == 0):
                g.turn = p
            raise Stop
