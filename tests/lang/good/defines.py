"""Defines: arithmetic, comparison, conditions, going through sets."""
from rulewright.model.lang import *


LIMIT = 7
LANES = Range(1, 3)
Lane = Annotated[int, LANES]


class Game(State):
    life: Per[Player, Annotated[int, Range(0, 20)]] = each(10)
    power: Per[Lane, Annotated[int, Range(-5, 5)]]


@define
def numbers(g: Game, n: Annotated[int, Range(0, 9)]) -> int:
    """(n + 1) * 2 - 3, halved, and what is left over."""
    a = (n + 1) * 2 - 3
    return a // 2 + a % 2 + abs(-n) + min(n, 3) + max(n, 3, 5)


@define
def between(low: int, n: int, high: int) -> bool:
    return low <= n < high


@define
def weakest(g: Game) -> int:
    return min(g.power[n] for n in LANES)


@define
def strongest_above(g: Game, least: int) -> int:
    return max((g.power[n] for n in LANES if g.power[n] > least), default=least)


@define
def total(g: Game) -> int:
    return sum(g.power[n] + g.life[p] for n in LANES for p in PLAYERS if g.life[p] > 3)


@define
def leader(g: Game) -> Option[Player]:
    if g.life[FIRST] > g.life[SECOND]:
        return FIRST
    if g.life[FIRST] < g.life[SECOND]:
        return SECOND
    return None


@define
def some(g: Game) -> bool:
    return any(g.power[n] > 0 for n in LANES) and not all(g.power[n] > 0 for n in LANES) or LIMIT == 8


@value
def worth(g: Game, p: Player) -> int:
    return g.life[p] * 2 if p == FIRST else -g.life[p]


@define
def counted(g: Game) -> int:
    """A define may go through sets and keep locals."""
    n = 0
    for lane in LANES:
        if g.power[lane] == 0:
            continue
        n += 1
    best: Option[Player] = None
    if n > 1:
        best = leader(g)
    return n if best is None else n + 10


@procedure
async def main(g: Game) -> None:
    a = numbers(g, 4)
    if between(0, a, 20) and some(g) or counted(g) > 2 or worth(g, FIRST) > total(g):
        g.life[FIRST] = min(20, weakest(g) + strongest_above(g, 0) + a)
