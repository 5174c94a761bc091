"""A field of the state whose name is a player in positions; one of a record, and one that only sounds like it."""
from rulewright.model.lang import *


class Offer(Record):
    first: Card


class Game(State):
    turn: Player
    second: bool
    side: Annotated[int, Range(0, 1)]


@procedure
async def main(g: Game) -> None:
    return
