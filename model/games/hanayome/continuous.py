"""10.9: continuous effects, from what is printed on a card to what it is now.

A permanent ability says what it does with `effect:` (and `persons:`), when with `if:`, to which cards with `applies_to:`
and by how much with `how_much:`. What permanent abilities and `lasting` effects come to is kept in the state
(`abilityless`, `disabled`, `persons_more`, `persons_less`, `change`, `hero_change`), so that every text may ask for it;
it is worked out anew whenever something changes.

Verbs for texts, all until the end of the turn: `change_power`, `set_power`, `double_power`, `lose_abilities`,
`disable_abilities`, `give_abilities`, `add_persons`, `lose_persons`. Texts may ask `power`, `required_power`, `persons`,
`abilities_of`.
"""
from ...lang import *
from .abilities import *
from .state import *

ROUNDS_MORE = Range(1, 3)
"""How often more, to see whose effects begin and cease: of two that depend on each other perhaps one at a time."""

MOST = 99
"""Numbers that are worked out again and again are not followed beyond this."""


# ---------------------------------------------------------------- which effects there are
@define
def bears_effect(card: Card) -> bool:
    """Has the card a permanent ability that does something to cards?"""
    return any(Text(a).effect is not None for a in Printed(card).abilities)


@define
def gives_effect(card: Card) -> bool:
    """Has the card such an ability for other cards to have?"""
    return any(Text(a).given and Text(a).effect is not None for a in Printed(card).abilities)


@define
def sources() -> Set[Card]:
    """The cards that may come to do something by a permanent ability."""
    return CARDS if any(gives_effect(c) for c in CARDS) else {c for c in CARDS if bears_effect(c)}


@define
def at_work(g: Game) -> Set[Card]:
    """Those of them that can do something where they lie."""
    return {c for c in sources() if in_a_lane(g, c) or works_elsewhere(c)}  #: 10.3.4


@define
def works_elsewhere(card: Card) -> bool:
    """Has the card an ability that works outside the lanes?"""
    return any(Text(a).works_in for a in Printed(card).abilities)


@define
def rounds() -> int:
    """How often the layers are gone through before what has not come to rest is taken to go in a circle: a chain in which each effect
    waits for the one before is no longer than there are effects."""
    return max(12, min(60, 2 + sum(1 for c in CARDS for a in possible_abilities(c) if Text(a).effect is not None)))


@define
def is_ordered(effect: Option[Effect]) -> bool:
    """Can it matter whether such an effect comes before or after another?"""
    return effect in {
        Effect.LOSES_ABILITIES, Effect.DISABLES_ABILITIES, Effect.GIVES_ABILITIES, Effect.LOSES_PERSONS,
        Effect.SETS_POWER, Effect.DOUBLES_POWER,
    }


@define
def order_is_printed() -> bool:
    """Do the cards have permanent abilities whose order can matter?"""
    return any(any(is_ordered(Text(a).effect) for a in Printed(c).abilities) for c in CARDS)


@define
def working(g: Game, this: Card) -> Set[Ability]:
    """The permanent abilities by which the card does something to cards at the moment."""
    return {
        a
        for a in abilities_of(g, this)
        if Text(a).effect is not None and condition(g, a, this, stands_in(g, this))
    }  #: 10.1.1.3 #: 10.6.1 #: 10.3.3


@define
def is_done_to(g: Game, card: Card, effect: Effect) -> bool:
    """Does some continuous effect do that to the card?"""
    return any(x.effect == effect and x.about == card for x in g.lasting) or any(
        does_to(g, a, s, effect, card) for s in at_work(g) for a in working(g, s)
    )


# ---------------------------------------------------------------- 10.9.1.7  when they arose
@define
def newest(g: Game) -> int:
    """The place in the order of what arose last."""
    return max(max((g.card[c].since for c in sources()), default=0), max((x.since for x in g.lasting), default=0))


@define
def newest_ordered(g: Game) -> int:
    """The place of what arose last of all that is more than an addition."""
    return max(
        max((g.card[c].since for c in sources() if bears_order(c)), default=0),
        max((x.since for x in g.lasting if is_ordered(x.effect)), default=0),
    )


@define
def bears_order(card: Card) -> bool:
    """Has the card a permanent ability that does more than add?"""
    return any(is_ordered(Text(a).effect) for a in Printed(card).abilities)


@step
def note_arrivals(g: Game, moved: Set[Card]) -> None:
    """A permanent ability counts from when its card was put where it is; what came together counts as one time."""
    if not order_is_printed():
        return
    last_ordered, last_of_all = newest_ordered(g), newest(g)
    for c in moved & sources():
        if arrives(g, c):
            g.card[c].since = (last_of_all if bears_order(c) else last_ordered) + 1  #: 10.9.1.7.1
    close_ranks(g)


@define
def arrives(g: Game, card: Card) -> bool:
    """Was the card put into its zone just now, as far as the order of effects is concerned?"""
    if zone_of(card) not in g.lane and zone_of(card) not in g.hero_lane:
        return False
    return g.card[card].since == 0 or reading("lane-move-time") == "renewed"  #: 10.9.1.7.1


@step
def close_ranks(g: Game) -> None:
    """The order of what there is has no empty places."""
    for k in TIMES:
        if k < 31 and no_effect_of(g, 31 - k):
            for c in sources():
                if g.card[c].since > 31 - k:
                    g.card[c].since -= 1
            with simultaneously():
                for x in g.lasting:
                    if x.since > 31 - k:
                        g.lasting.remove(x)
                        g.lasting.add(moved_up(x))


@define
def moved_up(x: Lasting) -> Lasting:
    """The same effect, one place further up in the order."""
    return Lasting(x.effect, x.about, x.number, x.source, x.persons, x.for_game, x.since - 1)


@define
def no_effect_of(g: Game, time: int) -> bool:
    """Did nothing that there is arise at this time?"""
    return not any(g.card[c].since == time for c in sources()) and not any(x.since == time for x in g.lasting)


# ---------------------------------------------------------------- 10.9.1  information, layer by layer
@define
def continuous_effects_exist(g: Game) -> bool:
    """Is there anything to apply, or to take back?"""
    return len(sources()) > 0 or len(g.lasting) > 0


@situation
def information_changes(g: Game) -> None:
    """What cards are is worked out anew whenever something has changed."""
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.1


@step
def apply_continuous(g: Game) -> None:
    """From what is printed on, the layers are gone through until nothing changes any more."""
    from_print(g)
    for _ in up_to(rounds()):
        if at_rest(g):
            find_undecided_order(g)
            return
        go_through_layers(g)
    turned: Set[Card] = set()
    for _ in ROUNDS_MORE:
        before = {c for c in at_work(g) if working(g, c)}
        go_through_layers(g)
        turned |= before ^ {c for c in at_work(g) if working(g, c)}
    if len(turned) == 1:
        if reading("effect-undoes-itself") == "undecided":
            from_print(g)  # nothing decides the values that were tried
            gap("10.9.1")
    elif reading("dependency-cycle") == "undecided":
        from_print(g)
        gap("10.9.1.6")
    from_print(g)
    apply_in_order(g)


@step
def from_print(g: Game) -> None:
    """What is printed on a card is where everything begins."""
    g.abilityless = set()  #: 10.9.1.1
    g.disabled = set()  #: 10.9.1.1
    for p in PLAYERS:
        for n in LANES:
            g.persons_more[p][n] = set()  #: 10.9.1.1
            g.persons_less[p][n] = set()  #: 10.9.1.1
            g.change[p][n] = 0  #: 10.9.1.1
    for n in LANES:
        g.hero_change[n] = 0  #: 10.9.1.1


@define
def at_rest(g: Game) -> bool:
    """Does going through the layers once more change nothing?"""
    return (
        g.abilityless == abilityless(g)
        and g.disabled == disabled(g)
        and all(
            g.persons_more[p][n] == persons_more(g, p, n)
            and g.persons_less[p][n] == persons_less(g, p, n)
            and g.change[p][n] == change_at(g, character_in(g, p, n))
            for p in PLAYERS
            for n in LANES
        )
        and all(g.hero_change[n] == change_at(g, the(g.hero_lane[n])) for n in LANES)
    )


@step
def go_through_layers(g: Game) -> None:
    """Each layer in turn, every effect seeing the cards as they were found before: so an effect comes to be applied
    after all that it depends on."""
    with simultaneously():
        g.abilityless = abilityless(g)  #: 10.9.1.3
        g.disabled = disabled(g)  #: 10.9.1.3 #: 10.3.2
        for p in PLAYERS:
            for n in LANES:
                g.persons_more[p][n] = persons_more(g, p, n)  #: 10.9.1.4
                g.persons_less[p][n] = persons_less(g, p, n)  #: 10.9.1.4
                g.change[p][n] = change_at(g, character_in(g, p, n))  #: 10.9.1.5 #: 10.9.1.6
        for n in LANES:
            g.hero_change[n] = change_at(g, the(g.hero_lane[n]))  #: 10.9.1.5


# ---------------------------------------------------------------- 10.9.1.3  abilities
@define
def abilityless(g: Game) -> Set[Card]:
    """The cards in lanes whose printed abilities are lost."""
    return {c for c in CARDS if in_a_lane(g, c) and is_done_to(g, c, Effect.LOSES_ABILITIES)}  #: 10.9.1.3


@define
def disabled(g: Game) -> Set[Card]:
    """The cards in lanes whose abilities have no effect."""
    return {c for c in CARDS if in_a_lane(g, c) and is_done_to(g, c, Effect.DISABLES_ABILITIES)}  #: 10.3.2


@define
def in_a_lane(g: Game, card: Card) -> bool:
    """Does the card lie in a character lane or hero lane?"""
    return zone_of(card) in g.lane or zone_of(card) in g.hero_lane


# ---------------------------------------------------------------- 10.9.1.4  what is no number
@define
def persons_more(g: Game, p: Player, n: Lane) -> Set[Person]:
    """Person names that the character in a lane is given."""
    who = character_in(g, p, n)
    return set() if who is None else persons_done_to(g, who, Effect.ADDS_PERSONS)


@define
def persons_less(g: Game, p: Player, n: Lane) -> Set[Person]:
    """Person names that the character in a lane loses, and is not given by anything later."""
    who = character_in(g, p, n)
    if who is None:
        return set()
    lost = persons_done_to(g, who, Effect.LOSES_PERSONS)
    return {q for q in lost if spoken_of(g, who, Effect.ADDS_PERSONS, q) <= spoken_of(g, who, Effect.LOSES_PERSONS, q)}


@define
def spoken_of(g: Game, card: Card, effect: Effect, who: Person) -> int:
    """When the last effect arose that does this to the card with that person name."""
    return max(
        max((x.since for x in g.lasting if x.effect == effect and x.about == card and who in x.persons), default=-1),
        max((g.card[s].since for s in sources() if speaks_of(g, s, card, effect, who)), default=-1),
    )  #: 10.9.1.7


@define
def speaks_of(g: Game, this: Card, card: Card, effect: Effect, who: Person) -> bool:
    """Does a card do this to the other with that person name?"""
    return any(who in Text(a).persons and does_to(g, a, this, effect, card) for a in working(g, this))


@define
def persons_done_to(g: Game, card: Card, effect: Effect) -> Set[Person]:
    """The person names of which the effects that do this to the card speak."""
    return {q for x in g.lasting for q in x.persons if x.effect == effect and x.about == card} | {
        q for s in at_work(g) for a in working(g, s) for q in Text(a).persons if does_to(g, a, s, effect, card)
    }  #: 10.9.1.4


# ---------------------------------------------------------------- 10.9.1.5  numbers
@define
def change_at(g: Game, card: Option[Obj]) -> int:
    """What all effects together change the number of a character or hero by; nothing for an empty lane."""
    if card is None:
        return 0
    before = number_before(g, card)
    number = before
    for k in TIMES:
        if k <= newest(g):
            number = number_after(g, card, number, k)  #: 10.9.1.7
    return max(-MOST, min(MOST, number - before))


@define
def number_before(g: Game, card: Card) -> int:
    """The number that effects on the card change: bride power, or required bride power."""
    return required_before(g, card) if zone_of(card) in g.hero_lane else power_before(g, card)


@define
def number_after(g: Game, card: Card, before: int, time: int) -> int:
    """The number once the effects that arose at this time are applied."""
    number = before
    if reading("effects-of-one-time") == "additions-first":
        number += added(g, card, time)
    if sets_it(g, card, time):
        number = least_set(g, card, time)  #: 10.9.1.5
    if doubles_it(g, card, time):
        number = 2 * number  #: 10.9.1.5
    if reading("effects-of-one-time") == "additions-first":
        return number
    return number + added(g, card, time)  #: 10.9.1.5


@define
def added(g: Game, card: Card, time: int) -> int:
    """What effects that arose at this time add."""
    return sum(x.number for x in g.lasting if x.effect == Effect.ADDS_POWER and x.about == card and x.since == time) + sum(
        how_much(g, a, s, stands_in(g, s), card)
        for s in at_work(g)
        if g.card[s].since == time
        for a in working(g, s)
        if does_to(g, a, s, Effect.ADDS_POWER, card)
    )  #: 10.9.1.5


@define
def sets_it(g: Game, card: Card, time: int) -> bool:
    """Does an effect that arose at this time set the number to a value?"""
    return is_done_at(g, card, Effect.SETS_POWER, time)


@define
def doubles_it(g: Game, card: Card, time: int) -> bool:
    """Does an effect that arose at this time double the number?"""
    return is_done_at(g, card, Effect.DOUBLES_POWER, time)


@define
def is_done_at(g: Game, card: Card, effect: Effect, time: int) -> bool:
    """Does an effect that arose at this time do that to the card?"""
    return any(x.effect == effect and x.about == card and x.since == time for x in g.lasting) or any(
        does_to(g, a, s, effect, card) for s in at_work(g) if g.card[s].since == time for a in working(g, s)
    )


@define
def least_set(g: Game, card: Card, time: int) -> int:
    """The smallest value that effects of this time set the number to."""
    return min(
        min((x.number for x in g.lasting if x.effect == Effect.SETS_POWER and x.about == card and x.since == time), default=MOST),
        min((set_to_least(g, s, card) for s in at_work(g) if g.card[s].since == time), default=MOST),
    )


@define
def set_to_least(g: Game, this: Card, card: Card) -> int:
    """The smallest value that a card sets the number of the other to."""
    return min(
        (how_much(g, a, this, stands_in(g, this), card) for a in working(g, this) if does_to(g, a, this, Effect.SETS_POWER, card)),
        default=MOST,
    )


@define
def set_to_most(g: Game, this: Card, card: Card) -> int:
    """The greatest value that a card sets the number of the other to."""
    return max(
        (how_much(g, a, this, stands_in(g, this), card) for a in working(g, this) if does_to(g, a, this, Effect.SETS_POWER, card)),
        default=-MOST,
    )


@define
def greatest_set(g: Game, card: Card, time: int) -> int:
    """The greatest value that effects of this time set the number to."""
    return max(
        max((x.number for x in g.lasting if x.effect == Effect.SETS_POWER and x.about == card and x.since == time), default=-MOST),
        max((set_to_most(g, s, card) for s in at_work(g) if g.card[s].since == time), default=-MOST),
    )


# ---------------------------------------------------------------- what the order leaves open
@step
def find_undecided_order(g: Game) -> None:
    """Effects that arose at the same time and do not give the same in every order: no clause ranks them."""
    if reading("effects-of-one-time") == "undecided" and any(order_matters_at(g, c, k) for c in CARDS for k in TIMES if in_a_lane(g, c) and k <= newest(g)):
        from_print(g)
        gap("10.9.1.7")


@define
def order_matters_at(g: Game, card: Card, time: int) -> bool:
    """Do effects that arose at this time give a different number in a different order?"""
    if sets_it(g, card, time):
        return (
            least_set(g, card, time) != greatest_set(g, card, time)
            or added(g, card, time) != 0
            or doubles_it(g, card, time)
        )  #: 10.9.1.7
    return doubles_it(g, card, time) and added(g, card, time) != 0  #: 10.9.1.7


@step
def apply_in_order(g: Game) -> None:
    """By some readings, what goes in a circle is applied once, in the order of the layers and of arising, and stays."""
    for k in TIMES:
        if k <= newest(g):
            with simultaneously():
                g.abilityless |= {c for c in abilityless(g) if is_done_at(g, c, Effect.LOSES_ABILITIES, k)}  #: 10.9.1.7
                g.disabled |= {c for c in disabled(g) if is_done_at(g, c, Effect.DISABLES_ABILITIES, k)}  #: 10.9.1.7
    for p in PLAYERS:
        for n in LANES:
            g.persons_more[p][n] = persons_more(g, p, n)
            g.persons_less[p][n] = persons_less(g, p, n)
    for k in TIMES:
        if k <= newest(g):
            with simultaneously():
                for p in PLAYERS:
                    for n in LANES:
                        g.change[p][n] = change_after(g, character_in(g, p, n), k)  #: 10.9.1.7
                for n in LANES:
                    g.hero_change[n] = change_after(g, the(g.hero_lane[n]), k)  #: 10.9.1.7


@define
def change_after(g: Game, card: Option[Obj], time: int) -> int:
    """What the number of a card is changed by once the effects of this time are applied too."""
    if card is None:
        return 0
    before = number_before(g, card)
    return number_after(g, card, before + change_of(g, card), time) - before


# ---------------------------------------------------------------- 10.9.2  effects until the end of the turn
@step
def lay_on(g: Game, card: Card, effect: Effect, number: int, source: Option[Obj], who: Set[Person]) -> None:
    """From now until the end of the turn this is done to the card, as long as it is the same card."""
    g.lasting.add(Lasting(effect, card, number, source, who, since=newest(g) + 1))  #: 10.9.2 #: 10.9.1.7.2
    apply_continuous(g)


@action
def change_power(g: Game, card: Card, by: int) -> None:
    """Until the end of the turn the card has so much more (or less) power, or required power if it is a hero."""
    if order_is_printed() or any(x.about == card and is_ordered(x.effect) for x in g.lasting):
        add_in_order(g, card, by, newest_ordered(g) + 1)  #: 10.2.1.2 #: 10.8.1 #: 10.9.1.7.2
    else:
        g.card[card].until_turn_end += by  #: 10.2.1.2 #: 10.8.1


@step
def add_in_order(g: Game, card: Card, by: int, time: int) -> None:
    """An addition counts from when it was played; additions with nothing else between them are one."""
    so_far = sum(x.number for x in g.lasting if x.effect == Effect.ADDS_POWER and x.about == card and x.since == time)
    g.lasting.remove(Lasting(Effect.ADDS_POWER, card, so_far, since=time))
    if so_far + by != 0:
        g.lasting.add(Lasting(Effect.ADDS_POWER, card, so_far + by, since=time))  #: 10.9.1.7.2
    close_ranks(g)
    apply_continuous(g)


@action
def set_power(g: Game, card: Card, to: int) -> None:
    """Until the end of the turn the card's power (of a hero, its required power) is this number."""
    lay_on(g, card, Effect.SETS_POWER, to, None, set())  #: 10.8.1


@action
def double_power(g: Game, card: Card) -> None:
    """Until the end of the turn the card's power (of a hero, its required power) is doubled."""
    lay_on(g, card, Effect.DOUBLES_POWER, 0, None, set())  #: 10.8.1


@action
def lose_abilities(g: Game, card: Card) -> None:
    """Until the end of the turn the card has lost its abilities."""
    lay_on(g, card, Effect.LOSES_ABILITIES, 0, None, set())  #: 10.8.1


@action
def disable_abilities(g: Game, card: Card) -> None:
    """Until the end of the turn the card's abilities are there, and have no effect."""
    lay_on(g, card, Effect.DISABLES_ABILITIES, 0, None, set())  #: 10.8.1


@action
def give_abilities(g: Game, card: Card, source: Card) -> None:
    """Until the end of the turn the card has the abilities that stand inside the source's text (`given: yes`)."""
    lay_on(g, card, Effect.GIVES_ABILITIES, 0, source, set())  #: 10.8.1


@action
def add_person(g: Game, card: Card, who: Person) -> None:
    """Until the end of the turn the card has this person name as well."""
    lay_on(g, card, Effect.ADDS_PERSONS, 0, None, {who})  #: 10.8.1


@action
def lose_persons(g: Game, card: Card) -> None:
    """Until the end of the turn the card has no person name."""
    lay_on(g, card, Effect.LOSES_PERSONS, 0, None, persons(g, card))  #: 10.8.1


@step
def effects_expire(g: Game) -> None:
    """What lasts until the end of the turn is over."""
    for c in CARDS:
        g.card[c].until_turn_end = 0  #: 7.5.2
    if g.lasting:
        with simultaneously():
            for x in g.lasting:
                if not x.for_game or x.about is None:
                    g.lasting.remove(x)  #: 7.5.2
        close_ranks(g)
        apply_continuous(g)
