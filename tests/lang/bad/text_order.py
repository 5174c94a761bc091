"""A number compared with text by < is told as such, not as a reading."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)


@procedure
async def main(g: Game) -> None:
    if g.life[FIRST] > "5":
        g.turn = SECOND  #: 1.1
