"""Two triggers that move a lamp to and fro. Whoever is asleep has none; an optional one may be declined, a limited one
is carried out once a turn."""
from rulewright.model.lang import *


class Game(State):
    turn_player: Player
    lamp: bool
    awake: Per[Player, bool] = each(True)
    optional: Per[Player, bool]
    limited: Per[Player, bool]
    used: Per[Player, bool]
    waiting: Per[Player, Annotated[int, Range(0, 3)]]


@step
def put_lamp(g: Game, on: bool) -> None:
    """The first player's trigger sees the lamp go on, the second player's sees it go off."""
    g.lamp = on  #: 1.1
    for p in PLAYERS:
        if g.awake[p] and not g.used[p] and on == (p == FIRST):
            g.waiting[p] += 1


@known_as("plays waiting")
@procedure
async def play_waiting(g: Game, who: Player) -> None:
    """The first player puts the lamp out, the second puts it on again."""
    g.waiting[who] -= 1
    if g.optional[who]:
        go = await may(who)
        if not go:
            return
    g.used[who] = g.limited[who]
    put_lamp(g, who == SECOND)  #: 1.2


@procedure
async def check_timing(g: Game) -> None:
    while True:
        if g.waiting[g.turn_player] > 0:
            await play_waiting(g, g.turn_player)  #: 2.1
        elif g.waiting[other(g.turn_player)] > 0:
            await play_waiting(g, other(g.turn_player))  #: 2.2
        else:
            return


@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    switches = await may(g.turn_player)
    if switches:
        put_lamp(g, not g.lamp)  #: 3.1
        await check_timing(g)


@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    for p in PLAYERS:
        g.used[p] = False
    await main_phase(g)


@procedure
async def main(g: Game) -> None:
    for p in (FIRST, SECOND):
        g.turn_player = p
        await turn(g)
