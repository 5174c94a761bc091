"""What is permitted, forbidden and required."""
from rulewright.model.lang import *


outranks("forbids", "permits")
outranks("forbids", "requires")


class Game(State):
    frozen: Per[Player, bool]
    drawn: Per[Player, Annotated[int, Range(0, 9)]]
    tested: Annotated[int, Range(0, 99)]


@action
def draw(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> bool:
    """Says whether it was done; where it is forbidden it is not, and the result is the least there is."""
    g.drawn[p] += n
    return True


@permits(draw)
def first_draws(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> bool:
    return p == FIRST  #: 1.1


@forbids(draw)
def frozen_does_not_draw(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> bool:
    return g.frozen[p]  #: 1.2


@forbids(draw)
def not_three(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> bool:
    return n == 3


@requires(draw)
def one_is_a_duty(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> bool:
    return n == 1


@define
def as_bits(g: Game, p: Player, n: Annotated[int, Range(1, 3)]) -> int:
    a = 1 if permitted(draw, g, p, n) else 0
    b = 2 if forbidden(draw, g, p, n) else 0
    return a + b + (4 if required(draw, g, p, n) else 0)


@procedure
async def main(g: Game) -> None:
    g.frozen[FIRST] = await may(FIRST)
    n = await choose_number(SECOND, 1, 3)
    done = draw(g, FIRST, n)
    g.tested = as_bits(g, FIRST, n) * 10 + as_bits(g, SECOND, n)
    if done:
        g.drawn[SECOND] = 5
