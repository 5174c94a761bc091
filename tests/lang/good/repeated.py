"""Something is done so many times: in a step, in a procedure (without a label at the head), none for less than one."""
from rulewright.model.lang import *


class Game(State):
    left: Annotated[int, Range(-3, 9)] = 4
    done: Annotated[int, Range(0, 99)]
    numbers: Set[Annotated[int, Range(1, 9)]]


@step
def add(g: Game, count: int) -> None:
    for n in up_to(count):
        g.done += n


@procedure
async def main(g: Game) -> None:
    add(g, 3)
    for _ in up_to(g.left):
        more = await may(FIRST)
        g.done += 1 if more else 0
    g.numbers = {n for n in up_to(g.left) if n != 2}
    for _ in up_to(g.left - 6):
        g.done = 99
    for _ in up_to(2):
        g.left -= 1
