"""The two triggers of the lamp, with a serial number on every move: it grows, and no rule ever looks at it.

Rule books do not number what happens; a writer of rules may. Kept, the number would make a different state of every
round, and the endless loop would not be seen.
"""
from rulewright.model.lang import *


class Game(State):
    lamp: bool
    awake: Per[Player, bool] = each(True)
    serial: Annotated[int, Range(0, 9)]
    stamp: Per[Player, Annotated[int, Range(0, 9)]]
    waiting: Per[Player, Annotated[int, Range(0, 3)]]


@step
def put_lamp(g: Game, to: bool) -> None:
    if g.lamp != to:
        g.lamp = to
        g.serial += 1
        listener = FIRST if to else SECOND
        g.stamp[listener] = g.serial
        if g.awake[listener]:
            g.waiting[listener] += 1


@procedure
async def play_waiting(g: Game, p: Player) -> None:
    put_lamp(g, p == SECOND)
    g.waiting[p] -= 1


@entry("light")
@procedure
async def light(g: Game) -> None:
    put_lamp(g, True)
    while g.waiting[FIRST] + g.waiting[SECOND] > 0:
        if g.waiting[FIRST] > 0:
            await play_waiting(g, FIRST)
        else:
            await play_waiting(g, SECOND)
