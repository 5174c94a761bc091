"""Players are asked one after the other, and nobody says who comes first; orders of things that have none."""
from rulewright.model.lang import *


class Mark(Record):
    on: bool


class Game(State):
    turn_player: Player
    said: Per[Player, bool]
    active: Set[Player]
    hand: Per[Player, Bag]


@procedure
async def ask_one(g: Game, p: Player) -> None:
    g.said[p] = await may(p)


@procedure
async def main(g: Game) -> None:
    for p in PLAYERS:
        g.said[p] = await may(p)
    for p in g.active:
        if g.said[p]:
            await ask_one(g, p)
    for p in {q for q in PLAYERS if not g.said[q]}:
        g.said[p] = True
    for x in (FIRST, 3):
        g.said[FIRST] = True
    for m in (Mark(True), Mark(False)):
        g.said[FIRST] = m.on
    for z in (g.hand[FIRST], g):
        g.said[FIRST] = True
