"""Cards laid onto a pile in an order that nobody chose."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def return_hand(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        put(card, g.deck[p], at=BOTTOM)


@procedure
async def main(g: Game) -> None:
    return
