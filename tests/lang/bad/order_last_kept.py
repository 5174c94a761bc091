"""The last card gone through is kept."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    chosen: Option[Card]


@step
def mark(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        g.chosen = card


@procedure
async def main(g: Game) -> None:
    return
