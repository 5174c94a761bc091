"""7-1-6, 5-5-3 and 9-7: drawing cards, and rebuilding the deck."""
from ...kernel.decks import *
from ...lang import *
from .damage import *
from .effects import *


@procedure
async def draw(g: Game, p: Player) -> None:
    """The top card of the deck goes to hand. Without one there is impatience."""
    c = await top_card(g.deck[p])  #: 7-1-6
    if c is None:
        await impatience(g, p)  #: 5-5-3
    else:
        put(c, g.hand[p])  #: 7-1-6


@procedure
async def draw_cards(g: Game, p: Player, count: int) -> None:
    """Draw so many cards, one after another."""
    for _ in up_to(count):
        await draw(g, p)  #: 7-1-6


# ---------------------------------------------------------------- 9-7  rebuilding
@procedure
async def rebuild(g: Game, p: Player, by_the_rules: bool) -> None:
    """Normal cards among discards and covered cards go back into the deck, which is shuffled; if the rules had it done,
    it costs a life."""
    if by_the_rules:
        harm(g, p, Place.LIFE, 1, DamageSource.REBUILDING)  #: 9-7.i
    shuffle_into(g, {c for c in g.discards[p] | g.covered[p] if not is_trump(c)}, g.deck[p], move_card)  #: 9-7.ii
