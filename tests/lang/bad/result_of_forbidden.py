"""An action that must give something even where it is forbidden."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@action
def draw(g: Game, p: Player) -> Card:
    return the(g.hand[p])


@forbids(draw)
def never(g: Game, p: Player) -> bool:
    return g.life[p] == 0


@procedure
async def main(g: Game) -> None:
    return
