"""4-2: winning and losing, looked at before anything else and at once."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- 4-2.1  life
@define
def is_beaten(g: Game, p: Player) -> bool:
    """Is the player's life at 0, and can this player lose and the other one win?"""
    if g.life[p] > 0 or has(g, p, Grant.CANNOT_LOSE):
        return False  #: 4-2.1
    return not has(g, p, Grant.OPPONENT_CANNOT_WIN)  #: 4-2.1


@situation
def life_is_gone(g: Game) -> None:
    """The duel ends at the moment when a life is at 0."""
    if all(is_beaten(g, p) for p in PLAYERS):
        match reading("both-at-zero"):
            case "not-said":
                gap("4-2.1")
            case "draw":
                finish(None)  #: 4-2.1
            case "turn-player-loses":
                finish(other(g.turn_player))  #: 4-2.1
    if is_beaten(g, FIRST):
        finish(SECOND)  #: 4-2.1
    if is_beaten(g, SECOND):
        finish(FIRST)  #: 4-2.1


# ---------------------------------------------------------------- 4-2.2, 4-2.3  by an effect
@step
def lose(g: Game, p: Player) -> None:
    """An effect makes the player lose; nothing can touch the other's victory."""
    if not has(g, p, Grant.CANNOT_LOSE):
        finish(other(p))  #: 4-2.2


@step
def win(g: Game, p: Player) -> None:
    """An effect makes the player win; nothing can touch the other's loss."""
    if not has(g, other(p), Grant.OPPONENT_CANNOT_WIN):
        finish(p)  #: 4-2.3
