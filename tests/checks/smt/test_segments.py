"""Where pieces of procedures begin."""
from __future__ import annotations

from rulewright.checks.smt.segments import begins
from rulewright.checks.smt.worlds import free_world
from rulewright.model.ir import nodes as ir


def test_every_label_begins_a_piece() -> None:
    program = free_world("harem_master", [("G-START", 0), ("F-01", 0), ("M-START", 1), ("F-02", 1)]).program
    labels = {
        (name, pc) for name, fn in program.functions.items() for pc, i in enumerate(fn.code)
        if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome)}
    beginnings = {(b.function, b.pc) for b in begins(program) if b.kind == "label"}
    called = {program.entry, *(i.function for fn in program.functions.values() for i in fn.code if isinstance(i, ir.Invoke))}
    assert beginnings >= {(name, pc) for name, pc in labels if name in called}
