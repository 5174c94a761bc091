"""100.2 and 101: decks, and what is done before the first turn."""
from ...lang import *
from .moving import *

OPENING_HAND = 7
TRIES = 50


# ---------------------------------------------------------------- 100.2  decks
@define
def can_start(card: Card) -> bool:
    """Is it a character of cost 1?"""
    return Printed(card).kind == Kind.CHARACTER and Printed(card).cost == 1  #: 101.1


@known_as("legal deck")
@define
def legal_deck(g: Game, p: Player) -> bool:
    """51 cards, of each name three at most, and a character of cost 1."""
    return (
        len(g.castle[p]) == 51
        and all(copies(g, p, c) <= 3 for c in g.castle[p])
        and any(can_start(c) for c in g.castle[p])
    )  #: 100.2


@define
def copies(g: Game, p: Player, card: Card) -> int:
    """How many cards of the deck have the card's name."""
    return len({c for c in g.castle[p] if Printed(c).names == Printed(card).names})


# ---------------------------------------------------------------- 101  before the first turn
@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn."""
    for p in (FIRST, SECOND):
        if not legal_deck(g, p):
            not_modelled("100.2")
        await choose_start(g, p)  #: 101.1
    for p in PLAYERS:
        shuffle(g.castle[p])  #: 101.2
    await find_first_player(g)  #: 101.3
    for p in (FIRST, SECOND):
        await take(g, g.castle[p], OPENING_HAND, g.hand[p], lay)  #: 101.4
    await mulligan(g, FIRST)  #: 101.5
    await mulligan(g, SECOND)  #: 101.5
    begin_turns(g, FIRST)


@expects(prepare)
def nobody_is_in_play(g: Game) -> bool:
    """No character is in play yet."""
    return all(len(g.field[p]) == 0 for p in PLAYERS)


@procedure
async def choose_start(g: Game, p: Player) -> None:
    """A character of cost 1 goes into play; it is shown only when the hands are taken (101.6)."""
    c = await choose(p, {c for c in g.castle[p] if can_start(c)})  #: 101.1
    put(c, g.field[p])  #: 101.1
    g.card[c].acted = True  #: 214.2f


@procedure
async def find_first_player(g: Game) -> None:
    """Random numbers are compared until they differ, fifty times at most. Whoever has the larger chooses to go first or
    second; `FIRST` is whoever then goes first."""
    tries = 0
    while tries < TRIES:  #: 101.3
        mine = await chance(on_top(g.castle[FIRST]))
        yours = await chance(on_top(g.castle[SECOND]))
        put(mine, g.castle[FIRST], at=BOTTOM)  #: 101.3
        put(yours, g.castle[SECOND], at=BOTTOM)  #: 101.3
        if Printed(mine).random != Printed(yours).random:
            return  #: 101.3
        tries += 1
    finish(None)  #: 101.3


@procedure
async def mulligan(g: Game, p: Player) -> None:
    """Once, the player may put the hand under the castle in any order, and take seven cards anew."""
    again = await may(p)  #: 101.5
    if not again:
        return
    await put_under(p, g.hand[p], g.castle[p])  #: 101.5
    await take(g, g.castle[p], OPENING_HAND, g.hand[p], lay)  #: 101.5
