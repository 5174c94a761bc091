"""10.9.1.7: which continuous effects there are, and when they arose."""
from ...lang import *
from .abilities import *
from .state import *


# ---------------------------------------------------------------- which effects there are
@define
def sources() -> Set[Card]:
    """The cards that may come to do something by a permanent ability, of their own or given to them."""
    return {c for c in CARDS if any(Text(a).effect is not None for a in possible_abilities(c))}


@define
def at_work(g: Game) -> Set[Card]:
    """Those of them that can do something where they lie."""
    return {c for c in sources() if works_where_it_lies(g, c)}


@define
def works_where_it_lies(g: Game, card: Card) -> bool:
    """Can the card's permanent abilities be enabled in its zone?"""
    return in_a_lane(g, card) or any(Text(a).works_in for a in possible_abilities(card))  #: 10.3.4


@define
def changers() -> Set[Card]:
    """Those that may come to change what cards are."""
    return {c for c in CARDS if any(changes_cards(a) for a in possible_abilities(c))}


@define
def continuous_abilities() -> Set[Ability]:
    """The permanent abilities that change what cards are."""
    return {a for c in CARDS for a in Printed(c).abilities if changes_cards(a)}


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
def changes_cards(ability: Ability) -> bool:
    """Is it a permanent ability that changes what cards are?"""
    return Text(ability).effect is not None and layer_of(Text(ability).effect) > 0


# ---------------------------------------------------------------- 10.9.1.7  when they arose
@define
def newest(g: Game) -> int:
    """The place in the order of what arose last."""
    return max(max((g.card[c].since for c in changers()), default=0), max((x.since for x in g.lasting), default=0))


@step
def note_arrivals(g: Game, moved: Set[Card]) -> None:
    """A permanent ability counts from when its card was put where it is; what came together counts as one time."""
    last = newest(g)
    for c in moved & at_work(g) & changers():
        if arises(g, c):
            g.card[c].since = last + 1  #: 10.9.1.7.1
    close_ranks(g)


@define
def arises(g: Game, card: Card) -> bool:
    """Do the permanent abilities of a card that has moved count from now?"""
    src = g.card[card].moved_from
    return src is None or not between_lanes(g, src, zone_of(card)) or reading("lane-move-time") == "renewed"  #: 10.9.1.7.1


@define
def between_lanes(g: Game, src: Zone, to: Zone) -> bool:
    """Is it a move from hero lane to hero lane, or from character lane to character lane?"""
    return (src in g.hero_lane and to in g.hero_lane) or (src in g.lane and to in g.lane)  #: 4.1.4


@step
def close_ranks(g: Game) -> None:
    """The order of what there is has no empty places."""
    if newest(g) > 0 or g.played_since is not None:
        for k in TIMES:
            if k < 31 and no_effect_of(g, 31 - k):
                shift(g, 31 - k, -1)


@step
def shift(g: Game, above: int, by: int) -> None:
    """All that arose after that place has another; and so has what is done by a play that began when what was there was the newest."""
    for c in changers():
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
    if continuous_abilities():
        g.played_since = newest(g)


@step
def forget_when_played(g: Game) -> None:
    """It has done what it says."""
    g.played_since = None


@step
def next_time(g: Game, last: int) -> Time:
    """The place of what the ability does that is played: after what it has done before, and before all that came meanwhile, if that is among
    what it has to come after."""
    played, time = g.played_since, last + 1
    if played is not None and continuous_abilities():
        if played < last:
            shift(g, played, 1)
            time = played + 1
        g.played_since = max(played, time)
    return time  #: 10.9.1.7.2


@define
def no_effect_of(g: Game, time: int) -> bool:
    """Did nothing that there is arise at this time?"""
    return not any(g.card[c].since == time for c in changers()) and not any(x.since == time for x in g.lasting)


@define
def in_a_lane(g: Game, card: Card) -> bool:
    """Does the card lie in a character lane or hero lane?"""
    return zone_of(card) in g.lane or zone_of(card) in g.hero_lane
