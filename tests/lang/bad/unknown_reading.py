"""A reading, and an alternative, misspelt; a number asked for as text."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def limit(g: Game) -> int:
    if reading("hand-limt") == "seven":
        return 7
    if reading("hand-limit") == "seevn":
        return 7
    if reading("first-draw") == "one":
        return 1
    return reading_number("hand-limit")


@procedure
async def main(g: Game) -> None:
    return
