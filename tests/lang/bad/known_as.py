"""Parts that rules have: one that there is not, without a name, had twice, and by rules that are not what they have to be."""
from rulewright.model.lang import *


class Pass(Record):
    """Not by its name, but by `Inaction` doing nothing would be known."""


class Game(State):
    hand: Per[Player, Bag]


@known_as("mastre")
@define
def master(g: Game, c: Card) -> Option[Player]:
    return zone_player(zone_of(c))


@known_as
@define
def owner_of(g: Game, c: Card) -> Player:
    return owner(c)


@known_as("legal deck")
@define
def fits(g: Game, p: Player) -> bool:
    return len(g.hand[p]) > 3


@known_as("legal deck")
@define
def fits_too(g: Game, p: Player) -> bool:
    return len(g.hand[p]) > 4


@known_as("master")
@define
def name(g: Game, c: Card) -> bool:
    return owner(c) == FIRST


@known_as("plays waiting")
@procedure
async def both(g: Game, p: Player, q: Player) -> None:
    return


@procedure
async def main(g: Game) -> None:
    return
