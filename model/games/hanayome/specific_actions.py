"""Chapter 5: what texts tell players to do. Defines and procedures here are what the scripts of cards are made of."""
from ...lang import *
from .lanes import *
from .moving import *
from .moving_characters import *
from .replacement import *
from .state import *


# -------------------------------------------------- 5.2 to 5.5  (5.3, to put, is `place`, `place_together` and `come`)
@action
def turn_face(g: Game, card: Card, face: Face) -> None:
    """Turn a card face up or face down."""
    if g.card[card].face == face:
        return  #: 1.3.2.1
    g.card[card].face = face  #: 5.2.1
    emit(TurnedFace(card, face))


@procedure
async def remove_card(g: Game, card: Card, you: Player) -> None:
    """Put a card into its master's removed zone."""
    await place(g, card, g.removed[side_of(g, card, you)], you)  #: 5.4.1


@define
def side_of(g: Game, card: Card, you: Player) -> Player:
    """To whose zone a card goes where a text names none: its master's. Of a hero card, which has none, the book does not say."""
    whose = master(g, card)
    if whose is not None:
        return whose  #: 4.1.6
    return owner(card) if owner(card) != you and reading("masterless-card-goes-to") == "owner" else you  #: 4.1.6


@procedure
async def put_into_deck(g: Game, card: Card, you: Player) -> None:
    """Put a card on top of the deck of its master, or of `you` where it has none; a hero goes to the hero deck in use."""
    if Printed(card).kind == Kind.HERO:
        await place(g, card, g.hero_deck[FIRST], you)  #: 4.7.3 #: 6.2.1.6.2
        return
    await place(g, card, g.deck[side_of(g, card, you)], you)  #: 5.3.1


@procedure
async def new_hero(g: Game, you: Player) -> None:
    """The top card of the hero deck goes to an empty hero lane."""
    if g.hero_deck[FIRST] and vacant_lanes(g):
        n = await choose(handler_of_heroes(you), vacant_lanes(g))  #: 6.2.1.6.1
        h = await chance(on_top(g.hero_deck[FIRST]))
        await place(g, h, g.hero_lane[n], you)  #: 6.2.1.6.2


@define
def handler_of_heroes(you: Player) -> Player:
    """Who chooses, where an effect of yours, or a step that you carry out, deals with hero cards and names nobody?"""
    return FIRST if reading("hero-handling") == "decides" else you  #: 6.2.1.6.1 #: 3.1.2.4.1


@action
def shuffle_deck(g: Game, p: Player) -> None:
    """Nobody knows the order of the main deck any more."""
    shuffle(g.deck[p])  #: 5.5.1 #: 5.5.1.1


# ---------------------------------------------------------------- 5.6  drawing
@action
async def draw(g: Game, p: Player) -> None:
    """Draw one card."""
    c = await drawn(g, p)
    if c is not None:
        move(g, c, g.hand[p])  #: 5.6.1


@procedure
async def drawn(g: Game, p: Player) -> Option[Card]:
    """The card that the player draws; none if there is none, or something else happens."""
    if not g.deck[p]:
        return None  #: 1.3.2
    emit(WouldDraw(p))
    if await replaced(g, p):  #: 10.10.2
        return None  #: 10.10.1.1
    return await chance(on_top(g.deck[p]))


@procedure
async def draw_cards(g: Game, p: Player, count: int) -> None:
    """Draw so many cards, one after another."""
    for _ in up_to(count):  #: 1.3.2.2
        await draw(g, p)  #: 5.6.2


@procedure
async def draw_up_to(g: Game, p: Player, count: int) -> None:
    """Draw cards, at most so many, stopping at will."""
    for _ in up_to(count):  #: 5.6.3 #: 5.6.3.1 #: 5.6.3.4
        if not await may(p):
            return  #: 5.6.3.2
        await draw(g, p)  #: 5.6.3.3


# ---------------------------------------------------------------- 5.7  looking at cards of a deck
@procedure
async def look(g: Game, deck: Pile, count: int) -> Set[Card]:
    """So many cards from the top of the deck become known, or all there are. Gives these cards; they stay where they are."""
    seen: Set[Card] = set()
    for _ in up_to(min(count, len(deck))):  #: 5.7.1
        c = await next_card(deck, seen)  #: 5.7.1
        seen |= {c}
    return seen


@procedure
async def look_up_to(g: Game, who: Player, deck: Pile, count: int) -> Set[Card]:
    """The cards from the top of the deck become known one by one, at most so many; the player may stop before each."""
    seen: Set[Card] = set()  #: 5.7.2.2
    for _ in up_to(min(count, len(deck))):  #: 5.7.2 #: 5.7.2.1 #: 5.7.2.5
        if not await may(who):
            return seen  #: 5.7.2.3
        c = await next_card(deck, seen)  #: 5.7.2.4
        seen |= {c}
    return seen


@procedure
async def next_card(deck: Pile, seen: Set[Card]) -> Card:
    """The card under those that have been seen becomes known. While luck decides which it is, those lie at the bottom."""
    sink(deck, seen)
    c = await chance(on_top(deck))
    put(c, deck)
    rise(deck, seen)  #: 4.1.3
    return c


@step
def sink(deck: Pile, cards: Set[Card]) -> None:
    """The cards go to the bottom, the topmost first."""
    for _ in up_to(len(cards)):
        c = last(x for x in deck if x in cards)
        if c is not None:
            put(c, deck, at=BOTTOM)


@step
def rise(deck: Pile, cards: Set[Card]) -> None:
    """The cards at the bottom go on top again, in their order from before."""
    for _ in up_to(len(cards)):
        c = first(x for x in deck if x in cards)
        if c is not None:
            put(c, deck)


@procedure
async def lay_back(who: Player, cards: Set[Card], deck: Pile) -> None:
    """Cards of the deck that were looked at are laid on top of it, in the order that the player chooses."""
    left = cards
    while left:
        c = await choose(who, left)
        put(c, deck)
        left -= {c}


# ---------------------------------------------------------------- 5.8  exchanging
@action
def exchange(g: Game, a: Card, b: Card) -> None:
    """Two cards change places; if either cannot go where the other is, nothing happens."""
    if zone_of(a) == zone_of(b) or not can_replace(g, a, b) or not can_replace(g, b, a):
        return  #: 5.8.2
    if stands(g, a) and stands(g, b):
        if stays_in_lane(g, a) or stays_in_lane(g, b):
            return  #: 5.8.2
        change_lane(g, a, zone_of(b))  #: 5.8.1 #: 4.14.2.2.1
    elif not forbidden(move, g, a, zone_of(b)) and not forbidden(move, g, b, zone_of(a)):  #: 5.8.2 #: 1.3.3
        exchange_elsewhere(g, a, b)  #: 5.8.1


@define
def can_replace(g: Game, card: Card, other_card: Card) -> bool:
    """Can the card go where the other is? In a hero lane that is a hero; in a character lane a character for a character
    (one with Growth finds nobody there any more), an episode for an episode."""
    if zone_of(other_card) in g.hero_lane:
        return Printed(card).kind == Kind.HERO  #: 4.4.1
    if zone_of(other_card) not in g.lane:
        return True
    if not stands(g, other_card):
        return is_episode(g, card)  #: 4.5.1
    return is_character(g, card) and (stands(g, card) or not Printed(card).growth)  #: 4.5.1 #: 12.6.2


@step
def exchange_elsewhere(g: Game, a: Card, b: Card) -> None:
    """Two cards that are not both characters in lanes change places; what lay below a character falls."""
    fallen = below(g, {a, b})
    with simultaneously():
        transfer(g, a, zone_of(b))  #: 5.8.1
        transfer(g, b, zone_of(a))  #: 5.8.1
        fall(g, fallen)
    link_exchanged(g, a, b)
    tell_of_all(g, {a, b}, fallen)
    for c in {a, b}:
        if g.card[c].set_on is not None:
            emit(EpisodeSet(c))


@step
def link_exchanged(g: Game, a: Card, b: Card) -> None:
    """An episode that has come where another lay: is it set on the character there, or does it only lie in the lane?"""
    for c in {a, b}:
        if zone_of(c) in g.lane and is_episode(g, c):
            g.card[c].set_on = None
            if reading("exchanged-episode") == "takes-its-place":
                g.card[c].set_on = character_there(g, zone_of(c))  #: 5.10.1


@action
def exchange_lanes(g: Game, p: Player, m: Lane, n: Lane) -> None:
    """The characters in two lanes of the player change places."""
    a = character_in(g, p, m)
    b = character_in(g, p, n)
    if a is not None and b is not None:
        exchange(g, a, b)  #: 5.8.1
    elif reading("lane-swap-empty") == "one-moves":
        move_to_the_other(g, a, b, m, n)


@step
def move_to_the_other(g: Game, a: Option[Obj], b: Option[Obj], m: Lane, n: Lane) -> None:
    """By one reading the only character of the two lanes goes to the other one."""
    if a is not None:
        move_character(g, a, n)  #: 1.3.2
    if b is not None:
        move_character(g, b, m)  #: 1.3.2


# ---------------------------------------------------------------- 5.10  setting
class EpisodeSet(Event):  #: 5.10.1
    """A card has been set on a character. One that only goes along with its character (4.14.2.2) is not."""

    card: Option[Obj]


@define
def may_be_set(g: Game, card: Card, as_episode: bool) -> bool:
    """Is it an episode card, or a character card from elsewhere than a lane that is to be one?"""
    return is_episode(g, card) or (
        as_episode and zone_of(card) not in g.lane and is_character(g, card)
    )  #: 5.10.1 #: 5.10.3 #: 4.14.2


@action
def set_episode(g: Game, card: Card, on: Card, as_episode: bool) -> None:
    """A card that can be is laid under a character and linked with it, if it is not set on it already."""
    if g.card[card].set_on == on or not stands(g, on) or not may_be_set(g, card, as_episode):
        return  #: 1.3.2 #: 1.3.2.1 #: 4.14.2.1
    lane = zone_of(on)
    src = counts_as_from(g, card, lane)
    if zone_of(card) in g.lane:
        g.card[card].moved_from = src
    else:
        become_new(g, card, src)  #: 4.1.4
    put(card, lane, at=BOTTOM)  #: 5.10.1 #: 5.10.1.1
    g.card[card].set_on = on  #: 5.10.1
    g.card[card].as_episode = as_episode  #: 10.6.4.2.1
    tell(g, {card})
    emit(EpisodeSet(card))


# ---------------------------------------------------------------- 10.10  what replacements can get in the way of
@procedure
async def place(g: Game, card: Card, to: Zone, by: Option[Player]) -> None:
    """A card is put into a zone, if it may be and nothing takes the place of that. `by`: who does it, if anybody."""
    if zone_of(card) == to or forbidden(move, g, card, to):
        return  #: 1.3.2.1 #: 1.3.3
    if not await is_replaced(g, card, to, by):  #: 10.10.2
        move(g, card, to)  #: 5.3.1


@procedure
async def place_together(g: Game, cards: Set[Card], to: Option[Zone], by: Option[Player]) -> None:
    """The cards go to the zone, or to their owners' waiting rooms if none is named, at the same time, but for those that may not or to
    which something else happens."""
    going = await settle_replacements(g, cards, to, by, by or OPEN("10.10.2"))
    if to is None:
        put_away(g, going)  #: 5.3.1
    else:
        await move_together(g, going, to)  #: 5.3.1


@procedure
async def place_at_masters(g: Game, cards: Set[Card], where: Where, you: Player) -> None:
    """The cards go to such a zone, each to its master's, at the same time, but for those that may not or to which something else happens."""
    going: Set[Card] = set()
    for p in (you, other(you)):
        some = await settle_replacements(
            g, {c for c in cards if side_of(g, c, you) == p}, zone_named(g, where, p), you, you
        )
        going |= some
    going = still_to_go(g, going)
    fallen = below(g, going)
    with simultaneously():
        for c in going:
            transfer(g, c, zone_named(g, where, side_of(g, c, you)))  #: 4.1.6 #: 5.3.1
        fall(g, fallen)
    tell_of_all(g, going, fallen)


@procedure
async def settle_replacements(
    g: Game, cards: Set[Card], to: Option[Zone], by: Option[Player], order: Decider
) -> Set[Card]:
    """What happens to some of the cards in place of going there is done. Gives those that are still to go: that may, that are the same cards
    still, and to which nothing else happens. `order`: who says to which card something happens first."""
    going = {c for c in cards if zone_of(c) != goes_to(g, c, to) and not forbidden(move, g, c, goes_to(g, c, to))}
    left = going if replacements_are_printed() else set()
    for c in left:
        g.card[c].is_to_go = True
    while left:
        c = await choose(order, left)
        if await is_replaced(g, c, goes_to(g, c, to), by):
            g.card[c].is_to_go = False
        going = still_to_go(g, going)
        left = going & (left - {c})
    return going


@define
def still_to_go(g: Game, cards: Set[Card]) -> Set[Card]:
    """Those of the cards that nothing has taken away, nor happened to in place of their going, since it was asked of them."""
    return {c for c in cards if g.card[c].is_to_go or not replacements_are_printed()}


@define
def goes_to(g: Game, card: Card, to: Option[Zone]) -> Zone:
    """Where a card goes for which this zone is named, or none."""
    return g.waiting_room[owner(card)] if to is None else to


@procedure
async def come(g: Game, card: Card, to: Zone, by: Option[Player]) -> None:
    """A card comes into a lane from elsewhere as a character, if it can and nothing takes the place of that."""
    if not may_enter(g, card, to):
        return  #: 1.3.2
    if not await is_replaced(g, card, to, by):
        enter(g, card, to)


@procedure
async def is_replaced(g: Game, card: Card, to: Zone, by: Option[Player]) -> bool:
    """Does something else happen in place of the card's move to the zone?"""
    if not replacements_are_printed():
        return False  # so nobody is asked who would decide
    under = below(g, {card})
    emit(WouldMove(card, zone_of(card), to))
    if not await replaced(g, decider_for_card(g, card, by)):
        return False
    if stands(g, card) and reading("stacked-below-when-replaced") == "leave-anyway":
        put_away(g, under)  #: 4.14.2.3
    return True


@procedure
async def flip(g: Game, card: Card, face: Face, by: Option[Player]) -> None:
    """A card is turned, if nothing takes the place of that. `by`: who does it, if anybody."""
    if not await is_kept_as_it_lies(g, card, face, by):
        turn_face(g, card, face)  #: 5.2.1


@procedure
async def is_kept_as_it_lies(g: Game, card: Card, face: Face, by: Option[Player]) -> bool:
    """Does the card lie so already, may it not be turned, or does something else happen in place of that?"""
    if g.card[card].face == face or forbidden(turn_face, g, card, face):
        return True  #: 1.3.2.1 #: 1.3.3
    emit(WouldTurn(card, face))
    return await replaced(g, decider_for_card(g, card, by))  #: 10.10.2
