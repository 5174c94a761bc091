"""Two writes at once: which agree, which clash, and what is said of the clash."""
from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.types import CardType, Int, OptionType, SetType, ZoneType

from .test_edges import Edge, compared

CARDS = 4


def mark(*clauses: str) -> ir.Mark:
    return ir.Mark("batch.py", 1, 1, clauses)


@pytest.mark.parametrize("most", [99, 1 << 70], ids=["words", "wide"])
def test_the_same_card_put_twice(most: int, tmp_path: Path) -> None:
    """Onto the pile, under it, onto another; with clauses and without."""
    edge = Edge((0, most))
    edge.lay_cards(CARDS, 3)
    one, two = edge.slot("card", OptionType(CardType("Card", CARDS)), 2), edge.slot("zone", OptionType(ZoneType("Zone", 3)), 2)
    for first, second, marks in product((False, True), (False, True), (((), ()), (("1.1",), ("1.2", "2")), (("2",), ()))):
        edge.does(
            ir.BatchBegin(), ir.Put(ir.Load(one), ir.Load(two), first, at=mark(*marks[0])),
            ir.Put(ir.Load(one + 1), ir.Load(two + 1), second, at=mark(*marks[1])), ir.BatchEnd(at=mark("9")))
    starts: list[dict[int, int]] = []
    for n, a, b, x, y in product(range(edge.things), (0, 2), (0, 2), range(3), range(3)):
        laid = {edge.location + c: c % 2 for c in range(CARDS)} | {edge.rank + c: c // 2 for c in range(CARDS)}
        starts.append({0: n, one: a, one + 1: b, two: x, two + 1: y, **laid})
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count == 12 * 36 and not beyond


@pytest.mark.parametrize("most", [99, 1 << 70], ids=["words", "wide"])
def test_the_same_slot_written_twice(most: int, tmp_path: Path) -> None:
    """By all operators, alone and as one of several, among writes to its neighbours."""
    edge = Edge((0, most))
    where = edge.slot("where", Int(0, 2), 2)
    sets, numbers = edge.slot("set", SetType(Int(0, 5)), 3), edge.slot("number", Int(-9, 9), 3)
    for base, ops in ((sets, ("set", "union", "without")), (numbers, ("set", "add"))):
        for one, two, count in product(ops, ops, (1, 3)):
            index = [ir.Load(where + k) if count > 1 else None for k in range(2)]
            edge.does(ir.BatchBegin(), *(ir.Store(base + k, None, 1, ir.Const(1), "set") for k in (2,) if count > 1),
                      ir.Store(base, index[0], count, ir.Const(3), one, at=mark("1")),  # pyright: ignore[reportArgumentType]
                      ir.Store(base, index[1], count, ir.Load(1), two, at=mark("2")), ir.BatchEnd())  # pyright: ignore[reportArgumentType]
    starts = [{0: n, 1: value, where: a, where + 1: b} for n, value, a, b in product(range(edge.things), (1, 3, 6), range(3), range(3))]
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count == 26 * 27 and not beyond
