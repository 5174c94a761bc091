"""Fractions, text, lists, tuples, dictionaries, slices."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player) -> None:
    a = 0.5
    b = "text"
    c = [1, 2]
    d = (1, 2)
    e = {1: 2}
    f = f"{a}"
    h = [x for x in g.hand[p]]
    i = 7 / 2
    j = 2 ** 3
    k = 100000
    m = +1
    n = ~1
    o = -1  # that there is


@procedure
async def main(g: Game) -> None:
    return
