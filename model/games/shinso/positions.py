"""Where a scenario may begin besides the turn and its phases, which are marked as such where they stand: before the game, or within a turn and on from there."""
from ...lang import *
from .preparation import *
from .turn import *


@entry("setup")
@procedure
async def whole_game(g: Game) -> None:
    """From the preparation on."""
    await prepare(g)  #: ゲームの準備.1
    await turns(g)


@entry("life-cards")
@procedure
async def from_life_cards(g: Game) -> None:
    """In the preparation, once rim cards and core cards lie there, up to the beginning of the game."""
    g.begun = False
    await prepare_further(g)


@entry("from-end-phase")
@procedure
async def from_end_phase(g: Game) -> None:
    """At the beginning of an end phase, and on from there."""
    await rest_from_end_phase(g)
    await turns(g)


@procedure(scope=Scope.TURN)
async def rest_from_end_phase(g: Game) -> None:
    """What is left of the turn."""
    await end_phase(g)
    next_turn(g)
