"""Emitting what is no event, listening rules of the wrong form."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Moved(Record):
    card: Card


@step
def move(g: Game, card: Card) -> None:
    emit(Moved(card))
    emit(card)


@trigger_policy
def met(g: Game, card: Card) -> None:
    g.turn = FIRST


@procedure
async def main(g: Game) -> None:
    return
