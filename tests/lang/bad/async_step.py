"""A step that is `async`."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
async def next_player(g: Game) -> None:
    g.turn = other(g.turn)


@procedure
async def main(g: Game) -> None:
    return
