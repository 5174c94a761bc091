"""Clause marks whose colon was forgotten, or is a full-width one; comments that mention clauses, numbers and texts are left alone."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    round: Annotated[int, Range(0, 9)]


@step
def next_player(g: Game) -> None:
    g.turn = other(g.turn)  # 9.4.3


@step
def first_player(g: Game) -> None:
    """Text # 1.1
    and more # 9.4.3
    """
    # 1.1
    g.turn = FIRST  #： 1.1, 1.2
    g.turn = FIRST  #1.3 9.4.3
    g.turn = FIRST  # 9.4.3 of old
    g.turn = FIRST  # as in 9.4.3
    g.turn = FIRST  # 9.4.4
    g.turn = FIRST  #: 1.1 # 1.2
    g.round = 3  # 3


@procedure
async def main(g: Game) -> None:
    return
