"""A kernel module that is not there, and one misspelt."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.truns import *
from rulewright.model.lang.kernel.endings import *


class Game(State):
    over: bool


@procedure
async def main(g: Game) -> None:
    return
