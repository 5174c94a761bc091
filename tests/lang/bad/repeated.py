"""Repetition: not a number, too many times, two numbers."""
from rulewright.model.lang import *


class Game(State):
    done: Annotated[int, Range(0, 99)]


@step
def add(g: Game, p: Player) -> None:
    for n in up_to(p):
        g.done += n
    for n in up_to(100):
        g.done += n
    for n in up_to(1, 3):
        g.done += n
    for n in 3:
        g.done += n


@procedure
async def main(g: Game) -> None:
    add(g, FIRST)
