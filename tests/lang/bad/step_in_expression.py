"""A step in the middle of an expression; effects as values; a define as a statement."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def heal(g: Game, p: Player) -> bool:
    g.life[p] += 1
    return True


@define
def alive(g: Game, p: Player) -> bool:
    return g.life[p] > 0


@step
def test(g: Game, p: Player) -> None:
    if heal(g, p):
        alive(g, p)
    x = shuffle(g.deck[p])
    g.life[p] == 3


@procedure
async def main(g: Game) -> None:
    return
