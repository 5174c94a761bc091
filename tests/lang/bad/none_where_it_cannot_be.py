"""`None` tests that are pointless, `is` for other things, and a local of no type."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def odd(g: Game, p: Player) -> bool:
    best = None
    found = set()
    if p is None:
        return True
    return p is FIRST


@procedure
async def main(g: Game) -> None:
    return
