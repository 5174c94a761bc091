"""4-2: winning and losing, looked at before anything else and at once."""
from ...kernel.endings import *
from ...lang import *
from .state import *


# ---------------------------------------------------------------- 4-2.1  life
@verdict("fate")
def life_is_gone(g: Game, p: Player) -> Option[Fate]:
    """A player whose life is at 0 loses, unless that player cannot lose or the other one cannot win."""
    if g.life[p] > 0 or has(g, p, Grant.CANNOT_LOSE) or has(g, p, Grant.OPPONENT_CANNOT_WIN):
        return None  #: 4-2.1
    return Fate.LOSES  #: 4-2.1


@situation
def life_runs_out(g: Game) -> None:
    """The duel ends at the moment when a life is at 0."""
    mine = judge("fate", g, FIRST, Fate)
    yours = judge("fate", g, SECOND, Fate)
    if mine is not None and yours is not None:
        match reading("both-at-zero"):
            case "not-said":
                gap("4-2.1")
            case "draw":
                finish(None)  #: 4-2.1
            case "turn-player-loses":
                finish(other(g.turn_player))  #: 4-2.1
    end_by_fate(mine, yours)  #: 4-2.1


# ---------------------------------------------------------------- 4-2.2, 4-2.3  by an effect
@action
def lose(g: Game, p: Player) -> None:
    """An effect makes the player lose; nothing can touch the other's victory."""
    finish(other(p))  #: 4-2.2


@forbids(lose)
def cannot_lose(g: Game, p: Player) -> bool:
    """Does an effect say that the player does not lose?"""
    return has(g, p, Grant.CANNOT_LOSE)  #: 4-2.2


@action
def win(g: Game, p: Player) -> None:
    """An effect makes the player win; nothing can touch the other's loss."""
    finish(p)  #: 4-2.3


@forbids(win)
def cannot_win(g: Game, p: Player) -> bool:
    """Does an effect say that the player cannot win?"""
    return has(g, other(p), Grant.OPPONENT_CANNOT_WIN)  #: 4-2.3
