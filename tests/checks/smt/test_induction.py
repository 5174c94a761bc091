"""Invariants by induction: what is proved, what the proof fails on, and what it covers."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from rulewright.checks.findings.record import Given
from rulewright.checks.smt.breaches import carried_on
from rulewright.checks.smt.goals import Key
from rulewright.checks.smt.induction import Induction, Prover, prove_invariants
from rulewright.checks.smt.queries import keeping
from rulewright.checks.smt.queries.keeping import Decks, keep, largest_game, with_few
from rulewright.checks.smt.segments import Begin, begins
from rulewright.checks.smt.symbolic import Symbolic
from rulewright.checks.smt.worlds import free_world
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program

OWNERS = [0, 0, 1, 1]


@pytest.fixture(scope="module")
def program() -> Program:
    return free_world("harem_master", [("G-START", 0), ("F-01", 0), ("M-START", 1), ("F-02", 1)]).program


@pytest.fixture(scope="module")
def found(program: Program) -> Induction:
    return prove_invariants(Symbolic(program), OWNERS, 20)


def test_own_cards_and_characters_stay_where_they_belong_in_any_state(found: Induction) -> None:
    """Four cards are never too many, whatever the rules."""
    assert found.proved == ["own_cards_only", "six_characters_at_most", "only_characters_in_play"]
    assert found.certain == ["six_characters_at_most"] and not found.unknown and not found.breaches and found.pieces > 100


def test_references_are_to_entries_in_use(found: Induction) -> None:
    assert not found.references
    assert any("0 is in use" in facts for (name, _, _), facts in found.facts.items() if name == "survives_responses") or any(
        text.endswith("is in use") for facts in found.facts.values() for text in facts)


class Nothing(Mapping[Key, list[str]]):
    """Nothing is known of any local."""

    def __getitem__(self, key: Key) -> list[str]:
        return []

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Key]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_without_what_locals_are_the_proof_fails_on_a_state_that_the_interpreter_breaks_too(program: Program) -> None:
    out = Prover(Symbolic(program), OWNERS, 20, None, Nothing()).prove(False)
    assert "own_cards_only" not in out.proved and out.breaches
    engine = Interpreter(program)
    for b in (b for b in out.breaches if b.checked):
        assert engine.evaluate(b.invariant, State(b.state.slots, ())) == 1
        after = carried_on(engine, b.begin, b.state, b.option)
        assert engine.evaluate(b.invariant, State(after.slots, ())) == 0
    assert any(b.checked for b in out.breaches)


def test_an_interrupted_proof_proves_nothing(program: Program) -> None:
    calls = iter([False] * 3)
    out = Prover(Symbolic(program), OWNERS, 20, stop=lambda: next(calls, True)).prove()
    assert not out.proved and any(why == "interrupted" for _, _, why in out.unknown)


def test_every_label_begins_a_piece(program: Program) -> None:
    labels = {
        (name, pc) for name, fn in program.functions.items() for pc, i in enumerate(fn.code)
        if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome)}
    beginnings = {(b.function, b.pc) for b in begins(program) if b.kind == "label"}
    called = {program.entry, *(i.function for fn in program.functions.values() for i in fn.code if isinstance(i, ir.Invoke))}
    assert beginnings >= {(name, pc) for name, pc in labels if name in called}


def test_a_piece_that_never_goes_on_is_named(found: Induction) -> None:
    """Four cards are too few for a game to begin."""
    assert Begin("whole_game", 0, "call") in found.stuck


def test_what_no_state_could_break_is_said() -> None:
    """Among characters alone, only characters lie in the field, and two are not too many."""
    world = free_world("harem_master", [("G-START", 0), ("M-START", 1)])
    assert prove_invariants(Symbolic(world.program), [0, 1], 20, overflows=False).certain == [
        "six_characters_at_most", "only_characters_in_play"]


def test_a_rule_that_breaks_the_invariant_is_found(program: Program) -> None:
    """Whatever is moved comes to the field."""
    field = next(k for k, z in enumerate(program.layout.zones) if z.field == "field")
    functions = {
        name: replace(fn, code=[replace(i, zone=ir.Const(field)) if isinstance(i, ir.Put) else i for i in fn.code])
        for name, fn in program.functions.items()}
    broken = prove_invariants(Symbolic(replace(program, functions=functions)), OWNERS, 20, overflows=False)
    assert "only_characters_in_play" not in broken.proved
    assert any(b.invariant == "only_characters_in_play" and b.checked for b in broken.breaches)


def test_what_is_proved_of_a_game_is_told_with_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "IN_PLAY", 0.0)
    book = load_book("harem_master")
    large = largest_game(book, {})
    assert len(large.world.cards) == 102
    few = with_few(book, large, 2)
    assert {c.owner for c in few.world.cards} == {0, 1} and isinstance(few, Decks)
    result = keep("harem_master", decks=few)
    assert result.bounds.complete and not result.findings
    said = [note.en for note in result.bounds.notes]
    rests_on = {a.kind: a.values for a in result.bounds.assumptions}
    assert rests_on[Given.GAME] == (large.name, str(len(few.world.cards))) and Given.NESTING in rests_on
    assert sum(x.startswith("proved: ") for x in said) == 3
