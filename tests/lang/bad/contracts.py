"""What is stated of a step, of a rule that is not there, of other values than the procedure's, of nothing, and no truth."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    hand: Per[Player, Bag]


@step
def turn_over(g: Game) -> None:
    g.turn = other(g.turn)


@procedure
async def pick(g: Game, p: Player) -> Card:
    c = await choose(p, {c for c in g.hand[p]})
    return c


@ensures(turn_over)
def it_is_the_others(g: Game) -> bool:
    return g.turn == SECOND


@ensures(pik)
def it_is_picked(g: Game) -> bool:
    return True


@ensures(pick)
def it_was_in_the_hand(g: Game, result: Card) -> bool:
    return True


@expects(pick)
def it_gives(g: Game, p: Player, result: Card) -> bool:
    return True


@expects
def what(g: Game) -> bool:
    return True


@expects(pick)
def how_many(g: Game, p: Player) -> int:
    return len(g.hand[p])


@procedure
async def main(g: Game) -> None:
    c = await pick(g, FIRST)
    put(c, g.hand[SECOND])
