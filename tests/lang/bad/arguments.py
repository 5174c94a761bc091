"""Arguments missing, too many, misnamed; the state forgotten, or given for nothing."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def hurt(g: Game, p: Player, n: Annotated[int, Range(0, 9)]) -> None:
    g.life[p] -= n


@define
def double(n: Annotated[int, Range(0, 9)]) -> int:
    return n + n


@step
def test(g: Game) -> None:
    hurt(g, FIRST)
    hurt(g, FIRST, 1, 2)
    hurt(FIRST, 1)
    hurt(g, FIRST, m=1)
    g.life[FIRST] = double(g, 1)
    other()


@procedure
async def main(g: Game) -> None:
    return
