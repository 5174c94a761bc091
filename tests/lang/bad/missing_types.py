"""Parameters and fields without a type."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Hit(Record):
    amount = 1


@step
def hurt(g, p: Player, n) -> None:
    g.life[p] -= n


@procedure
async def main(g: Game) -> None:
    return
