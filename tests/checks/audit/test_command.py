"""`rulewright audit`, as a user runs it."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.cli import main

from ..json_schema import output_schema
from ..schema import violations
from .book import duel
from .test_choices import STEPS

TURN = "lose(g, FIRST)\ngain(g, FIRST)\nc = await choose(g.turn_player, g.hand[FIRST])\nput(c, g.gone[FIRST])  #: 1.1"


def told(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert main(["audit", "duel", "--json", "--threads", "1", *more]) in (0, 1)
    data = json.loads(capsys.readouterr().out)
    schema = output_schema()
    assert [*violations(data, schema["$defs"]["output-audit"], schema)] == []
    return data


def test_a_choice_is_told_with_a_play_and_as_the_schema_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    duel(tmp_path, monkeypatch, STEPS, TURN)
    data = told(capsys, "--only", "order")
    one = next(c for c in data["choices"] if c["code"] == "lose(g, FIRST)")
    assert (one["sort"], one["basis"], one["tried"], one["rule"]) == ("order", "unmarked", "parted", "turn")
    assert one["shown"]["scenario"] == "one-turn"
    folder = tmp_path / "duel"
    (folder / "audit.yaml").write_text(f"answers:\n  {one['id']}: {{because: it is the same}}\n", encoding="utf-8")
    after = told(capsys, "--only", "order")
    assert {c["id"] for c in after["choices"]} == {c["id"] for c in data["choices"]} - {one["id"]} and after["answered"] == [one["id"]]
    (folder / "audit.yaml").write_text("answers:\n  gone-1: {because: it was another rule}\n", encoding="utf-8")
    for more, named in (([], True), (["--only", "order"], False)):  # it may be of another kind
        main(["audit", "duel", "--json", "--threads", "1", "--lang", "en", *more])
        assert ("fit nothing that the rules decide now (they were changed, or a clause mark or a reading fixes it): gone-1" in capsys.readouterr().err) is named


@pytest.mark.parametrize(("form", "lang", "says"), [
    ("terminal", "en", "First `lose(g, FIRST)`, then `gain(g, FIRST)`. The other way round: in one-turn, "),
    ("terminal", "ja", "先に `lose(g, FIRST)`、次に `gain(g, FIRST)`。逆の順番だと、one-turn で"),
    ("markdown", "en", "# duel: what its rules decide that no marked clause says"),
])
def test_the_page_says_it_in_both_languages_and_as_markdown(
    form: str, lang: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    duel(tmp_path, monkeypatch, STEPS, TURN)
    assert main(["audit", "duel", "--only", "order", "--threads", "1", "--format", form, "--lang", lang]) == 1
    assert says in " ".join(capsys.readouterr().out.split()).replace("だ と", "だと")


@pytest.mark.parametrize(("lang", "says"), [
    ("en", "decide something: 1; fixed by a clause mark or a reading: 0; answered already: 0. Of the other 1, 0 were written otherwise and played beside"),
    ("ja", "規則の中の決めごと 1 か所。条文の印か解釈が決めているもの 0、回答済み 0。残り 1 のうち 0 を別の書き方に変え"),
])
def test_what_no_scenario_comes_to_is_not_said_to_have_been_played(
    lang: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    duel(tmp_path, monkeypatch, STEPS, "if g.points[FIRST] == 7:\n    lose(g, FIRST)\n    gain(g, FIRST)")
    assert main(["audit", "duel", "--only", "order", "--threads", "1", "--lang", lang]) == 0
    blank = "" if lang == "ja" else " "
    assert says.replace(" ", blank) in blank.join(capsys.readouterr().out.split())
    assert main(["audit", "duel", "--only", "each", "--threads", "1", "--lang", lang]) == 0
    assert {"en": "Not examined: the rules have no place of the kinds", "ja": "調べていない"}[lang] in " ".join(capsys.readouterr().out.split())


def test_what_time_cut_off_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    duel(tmp_path, monkeypatch, STEPS, TURN)
    data = told(capsys, "--max-time", "0.001")
    assert data["cut"] == "seconds" and {c["tried"] for c in data["choices"]} == {"cut off"}


def test_a_kind_that_there_is_not_is_refused_with_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    duel(tmp_path, monkeypatch, STEPS, TURN)
    assert main(["audit", "duel", "--only", "ordr", "--lang", "en"]) == 2
    assert "order" in capsys.readouterr().err
