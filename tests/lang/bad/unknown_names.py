"""Names that do not exist, each near one that does."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    phase: Phase


class Phase(Enum):
    MAIN = 1
    END = 2


@define
def is_alive(g: Game, p: Player) -> bool:
    return g.lief[p] > 0


@step
def punish(g: Game, p: Player) -> None:
    if is_alife(g, p):
        g.phase = Phase.MIAN
        g.life[q] -= 1
        shufle(g.deck[p])
        life[p] -= 1
        lief[p] -= 1


@procedure
async def main(g: Game) -> None:
    return
