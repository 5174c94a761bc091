"""The same name twice, and a name that the language has."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def limit(g: Game) -> int:
    return 7


@define
def limit(g: Game) -> int:
    return 8


@step
def shuffle(g: Game) -> None:
    g.turn = FIRST


@procedure
async def main(g: Game) -> None:
    return
