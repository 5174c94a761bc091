"""Every shipped scenario of hanayome: exactly the findings it pins, under each reading set, with and without symmetry."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks import session
from rulewright.checks.findings.record import CheckResult, Finding
from rulewright.model.engine.library import load_book
from rulewright.spec.document import ListNode, MapNode, Node, TextNode
from rulewright.spec.readers import Expectation, ExpectedFinding, read_scenario

SCENARIOS = load_book("hanayome").scenarios
PLAYED = [p for p in SCENARIOS if p.stem != "full-game"]
STOPPERS = {"turn player": "ターンプレイヤー", "non-turn player": "非ターンプレイヤー"}


def checked(path: Path, symmetry: bool) -> list[CheckResult]:
    return session.check(path, session.CheckOptions(symmetry=symmetry))


def plain(node: Node) -> Any:
    match node:
        case TextNode(text=text):
            return text
        case ListNode(items=items):
            return [plain(x) for x in items]
        case MapNode(entries=entries):
            return {e.key.text: plain(e.value) for e in entries}


def says(f: Finding) -> dict[str, str]:
    """What each clause about loops that applies says of it, by the code of its answer."""
    words = {"a number is named": "number_named", "it may not be done again": "forbidden", "a draw": "draw"}
    return {v.clause: words[v.effect.en] for v in f.clause_verdicts if v.effect is not None}


def fits(f: Finding, want: ExpectedFinding) -> bool:
    """Is it the finding that was pinned?"""
    facts = {k: plain(v.value) for k, v in want.facts.items()}
    return f.cls.value == want.cls.value and all((
        facts.get("keepers") in (None, f.keepers.name.lower() if f.keepers else ""),
        facts.get("scope") in (None, f.level),
        facts.get("period") in (None, str(len(f.play.cycle))),
        facts.get("growing", "false") == str(f.growing and f.cls.value == "loop").lower(),
        facts.get("says") in (None, says(f)),
        facts.get("clauses") is None or list(f.clauses) == facts["clauses"],
        "stopper" not in facts or (f.stopper is not None and f.stopper.ja.startswith(STOPPERS[facts["stopper"]])),
    ))


def compare(result: CheckResult, want: Expectation) -> None:
    found = [f for f in result.findings if not f.hint]
    assert want.findings is not None, "every reading set says what is found"
    left = list(found)
    for w in want.findings:
        hit = next((f for f in left if fits(f, w)), None)
        assert hit is not None, f"{w.cls.value} {({k: plain(v.value) for k, v in w.facts.items()})} was not found: {told(left)}"
        left.remove(hit)
    assert not left, f"found beyond what is pinned: {told(left)}"


def told(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [(f.cls.value, f.keepers, f.level, len(f.play.cycle), f.growing, says(f), f.clauses, f.stopper) for f in findings]


@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_a_scenario_finds_exactly_what_it_pins(path: Path, frozen: Callable[[str, str], None]) -> None:
    scenario = read_scenario(path)
    both = {symmetry: checked(path, symmetry) for symmetry in (True, False)}
    record: list[dict[str, Any]] = []
    for k, want in enumerate(scenario.expect):
        for symmetry in (True, False):
            result = both[symmetry][k]
            assert result.readings.items() >= {r: v.value for r, v in want.readings.items()}.items()
            compare(result, want)
        merged, plainly = both[True][k], both[False][k]
        assert [f.id for f in merged.findings if not f.hint] == [f.id for f in plainly.findings if not f.hint]
        assert merged.outcomes.keys() == plainly.outcomes.keys()
        record.append({
            "readings": dict(sorted(merged.readings.items())), "states": plainly.bounds.states,
            "transitions": plainly.bounds.transitions, "states_with_symmetry": merged.bounds.states,
            "complete": plainly.bounds.complete, "ends": sorted(plainly.outcomes),
            "findings": [f.id for f in plainly.findings if not f.hint], "hints": [f.id for f in merged.findings if f.hint]})
    frozen(f"{path.stem}.json", json.dumps(record, ensure_ascii=False, indent=1) + "\n")


def test_every_scenario_pins_something() -> None:
    for path in PLAYED:
        assert read_scenario(path).expect, path.stem


def test_a_control_names_the_scenario_it_belongs_to_and_finds_nothing() -> None:
    known = {p.stem for p in SCENARIOS}
    controls = [s for p in SCENARIOS if (s := read_scenario(p)).control is not None]
    assert len(controls) >= 5
    for scenario in controls:
        assert scenario.control is not None
        assert scenario.control.value in known
        control = read_scenario(next(p for p in SCENARIOS if p.stem == scenario.control.value))  # pyright: ignore
        assert all(e.findings == () for e in control.expect), control.id.value


def turn_of(finding: Finding) -> str:
    turn = finding.play.cycle[0].turn
    assert turn is not None
    return turn.en


@pytest.mark.parametrize(("limit", "turn"), [(5, 2), (6, 2), (7, 4), (8, 4), (9, 6), (30, 26), (47, 44), (48, 44)])
def test_passing_loops_in_the_end_phase_once_the_hand_exceeds_the_limit(limit: int, turn: int) -> None:
    path = next(p for p in SCENARIOS if p.stem == "pass-only")
    (result,) = session.check(path, session.CheckOptions(readings={"hand-limit-number": str(limit)}))
    (loop,) = [f for f in result.findings if not f.hint]
    assert turn_of(loop) == f"turn {turn} (the second player)"
    assert loop.clauses[0] == "7.5.3"


@pytest.mark.parametrize("readings", [{"hand-limit-number": "49"}, {"hand-limit-number": "60"}, {"hand-limit": "none"}])
def test_without_a_limit_that_matters_the_second_player_runs_out_of_cards_in_turn_46(readings: dict[str, str]) -> None:
    from rulewright.checks.explore.explorer import Limits, explore, play_to
    from rulewright.checks.subjects import open_table, subject_of
    path = next(p for p in SCENARIOS if p.stem == "pass-only")
    subject = subject_of(open_table(read_scenario(path), readings), symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    (end,) = out.ends()
    assert out.states[end].end is not None and out.states[end].end[:2] == ("win", 0)
    way = [(out.states[k], o) for k, o in play_to(out, end)]
    steps, _ = subject.tell_all(way)
    assert steps[-1].turn is not None and steps[-1].turn.en == "turn 46 (the second player)"
    assert "11.3.1" in steps[-1].clauses
