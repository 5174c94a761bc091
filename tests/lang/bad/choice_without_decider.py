"""Nobody is named who decides."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def main(g: Game) -> None:
    card = await choose(g.hand[g.turn])
    put(card, g.trash)
