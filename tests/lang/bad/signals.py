"""Raising and catching what is no signal; raising in a step."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class PhaseEnds(Signal):
    """The phase ends."""


@step
def end_phase(g: Game) -> None:
    raise PhaseEnds


@procedure
async def main(g: Game) -> None:
    try:
        raise ValueError("x")
    except Exception:
        return
    try:
        raise PhaseEnds
    except PhaseEnds as e:
        return
