"""4.1.4, 4.14.2 and chapter 5: moving cards, and the other things that texts tell players to do."""
from ...lang import *
from .abilities import *
from .continuous import *
from .replacement import *
from .state import *


# ---------------------------------------------------------------- what is told of moves
class Moved(Event):  #: 10.7.4
    """A card has gone from one zone to another."""

    card: Option[Obj]
    src: Zone
    to: Zone


class MovedLane(Event):  #: 4.14.2.2
    """A character has gone from one character lane to another."""

    card: Option[Obj]
    src: Zone
    to: Zone


class Entered(Event):  #: 5.9.1
    """A character has come into a character lane from elsewhere."""

    card: Option[Obj]


class TurnedFace(Event):  #: 5.2.1
    """A card has been turned face up or face down."""

    card: Option[Obj]
    face: Face


# ---------------------------------------------------------------- 4.1  moving at all
@define
def between_lanes(g: Game, src: Zone, to: Zone) -> bool:
    """Is it a move from hero lane to hero lane, or from character lane to character lane?"""
    return (src in g.hero_lane and to in g.hero_lane) or (src in g.lane and to in g.lane)  #: 4.1.4


@define
def counts_as_from(g: Game, card: Card, to: Zone) -> Zone:
    """Where a moving card counts as coming from: a card that was played may count as coming from before that."""
    here, before = zone_of(card), g.card[card].played_from
    if before is None:
        return here
    if here == g.lane_resolution and to in g.lane:
        return before  #: 10.6.5
    if here == g.effect_resolution and reading("event-moved-from") == "like-lane":
        return before  #: 10.6.5
    return here


@define
def marks_kept(g: Game, card: Card) -> Set[Ability]:
    """Which once-per-turn abilities still count as played when the card becomes a new one."""
    if len(g.card[card].played) > 0 and reading("once-per-turn-reentry") == "same-ability":
        return g.card[card].played  #: 12.4.2
    return set()  #: 4.1.4


@define
def turn_ends_kept(g: Game, card: Card) -> Set[Ability]:
    """Which end-of-turn abilities still count as met when the card becomes a new one."""
    if len(g.card[card].met) > 0 and reading("end-trigger-reentry") == "same-ability":
        return g.card[card].met  #: 7.5.1
    return set()  #: 4.1.4


@step
def become_new(g: Game, card: Card, src: Zone) -> None:
    """What applied to the card where it was applies no more."""
    had = abilities_to_look_back_at(g, card)
    renew(card)  #: 4.1.4
    g.card[card] = OnCard(marks_kept(g, card), turn_ends_kept(g, card), noted=set(), had=had, moved_from=src)  #: 4.1.4


@step
def transfer(g: Game, card: Card, to: Zone) -> None:
    """The card goes into the zone, on top if that has an order. `tell` tells of it, once all that moves has moved."""
    src = counts_as_from(g, card, to)
    if between_lanes(g, zone_of(card), to):
        g.card[card].moved_from = src
    else:
        become_new(g, card, src)  #: 4.1.4
    put(card, to)  #: 5.3.1


@step
def tell(g: Game, moved: Set[Card]) -> None:
    """Triggers hear of the moves, all of which have happened by now."""
    note_arrivals(g, moved)
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.3 #: 10.9.3.1
    for c in moved:
        announce(g, c)  #: 10.7.4.2
    for c in moved:
        g.card[c].moved_from = None
        g.card[c].had = set()


@step
def announce(g: Game, card: Card) -> None:
    """What one card's move is called."""
    src, to = g.card[card].moved_from, zone_of(card)
    if src is None:
        return
    emit(Moved(card, src, to))  #: 10.7.4
    if stands(g, card):
        if src in g.lane:
            emit(MovedLane(card, src, to))  #: 4.14.2.2
        else:
            emit(Entered(card))  #: 5.9.1


# ---------------------------------------------------------------- 4.14.2  moving characters
@define
def below(g: Game, card: Card) -> Set[Card]:
    """The character cards under a character."""
    if not stands(g, card):
        return set()
    return {c for c in zone_of(card) if is_character(g, c)} - {card}  #: 4.14.2.3


@define
def along_with(g: Game, character: Card) -> Set[Card]:
    """All that goes along when a character changes its lane: the cards below it, and the episodes set on it."""
    return {c for c in zone_of(character) if is_character(g, c)} | episodes_on(g, character)  #: 4.14.2.2


@action
def move_character(g: Game, character: Card, n: Lane) -> None:
    """The character goes to another lane of its master; a character that is there comes here at the same time."""
    whose = zone_player(zone_of(character))
    if whose is None or zone_number(zone_of(character)) == n:
        return  #: 1.3.2.1
    here, there = zone_of(character), g.lane[whose][n]
    going = along_with(g, character)
    coming: Set[Card] = set()
    met = character_in(g, whose, n)
    if met is not None:
        coming = along_with(g, met)
    with simultaneously():
        for c in here:
            if c in going:
                transfer(g, c, there)  #: 4.14.2.2
        for c in there:
            if c in coming:
                transfer(g, c, here)  #: 4.14.2.2.1
    tell(g, going | coming)


@action
def move(g: Game, card: Card, to: Zone) -> None:
    """The card goes to a zone other than a character lane; the cards below a character go to the waiting room."""
    if zone_of(card) == to:
        return  #: 1.3.2.1
    moved = {card} | below(g, card)
    with simultaneously():
        for c in moved:
            transfer(g, c, to if c == card else g.waiting_room[owner(c)])  #: 5.3.1 #: 4.14.2.3
    tell(g, moved)


@action
def enter(g: Game, card: Card, to: Zone) -> None:
    """A character card comes into a character lane from elsewhere."""
    if any(is_character(g, c) for c in to):
        if reading("put-onto-occupied-lane") == "impossible":
            return  #: 1.3.2
        not_modelled("10.6.4.1.1")
    transfer(g, card, to)  #: 5.3.1 #: 5.9.1
    tell(g, {card})


# ---------------------------------------------------------------- 5.2 to 5.5
@action
def turn_face(g: Game, card: Card, face: Face) -> None:
    """Turn a card face up or face down."""
    if g.card[card].face == face:
        return  #: 1.3.2.1
    g.card[card].face = face  #: 5.2.1
    emit(TurnedFace(card, face))


@action
def remove_card(g: Game, card: Card, you: Player) -> None:
    """Put a card into its master's removed zone; `you` where it has no master."""
    whose = master(g, card)
    move(g, card, g.removed[you if whose is None else whose])  #: 5.4.1 #: 4.1.6


@action
def shuffle_deck(g: Game, p: Player) -> None:
    """Nobody knows the order of the main deck any more."""
    shuffle(g.deck[p])  #: 5.5.1


# ---------------------------------------------------------------- 5.6  drawing
@action
async def draw(g: Game, p: Player) -> None:
    """Draw one card."""
    if len(g.deck[p]) == 0:
        return  #: 1.3.2
    emit(WouldDraw(p))
    instead = await replaced(g, p)  #: 10.10.2
    if instead:
        return  #: 10.10.1.1
    c = await chance(on_top(g.deck[p]))
    move(g, c, g.hand[p])  #: 5.6.1


@procedure
async def draw_cards(g: Game, p: Player, count: int) -> None:
    """Draw so many cards, one after another."""
    for _ in up_to(count):  #: 1.3.2.2
        await draw(g, p)  #: 5.6.2


@procedure
async def draw_up_to(g: Game, p: Player, count: int) -> None:
    """Draw cards, at most so many, stopping at will."""
    for _ in up_to(count):  #: 5.6.3.1 #: 5.6.3.4
        more = await may(p)
        if not more:
            return  #: 5.6.3.2
        await draw(g, p)  #: 5.6.3.3


# ---------------------------------------------------------------- 5.8  exchanging
@action
def exchange(g: Game, a: Card, b: Card) -> None:
    """Two cards change places."""
    if zone_of(a) == zone_of(b):
        return  #: 5.8.2
    if stands(g, a) and stands(g, b) and master(g, a) == master(g, b):
        move_character(g, a, zone_number(zone_of(b)))  #: 5.8.1 #: 4.14.2.2.1
    elif zone_of(a) in g.lane or zone_of(b) in g.lane:
        not_modelled("5.8.1")
    else:
        exchange_elsewhere(g, a, b)  #: 5.8.1


@step
def exchange_elsewhere(g: Game, a: Card, b: Card) -> None:
    """Two cards outside the character lanes change places."""
    with simultaneously():
        transfer(g, a, zone_of(b))  #: 5.8.1
        transfer(g, b, zone_of(a))  #: 5.8.1
    tell(g, {a, b})


# ---------------------------------------------------------------- 5.10  setting
@action
def set_episode(g: Game, card: Card, on: Card, as_episode: bool) -> None:
    """A card from outside the lanes is laid under the character and linked with it."""
    lane = zone_of(on)
    src = counts_as_from(g, card, lane)
    put(card, lane, at=BOTTOM)  #: 5.10.1 #: 5.10.1.1
    become_new(g, card, src)  #: 4.1.4
    g.card[card].set_on = on  #: 5.10.1
    g.card[card].as_episode = as_episode  #: 10.6.4.2.1
    tell(g, {card})


# ---------------------------------------------------------------- 10.10  what replacements can get in the way of
@procedure
async def place(g: Game, card: Card, to: Zone, by: Option[Player]) -> None:
    """A card is put into a zone, if it may be and nothing takes the place of that. `by`: who does it, if anybody."""
    if zone_of(card) == to or forbidden(move, g, card, to):
        return  #: 1.3.2.1 #: 1.3.3
    emit(WouldMove(card, zone_of(card), to))
    instead = await replaced(g, decider_for_card(g, card, by))  #: 10.10.2
    if not instead:
        move(g, card, to)  #: 5.3.1


@procedure
async def flip(g: Game, card: Card, face: Face, by: Option[Player]) -> None:
    """A card is turned, if nothing takes the place of that. `by`: who does it, if anybody."""
    if g.card[card].face == face or forbidden(turn_face, g, card, face):
        return  #: 1.3.2.1 #: 1.3.3
    emit(WouldTurn(card, face))
    instead = await replaced(g, decider_for_card(g, card, by))  #: 10.10.2
    if not instead:
        turn_face(g, card, face)  #: 5.2.1
