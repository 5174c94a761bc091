"""Chapter 8: the turn and its phases."""
from ...kernel.turns import *
from ...kernel.windows import *
from ...lang import *
from .basic_actions import *
from .drawing import *
from .effects import *
from .state import *
from .using import *


class StartPhaseBegan(Event):  #: 8-1-2
    """Effects of the start phase are resolved."""


class MainPhaseBegan(Event):  #: 8-2-1
    """Effects of the beginning of a main phase are resolved."""


class MainPhaseEnds(Event):  #: 8-2-3
    """Effects of the end of a main phase are resolved."""


class EndPhaseBegan(Event):  #: 8-3-1
    """Effects of the end phase are resolved."""


class Standard(Record):  #: 8-2-2.A
    """Take standard actions."""


class FullPower(Record):  #: 8-2-2.B
    """Take one full-power action."""


class UseCard(Record):  #: 8-2-2
    """Use a card."""

    card: Card


MainAction = Pass | UseCard | Act


# ---------------------------------------------------------------- 8-1-2, 8-2-1, 8-2-3, 8-3-1  effects of a phase
@step
def start_phase_begins(g: Game) -> None:
    """Effects of the start phase arise."""
    emit(StartPhaseBegan())  #: 8-1-2


@step
def main_phase_begins(g: Game) -> None:
    """Effects of the beginning of a main phase arise."""
    emit(MainPhaseBegan())  #: 8-2-1


@step
def main_phase_ends(g: Game) -> None:
    """Effects of the end of a main phase arise."""
    emit(MainPhaseEnds())  #: 8-2-3


@step
def end_phase_begins(g: Game) -> None:
    """Effects of the end phase arise."""
    g.ending = 1  #: 8-3-1
    emit(EndPhaseBegan())  #: 8-3-1


@procedure
async def resolve_effects(g: Game, moment: Step[[], None]) -> None:  #: caller
    """What arises at this moment is resolved; by one reading also what is there only once something else has been, each once."""
    arose = let_arise(g, moment)
    if reading("late-phase-effects") == "resolved":
        for _ in up_to(sum(len(Printed(c).abilities) for c in CARDS)):
            if arose:
                arose = let_arise(g, moment)
        g.had_turn.clear()


@step
def let_arise(g: Game, moment: Step[[], None]) -> bool:  #: caller
    """What waits for this moment arises, but for what had its turn in it. Says whether there was anything."""
    moment(g)
    if reading("late-phase-effects") == "resolved":
        for w in g.arisen:
            if w.effect is not None:
                g.had_turn.add(HadTurn(w.effect, w.card))
    return len(g.arisen) > 0


# ---------------------------------------------------------------- §8  turns
@procedure
async def turns(g: Game) -> None:
    """Turn after turn."""
    while True:
        await turn(g)  #: §8


@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    await start_phase(g)  #: 8-1
    await main_phase(g)  #: 8-2
    await end_phase(g)  #: 8-3
    next_turn(g)  #: §8


@step
def next_turn(g: Game) -> None:
    """The opponent becomes turn player."""
    change_turn(g)  #: §8
    for p in PLAYERS:
        g.uses_no_more[p] = False  #: 9-2


# ---------------------------------------------------------------- 8-1  start phase
@procedure(scope=Scope.PHASE)
async def start_phase(g: Game) -> None:
    """Effects, and from the third turn on what every start phase brings."""
    g.start_distance = distance_now(g)  #: 8-1-1
    await resolve_effects(g, start_phase_begins)  #: 8-1-2
    if g.turn_number > 2:  #: 8-1-3
        me = g.turn_player
        gain_concentration(g, me, 1)  #: 8-1-3.i
        wear_off(g)  #: 8-1-3.ii
        rebuilds = await may(me)  #: 8-1-3.iii
        if rebuilds:
            await rebuild(g, me, True)  #: 8-1-3.iii
        await draw_cards(g, me, 2)  #: 8-1-3.iv


@step
def wear_off(g: Game) -> None:
    """A crystal of each enhancement goes to dust, all at the same time: that is one move."""
    worn = {c for p in PLAYERS for c in g.enhancements[p] if g.card[c].crystals > 0}
    with simultaneously():
        for c in worn:
            g.card[c].crystals -= 1  #: 8-1-3.ii
            g.dust += 1  #: 8-1-3.ii
    if worn:
        emit(CrystalsMoved(len(worn), {Place.ENHANCEMENTS}, {master(g, c) for c in worn}, Place.DUST, FIRST))  #: 8-1-3.ii


# ---------------------------------------------------------------- 8-2  main phase
@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    """Standard actions until the player stops, or one full-power action. Which of them is chosen after the effects of
    the beginning have been resolved: the order is free, and no effect looks at the choice."""
    await resolve_effects(g, main_phase_begins)  #: 8-2-1
    kind = await choose(g.turn_player, {Standard(), FullPower()})  #: 8-2-1
    match kind:
        case Standard():
            await keep_acting(g, g.turn_player, standard_action)  #: 8-2-2.A
        case FullPower():
            await full_power_action(g, g.turn_player)  #: 8-2-2.B
    await resolve_effects(g, main_phase_ends)  #: 8-2-3


@procedure
async def standard_action(g: Game, me: Player) -> bool:
    """A card, a basic action, or nothing more. Says whether the player goes on."""
    act = await choose(me, main_actions(g, me, How.STANDARD))  #: 8-2-2.A
    match act:
        case Pass():
            return False  #: 8-2-2.A
        case UseCard(card):
            await use_card(g, me, card, How.STANDARD, None)  #: 8-2-2.A
        case Act(what, cost):
            await pay_for_action(g, me, cost)  #: 9-6.ii
            basic_action(g, me, what)  #: 9-6.iii
    return True


@procedure
async def full_power_action(g: Game, me: Player) -> None:
    """One card, which may be a full-power one."""
    act = await choose(me, main_actions(g, me, How.FULL_POWER))  #: 8-2-2.B
    match act:
        case UseCard(card):
            await use_card(g, me, card, How.FULL_POWER, None)  #: 8-2-2.B
        case _:
            pass


@define
def main_actions(g: Game, me: Player, how: How) -> Set[MainAction]:
    """What the turn player may do, doing nothing included."""
    return (
        {Pass()}
        | {UseCard(c) for c in usable(g, me, how)}
        | {Act(what, cost) for what in BasicAction for cost in Cost if may_act(g, me, how, what, cost)}
    )  #: 8-2-2.A #: 8-2-2.B


@define
def may_act(g: Game, me: Player, how: How, what: BasicAction, cost: Cost) -> bool:
    """May the player do this basic action and pay for it in this way?"""
    if how == How.FULL_POWER:
        return False  #: 8-2-2.B
    return can_pay(g, me, cost) and may_choose(g, me, what)  #: 9-6.ii #: 9-6.i-B


# ---------------------------------------------------------------- 8-3  end phase
@procedure(scope=Scope.PHASE)
async def end_phase(g: Game) -> None:
    """Effects, and the turn player covers cards down to the hand limit."""
    await resolve_effects(g, end_phase_begins)  #: 8-3-1
    g.ending = 2  #: 8-3-2
    while len(g.hand[g.turn_player]) > HAND_LIMIT:  #: 8-3-2
        c = await choose(g.turn_player, g.hand[g.turn_player])  #: 8-3-2
        cover(g, c)  #: 8-3-2
    g.ending = 0
