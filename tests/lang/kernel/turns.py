"""Whose turn it is (for the tests of the language)."""
from rulewright.model.lang import *


class Turns(State):
    turn_player: Player
    turns: Annotated[int, Range(0, 9)]


@step
def pass_turn(g: Turns) -> None:
    """The other player's turn begins."""
    g.turns += 1
    g.turn_player = other(g.turn_player)


@invariant
def turns_alternate(g: Turns) -> bool:
    """After an even number of turns it is the first player's turn."""
    return (g.turns % 2 == 0) == (g.turn_player == FIRST)
