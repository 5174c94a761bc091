"""Sets of small numbers, players, members and cards."""
from rulewright.model.lang import *


class Suit(Enum):
    RED, BLUE, GREEN = 1, 2, 3


LANES = Range(2, 5)
Lane = Annotated[int, LANES]


class Game(State):
    lanes: Set[Lane] = {2, 3}
    suits: Set[Suit] = {Suit.RED}
    who: Set[Player]
    cards: Set[Card]
    free: Per[Lane, bool]
    n: Annotated[int, Range(0, 9)]


@define
def shifted(g: Game) -> Set[Lane]:
    return {n + 1 for n in g.lanes if n + 1 in LANES}


@define
def paired(g: Game) -> Set[Suit]:
    return {s for s in Suit for t in g.suits if s != t}


@step
def change(g: Game) -> None:
    g.lanes |= shifted(g)
    g.lanes -= {2}
    g.lanes = (g.lanes | {5}) & {3, 4, 5} ^ {4}
    g.suits |= paired(g)
    g.who = {p for p in PLAYERS if p != FIRST}
    g.cards = CARDS
    for n in g.lanes:
        g.free[n] = True
    g.n = len(g.lanes) + len(g.suits) + len({n // 2 for n in LANES})


@procedure
async def main(g: Game) -> None:
    change(g)
    x = the(g.who)
    if x == SECOND and 3 in g.lanes and 9 not in g.lanes and Suit.GREEN in g.suits and g.lanes == {3, 5}:
        found: Set[Lane] = set()
        for n in LANES:
            if g.free[n]:
                found |= {n}
        g.lanes = found
        finish(x)
