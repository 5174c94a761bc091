"""Chapter 7: the turn and its phases."""
from ...kernel.decks import *
from ...kernel.turns import *
from ...lang import *
from .abilities import *
from .approach import *
from .keywords import *
from .lasting import *
from .main_phase import *
from .moving import *
from .rule_processing import *
from .state import *
from .timing import *
from .triggers import *


class StartPhaseBegan(Event):  #: 7.2.2
    """A start phase has begun."""


# ---------------------------------------------------------------- 7.1  turns
@procedure
async def turns(g: Game) -> None:
    """Turn after turn."""
    while True:
        await turn(g)  #: 7.1.1


@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    await reach(g, Moment.TURN_BEGINS)
    await start_phase(g)  #: 7.2
    await main_phase(g)  #: 7.3
    await approach_phase(g)  #: 7.4
    await end_phase(g)  #: 7.5
    next_turn(g)  #: 7.5.3


@step
def next_turn(g: Game) -> None:
    """The opponent becomes turn player, and what was counted by the turn is counted anew."""
    change_turn(g)  #: 7.5.3
    g.in_end_phase = False
    g.character_played = False  #: 8.2.2
    g.episodes_played = 0  #: 8.3.2
    names_forgotten(g)
    for c in CARDS:
        g.card[c].played = set()  #: 12.4.2
        g.card[c].played_before = set()
        g.card[c].met = set()  #: 7.5.1
    for d in g.delayed_further:
        g.delayed.add(d)  #: 7.5.1
    g.delayed_further.clear()


# ---------------------------------------------------------------- 7.2  start phase
@procedure(scope=Scope.PHASE)
async def start_phase(g: Game) -> None:
    """The turn player draws two cards."""
    if g.turn_number == 1:
        return  #: 7.2.1
    emit(StartPhaseBegan())  #: 7.2.2
    meet_start_phase(g)  #: 7.2.2
    await check_timing(g)  #: 7.2.2
    await draw_cards(g, g.turn_player, 2)  #: 7.2.3
    await check_timing(g)  #: 7.2.4
    await reach(g, Moment.START_PHASE_ENDS)


# ---------------------------------------------------------------- 7.5  end phase
@procedure(scope=Scope.PHASE)
async def end_phase(g: Game) -> None:
    """End-of-turn triggers and a check timing, again and again until nothing more is to be done."""
    g.in_end_phase = True
    await reach(g, Moment.END_PHASE_BEGINS)
    while True:
        meet_turn_end(g)  #: 7.5.1
        happened = await check_timing(g)  #: 7.5.2
        effects_expire(g)  #: 7.5.2
        await reduce_hand(g)  #: 7.5.3
        if (
            hands_within_limit(g)
            and nothing_was_resolved(happened)
            and not turn_end_to_come(g)
            and not trigger_condition_left(g)
            and not processing_left(g)
        ):
            return  #: 7.5.3


@define
def limit_exceeded(g: Game, p: Player) -> bool:
    """Has the player more cards in hand than the limit, if there is one?"""
    return reading("hand-limit") == "exists" and len(g.hand[p]) > reading_number("hand-limit-number")  #: 7.5.3


@define
def hands_within_limit(g: Game) -> bool:
    """Is the hand that counts within the limit?"""
    if limit_exceeded(g, g.turn_player):
        return False  #: 7.5.3
    return not (limit_exceeded(g, other(g.turn_player)) and reading("hand-limit-whose") == "both")  #: 7.5.3


@procedure
async def reduce_hand(g: Game) -> None:
    """By one reading only: the turn player puts the cards above the limit into the waiting room."""
    if limit_exceeded(g, g.turn_player) and reading("hand-limit-reduction") == "discard":
        away = await choose_excess(g.turn_player, g.hand[g.turn_player], reading_number("hand-limit-number"))  #: 7.5.3
        put_away(g, away)  #: 7.5.3


@define
def nothing_was_resolved(happened: Set[Happening]) -> bool:
    """Is the check timing that just ended no reason to repeat the end phase?"""
    resolved = Happening.RESOLVED in happened or (
        Happening.CANCELLED in happened and reading("end-phase-cancelled-wait") == "resolved"
    )
    processed = Happening.RULES in happened
    if resolved and processed:
        return False  #: 7.5.3
    return not ((resolved or processed) and reading("end-phase-first-time") == "either-repeats")  #: 7.5.3


@define
def trigger_condition_left(g: Game) -> bool:
    """Does an ability wait, or (by one reading) does the state of a state trigger hold?"""
    if g.waiting:
        return True  #: 7.5.3
    return reading("end-phase-other-triggers") == "holds" and any(
        state_holds(g, a, c, stands_in(g, c)) and enabled(g, a, c) for c in CARDS for a in possible_abilities(c)
    )  #: 7.5.3


@define
def processing_left(g: Game) -> bool:
    """Has rule processing become due since the check timing, and does that matter?"""
    return reading("end-phase-expiry-due") == "repeats" and rule_processing_due(g)  #: 7.5.3 #: 11.1.2
