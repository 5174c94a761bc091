"""A card becomes a new object while several places speak of it: steps inside steps, and events that wait."""
from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, LocalInfo
from rulewright.model.ir.types import CardType, Int, ObjType, OptionType

from .test_edges import Edge, compared

CARDS = 3
OBJECT, CARD, NUMBER = OptionType(ObjType("Obj", CARDS)), OptionType(CardType("Card", CARDS)), Int(0, 99_999)


def alive(out: int, locals_: range) -> list[ir.Instr]:
    """Says in the slot which of the locals still speak of something: digits in the order of the locals."""
    code: list[ir.Instr] = []
    for x in locals_:
        more = ir.Binary("ge", ir.Local(x), ir.Const(0))
        code.append(ir.Store(out, None, 1, ir.Binary("add", ir.Binary("mul", ir.Load(out), ir.Const(2)), more), "set"))
    return code


def step(name: str, code: list[ir.Instr], plain: int = 0) -> Function:
    """Of three objects, and before them so many numbers."""
    locals_ = [LocalInfo(f"n{k}", NUMBER) for k in range(plain)] + [LocalInfo(f"o{k}", OBJECT) for k in range(3)]
    return Function(name, "step", len(locals_), [*locals_, LocalInfo("more", OBJECT)], [*code, ir.Return()])


@pytest.mark.parametrize("batched", [False, True])
def test_everything_that_speaks_of_the_old_object_forgets_it(batched: bool, tmp_path: Path) -> None:
    luck = random.Random(0)
    edge = Edge((0, 9))
    edge.lay_cards(CARDS, 2)
    told, gone = edge.slot("told", NUMBER), edge.slot("gone", CARD, 2)
    held = edge.slot("held", OBJECT, 3)
    locals_ = [edge.local(OBJECT) for _ in range(3)]
    renewing: list[ir.Instr] = [ir.Renew(ir.Binary("max", ir.Const(0), ir.Load(gone)))]
    edge.functions["note"] = step("note", alive(told, range(1, 4)), 1)
    edge.functions["inner"] = step("inner", [ir.Assign(3, ir.Local(1)), *renewing, *alive(told, range(4))])
    turned = (ir.Local(2), ir.Local(0), ir.Local(1))
    edge.functions["middle"] = step("middle", [ir.Do("inner", turned, None, False), *alive(told, range(3))])
    later: list[ir.Instr] = [*renewing, ir.Renew(ir.Binary("max", ir.Const(0), ir.Load(gone + 1)))]
    edge.functions["outer"] = step("outer", [ir.Do("middle", turned, None, False), *later, *alive(told, range(3))])
    mine = tuple(ir.Local(x) for x in locals_)
    begin: list[ir.Instr] = [ir.Assign(x, ir.Load(held + k)) for k, x in enumerate(locals_)]
    if batched:
        events: list[ir.Instr] = [ir.Do("note", (ir.Const(7), *mine), None, True), ir.Do("note", (ir.Const(8), *mine[::-1]), None, True)]
        edge.does(*begin, ir.BatchBegin(), events[0], *later, events[1], ir.BatchEnd(), *alive(told, range(3)))
        edge.does(*begin, ir.BatchBegin(), *later, *events, *events, ir.BatchEnd(), *alive(told, range(3)))
    else:
        edge.does(*begin, ir.Do("outer", mine, None, False), *alive(told, range(3)))
        edge.does(*begin, ir.Do("inner", mine, None, False), ir.Do("middle", mine, None, False), *alive(told, range(3)))
    starts = [{0: n, gone: a, gone + 1: b, held: x, held + 1: y, held + 2: z}
              for n, a, b, x, y, z in product(range(2), range(3), range(3), range(-1, 3), range(-1, 3), range(-1, 3))]
    count, beyond = compared(edge.program(), luck.sample(starts, 500), tmp_path)
    assert count == 500 and not beyond
