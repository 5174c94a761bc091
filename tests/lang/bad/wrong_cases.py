"""Patterns that can never fit."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class Pass(Inaction):
    """Do nothing."""


class Play(Record):
    card: Card


class Stop(Record):
    """Another one."""


@procedure
async def main(g: Game) -> None:
    act = await choose(g.turn, {Pass()} | {Play(c) for c in g.hand[g.turn]})
    match act:
        case Stop():
            return
        case Paly(card):
            return
        case Play(kard=c):
            return
        case [a, b]:
            return
        case _:
            return
