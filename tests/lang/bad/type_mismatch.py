"""Values of the wrong type."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player, card: Card) -> None:
    g.life[p] = g.hand[p]
    g.life[card] = 3
    g.turn = g.hand[p]
    put(p, g.trash)
    if card == p:
        g.life[p] = True


@procedure
async def main(g: Game) -> None:
    return
