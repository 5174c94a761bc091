"""Statements outside every rule."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


from .zones import Hand as H

LIMIT: int = 7
NAMES = ["a", "b"]
if LIMIT > 3:
    LIMIT = 8
print("loaded")
outranks(a, b)


@procedure
async def main(g: Game) -> None:
    return
