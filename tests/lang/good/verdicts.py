"""Clauses that pronounce, and clauses that rank them."""
from rulewright.model.lang import *


class Result(Enum):
    WIN = 1
    LOSS = 2


class Game(State):
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(1)
    cards: Per[Player, Annotated[int, Range(0, 9)]] = each(1)


outranks("lost_by_life", "won_by_cards")  #: 1.3


@verdict("result")
def lost_by_life(g: Game, p: Player) -> Option[Result]:
    return Result.LOSS if g.life[p] == 0 else None  #: 1.1


@verdict("result")
def won_by_cards(g: Game, p: Player) -> Option[Result]:
    return Result.WIN if g.cards[other(p)] == 0 else None  #: 1.2


@verdict("result")
def lost_by_cards(g: Game, p: Player) -> Option[Result]:
    return Result.LOSS if g.cards[p] == 0 else None  #: 1.2


@procedure
async def main(g: Game) -> None:
    n = await choose_number(FIRST, 0, 15)
    if n % 2 == 1:
        g.life[FIRST] = 0
    if n // 2 % 2 == 1:
        g.life[SECOND] = 0
    if n // 4 % 2 == 1:
        g.cards[FIRST] = 0
    if n // 8 % 2 == 1:
        g.cards[SECOND] = 0
    for p in PLAYERS:
        said = judge("result", g, p, Result)
        match said:
            case Result.WIN:
                finish(p)
            case Result.LOSS:
                finish(other(p))
            case None:
                pass
    gap("1.3")
