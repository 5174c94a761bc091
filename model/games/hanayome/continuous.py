"""10.9: continuous effects, from what is printed on a card to what it is now.

A permanent ability says what it does with `effect:` (and `persons:`), when with `if:`, to which cards with `applies_to:`
and by how much with `how_much:`. What permanent abilities and `lasting` effects come to is kept in the state
(`abilityless`, `disabled`, `persons_more`, `persons_less`, `change`, `hero_change`), so that every text may ask for it;
it is worked out anew whenever something changes. Texts may ask `power`, `required_power`, `persons`, `abilities_of`.
"""
from ...lang import *
from .abilities import *
from .arising import *
from .state import *

ROUNDS_MORE = Range(1, 3)
"""How often more, to see whose effects begin and cease: of two that depend on each other perhaps one at a time."""

MOST = 99
"""Numbers that are worked out again and again are not followed beyond this."""


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
        before = {c for c in at_work(g) if does_something(g, c)}
        go_through_layers(g)
        turned |= before ^ {c for c in at_work(g) if does_something(g, c)}
    if len(turned) == 1:
        if reading("effect-undoes-itself") == "undecided":
            from_print(g)  # nothing decides the values that were tried
            gap("10.9.1")
    elif reading("dependency-cycle") == "undecided":
        from_print(g)
        gap("10.9.1.6")
    from_print(g)
    apply_in_order(g)


@define
def does_something(g: Game, this: Card) -> bool:
    """Do permanent abilities of the card work, and is there a card to which they apply?"""
    return any(applies_to(g, a, this, stands_in(g, this), c) for a in working(g, this) for c in CARDS)


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
    """All layers at once, every effect seeing the cards as the last time found them: whether an effect applies, and to what, is asked of the
    cards as they are in the end. The order of the layers (10.9.1.3 to .5) and dependence (10.9.1.6) do not decide that otherwise."""
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
    return {q for q in persons_done_to(g, who, Effect.LOSES_PERSONS) if is_lost(g, who, q)}


@define
def is_lost(g: Game, card: Card, who: Person) -> bool:
    """Is a person name that effects take from the card not given to it by one that arose later, or is applied later?"""
    if given_and_taken_at_once(g, card, who):
        return reading("names-of-one-time") != "given-last"  #: 10.9.1.7
    return spoken_of(g, card, Effect.ADDS_PERSONS, who) < spoken_of(g, card, Effect.LOSES_PERSONS, who)  #: 10.9.1.7


@define
def given_and_taken_at_once(g: Game, card: Card, who: Person) -> bool:
    """Did the last effects that give the card this person name and that take it arise at one time?"""
    return spoken_of(g, card, Effect.ADDS_PERSONS, who) == spoken_of(g, card, Effect.LOSES_PERSONS, who)  #: 10.9.1.7


@define
def spoken_of(g: Game, card: Card, effect: Effect, who: Person) -> int:
    """When the last effect arose that does this to the card with that person name."""
    return max(
        max((x.since for x in g.lasting if x.effect == effect and x.about == card and who in x.persons), default=-1),
        max(
            (g.card[s].since for s in sources() if any(who in Text(a).persons and does_to(g, a, s, effect, card) for a in working(g, s))),
            default=-1,
        ),
    )  #: 10.9.1.7


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
            number = number_after(g, card, number, k, doublings_in_order(g, card, k))  #: 10.9.1.7
    for _ in up_to(sum(doublings(g, card, k) - doublings_in_order(g, card, k) for k in TIMES if k <= newest(g))):
        number = 2 * number  #: 10.9.1.6
    return max(-MOST, min(MOST, number - before))


@define
def number_before(g: Game, card: Card) -> int:
    """The number that effects on the card change: bride power, or required bride power."""
    return required_before(g, card) if zone_of(card) in g.hero_lane else power_before(g, card)


@define
def number_after(g: Game, card: Card, before: int, time: int, doubled: int) -> int:
    """The number once the effects that arose at this time are applied, so many of which double it."""
    number = before
    if reading("effects-of-one-time") == "additions-first":
        number += added(g, card, time)
    if is_done_at(g, card, Effect.SETS_POWER, time):
        number = least_set(g, card, time)  #: 10.9.1.5
    for _ in up_to(doubled):
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
def doublings_in_order(g: Game, card: Card, time: int) -> int:
    """How many of them are applied then? By one reading none: how doubling applies changes with the number, so it depends on what sets or adds."""
    return doublings(g, card, time) if doublings(g, card, time) > 0 and reading("doubling-depends") == "order-of-arising" else 0  #: 10.9.1.6


@define
def doublings(g: Game, card: Card, time: int) -> int:
    """How many effects that arose at this time double the number."""
    return sum(1 for x in g.lasting if x.effect == Effect.DOUBLES_POWER and x.about == card and x.since == time) + sum(
        1
        for s in at_work(g)
        if g.card[s].since == time
        for a in working(g, s)
        if does_to(g, a, s, Effect.DOUBLES_POWER, card)
    )  #: 10.9.1.5


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
        min(
            (
                min((how_much(g, a, s, stands_in(g, s), card) for a in working(g, s) if does_to(g, a, s, Effect.SETS_POWER, card)), default=MOST)
                for s in at_work(g)
                if g.card[s].since == time
            ),
            default=MOST,
        ),
    )


# ---------------------------------------------------------------- what the order leaves open
@step
def find_undecided_order(g: Game) -> None:
    """Effects that arose at the same time and do not give the same in every order: no clause ranks them."""
    if (reading("effects-of-one-time") == "undecided" and any(order_matters_at(g, c, k) for c in CARDS if in_a_lane(g, c) for k in TIMES if k <= newest(g))) or (
        any(names_hang_on_order(g, c) for c in CARDS if in_a_lane(g, c)) and reading("names-of-one-time") == "undecided"
    ):
        from_print(g)
        gap("10.9.1.7")


@define
def names_hang_on_order(g: Game, card: Card) -> bool:
    """Is a person name given to the card and taken from it at one time?"""
    return any(given_and_taken_at_once(g, card, q) for q in persons_done_to(g, card, Effect.LOSES_PERSONS))


@define
def order_matters_at(g: Game, card: Card, time: int) -> bool:
    """Do effects that arose at this time give a different number in a different order, and does none that arose later set it?"""
    if any(is_done_at(g, card, Effect.SETS_POWER, k) for k in TIMES if k > time and k <= newest(g)):
        return False
    if is_done_at(g, card, Effect.SETS_POWER, time):
        to = least_set(g, card, time)
        return (
            is_done_by(g, card, Effect.SETS_POWER, time, to)
            or is_done_by(g, card, Effect.ADDS_POWER, time, 0)
            or (to != 0 and doublings_in_order(g, card, time) > 0)
        )  #: 10.9.1.7
    return doublings_in_order(g, card, time) > 0 and is_done_by(g, card, Effect.ADDS_POWER, time, 0)  #: 10.9.1.7


@define
def is_done_by(g: Game, card: Card, effect: Effect, time: int, beside: int) -> bool:
    """Does an effect that arose at this time do that to the card by another number than this?"""
    return any(x.effect == effect and x.about == card and x.since == time and x.number != beside for x in g.lasting) or any(
        does_to(g, a, s, effect, card) and how_much(g, a, s, stands_in(g, s), card) != beside
        for s in at_work(g)
        if g.card[s].since == time
        for a in working(g, s)
    )


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
    return number_after(g, card, before + change_of(g, card), time, doublings(g, card, time)) - before
