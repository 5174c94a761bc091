"""Stored cases: a finding is written, found again where it reproduces, and refused with a reason where it does not."""
from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulewright.checks.cli import main
from rulewright.checks.runs import verifying
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

SEATS = """\
book: hanayome
id: seats
title: {ja: 席を替わり続ける二人, en: two who keep changing seats}
begin: main-phase
deck_order: given
cards:
  - id: X-SWAPPER
    name: {ja: 席替え好き, en: fond of other seats}
    kind: character
    names: [席替え好き]
    power: 2
    abilities:
      - id: swap
        kind: auto
        when: MovedLane
        if: event.card == this
        text: |
          if this is not None:
              partner = await target(g, you, characters(g, you) - {this})
              if partner is not None:
                  exchange(g, this, partner)  #: 5.8.1
position:
  turn_player: first
  first:
    hand: [V-STROLL]
    lane: {1: [X-SWAPPER], 3: [C-LIBRARY]}
    deck: [BLANK x2]
  second:
    deck: [BLANK x2]
bounds: {states: 20000, depth: 2000}
"""
LAZIER = SEATS.replace("partner = await target(g, you, characters(g, you) - {this})",
                       "partner = await target(g, you, characters(g, other(you)))")
"""The ability looks for its partner where there is none, so nothing moves any more."""
BLINKERED = SEATS.replace("depth: 2000", "depth: 2")

@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `SEATS`, the case of its loop, and a cache."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.chdir(folder)
        Path("seats.yaml").write_text(SEATS, encoding="utf-8")
        assert main(["check", "seats.yaml", "--store", "cases"]) == 1
    return folder


@pytest.fixture
def seats(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The case of the loop of `SEATS`, stored."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(made / "cache"))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made / "cases", "cases")
    shutil.copy(made / "seats.yaml", "seats.yaml")
    (case,) = sorted((tmp_path / "cases").rglob("*.yaml"))
    return case


def edit(case: Path, change: Callable[[Any], object]) -> None:
    """Change the finding in a stored case by hand."""
    yaml = YAML()
    data = yaml.load(case.read_text(encoding="utf-8"))
    change(data["finding"])
    out = io.StringIO()
    yaml.dump(data, out)
    case.write_text(out.getvalue(), encoding="utf-8")


def why_not(case: Path) -> Text:
    """Why the case does not reproduce, first of all."""
    (report,) = verifying.verify(case)
    assert not report.reproduced
    assert all(d.said.ja != d.said.en for d in report.differences)
    return report.differences[0].said


# ---------------------------------------------------------------- it reproduces
def test_a_stored_case_reproduces(seats: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "cases"]) == 0
    assert "1 of 1 cases reproduced." in capsys.readouterr().out
    assert main(["replay", str(seats)]) == 0
    told = finding_store.replay(seats)
    stored = (*told.finding.play.stem, *told.finding.play.cycle)
    assert [(s.decider, s.chosen, s.clauses) for s in told.steps] == [(s.decider, s.chosen, s.clauses) for s in stored]
    assert len(told.finding.play.cycle) == 2


def test_storing_again_writes_over_the_case(seats: Path) -> None:
    before = seats.read_text(encoding="utf-8")
    assert main(["check", "seats.yaml", "--store", "cases"]) == 1
    assert sorted(p for p in Path("cases").rglob("*.yaml")) == [seats.relative_to(Path.cwd())]
    assert seats.read_text(encoding="utf-8") == before


def test_a_case_finds_its_scenario_from_anywhere(seats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (report,) = verifying.verify(seats)
    assert report.reproduced, report.why


def test_a_case_that_begins_with_another_order_of_the_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    text = SEATS.replace("deck_order: given", "deck_order: all").replace("hand: [V-STROLL]", "hand: [V-ERRAND]")
    Path("seats.yaml").write_text(text.replace("BLANK x2]\n  second", "V-STROLL, BLANK x2]\n  second"), encoding="utf-8")
    assert main(["check", "seats.yaml", "--store", "cases"]) == 1
    reports = verifying.verify(Path("cases"))
    assert [r.why for r in reports] == [None]


# ---------------------------------------------------------------- it does not, and why
def test_with_the_closing_step_deleted_the_position_does_not_come_back(seats: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(seats, lambda finding: finding["play"]["cycle"].pop())
    assert main(["verify", str(seats.parent.parent), "--json"]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["reproduced"], [d["said"]["en"] for d in case["differences"]]) == (False, [
        "after the repeated part the position is not as before", "play, what repeats: 1 are stored, now 2"])
    why = why_not(seats)
    assert why.en == "after the repeated part the position is not as before"
    assert "元へ戻りません" in why.ja
    assert not finding_store.replay(seats).reproduced


def test_with_a_choice_of_the_way_there_deleted_what_follows_is_not_possible(seats: Path) -> None:
    def forget(finding: Any) -> None:
        steps = finding["play"]["stem"]
        steps.remove(next(step for step in steps if step["chosen"]))

    edit(seats, forget)
    assert "is no longer possible" in why_not(seats).en


def test_with_the_text_of_the_card_changed_the_loop_does_not_close(seats: Path) -> None:
    Path("seats.yaml").write_text(LAZIER, encoding="utf-8")
    why = why_not(seats).en
    assert "no longer possible" in why or "not as before" in why


def test_with_an_option_that_nobody_has_the_step_is_named(seats: Path) -> None:
    number = 0

    def rename(finding: Any) -> None:
        nonlocal number
        steps = finding["play"]["stem"]
        number = next(k for k, step in enumerate(steps, 1) if step["chosen"])
        steps[number - 1]["chosen"] = {"ja": "空を飛ぶ", "en": "fly away"}

    edit(seats, rename)
    why = why_not(seats)
    assert why.en == f"step {number} (fly away) is no longer possible"
    assert why.ja == f"{number}手順目の選択（空を飛ぶ）は、もうできません"
    assert len(finding_store.replay(seats).steps) == number - 1, "what still happens is shown"


def test_an_option_is_found_by_its_name_under_another_number_and_that_is_told(seats: Path) -> None:
    def renumber(finding: Any) -> None:
        for step in finding["play"]["stem"]:
            step["option"] = 99

    edit(seats, renumber)
    (report,) = verifying.verify(seats)
    steps = len(finding_store.replay(seats).finding.play.stem)
    assert [d.field for d in report.differences] == [f"play.stem[{k}].option" for k in range(steps)]
    assert len(finding_store.replay(seats).steps) == steps + 2, "it is gone on with"


def test_a_play_that_is_no_finding_any_more(seats: Path) -> None:
    Path("seats.yaml").write_text(BLINKERED, encoding="utf-8")
    assert why_not(seats).en == "the play replays, but checking no longer finds it"
    assert finding_store.replay(seats).reproduced


def test_another_finding_under_the_same_play(seats: Path) -> None:
    known = finding_store.replay(seats).finding.id
    edit(seats, lambda finding: finding.update(id="HANA-1.1-0000"))
    assert why_not(seats).en == f"there is no finding HANA-1.1-0000 any more; the nearest is {known}"


def test_a_case_whose_scenario_is_gone(seats: Path) -> None:
    Path("seats.yaml").unlink()
    assert "there is no such file" in why_not(seats).en


def test_a_case_that_cannot_be_read(seats: Path) -> None:
    seats.write_text(seats.read_text(encoding="utf-8").replace("form: 1", "form: 2", 1), encoding="utf-8")
    assert "this is not a stored case" in why_not(seats).en


@pytest.mark.parametrize(("was", "now", "ja", "en"), [
    ("    rounds: 1", "    rounds: one", "finding.play.rounds: 整数が要りますが、'one' です", "finding.play.rounds: a whole number is needed, this is 'one'"),
    ("  hint: false", "  hnit: false", "finding.hnit: 知らない項目です", "finding.hnit: unknown key"),
    ("  cls: loop", "  cls: lop", "finding.cls: 'lop' は次のどれでもありません: loop", "finding.cls: 'lop' is none of: loop")])
def test_a_mistake_in_a_case_is_told_with_its_line_and_column(seats: Path, was: str, now: str, ja: str, en: str) -> None:
    text = seats.read_text(encoding="utf-8")
    line = text[: text.index(was + "\n")].count("\n") + 1
    seats.write_text(text.replace(was + "\n", now + "\n", 1), encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_case(seats)
    (told,) = refused.value.diagnostics
    assert str(told.position) == f"{seats}:{line}:{len(was) - len(was.lstrip()) + 1}"
    assert ja in told.message.ja and en in told.message.en


def test_a_case_that_contradicts_itself(seats: Path) -> None:
    unasked = {"rule": "f", "name": {"ja": "甲", "en": "f"}, "where": "a.py:1", "clauses": ["1.1"], "reason": "held", "question": "", "what": [], "values": []}
    edit(seats, lambda finding: finding["bounds"].update(complete=True, not_asked=[unasked]))
    assert "bounds are not complete where something was not asked" in why_not(seats).en


def test_one_case_that_fails_does_not_hide_the_others(seats: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = seats.read_text(encoding="utf-8")
    for number in (2, 3):
        seats.with_name(f"00{number}-seats.yaml").write_text(text, encoding="utf-8")
    edit(seats.with_name("002-seats.yaml"), lambda finding: finding["play"]["cycle"].pop())
    capsys.readouterr()
    assert main(["verify", "cases", "--jobs", "2"]) == 1
    out = capsys.readouterr().out
    assert "2 of 3 cases reproduced." in out
    failed, why = out.partition("not reproduced")[2].splitlines()[:2]
    assert failed.endswith("002-seats.yaml")
    assert why == "    - after the repeated part the position is not as before"


# ---------------------------------------------------------------- the shipped ones
@pytest.mark.slow
def test_every_shipped_case_reproduces() -> None:
    reports = verifying.verify(finding_store.stored_cases(), jobs=2)
    assert len(reports) >= 10
    assert {r.path.name: r.why for r in reports if not r.reproduced} == {}
    assert len({r.finding for r in reports}) == len(reports), "each case is another finding"
