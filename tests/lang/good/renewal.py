"""A card that becomes a new object dies as the old one: in the state, in entries and in frames."""
from rulewright.model.lang import *


class Note(Record):
    about: Option[Obj]
    n: Annotated[int, Range(0, 3)] = 0


class Game(State):
    target: Option[Obj]
    per: Per[Player, Option[Obj]]
    marked: Per[Card, Option[Obj]]
    notes: Multiset[Note]
    places: Pool[Note]
    kept: Option[Card]
    hand: Bag
    away: Bag
    alive: Annotated[int, Range(0, 99)]


@step
def leave(g: Game, card: Card) -> None:
    put(card, g.away)
    renew(card)
    put(card, g.hand)


@procedure
async def watch(g: Game, mine: Option[Obj], same: Option[Card]) -> None:
    go = await may(FIRST)
    if go and same is not None:
        leave(g, same)
    g.alive += 1 if mine is not None else 0
    g.alive += 2 if same is not None else 0


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)
        if owner(c) == FIRST:
            g.notes.add(Note(c, 2))
            g.notes.add(Note(None, 1))
    card = the({c for c in CARDS if owner(c) == FIRST})
    g.target = card
    g.per[SECOND] = card
    for c in CARDS:
        if c != card:
            g.marked[c] = card
    g.kept = card
    r = g.places.new(Note(card))
    local: Option[Obj] = card
    await watch(g, card, card)
    g.alive += 10 if local is not None else 0
    if g.target is None and g.per[SECOND] is None and g.places[r].about is None and g.kept is not None:
        finish(None)
