"""Whose turn it is."""
from ..lang import *


class Turns(State):
    turn_player: Player
    turn_number: Annotated[int, Range(1, 3)] = 3
    """1: the first turn of the game, 2: the second, 3: any later one; no rule tells those apart. Positions begin in a
    later one, unless they say otherwise."""


@step
def begin_turns(g: Turns, first: Player) -> None:
    """The first turn of the game begins."""
    g.turn_player = first
    g.turn_number = 1


@step
def change_turn(g: Turns) -> None:
    """The other player's turn begins."""
    g.turn_number = min(g.turn_number + 1, 3)
    g.turn_player = other(g.turn_player)
