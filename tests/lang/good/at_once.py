"""What happens at the same time."""
from rulewright.model.lang import *


class Hit(Event):
    who: Player


class Game(State):
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    marks: Set[Player]
    turn: Player
    hand: Per[Player, Bag]
    log: Annotated[int, Range(0, 99)]


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    g.log = g.log * 10 + g.life[FIRST]


@step
def exchange(g: Game) -> None:
    """All reads inside see the state before."""
    with simultaneously():
        g.life[FIRST] = g.life[SECOND] - 1
        g.life[SECOND] = g.life[FIRST] + 1


@step
def storm(g: Game) -> None:
    """Increases add up; events happen when all is done."""
    with simultaneously():
        for c in CARDS:
            g.life[owner(c)] -= 1
            g.marks |= {owner(c)}
            put(c, g.hand[owner(c)])
        emit(Hit(FIRST))
        g.life[FIRST] -= 1
        again(g)


@step
def again(g: Game) -> None:
    """A batch within a batch is part of it."""
    with simultaneously():
        g.life[SECOND] -= 1


@step
def clash(g: Game) -> None:
    with simultaneously():
        g.turn = FIRST
        g.turn = SECOND  #: 1.1


@procedure
async def main(g: Game) -> None:
    exchange(g)
    storm(g)
    go = await may(g.turn)
    if go:
        clash(g)
