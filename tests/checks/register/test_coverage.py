"""How much of a book is modelled, and where a clause is."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.register.asked import answers_of
from rulewright.checks.register.books import open_book
from rulewright.checks.register.executed import run_scenarios
from rulewright.checks.register.output import CoverageReport
from rulewright.checks.register.status import Status, statuses
from rulewright.spec.readers import ClauseKind

from .conftest import Run
from .helpers import write


def status(rulewright: Run, book: str, *more: str) -> dict[str, Any]:
    return {c["id"]: c for c in json.loads(rulewright("coverage", book, "--json", *more)[1])["clauses"]}


def test_the_first_status_that_applies_counts(rulewright: Run, lamps: Path) -> None:
    clauses = status(rulewright, "lamps")
    assert {name: c["status"] for name, c in clauses.items()} == {
        "1": "without effect", "1.1": "modelled", "1.2": "not modelled", "2": "without effect", "2.1": "modelled",
        "2.2": "modelled", "2.3": "reading", "2.4": "without effect", "3": "without effect", "3.1": "modelled"}
    assert clauses["2.4"]["kind"] == "definition" and clauses["2"]["kind"] == "heading"
    assert [(p["line"], p["function"]) for p in clauses["2.1"]["places"]] == [(6, "Game"), (16, "turn"), (22, "draw")]
    assert [p["line"] for p in clauses["1.1"]["places"]] == [22]


def test_a_reading_that_is_not_built_in_does_not_stand_for_a_rule(rulewright: Run, lamps: Path) -> None:
    assert status(rulewright, "lamps")["2.3"]["status"] == "reading"
    text = (lamps / "readings.yaml").read_text(encoding="utf-8")
    (lamps / "readings.yaml").write_text(text.replace("status: modelled", "status: planned"), encoding="utf-8")
    clause = status(rulewright, "lamps")["2.3"]
    assert clause["status"] == "not modelled" and clause["readings"] == ["too-many"]


def test_a_definition_that_a_rule_carries_out_is_modelled_and_a_modelled_clause_keeps_its_readings(
    rulewright: Run, lamps: Path
) -> None:
    rules = lamps / "rules/turn.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace("#: 2.1, 1.1", "#: 2.4 #: 2.3"), encoding="utf-8")
    clauses = status(rulewright, "lamps")
    assert clauses["2.4"]["status"] == "modelled" and clauses["1.1"]["status"] == "not modelled"
    assert clauses["2.3"]["status"] == "modelled" and clauses["2.3"]["readings"] == ["too-many"]


def test_what_the_rules_say_they_leave_out_is_told(rulewright: Run, lamps: Path) -> None:
    rules = lamps / "rules/turn.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text + '''

@step
def odd(g: Game) -> None:
    """What is not there yet."""
    if len(g.deck[FIRST]) > 0:  #: 2.2
        not_modelled("2.2")
    not_modelled("2.4")  #: 2.4
''', encoding="utf-8")
    clauses = status(rulewright, "lamps")
    assert clauses["2.2"]["status"] == "modelled" and clauses["2.2"]["left_out"] == ["spec/lamps/rules/turn.py:29"]
    assert clauses["2.4"]["status"] == "not modelled"
    assert "A part of it is not modelled: spec/lamps/rules/turn.py:29" in rulewright("where", "lamps", "2.2")[1]


def test_the_report_says_what_is_missing_and_that_kinds_are_guesses(rulewright: Run, lamps: Path) -> None:
    code, out, err = rulewright("coverage", "lamps", "--lang", "ja")
    assert (code, err) == (1, "")
    assert "未モデル化 1" in out and "モデル化済み 4" in out and "見出し 3, 定義 1" in out
    assert out.index("まだモデルにない条文") < out.index("1.2: ")
    assert "種類が推測のままの条文: 10件" in out and "要旨がまだ書かれていない条文: 10件" in out
    text = (lamps / "clauses.yaml").read_text(encoding="utf-8")
    text = text.replace('"1.2"\n    kind: procedure', '"1.2"\n    kind: none')
    (lamps / "clauses.yaml").write_text(text, encoding="utf-8")
    assert rulewright("coverage", "lamps")[0] == 1, "kinds are guesses, gists are to be written"
    text = text.replace("    guessed: yes\n", "").replace("（要旨を書く）", "要旨").replace("(gist to be written)", "gist")
    (lamps / "clauses.yaml").write_text(text, encoding="utf-8")
    assert rulewright("coverage", "lamps")[0] == 0


def test_a_long_list_is_cut_unless_all_is_asked_for(rulewright: Run) -> None:
    write("long.md", "1. 手順\n" + "".join(f"1.{n}. 札を{n}枚引きます。\n" for n in range(1, 31)))
    rulewright("register", "long.md", "-o", "spec/long")
    short = rulewright("coverage", "long")[1]
    assert "18 more; for all of them: rulewright coverage long --all" in short and "1.30:" not in short
    assert "1.30:" in rulewright("coverage", "long", "--all")[1]


def test_every_shipped_register_is_counted_whole(rulewright: Run) -> None:
    for book in ("hanayome", "harem_master", "sakura", "ts_fight", "shinso"):
        data = json.loads(rulewright("coverage", book, "--json")[1])
        assert sum(data["counts"].values()) == len(data["clauses"])
        assert sum(sum(c["counts"].values()) for c in data["chapters"]) == len(data["clauses"])
        assert len(data["chapters"]) < 50


def test_in_a_book_without_numbers_a_heading_with_words_of_its_own_begins_a_chapter(rulewright: Run) -> None:
    Path("draft.md").write_text("# Tides\n\n## Turn\n\n- Draw a card.\n\n## Moves\n\nA move takes a card from the hand.\n\n## End\n\n- The turn ends.\n", "utf-8")
    assert rulewright("register", "draft.md", "-o", "spec/tides")[0] == 0
    chapters = json.loads(rulewright("coverage", "tides", "--json")[1])["chapters"]
    assert {c["id"]: sum(c["counts"].values()) for c in chapters} == {"Tides": 1, "Turn": 2, "Moves": 1, "End": 2}


def test_a_status_is_nothing_but_what_the_files_say() -> None:
    book = open_book("hanayome")
    for one in statuses(book):
        cited, read = bool(book.places.get(one.id)), one.id in book.read_by and one.id not in book.left_out
        expected = Status.MODELLED if cited else Status.READING if read else (
            Status.NOT_MODELLED if one.id in book.left_out else Status.WITHOUT_EFFECT if one.clause.kind in (ClauseKind.HEADING, ClauseKind.DEFINITION, ClauseKind.NONE)
            else Status.NOT_MODELLED)
        assert one.status is expected


def test_of_a_mark_in_a_rule_that_nothing_calls_only_the_mark_is_claimed(rulewright: Run, lamps: Path) -> None:
    rules = lamps / "rules/turn.py"
    rules.write_text(rules.read_text(encoding="utf-8") + '\n\n@procedure\nasync def idle(g: Game) -> None:\n    """Nothing calls it."""\n    pass  #: 1.2\n', encoding="utf-8")
    assert status(rulewright, "lamps")["1.2"]["status"] == "modelled"
    for lang, says in (("en", "some rule carries its mark: its author says"), ("ja", "印を付けた規則がある（条文どおりだと、書いた人が言っている）")):
        for command in (("coverage", "lamps"), ("where", "lamps", "1.2")):
            assert says.replace(" ", "") in "".join(rulewright(*command, "--lang", lang)[1].split())


# ---------------------------------------------------------------- executed
def test_what_scenarios_execute_is_told_place_by_place(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/scenarios/none.yaml", """\
book: lamps
id: none
title: {ja: 札がない, en: no cards}
begin: turn
""")
    code, out, _ = rulewright("coverage", "lamps", "--executed")
    assert code == 1
    assert "2.1: 0 of 2 places executed. not executed: spec/lamps/rules/turn.py:16 turn, spec/lamps/rules/turn.py:22 draw" in (
        " ".join(out.split()))
    assert "3.1: 1 of 1 places executed." in rulewright("coverage", "lamps", "--executed", "--all")[1]
    marks = sum(line.count("#:") + line.partition("#:")[2].count(",") for line in (lamps / "rules/turn.py").read_text(encoding="utf-8").splitlines())
    assert f"of {marks} marks of clauses 1 stand where something was executed." in " ".join(out.split()), "a place may have several"
    clauses = status(rulewright, "lamps", "--executed")
    assert clauses["3.1"]["scenarios"] == ["none"] and clauses["2.2"]["scenarios"] == []
    declared, called, inside = clauses["2.1"]["places"]
    assert declared["executable"] is False and declared["executed"] is False
    assert called["executable"] is True and called["executed"] is False and inside["executed"] is False
    assert clauses["3.1"]["places"][0]["executed"] is True


def test_of_a_rule_that_no_situation_leads_to_it_is_not_said_that_there_is_nothing_to_execute(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/scenarios/none.yaml", "book: lamps\nid: none\ntitle: {ja: 無, en: none}\nbegin: turn\n")
    rules = lamps / "rules/turn.py"
    rules.write_text(rules.read_text(encoding="utf-8") + '\n\n@step\ndef idle(g: Game) -> None:\n    """Nothing calls it."""\n    g.turn_player = other(g.turn_player)  #: 1.2\n', encoding="utf-8")
    for lang, says in (("en", "rules that nothing in them leads to"), ("ja", "その状況からは来られない規則")):
        assert says.replace(" ", "") in "".join(rulewright("coverage", "lamps", "--executed", "--lang", lang)[1].split())
    assert [p["executable"] for p in status(rulewright, "lamps", "--executed")["1.2"]["places"]] == [False]


def test_where_knows_the_scenarios_until_something_changes(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/scenarios/none.yaml", "book: lamps\nid: none\ntitle: {ja: 無, en: none}\nbegin: turn\n")
    assert "to find out: rulewright coverage lamps --executed" in rulewright("where", "lamps", "3.1")[1]
    rulewright("coverage", "lamps", "--executed")
    assert json.loads(rulewright("where", "lamps", "3.1", "--json")[1])["scenarios"] == ["none"]
    assert json.loads(rulewright("where", "lamps", "2.2", "--json")[1])["scenarios"] == []
    rules = lamps / "rules/turn.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
    assert json.loads(rulewright("where", "lamps", "3.1", "--json")[1])["scenarios"] is None


def test_questions_and_verdicts_are_noted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`@define` functions, and the clauses on endless loops, which only the check of a loop asks."""
    from rulewright.checks.register import executed

    book = open_book("hanayome")
    chosen = [p for p in executed.load_book("hanayome").scenarios if p.stem == "pass-only"]

    class One:
        scenarios = chosen

    monkeypatch.setattr(executed, "load_book", lambda _: One)
    found = run_scenarios("hanayome", 200)
    limit = next(p for p in book.places["7.5.3"] if p.rule == "limit_exceeded")
    assert found.executes(limit, "7.5.3") and found.scenarios["7.5.3"] == ["pass-only"]
    assert any(found.executes(p, "13.1.1.3") for p in book.places["13.1.1.3"])
    report = CoverageReport(book, statuses(book), answers_of(book), found)
    assert report.unexecuted and all(found.has_code(p, c) for c, p in report.unexecuted)


# ---------------------------------------------------------------- where
def test_all_that_is_known_of_a_clause(rulewright: Run) -> None:
    code, out, _ = rulewright("where", "hanayome", "7.5.3", "--lang", "ja")
    assert code == 0
    for part in ("モデル化済み", "種類: 手順", "end_phase: End-of-turn triggers", "model/games/hanayome/turn.py:",
                 "hand-limit: 手札に枚数上限はあるか。", "手札の枚数上限", "7.5.2  ", "HANA-7.5.3-JVXC（決め手）"):
        assert part in out, part
    data = json.loads(rulewright("where", "hanayome", "7.5.3", "--json")[1])
    assert {c["finding"] for c in data["cases"] if c["decisive"]} >= {"HANA-7.5.3-JVXC"}
    assert data["refers_to"] == ["7.5.2"] and "hand-limit" in [r["id"] for r in data["readings"]]


def test_marks_in_the_texts_of_cards_count(rulewright: Run) -> None:
    places = json.loads(rulewright("where", "hanayome", "5.8.1", "--json")[1])["places"]
    assert [p["function"] for p in places if p["file"] == "hanayome/cards.yaml"] == ["C-SWAPPER text"] or any(
        p["file"] == "hanayome/cards.yaml" and p["source"].startswith("exchange(") for p in places)


def test_a_clause_without_rules_and_one_that_does_not_exist(rulewright: Run, lamps: Path) -> None:
    assert "No rule carries the mark of 1.2." in rulewright("where", "lamps", "1.2")[1]
    assert "1.2 の印のある規則はありません。" in rulewright("where", "lamps", "1.2", "--lang", "ja")[1]
    code, out, err = rulewright("where", "lamps", "1.20")
    assert (code, out) == (2, "") and "did you mean 1.2?" in err


def test_a_place_that_names_a_clause_without_its_mark_is_told_and_one_with_its_mark_once(rulewright: Run, lamps: Path) -> None:
    rules = lamps / "rules/turn.py"
    assert json.loads(rulewright("where", "lamps", "2.2", "--json")[1])["named"] == []
    rules.write_text(rules.read_text(encoding="utf-8").replace('OPEN("2.2")', 'OPEN("1.2")'), encoding="utf-8")
    (one,) = json.loads(rulewright("where", "lamps", "1.2", "--json")[1])["named"]
    assert 'OPEN("1.2")' in one["source"]
    out = rulewright("where", "lamps", "1.2")[1]
    assert "Named without its mark" in out and 'OPEN("1.2")' in out and "名指す所" in rulewright("where", "lamps", "1.2", "--lang", "ja")[1]


# ---------------------------------------------------------------- books of one's own
def test_a_book_is_found_by_name_by_folder_and_through_books(
    rulewright: Run, lamps: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert rulewright("coverage", "spec/lamps")[0] == 1
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, _, err = rulewright("coverage", "lamps")
    assert code == 2 and "--books" in err
    code, out, _ = rulewright("coverage", "lamps", "--books", str(tmp_path / "spec"))
    assert code == 1 and "modelled 4" in out
    assert rulewright("check", "lamps", "--books", str(tmp_path / "none"))[0] == 2


def test_a_book_of_ones_own_is_checked_and_played_like_a_shipped_one(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/scenarios/none.yaml", "book: lamps\nid: none\ntitle: {ja: 無, en: none}\nbegin: turn\n")
    code, out, err = rulewright("check", "lamps")
    assert (code, err) == (0, "") and "Checked: 1." in out


@pytest.mark.parametrize(("file", "text", "code", "place"), [
    ("rules/turn.py", "x = = 1\n", "valid rule text", "turn.py:1:"),
    ("rules/turn.py", "class Game(State):\n    a: bool  #: 9.9\n", "no clause 9.9", "turn.py:2:"),
    ("clauses.yaml", "book: lamps\nedition: '1'\nclauses:\n  - {id: '1', kind: sort, ja: a, en: b}\n", "sort", "clauses.yaml:4:"),
    ("readings.yaml", "book: lamps\nreadings: {}\n", "list", "readings.yaml:2:"),
    ("terms.yaml", "terms:\n  - {id: a, ja: a, en: b, clause: '8'}\n", "no clause 8", "terms.yaml:2:"),
    ("clauses.hashes", "nonsense\n", "first line", "clauses.hashes:1:1"),
])
def test_a_broken_file_is_told_with_its_place(
    rulewright: Run, lamps: Path, file: str, text: str, code: str, place: str
) -> None:
    (lamps / file).write_text(text, encoding="utf-8")
    exit_code, out, err = rulewright("coverage", "lamps")
    assert (exit_code, out) == (2, "") and code in err and place in err
