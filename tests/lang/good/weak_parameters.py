"""A parameter that is a card as the object it now is: none from when the card is renewed."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    hand: Bag
    gone: Bag
    seen: Option[Obj] = None
    missed: Annotated[int, Range(0, 3)]


@step
def leave(g: Game, card: Card) -> None:
    put(card, g.gone)
    renew(card)


@procedure
async def look_at(g: Game, card: Obj) -> None:
    g.seen = card
    if await may(g.turn):
        leave(g, card)
    if card is None:
        g.missed += 1
    else:
        put(card, g.gone)


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)
    one = await choose(g.turn, g.hand)
    await look_at(g, one)
    if g.seen is not None and g.missed == 0:
        await look_at(g, g.seen)
