"""The first card found in a bag."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def some_card(g: Game, p: Player) -> Option[Card]:
    for card in g.hand[p]:
        return card
    return None


@step
def discard_one(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        put(card, g.trash)
        break


@procedure
async def main(g: Game) -> None:
    return
