"""Choosing some of several things: every number of things, every least and most."""
from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from rulewright.checks.native.engine import Native
from rulewright.model.engine.interpreter import MOST_OPTIONS, Interpreter
from rulewright.model.engine.state import State
from rulewright.model.lang.world import CardDef
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..lang.programs import HEAD, compiled, world_of
from .harness import compare_arrivals

PICK = """
class Game(State):
    among: Set[Card]
    least: Annotated[int, Range(-1, 200)]
    most: Annotated[int, Range(-1, 200)]
    picked: Set[Card]

@procedure
async def main(g: Game) -> None:
    g.picked = await choose_some(FIRST, g.among, at_least=g.least, at_most=g.most)
    await choose(FIRST, {1, 2})
"""


def compared(cards: int, questions: Iterable[tuple[int, int, int]], cache: Path) -> tuple[int, int, int]:
    """How many options there were, how often too many, and how often none or one."""
    each = [CardDef(f"C{k}", Text.same(f"C{k}"), Position("cards", 1, 1)) for k in range(cards // 2)]
    program = compiled(HEAD + PICK, world_of(each), keep_unread=True)
    engine, native = Interpreter(program), Native(program, cache=cache, level=0)
    at = {s.name: k for k, s in enumerate(program.layout.slots)}
    options = too_many = at_once = 0
    for among, least, most in questions:
        slots = [s.initial for s in program.layout.slots]
        slots[at["among"]], slots[at["least"]], slots[at["most"]] = among, least, most
        right = engine.start(slots)
        compare_arrivals(State(tuple(slots), ()), (among.bit_count(), least, most), right, native.start(slots))
        if right.state.end is not None:
            too_many += right.state.end.kind == "bound"
            continue
        point = engine.point(right.state)
        assert point is not None and native.listed(right.state) == (point.owner, point.options, point.weights)
        options += len(point.options)
        at_once += point.options[0] == (1,)
        for option in point.options[:: max(1, len(point.options) // 3)]:
            compare_arrivals(right.state, option, engine.apply(right.state, option), native.apply(right.state, option))
    return options, too_many, at_once


def test_subsets_of_every_size_are_offered_in_the_same_order(tmp_path: Path) -> None:
    few = [(among, least, most) for among in (0, 1, 0b1000, 0b1010, 0b1101, 0b110011, 0b10111010, 0b1111111)
           for least in range(-1, 9) for most in range(-1, 9)]
    options, too_many, at_once = compared(8, few, tmp_path)
    assert options > 5_000 and not too_many and at_once > 100


@pytest.mark.parametrize("cards", [24, 70])
def test_as_many_subsets_as_may_be_offered_and_more(cards: int, tmp_path: Path) -> None:
    shift = cards - 24

    def of(n: int) -> int:
        return (1 << n) - 1 << shift
    most = [(of(14), 0, 7), (of(15), 0, 6), (of(17), 0, 5), (of(13), 0, 13), (of(14), 7, 14), (of(14), 8, 14), (of(15), 9, 15)]
    more = [(of(14), 0, 8), (of(14), 6, 14), (of(15), 8, 15), (of(23), 0, 4), (of(24), 4, 4), (of(24), 20, 20), (of(24), 0, 24), (of(24), 12, 99)]
    options, too_many, _ = compared(cards, [*most, *more], tmp_path)
    assert options > 5 * MOST_OPTIONS and too_many == len(more)
