"""Defaults, stars, the state in second place."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def limit(g: Game, n: Annotated[int, Range(0, 9)] = 3) -> int:
    return n


@define
def total(g: Game, *cards: Card) -> int:
    return 0


@define
def late(p: Player, g: Game) -> int:
    return 0


@define
def nothing(g: Game, x: None) -> int:
    return 0


@procedure
async def main(g: Game) -> None:
    return
