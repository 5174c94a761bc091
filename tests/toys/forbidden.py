"""An action that a prohibition keeps from being done while the lamp is wet."""
from rulewright.model.lang import *


class Game(State):
    turn_player: Player
    wet: bool
    lit: bool


@action
def light(g: Game, p: Player) -> None:
    """The lamp is lit."""
    g.lit = True  #: 1.1


@forbids(light)
def is_wet(g: Game, p: Player) -> bool:
    return g.wet  #: 1.2


@action
def wait(g: Game, p: Player) -> None:
    """Nothing is done, forbidden or not."""
    return  #: 1.5


@forbids(wait)
def is_lit(g: Game, p: Player) -> bool:
    return g.lit  #: 1.6


@entry("main")
@procedure(scope=Scope.TURN)
async def main(g: Game) -> None:
    wait(g, g.turn_player)  #: 1.7
    dries = await may(g.turn_player)
    if dries:
        g.wet = False  #: 1.3
    wait(g, g.turn_player)  #: 1.7
    light(g, g.turn_player)  #: 1.4
