"""One name for two types, a constant assigned, the state replaced."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


LIMIT = 7


@step
def confuse(g: Game, p: Player) -> None:
    best: Option[Card] = None
    best: Player = p
    LIMIT = 8
    main = 8
    g = 3
    a = b = 3
    n: Annotated[int, Range(0, 3)]


@procedure
async def main(g: Game) -> None:
    return
