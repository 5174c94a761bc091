"""A zone assigned, indexed, grown by a method; the bottom of a bag."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player, card: Card) -> None:
    g.hand[p] = g.trash
    g.hand[p].add(card)
    put(card, g.hand[p], at=BOTTOM)
    put(card, g.deck[p], BOTTOM)
    shuffle(g.trash)
    put(g.deck[p][0], g.trash)
    g.turn = FIRST if len(g.hand) > 3 else SECOND
    put(card)


@procedure
async def main(g: Game) -> None:
    return
