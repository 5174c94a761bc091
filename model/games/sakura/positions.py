"""Where a scenario may begin: before the duel, or at a given position; from there on play is as in the chapters."""
from ...lang import *
from .basic_actions import *
from .policies import *
from .preparation import *
from .state import *
from .turn import *


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: 4-1
    await turns(g)  #: 4-1.7


@entry("turn")
@procedure
async def from_turn(g: Game) -> None:
    """At the beginning of a turn."""
    note_the_position(g)
    await turns(g)


@entry("start-phase")
@procedure
async def start_phase_only(g: Game) -> None:
    """One start phase and nothing else."""
    note_the_position(g)
    await start_phase(g)


@entry("main-phase")
@procedure
async def from_main_phase(g: Game) -> None:
    """At the beginning of a main phase; the turn is played to its end, and no further."""
    note_the_position(g)
    await rest_from_main_phase(g)


@procedure(scope=Scope.TURN)
async def rest_from_main_phase(g: Game) -> None:
    """What is left of the turn."""
    await main_phase(g)
    await end_phase(g)


@step
def note_the_position(g: Game) -> None:
    """What the position brings with it is not news: a state of affairs that it begins with came about before."""
    g.start_distance = distance_now(g)
    states_are_noted(g)
    if reading("lasting-state") == "once":
        with simultaneously():
            for w in g.arisen:
                g.arisen.remove(w)


# ---------------------------------------------------------------- for measuring: no cards, no phases
class Strike(Record):
    """Pay one flare and deal one damage, to aura or to life."""


CrystalAction = Pass | Act | Strike


@entry("crystals")
@procedure
async def crystals_only(g: Game) -> None:
    """Basic actions for concentration and damage for flare; whoever stops lets the opponent go on, who gains
    concentration."""
    while True:
        await crystal_action(g, g.turn_player)


@procedure
async def crystal_action(g: Game, me: Player) -> None:
    """One action of the player whose turn it is."""
    act = await choose(me, crystal_actions(g, me))
    match act:
        case Pass():
            g.turn_player = other(me)
            gain_concentration(g, other(me), 1)
        case Act(what, cost):
            await pay_for_action(g, me, cost)
            basic_action(g, me, what)
        case Strike():
            move_crystals(g, 1, flare(me), dust())
            await take_damage(g, other(me), 1, 1, DamageSource.EFFECT)


@define
def crystal_actions(g: Game, me: Player) -> Set[CrystalAction]:
    """What the player can pay for."""
    return (
        {Pass()}
        | {
            Act(what, Cost.CONCENTRATION) for what in BasicAction
            if may_act(g, me, How.STANDARD, what, Cost.CONCENTRATION)
        }
        | {Strike() for spare in {g.flare[me]} if spare > 0}
    )
