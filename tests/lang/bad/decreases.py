"""What is said to go down of a rule without a loop, of a step, of a class, of a rule that is not there, of other values than the procedure's, of nothing; and no number."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    hand: Per[Player, Bag]
    heap: Bag


@step
def turn_over(g: Game) -> None:
    g.turn = other(g.turn)


@procedure
async def pick(g: Game, p: Player) -> Card:
    c = await choose(p, g.hand[p])
    return c


@procedure
async def discard(g: Game, p: Player) -> None:
    while g.hand[p]:
        c = await pick(g, p)
        put(c, g.heap)


@procedure
async def until_empty(g: Game, zone: Define[[], bool], act: Procedure[[Player], None]) -> None:
    while zone(g):
        await act(g, g.turn)


@define
def some_left(g: Game) -> bool:
    return len(g.hand[FIRST]) > 0


@decreases(turn_over)
def of_a_step(g: Game) -> int:
    return 1


@decreases(Game)
def of_the_state(g: Game) -> int:
    return 1


@decreases(pick)
def without_a_loop(g: Game) -> int:
    return len(g.hand[FIRST])


@decreases(discrad)
def of_nothing_there(g: Game) -> int:
    return len(g.hand[FIRST])


@decreases(discard)
def of_other_values(g: Game, c: Card) -> int:
    return 1


@decreases(until_empty)
def of_what_is_given(g: Game, zone: Player) -> int:
    return len(g.hand[zone])


@decreases
def of_what(g: Game) -> int:
    return 1


@decreases(discard)
def no_number(g: Game, p: Player) -> Set[Card]:
    return g.hand[p]


@decreases(discard)
def no_number_either(g: Game, p: Player) -> bool:
    return len(g.hand[p]) > 0


@procedure
async def main(g: Game) -> None:
    await until_empty(g, zone=some_left, act=discard)
