"""A type that does not exist, and Python types that are no types of the language."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@define
def cost(g: Game, card: Kard) -> int:
    return 1


@define
def title(g: Game, card: Card) -> str:
    return "x"


@define
def share(g: Game, cards: list[Card]) -> float:
    return 0.5


@procedure
async def main(g: Game) -> None:
    return
