"""Norms about what is no action, with other parameters, and asked for without a ranking."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@action
def draw(g: Game, p: Player) -> None:
    g.turn = p


@step
def shuffle_all(g: Game) -> None:
    g.turn = FIRST


@permits(draw)
def may_draw(g: Game, p: Player) -> bool:
    return True


@forbids(draw)
def no_draw(g: Game, p: Player) -> bool:
    return g.life[p] == 0


@forbids(shuffle_all)
def no_shuffle(g: Game) -> bool:
    return True


@forbids(drow)
def no_drow(g: Game, p: Player) -> bool:
    return True


@requires(draw)
def must_draw(g: Game) -> bool:
    return True


@permits
def what(g: Game) -> bool:
    return True


@define
def can_draw(g: Game, p: Player) -> bool:
    return permitted(draw, g, p) and forbidden(g, p)


@procedure
async def main(g: Game) -> None:
    return
