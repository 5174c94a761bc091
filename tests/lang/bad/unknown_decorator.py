"""Kinds of rules that do not exist."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@defin
def limit(g: Game) -> int:
    return 7


@step
@define
def both(g: Game) -> int:
    return 7


def neither(g: Game) -> int:
    return 7


@procedure
async def main(g: Game) -> None:
    return
