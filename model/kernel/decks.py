"""Decks, and the hands that are drawn from them. Where nobody knows the order of a pile, luck says which card is on top."""
from ..lang import *


# ---------------------------------------------------------------- from the top
@procedure
async def top_card(pile: Pile) -> Option[Card]:
    """The top card of the pile; none if it is empty."""
    if not pile:
        return None
    return await chance(on_top(pile))


@procedure
async def take(g: State, pile: Pile, count: int, to: Zone, move: Step[[Card, Zone], None]) -> None:
    """So many cards, or all there are, go from the top of the pile to a zone, one after the other."""
    for _ in up_to(min(count, len(pile))):
        card = await chance(on_top(pile))
        move(g, card, to)


@step
def lay(g: State, card: Card, to: Zone) -> None:
    """For `take`, where a book tells nothing of it: the card goes there, and that is all."""
    put(card, to)


# ---------------------------------------------------------------- into the pile
@procedure
async def put_under(who: Player, cards: Set[Card], pile: Pile) -> None:
    """The cards go under the pile, in the order that the player chooses."""
    left = cards
    while left:
        card = await choose(who, left)
        put(card, pile, at=BOTTOM)
        left -= {card}


@step
def shuffle_into(g: State, cards: Set[Card], pile: Pile, move: Step[[Card, Zone], None]) -> None:
    """The cards become part of the pile, which is shuffled."""
    for c in cards:
        move(g, c, pile)
    shuffle(pile)


# ---------------------------------------------------------------- the hand
@procedure
async def choose_excess(who: Player, hand: Bag, limit: int) -> Set[Card]:
    """Of more cards than the limit, those that the player chooses to do without."""
    excess = max(len(hand) - limit, 0)
    return await choose_some(who, hand, excess, excess)
