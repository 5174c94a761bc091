"""One defect under two ids is told as one; what only looks alike is not."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.checks.findings.record import Decided, Decision, Finding, FindingClass, WhoCanStop
from rulewright.checks.stored import decisions

from .samples import PASS_ONLY, RESULT

LOOP = replace(PASS_ONLY, id="HANA-7.5.3-AAAA", scenario="one", keepers=WhoCanStop.NOBODY)
CONFLICT = replace(PASS_ONLY, id="HANA-3.2-AAAA", cls=FindingClass.CONFLICT, clauses=("3.2", "9.2"), keepers=None, scenario="one")


def told(*found: Finding) -> dict[str, tuple[str, ...]]:
    (result,) = decisions.results_with_decisions([replace(RESULT, findings=found)], {}, {})
    return {f.id: f.same_as for f in result.findings}


@pytest.mark.parametrize(("one", "other"), [
    (LOOP, {"scenario": "another phase"}), (CONFLICT, {"scenario": "any-position"}), (CONFLICT, {"clauses": ("9.2", "3.2")})])
def test_the_same_clauses_in_a_loop_or_against_each_other_are_one_defect(one: Finding, other: dict[str, object]) -> None:
    again = replace(one, id="HANA-7.5.3-BBBB", **other)
    assert told(one, again) == {one.id: (again.id,), again.id: (one.id,)}


@pytest.mark.parametrize(("one", "other"), [
    (LOOP, {"clauses": (*LOOP.clauses, "4.8")}), (LOOP, {"keepers": WhoCanStop.TOGETHER}), (LOOP, {"hint": True}), (LOOP, {"cls": FindingClass.GAP}),
    (CONFLICT, {"clauses": ("3.2", "9.3")}), (LOOP, {"book": "sakura", "id": "SAKU-7.5.3-BBBB"})])
def test_other_clauses_other_players_and_hints_are_no_such_defect(one: Finding, other: dict[str, object]) -> None:
    assert set(told(one, replace(one, **{"id": "HANA-7.5.3-BBBB", **other})).values()) == {()}


def test_loops_that_one_player_can_stop_may_be_of_different_players() -> None:
    one = replace(LOOP, keepers=WhoCanStop.ONE)
    assert told(one, replace(one, id="HANA-7.5.3-BBBB")) == {one.id: (), "HANA-7.5.3-BBBB": ()}


def test_what_was_decided_or_known_under_the_other_id_is_named() -> None:
    decision = Decision(Decided.INTENDED, about="conflict; 3.2, 9.2; -; full-game")
    (result,) = decisions.results_with_decisions([replace(RESULT, findings=(CONFLICT,))], {"HANA-3.2-DDDD": decision}, {"HANA-3.2-KKKK": ["conflict; 3.2, 9.2; -; x"]})
    assert result.findings[0].same_as == ("HANA-3.2-DDDD", "HANA-3.2-KKKK") and result.findings[0].decision is None
