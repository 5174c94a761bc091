"""A decider who is perhaps nobody: of an option, by a condition, in a rule that asks on behalf of others."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    named: Option[Player] = None
    agreed: bool
    hand: Bag
    gone: Bag


@define
def master(g: Game) -> Option[Player]:
    return g.named


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)
    one = await choose(g.named or OPEN("2.1"), g.hand)  #: 2.1
    put(one, g.gone)
    g.agreed = await may(OPEN("2.2") if len(g.hand) == 1 else g.turn)  #: 2.2
    who = await answer(g, by=master(g) or (OPEN("2.3") if g.agreed else g.turn))
    g.turn = who


@procedure
async def answer(g: Game, by: Decider) -> Player:
    return await choose(by, PLAYERS)  #: 2.3
