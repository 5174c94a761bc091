"""A number in the state whose range nobody stated."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    damage: int
    marks: Per[Card, Option[int]]


class Mark(Record):
    count: int


class Round(Event):
    number: int


@procedure
async def main(g: Game) -> None:
    return
