"""Players are asked, and cards and numbers gone through, in an order that is named; it is looked up before the first."""
from rulewright.model.lang import *


class Game(State):
    turn_player: Player
    said: Per[Player, bool]
    deck: Pile
    hand: Per[Player, Bag]
    total: Annotated[int, Range(-20, 20)]
    first_told: Option[Player]


@step
def pile_up(g: Game, a: Card, b: Card) -> None:
    for c in (a, b):
        put(c, g.deck)  #: 1.1


@step
def weigh(g: Game) -> None:
    for n in (3, -2, 5):
        g.total = n - g.total
    for p in (other(g.turn_player), g.turn_player):
        if g.first_told is None:
            g.first_told = p


@procedure
async def main(g: Game) -> None:
    for p in (g.turn_player, other(g.turn_player)):
        g.said[p] = await may(p)
        g.turn_player = SECOND
    for p in (FIRST, SECOND):
        g.said[p] = await may(p)
    for p in (SECOND, FIRST):
        if g.said[p]:
            break
        await may(p)
    weigh(g)
    c = await choose(FIRST, CARDS)
    d = await choose(SECOND, CARDS)
    pile_up(g, c, d)
