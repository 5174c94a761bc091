"""10.3: which abilities are enabled."""
from ...lang import *
from .keywords import *
from .state import *


# ---------------------------------------------------------------- 10.3  enabled abilities
@define
def zone_named(g: Game, where: Where, p: Player) -> Zone:
    """The player's zone of such a name."""
    match where:
        case Where.HAND:
            return g.hand[p]
        case Where.WAITING_ROOM:
            return g.waiting_room[p]
        case Where.BRIDES:
            return g.brides[p]
        case Where.REMOVED:
            return g.removed[p]


@define
def lies_in(g: Game, card: Card, where: Set[Where]) -> bool:
    """Does the card lie in one of these zones?"""
    return any(zone_of(card) == zone_named(g, w, p) for w in where for p in PLAYERS)


@define
def given_abilities() -> Set[Ability]:
    """All abilities that stand inside other texts, for cards that these texts give them to."""
    return {a for c in CARDS for a in Printed(c).abilities if Text(a).given}


@define
def possible_abilities(card: Card) -> Set[Ability]:
    """All abilities that the card can have."""
    return Printed(card).abilities | given_abilities()


@define
def enabled(g: Game, ability: Ability, card: Card) -> bool:
    """Has the card the ability, and is it enabled where the card lies?"""
    has = card in g.given[ability] if Text(ability).given else card not in g.abilityless and card not in g.disabled
    return has and enabled_where_it_lies(g, ability, card)  #: 10.9.1.3 #: 10.3.2


@define
def enabled_where_it_lies(g: Game, ability: Ability, card: Card) -> bool:
    """Is an ability that the card has, printed or given, enabled where the card lies?"""
    if Text(ability).kind == AbilityKind.PERMANENT and not conditions_met(g, ability, card, stands_in(g, card)):
        return False  #: 12.2.3.1
    if Text(ability).works_in:
        return lies_in(g, card, Text(ability).works_in)  #: 10.3.4.1
    if Text(ability).kind == AbilityKind.DELAYED:
        return False  # only an effect makes it trigger (10.7.5)
    if Printed(card).kind == Kind.HERO:
        return zone_of(card) in g.hero_lane and hero_shows(g, card)  #: 10.3.4.2
    return (
        zone_of(card) in g.lane and not g.card[card].as_episode and shows_in_stack(g, card)
    )  #: 10.3.4.3 #: 10.6.4.2.1


@define
def shows_in_stack(g: Game, card: Card) -> bool:
    """Is it an episode, or the top card of its character?"""
    return (
        not is_character(g, card) or stands(g, card) or reading("stacked-abilities") == "all"
    )  #: 10.3.4.3 #: 4.14.2.1


# ---------------------------------------------------------------- 10.9.1.3  abilities that were given
@define
def does_to(g: Game, ability: Ability, this: Card, effect: Effect, card: Card) -> bool:
    """Is it by this permanent ability of a card that this is done to the other card at the moment?"""
    return (
        Text(ability).effect == effect and enabled(g, ability, this) and condition(g, ability, this, stands_in(g, this))
        and applies_to(g, ability, this, stands_in(g, this), card)
    )  #: 10.1.1.3 #: 10.6.1 #: 10.3.3 # fmt: skip


@define
def is_done_to(g: Game, card: Card, effect: Effect) -> bool:
    """Does some permanent ability do that to the card?"""
    return any(does_to(g, a, s, effect, card) for s in CARDS for a in possible_abilities(s))


@define
def hero_shows(g: Game, hero: Card) -> bool:
    """Has a hero card abilities as it lies?"""
    return g.card[hero].face == Face.UP or reading("face-down-hero-abilities") == "still"  #: 4.2.4.2


@define
def abilities_to_look_back_at(g: Game, card: Card) -> Set[Ability]:
    """Abilities of a card about to leave its zone that can be triggered by its leaving."""
    had = {a for a in possible_abilities(card) if Text(a).kind == AbilityKind.AUTO and enabled(g, a, card)}
    if had and reading("leave-trigger-validity") == "not-enabled":
        return set()  #: 10.3.4.3
    return had  #: 10.7.4.1.2
