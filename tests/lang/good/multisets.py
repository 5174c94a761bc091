"""Entries that count but have no order."""
from rulewright.model.lang import *


class Waiting(Record):
    card: Card
    who: Player
    left: Annotated[int, Range(0, 3)] = 1


class Game(State):
    waiting: Multiset[Waiting]
    total: Annotated[int, Range(0, 30)]


@step
def fill(g: Game) -> None:
    for c in CARDS:
        g.waiting.add(Waiting(c, owner(c)))
        g.waiting.add(Waiting(c, owner(c), 2))
        g.waiting.add(Waiting(c, owner(c)))


@define
def of(g: Game, p: Player) -> int:
    return sum(w.left for w in g.waiting if w.who == p)


@step
def count(g: Game) -> None:
    for w in g.waiting:
        g.total += w.left


@procedure
async def main(g: Game) -> None:
    fill(g)
    count(g)
    while any(w.who == FIRST for w in g.waiting):
        w = await choose(FIRST, {w for w in g.waiting if w.who == FIRST})
        g.waiting.remove(w)
        if w.left > 1 and Waiting(w.card, w.who, 1) in g.waiting:
            g.waiting.add(Waiting(w.card, w.who, w.left - 1))
    if g.waiting:
        rest = await choose(SECOND, g.waiting)
        g.waiting.remove(rest)
    g.total = len(g.waiting) + of(g, SECOND)
    g.waiting.clear()
