"""Two defines that use each other."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def even(g: Game, n: Annotated[int, Range(0, 9)]) -> bool:
    return n == 0 or odd(g, n - 1)


@define
def odd(g: Game, n: Annotated[int, Range(0, 9)]) -> bool:
    return n > 0 and even(g, n - 1)


@procedure
async def main(g: Game) -> None:
    return
