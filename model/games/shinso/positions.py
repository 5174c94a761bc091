"""Where a scenario may begin: before the game, or at a given position; from there on play is as in the chapters."""
from ...lang import *
from .battle import *
from .playing import *
from .preparation import *
from .state import *
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


@entry("draw-phase")
@procedure
async def one_draw_phase(g: Game) -> None:
    """A draw phase and nothing else."""
    await draw_phase(g)


@entry("shift-phase")
@procedure
async def one_shift_phase(g: Game) -> None:
    """A shift phase and nothing else."""
    await shift_phase(g)


@entry("play-phase")
@procedure
async def one_play_phase(g: Game) -> None:
    """A play phase and nothing else."""
    await play_phase(g)


@entry("battle-phase")
@procedure
async def one_battle_phase(g: Game) -> None:
    """A battle phase and nothing else."""
    await battle_phase(g)


@entry("regeneration-phase")
@procedure
async def one_regeneration_phase(g: Game) -> None:
    """A regeneration phase and nothing else."""
    await regeneration_phase(g)


@entry("end-phase")
@procedure
async def one_end_phase(g: Game) -> None:
    """An end phase and nothing else."""
    await end_phase(g)


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
