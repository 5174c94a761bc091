"""Steps: results, loops that end, early return."""
from rulewright.model.lang import *


class Game(State):
    life: Per[Player, Annotated[int, Range(0, 20)]] = each(10)
    turn: Player
    rounds: Annotated[int, Range(0, 9)]


@step
def hurt(g: Game, p: Player, n: Annotated[int, Range(0, 20)]) -> bool:
    """Says whether the player is still alive."""
    if g.life[p] <= n:
        g.life[p] = 0
        return False
    g.life[p] -= n
    return True


@step
def hurt_all(g: Game) -> None:
    for p in PLAYERS:
        if p == g.turn:
            continue
        alive = hurt(g, p, 3)
        if not alive:
            g.turn = p
            break
        g.rounds += 1


@step
def swap(g: Game) -> None:
    g.life[FIRST], g.life[SECOND] = g.life[SECOND], g.life[FIRST]


@procedure
async def main(g: Game) -> None:
    hurt_all(g)
    swap(g)
    g.turn = other(g.turn)
    hurt_all(g)
