"""Rules that are given rules: of the kernel and of the book, by name and by place, through one another, recursive; nobody as decider."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.asking import *


class Game(Turns, Answers):
    life: Per[Player, Annotated[int, Range(0, 5)]] = each(2)
    open: Set[Player] = {FIRST, SECOND}
    nested: bool


@procedure
async def hit(g: Game, p: Player) -> bool:
    """The player may hit the other; the first hit is answered at once."""
    if g.life[other(p)] == 0:
        return False
    hits = await may(p)
    if hits:
        g.life[other(p)] -= 1  #: 1.1
        if not g.nested:
            with restored(g.nested):
                g.nested = True
                await alternate(g, other(p), offer=hit)  #: 1.2
    return hits


@define
def opened(g: Game, p: Player) -> Set[Player]:
    return {q for q in g.open if q == p}


@step
def close(g: Game, p: Player) -> None:
    g.open -= {p}  #: 1.3


@step
def twice(g: Game, p: Player, do: Step[[Player], None]) -> None:
    """The same for a player, and again."""
    do(g, p)
    do(g, p)


@procedure
async def main(g: Game) -> None:
    await alternate(g, g.turn_player, hit)  #: 9.4.3
    await one_by_one(g, opened, OPEN("10.1.1"), close)  #: 10.1.1
    twice(g, FIRST, do=close)
    await one_by_one(g, entries=opened, by=g.turn_player, handle=close)
    await alternate(
        g,
        first=g.turn_player,
        offer=hit,  #: 1.1 #: 1.2
    )  #: 1.3


class Step(Enum):
    """A book may have steps of its own."""

    DRAW = 1


@define
def is_draw(g: Game, s: Step) -> bool:
    return s == Step.DRAW
