"""What can be a condition besides a truth: whether there is anything in a set, a zone, a multiset or a pool, and what is awaited."""
from rulewright.model.lang import *


class Mark(Record):
    on: Card


class Game(State):
    hand: Per[Player, Bag]
    deck: Pile
    open: Set[Player]
    marks: Multiset[Mark]
    notes: Pool[Mark]
    count: Annotated[int, Range(0, 9)]


@define
def something(g: Game, p: Player) -> bool:
    return True if g.hand[p] or not g.open else any(g.hand[q] for q in PLAYERS)


@procedure
async def wins(g: Game, p: Player) -> bool:
    return await may(p)


@procedure
async def main(g: Game) -> None:
    for c in g.deck:
        g.marks.add(Mark(c))
        g.notes.new(Mark(c))
    while g.marks:
        g.marks.clear()
    if g.notes and g.deck:
        g.count += 1
    if await may(FIRST):
        g.count += 1
    else:
        g.count += 2
    if not await wins(g, SECOND):
        g.count += 3
    if something(g, FIRST) and not {p for p in PLAYERS if g.hand[p]}:
        g.count += 1
    if g.count > 4:
        finish(FIRST)
