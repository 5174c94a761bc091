"""A define that changes something."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def heal(g: Game, p: Player) -> None:
    g.life[p] += 1


@define
def healed(g: Game, p: Player, card: Card) -> int:
    g.life[p] += 1
    put(card, g.trash)
    heal(g, p)
    return g.life[p]


@procedure
async def main(g: Game) -> None:
    return
