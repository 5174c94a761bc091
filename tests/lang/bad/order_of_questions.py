"""Asking about card after card in no stated order."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@procedure
async def main(g: Game) -> None:
    for card in g.hand[g.turn]:
        keep = await may(g.turn)
        if not keep:
            put(card, g.trash)
