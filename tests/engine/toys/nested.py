"""Two situations that bring each other about: the stack of nested effects grows and grows.

A heap is filled up from the other one as soon as it is bare. Which heap a play may take from is the first player's
choice; with a spare piece somewhere the filling stops.
"""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    left: Annotated[int, Range(0, 3)] = 1
    right: Annotated[int, Range(0, 3)] = 1
    flag: bool


@define
def turn_player(g: Game) -> Player:
    return g.turn


@situation
@settled_by(turn_player)
async def left_is_bare(g: Game) -> None:
    when(g.left == 0)
    g.left += 1
    g.right -= 1
    g.flag = not g.flag


@situation
@settled_by(turn_player)
async def right_is_bare(g: Game) -> None:
    when(g.right == 0)
    g.right += 1
    g.left -= 1
    g.flag = not g.flag


@entry("take")
@procedure
async def take(g: Game) -> None:
    go = await may(g.turn)
    if go:
        g.left -= 1
    if g.flag:
        finish(g.turn)
