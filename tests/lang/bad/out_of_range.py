"""Numbers that a field can never hold, and a range the wrong way round."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    lane: Per[Annotated[int, Range(1, 5)], bool]
    start: Annotated[int, Range(0, 3)] = 4


LANES = Range(1, 5)
Lane = Annotated[int, LANES]
BACKWARDS = Range(5, 1)


@step
def reset(g: Game) -> None:
    g.life[FIRST] = 10
    g.lane[6] = True
    g.lane[0] = True


@define
def front(n: Lane) -> bool:
    return front(7)


@procedure
async def main(g: Game) -> None:
    return
