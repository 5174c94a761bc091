"""10.9: continuous effects, from what is printed on a card to what it is now.

A permanent ability says what it does with `effect:` (and `persons:`), when with `if:`, to which cards with `applies_to:`
and by how much with `how_much:`. What permanent abilities and `lasting` effects come to is kept in the state
(`abilityless`, `disabled`, `given`, `persons_more`, `persons_less`, `change`, `hero_change`), so that every text may ask for it;
it is worked out anew whenever something changes. Texts may ask `power`, `required_power`, `persons`, `abilities_of`.
"""
from ...lang import *
from .abilities import *
from .arising import *
from .state import *


@define
def continuous_effects_exist(g: Game) -> bool:
    """Is there anything to apply, or to take back?"""
    return len(sources()) > 0 or len(g.lasting) > 0


@situation
def information_changes(g: Game) -> None:
    """What cards are is worked out anew whenever something has changed."""
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.1


# ---------------------------------------------------------------- 10.9.1  layer by layer
@step
def apply_continuous(g: Game) -> None:
    """From what is printed on, the layers are gone through in turn. Whether an effect applies, and to what, is asked of the cards as they
    are when its turn comes."""
    from_print(g)  #: 10.9.1.1 #: 10.9.1.2
    if not at_work(g) and not g.lasting:
        return
    leave_out_the_later(g)
    apply_layer(g, 3)  #: 10.9.1.3 #: 10.3.2
    g.persons_less = each(set())  #: 10.9.1.4
    apply_layer(g, 4)  #: 10.9.1.4
    g.change = each(0)  #: 10.9.1.5
    g.hero_change = each(0)  #: 10.9.1.5
    apply_layer(g, 5)  #: 10.9.1.5
    finish_layers(g)


@step
def finish_layers(g: Game) -> None:
    """What is only for the time in which effects are applied is forgotten."""
    g.layer = 0
    g.to_come = set()
    for a in continuous_abilities():
        g.carried_out[a] = set()


@step
def from_print(g: Game) -> None:
    """What is printed on a card is where everything begins."""
    finish_layers(g)
    g.abilityless = set()
    g.disabled = set()
    for a in given_abilities():
        g.given[a] = set()
    g.persons_more = each(set())
    g.persons_less = each(set())
    g.change = each(0)
    g.hero_change = each(0)


@step
def leave_out_the_later(g: Game) -> None:
    """The name of a Disguise is not there before 10.9.1.4, nor what is added until the end of the turn before 10.9.1.5."""
    for p in PLAYERS:
        for n in LANES:
            g.persons_less[p][n] = disguised_as(character_in(g, p, n))
            g.change[p][n] = -added_until_turn_end(g, character_in(g, p, n))
    for n in LANES:
        g.hero_change[n] = -added_until_turn_end(g, the(g.hero_lane[n]))


@define
def disguised_as(character: Option[Card]) -> Set[Person]:
    """The names that a character has by its Disguise alone."""
    return set() if character is None else Printed(character).disguise - Printed(character).persons  #: 12.9.2


@define
def added_until_turn_end(g: Game, card: Option[Card]) -> int:
    """What is added to a card's number until the end of the turn with nothing before which or after which that could apply."""
    return 0 if card is None else g.card[card].until_turn_end


@step
def apply_layer(g: Game, layer: int) -> None:
    """The effects of one clause, one after the other, until none is left that applies to a card."""
    g.layer = layer
    g.to_come = {x.since for x in g.lasting if layer_of(x.effect) == layer}
    for _ in up_to(effects(g)):
        left = times_left(g)
        if not left:
            return
        found = apply_next(g, left, True)
        if not found and reading("dependency-cycle") == "undecided":
            from_print(g)  # nothing decides the values that were tried
            gap("10.9.1.6")
        if not found:
            apply_next(g, left, False)  #: 10.9.1.7


@step
def apply_next(g: Game, left: Set[Time], heeded: bool) -> bool:
    """Of the effects that are left and depend on no other that is (if that is heeded), the oldest is applied. Was there one?"""
    for k in left:
        if k in g.to_come and not (heeded and doubles_too_early(g, k)):
            g.to_come -= {k}
            apply_lasting(g, k)  #: 10.9.1.7
            return True
        for a in abilities_left(g, k):
            ready = next_by(g, a, k, heeded)
            for s in ready:
                apply_ability(g, a, s)  #: 10.9.1.6 #: 10.9.1.7
            if ready:
                return True
    return False


# ---------------------------------------------------------------- what is left
@define
def reached(g: Game, ability: Ability, this: Card) -> Set[Card]:
    """The cards to which a permanent ability of a card applies at the moment."""
    if not enabled(g, ability, this) or not condition(g, ability, this, stands_in(g, this)):
        return set()  #: 10.1.1.3 #: 10.3.3
    return {c for c in CARDS if takes(g, Text(ability).effect, c) and applies_to(g, ability, this, stands_in(g, this), c)}


@define
def takes(g: Game, effect: Option[Effect], card: Card) -> bool:
    """Has the card, where it lies, what the effect changes?"""
    match effect:
        case Effect.GIVES_ABILITIES:
            return True
        case Effect.LOSES_ABILITIES | Effect.DISABLES_ABILITIES:
            return in_a_lane(g, card)
        case _:
            return stands(g, card) or zone_of(card) in g.hero_lane


@define
def amount(g: Game, ability: Ability, this: Card, card: Card) -> int:
    """The number by which it applies to a card."""
    if Text(ability).effect != Effect.ADDS_POWER and Text(ability).effect != Effect.SETS_POWER:
        return 0
    return how_much(g, ability, this, stands_in(g, this), card)


@define
def is_left(g: Game, ability: Ability, this: Card) -> bool:
    """Has an effect of this layer not been applied yet, and is there a card to which it applies?"""
    return layer_of(Text(ability).effect) == g.layer and this not in g.carried_out[ability] and len(reached(g, ability, this)) > 0


@define
def not_carried_out(g: Game, this: Card) -> Set[Ability]:
    """The card's abilities with an effect of this layer that has not been applied."""
    return {a for a in possible_abilities(this) if layer_of(Text(a).effect) == g.layer and this not in g.carried_out[a]}


@define
def abilities_left(g: Game, time: int) -> Set[Ability]:
    """The abilities of which that is so, of cards that came where they are at this time."""
    return {a for s in at_work(g) if g.card[s].since == time for a in possible_abilities(s) if is_left(g, a, s)}  #: 10.9.1.7.1


@define
def bearers_left(g: Game, ability: Ability, time: int) -> Set[Card]:
    """The cards with such an ability that came where they are at this time."""
    return {s for s in at_work(g) if g.card[s].since == time and ability in possible_abilities(s) and is_left(g, ability, s)}  #: 10.9.1.7.1


@define
def times_left(g: Game) -> Set[Time]:
    """When the effects arose that are left."""
    return g.to_come | {g.card[s].since for s in at_work(g) if any(is_left(g, a, s) for a in possible_abilities(s))}


# ---------------------------------------------------------------- 10.9.1.6  dependence
@step
def next_by(g: Game, ability: Ability, time: int, heeded: bool) -> Set[Card]:
    """The cards whose ability it is time for: it depends on nothing that is left, and nothing else of that time comes first. What depends on
    something of the same time has no order, if not that of dependence."""
    ready: Set[Card] = set()
    for s in bearers_left(g, ability, time):
        later = depends(g, ability, s, {k for k in TIMES if heeded or k == time})
        if later and not heeded:
            from_print(g)
            gap("10.9.1.7")
        if not later:
            later = comes_second(g, ability, s, time)
        if not later:
            ready |= {s}
    return ready


@step
def depends(g: Game, ability: Ability, this: Card, times: Set[Time]) -> bool:
    """Would it apply to other cards, or otherwise, if something else that is left, and arose at one of these times, had been applied before?"""
    found = any(Text(ability).effect == Effect.DOUBLES_POWER and doubling_waits(g, c, times) for c in reached(g, ability, this))
    for c in reached(g, ability, this):
        for k in g.to_come & times:
            after_that = is_other_after(g, ability, this, c, None, this, k)
            found = found or after_that
        for s in at_work(g):
            for a in {a for a in possible_abilities(s) if g.card[s].since in times and is_left(g, a, s)}:
                if a != ability or s != this:
                    differs = is_other_after(g, ability, this, c, a, s, 0)
                    found = found or differs
    return found  #: 10.9.1.6


@step
def is_other_after(g: Game, ability: Ability, this: Card, card: Card, first: Option[Ability], by: Card, time: int) -> bool:
    """Does it apply to other cards, or to this one by another number, once something else is applied: an ability, or what lasts since then?"""
    to, number = reached(g, ability, this), amount(g, ability, this, card)
    differs = False
    with restored(g.abilityless, g.disabled, g.given, g.persons_more, g.persons_less, g.change, g.hero_change):
        if first is None:
            apply_lasting(g, time)
        else:
            change_by(g, first, by)
        differs = reached(g, ability, this) != to or amount(g, ability, this, card) != number
    return differs


@define
def doubling_waits(g: Game, card: Card, times: Set[Time]) -> bool:
    """Does doubling the card's number wait for something? How it applies changes with the number, so by one reading it depends on what sets
    or adds."""
    return is_changed_yet(g, card, times) and reading("doubling-depends") == "depends"  #: 10.9.1.6


@define
def is_changed_yet(g: Game, card: Card, times: Set[Time]) -> bool:
    """Is something left of these times that sets the card's number, or adds to it?"""
    return any(x.since in g.to_come & times and x.about == card and x.effect != Effect.DOUBLES_POWER for x in g.lasting) or any(
        is_left(g, a, s) and Text(a).effect != Effect.DOUBLES_POWER and card in reached(g, a, s)
        for s in at_work(g)
        if g.card[s].since in times
        for a in possible_abilities(s)
    )


@define
def doubles_too_early(g: Game, time: int) -> bool:
    """Is what lasts since then a doubling that has to wait?"""
    return any(x.since == time and x.effect == Effect.DOUBLES_POWER and x.about is not None and doubling_waits(g, x.about, up_to(31) | {0}) for x in g.lasting)


# ---------------------------------------------------------------- 10.9.1.7  what arose at one time
@step
def comes_second(g: Game, ability: Ability, this: Card, time: int) -> bool:
    """Does another effect of the same time come first? Where the order shows no clause ranks them, and some readings do."""
    second = False
    for a in abilities_left(g, time):
        for s in bearers_left(g, a, time):
            if any(order_shows(g, ability, this, a, s, c) for c in reached(g, ability, this) & reached(g, a, s)):
                later = depends(g, a, s, up_to(31) | {0})
                if not later:
                    first = goes_first(Text(ability).effect, Text(a).effect)
                    if first is None:
                        from_print(g)
                        gap("10.9.1.7")
                    second = second or first != Text(ability).effect
    return second


@define
def order_shows(g: Game, one: Ability, by: Card, second: Ability, by_second: Card, card: Card) -> bool:
    """Do two effects on a card come to something else in the other order?"""
    a, b = Text(one).effect, Text(second).effect
    if a == Effect.SETS_POWER and b == Effect.SETS_POWER:
        return amount(g, one, by, card) != amount(g, second, by_second, card) and not is_set_later(g, card, g.card[by].since)
    if a == b or a == Effect.DISABLES_ABILITIES or b == Effect.DISABLES_ABILITIES:
        return False
    match g.layer:
        case 3:
            return reading("loss-and-gift") == "order-of-arising"  # what is lost is lost, by the other reading
        case 4:
            return len(Text(one).persons & Text(second).persons) > 0
        case _:
            return changes_by(g, one, by, a, b, card) and changes_by(g, second, by_second, b, a, card) and not is_set_later(g, card, g.card[by].since)


@define
def changes_by(g: Game, ability: Ability, by: Card, effect: Option[Effect], beside: Option[Effect], card: Card) -> bool:
    """Is it no addition of nothing, and no zero that is doubled?"""
    return (effect == Effect.SETS_POWER and beside == Effect.ADDS_POWER) or effect == Effect.DOUBLES_POWER or amount(g, ability, by, card) != 0


@define
def is_set_later(g: Game, card: Card, time: int) -> bool:
    """Is the number set in any case by something that arose later?"""
    return any(x.since in g.to_come and x.since > time and x.about == card and x.effect == Effect.SETS_POWER for x in g.lasting) or any(
        is_left(g, a, s) and g.card[s].since > time and Text(a).effect == Effect.SETS_POWER and card in reached(g, a, s)
        for s in at_work(g)
        for a in possible_abilities(s)
    )


@define
def goes_first(one: Option[Effect], second: Option[Effect]) -> Option[Effect]:
    """Which of two effects of one time applies first, by some readings; else nothing says."""
    if one == Effect.ADDS_PERSONS or one == Effect.LOSES_PERSONS:
        match reading("names-of-one-time"):
            case "taken-last":
                return Effect.ADDS_PERSONS  #: 10.9.1.7
            case "given-last":
                return Effect.LOSES_PERSONS  #: 10.9.1.7
            case _:  # undecided
                return None
    if (one == Effect.ADDS_POWER) == (second == Effect.ADDS_POWER) or reading("effects-of-one-time") == "undecided":
        return None
    if reading("effects-of-one-time") == "additions-first":
        return Effect.ADDS_POWER  #: 10.9.1.7
    return second if one == Effect.ADDS_POWER else one  #: 10.9.1.7


# ---------------------------------------------------------------- an effect is applied
@step
def apply_ability(g: Game, ability: Ability, this: Card) -> None:
    """What a permanent ability does is done, if it does not undo what it rests on."""
    look_for_undoing(g, ability, this)
    g.carried_out[ability] |= {this}
    change_by(g, ability, this)


@step
def look_for_undoing(g: Game, ability: Ability, this: Card) -> None:
    """Once applied, does it no longer apply to a card, or does it set off an effect that takes such a card from it?"""
    to = reached(g, ability, this)
    still: Set[Card] = set()
    with restored(g.abilityless, g.disabled, g.given, g.persons_more, g.persons_less, g.change, g.hero_change):
        change_by(g, ability, this)
        still = to & reached(g, ability, this)
    if still != to and reading("effect-undoes-itself") == "undecided":
        from_print(g)
        gap("10.9.1")
    for s in at_work(g):
        for a in not_carried_out(g, s):
            if a != ability or s != this:
                back = strikes_back(g, ability, this, still, a, s)
                if back and reading("dependency-cycle") == "undecided":
                    from_print(g)
                    gap("10.9.1.6")
                if back and g.card[s].since <= g.card[this].since:
                    g.carried_out[a] |= {s}  #: 10.9.1.7


@step
def strikes_back(g: Game, ability: Ability, this: Card, still: Set[Card], second: Ability, by: Card) -> bool:
    """Does an effect that applies otherwise once this one is applied keep this one from a card?"""
    to = reached(g, second, by)
    back = False
    with restored(g.abilityless, g.disabled, g.given, g.persons_more, g.persons_less, g.change, g.hero_change):
        change_by(g, ability, this)
        if reached(g, second, by) != to:
            change_by(g, second, by)
            back = len(still - reached(g, ability, this)) > 0
    return back


@step
def change_by(g: Game, ability: Ability, this: Card) -> None:
    """The cards are changed to which a permanent ability applies."""
    with simultaneously():
        for c in reached(g, ability, this):
            change_card(g, c, Text(ability).effect, amount(g, ability, this, c), Text(ability).persons, this)


@step
def apply_lasting(g: Game, time: int) -> None:
    """The cards are changed by what lasts since then."""
    for x in g.lasting:
        if x.since == time and layer_of(x.effect) == g.layer and x.about is not None and takes(g, x.effect, x.about):
            change_card(g, x.about, x.effect, x.number, x.persons, x.source)


@step
def change_card(g: Game, card: Card, effect: Option[Effect], number: int, persons: Set[Person], source: Option[Card]) -> None:
    """One card is changed, as far as its number or names are kept with the lane in which it lies."""
    whose, n = zone_player(zone_of(card)), zone_number(zone_of(card))
    match effect:
        case Effect.LOSES_ABILITIES:
            g.abilityless |= {card}  #: 10.9.1.3
            for a in given_abilities():
                g.given[a] -= {card}  #: 10.9.1.3
        case Effect.DISABLES_ABILITIES:
            g.disabled |= {card}  #: 10.9.1.3 #: 10.3.2
        case Effect.GIVES_ABILITIES:
            for a in given_abilities():
                if is_from(a, source):
                    g.given[a] |= {card}  #: 10.9.1.3
        case Effect.ADDS_PERSONS:
            if whose is not None:
                g.persons_more[whose][n] |= persons  #: 10.9.1.4
                g.persons_less[whose][n] -= persons  #: 10.9.1.4
        case Effect.LOSES_PERSONS:
            if whose is not None:
                g.persons_less[whose][n] |= persons  #: 10.9.1.4
                g.persons_more[whose][n] -= persons  #: 10.9.1.4
        case Effect.ADDS_POWER:
            change_number(g, card, number)
        case Effect.SETS_POWER:
            change_number(g, card, number - number_of(g, card))
        case Effect.DOUBLES_POWER:
            change_number(g, card, number_of(g, card))
        case _:
            pass


@step
def change_number(g: Game, card: Card, by: int) -> None:
    """The number of a character or hero in a lane is so much more."""
    whose, n = zone_player(zone_of(card)), zone_number(zone_of(card))
    if whose is None:
        g.hero_change[n] += by  #: 10.9.1.5
    else:
        g.change[whose][n] += by  #: 10.9.1.5


@define
def number_of(g: Game, card: Card) -> int:
    """The number that effects on the card change, as it is by now: bride power, or required bride power."""
    return required_power(g, card) if zone_of(card) in g.hero_lane else power(g, card)
