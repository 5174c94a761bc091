"""What is too much for compiled code is given up, and what is just enough is not."""
from __future__ import annotations

from math import isqrt
from pathlib import Path

import pytest

from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.native.memory import MOST_OFFERED, MOST_WRITES
from rulewright.checks.native.packing import BEYOND, GOES_ON
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.lang.world import CardDef, World
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..lang.programs import HEAD, compiled, world_of
from .harness import Successors, compare, reachable
from .ranks import ONE_CARD_PILED, highest_rank, with_highest_rank

WRITES = """
class Game(State):
    n: Annotated[int, Range(0, 20000)]

@step
def write(g: Game) -> None:
    with simultaneously():
        for a in CARDS:
            for b in CARDS:
                g.n += 1
        {more}

@procedure
async def main(g: Game) -> None:
    once = await may(FIRST)
    write(g)
"""
OFFERS = """
class Pass(Inaction):
    pass

class Both(Record):
    a: Card
    b: Card

class Game(State):
    seen: Annotated[int, Range(0, 3)]

@procedure
async def main(g: Game) -> None:
    act = await choose(FIRST, {{Both({first}, b) for a in CARDS for b in CARDS}}{more})
    match act:
        case Pass():
            g.seen = 1
        case Both(a, b):
            g.seen = 2
"""


def cards(count: int) -> World:
    """So many cards, half of them of each player."""
    return world_of([CardDef(f"C{k}", Text.same(f"C{k}"), Position("cards", 1, 1)) for k in range(count // 2)])


@pytest.mark.parametrize(("more", "gives_up"), [("pass", False), ("g.n += 1", True)])
def test_a_batch_of_too_many_writes_is_given_up(more: str, gives_up: bool, tmp_path: Path) -> None:
    each = isqrt(MOST_WRITES)
    assert each**2 == MOST_WRITES
    program = compiled(HEAD + WRITES.format(more=more), cards(each), keep_unread=True)
    engine = Interpreter(program)
    out = compare(engine, Native(program, cache=tmp_path, level=0), reachable(engine, [engine.start().state], 2))
    assert out.states and bool(out.beyond) == gives_up


@pytest.mark.parametrize("first", ["a", "a if owner(a) == FIRST else a"])  # told apart, and compared
@pytest.mark.parametrize(("more", "gives_up"), [(" | {Pass() for p in PLAYERS if g.seen == 3}", False), (" | {Pass()}", True)])
def test_too_many_options_are_given_up(first: str, more: str, gives_up: bool, tmp_path: Path) -> None:
    each = isqrt(MOST_OFFERED)
    assert each**2 == MOST_OFFERED
    program = compiled(HEAD + OFFERS.format(more=more, first=first), cards(each), keep_unread=True)
    engine = Interpreter(program)
    native = Native(program, cache=tmp_path, level=0)
    at = engine.point(engine.start().state)
    assert at is not None and len(at.options) == MOST_OFFERED + gives_up
    try:
        assert native.listed(engine.start().state) == (at.owner, at.options, at.weights) and not gives_up
    except BeyondNative:
        assert gives_up


def test_a_place_in_a_pile_beyond_its_cards_is_given_up(tmp_path: Path) -> None:
    piled = """
    put(next, g.pile)
    again = await may(FIRST)
"""
    program = compiled(HEAD + ONE_CARD_PILED + piled, cards(8), keep_unread=True)
    engine = Interpreter(program)
    native = Native(program, cache=tmp_path, level=0)
    layout = program.layout
    odd = with_highest_rank(engine, engine.apply(engine.start().state, (0,)).state)
    native.enter(odd)
    found = Successors(native).of(native.packed(1))
    at = engine.point(odd)
    assert at is not None and len(found) == len(at.options) == 8
    for option, (how, _, key) in zip(at.options, found, strict=True):
        slots = engine.apply(odd, option).state.slots
        beyond = any(slots[layout.rank + c] > highest_rank(engine) for c in range(layout.card_count))
        assert beyond == (option != (0,))
        assert (how, bool(key)) == ((BEYOND, False) if beyond else (GOES_ON, True))
