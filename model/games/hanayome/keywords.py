"""Chapter 12: keywords. Those of cards and abilities are attributes of `Printed` and `Text` in `printed.py`."""
from ...lang import *
from .lanes import *
from .state import *


# ---------------------------------------------------------------- 12.2, 12.10  only
@define
def conditions_met(g: Game, ability: Ability, this: Option[Obj], you: Player) -> bool:
    """Do all condition keywords of the ability hold: for the master of its card or, where that is gone, for `you`, who play it?"""
    return all(
        is_only_person(g, person, you if this is None else stands_in(g, this)) for person in Text(ability).only
    )  #: 12.2.4


@define
def is_only_person(g: Game, person: Person, you: Player) -> bool:
    """Has every character in the player's lanes, and every character card among the brides, the person's name?"""
    if not characters(g, you) and nobody_among(g, g.brides[you]):
        return False  #: 12.10.3.2
    in_lanes = all(person in persons_of(g, c) for c in characters(g, you))
    among_brides = all(person in persons_of(g, c) for c in g.brides[you] if is_character(g, c))
    return in_lanes and among_brides  #: 12.10.3 #: 12.10.3.1 #: 12.10.3.3


@define
def nobody_among(g: Game, brides: Zone) -> bool:
    """Is nobody there? As worded, any card in the bride area is somebody."""
    if reading("only-other-bride-cards") == "characters":
        return all(not is_character(g, c) for c in brides)  #: 12.10.3.2
    return len(brides) == 0  #: 12.10.3.2


# ---------------------------------------------------------------- 12.4  once per turn
@define
def played_this_turn(g: Game, ability: Ability, card: Card) -> bool:
    """Has this once-per-turn ability of the card been played this turn?"""
    return ability in g.card[card].played  #: 12.4.2


# ---------------------------------------------------------------- 12.5  once per turn by name
@define
def event_played_by_name(g: Game, card: Card, p: Player) -> bool:
    """Has the player played an event of this name this turn, and may it be only one?"""
    return Printed(card).once_per_turn_by_name and len(Printed(card).names & g.events_named[p]) > 0  #: 12.5.2


@define
def ability_played_by_name(g: Game, ability: Ability, card: Card, p: Player) -> bool:
    """Has the player played this turn such an ability of a card of this name?"""
    return Text(ability).once_per_turn_by_name and len(Printed(card).names & g.abilities_named[p]) > 0  #: 12.5.3


@step
def note_event_name(g: Game, card: Card, p: Player) -> None:
    """Remember that an event of this name was played, with or without the keyword, where that matters to an event with it."""
    if any(Printed(c).once_per_turn_by_name and len(Printed(c).names & Printed(card).names) > 0 for c in CARDS):
        g.events_named[p] |= Printed(card).names  #: 12.5.2


@step
def note_ability_name(g: Game, ability: Ability, card: Card, p: Player) -> None:
    """Remember that an ability of a card of this name was played, where that matters."""
    if Text(ability).once_per_turn_by_name:
        g.abilities_named[p] |= Printed(card).names  #: 12.5.3


@step
def names_forgotten(g: Game) -> None:
    """A new turn begins."""
    g.events_named = each(set())
    g.abilities_named = each(set())


# ---------------------------------------------------------------- 12.6  growth
@define
def may_grow_over(g: Game, card: Card, below: Option[Obj]) -> bool:
    """Is there a character onto which a card with Growth can be stacked?"""
    return below is not None and goes_by(g, below, Printed(card).growth)  #: 12.6.2 #: 8.2.1.2


@define
def lanes_for(g: Game, card: Card, p: Player) -> Set[Lane]:
    """The lanes into which the player may play the character card."""
    if Printed(card).growth:
        return {n for n in LANES if may_grow_over(g, card, character_in(g, p, n))}  #: 8.2.1.2 #: 12.6.2
    return empty_lanes(g, p)  #: 8.2.1.1


# ---------------------------------------------------------------- 12.7  requirement
@define
def requirement_met(g: Game, card: Card, p: Player) -> bool:
    """Is everybody there whom the event requires?"""
    if not Printed(card).requires:
        return True
    return all(bearers(g, p, {who}) for who in Printed(card).requires) and (
        reading("requirement-one-card") == "counts-for-each" or enough_for_each(g, card, p)
    )  #: 12.7.2 #: 12.7.2.1


@define
def bearers(g: Game, p: Player, persons: Set[Person]) -> Set[Card]:
    """The player's characters, and character cards among the brides, that go by one of these names."""
    return {
        c for c in CARDS
        if (is_character_of(g, c, p) or (c in g.brides[p] and is_character(g, c))) and goes_by(g, c, persons)
    }  #: 12.7.2 #: 12.7.2.1


@define
def enough_for_each(g: Game, card: Card, p: Player) -> bool:
    """By one reading every name needs a card of its own: no group of names has fewer cards than names. (There are
    five persons, so groups of one or two, and all but one or two, are all groups.)"""
    who = Printed(card).requires
    return all(
        enough_bearers(g, p, {a, b}) and enough_bearers(g, p, who - {a, b}) for a in who for b in who
    ) and enough_bearers(g, p, who)  #: 12.7.2.1


@define
def enough_bearers(g: Game, p: Player, persons: Set[Person]) -> bool:
    """Are there as many cards as names?"""
    return len(bearers(g, p, persons)) >= len(persons)


# ---------------------------------------------------------------- 12.8  exclusive
@define
def fits(g: Game, episode: Card, character: Card) -> bool:
    """Is the character one on whom the episode may lie?"""
    if not Printed(episode).exclusive or g.card[episode].as_episode or episode in g.abilityless:
        return True
    if reading("exclusive-several-names") == "all" and persons_of(g, character) - Printed(episode).exclusive:
        return False  #: 12.8.2 #: 11.4.2
    return goes_by(g, character, Printed(episode).exclusive)  #: 12.8.2 #: 11.4.2
