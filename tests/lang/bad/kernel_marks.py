"""A kernel module that cites a clause."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.cited import *


class Game(State):
    number: Annotated[int, Range(0, 9)]


@procedure
async def main(g: Game) -> None:
    g.number = twice(2)
