"""7.4 and 9.1 to 9.3: the approach, from the phase to the event step."""
from ...kernel.windows import *
from ...lang import *
from .judging import *
from .lanes import *
from .main_phase import *
from .playing import *
from .state import *
from .timing import *


class ApproachPhaseBegan(Event):  #: 9.2.1
    """An approach phase has begun."""


class DeclarationStepBegan(Event):  #: 9.2.1
    """An approach declaration step has begun."""


class EventStepBegan(Event):  #: 9.3.1
    """An event step has begun."""


class Approached(Event):  #: 9.2.2.3
    """A character approaches a hero from now on."""

    card: Option[Obj]
    hero: Option[Obj]


class WasApproached(Event):  #: 9.2.2.3
    """A hero is approached from now on: told of each approach, or by one reading once of the hero, by nobody in particular."""

    card: Option[Obj]
    hero: Option[Obj]


class Approach(Record):
    """Let a character approach a hero."""

    character: Card
    hero: Card


# ---------------------------------------------------------------- 9.1  the phase
@procedure(scope=Scope.PHASE)
async def approach_phase(g: Game) -> None:
    """Declaration, then (if there is an approach) events and the judging."""
    goes_on = await declaration_step(g)  #: 9.1.1
    await reach(g, Moment.DECLARATION_STEP_ENDS)
    if goes_on:
        await event_step(g)  #: 9.2.4
        await judge_step(g)  #: 9.3.3 #: 9.3.5
    await end_approach_phase(g)


@procedure
async def end_approach_phase(g: Game) -> None:
    """The approach phase is over."""
    await reach(g, Moment.APPROACH_PHASE_ENDS)
    approaches_end(g)


@step
def approaches_end(g: Game) -> None:
    """Approaches last for the phase."""
    for c in CARDS:
        g.card[c].approaches = None  #: 9.2.2.3
        g.card[c].partner = None
    g.further.clear()


# ---------------------------------------------------------------- 9.2  declaration step
@procedure(scope=Scope.STEP)
async def declaration_step(g: Game) -> bool:
    """Each of the turn player's characters may be given a hero to approach. Says whether the phase goes on."""
    emit(ApproachPhaseBegan())  #: 9.2.1
    emit(DeclarationStepBegan())  #: 9.2.1
    await check_timing(g)  #: 9.2.1
    for n in LANES:
        await choose_heroes(g, character_in(g, g.turn_player, n))  #: 9.2.2
    approaches_begin(g)  #: 9.2.2.3
    declared = len(approaching(g)) > 0
    await check_timing(g)  #: 9.2.3
    if declared and not approaching(g) and reading("approach-emptied") == "end-phase":
        return False
    return declared  #: 9.2.4


@procedure
async def choose_heroes(g: Game, character: Option[Obj]) -> None:
    """Which hero, if any, is the character to approach? One at most, unless an effect lets it approach another too. (The book has heroes
    chosen first, and then characters for each; one player chooses all of it, so the same combinations can be chosen either way.)"""
    if character is None:
        return
    hero = await choose_hero(g, character, None)  #: 9.2.2.2.3
    g.card[character].declared = hero  #: 9.2.2.2
    if hero is not None and is_done_to(g, character, Effect.APPROACHES_TWO):
        second = await choose_hero(g, character, hero)  #: 1.3.1
        g.card[character].declared_too = second  #: 9.2.2.2


@procedure
async def choose_hero(g: Game, character: Card, first: Option[Obj]) -> Option[Card]:
    """A hero for the character, besides the first: where demands can be met, one that meets as many as possible; else any, or none."""
    if most_demands(g, character, first) > 0:
        return await choose(g.turn_player, {h for h in heroes(g) if meets_most(g, character, h, first)})  #: 1.3.2.3
    act = await choose(
        g.turn_player,
        {Approach(character, h) for h in heroes(g) if h != first and may_approach(g, character, h)} | {Pass()}
    )  #: 9.2.2.1 #: 9.2.2.2 #: 9.2.2.4
    match act:
        case Approach(_, hero):
            return hero
        case Pass():
            return None


@step
def approaches_begin(g: Game) -> None:
    """From now on those who were chosen approach, all at once: nobody did while it was still being chosen who may."""
    with simultaneously():
        for c in characters(g, g.turn_player):
            g.card[c].approaches = g.card[c].declared  #: 9.2.2.3
            if g.card[c].declared_too is not None:
                g.further.add(Further(c, g.card[c].declared_too))  #: 9.2.2.3
            g.card[c].declared = None
            g.card[c].declared_too = None
    tell_approaches(g)


@define
def may_approach(g: Game, character: Card, hero: Card) -> bool:
    """Is the hero near enough and the character strong enough?"""
    return (
        (in_front(hero, character) or diagonal(hero, character))
        and power(g, character) >= required_power(g, hero)
        and (g.card[hero].face == Face.UP or reading("face-down-hero-approach") == "approachable")
        and not is_kept_from(g, character, hero)
    )  #: 9.2.2.2.1 #: 9.2.2.2.2


# ---------------------------------------------------------------- 1.3.2.3, 1.3.3  demands and prohibitions
@define
def is_kept_from(g: Game, character: Card, hero: Card) -> bool:
    """Does an ability of the character forbid the approach? That counts more than any demand."""
    return any(does_to(g, a, character, Effect.CANNOT_APPROACH, hero) for a in possible_abilities(character))  #: 1.3.3


@define
def demands(g: Game, character: Card, hero: Card, first: Option[Obj]) -> int:
    """How many abilities of the character demand that it approach this hero, and are not met by the first that it is to approach?"""
    return sum(
        1
        for a in possible_abilities(character)
        if does_to(g, a, character, Effect.MUST_APPROACH, hero)
        and not (first is not None and does_to(g, a, character, Effect.MUST_APPROACH, first))
    )  #: 1.3.2.3


@define
def most_demands(g: Game, character: Card, first: Option[Obj]) -> int:
    """How many demands can be met at most by one more approach?"""
    return max(
        (demands(g, character, h, first) for h in heroes(g) if may_approach(g, character, h)), default=0
    )  #: 1.3.2.3


@define
def meets_most(g: Game, character: Card, hero: Card, first: Option[Obj]) -> bool:
    """Does the approach meet as many demands as possible?"""
    return (
        may_approach(g, character, hero)
        and demands(g, character, hero, first) == most_demands(g, character, first)
    )  #: 1.3.2.3


@step
def tell_approaches(g: Game) -> None:
    """Triggers hear of the approaches, once all are declared."""
    for c in approaching(g):
        for h in approached_by(g, c):
            emit(Approached(c, h))  #: 9.2.2.3
            if reading("approached-count") == "each-approach":
                emit(WasApproached(c, h))  #: 9.2.2.3
    for h in heroes(g):
        if reading("approached-count") == "once" and any(h in approached_by(g, c) for c in approaching(g)):
            emit(WasApproached(None, h))  #: 9.2.2.3


# ---------------------------------------------------------------- 9.3  event step
@procedure(scope=Scope.STEP)
async def event_step(g: Game) -> None:
    """The players have play timings in turn, the non-turn player first, until both in a row play nothing."""
    emit(EventStepBegan())  #: 9.3.1
    await check_timing(g)  #: 9.3.1
    first = other(g.turn_player)  #: 9.3.2
    if reading("event-step-first-pass") == "at-once":
        if not await event_timing(g, first):  #: 9.3.2
            await reach(g, Moment.EVENT_STEP_ENDS)
            return  #: 9.3.3
        first = g.turn_player
    await alternate(
        g,
        first,
        act=event_timing,  #: 9.3.2 #: 9.3.4
        enough=2,
    )  #: 9.3.3 #: 9.3.5
    await reach(g, Moment.EVENT_STEP_ENDS)


@procedure
async def event_timing(g: Game, who: Player) -> bool:
    """One play timing of the event step. Says whether something was played."""
    if who == g.turn_player:
        played = await play_one_by_one(g, who)  #: 9.3.4
        return played
    played = await play_one_by_one(g, who)  #: 9.3.2
    return played


@procedure
async def play_one_by_one(g: Game, who: Player) -> bool:  #: caller
    """The player may play something, by one reading again and again. Says whether something was played."""
    played = False
    while await play_in_event_step(g, who):
        played = True
        if reading("one-event-per-timing") == "one":
            return True
    return played  #: 10.5.4.3


@procedure
async def play_in_event_step(g: Game, who: Player) -> bool:
    """An event is played, or by one reading each an ability or the episode that an event also is, or nothing. Says whether something was.
    (What is played by those readings counts here like an event, though 9.3.3 and 9.3.5 count events alone, and ends the timing where one event does.)"""
    await check_timing(g)  #: 10.5.4.1
    act = await choose(who, event_actions(g, who))  #: 10.5.4.2
    match act:
        case Pass():
            return False
        case PlayEvent(card):
            await play_half(g, who, card, Kind.EVENT, None)  #: 10.5.4.2
        case UseAbility(ability, card):
            await play_activated(g, who, ability, card)  #: 10.1.1.1
    return True


EventAction = Pass | PlayEvent | UseAbility


@define
def event_actions(g: Game, who: Player) -> Set[EventAction]:
    """What a player may do in a play timing of the event step."""
    return (
        {Pass()}
        | {PlayEvent(c) for c in g.hand[who] if has_icon(c, Icon.APPROACH) and may_play_event(g, c, who)}
        | {UseAbility(a, c) for c in CARDS for a in possible_abilities(c) if may_use_in_event_step(g, who, a, c)}
    )  #: 9.3.2 #: 9.3.4 #: 12.3.3


@define
def may_use_in_event_step(g: Game, who: Player, ability: Ability, card: Card) -> bool:
    """By one reading, activated abilities of cards other than characters can be played here."""
    return (
        Printed(card).kind != Kind.CHARACTER
        and may_use(g, who, ability, card)
        and reading("activated-in-event-step") == "also-abilities"
    )  #: 10.1.1.1 #: 12.3.2
