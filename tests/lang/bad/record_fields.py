"""Fields left out, unknown, or too many."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Hit(Record):
    to: Player
    amount: Annotated[int, Range(0, 9)]
    deadly: bool = False


@procedure
async def main(g: Game) -> None:
    a = Hit(FIRST)
    b = Hit(FIRST, 1, True, 2)
    c = Hit(to=FIRST, amont=1)
    d = Hit(FIRST, "1")
