"""What `play --save` writes, from the command line and from Python: one record, read by `replay`, `export`, `check` and `minimise`."""
from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks import api
from rulewright.checks.cli import main

CONFLICT = "harem_master/both-castles-fall"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    api.open_scenario(CONFLICT).play().by_lot(3, 9).save("game.json")
    return tmp_path / "game.json"


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_the_command_and_python_write_the_same_record(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    assert main(["play", "sakura/exchange", "--seed", "1", "--save", "by-hand.json"]) == 0
    by_hand = json.loads(Path("by-hand.json").read_text(encoding="utf-8"))
    play = api.open_scenario("sakura/exchange").load("by-hand.json")
    play.save("again.json")
    assert json.loads(Path("again.json").read_text(encoding="utf-8")) == by_hand
    assert set(by_hand) == {"schema", "kind", "book", "scenario", "readings", "start", "taken", "steps"}
    assert [s["en"] for s in by_hand["steps"]] == ["the second player: exchanges no card of the hand"]


def test_a_play_is_checked_from_where_it_ends_and_told_from_its_beginning(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, = told(capsys, "check", CONFLICT, "--readings", "default", code=1)["results"]
    rest, = told(capsys, "check", "game.json", code=1)["results"]
    assert rest["bounds"]["states"] < whole["bounds"]["states"]
    assert "after the 9 steps of a saved play" in rest["title"]["en"]
    (one,), (same,) = ([f for f in r["findings"] if not f["hint"]] for r in (whole, rest))
    assert same["id"] == one["id"] and len(same["play"]["stem"]) >= 9


def test_what_was_passed_by_is_not_found_any_more(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    api.open_scenario("harem_master/attacker-stays").play().by_lot(3, 60).save("won.json")
    result, = told(capsys, "check", "won.json")["results"]
    assert result["bounds"]["states"] == 1 and not [f for f in result["findings"] if not f["hint"]]


def test_a_play_replays_until_the_rules_or_its_words_are_others(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    api.open_scenario("sakura/exchange").play().go_on().take(0).save("game.json")
    report = told(capsys, "replay", "game.json")
    assert report["reproduced"] and report["finding"] is None and report["steps"]
    data = json.loads(saved.read_text(encoding="utf-8"))
    data["steps"][0]["en"] = "somebody: something else"
    saved.write_text(json.dumps(data), encoding="utf-8")
    assert "something else" in told(capsys, "replay", "game.json", code=1)["why"]["en"]
    data["taken"][-1] = [99]
    saved.write_text(json.dumps(data), encoding="utf-8")
    assert main(["check", "game.json", "--lang", "en"]) == 2
    assert f"step {len(data['taken'])} cannot be chosen" in capsys.readouterr().err


def test_a_play_is_exported_for_a_client_step_by_step(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "export", "game.json", "--to", "itf")["files"] == ["game.itf.json"]
    states = json.loads(Path("game.itf.json").read_text(encoding="utf-8"))["states"]
    assert len(states) >= 10 and all(s["step"] for s in states[1:])
    assert main(["export", "game.json", "--to", "dot", "--lang", "en"]) == 2
    assert "--to dot does not go with a saved play" in capsys.readouterr().err


def test_what_a_play_leads_to_is_minimised_from_there(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = told(capsys, "minimise", "game.json")
    assert done["after"] < done["before"]
    Path("small.yaml").write_text(str(done["scenario"]), encoding="utf-8")
    result, = told(capsys, "check", "small.yaml", code=1)["results"]
    assert done["finding"]["id"] in [f["id"] for f in result["findings"]]


def test_what_is_asked_of_whole_scenarios_is_refused(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--try", "all"], ["--readings", "all"], ["--store", "kept"], [CONFLICT]):
        assert main(["check", "game.json", *words, "--lang", "en"]) == 2
        assert words[0] in (err := capsys.readouterr().err) and "saved play" in err


def test_a_play_of_a_scenario_of_ones_own_finds_it_from_anywhere(saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(api.open_scenario(CONFLICT).path, "mine.yaml")
    Path("plays").mkdir()
    api.open_scenario("mine.yaml").play().by_lot(3, 9).save("plays/mine.json")
    monkeypatch.chdir("plays")
    assert told(capsys, "replay", "mine.json")["reproduced"]
    Path("../mine.yaml").unlink()
    assert main(["replay", "mine.json"]) == 2


@pytest.mark.parametrize(("key", "value"), [("start", float("inf")), ("taken", [[float("inf")]]), ("readings", [1]), ("steps", 5)])
def test_a_record_with_other_than_whole_numbers_and_words_is_refused(saved: Path, capsys: pytest.CaptureFixture[str], key: str, value: object) -> None:
    saved.write_text(json.dumps({**json.loads(saved.read_text(encoding="utf-8")), key: value}), encoding="utf-8")
    assert main(["replay", "game.json", "--lang", "en"]) == 2
    assert "this is not the record of a play" in capsys.readouterr().err


def test_a_record_of_a_form_still_to_come_is_refused(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved.write_text(json.dumps({**json.loads(saved.read_text(encoding="utf-8")), "schema": 2}), encoding="utf-8")
    assert main(["replay", "game.json", "--lang", "en"]) == 2
    assert "only form 1 can be read" in capsys.readouterr().err


def test_what_a_record_or_a_case_names_as_its_scenario_is_not_shown_unless_it_is_one(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever sends one does not choose which files are read; one named on the command line is read."""
    secret = saved.parent / "secret"
    secret.write_text("name:secret\n", encoding="utf-8")
    record = json.loads(saved.read_text(encoding="utf-8"))
    for name in ("x" * 300, "../scenarios/both-castles-fall"):  # no name becomes a path
        saved.write_text(json.dumps({**record, "scenario": f"harem_master/{name}"}), encoding="utf-8")
        assert main(["replay", "game.json", "--lang", "en"]) == 2 and "there is no book, scenario or file" in capsys.readouterr().err
    saved.write_text(json.dumps({**record, "file": "secret"}), encoding="utf-8")
    assert main(["check", CONFLICT, "--store", "kept", "--readings", "default"]) == 1
    case = next(Path("kept").rglob("*.yaml"))
    case.write_text(case.read_text(encoding="utf-8").replace(f"scenario: {CONFLICT}", f"scenario: {secret}"), encoding="utf-8")
    for file in ("game.json", str(case)):
        capsys.readouterr()
        assert main(["replay", file, "--lang", "en"]) == 2
        said = "".join(capsys.readouterr())
        assert "name:secret" not in said and "there is no book, scenario or file" in said
    assert main(["check", str(secret), "--lang", "en"]) == 2 and "name:secret" in capsys.readouterr().err
