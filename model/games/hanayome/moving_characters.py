"""4.14.2: characters move with all that belongs to them."""
from ...lang import *
from .moving import *
from .state import *


# ---------------------------------------------------------------- 4.14.2  moving characters
@define
def along_with(g: Game, character: Card) -> Set[Card]:
    """All that goes along when a character changes its lane: the cards below it, and the episodes set on it."""
    return {c for c in zone_of(character) if is_character(g, c)} | episodes_on(g, character)  #: 4.14.2.2


@action
def move_character(g: Game, character: Card, n: Lane) -> None:
    """The character goes to another lane of its master; a character that is there comes here at the same time."""
    whose = zone_player(zone_of(character))
    if whose is None or not stands(g, character) or zone_number(zone_of(character)) == n:
        return  #: 1.3.2.1 #: 4.14.2.1
    change_lane(g, character, g.lane[whose][n])  #: 4.3.4 #: 4.14.2.2


@forbids(move_character)
def cannot_change_lane(g: Game, character: Card, n: Lane) -> bool:
    """Does an effect keep the character from going to other lanes?"""
    return stays_in_lane(g, character)  #: 1.3.3


@define
def stays_in_lane(g: Game, character: Card) -> bool:
    """Does the character not move to other lanes?"""
    return is_done_to(g, character, Effect.STAYS_IN_LANE)


@step
def change_lane(g: Game, character: Card, there: Zone) -> None:
    """A character and one that may be in the other lane change places, with all that belongs to them. If that one stays,
    it is one move that cannot be made; or, by one reading, the one that can move lies on top of it."""
    here = zone_of(character)
    going = along_with(g, character)
    coming: Set[Card] = set()
    met = character_there(g, there)
    if met is not None and not stays_in_lane(g, met):
        coming = along_with(g, met)
    elif met is not None:
        if reading("lane-swap-blocked") == "neither":
            return  #: 5.8.2 #: 1.3.2
        come_off(g, met)
    carry(g, going, here, there)  #: 4.14.2.2
    carry(g, coming, there, here)  #: 4.14.2.2.1
    tell(g, going | coming)


@step
def carry(g: Game, cards: Set[Card], here: Zone, there: Zone) -> None:
    """The cards go from lane to lane and lie as they lay: the lowest first."""
    for _ in up_to(len(cards)):
        c = first(x for x in here if x in cards)
        if c is not None:
            transfer(g, c, there)  #: 4.14.2.2


@action
def enter(g: Game, card: Card, to: Zone) -> None:
    """A card that may come into a character lane does, from elsewhere; onto the character that is there, if there is one."""
    met = character_there(g, to)
    transfer(g, card, to)  #: 5.3.1 #: 5.9.1
    if met is not None:
        grow_over(g, card, met)  #: 10.6.4.1.1
    tell(g, {card})


@define
def may_enter(g: Game, card: Card, to: Zone) -> bool:
    """Can it, if it is a character card: with Growth only onto a character that it names, else into any lane, or by one reading only into a
    free one?"""
    if not is_character(g, card):
        return False  #: 5.9.1 #: 1.3.2
    if Printed(card).growth:
        return may_grow_over(g, card, character_there(g, to))  #: 12.6.2
    return character_there(g, to) is None or reading("put-onto-occupied-lane") == "stack"  #: 5.9.1


@step
def grow_over(g: Game, card: Card, under: Card) -> None:
    """What becomes of the character that a card is stacked onto?"""
    if reading("episodes-after-growth") == "stay":
        for e in episodes_on(g, under):
            g.card[e].set_on = card  #: 5.10.2
    else:
        come_off(g, under)
    if reading("growth-same-character") == "same-character":
        take_over(g, card, under)


@step
def come_off(g: Game, under: Card) -> None:
    """Another card lies on the character, which is none any more: what was set on it is set on no character, and is put away
    by rule processing; until then it does not move with the card."""
    for e in episodes_on(g, under):
        g.card[e].set_on = None  #: 4.14.2.1 #: 5.10.2


@step
def take_over(g: Game, card: Card, under: Card) -> None:
    """By one reading it is the same character still: what was done to it, and its approach, go on."""
    g.card[card].until_turn_end = g.card[under].until_turn_end
    with simultaneously():
        for x in g.lasting:
            if x.about == under:
                g.lasting.remove(x)
                g.lasting.add(Lasting(x.effect, card, x.number, x.source, x.persons, x.since))
        for y in g.further:
            if y.character == under:
                g.further.remove(y)
                g.further.add(Further(card, y.hero, y.number))
    g.card[card].approaches = g.card[under].approaches  #: 9.2.2.3
    g.card[card].partner = g.card[under].partner
