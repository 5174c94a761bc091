"""Chapter 6: decks, and what is done before the game begins."""
from ...kernel.decks import *
from ...kernel.turns import *
from ...lang import *
from .moving import *
from .specific_actions import *
from .state import *


# ---------------------------------------------------------------- 6.1  decks
@known_as("legal deck")
@define
def legal_deck(g: Game, p: Player) -> bool:
    """A hero deck and a main deck."""
    return legal_hero_deck(g, p) and legal_main_deck(g, p)  #: 6.1.1 #: 6.1.2 #: 6.1.3


@define
def legal_hero_deck(g: Game, p: Player) -> bool:
    """Ten heroes, each name once."""
    return (
        len(g.hero_deck[p]) == 10
        and all(Printed(c).kind == Kind.HERO for c in g.hero_deck[p])
        and all(copies(c, g.hero_deck[p]) <= most_copies(c, 1) for c in g.hero_deck[p])
    )  #: 6.1.2.1 #: 6.1.2.2 #: 6.1.2.3


@define
def legal_main_deck(g: Game, p: Player) -> bool:
    """Fifty cards that are no heroes, each name at most four times."""
    return (
        len(g.deck[p]) == 50
        and all(Printed(c).kind != Kind.HERO for c in g.deck[p])
        and all(copies(c, g.deck[p]) <= most_copies(c, 4) for c in g.deck[p])
    )  #: 6.1.3.1 #: 6.1.3.2 #: 6.1.3.3


@define
def copies(card: Card, deck: Zone) -> int:
    """How many cards of the deck have the card's name."""
    return len({c for c in deck if Printed(c).names == Printed(card).names})  #: 2.1.2.1 #: 2.1.3


@define
def most_copies(card: Card, as_a_rule: int) -> int:
    """How many cards of this name may be in a deck? The card's own text about that comes in the place of the rule."""
    if Printed(card).copies > 0:
        return Printed(card).copies  #: 6.1.4
    return as_a_rule


# ---------------------------------------------------------------- 6.2  before the game
@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn. `FIRST` is whoever chance has made first player (6.2.1.3)."""
    if not all(legal_deck(g, p) for p in PLAYERS):
        gap("6.2.1.1")  #: 6.2.1.1
    for p in PLAYERS:
        shuffle_deck(g, p)  #: 6.2.1.2
    for p in (FIRST, SECOND):
        await take(g, g.deck[p], 5, g.hand[p], move)  #: 6.2.1.4
    await mulligan(g, FIRST)  #: 6.2.1.5 #: 1.3.4
    await mulligan(g, SECOND)  #: 6.2.1.5 #: 1.3.4
    shuffle(g.hero_deck[FIRST])  #: 6.2.1.6
    for n in LANES:
        hero = await chance(on_top(g.hero_deck[FIRST]))
        move(g, hero, g.hero_lane[n])  #: 6.2.1.6
    begin_turns(g, FIRST)  #: 6.2.1.7 #: 6.2.1.3 #: 6.2.1.3.1


@expects(prepare)
def no_hero_is_placed(g: Game) -> bool:
    """The hero lanes are empty still."""
    return all(len(g.hero_lane[n]) == 0 for n in LANES)


@procedure
async def mulligan(g: Game, p: Player) -> None:
    """The player may return cards to the deck, shuffle, and take cards anew."""
    while True:
        again = await may(p)
        if not again:
            return  #: 6.2.1.5
        back: Set[Card] = g.hand[p]
        if reading("mulligan-part") != "whole":
            back = await choose_some(p, g.hand[p], 1, 5)
        count = len(back) if reading("mulligan-part") == "any-same" else 5
        with simultaneously():
            for c in back:
                put(c, g.deck[p])  #: 6.2.1.5
        shuffle_deck(g, p)  #: 6.2.1.5
        await take(g, g.deck[p], count, g.hand[p], move)  #: 6.2.1.5
        if reading("mulligan-repeat") == "once":
            return
