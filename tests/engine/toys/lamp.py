"""A lamp, and two triggers that move it to and fro.

The first player's trigger answers "the lamp was lit" by putting it out, the second player's answers "the lamp was put
out" by lighting it. Which of them are awake, which may be declined, how often a lamp may be flipped by hand and
whether there is a free action is said by the position.
"""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    lamp: bool
    awake: Per[Player, bool] = each(True)
    optional: Per[Player, bool]
    waiting: Per[Player, Annotated[int, Range(0, 3)]]
    mana: Annotated[int, Range(0, 1)] = 1
    free: bool
    """There is a free action."""
    stance: bool


class Pass(Inaction):
    """End the phase."""


class Flip(Record):
    """Flip the lamp by hand."""

    to: bool


class Turn(Record):
    """Change one's stance, for nothing."""


Action = Pass | Flip | Turn


@define
def actions(g: Game) -> Set[Action]:
    return (
        {Pass()}
        | ({Flip(not g.lamp)} if g.mana > 0 else set())
        | ({Turn()} if g.free else set())
    )


@step
def put_lamp(g: Game, to: bool) -> None:
    """The lamp shines, or does not; the trigger that listens waits once more."""
    if g.lamp != to:
        g.lamp = to
        listener = FIRST if to else SECOND
        if g.awake[listener]:
            g.waiting[listener] += 1


@procedure
async def play_waiting(g: Game, p: Player) -> None:
    """One waiting trigger of the player: what it does is a duty unless it may be declined."""
    goes_on = True
    if g.optional[p]:
        goes_on = await may(p)
    if goes_on:
        put_lamp(g, p == SECOND)
    g.waiting[p] -= 1


@procedure(scope=Scope.STEP)
async def check_timing(g: Game) -> None:
    """Waiting triggers are played, the turn player's first, until none is left."""
    while True:
        if g.waiting[g.turn] > 0:
            await play_waiting(g, g.turn)
        elif g.waiting[other(g.turn)] > 0:
            await play_waiting(g, other(g.turn))
        else:
            return


@entry("phase")
@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    """The turn player acts until he passes."""
    while True:
        act = await choose(g.turn, actions(g))
        match act:
            case Pass():
                return
            case Flip(to):
                g.mana -= 1
                put_lamp(g, to)
            case Turn():
                g.stance = not g.stance
        await check_timing(g)
