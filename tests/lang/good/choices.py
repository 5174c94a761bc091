"""Everything somebody can be asked."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    hand: Bag
    away: Bag
    n: Annotated[int, Range(0, 9)]
    coin: bool


LANES = Range(1, 3)


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)
    yes = await may(g.turn)
    if yes:
        n = await choose_number(g.turn, 0, len(g.hand))
        some = await choose_some(g.turn, g.hand, at_least=n, at_most=n)
        for c in some:
            put(c, g.away)
        any_number = await choose_some(g.turn, g.hand, at_least=1)
        for c in any_number:
            put(c, g.away)
    else:
        lane = await choose(other(g.turn), LANES)
        g.n = lane
    one = await choose(OPEN("1.1"), PLAYERS)  #: 1.1
    g.turn = one
    drawn = await chance({c for c in CARDS if c in g.hand})
    put(drawn, g.away)
    g.coin = await chance({n > 1 for n in LANES})
    nobody = await choose(g.turn, {g.turn})
    g.turn = nobody
