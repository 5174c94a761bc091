"""Ordered and unordered zones, and what is asked of them."""
from rulewright.model.lang import *


Lane = Annotated[int, Range(1, 2)]


class Game(State):
    deck: Per[Player, Pile]
    hand: Per[Player, Bag]
    lane: Per[Player, Per[Lane, Pile]]
    table: Bag
    seen: Option[Player]
    number: Annotated[int, Range(0, 3)]


@define
def strong(card: Card) -> bool:
    return owner(card) == FIRST


@step
def lay_out(g: Game) -> None:
    for c in CARDS:
        put(c, g.deck[owner(c)])
    shuffle(g.deck[FIRST])
    shuffle(g.deck[SECOND])


@procedure
async def main(g: Game) -> None:
    lay_out(g)
    drawn = await chance(on_top(g.deck[FIRST]))
    put(drawn, g.lane[FIRST][2])
    if zone_of(drawn) in g.lane and zone_of(drawn) == g.lane[FIRST][2] and drawn not in g.table:
        g.seen = zone_player(zone_of(drawn))
        g.number = zone_number(zone_of(drawn))
    again = await chance(on_top(g.deck[FIRST]))
    put(again, g.lane[FIRST][2], at=BOTTOM)
    top = last(c for c in g.lane[FIRST][2] if strong(c))
    bottom = first(c for c in g.lane[FIRST][2])
    if top is not None and top == drawn and bottom == again:
        put(top, g.hand[SECOND])
    if bottom is not None:
        put(bottom, g.table)
    g.number = len(on_top(g.deck[FIRST])) + len(g.hand[SECOND])
