"""Where a scenario may begin besides the turn and its parts, which are marked as such where they stand: before the game, or within a turn and on from there."""
from ...lang import *
from .preparation import *
from .turn import *


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: 第2章2
    await turns(g)  #: 第2章2


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
