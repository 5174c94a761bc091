"""214.2e, 215 and 306.1: moving cards."""
from ...kernel.decks import *
from ...lang import *
from .state import *


class Entered(Event):  #: 214.2b
    """A character has come into play."""

    card: Option[Obj]


class Left(Event):  #: 403.2
    """A character is leaving play for another zone."""

    card: Option[Obj]
    to: Zone


# ---------------------------------------------------------------- 215.10  what moves forgets
@step
def forget(g: Game, card: Card) -> None:
    """What applied to the card where it was applies no more."""
    renew(card)  #: 215.10
    g.card[card] = OnCard()  #: 215.10


@step
def leave_play(g: Game, card: Card, to: Zone) -> None:
    """A character leaves play."""
    tell_of_leaving(g, card, to)
    leave(g, card, to)


@step
def tell_of_leaving(g: Game, card: Card, to: Zone) -> None:
    """Triggers look at what is right before; so where cards leave at the same time, all are told of first."""
    emit(Left(card, to))  #: 403.2


@step
def leave(g: Game, card: Card, to: Zone) -> None:
    """The character goes, and is told of already."""
    forget(g, card)
    put(card, to)


# ---------------------------------------------------------------- 215.2  the castle
@step
def leave_castle(g: Game, card: Card, to: Zone, by: Player) -> None:
    """A card of a castle goes elsewhere: the only way in which a castle gets smaller in play."""
    if len(g.castle[owner(card)]) == 1:
        g.felled_by[owner(card)] = by  #: 102.3
    put(card, to)


@step
def taken_by_owner(g: Game, card: Card, to: Zone) -> None:
    """A card leaves the castle by its owner's doing."""
    leave_castle(g, card, to, owner(card))


@step
def taken_by_opponent(g: Game, card: Card, to: Zone) -> None:
    """A card leaves the castle by the opponent's doing."""
    leave_castle(g, card, to, other(owner(card)))


# ---------------------------------------------------------------- 215.4  costs
@define
def can_pay(g: Game, p: Player, price: int) -> bool:
    """Are there cards enough in the action stack?"""
    return len(g.stack[p]) >= price  #: 215.4c


@procedure
async def pay(g: Game, p: Player, price: int) -> None:
    """As many cards go from the action stack to the top of the castle, one after another."""
    await take(g, g.stack[p], price, g.castle[p], lay)  #: 215.4c


# ---------------------------------------------------------------- 306.1  characters come into play
@procedure
async def use_character(g: Game, p: Player, card: Card) -> None:
    """A character card goes from the hand into play, and its cost is paid."""
    enter(g, card, p)  #: 306.1
    await pay(g, p, Printed(card).cost)  #: 306.1
    await keep_to_limits(g, p, p)  #: 214.2e


@ensures(use_character)
def nobody_controls_seven(g: Game) -> bool:
    """Nobody controls more than six."""
    return all(len(g.field[p]) <= MOST_CHARACTERS for p in PLAYERS)  #: 214.2e


@step
def enter(g: Game, card: Card, p: Player) -> None:
    """The character enters, acted."""
    forget(g, card)
    put(card, g.field[p])  #: 306.1 #: 214.2d
    g.card[card].acted = True  #: 214.2f #: 306.1b
    emit(Entered(card))


# ---------------------------------------------------------------- 214.2e  six characters, one of a name
@define
def namesakes(g: Game, p: Player, away: Set[Card]) -> Set[Card]:
    """The player's characters that share a name with another, without those that go away."""
    left = g.field[p] - away
    return {c for c in left if any(d != c and Printed(d).names == Printed(c).names for d in left)}  #: 214.2e


@procedure
async def keep_to_limits(g: Game, p: Player, by: Player) -> None:
    """Of the characters of a name one stays, of all six; the others go at the same time. By one reading the player chooses who brought it about."""
    chooser = by if reading("namesake-chooser") == "whoever-caused-it" else p
    for_names: Set[Card] = set()
    while namesakes(g, p, for_names):  #: 214.2e
        c = await choose(chooser, namesakes(g, p, for_names))  #: 214.2e
        for_names |= {c}
    for_number: Set[Card] = set()
    if len(g.field[p]) > MOST_CHARACTERS and for_names and reading("limits-together") == "fewest":
        for_number = for_names
    while len(g.field[p] - for_number) > MOST_CHARACTERS:  #: 214.2e
        c = await choose(chooser, g.field[p] - for_number)  #: 214.2e
        for_number |= {c}
    put_away(g, for_names | for_number)


@ensures(keep_to_limits)
def six_are_left(g: Game, p: Player, by: Player) -> bool:
    """The player controls no more than six."""
    return len(g.field[p]) <= MOST_CHARACTERS  #: 214.2e


@step
def put_away(g: Game, cards: Set[Card]) -> None:
    """The characters go to the discard piles; no ability about leaving play hears of it."""
    for c in cards:
        forget(g, c)
        put(c, g.discard[owner(c)])  #: 214.2e #: 403.2a
