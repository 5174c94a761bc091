"""Where a scenario may begin: before the game, or at a given position; from there on play is as in the chapters."""
from ...lang import *
from .approach import *
from .continuous import *
from .main_phase import *
from .preparation import *
from .rule_processing import *
from .state import *
from .timing import *
from .triggers import *
from .turn import *


@step
def take_stock(g: Game) -> None:
    """What holds in the position that is given: continuous effects apply, and state triggers look at their states."""
    if continuous_effects_exist(g):
        apply_continuous(g)  #: 10.9.1
    note_states(g)


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: 6.2.1
    await turns(g)  #: 7.1.1


@procedure
async def begin_within(g: Game, rest: Procedure[[], None]) -> None:
    """The rest of a turn is played, and then turn after turn."""
    take_stock(g)
    await rest(g)
    await turns(g)


@entry("turn")
@procedure
async def from_turn(g: Game) -> None:
    """At the beginning of a turn."""
    take_stock(g)
    await turns(g)


@entry("main-phase")
@procedure
async def from_main_phase(g: Game) -> None:
    """At the beginning of a main phase."""
    await begin_within(g, rest_from_main_phase)


@procedure(scope=Scope.TURN)
async def rest_from_main_phase(g: Game) -> None:
    """What is left of the turn."""
    await main_phase(g)
    await approach_phase(g)
    await end_phase(g)
    next_turn(g)


@entry("approach-phase")
@procedure
async def from_approach_phase(g: Game) -> None:
    """At the beginning of an approach phase."""
    await begin_within(g, rest_from_approach_phase)


@procedure(scope=Scope.TURN)
async def rest_from_approach_phase(g: Game) -> None:
    """What is left of the turn."""
    await approach_phase(g)
    await end_phase(g)
    next_turn(g)


@entry("event-step")
@procedure
async def from_event_step(g: Game) -> None:
    """At the beginning of an event step."""
    await begin_within(g, rest_from_event_step)


@procedure(scope=Scope.TURN)
async def rest_from_event_step(g: Game) -> None:
    """What is left of the turn."""
    await rest_of_approach_phase(g)
    await end_phase(g)
    next_turn(g)


@procedure(scope=Scope.PHASE)
async def rest_of_approach_phase(g: Game) -> None:
    """What is left of the approach phase."""
    await event_step(g)
    await judge_step(g)
    await end_approach_phase(g)


@entry("end-phase")
@procedure
async def from_end_phase(g: Game) -> None:
    """At the beginning of an end phase."""
    await begin_within(g, rest_from_end_phase)


@procedure(scope=Scope.TURN)
async def rest_from_end_phase(g: Game) -> None:
    """What is left of the turn."""
    await end_phase(g)
    next_turn(g)


@entry("concession")
@procedure
async def from_concession(g: Game) -> None:
    """At the beginning of a main phase; after a check timing the turn player concedes."""
    take_stock(g)
    await check_timing(g)
    await concede(g, g.turn_player)  #: 1.2.3
    await rest_from_main_phase(g)
    await turns(g)


@entry("check-timing")
@procedure
async def one_check_timing(g: Game) -> None:
    """One check timing and nothing else."""
    take_stock(g)
    await check_timing(g)


# ---------------------------------------------------------- what is as the zones are meant, if no text says otherwise
@known_as("ordinary position")
@define
def lie_where_they_belong(g: Game) -> bool:
    """Do only heroes lie in hero lanes, and only characters among the brides?"""
    return all(Printed(h).kind == Kind.HERO for n in LANES for h in g.hero_lane[n]) and all(
        Printed(c).kind == Kind.CHARACTER for p in PLAYERS for c in g.brides[p]
    )  #: 4.4.1 #: 4.10.1
