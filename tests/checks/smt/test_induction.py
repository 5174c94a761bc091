"""Invariants by induction: what is proved, what the proof fails on, and what it covers."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.checks.smt.induction import Induction, carried_out, prove_invariants
from rulewright.checks.smt.segments import Begin, begins
from rulewright.checks.smt.symbolic import Symbolic
from rulewright.checks.smt.worlds import free_world
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program


@pytest.fixture(scope="module")
def program() -> Program:
    return free_world("harem_master", [("G-START", 0), ("F-01", 0), ("M-START", 1), ("F-02", 1)]).program


@pytest.fixture(scope="module")
def found(program: Program) -> Induction:
    return prove_invariants(Symbolic(program), 20)


def test_only_characters_lie_in_the_field_of_any_state(found: Induction) -> None:
    assert "only_characters_in_play" in found.proved and not found.certain
    assert not found.unknown and found.pieces > 100


def test_every_label_begins_a_piece(program: Program) -> None:
    labels = {
        (name, pc) for name, fn in program.functions.items() for pc, i in enumerate(fn.code)
        if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome)}
    beginnings = {(b.function, b.pc) for b in begins(program) if b.kind == "label"}
    called = {program.entry, *(i.function for fn in program.functions.values() for i in fn.code if isinstance(i, ir.Invoke))}
    assert beginnings >= {(name, pc) for name, pc in labels if name in called}


def test_what_a_proof_fails_on_breaks_the_invariant_in_the_interpreter(program: Program, found: Induction) -> None:
    assert found.breaches
    engine = Interpreter(program)
    for b in found.breaches:
        assert all(engine.evaluate(name, b.state) == 1 for name in program.invariants)
        assert b.checked and engine.evaluate(b.invariant, State(carried_out(engine, b.begin, b.state, b.option), ())) == 0


def test_a_piece_that_never_goes_on_is_named(found: Induction) -> None:
    """Four cards are too few for a game to begin."""
    assert Begin("whole_game", 0, "call") in found.stuck and len(found.stuck) < 4


def test_what_no_state_could_break_is_said() -> None:
    """Among characters alone, only characters lie in the field."""
    world = free_world("harem_master", [("G-START", 0), ("M-START", 1)])
    assert prove_invariants(Symbolic(world.program), 20, overflows=False).certain == ["only_characters_in_play"]


def test_a_rule_that_breaks_the_invariant_is_found(program: Program) -> None:
    """Whatever is moved comes to the field."""
    field = next(k for k, z in enumerate(program.layout.zones) if z.field == "field")
    functions = {
        name: replace(fn, code=[replace(i, zone=ir.Const(field)) if isinstance(i, ir.Put) else i for i in fn.code])
        for name, fn in program.functions.items()}
    broken = prove_invariants(Symbolic(replace(program, functions=functions)), 20, overflows=False)
    assert "only_characters_in_play" not in broken.proved
    assert any(b.invariant == "only_characters_in_play" and b.checked for b in broken.breaches)
