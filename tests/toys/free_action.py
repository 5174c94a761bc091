"""An action of the turn player that can be taken again and again, if it is free; and an opponent's trigger that may
answer each change of stance, again and again if it is not limited."""
from rulewright.model.lang import *


class Game(State):
    turn_player: Player
    high: bool
    cost: Annotated[int, Range(0, 1)]
    mana: Annotated[int, Range(0, 3)] = 3
    answers: bool
    once: bool


class Pass(Inaction):
    pass


class Step(Record):
    pass


@procedure
async def answer(g: Game, p: Player) -> None:
    """Whenever the stance changes, the opponent may change it, and that is a change of stance."""
    while g.answers:
        again = await may(p)
        if not again:
            return
        g.high = not g.high  #: 2.1
        if g.once:
            return


@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    while True:
        match await choose(g.turn_player, {Pass()} | {Step() for p in PLAYERS if p == g.turn_player and g.mana >= g.cost}):
            case Pass():
                return
            case Step():
                g.mana -= g.cost
                g.high = not g.high  #: 1.1
        await answer(g, other(g.turn_player))


@entry("main")
@procedure(scope=Scope.TURN)
async def main(g: Game) -> None:
    await main_phase(g)
