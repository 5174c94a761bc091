"""`watch` and `check --changed`: what was edited is checked again, and nothing is called gone that a search did not come to."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.api import open_scenario
from rulewright.checks.cli import main
from rulewright.checks.commands import watch
from rulewright.checks.console.terminal import Terminal
from rulewright.checks.limits.interrupt import Interrupt
from rulewright.checks.runs import edited
from rulewright.model.engine.library import forget_books

DRAFT = "# 石取り\n\n## 1. 準備\n\n1.1. 各プレイヤーは手札を5枚引きます。\n\n## 2. ターン\n\n2.1. 山札から1枚引きます。\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.md").write_text(DRAFT, encoding="utf-8")
    assert main(["new", "mygame", "--from", "draft.md", "--yes"]) == 0
    forget_books()
    return tmp_path / "mygame"


def test_only_what_was_edited_is_checked_again(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "mygame", "--lang", "en"])
    scenario = next((book / "scenarios").glob("*.yaml"))
    count = len(list((book / "scenarios").glob("*.yaml")))
    capsys.readouterr()
    assert main(["check", "mygame", "--changed", "--lang", "en"]) == 0
    assert "Only the 0 scenarios" in (said := capsys.readouterr().err) and f"; {count} are left out" in said
    main(["check", "mygame", "--baseline", "known.json", "--update-baseline"])
    assert len(json.loads(Path("known.json").read_text(encoding="utf-8"))["checked"]) == count
    scenario.write_text(scenario.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    capsys.readouterr()
    main(["check", "mygame", "--changed", "--baseline", "known.json", "--lang", "en"])
    assert "Only the 1 scenarios" in (said := capsys.readouterr().err) and f"; {count - 1} are left out" in said


def test_a_saved_file_is_checked_again_also_where_it_is_as_it_once_was(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = watch.Watch(Terminal("en"), "mygame", Interrupt())
    now.begin()
    assert "Watching mygame" in capsys.readouterr().out and not now.saved()
    scenario = next((book / "scenarios").glob("*.yaml"))
    scenario.write_text(scenario.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert now.saved()
    now.again()
    said = capsys.readouterr().out
    assert f"{scenario.name}: 1 scenarios are checked again, first the 1 that hold" in said and "1 checked again: as before" in said


def test_lines_around_what_was_put_in_count_and_of_a_card_where_it_begins() -> None:
    path = Path("cards.yaml")
    by = edited.edited({path: "a\nb\nc\nd\n"}, {path: "a\nb\nx\nc\nd\n"}, {"cards.yaml": [1, 4]})
    assert by.lines == {("cards.yaml", 2), ("cards.yaml", 3), ("cards.yaml", 1)} and by.files == (path,)
    assert not edited.edited({path: "a\n"}, {path: "a\n"}, {}).lines


def test_scenarios_that_hold_what_was_edited_come_first_and_unknown_ones_before_others() -> None:
    a, b, c = Path("a"), Path("b"), Path("c")
    by = edited.Edited((), frozenset({("rules.py", 3)}))
    held = {a: frozenset({("rules.py", 4)}), b: frozenset({("rules.py", 3)})}
    assert edited.first_those_touched([a, b, c], held, by) == ([b], [c, a])


@pytest.mark.parametrize("complete", [True, False])
def test_gone_is_not_said_of_a_search_that_was_cut_off(complete: bool) -> None:
    before = open_scenario("harem_master/both-castles-fall").check()
    after = replace(before, findings=(), bounds=replace(before.bounds, complete=complete))
    (trial,) = edited.compared([before], [after])
    assert (bool(trial.resolved), bool(trial.cut_off)) == (complete, not complete)
    (same,) = edited.compared([before], [before])
    assert not (same.resolved or same.cut_off or same.new or same.changed) and same.remaining
