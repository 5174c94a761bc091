"""Asking a card or an option for what is not in it."""
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


@procedure
async def main(g: Game) -> None:
    act = await choose(g.turn, {Pass()} | {Play(c) for c in g.hand[g.turn]})
    put(act.card, g.trash)
    if the(g.trash).power > 3:
        g.turn.life = 3
    g.life.total = 1
