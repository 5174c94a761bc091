"""What holds at once, and what is carried out as long as it holds."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    worth: Per[Card, Annotated[int, Range(0, 3)]] = each(1)
    lowest: Annotated[int, Range(0, 9)] = 5
    deck: Per[Player, Pile]
    gone: Bag


@define
def turn_player(g: Game) -> Player:
    return g.turn


@situation
def remember(g: Game) -> None:
    """Memory that is always up to date."""
    g.lowest = min(g.lowest, g.life[FIRST], g.life[SECOND])


@situation
@settled_by(turn_player)
async def dead(g: Game, p: Player) -> None:
    when(g.life[p] == 0)
    finish(other(p))


@situation
@settled_by(turn_player)
async def worthless(g: Game, c: Card) -> None:
    when(g.worth[c] == 0 and c not in g.gone)
    put(c, g.gone)
    g.life[owner(c)] -= 1


@step
def fade(g: Game) -> None:
    for c in CARDS:
        g.worth[c] -= 1


@procedure
async def main(g: Game) -> None:
    fade(g)
    g.life[g.turn] = 1
    card = the({c for c in CARDS if owner(c) == FIRST})
    if card is not None:
        g.worth[card] = 0
