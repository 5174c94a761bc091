"""Places in piles: the only numbers that are not looked at when they are set. Keys look at them."""
from __future__ import annotations

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir.types import domain

ONE_CARD_PILED = """
class Game(State):
    pile: Pile
    away: Bag
    odd: bool

@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.away)
    lowest = await choose(FIRST, CARDS)
    put(lowest, g.pile)
    next = await choose(FIRST, CARDS)
"""
"""The begin of a program: one card lies in the pile, and a next is chosen."""


def highest_rank(engine: Interpreter) -> int:
    """The highest place in a pile that a state can hold."""
    layout = engine.program.layout
    return domain(layout.slots[layout.rank].type)[1]


def with_highest_rank(engine: Interpreter, state: State) -> State:
    """The same state with the first card as high in its pile as a state can hold."""
    rank = engine.program.layout.rank
    return state._replace(slots=tuple(highest_rank(engine) if k == rank else x for k, x in enumerate(state.slots)))
