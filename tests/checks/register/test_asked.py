"""The answers of a book to what its text leaves open: what they name has to be there, and what has no answer is counted."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.checks.questions.answers import Kind
from rulewright.checks.register.asked import answers_of
from rulewright.checks.register.books import open_book
from rulewright.model.engine.library import book_names

from ...texts import ABSENT, TEXTS
from .conftest import Run
from .helpers import DRAFT, write

ANSWERS = """\
answers:
  hand-limit@2.3: {reading: too-many}
  limit-then-what@2.2: {by: 2.3}
  who-chooses@2.2: {rule: turn}
  seen-by-whom@2.1-drawn: {because: {ja: 見ても変わらない, en: nothing changes}}
  deck-empty@3.1: {open: {ja: 同時の場合, en: both at once}}
"""
SHIPPED = {"hanayome": "000", "shinso": "004", "harem_master": "001", "sakura": "002", "ts_fight": "003"}


def test_coverage_counts_the_answers_and_what_has_none(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/questions.yaml", ANSWERS)
    code, out, _ = rulewright("coverage", "lamps")
    assert code == 1 and "clause 1" in out and "open 1" in out and "deck-empty@3.1: both at once" in out
    assert "a clause of the book answers it" in out and "another clause" not in out, "it may be the clause itself"
    told = json.loads(rulewright("coverage", "lamps", "--json")[1])["questions"]
    assert told["counts"] == {"by": 1, "reading": 1, "rule": 1, "because": 1, "open": 1}
    assert (told["unanswered"], told["unasked"], told["stale"]) == (1, None, [])
    assert "deck-empty@3.1: 同時の場合" in rulewright("coverage", "lamps", "--lang", "ja")[1]


def test_what_is_open_in_a_clause_without_rules_does_not_count_yet(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/questions.yaml", ANSWERS + "  first-player@1.2: {open: {ja: 決め方, en: how}}\n")
    told = json.loads(rulewright("coverage", "lamps", "--json")[1])["questions"]
    assert (told["unanswered"], told["not_modelled"], told["counts"]["open"]) == (1, ["first-player@1.2"], 2)
    assert "of clauses not modelled 1" in rulewright("coverage", "lamps")[1]


def test_a_book_without_answers_is_told_how_to_ask(rulewright: Run, lamps: Path) -> None:
    assert "rulewright questions DRAFT --book lamps" in rulewright("coverage", "lamps")[1]


def test_what_a_draft_asks_and_nobody_answered_is_counted(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/questions.yaml", ANSWERS.replace("deck-empty@3.1: {open:", "deck-empty@3.1: {because:"))
    write("next.md", DRAFT + "3.2. 敗北したプレイヤーは、手札の半分を捨てます。\n")
    told = json.loads(rulewright("coverage", "lamps", "--draft", "draft.md", "--json")[1])["questions"]
    before = told["unanswered"]
    told = json.loads(rulewright("coverage", "lamps", "--draft", "next.md", "--json")[1])["questions"]
    assert told["unanswered"] == before + 1 and [one for one in told["unasked"] if one.startswith("rounding@3.2-")]


def test_what_is_answered_as_open_without_a_mark_is_not_also_told_to_have_no_answer(rulewright: Run, lamps: Path) -> None:
    unasked = json.loads(rulewright("coverage", "lamps", "--draft", "draft.md", "--json")[1])["questions"]["unasked"]
    assert unasked
    for told in ("open", "because"):
        write("spec/lamps/questions.yaml", "answers:\n" + "".join(f"  {one.rpartition('-')[0]}: {{{told}: so}}\n" for one in unasked))
        found = json.loads(rulewright("coverage", "lamps", "--draft", "draft.md", "--json")[1])["questions"]
        assert (found["unasked"], found["counts"][told]) == ([], len(unasked))


def test_answers_of_a_book_are_kept_beside_it_and_looked_at(rulewright: Run, lamps: Path) -> None:
    write("half.md", DRAFT + "3.2. 敗北したプレイヤーは、手札の半分を捨てます。\n")
    rulewright("register", "--update", "half.md", "--book", "lamps", "--accept")
    for wrong, near in (("too-mny", "too-many"), ("trun", "turn")):
        option = "--reading" if wrong == "too-mny" else "--rule"
        code, _, err = rulewright("questions", "half.md", "--book", "lamps", "--answer", "rounding@3.2", option, wrong)
        assert code == 2 and wrong in err and near in err
    code, _, _ = rulewright("questions", "half.md", "--book", "lamps", "--answer", "rounding@3.2", "--rule", "turn")
    assert code == 0 and "rounding@3.2" in (lamps / "questions.yaml").read_text(encoding="utf-8")
    assert "rounding" not in rulewright("questions", "half.md", "--book", "lamps")[1]


@pytest.mark.parametrize(("old", "new", "said"), [
    ("by: 2.3", "by: 2.31", ("there is no clause '2.31'", "2.3")),
    ("reading: too-many", "reading: to-many", ("the book has no reading 'to-many'", "did you mean `too-many`?")),
    ("rule: turn", "rule: turns", ("the book has no rule 'turns'", "did you mean `turn`?")),
    ("hand-limit@2.3", "hand-limits@2.3", ("there is no family of questions 'hand-limits'", "did you mean `hand-limit`?")),
    ("who-chooses@2.2", "who-chooses@2.22", ("the book has no clause 2.22", "did you mean `2.2`?")),
    ("who-chooses@2.2", "who-chooses", ("'who-chooses' is no id of a question", "FAMILY@CLAUSE")),
    ("{by: 2.3}", "{bye: 2.3}", ("bye", "`by`")),
])
def test_what_is_named_and_not_there_is_told_with_its_place_and_the_nearest(
    rulewright: Run, lamps: Path, old: str, new: str, said: tuple[str, str]
) -> None:
    write("spec/lamps/questions.yaml", ANSWERS.replace(old, new))
    code, out, err = rulewright("coverage", "lamps")
    line = next(k for k, text in enumerate(ANSWERS.splitlines(), 1) if old in text)
    assert (code, out) == (2, "") and f"questions.yaml:{line}:" in err
    assert all(one in err for one in said)


def test_all_mistakes_are_told_at_once(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/questions.yaml", ANSWERS.replace("by: 2.3", "by: 2.31").replace("rule: turn", "rule: turns"))
    err = rulewright("coverage", "lamps")[2]
    assert "'2.31'" in err and "'turns'" in err


def test_answers_follow_a_renumbering(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/questions.yaml", ANSWERS)
    write("next.md", DRAFT.replace("2. ターン\n", "2. ターン\n2.0. 番は交互に来ます。\n").replace("2.3.", "2.5.").replace("2.2.", "2.4.", 1))
    code, _, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert code == 0, err
    text = (lamps / "questions.yaml").read_text(encoding="utf-8")
    assert "hand-limit@2.5: {reading: too-many}" in text and "limit-then-what@2.4: {by: 2.5}" in text and "seen-by-whom@2.1-drawn" in text


# ---------------------------------------------------------------- the shipped books
@pytest.mark.parametrize("book", book_names())
def test_no_question_about_what_is_modelled_is_without_an_answer(book: str) -> None:
    found = answers_of(open_book(book))
    assert found.unanswered == 0 and len(found.answers) > 20
    assert len(found.later) == len(found.open) == {"sakura": 6, "ts_fight": 5}.get(book, 0)


@pytest.mark.parametrize("book", book_names())
def test_every_reading_answers_a_question(book: str) -> None:
    files = open_book(book)
    named = {one.said.en for one in answers_of(files).answers.values() if one.kind is Kind.READING}
    assert {one.id.value for one in files.readings} == named


@pytest.mark.parametrize("book", SHIPPED)
def test_every_question_that_a_text_raises_has_an_entry(book: str) -> None:
    texts = sorted(TEXTS.glob(f"{SHIPPED[book]}_*.txt"))
    if not texts:
        pytest.skip(ABSENT)
    found = answers_of(open_book(book), texts[0])
    assert (found.unasked, found.stale) == ((), ())
