"""Conflicts and gaps are found in all states at once, and not where a clause or a reading ranks."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import pytest
import z3

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Certainty, CheckResult, Given
from rulewright.checks.runs.exporting import export_questions
from rulewright.checks.smt.queries import asking
from rulewright.checks.smt.queries.conflicts_and_gaps import ask, prepared

from .standard import about_clauses, standard

PATIENCE = 60.0
"""Seconds for one question: a busy machine may take several times as long as a quiet one."""


@lru_cache
def asked(book: str, *readings: tuple[str, str]) -> CheckResult:
    return ask(book, readings=dict(readings), seconds=PATIENCE)


def found(book: str, readings: Mapping[str, str] | None = None) -> set[tuple[str, frozenset[str]]]:
    result = asked(book, *(readings or {}).items())
    assert not result.bounds.notes  # each question is answered
    return {(f.cls.value, frozenset(f.clauses)) for f in result.findings}


def one(cls: str, *clauses: str) -> tuple[str, frozenset[str]]:
    return cls, frozenset(clauses)


WIN_AND_LOSS = one("conflict", "11.2.1", "11.3.1")
AT_ONCE = one("conflict", "1.2.1.1", "1.2.1.2")
CASTLE_BONUS = one("conflict", "102.3", "103.2")
LIFE_DECKS = one("conflict", "勝利条件・2", "ライフ・デッキ第3段落")
EXPECTED = {
    "hanayome": {
        WIN_AND_LOSS, AT_ONCE, one("gap", "6.2.1.1"),  # a game deck that is not legal
        one("gap", "10.9.1.6")},  # effects that depend on each other
    "harem_master": {
        one("gap", "102.1"), one("gap", "102.2"), one("conflict", "102.1", "102.2"), CASTLE_BONUS,
        one("conflict", "102.1", "102.3", "103.2"), one("conflict", "102.2", "102.3", "103.2")},
    "sakura": {one("gap", "4-2.1")},
    "ts_fight": {
        one("conflict", "第1章2"), one("gap", "第1章2"),
        one("gap", "第3章3"), one("gap", "第3章4.2")},  # while a procedure is under way
    "shinso": {LIFE_DECKS, one("gap", "指定ステップ第6段落"), one("gap", "終了ステップ第2段落"), one("gap", "山札が0枚になった場合")},
}


BOOKS = [pytest.param(book, marks=[pytest.mark.slow] if book == "hanayome" else []) for book in EXPECTED]


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_found_without_a_scenario(book: str) -> None:
    assert found(book) == EXPECTED[book]
    for f in asked(book).findings:
        assert f.certainty is Certainty.CONSTRUCTIBLE and f.position is not None and f.severity is not None


@pytest.mark.parametrize("book", [book for book in EXPECTED if book != "hanayome"])
def test_every_place_that_was_not_asked_is_named(book: str, frozen: Callable[[str, str], None]) -> None:
    """Those of hanayome depend on how quick the machine is. In which line each is changes with every line before it."""
    bounds = asked(book).bounds
    frozen(f"not-asked-{book}.txt", "".join(f"{x.question} {x.rule} {' '.join(x.clauses)} ({x.where.rpartition(':')[0]}): {x.reason.value}\n" for x in bounds.not_asked))
    assert bounds.complete is not bool(bounds.not_asked)


def test_what_the_answers_rest_on_is_said() -> None:
    said = {a.kind: a for a in asked("sakura").bounds.assumptions}
    assert said[Given.CARDS].values == ("12",) and said[Given.ENTRIES].values == ("3",) and said[Given.READINGS].values == ("any",)
    assert "no crystal is lost or made" in [x.en for x in said[Given.CONDITIONS].what]
    assert Given.FIELDS not in said  # the number of crystals, which no rule writes and scenarios set, may be any


@pytest.mark.parametrize(("book", "reading", "gone"), [
    pytest.param("hanayome", ("rule-processing-verdict", "loss"), WIN_AND_LOSS, marks=pytest.mark.slow),
    pytest.param("hanayome", ("bride-win-time", "at-check"), AT_ONCE, marks=pytest.mark.slow),
    ("harem_master", ("golden-rules", "prevail"), CASTLE_BONUS),
    ("sakura", ("both-at-zero", "draw"), one("gap", "4-2.1")),
    ("shinso", ("both-run-out", "draw"), LIFE_DECKS),
])
def test_not_found_where_a_reading_ranks(book: str, reading: tuple[str, str], gone: tuple[str, frozenset[str]]) -> None:
    assert gone in EXPECTED[book]
    assert gone not in found(book, dict([reading]))


@pytest.mark.slow
def test_the_reading_that_a_finding_needs_is_said() -> None:
    needed = {frozenset(f.clauses): dict(f.readings) for f in asked("hanayome").findings}
    assert needed[WIN_AND_LOSS[1]] == {"rule-processing-verdict": "undecided"}
    assert needed[AT_ONCE[1]] == {"bride-win-time": "at-once", "deck-out-while-drawing": "at-once"}


def test_the_smallest_position_of_the_castle_bonus_has_no_card_that_scores() -> None:
    (bonus,) = (f for f in asked("harem_master").findings if set(f.clauses) == CASTLE_BONUS[1])
    assert bonus.position is not None and bonus.position.en == "the first player: last card of the castle taken by: the second player"


@pytest.mark.slow
def test_a_defect_is_the_same_finding_as_in_a_scenario() -> None:
    """hanayome/bride-and-empty-deck finds it by play."""
    assert "HANA-11.2.1-5CH4" in {f.id for f in asked("hanayome").findings}


def test_a_gap_of_a_procedure_under_way_is_asked_for_and_replayed() -> None:
    """The attacker is no longer in the TS state when the attack is applied: ts_fight, in no position of its own but while `strike` is
    under way. Under the reading that says what happens there is none."""
    (gap,) = (f for f in asked("ts_fight").findings if f.clauses == ("第3章4.2",))
    assert gap.certainty is Certainty.CONSTRUCTIBLE and gap.play.stem and gap.id == "TF-第3章4.2-2WQ4"
    told = ("deck-runs-out", "as-many-as-there-are")
    assert one("gap", "第3章3") in found("ts_fight") and one("gap", "第3章3") not in found("ts_fight", dict([told]))


def test_sums_are_asked_in_integers_with_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = [x.said for x in about_clauses("sakura")]
    monkeypatch.setattr(asking, "FIRST", 0.0)
    monkeypatch.setattr(asking.Asker, "in_plain_states", lambda *_: None)
    assert [x.said for x in about_clauses("sakura")] == bits


@pytest.mark.parametrize("book", BOOKS)
def test_the_standard_questions_and_their_answers(book: str, frozen: Callable[[str, str], None]) -> None:
    """The published list: none is unknown."""
    rows = [f"{x.name}: {x.said}" for x in standard(book, PATIENCE)]
    assert not [row for row in rows if "unknown" in row]
    frozen(f"questions-{book}.txt", "\n".join(rows) + "\n")


@pytest.mark.slow
def test_a_question_that_is_too_large_is_asked_of_the_plainest_states_first() -> None:
    """hanayome's layers at every time: with every number as at first there is a state, and the whole question
    holds of it."""
    asking_ = next(prepared("hanayome", ["gaps"], seconds=PATIENCE))
    (key,) = (key for key in asking_.questions if "10.9.1.6" in key)
    found_ = asking_.asker.possible(asking_.condition(key))
    assert found_.model is not None and found_.plain
    whole = asking_.query(key).conditions
    assert all(z3.is_true(found_.model.eval(c, model_completion=True)) for c in whole)


def test_what_a_play_from_preparation_comes_to_really_happens() -> None:
    (found_,) = ask("shinso", ["conflicts"], states=3_000).findings
    assert found_.certainty is Certainty.FROM_SETUP and found_.scenario != "any-position" and len(found_.play.stem) > 1


def test_where_no_play_was_found_it_is_said_how_far_was_looked() -> None:
    (found_,) = ask("ts_fight", ["conflicts"], states=50).findings
    assert found_.certainty is Certainty.CONSTRUCTIBLE
    assert "each up to 50 positions" in found_.bounds.notes[-1].en


def test_a_question_without_an_answer_in_time_is_unknown() -> None:
    result = ask("hanayome", ["conflicts"], seconds=0.001)
    assert not result.bounds.complete and not result.findings
    assert any("not decided" in note.en for note in result.bounds.notes)


def test_exported_questions_have_the_same_answers(tmp_path: Path) -> None:
    answers = [x.said for x in about_clauses("sakura")]
    said: list[str] = []
    for file in export_questions("sakura", {}, tmp_path)[:len(answers)]:  # norms, loops and orders come after them
        solver = z3.Solver()
        solver.from_file(str(file))
        said.append("found" if solver.check() == z3.sat else "none")
    assert said == answers and set(said) == {"found", "none"}


@pytest.mark.parametrize(("arguments", "code"), [
    (["check", "sakura", "--only", "conflicts,gaps"], 1),
    (["check", "sakura", "--only", "conflicts,gaps", "-r", "both-at-zero=draw"], 0),
    (["check", "sakura", "--only", "conflict"], 2),
    (["check", "sakura/oath", "--only", "conflicts"], 2),
    (["check", "sakura", "--only", "gaps", "--try", "all"], 2),
    (["check", "sakura", "--second-opinion"], 2),
    (["check", "sakura", "--only", "gaps", "-r", "both-at-zero=drawn"], 2),
    (["export", "sakura/no-such-thing", "--to", "smt2"], 2),
])
def test_the_command_line(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--lang", "en"]) == code
    shown = capsys.readouterr()
    assert (code == 2) == bool(shown.err) and "Traceback" not in shown.err
