"""Sums of what abilities say by how much: numbers below zero, too, wherever the sum is kept."""
from rulewright.model.lang import *


class Printed(Definition):
    abilities: Set[Ability]


class Game(State):
    total: Annotated[int, Range(-9, 9)]
    weak: bool


@define
def changes(g: Game, c: Card) -> int:
    """What all abilities together do to a card."""
    added = sum(how_much(g, a, x, owner(x), c) for x in CARDS for a in Printed(x).abilities)  #: 1.1
    return added


@entry("main")
@procedure
async def main(g: Game) -> None:
    c = await choose(FIRST, CARDS)
    g.total = changes(g, c)  #: 1.1
    g.weak = changes(g, c) < 0  #: 1.2
