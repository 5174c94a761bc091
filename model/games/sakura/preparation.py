"""3-2 and 4-1: decks, and what is done before the first turn."""
from ...lang import *
from .decks import *
from .state import *


@define
def legal_deck(g: Game, p: Player) -> bool:
    """Seven normal cards and three trumps, each card once."""
    return (
        len(g.deck[p]) == 7
        and len(g.trumps[p]) == 3
        and not any(is_trump(c) for c in g.deck[p])
        and all(is_trump(c) for c in g.trumps[p])
    )  #: 3-2 #: 5-3


@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn. `FIRST` is whoever chance has made turn player (4-1.3)."""
    if not all(legal_deck(g, p) for p in PLAYERS):
        not_modelled("3-2")
    lay_crystals(g)  #: 4-1.1
    g.turn_player = FIRST  #: 4-1.3
    for p in PLAYERS:
        shuffle(g.deck[p])  #: 4-1.4
    for p in PLAYERS:
        await draw_cards(g, p, 3)  #: 4-1.4
    await exchange_cards(g, FIRST)  #: 4-1.5
    await exchange_cards(g, SECOND)  #: 4-1.5
    g.concentration[FIRST] = 0  #: 4-1.6
    g.concentration[SECOND] = 1  #: 4-1.6
    g.turn_number = 1  #: 4-1.7


@step
def lay_crystals(g: Game) -> None:
    """36 crystals are laid out; all trumps are unused."""
    g.distance = 10  #: 4-1.1
    g.dust = 0
    for p in PLAYERS:
        g.aura[p] = 3  #: 4-1.1
        g.life[p] = 10  #: 4-1.1
        g.flare[p] = 0
    for c in CARDS:
        g.card[c].use = Use.UNUSED  #: 4-1.2


@procedure
async def exchange_cards(g: Game, p: Player) -> None:
    """The player may put cards of the hand under the deck, in any order, and draw as many."""
    chosen = await choose_some(p, g.hand[p], 0, 3)  #: 4-1.5-1
    count = len(chosen)
    while len(chosen) > 0:
        c = await choose(p, chosen)  #: 4-1.5-2
        put(c, g.deck[p], at=BOTTOM)  #: 4-1.5-2
        chosen -= {c}
    await draw_cards(g, p, count)  #: 4-1.5-3
