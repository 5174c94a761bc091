"""Verdicts in the wrong form, a question nobody answers, ranks of unknown rules."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


outranks("lost_by_life", "lost_by_kards")
outranks("lost_by_life", "lost_by_cards")
outranks("lost_by_cards", "lost_by_life")


@verdict("loser")
def lost_by_life(g: Game, p: Player) -> Option[bool]:
    return True if g.life[p] == 0 else None


@verdict("loser")
def lost_by_cards(g: Game, p: Player) -> Option[bool]:
    return True if len(g.deck[p]) == 0 else None


@verdict("winner")
def wins(g: Game, p: Player, n: Annotated[int, Range(0, 9)]) -> bool:
    return g.life[p] > n


@verdict
def asks_nothing(g: Game, p: Player) -> bool:
    return True


@step
def look(g: Game) -> None:
    lost = judge("losr", g, FIRST, bool)
    again = judge("loser", g, FIRST)


@define
def peek(g: Game) -> bool:
    lost = judge("loser", g, FIRST, bool)
    return lost is not None


@procedure
async def main(g: Game) -> None:
    return
