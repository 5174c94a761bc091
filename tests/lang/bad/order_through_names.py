"""A round that looks at what another has changed: the zone that a card leaves, a name, what a define reads."""
from rulewright.model.lang import *


class Game(State):
    hand: Per[Player, Bag]
    away: Bag
    tired: Per[Card, bool]


@step
def keep_to_five(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        if len(g.hand[p]) > 5:
            put(card, g.away)


@step
def away_with_one(g: Game, p: Player) -> None:
    gone = False
    for card in g.hand[p]:
        if not gone:
            put(card, g.away)
        gone = True


@define
def is_over(g: Game) -> bool:
    return len(g.away) < 2


@step
def away_with_two(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        if is_over(g):
            put(card, g.away)


@step
def tire_one(g: Game, p: Player) -> None:
    for card in g.hand[p]:
        if not any(g.tired[x] for x in g.hand[p]):
            g.tired[card] = True


@define
def first_two(g: Game, p: Player) -> int:
    seen, tired = 0, 0
    for card in g.hand[p]:
        if seen < 2 and g.tired[card]:
            tired += 1
        seen += 1
    return tired


@step
def all_tired(g: Game, p: Player) -> None:
    tired = 0
    for card in g.hand[p]:
        if not g.tired[card]:
            g.tired[card] = True
            tired += 1
    if tired > 0:
        for card in g.hand[p]:
            put(card, g.away)


@procedure
async def main(g: Game) -> None:
    return
