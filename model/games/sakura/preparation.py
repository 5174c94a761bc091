"""3-2 and 4-1: decks, and what is done before the first turn."""
from ...kernel.decks import *
from ...lang import *
from .drawing import *
from .state import *


@known_as("legal deck")
@define
def legal_deck(g: Game, p: Player) -> bool:
    """Seven normal cards and three trumps."""
    return (
        len(g.deck[p]) == 7
        and len(g.trumps[p]) == 3
        and not any(is_trump(c) for c in g.deck[p])
        and all(is_trump(c) for c in g.trumps[p])
    )  #: 3-2 #: 5-3


@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn. `FIRST` is whoever chance has made turn player (4-1.3)."""
    lay_crystals(g)  #: 4-1.1
    if not all(legal_deck(g, p) for p in PLAYERS):
        not_modelled("3-2")
    g.turn_player = FIRST  #: 4-1.3
    for p in PLAYERS:
        shuffle(g.deck[p])  #: 4-1.4
    for p in (FIRST, SECOND):
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
    exchanges = await may(p)  #: 4-1.5
    if not exchanges:
        return
    chosen = await choose_some(p, g.hand[p], 1, 3)  #: 4-1.5-1
    await put_under(p, chosen, g.deck[p])  #: 4-1.5-2
    await draw_cards(g, p, len(chosen))  #: 4-1.5-3
