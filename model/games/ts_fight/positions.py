"""Where a scenario may begin: before the game, or at a given position; from there on play is as in the chapters."""
from ...lang import *
from .main_phase import *
from .preparation import *
from .state import *
from .turn import *


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: 第2章2
    await turns(g)  #: 第2章2


@entry("opening-hands")
@procedure
async def only_opening_hands(g: Game) -> None:
    """The opening hands are drawn, and nothing else."""
    await opening_hands(g)


@entry("turn")
@procedure
async def from_turn(g: Game) -> None:
    """At the beginning of a turn."""
    await turns(g)


@entry("one-turn")
@procedure
async def one_turn(g: Game) -> None:
    """One turn and nothing else."""
    await turn(g)


@entry("main-phase")
@procedure
async def from_main_phase(g: Game) -> None:
    """At the beginning of a main phase."""
    await rest_from_main_phase(g)
    await turns(g)


@procedure(scope=Scope.TURN)
async def rest_from_main_phase(g: Game) -> None:
    """What is left of the turn."""
    await main_phase(g)
    await end_phase(g)


@entry("one-main-phase")
@procedure
async def one_main_phase(g: Game) -> None:
    """One main phase and nothing else."""
    await main_phase(g)
