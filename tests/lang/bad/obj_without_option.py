"""A reference that can die, kept as if it could not."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    attacker: Obj


class Attack(Record):
    target: Obj


@step
def aim(g: Game, at: Obj) -> Obj:
    g.attacker = at


@procedure
async def main(g: Game) -> None:
    return
