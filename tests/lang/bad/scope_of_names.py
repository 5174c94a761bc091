"""A loop variable used after its loop, and a name of a comprehension outside it."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def strange(g: Game, p: Player) -> bool:
    total = 0
    for q in PLAYERS:
        total += g.life[q]
    strong = any(g.life[r] > 3 for r in PLAYERS)
    return g.life[q] > 3 or g.life[r] > 3


@procedure
async def main(g: Game) -> None:
    return
