"""9-6: basic actions."""
from ...lang import *
from .crystals import *
from .effects import *
from .state import *


class BasicAction(Enum):  #: 9-6.i-B
    """The five of them."""

    ADVANCE = 1  #: 9-6-1
    RETREAT = 2  #: 9-6-2
    DON = 3  #: 9-6-3
    FOCUS = 4  #: 9-6-4
    BREAK_AWAY = 5  #: 9-6-5


class Cost(Enum):  #: 9-6.ii
    """How a basic action is paid for."""

    CONCENTRATION = 1  #: 9-6.ii-A
    CARD = 2  #: 9-6.ii-B


class Act(Record):  #: 9-6
    """Do a basic action and pay for it."""

    what: BasicAction
    cost: Cost


# ---------------------------------------------------------------- 9-6.i  which can be done
@define
def moves_something(g: Game, p: Player, what: BasicAction) -> bool:
    """Could the basic action move a crystal?"""
    match what:
        case BasicAction.ADVANCE:
            return may_advance(g) and movable(g, 1, distance(), aura(p)) > 0  #: 9-6.i-B
        case BasicAction.RETREAT:
            return movable(g, 1, aura(p), distance()) > 0  #: 9-6.i-B
        case BasicAction.DON:
            return movable(g, 1, dust(), aura(p)) > 0  #: 9-6.i-B
        case BasicAction.FOCUS:
            return movable(g, 1, aura(p), flare(p)) > 0  #: 9-6.i-B
        case BasicAction.BREAK_AWAY:
            return may_break_away(g) and movable(g, 1, dust(), distance()) > 0  #: 9-6.i-B


@define
def may_advance(g: Game) -> bool:
    """Is the distance greater than the master distance?"""
    return distance_now(g) > MASTER_DISTANCE  #: 9-6-1 #: 5-2-2


@define
def may_break_away(g: Game) -> bool:
    """Is the distance no greater than the master distance?"""
    return distance_now(g) <= MASTER_DISTANCE  #: 9-6-5 #: 5-2-2


# ---------------------------------------------------------------- 9-6.ii  paying for it
@define
def can_pay(g: Game, p: Player, cost: Cost) -> bool:
    """Can the player pay in this way?"""
    match cost:
        case Cost.CONCENTRATION:
            return g.concentration[p] > 0  #: 9-6.ii-A #: 5-9
        case Cost.CARD:
            return len(g.hand[p]) > 0  #: 9-6.ii-B #: 5-9


@procedure
async def pay_for_action(g: Game, p: Player, cost: Cost) -> None:
    """One concentration, or a card of the hand is covered."""
    match cost:
        case Cost.CONCENTRATION:
            lose_concentration(g, p, 1)  #: 9-6.ii-A
        case Cost.CARD:
            c = await choose(p, g.hand[p])  #: 9-6.ii-B
            cover(g, c)  #: 9-6.ii-B


# ---------------------------------------------------------------- 9-6.iii  doing it
@action
def basic_action(g: Game, p: Player, what: BasicAction) -> None:
    """One crystal goes where the basic action says. An effect that names one needs no cost, and may move nothing."""
    match what:
        case BasicAction.ADVANCE:
            if may_advance(g):
                move_crystals(g, 1, distance(), aura(p))  #: 9-6-1
        case BasicAction.RETREAT:
            move_crystals(g, 1, aura(p), distance())  #: 9-6-2
        case BasicAction.DON:
            move_crystals(g, 1, dust(), aura(p))  #: 9-6-3
        case BasicAction.FOCUS:
            move_crystals(g, 1, aura(p), flare(p))  #: 9-6-4
        case BasicAction.BREAK_AWAY:
            if may_break_away(g):
                move_crystals(g, 1, dust(), distance())  #: 9-6-5


@forbids(basic_action)
def after_a_terminal_card(g: Game, p: Player, what: BasicAction) -> bool:
    """Has the player used a terminal card this turn?"""
    return g.uses_no_more[p]  #: 9-2


@define
def may_choose(g: Game, p: Player, what: BasicAction) -> bool:
    """May the player choose this basic action?"""
    return moves_something(g, p, what) and not forbidden(basic_action, g, p, what)  #: 9-6.i-B #: 9-2


@procedure
async def any_basic_action(g: Game, p: Player) -> None:
    """An effect lets the player do a basic action of choice."""
    possible = {w for w in BasicAction if may_choose(g, p, w)}  #: 9-6.i-B
    if possible:
        what = await choose(p, possible)  #: 9-6.i
        basic_action(g, p, what)  #: 9-6.iii
