"""A limit that is read while it is being used up."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def fill_hand(g: Game, p: Player) -> None:
    for card in g.trash:
        if len(g.hand[p]) < 5:
            put(card, g.hand[p])


@procedure
async def main(g: Game) -> None:
    return
