"""Every shipped scenario of hanayome: exactly the findings it pins, under each reading set."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.findings.record import Finding
from rulewright.checks.runs import session
from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

from ..pinned import controls_are_silent, finds_what_it_pins

SCENARIOS = load_book("hanayome").scenarios
PLAYED = [p for p in SCENARIOS if not p.stem.startswith("full-game")]


@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_a_scenario_finds_exactly_what_it_pins(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section)


@pytest.mark.slow
@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_cards_that_are_told_apart_come_to_the_same(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section, symmetry=False)


def test_controls_find_nothing() -> None:
    assert controls_are_silent(SCENARIOS) >= 5


def turn_of(finding: Finding) -> str:
    turn = finding.play.cycle[0].turn
    assert turn is not None
    return turn.en


@pytest.mark.parametrize(("limit", "turn"), [(5, 2), (6, 2), (7, 4), (8, 4), (9, 6), (30, 26), (47, 44), (48, 44)])
def test_passing_loops_in_the_end_phase_once_the_hand_exceeds_the_limit(limit: int, turn: int) -> None:
    path = next(p for p in SCENARIOS if p.stem == "pass-only")
    (result,) = session.check(path, session.CheckOptions(readings={"hand-limit-number": str(limit)}))
    (loop,) = [f for f in result.findings if f.is_defect]
    assert turn_of(loop) == f"turn {turn} (the second player)"
    assert loop.clauses[0] == "7.5.3"


@pytest.mark.parametrize("readings", [{"hand-limit-number": "49"}, {"hand-limit-number": "60"}, {"hand-limit": "none"}])
def test_without_a_limit_that_matters_the_second_player_runs_out_of_cards_in_turn_46(readings: dict[str, str]) -> None:
    from rulewright.checks.explore.explorer import Limits, explore, play_to
    from rulewright.checks.scenarios.subjects import open_table, subject_of
    path = next(p for p in SCENARIOS if p.stem == "pass-only")
    subject = subject_of(open_table(read_scenario(path), readings), symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    (end,) = out.ends()
    assert out.states[end].end is not None and out.states[end].end[:2] == ("win", 0)
    way = [(out.states[k], o) for k, o in play_to(out, end)]
    steps, _ = subject.tell_all(way)
    assert steps[-1].turn is not None and steps[-1].turn.en == "turn 46 (the second player)"
    assert "11.3.1" in steps[-1].clauses
