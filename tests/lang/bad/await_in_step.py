"""A step that asks somebody."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def discard(g: Game) -> None:
    card = await choose(g.turn, g.hand[g.turn])
    put(card, g.trash)


@procedure
async def main(g: Game) -> None:
    return
