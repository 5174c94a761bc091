"""Winning and losing: what the rules pronounce on the players, and what follows for the game.

A book says with verdicts when somebody wins or loses, and asks for both players where it looks at that:

    mine = judge("fate", g, FIRST, Fate)
    yours = judge("fate", g, SECOND, Fate)
    if mine == yours and mine is not None:
        finish(None)  #: 1.2.2      (if that is what it says of both at once)
    end_by_fate(mine, yours)  #: 1.2.1
"""
from ..lang import *


class Fate(Enum):
    """What the rules pronounce on a player."""

    WINS = 1
    LOSES = 2


@step
def end_by_fate(mine: Option[Fate], yours: Option[Fate]) -> None:
    """The game ends if something was pronounced on the first player (`mine`) or on the second (`yours`). If both win or
    both lose, and the book has not ended the game by then, it is silent about that."""
    if mine is None and yours is None:
        return
    if mine == yours:
        gap()
    finish(FIRST if mine == Fate.WINS or yours == Fate.LOSES else SECOND)
