"""10.9: continuous effects, from what is printed on a card to what it is now.

A permanent ability says what it does with `effect:` (and `persons:`), when with `if:`, to which cards with `applies_to:`
and by how much with `how_much:`. What permanent abilities and `lasting` effects come to is kept in the state
(`abilityless`, `disabled`, `given`, `called`, `called_no_more`, `change`, `hero_change`), so that every text may ask for it;
it is worked out anew whenever something changes. What is printed and set (10.9.1.1, .2) is added up in `state.power`; when effects arose
(10.9.1.7.1, .2) is in `arising.py`, the moment of a move (10.9.3) in `moving.tell`. Texts may ask `power`, `required_power`, `persons`, `enabled`.
"""
from ...lang import *
from .abilities import *
from .arising import *
from .changing import *
from .state import *

AFTER_ALL = 200
"""What is added to the place of an effect that depends on another: then it comes after all that depend on none. A place is twice the time at
which an effect arose, so that of two effects of one time a reading can put one second."""
NEVER = 400


@define
def continuous_effects_exist(g: Game) -> bool:
    """Is there anything to apply, or to take back?"""
    return any(Text(a).effect is not None for c in CARDS for a in possible_abilities(c)) or len(g.lasting) > 0


@situation
def information_changes(g: Game) -> None:
    """What cards are is worked out anew whenever something has changed."""
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.1


# ---------------------------------------------------------------- 10.9.1  layer by layer
@step
def apply_continuous(g: Game) -> None:
    """From what is printed on, effects are applied one after the other. Whether one applies, and to what, is asked of the cards as they are
    when its turn comes."""
    from_print(g)  #: 10.9.1.1
    if not changers(g) and not g.lasting:
        return
    g.layer = 2
    for _ in up_to(3 + len(g.lasting) + sum(1 for c in changers(g) for a in possible_abilities(c) if changes_cards(a))):
        if g.to_come or any(to_apply(g, s) for s in changers(g)):
            apply_next(g)
        elif g.layer < 5:
            g.layer += 1
            g.to_come = {x.since for x in g.lasting if layer_of(x.effect) == g.layer}
    forget_progress(g)


@invariant
def no_effect_is_being_applied(g: Game) -> bool:
    """Where somebody chooses, or looks, all effects have been applied."""
    return g.layer == 0  #: 10.9.1


@step
def forget_progress(g: Game) -> None:
    """What is only for the time in which effects are applied is forgotten."""
    g.layer = 0
    g.to_come = set()
    g.carried_out = each(set())


@step
def from_print(g: Game) -> None:
    """What is printed on a card is where everything begins."""
    forget_progress(g)
    g.abilityless = set()
    g.disabled = set()
    g.given = each(set())
    g.called = each(set())
    g.called_no_more = each(set())
    g.change = each(0)
    g.hero_change = each(0)


@step
def apply_next(g: Game) -> None:
    """Of the effects of this layer that are left, those that depend on another come last (10.9.1.6), else the oldest first (10.9.1.7)."""
    first = first_in_order(g)
    if first >= AFTER_ALL and reading("dependency-cycle") == "undecided":
        from_print(g)  # nothing decides the values that were tried
        gap("10.9.1.6")
    for k in g.to_come:
        if first == order_of_lasting(g, k):
            g.to_come -= {k}
            apply_lasting(g, k)  #: 10.9.1.7
            return
    sources = changers(g)
    for a in changing_abilities():
        ready: Set[Card] = set()
        for s in sources:
            here = comes_at(g, a, s, first)
            if here:
                ready |= {s}
        for s in ready:
            find_undecided_order(g, a, s, first)
            apply_ability(g, a, s)  #: 10.9.1.7
        if ready:
            return


# ---------------------------------------------------------------- what is left
@define
def not_yet_applied(g: Game, this: Card) -> Set[Ability]:
    """The card's abilities whose effect has not been applied."""
    return {
        a for a in possible_abilities(this)
        if changes_cards(a) and this not in g.carried_out[a] and layer_of(Text(a).effect) == g.layer
    }  # fmt: skip


@define
def to_apply(g: Game, this: Card) -> Set[Ability]:
    """Those of them that apply to a card; by one reading also those that are there and apply to none yet."""
    return {
        a for a in not_yet_applied(g, this)
        if affected(g, a, this) or (reading("effect-on-nothing") == "has-had-its-turn" and enabled(g, a, this))
    }  #: 10.9.1.7 # fmt: skip


# ---------------------------------------------------------------- 10.9.1.6  dependence
@step
def depends(g: Game, ability: Ability, this: Card) -> bool:
    """Would it apply to other cards, or otherwise, if something else that is left had been applied before?"""
    among = affected(g, ability, this)
    found = any(more_to_come(g, Text(ability).effect, Text(ability).persons, c) for c in among)
    if not among:
        among = {this}  # by one reading also what applies to nothing has its turn, and may depend
    for k in g.to_come:
        for c in among:
            differs = applies_otherwise_after(g, ability, this, c, None, this, k)
            found = found or differs
    for s in changers(g):
        for a in to_apply(g, s):
            if a != ability or s != this:
                for c in among:
                    changes = applies_otherwise_after(g, ability, this, c, a, s, 0)
                    found = found or changes
    return found  #: 10.9.1.6


@define
def more_to_come(g: Game, effect: Option[Effect], who: Set[Person], card: Card) -> bool:
    """Is something left that gives such an effect (on these person names) more to do to the card?"""
    return any(
        x.about == card and x.since in g.to_come and does_more_after(effect, who, x.effect, x.persons)
        for x in g.lasting
    ) or any(
        does_more_after(effect, who, Text(a).effect, Text(a).persons) and card in affected(g, a, s)
        for s in changers(g)
        for a in to_apply(g, s)
    )


@define
def does_more_after(effect: Option[Effect], who: Set[Person], other: Option[Effect], given: Set[Person]) -> bool:
    """Does how such an effect applies to a card change if the other has been applied to the card before: more is doubled, more is lost?"""
    return (
        (effect == Effect.DOUBLES_POWER and sets_or_adds(other) and reading("doubling-depends") == "depends")
        or (
            layer_of(effect) == 3 and effect != other and other == Effect.GIVES_ABILITIES
            and reading("loss-and-gift") == "loss-last"
        )
        or (
            effect == Effect.LOSES_PERSONS and other == Effect.ADDS_PERSONS and len(who & given) > 0
            and reading("names-lost-and-given") == "loss-last"
        )
    )  #: 10.9.1.6 # fmt: skip


@step
def applies_otherwise_after(
    g: Game, ability: Ability, this: Card, card: Card, first: Option[Ability], by: Card, time: int
) -> bool:
    """Does it apply to other cards, or to this one by another number, once something else is applied (an ability, or what lasts since then)?
    That is tried out, and put back."""
    to, number = affected(g, ability, this), amount(g, ability, this, card)
    with restored(g.abilityless, g.disabled, g.given, g.called, g.called_no_more, g.change, g.hero_change):
        if first is None:
            apply_lasting(g, time)
        else:
            change_by(g, first, by)
        return affected(g, ability, this) != to or (card in to and amount(g, ability, this, card) != number)


# ---------------------------------------------------------------- 10.9.1.7  the order of arising
@define
def order_of_arising(g: Game, ability: Ability, this: Card) -> int:
    """The place of an effect in the order of arising; of what arose at one time, some readings say what comes second."""
    return 2 * g.card[this].since + second_of_one_time(Text(ability).effect)  #: 10.9.1.7.1


@step
def order_of(g: Game, ability: Ability, this: Card) -> int:
    """Its place among the effects that are left."""
    later = depends(g, ability, this)
    return order_of_arising(g, ability, this) + (AFTER_ALL if later else 0)  #: 10.9.1.6


@define
def order_of_lasting(g: Game, time: int) -> int:
    """The place of what lasts since then, which applies to its card whatever comes before: all that can depend is how."""
    later = any(
        x.since == time and x.about is not None and more_to_come(g, x.effect, x.persons, x.about) for x in g.lasting
    )
    return 2 * time + (AFTER_ALL if later else 0)  #: 10.9.1.7.2


@step
def first_in_order(g: Game) -> int:
    """The place of what is applied next."""
    first = min((order_of_lasting(g, k) for k in g.to_come), default=NEVER)
    for s in changers(g):
        for a in to_apply(g, s):
            if order_of_arising(g, a, s) < first:
                at = order_of(g, a, s)
                first = min(first, at)
    return first


@step
def comes_at(g: Game, ability: Ability, this: Card, place: int) -> bool:
    """Is it left, and is this its place?"""
    arose = order_of_arising(g, ability, this)
    if (arose != place and arose != place - AFTER_ALL) or ability not in to_apply(g, this):
        return False
    at = order_of(g, ability, this)
    return at == place


@step
def find_undecided_order(g: Game, ability: Ability, this: Card, first: int) -> None:
    """Two effects with the same place that do not give the same in both orders: no clause ranks them. By one reading none ranks an effect, either,
    and an older one that waits for a newer (all three of permanent abilities)."""
    time = g.card[this].since
    is_passed = first < AFTER_ALL and any(g.card[s].since < time and len(to_apply(g, s)) > 0 for s in changers(g))
    for s in changers(g):
        for a in to_apply(g, s):
            if a != ability or s != this:
                together = comes_at(g, a, s, first)
                if together:
                    one_waits = waits_after(g, ability, this, a, s)
                    other_waits = waits_after(g, a, s, ability, this)
                    covered = is_overridden(g, ability, this, a, s)
                    shows = order_shows(g, ability, this, a, s) and not covered
                    if first >= AFTER_ALL or one_waits or other_waits or shows:
                        from_print(g)
                        gap("10.9.1.7")
                elif is_passed and g.card[s].since > time:
                    frees_older = waits_after(g, ability, this, a, s)
                    if frees_older and reading("time-against-dependence") == "undecided":
                        from_print(g)
                        gap("10.9.1.7")


@step
def waits_after(g: Game, ability: Ability, this: Card, second: Ability, by: Card) -> bool:
    """Once the second effect of a time is applied, does the first depend on what is left, or come after something older that
    was waiting for the second, so that it comes to something else?"""
    with restored(
        g.carried_out, g.abilityless, g.disabled, g.given, g.called, g.called_no_more, g.change, g.hero_change
    ):
        g.carried_out[second] |= {by}
        change_by(g, second, by)
        later = depends(g, ability, this)
        for s in changers(g):
            for a in to_apply(g, s):
                if order_of_arising(g, a, s) < order_of_arising(g, ability, this):
                    at = order_of(g, a, s)
                    between = at < AFTER_ALL and order_shows(g, ability, this, a, s)
                    later = later or between
        return later


@step
def is_overridden(g: Game, one: Ability, by: Card, second: Ability, by_second: Card) -> bool:
    """Is what two effects change on each card decided by something that arose later, whichever of the two comes first?"""
    time, contested = g.card[by].since, Text(one).persons & Text(second).persons
    left = {
        c for c in affected(g, one, by) & affected(g, second, by_second)
        if not any(
            x.since > time and x.about == c and decides(g.layer, x.effect, x.persons, contested) for x in g.lasting
        )
    }  # fmt: skip
    for s in changers(g):
        for a in to_apply(g, s):
            if g.card[s].since > time and decides(g.layer, Text(a).effect, Text(a).persons, contested):
                for c in affected(g, a, s):
                    after_one = applies_otherwise_after(g, a, s, c, one, by, 0)
                    after_second = applies_otherwise_after(g, a, s, c, second, by_second, 0)
                    if not after_one and not after_second:
                        left -= {c}
    return not left


@define
def decides(layer: int, effect: Option[Effect], persons: Set[Person], contested: Set[Person]) -> bool:
    """Are the number, the abilities or these person names the same after such an effect whatever they were before?"""
    sets = {Effect.SETS_POWER, Effect.LOSES_ABILITIES, Effect.DISABLES_ABILITIES}
    return layer_of(effect) == layer and (effect in sets or (layer == 4 and len(contested - persons) == 0))


@define
def order_shows(g: Game, one: Ability, by: Card, second: Ability, by_second: Card) -> bool:
    """Do two effects of which none depends on the other come to something else in the other order?"""
    a, b, names = Text(one).effect, Text(second).effect, Text(one).persons & Text(second).persons
    return any(
        comes_out_otherwise(a, amount(g, one, by, c), b, amount(g, second, by_second, c), names, number_of(g, c))
        for c in affected(g, one, by) & affected(g, second, by_second)
    )


@define
def comes_out_otherwise(a: Option[Effect], n: int, b: Option[Effect], m: int, names: Set[Person], number: int) -> bool:
    """Do two effects of one of 10.9.1.3 to .5, by these numbers and with these person names in common, come to something else in the other order?"""
    return (
        number_after(a, n, number_after(b, m, number)) != number_after(b, m, number_after(a, n, number))
        or (a != b and len(names) > 0)
        or (layer_of(a) == 3 and (a == Effect.GIVES_ABILITIES) != (b == Effect.GIVES_ABILITIES))
    )


# ---------------------------------------------------------------- an effect is applied
@step
def apply_ability(g: Game, ability: Ability, this: Card) -> None:
    """What a permanent ability does is done, if it does not take from itself what it rests on, nor sets off what does."""
    undone = stops_applying(g, ability, this, ability, this)
    if undone and reading("effect-undoes-itself") == "undecided":
        from_print(g)
        gap("10.9.1")
    for s in changers(g):
        for a in not_yet_applied(g, s):
            if a != ability or s != this:
                back = stops_applying(g, ability, this, a, s)
                if back and reading("dependency-cycle") == "undecided":
                    from_print(g)
                    gap("10.9.1.6")
                # the older had its turn before, with nothing to apply to
                if back and g.card[s].since <= g.card[this].since:
                    g.carried_out[a] |= {s}  #: 10.9.1.7
    g.carried_out[ability] |= {this}
    change_by(g, ability, this)


@step
def stops_applying(g: Game, ability: Ability, this: Card, second: Ability, by: Card) -> bool:
    """Once applied, does it no longer apply to a card: by itself, or by a second effect that it sets off? That is tried out, and put back."""
    to, other_to = affected(g, ability, this), affected(g, second, by)
    with restored(g.abilityless, g.disabled, g.given, g.called, g.called_no_more, g.change, g.hero_change):
        change_by(g, ability, this)
        if second != ability or by != this:
            to &= affected(g, ability, this)
            if affected(g, second, by) == other_to:
                return False
            change_by(g, second, by)
        return len(to - affected(g, ability, this)) > 0
