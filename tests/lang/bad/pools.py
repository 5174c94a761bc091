"""References to pools that do not exist, and places used wrongly."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    attacks: Pool[Attack]


class Attack(Record):
    power: Annotated[int, Range(0, 9)]


class Use(Record):
    count: Annotated[int, Range(0, 9)]


@step
def use(g: Game, of: Ref[Use]) -> None:
    return


@step
def strike(g: Game) -> None:
    a = g.attacks.new(Attack(3))
    g.attacks[a].pwoer += 1
    g.attacks[3].power = 1
    g.attacks.remove(a)
    with simultaneously():
        b = g.attacks.new(Attack(1))


@procedure
async def main(g: Game) -> None:
    return
