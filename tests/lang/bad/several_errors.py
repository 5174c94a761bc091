"""Three mistakes in one rule: all of them are told, and nothing else."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player) -> None:
    best = g.hnad[p]
    put(best, g.trash)
    for card in g.hannd[p]:
        put(card, g.thrash)


@procedure
async def main(g: Game) -> None:
    return
