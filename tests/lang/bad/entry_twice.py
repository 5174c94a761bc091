"""Play begins with two rules at one name; with others at names of their own."""
from rulewright.model.lang import *


class Game(State):
    turn: Player


@entry("phase")
@procedure
async def main(g: Game) -> None:
    g.turn = FIRST


@entry("end")
@procedure
async def end(g: Game) -> None:
    g.turn = SECOND


@entry("phase")
@procedure
async def other_phase(g: Game) -> None:
    g.turn = SECOND
