"""Lambdas, walrus, `yield`, calls of methods, unknown words."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player) -> None:
    a = lambda: 3
    if (b := g.life[p]) > 3:
        g.turn = p
    yield
    c = g.life[p].bit_length()
    d = abs(g.turn)
    e = g.hand[p] + g.hand[p]
    f = sorted(g.hand[p])
    h = -g.turn


@procedure
async def main(g: Game) -> None:
    return
