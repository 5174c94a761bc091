"""10.3 and 12.4: which abilities are enabled, and which have been used up for the turn."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- 10.3  enabled abilities
@define
def lies_in(g: Game, card: Card, where: Set[Where]) -> bool:
    """Does the card lie in one of these zones?"""
    here = zone_of(card)
    if here in g.hand:
        return Where.HAND in where
    if here in g.waiting_room:
        return Where.WAITING_ROOM in where
    if here in g.brides:
        return Where.BRIDES in where
    return here in g.removed and Where.REMOVED in where


@define
def enabled(g: Game, ability: Ability, card: Card) -> bool:
    """Is the ability of the card enabled where the card lies?"""
    if len(AbilityText.of(ability).works_in) > 0:
        return lies_in(g, card, AbilityText.of(ability).works_in)  #: 10.3.4.1
    if AbilityText.of(ability).kind == AbilityKind.DELAYED:
        return False  # only an effect makes it trigger (10.7.5)
    if Printed.of(card).kind == Kind.HERO:
        return zone_of(card) in g.hero_lane and hero_shows(g, card)  #: 10.3.4.2
    return zone_of(card) in g.lane and not g.card[card].as_episode  #: 10.3.4.3 #: 10.6.4.2.1


@define
def hero_shows(g: Game, hero: Card) -> bool:
    """Has a hero card abilities as it lies?"""
    return g.card[hero].face == Face.UP or reading("face-down-hero-abilities") == "still"  #: 4.2.4.2


@define
def abilities_to_look_back_at(g: Game, card: Card) -> Set[Ability]:
    """Abilities of a card about to leave its zone that can be triggered by its leaving."""
    had = {a for a in Printed.of(card).abilities if AbilityText.of(a).kind == AbilityKind.AUTO and enabled(g, a, card)}
    if len(had) > 0 and reading("leave-trigger-validity") == "not-enabled":
        return set()  #: 10.3.4.3
    return had  #: 10.7.4.1.2


# ---------------------------------------------------------------- 12.4  once per turn
@define
def played_this_turn(g: Game, ability: Ability, card: Card) -> bool:
    """Has this once-per-turn ability of the card been played this turn?"""
    return ability in g.card[card].played  #: 12.4.2


@step
def mark_played(g: Game, ability: Ability, card: Card) -> None:
    """Remember that a once-per-turn ability was played."""
    g.card[card].played |= {ability}  #: 12.4.2
