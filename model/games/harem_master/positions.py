"""Where a scenario may begin besides the turn and its parts, which are marked as such where they stand: before the game, or within a turn and on from there."""
from ...lang import *
from .preparation import *
from .turn import *


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: 101
    await turns(g)


@entry("actions")
@procedure
async def from_actions(g: Game) -> None:
    """Where a turn's actions begin (305)."""
    await rest_from_actions(g)
    await turns(g)


@procedure(scope=Scope.TURN)
async def rest_from_actions(g: Game) -> None:
    """What is left of the turn."""
    await rest_of_turn(g)
