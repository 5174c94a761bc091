"""Options, sets, numbers and players used as conditions."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    chosen: Option[Card]


@define
def ready(g: Game, p: Player) -> bool:
    if g.chosen:
        return True
    if g.hand[p]:
        return True
    if g.life[p]:
        return True
    return not p


@procedure
async def main(g: Game) -> None:
    return
