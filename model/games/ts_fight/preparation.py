"""Chapter 2, sections 1 and 2: decks, and what is done before the first turn."""
from ...lang import *
from .basics import *
from .state import *


# ---------------------------------------------------------------- 1  decks
@known_as("legal deck")
@define
def legal_deck(g: Game, p: Player) -> bool:
    """Sixty cards, of each name as many as allowed."""
    return len(g.deck[p]) == 60 and all(copies(c, g.deck[p]) <= most_copies(c) for c in g.deck[p])  #: 第2章1


@define
def copies(card: Card, deck: Zone) -> int:
    """How many cards of the deck have the card's name."""
    return len({c for c in deck if Printed(c).names == Printed(card).names})


@define
def most_copies(card: Card) -> int:
    """Three, unless the card says otherwise; of MOB characters as many as wanted."""
    return 60 if Attribute.MOB in Printed(card).attributes else Printed(card).deck_limit  #: 第2章1


# ---------------------------------------------------------------- 2  before the game
@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn. `FIRST` is whoever has become first player (6)."""
    if not all(legal_deck(g, p) for p in PLAYERS):
        not_modelled("第2章1")
    for p in PLAYERS:
        shuffle(g.deck[p])  #: 第2章2(1) #: 第2章2(2) #: 第2章2(3)
    await opening_hands(g)
    for p in (FIRST, SECOND):
        await place_pl(g, p)  #: 第2章2(5)
    begin_turns(g, FIRST)  #: 第2章2(6) #: 第2章2(7) #: 第2章3


@expects(prepare)
def nobody_is_placed(g: Game) -> bool:
    """The PL zones are empty still."""
    return all(len(g.pl_zone[p]) == 0 for p in PLAYERS)


@entry("opening-hands")
@procedure
async def opening_hands(g: Game) -> None:
    """Six cards each. If both may draw anew, 11.2 does not say who decides first: nobody is the acting side yet."""
    for p in (FIRST, SECOND):
        await draw(g, p, 6)  #: 第2章2(4)
    sooner = FIRST
    if all(may_draw_anew(g, p) for p in PLAYERS) and reading("mulligan-order") == "nobody":
        sooner = await choose(OPEN("第2章2(4)"), PLAYERS)  #: 第11章2
    for p in (sooner, other(sooner)):
        await draw_anew(g, p)  #: 第2章2(4)


@define
def may_draw_anew(g: Game, p: Player) -> bool:
    """Is the hand one without characters?"""
    return not any(Printed(c).kind == Kind.CHARACTER for c in g.hand[p])  #: 第2章2(4)


@procedure
async def draw_anew(g: Game, p: Player) -> None:
    """A hand without characters may be shown and drawn anew, three times at most."""
    left = 3  #: 第2章2(4)
    while left > 0 and may_draw_anew(g, p):
        again = await may(p)  #: 第2章2(4)
        if not again:
            return
        throw_back(g, p)
        await draw(g, p, 6)  #: 第2章2(4)
        left -= 1


@step
def throw_back(g: Game, p: Player) -> None:
    """What becomes of the hand the clause does not say: only that the deck is shuffled and placed again."""
    for c in g.hand[p]:
        put(c, g.out_of_play[p] if reading("redrawn-hand") == "out-of-play" else g.deck[p])
    shuffle(g.deck[p])  #: 第2章2(4)


@procedure
async def place_pl(g: Game, p: Player) -> None:
    """The top card of the deck is the PL character, face down."""
    c = await chance(on_top(g.deck[p]))
    put(c, g.pl_zone[p])  #: 第2章2(5)
    g.card[c].face_down = True  #: 第2章2(5)
