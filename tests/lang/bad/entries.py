"""Play begins with something that is no procedure, or wants more than the state."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@entry("draw")
@step
def draw(g: Game) -> None:
    g.turn = FIRST


@entry("turn")
@procedure
async def turn(g: Game, p: Player) -> None:
    g.turn = p


@procedure(scope="turn")
async def phase(g: Game) -> None:
    g.turn = FIRST


@procedure
async def main(g: Game) -> None:
    return
