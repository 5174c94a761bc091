"""A clause mark that the book does not have, one on no statement, and one without a number."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def next_player(g: Game) -> None:
    g.turn = other(g.turn)  #: 9.4.4


@step
def first_player(g: Game) -> None:
    g.turn = FIRST  #:
    #: 1.1
    not_modelled("1.11")


@procedure
async def main(g: Game) -> None:
    return
