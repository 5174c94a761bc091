"""Two state triggers that bring each other about, one inside the other: play nests ever deeper."""
from rulewright.model.lang import *


class Game(State):
    turn_player: Player
    left: Annotated[int, Range(0, 1)] = 1
    right: Annotated[int, Range(0, 1)] = 1
    moves: bool = True
    seen: bool
    counts: Annotated[int, Range(0, 1)]
    stamp: Annotated[int, Range(0, 30)]
    reads: bool
    last: Annotated[int, Range(0, 30)] = 30


@define
def turn_player(g: Game) -> Player:
    return g.turn_player


@situation
@settled_by(turn_player)
async def left_is_bare(g: Game) -> None:
    when(g.left == 0)
    with simultaneously():
        g.left = 1  #: 1.1
        g.right = 0
        g.stamp += g.counts
    g.seen = False


@situation
@settled_by(turn_player)
async def right_is_bare(g: Game) -> None:
    """Takes the token back, unless nothing moves (any more)."""
    when(g.right == 0)
    with simultaneously():
        g.right = 1  #: 1.2
        if g.moves and (not g.reads or g.stamp < g.last):
            g.left = 0
    g.seen = False


@entry("main")
@procedure
async def main(g: Game) -> None:
    takes = await may(g.turn_player)
    if takes:
        g.left = 0  #: 1.3
