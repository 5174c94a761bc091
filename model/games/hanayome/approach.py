"""7.4 and chapter 9: the approach."""
from ...kernel.windows import *
from ...lang import *
from .lanes import *
from .main_phase import *
from .moving import *
from .playing import *
from .state import *
from .timing import *


class ApproachPhaseBegan(Event):  #: 9.2.1
    """An approach phase has begun."""


class DeclarationStepBegan(Event):  #: 9.2.1
    """An approach declaration step has begun."""


class EventStepBegan(Event):  #: 9.3.1
    """An event step has begun."""


class JudgeStepBegan(Event):  #: 9.4.1
    """A bride judge step has begun."""


class Approached(Event):  #: 9.2.2.3
    """A character approaches a hero from now on."""

    card: Option[Obj]
    hero: Option[Obj]


class Succeeded(Event):  #: 9.4.2
    """A character's approach has succeeded."""

    card: Option[Obj]
    hero: Option[Obj]


class Failed(Event):  #: 9.4.2
    """A character's approach has failed."""

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
        await choose_hero(g, character_in(g, g.turn_player, n))  #: 9.2.2
    tell_approaches(g)  #: 9.2.2.3
    declared = len(approaching(g)) > 0
    await check_timing(g)  #: 9.2.3
    if declared and not approaching(g) and reading("approach-emptied") == "end-phase":
        return False
    return declared  #: 9.2.4


@procedure
async def choose_hero(g: Game, character: Option[Obj]) -> None:
    """Which hero, if any, does the character approach? One at most."""
    if character is None:
        return
    if most_demands(g, character) > 0:
        hero = await choose(g.turn_player, {h for h in heroes(g) if meets_most(g, character, h)})  #: 1.3.2.3
        g.card[character].approaches = hero  #: 9.2.2.2.3 #: 9.2.2.3
        return
    act = await choose(
        g.turn_player, {Approach(character, h) for h in heroes(g) if may_approach(g, character, h)} | {Pass()}
    )  #: 9.2.2.1 #: 9.2.2.2 #: 9.2.2.4
    match act:
        case Approach(_, hero):
            g.card[character].approaches = hero  #: 9.2.2.2.3 #: 9.2.2.3
            if second_approaches_are_printed() and is_done_to(g, character, Effect.APPROACHES_TWO):
                await choose_second_hero(g, character, hero)
        case Pass():
            return


@define
def second_approaches_are_printed() -> bool:
    """Are there cards that let a character approach two heroes?"""
    return any(any(Text(a).effect == Effect.APPROACHES_TWO for a in Printed(c).abilities) for c in CARDS)


@procedure
async def choose_second_hero(g: Game, character: Card, first: Card) -> None:
    """An effect lets the character approach another hero too."""
    act = await choose(
        g.turn_player, {Approach(character, h) for h in heroes(g) - {first} if may_approach(g, character, h)} | {Pass()}
    )  #: 9.2.2.2 #: 1.3.1
    match act:
        case Approach(_, hero):
            g.further.add(Further(character, hero))  #: 9.2.2.3
        case Pass():
            return


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
    return any(does_to(g, a, character, Effect.CANNOT_APPROACH, hero) for a in working(g, character))  #: 1.3.3


@define
def demands(g: Game, character: Card, hero: Card) -> int:
    """How many abilities of the character demand that it approach this hero?"""
    return sum(1 for a in working(g, character) if does_to(g, a, character, Effect.MUST_APPROACH, hero))  #: 1.3.2.3


@define
def most_demands(g: Game, character: Card) -> int:
    """How many demands can be met at most?"""
    return max((demands(g, character, h) for h in heroes(g) if may_approach(g, character, h)), default=0)  #: 1.3.2.3


@define
def meets_most(g: Game, character: Card, hero: Card) -> bool:
    """Does the approach meet as many demands as possible?"""
    return may_approach(g, character, hero) and demands(g, character, hero) == most_demands(g, character)  #: 1.3.2.3


@define
def approaching(g: Game) -> Set[Card]:
    """The characters that approach a hero: the turn player's, and those that have gone to the other's lanes since."""
    return {c for p in PLAYERS for c in characters(g, p) if g.card[c].approaches is not None}  #: 9.2.2.3 #: 4.1.4


@step
def tell_approaches(g: Game) -> None:
    """Triggers hear of the approaches, once all are declared."""
    for c in approaching(g):
        emit(Approached(c, g.card[c].approaches))  #: 9.2.2.3
    if second_approaches_are_printed():
        for x in g.further:
            emit(Approached(x.character, x.hero))  #: 9.2.2.3


# ---------------------------------------------------------------- 9.3  event step
@procedure(scope=Scope.STEP)
async def event_step(g: Game) -> None:
    """The players have play timings in turn, the non-turn player first, until both in a row play nothing."""
    emit(EventStepBegan())  #: 9.3.1
    await check_timing(g)  #: 9.3.1
    first = other(g.turn_player)  #: 9.3.2
    if reading("event-step-first-pass") == "at-once":
        played = await event_timing(g, first)  #: 9.3.2
        if not played:
            await reach(g, Moment.EVENT_STEP_ENDS)
            return  #: 9.3.3
        first = g.turn_player
    await alternate(
        g,
        first,
        act=event_timing,  #: 9.3.2 #: 9.3.4
        enough=1 if reading("pass-ends-step") == "ends-step" else 2,
    )  #: 9.3.3 #: 9.3.5
    await reach(g, Moment.EVENT_STEP_ENDS)


@procedure
async def event_timing(g: Game, who: Player) -> bool:
    """One play timing of the event step. Says whether something was played."""
    if who == g.turn_player:
        played = await timing_of_turn_player(g)  #: 9.3.4
        return played
    played = await timing_of_other_player(g)  #: 9.3.2
    return played


@procedure
async def timing_of_other_player(g: Game) -> bool:
    """The non-turn player may play something."""
    played = False
    while True:
        goes_on = await play_in_event_step(g, other(g.turn_player))  #: 9.3.2
        if not goes_on:
            return played  #: 10.5.4.3
        played = True
        if reading("one-event-per-timing") == "one":
            return True  #: 9.3.2


@procedure
async def timing_of_turn_player(g: Game) -> bool:
    """The turn player may play something in the same way."""
    played = False
    while True:
        goes_on = await play_in_event_step(g, g.turn_player)  #: 9.3.4
        if not goes_on:
            return played  #: 10.5.4.3
        played = True
        if reading("one-event-per-timing") == "one":
            return True  #: 9.3.4


@procedure
async def play_in_event_step(g: Game, who: Player) -> bool:
    """An event, or by one reading an ability, is played, or nothing. Says whether something was."""
    if reading("check-before-event-turn") == "each":
        await check_timing(g)  #: 10.5.4.1
    act = await choose(who, event_actions(g, who))  #: 10.5.4.2
    match act:
        case Pass():
            return False
        case PlayEvent(card):
            await play_event(g, who, card)  #: 10.5.4.2
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
        Printed(card).kind == Kind.EPISODE
        and reading("activated-in-event-step") == "also-abilities"
        and may_use(g, who, ability, card)
    )  #: 10.1.1.1 #: 12.3.2


# ---------------------------------------------------------------- 9.4  judge step
@procedure(scope=Scope.STEP)
async def judge_step(g: Game) -> None:
    """Which approaches succeed, and which characters become brides."""
    emit(JudgeStepBegan())  #: 9.4.1
    await check_timing(g)  #: 9.4.1
    judge_approaches(g)  #: 9.4.2
    if reading("approach-partner-gone") == "last-information":
        judge_by_last_information(g)  #: 9.4.2
    if second_approaches_are_printed():
        for p in (g.turn_player, other(g.turn_player)):
            for n in LANES:
                await judge_second(g, character_in(g, p, n))
    if reading("judge-order") == "together":
        await brides_together(g)  #: 9.4.3
    else:
        await brides_one_by_one(g)  #: 9.4.3
    await check_timing(g)  #: 9.4.4
    await reach(g, Moment.JUDGE_STEP_ENDS)


@define
def counts_at_judging(g: Game, character: Card) -> bool:
    """Is the approach judged at all? Readings let it lapse once the character is too far away, or the hero lies face down."""
    if lies_face_down(g, g.card[character].approaches) and reading("face-down-hero-judged") == "lapses":
        return False  #: 4.2.4.2
    return is_near(g, character) or reading("approach-after-lane-change") != "lapses"  #: 9.4.2


@define
def lies_face_down(g: Game, hero: Option[Obj]) -> bool:
    """Does the hero lie face down?"""
    return hero is not None and g.card[hero].face == Face.DOWN


@define
def is_near(g: Game, character: Card) -> bool:
    """Is the character still in front of or diagonal to the hero that it approaches?"""
    hero = g.card[character].approaches
    return hero is not None and (in_front(hero, character) or diagonal(hero, character))


@define
def succeeds(g: Game, character: Card) -> bool:
    """Has the character the power that its hero needs?"""
    hero = g.card[character].approaches
    if hero is None or power(g, character) < required_power(g, hero):
        return False  #: 9.4.2
    return is_near(g, character) or reading("approach-after-lane-change") != "fails"  #: 9.4.2


@step
def judge_approaches(g: Game) -> None:
    """All approaches are judged at the same time (but for those to a second hero, which need an effect)."""
    with simultaneously():
        for c in approaching(g):
            if counts_at_judging(g, c):
                if succeeds(g, c):
                    g.card[c].partner = g.card[c].approaches  #: 9.4.2.1
                    emit(Succeeded(c, g.card[c].approaches))  #: 9.4.2
                else:
                    emit(Failed(c, g.card[c].approaches))  #: 9.4.2


@step
def judge_by_last_information(g: Game) -> None:
    """By one reading an approach is judged although one of the two has left."""
    with simultaneously():
        for x in g.further:
            judge_further(g, x)  #: 9.4.2


@step
def judge_further(g: Game, x: Further) -> None:
    """The approach of a character that has left, or to a hero who has."""
    if x.number >= 0 and x.hero is not None and x.number >= required_power(g, x.hero):
        turn_face(g, x.hero, Face.DOWN)  #: 9.4.3.1 #: 10.11.1
    if x.number >= 0 and x.character is not None:
        if power(g, x.character) >= x.number:
            emit(Succeeded(x.character, None))  #: 9.4.2 #: 10.11.1
        else:
            emit(Failed(x.character, None))  #: 9.4.2 #: 10.11.1


@define
def second_hero(g: Game, character: Card) -> Option[Obj]:
    """The second hero that the character approaches."""
    return the(h for h in heroes(g) if any(x.character == character and x.hero == h and x.number < 0 for x in g.further))


@procedure
async def judge_second(g: Game, character: Option[Obj]) -> None:
    """The approach to a second hero; if both succeed, one of the heroes is chosen as partner."""
    if character is None:
        return
    hero = second_hero(g, character)
    if hero is None or not is_won(g, character, hero):
        return
    emit(Succeeded(character, hero))  #: 9.4.2
    rival = g.card[character].partner
    if rival is None:
        g.card[character].partner = hero  #: 9.4.2.1
    elif reading("success-partner-chooser") == "open":
        chosen = await choose(OPEN("9.4.2.2"), {hero, rival})
        g.card[character].partner = chosen  #: 9.4.2.2
    else:
        chosen = await choose(partner_chooser(g, character), {hero, rival})  #: 9.1.1
        g.card[character].partner = chosen  #: 9.4.2.2


@define
def partner_chooser(g: Game, character: Card) -> Player:
    """Who says which of two heroes is the partner of a character? Its master may be the other player by now."""
    return stands_in(g, character) if reading("success-partner-chooser") == "character-master" else g.turn_player


@define
def is_won(g: Game, character: Card, hero: Card) -> bool:
    """Is the character strong enough for the second hero that it approaches?"""
    return power(g, character) >= required_power(g, hero) and (
        in_front(hero, character) or diagonal(hero, character) or reading("approach-after-lane-change") == "goes-on"
    )  #: 9.4.2


@define
def suitors(g: Game, hero: Card) -> Set[Card]:
    """The characters whose success partner the hero is."""
    return {c for p in PLAYERS for c in characters(g, p) if g.card[c].partner == hero}  #: 9.4.3.2


@define
def won_heroes(g: Game) -> Set[Card]:
    """The heroes that are somebody's success partner and have not been dealt with."""
    return {h for h in heroes(g) if suitors(g, h)}  #: 9.4.3


@define
def leads_to_a_bride(g: Game, hero: Card) -> bool:
    """Is the move to the bride area made, even if the hero lies face down already?"""
    return g.card[hero].face == Face.UP or reading("hero-not-flipped") == "goes-on"  #: 1.3.2.1


@procedure
async def brides_one_by_one(g: Game) -> None:
    """One hero after another."""
    while won_heroes(g):
        hero = await next_hero(g)  #: 9.4.3
        if leads_to_a_bride(g, hero):
            await flip(g, hero, Face.DOWN, None)  #: 9.4.3.1
            await choose_bride(g, hero)  #: 9.4.3.2
            to_bride_area(g, suitors(g, hero))  #: 9.4.3.2
        else:
            dismiss(g, suitors(g, hero))


@procedure
async def next_hero(g: Game) -> Card:
    """Which hero is dealt with next? The clause does not say; each reading names somebody, or nobody."""
    if reading("judge-order") == "open":
        hero = await choose(OPEN("9.4.3"), won_heroes(g))  #: 9.4.3
        return hero
    if reading("judge-order") == "lane-order":
        hero = await choose(g.turn_player, lowest_lane(won_heroes(g)))  #: 4.4.3.1
        return hero
    who = FIRST if reading("judge-order") == "first-player" else g.turn_player
    hero = await choose(who, won_heroes(g))  #: 9.1.1 #: 6.2.1.6.1
    return hero


@define
def lowest_lane(cards: Set[Card]) -> Set[Card]:
    """The cards whose lane number is the lowest."""
    return {c for c in cards if all(zone_number(zone_of(c)) <= zone_number(zone_of(d)) for d in cards)}


@procedure
async def brides_together(g: Game) -> None:
    """By one reading: all brides are chosen first, then all is done at once."""
    for n in LANES:
        await choose_bride_at(g, the(g.hero_lane[n]))  #: 9.4.3.2
    turn_heroes_down(g)  #: 9.4.3.1
    to_bride_area(g, {c for p in PLAYERS for c in characters(g, p) if g.card[c].partner is not None})  #: 9.4.3.2


@procedure
async def choose_bride_at(g: Game, hero: Option[Obj]) -> None:
    """The bride of the hero in a lane, if there is one."""
    if hero is None or not suitors(g, hero):
        return
    if leads_to_a_bride(g, hero):
        await choose_bride(g, hero)
    else:
        dismiss(g, suitors(g, hero))


@step
def turn_heroes_down(g: Game) -> None:
    """All heroes that have been won turn face down at once."""
    with simultaneously():
        for h in won_heroes(g):
            turn_face(g, h, Face.DOWN)  #: 9.4.3.1


@procedure
async def choose_bride(g: Game, hero: Card) -> None:
    """Of several characters that have succeeded with the hero, one is chosen; the others have succeeded in vain."""
    if reading("bride-chooser") == "open" or masters_differ(g, suitors(g, hero)):
        bride = await choose(OPEN("9.4.3.2"), suitors(g, hero))  #: 9.4.3.2
    else:
        bride = await choose(bride_chooser(g, suitors(g, hero)), suitors(g, hero))  #: 9.4.3.2 #: 9.1.1
    dismiss(g, suitors(g, hero) - {bride})


@define
def masters_differ(g: Game, among: Set[Card]) -> bool:
    """By one reading their master chooses; there are two where one of them has gone to the other player's lanes."""
    both = any(master(g, c) == FIRST for c in among) and any(master(g, c) == SECOND for c in among)
    return both and reading("bride-chooser") == "character-master"


@define
def bride_chooser(g: Game, among: Set[Card]) -> Player:
    """Who chooses the bride of these?"""
    if all(master(g, c) == other(g.turn_player) for c in among) and reading("bride-chooser") == "character-master":
        return other(g.turn_player)
    return FIRST if reading("bride-chooser") == "first-player" else g.turn_player


@step
def dismiss(g: Game, cards: Set[Card]) -> None:
    """The characters are no longer in question."""
    for c in cards:
        g.card[c].partner = None


@step
def to_bride_area(g: Game, brides: Set[Card]) -> None:
    """The chosen characters go to the bride area, the cards below them to the waiting room."""
    going = {c for c in brides if not is_held(g, c)}
    dismiss(g, brides - going)
    fallen = {b for c in going for b in below(g, c)}
    if fallen and reading("stacked-characters-below-leave") == "afterwards":
        brides_enter(g, going, set())  #: 9.4.3.2
        fall(g, fallen)  #: 4.14.2.3
    else:
        brides_enter(g, going, fallen)  #: 9.4.3.2


@define
def is_held(g: Game, bride: Card) -> bool:
    """Does an effect keep the character in its lane, where 9.4.3.2 moves it? 1.3.3 speaks of what effects tell players to do."""
    return is_done_to(g, bride, Effect.CANNOT_LEAVE) and reading("bride-held-in-lane") == "stays"  #: 1.3.1


@step
def brides_enter(g: Game, brides: Set[Card], fallen: Set[Card]) -> None:
    """These cards go to the bride area, those to the waiting rooms, at the same time."""
    with simultaneously():
        for c in brides:
            transfer(g, c, bride_area(g, c))  #: 9.4.3.2
        for c in fallen:
            transfer(g, c, g.waiting_room[owner(c)])  #: 4.14.2.3
    tell(g, brides | fallen)


@define
def bride_area(g: Game, bride: Card) -> Zone:
    """Whose bride area is meant? The character may have come from the other player, or gone there since."""
    whose = stands_in(g, bride)
    if whose == owner(bride) and whose == g.turn_player:
        return g.brides[whose]  #: 9.4.3.2
    match reading("bride-area-whose"):
        case "owner":
            return g.brides[owner(bride)]
        case "turn-player":
            return g.brides[g.turn_player]
        case _:
            return g.brides[whose]  #: 9.4.3.2 #: 4.1.6
