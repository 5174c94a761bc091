"""How many at least is not said of a subset."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def main(g: Game) -> None:
    some = await choose_some(g.turn, g.hand[g.turn], at_most=1)
    for card in some:
        put(card, g.trash)
