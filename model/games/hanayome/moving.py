"""4.1: moving cards, and what is told of it.

What moves cards, from below; only the last row asks whether something else happens instead (10.10), and only `move` and `place` may be forbidden:

  put (the language's)                         the bare move: a card is no new object by it, and nobody hears of it
  transfer, carry                              what 4.1.4 makes of the card too; who calls it calls `tell` when all that moves has moved
  move, put_away, move_together, enter         these and `tell`; `enter` into a character lane, the others elsewhere, with what lies below (`fall`)
  place, place_together, come                  the same for texts: `specific_actions.py`

Decided here and asked nowhere: a card played into a lane is told of twice, as leaving the hand for the resolution zone and (10.6.5) for the lane.
Of a card that goes to the other player's lanes a trigger hears who its master was there, and of all else what it is here, though 10.7.4.1.2
says "in a lane" of both. Of a hero that leaves its lane no required power and no face is told; a trigger that asks gets what it has afterwards.
"""
from ...lang import *
from .abilities import *
from .continuous import *
from .state import *


# ---------------------------------------------------------------- what is told of moves
class Moved(Event):  #: 10.7.4
    """A card has gone from one zone to another."""

    card: Option[Obj]
    src: Zone
    to: Zone
    power: Power  #: 10.7.4.1
    about: Option[Obj]
    """The card, if a trigger may ask what it is: whose information is used is said for most moves, not for all (10.7.4.1)."""
    master: Option[Player]
    """Its master, as far as a trigger may ask (10.7.4.1)."""
    kinds: Set[Kind]
    persons: Set[Person]
    """Its kinds and the person names that count, as they were in the lane that it left, or where it could be seen (10.7.4.1)."""


class MovedLane(Event):  #: 4.14.2.2
    """A character has gone from one character lane to another."""

    card: Option[Obj]
    src: Zone
    to: Zone


class Entered(Event):  #: 5.9.1
    """A character has come into a character lane from elsewhere."""

    card: Option[Obj]


class Left(Event):  #: 10.7.4.1.2
    """A character has left the character lanes."""

    card: Option[Obj]
    src: Zone
    to: Zone


class TurnedFace(Event):  #: 5.2.1
    """A card has been turned face up or face down."""

    card: Option[Obj]
    face: Face


# ---------------------------------------------------------------- 4.1  moving at all
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
    if g.card[card].played and reading("once-per-turn-reentry") == "same-ability":
        return g.card[card].played  #: 12.4.2
    return set()  #: 4.1.4


@define
def turn_ends_kept(g: Game, card: Card) -> Set[Ability]:
    """Which end-of-turn abilities still count as met when the card becomes a new one."""
    if g.card[card].met and reading("end-trigger-reentry") == "same-ability":
        return g.card[card].met  #: 7.5.1
    return set()  #: 4.1.4


@step
def become_new(g: Game, card: Card, src: Zone) -> None:
    """What applied to the card where it was applies no more."""
    had = abilities_to_look_back_at(g, card)
    renew(card)  #: 4.1.4
    g.card[card] = OnCard(
        marks_kept(g, card),
        {
            a for a in g.card[card].played | g.card[card].played_before
            if a in had or any(w.ability == a and w.card == card for w in g.waiting)
        },
        turn_ends_kept(g, card),
        noted=set(),
        had=had,
        moved_from=src,
        stood=stands(g, card),
        kinds_were=kinds(g, card),
        persons_were=persons_of(g, card),
    )  #: 4.1.4


@step
def transfer(g: Game, card: Card, to: Zone) -> None:
    """The card goes into the zone, on top if that has an order. `tell` tells of it, once all that moves has moved."""
    src = counts_as_from(g, card, to)
    remember_power(g, card)
    if between_lanes(g, zone_of(card), to):
        g.card[card].moved_from = src
    else:
        if reading("approach-partner-gone") == "last-information":
            remember_approach(g, card)
        become_new(g, card, src)  #: 4.1.4
        if g.played_since is not None and (to in g.lane or to in g.hero_lane):
            g.come_since_play |= {card}
    put(card, to)  #: 5.3.1


@define
def approached_by(g: Game, character: Card) -> Set[Card]:
    """The heroes that the character approaches: one, or by an effect two."""
    second = the(
        h for h in heroes(g) if any(x.character == character and x.hero == h and x.number < 0 for x in g.further)
    )
    return as_set(g.card[character].approaches) | as_set(second)  #: 9.2.2.3


@step
def remember_approach(g: Game, card: Card) -> None:
    """By one reading the approach of a character or to a hero that leaves is judged by what they last were."""
    if stands(g, card) and g.card[card].partner is None:
        for hero in approached_by(g, card):
            g.further.add(Further(None, hero, max(0, min(60, power(g, card)))))  #: 10.11.1
    with simultaneously():
        for c in CARDS:
            if card in approached_by(g, c):
                g.further.add(Further(c, None, max(0, min(60, required_power(g, card)))))  #: 10.11.1


@step
def remember_power(g: Game, card: Card) -> None:
    """What the power of a character was that leaves its lane, for triggers on that and for the ability under way."""
    whose = zone_player(zone_of(card))
    if whose is not None and stands(g, card):
        g.was[whose][zone_number(zone_of(card))] = power(g, card)
        if g.under_way == card:
            g.last_power = power(g, card)  #: 10.11.1


@define
def power_told(g: Game, card: Card, src: Zone) -> int:
    """The power that a trigger on a move may ask for: of a card that left the lanes, what it was there."""
    whose = zone_player(src)
    if whose is not None and g.card[card].stood and src in g.lane and zone_of(card) not in g.lane:
        return g.was[whose][zone_number(src)]  #: 10.7.4.1.1 #: 10.7.4.1.2
    return power(g, card)  #: 10.7.4.1.1 #: 10.7.4.1.3


@define
def is_hidden(g: Game, zone: Zone) -> bool:
    """Can some player not see what lies in the zone?"""
    return zone in g.hand or zone in g.deck or zone in g.hero_deck  #: 4.8.2 #: 4.6.2 #: 4.7.2


@define
def is_known(g: Game, src: Zone, to: Zone) -> bool:
    """Is there something to be known about a card that goes from one zone to the other?"""
    if is_hidden(g, src) and is_hidden(g, to):
        return reading("hidden-to-hidden-info") != "none"  #: 4.1.2.3 #: 10.7.4.1
    return not (is_hidden(g, src) and to in g.lane) or reading("character-lane-public") == "public-ordered"  #: 4.5.4


@define
def looks_back(g: Game, src: Zone, to: Zone) -> bool:
    """Does a trigger on such a move ask what the card was before: in the lane that it left, or where it could be seen?"""
    if src in g.lane or src in g.hero_lane:
        return not between_lanes(g, src, to)  #: 10.7.4.1.2
    return is_hidden(g, to) and not is_hidden(g, src)  #: 10.7.4.1.1


@define
def master_told(g: Game, card: Card, src: Zone) -> Option[Player]:
    """Whose the card is for a trigger on its move: as it was in its lane, else where it can be seen, else as it is now."""
    to = zone_of(card)
    if is_hidden(g, src) and is_hidden(g, to) and zone_player(src) != zone_player(to):
        return zone_player(src) if reading("hidden-to-hidden-info") == "before" else master(g, card)  #: 10.7.4.1
    if src in g.lane or looks_back(g, src, to):
        return zone_player(src)  #: 10.7.4.1.1 #: 10.7.4.1.2 #: 4.4.5
    if to in g.lane or is_hidden(g, src) or reading("master-change-outside-lanes") == "after":
        return master(g, card)  #: 10.7.4.1.1 #: 10.7.4.1.2 #: 10.7.4.1.3
    return zone_player(src)  #: 10.7.4.1.2


@step
def tell(g: Game, moved: Set[Card]) -> None:
    """Triggers hear of the moves, all of which have happened by now."""
    note_arrivals(g, moved)
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.3 #: 10.9.3.1
    for c in moved:
        announce(g, c)  #: 10.7.4.2
        if reading("state-trigger-on-arrival") == "not-until-anew":
            note_what_holds_already(g, c)
    g.told = None
    g.heard.clear()
    g.was = each(0)
    for c in moved:
        g.card[c].moved_from = None
        g.card[c].had = set()
        g.card[c].stood = False
        g.card[c].kinds_were = set()
        g.card[c].persons_were = set()


@step
def announce(g: Game, card: Card) -> None:
    """What one card's move is called."""
    src, to = g.card[card].moved_from, zone_of(card)
    if src is None:
        return
    g.told = card
    back = looks_back(g, src, to)
    emit(
        Moved(
            card,
            src,
            to,
            power=power_told(g, card, src),
            about=card if is_known(g, src, to) else None,
            master=master_told(g, card, src),
            kinds=g.card[card].kinds_were if back else kinds(g, card),
            persons=g.card[card].persons_were if back else persons_of(g, card),
        )
    )  #: 10.7.4
    if stands(g, card):
        if src in g.lane:
            emit(MovedLane(card, src, to))  #: 4.14.2.2
        else:
            emit(Entered(card))  #: 5.9.1
    if g.card[card].stood and src in g.lane:
        emit(Left(card, src, to))  #: 10.7.4.1.2


@step
def note_what_holds_already(g: Game, card: Card) -> None:
    """By one reading a state that holds when its trigger's card comes has not arisen for it."""
    src = g.card[card].moved_from
    if src is not None and not between_lanes(g, src, zone_of(card)):
        g.card[card].noted |= {
            a for a in possible_abilities(card) if enabled(g, a, card) and state_holds(g, a, card, stands_in(g, card))
        }  #: 10.7.6.1


@define
def below(g: Game, cards: Set[Card]) -> Set[Card]:
    """The character cards under those of the cards that are characters."""
    return {b for c in cards if stands(g, c) for b in zone_of(c) if is_character(g, b)} - cards  #: 4.14.2.3


@step
def fall(g: Game, cards: Set[Card]) -> None:
    """What lay below characters that leave goes to the waiting rooms, at the same time; or, by one reading, when that has been told."""
    if cards and reading("stacked-characters-below-leave") == "together":
        for c in cards:
            transfer(g, c, g.waiting_room[owner(c)])  #: 4.14.2.3


@step
def tell_of_all(g: Game, moved: Set[Card], fallen: Set[Card]) -> None:
    """Triggers hear of cards that have left and of those that fell with them, or that fall now."""
    if not fallen or reading("stacked-characters-below-leave") == "together":
        tell(g, moved | fallen)
    else:
        tell(g, moved)
        with simultaneously():
            for c in fallen:
                transfer(g, c, g.waiting_room[owner(c)])  #: 4.14.2.3
        tell(g, fallen)


@action
def move(g: Game, card: Card, to: Zone) -> None:
    """The card goes to a zone other than a character lane; the cards below a character go to the waiting room."""
    if zone_of(card) == to:
        return  #: 1.3.2.1
    fallen = below(g, {card})
    with simultaneously():
        transfer(g, card, to)  #: 5.3.1
        fall(g, fallen)
    tell_of_all(g, {card}, fallen)


@forbids(move)
def cannot_leave(g: Game, card: Card, to: Zone) -> bool:
    """Does an effect keep the character in its lane?"""
    return stands(g, card) and is_done_to(g, card, Effect.CANNOT_LEAVE)  #: 1.3.3


@step
def put_away(g: Game, cards: Set[Card]) -> None:  #: caller
    """The cards go to their owners' waiting rooms at the same time, and what lies below characters with them."""
    fallen = below(g, cards)
    with simultaneously():
        for c in cards:
            transfer(g, c, g.waiting_room[owner(c)])
        fall(g, fallen)
    tell_of_all(g, cards, fallen)


@procedure
async def move_together(g: Game, cards: Set[Card], to: Zone) -> None:
    """The cards go to the zone at the same time, what lies below characters to the waiting room; where the zone has an order, its player lays
    them in the order of choice, and of shared zones nothing is said."""
    fallen = below(g, cards)
    with simultaneously():
        for c in cards:
            transfer(g, c, to)  #: 5.3.1
        fall(g, fallen)
    left = cards
    while left and has_order(g, to):
        c = await choose(zone_player(to) or OPEN("4.1.5"), left)  #: 4.1.5
        put(c, to)  #: 4.1.5
        left -= {c}
    tell_of_all(g, cards, fallen)


@define
def has_order(g: Game, zone: Zone) -> bool:
    """Has the zone an order?"""
    return (
        zone in g.deck or zone in g.hero_deck or zone in g.lane or zone == g.lane_resolution
        or zone == g.effect_resolution
    )  #: 4.6.2 #: 4.7.2 #: 4.5.4 #: 4.12.2 #: 4.13.2
