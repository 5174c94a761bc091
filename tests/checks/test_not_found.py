"""What was not found is said with what had a chance: how often, and which clauses never came up."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.record import CheckResult, Exercised
from rulewright.checks.register import exercised as counting
from rulewright.checks.runs import session

from ..render import as_text, render_result
from .samples import NOTHING_FOUND


def result_of(target: str, **readings: str) -> CheckResult:
    (path,) = session.resolve(target)
    options = session.CheckOptions({k.replace("_", "-"): v for k, v in readings.items()}, defaults_only=True, exercised=True)
    (result,) = session.check(path, options)
    return result


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def test_clauses_that_never_came_up_are_named_and_those_that_did_are_not() -> None:
    result = result_of("hanayome/pass-only")
    assert result.exercised is not None
    never = set(result.exercised.never)
    assert {"8.4.1", "9.3.2"} <= never  # nobody plays an event, nobody approaches
    told = {c for f in result.findings for step in (*f.play.stem, *f.play.cycle) for c in step.clauses}
    assert not never & told
    assert result.exercised.clauses >= len(told)


def test_who_does_something_leaves_less_that_never_came_up() -> None:
    idle, swap = result_of("hanayome/pass-only").exercised, result_of("hanayome/swap").exercised
    assert idle is not None and swap is not None
    assert "10.6.2.6" in idle.never and "10.6.2.6" not in swap.never


def test_a_count_is_left_out_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST", 10)
    assert result_of("hanayome/pass-only").exercised is None


def test_how_many_repetitions_and_results_there_were_is_told() -> None:
    counts = {one.what.en: one.count for one in result_of("hanayome/swap").examined}
    assert counts["positions in which a result was pronounced"] == 4
    assert counts["repetitions found among them, and judged"] == 4
    counts = {one.what.en: one.count for one in result_of("harem_master/one-more-girl").examined}
    assert counts["positions in which a result was pronounced"] == 1
    assert "repetitions found among them, and judged" not in counts


@pytest.mark.parametrize(("target", "line"), [
    ("hanayome/pass-only", "後攻の手札 9枚"), ("harem_master/one-more-girl", "先攻の城 0枚"),
    ("hanayome/swap", "先攻のキャラクターレーン3 1枚: 「席替えの四葉」")])
def test_the_position_in_which_it_happens_is_drawn(target: str, line: str) -> None:
    (finding,) = [f for f in result_of(target).findings if not f.hint]
    assert finding.moment is not None and line in finding.moment.ja.split("\n")


def test_the_page_says_that_nothing_is_said_about_them() -> None:
    page = as_text(render_result(replace(NOTHING_FOUND, exercised=Exercised(12, ("7.5.3", "9.1"))), "ja"))
    assert "一度も使われなかった条文（該当する場面がなく、何も確かめられない）" in page and "7.5.3、9.1" in page
    assert "使われたもの 12、使われなかったもの 2" in page


def test_it_is_counted_where_one_situation_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "harem_master/one-more-girl", "-r", "default", "--json"])
    (one,) = json.loads(capsys.readouterr().out)["results"]
    assert "306.4" in one["exercised"]["never"]


def test_what_there_was_nothing_to_look_at_of_is_not_examined_and_the_rest_is() -> None:
    result = result_of("harem_master/one-more-girl")
    empty = {one.question for one in result.examined if one.question and not one.count}
    assert "order" in empty and "loops" not in empty
    (line,) = [line for line in as_text(render_result(result, "en", 200)).splitlines() if "Not examined (0 places)" in line]
    assert "orders" in line and "endless loops" not in line
