"""Names that clash with the kernel's, and rules of the kernel on a part that the state lacks."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.asking import *


class Game(Turns):
    over: bool


class Answers(Record):
    yes: bool


@step
def pass_turn(g: Game) -> None:
    g.over = True


@step
def first_sink(g: Game) -> None:
    sink(g)


@step
def deeper(g: Unused) -> None:
    g.deepest += 1


@procedure
async def main(g: Game) -> None:
    return
