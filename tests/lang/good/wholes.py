"""All values of a `Per` or of a record at once: assigned, tried and put back."""
from rulewright.model.lang import *

Lane = Annotated[int, Range(1, 2)]
LANES = Range(1, 2)


class Mark(Record):
    count: Annotated[int, Range(0, 9)] = 0
    shown: bool = False


class Game(State):
    life: Per[Player, Per[Lane, Annotated[int, Range(0, 9)]]] = each(5)
    marks: Per[Lane, Mark]
    best: Mark
    seen: Annotated[int, Range(0, 99)]


@step
def spread(g: Game) -> None:
    """What is assigned is worked out before the first place changes."""
    g.life[FIRST][1] = 3
    g.life = each(g.life[FIRST][1] + 1)
    g.marks = each(Mark(2, True))
    g.life[SECOND] = each(7)


@define
def total(g: Game) -> int:
    return sum(g.life[p][n] for p in PLAYERS for n in LANES) + sum(g.marks[n].count for n in LANES) + g.best.count


@step
def attempt(g: Game, p: Player) -> int:
    """What would the total be without one player's lives, and with every mark gone?"""
    found = 0
    with restored(g.life[p], g.marks, g.best):
        g.life[p] = each(0)
        g.marks = each(Mark())
        g.best = Mark(1, False)
        found = total(g)
    return found


@procedure
async def main(g: Game) -> None:
    spread(g)
    p = await choose(FIRST, PLAYERS)
    found = attempt(g, p)
    g.seen = 30 + total(g) - found
