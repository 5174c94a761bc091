"""What is proved to end, and what is not (docs/questions.md)."""
from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from rulewright.checks.ends.proving import Found, Place, parts, places, proved_of
from rulewright.checks.ends.telling import Teller
from rulewright.checks.smt.queries.keeping import largest_game
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.library import load_book
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program


@cache
def game(book: str) -> Program:
    return largest_game(load_book(book), {}).program


def loop_of(program: Program, rule: str) -> Place:
    return next(p for p in places(program) if p.loop and p.rules[0].partition("[")[0] == rule)


def found(program: Program, rule: str) -> Found:
    return proved_of(program, loop_of(program, rule))


def without(program: Program, rule: str, gone: type[ir.Instr]) -> Program:
    """The program in which a rule does not do one thing any more."""
    changed = {
        fn.name: replace(fn, code=[ir.Jump(pc + 1) if isinstance(i, gone) else i for pc, i in enumerate(fn.code)])
        for fn in program.functions.values() if fn.rule == rule}
    assert any(fn.code != program.functions[name].code for name, fn in changed.items())
    return replace(program, functions={**program.functions, **changed})


def test_effects_of_a_phase_that_are_taken_away_one_by_one_are_proved_to_end() -> None:
    assert [sign for sign, _ in found(game("ts_fight"), "end_phase").levels] == [1]


def test_what_goes_up_is_not_told_as_going_down() -> None:
    decks = largest_game(load_book("ts_fight"), {})
    out = found(decks.program, "end_phase")
    ((_, q),) = out.levels
    teller = Teller(decks, Describer(decks.program, decks.world, load_book("ts_fight").vocabulary))

    def told(*signs: int) -> str:
        return teller.found(replace(out, levels=[(sign, q) for sign in signs])).en.partition("each way round ")[2]
    what = told(1).removeprefix("goes down: ")
    assert told(-1) == f"goes up: {what}" and told(1, -1) == f"goes down: {what}, then {what} (goes up)"


def test_effects_that_are_not_taken_away_are_not_proved_to_end() -> None:
    assert not found(without(game("ts_fight"), "resolve_one", ir.Remove), "end_phase").proved


def test_discarding_as_many_cards_as_one_likes_is_proved_to_end_by_the_hand() -> None:
    out = found(game("ts_fight"), "draw_phase")
    assert out.proved
    assert "zone" in {q.kind for _, q in out.levels}


def test_discarding_that_moves_nothing_is_not_proved_to_end() -> None:
    assert not found(without(game("ts_fight"), "draw_phase", ir.Do), "draw_phase").proved


def test_a_number_that_is_counted_up_to_a_bound_is_proved_to_end() -> None:
    assert found(game("harem_master"), "find_first_player").proved


@pytest.mark.parametrize("by", [0, -1])
def test_a_number_that_leaves_its_range_instead_of_coming_to_the_bound_proves_nothing(by: int) -> None:
    program = game("harem_master")
    fn = program.functions["find_first_player"]
    code = [replace(i, value=ir.Binary("add", i.value.a, ir.Const(by))) if isinstance(i, ir.Assign) and isinstance(i.value, ir.Binary) and
            i.value.op == "add" else i for i in fn.code]
    other = replace(program, functions={**program.functions, fn.name: replace(fn, code=code)})
    assert not found(other, "find_first_player").proved


def test_a_part_of_play_has_the_loops_of_all_that_it_calls() -> None:
    program = game("ts_fight")
    of = {p.rule: {x.rules[0].partition("[")[0] for x in p.places} for p in parts(program, places(program))}
    assert "draw_phase" in of["draw_phase"]
    assert "main_phase" not in of["draw_phase"]
