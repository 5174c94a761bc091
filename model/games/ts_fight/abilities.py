"""Chapter 5, sections 1 to 4: which abilities a character has, and when they can be used."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- which abilities a character has
@define
def has_ability(g: Game, character: Card, ability: Ability) -> bool:
    """Has the character the ability, by its own card, the one beneath, a dress or an effect?"""
    if not is_held_as_it_is(g, character, ability):
        return False
    return any(gives(g, c, character, ability) for c in attached(g, character) | {character})  #: 第5章2 #: 第7章 #: 第8章2


@define
def gives(g: Game, card: Card, character: Card, ability: Ability) -> bool:
    """Has a card of the character the ability, and does it count now? A form that is over shows a name only."""
    if ability not in Printed(card).abilities or g.card[card].face_down:
        return False
    if Printed(card).kind == Kind.CHARACTER and card != shown(g, character):
        return card == character and not Text(ability).red  #: 第10章1 #: 第10章3
    return True  #: 第5章2 #: 第7章 #: 第8章2


@define
def is_held_as_it_is(g: Game, character: Card, ability: Ability) -> bool:
    """White icons are for TS characters, black ones for helpers."""
    if is_helper(g, character):
        return Holder.HELPER in Text(ability).holders  #: 第5章1.1
    whose = side(g, character)
    return whose is not None and is_ts_player(g, whose) and Holder.TS in Text(ability).holders  #: 第5章1.1


# ---------------------------------------------------------------- when they can be used
@define
def may_use_ability(g: Game, p: Player, character: Card, ability: Ability, when: Timing) -> bool:
    """Can the player use this ability of the character now?"""
    if when not in Text(ability).timings or not has_ability(g, character, ability):
        return False  #: 第5章5.1 #: 第5章1.3
    if Text(ability).kind == AbilityKind.WITH_HELP and not can_promise_help(g, character):
        return False  #: 第5章4 #: 第5章5.1
    return has_for_cost(g, p, Text(ability).discards)  #: 第5章5.3


@define
def can_promise_help(g: Game, character: Card) -> bool:
    """Can the character be named as one that helps with its own ability? 5.1 does not ask for it to be fresh, as 9.2.1
    does, and it is to become tired in 5.6 only."""
    if g.card[character].pledged is not None:
        return False  #: 第5章5.3
    return fresh(g, character) or reading("tired-user-declares") == "may"  #: 第1章5「協力」


@define
def able_to_help(g: Game, p: Player) -> Set[Card]:
    """The characters that can be named as helping."""
    return {c for c in characters(g, p) if fresh(g, c) and g.card[c].pledged is None}  #: 第9章2.1 #: 第9章2.3


@define
def able_to_be_discarded(g: Game, p: Player) -> Set[Card]:
    """The cards in hand that can be named as a cost."""
    return {c for c in g.hand[p] if g.card[c].pledged is None}  #: 第5章5.3 #: 第9章2.3


@define
def has_for_cost(g: Game, p: Player, discards: int) -> bool:
    """Are there enough cards in hand to be named as a cost?"""
    return len(able_to_be_discarded(g, p)) >= discards
