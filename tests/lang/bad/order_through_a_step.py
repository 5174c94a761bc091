"""The pile is filled by a step that the loop calls."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def move(g: Game, card: Card, to: Zone) -> None:
    put(card, to)


@step
def return_all(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        move(g, card, g.deck[p])


@procedure
async def main(g: Game) -> None:
    return
