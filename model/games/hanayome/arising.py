"""10.9.1.7: which continuous effects there are, and when they arose."""
from ...lang import *
from .abilities import *
from .state import *


# ---------------------------------------------------------------- which effects there are
@define
def layer_of(effect: Option[Effect]) -> int:
    """Which of 10.9.1.3 to .5 speaks of such an effect; none (0) of what changes no information of a card."""
    match effect:
        case Effect.LOSES_ABILITIES | Effect.DISABLES_ABILITIES | Effect.GIVES_ABILITIES:
            return 3  #: 10.9.1.3
        case Effect.ADDS_PERSONS | Effect.LOSES_PERSONS:
            return 4  #: 10.9.1.4
        case Effect.ADDS_POWER | Effect.SETS_POWER | Effect.DOUBLES_POWER:
            return 5  #: 10.9.1.5
        case _:
            return 0


@define
def sets_or_adds(effect: Option[Effect]) -> bool:
    """Does such an effect change a number by another that it names?"""
    return effect in {Effect.SETS_POWER, Effect.ADDS_POWER}


@define
def number_after(effect: Option[Effect], by: int, before: int) -> int:
    """A number that such an effect has changed. `by` is 0 if the effect names no number."""
    return by if effect == Effect.SETS_POWER else doubled(before) if effect == Effect.DOUBLES_POWER else before + by


@define
def doubled(number: int) -> int:
    """Twice a number: of one below 0 twice 0, or, by another reading, nothing is done with it."""
    match reading("doubling-negative"):
        case "counts-as-zero":
            return max(0, 2 * number)  #: 1.3.2.2.1
        case "not-done":
            return max(number, 2 * number)  #: 1.3.2.2
        case _:  # doubled
            return 2 * number  #: 1.3.2.4


@define
def number_of(g: Game, card: Card) -> int:
    """The number that effects on the card change, as it is by now: bride power, or required bride power."""
    return required_power(g, card) if zone_of(card) in g.hero_lane else power(g, card)


@define
def changes_cards(ability: Ability) -> bool:
    """Is it a permanent ability that changes what cards are?"""
    return Text(ability).effect is not None and layer_of(Text(ability).effect) > 0


@define
def changing_abilities() -> Set[Ability]:
    """All permanent abilities that change what cards are."""
    return {a for c in CARDS for a in Printed(c).abilities if changes_cards(a)}


@define
def changers(g: Game) -> Set[Card]:
    """The cards that may come to have such an ability, printed or given, where they lie."""
    elsewhere = {c for c in CARDS if any(Text(a).works_in for a in possible_abilities(c))}
    return {c for c in cards_in_lanes(g) | elsewhere if any(changes_cards(a) for a in possible_abilities(c))}  #: 10.3.4


# ---------------------------------------------------------------- 10.9.1.7  when they arose
@define
def newest(g: Game) -> int:
    """The place in the order of what arose last."""
    return max(max((g.card[c].since for c in changers(g)), default=0), max((x.since for x in g.lasting), default=0))


@define
def second_of_one_time(effect: Option[Effect]) -> int:
    """Which of the effects of one time come second, by some readings; else nothing says."""
    return 1 if (
        (effect == Effect.ADDS_PERSONS and reading("names-of-one-time") == "given-last")
        or (effect == Effect.LOSES_PERSONS and reading("names-of-one-time") == "taken-last")
        or (effect == Effect.ADDS_POWER and reading("effects-of-one-time") == "additions-last")
        or (effect in {Effect.SETS_POWER, Effect.DOUBLES_POWER} and reading("effects-of-one-time") == "additions-first")
    ) else 0  # fmt: skip


@step
def note_arrivals(g: Game, moved: Set[Card]) -> None:
    """A permanent ability counts from when its card was put where it is; what came together counts as one time."""
    last = newest(g)
    for c in moved & changers(g):
        if arises(g, c):
            g.card[c].since = last + 1  #: 10.9.1.7.1
    close_ranks(g)


@define
def arises(g: Game, card: Card) -> bool:
    """Do the permanent abilities of a card that has moved count from now?"""
    src = g.card[card].moved_from
    comes = src is None or not between_lanes(g, src, zone_of(card))
    return comes or reading("lane-move-time") == "renewed"  #: 10.9.1.7.1


@define
def between_lanes(g: Game, src: Zone, to: Zone) -> bool:
    """Is it a move from hero lane to hero lane, or from character lane to character lane?"""
    return (src in g.hero_lane and to in g.hero_lane) or (src in g.lane and to in g.lane)  #: 4.1.4


@step
def close_ranks(g: Game) -> None:
    """The order of what there is has no empty places."""
    last = newest(g)
    for k in up_to(last - 1):
        at = last - k
        if not any(g.card[c].since == at for c in changers(g)) and not any(x.since == at for x in g.lasting):
            shift(g, at, -1)
    played = g.played_since
    if played is not None:
        g.played_since = min(played, newest(g))


@step
def shift(g: Game, above: int, by: int) -> None:
    """All that arose after that place has another; and so has what is done by a play that began when what was there was the newest."""
    for c in changers(g):
        if g.card[c].since > above:
            g.card[c].since += by
    with simultaneously():
        for x in g.lasting:
            if x.since > above:
                g.lasting.remove(x)
                g.lasting.add(Lasting(x.effect, x.about, x.number, x.source, x.persons, x.since + by))
    played = g.played_since
    if played is not None and played >= above:
        g.played_since = played + by


@step
def remember_when_played(g: Game) -> None:
    """What a card or ability does counts from when it was played, before what arises meanwhile."""
    g.played_since = newest(g)


@step
def forget_when_played(g: Game) -> None:
    """The card or ability has been played, and has done what it does."""
    g.played_since = None
    g.come_since_play = set()
    g.of_one_play.clear()


@step
def next_time(g: Game) -> Time:
    """The place of what the ability does that is played: after what it has done before, and before all that came meanwhile."""
    played = g.played_since
    if played is None:
        return newest(g) + 1
    shift(g, played, 1)
    return played + 1  #: 10.9.1.7.2


@define
def in_a_lane(g: Game, card: Card) -> bool:
    """Does the card lie in a character lane or hero lane?"""
    return zone_of(card) in g.lane or zone_of(card) in g.hero_lane


@define
def cards_in_lanes(g: Game) -> Set[Card]:
    """The cards in character lanes and hero lanes."""
    return {c for n in LANES for c in g.hero_lane[n]} | {c for p in PLAYERS for n in LANES for c in g.lane[p][n]}
