"""`rulewright questions` as a user meets it: what is printed, exit codes, answers that are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.questions.catalogue import BY_ID

OPEN = "1. 番\n1.1. 手札の半分を捨てます。\n1.2. 相手は手札を2枚捨てます。\n1.3. 相手は札を3枚選びます。\n1.4. 札を並べます。\n"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text(OPEN, encoding="utf-8")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["questions", "--lang", "en", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def ids(out: str) -> list[str]:
    return [one["id"].rpartition("-")[0] for one in json.loads(out)["questions"]]


def test_open_questions_give_1_and_none_0(run: Run) -> None:
    code, out, _ = run("draft.md")
    assert code == 1
    assert "fewer-there@1.2" in out and "The same in 1 more: 1.3" in out and "In other books:" in out
    assert "“手札の半分を捨てます”: is it rounded up or down?" in out
    Path("clear.md").write_text("1. 番\n1.1. 札を並べます。\n", encoding="utf-8")
    code, out, _ = run("clear.md")
    assert code == 0
    assert "open questions 0" in out and "does not mean that nothing is open" in " ".join(out.split())


@pytest.mark.parametrize(("lang", "says"), [
    ("en", "places answered by clauses of the draft 1, by kept answers 2"), ("ja", "草案の条文が答えているもの 1 か所、答えを保存済み 2 か所")])
def test_what_is_answered_is_counted_in_places_and_not_called_another_clause_where_it_is_the_same(run: Run, lang: str, says: str) -> None:
    Path("draft.md").write_text(OPEN + "1.5. 手札の上限は7枚です。超えた場合、番の終わりに7枚になるまで捨てます。\n", encoding="utf-8")
    run("draft.md", "--answer", "fewer-there@1.2", "--by", "1.4")
    _, out, _ = run("draft.md", "--answered", "--lang", lang)
    blank = "" if lang == "ja" else " "
    assert says.replace(" ", blank) in blank.join(out.split()) and "1.5" in out.partition("Not asked" if lang == "en" else "尋ねなかったもの")[2]
    assert "other clauses" not in out and "別の条文" not in out


def test_only_other_places_of_a_question_are_called_the_same(run: Run) -> None:
    """What two clauses raise together is raised in one place; a second pair is another place."""
    pair = "1. 番\n1.1. 札を破壊する時、得点を得ます。\n1.2. 札を破壊した時、得点を得ます。\n"
    Path("draft.md").write_text(pair, encoding="utf-8")
    code, out, _ = run("draft.md", "--only", "when-and-after")
    assert code == 1 and "(places 1)" in out and "that of 1.1?" in out and "The same in" not in out
    assert json.loads(run("draft.md", "--only", "when-and-after", "--json")[1])["questions"][0]["clauses"] == ["1.2", "1.1"]
    Path("draft.md").write_text("1. 番\n1.1. 手札を2枚捨てます。\n1.2. 手札を3枚捨てます。\n", encoding="utf-8")
    assert "The same in 1 more: 1.2" in run("draft.md", "--only", "fewer-there")[1]


def test_what_is_proposed_to_be_typed_is_about_the_same_answers(run: Run) -> None:
    Path("mine.yaml").write_text("answers:\n  rounding@1.1: {because: hands are even}\n", encoding="utf-8")
    out = run("draft.md", "--answers", "mine.yaml")[1]
    assert "rulewright questions draft.md --answers mine.yaml --answer fewer-there@1.2" in out
    assert "rulewright questions draft.md --answer" in run("draft.md")[1]


def test_questions_are_in_the_language_asked_for(run: Run) -> None:
    code, out, _ = run("draft.md", "--lang", "ja")
    assert code == 1 and "割り切れないときは" in out and "is it rounded" not in out


def test_an_answer_is_given_once_and_kept(run: Run) -> None:
    code, out, _ = run("draft.md", "--answer", "fewer-there@1.3", "--by", "1.4")
    assert code == 0 and "questions.yaml" in out and "places 2" in out
    code, out, _ = run("draft.md", "--json")
    assert code == 1 and ids(out) == ["rounding@1.1"]
    assert {(one["kind"], one["answer"]["en"]) for one in json.loads(out)["answered"]} == {("by", "1.4")}
    run("draft.md", "--answer", "rounding@1.1", "--because", "hands are even: 2, 4 or 6")
    assert run("draft.md")[0] == 0
    assert "no matter, because hands are even: 2, 4 or 6" in run("draft.md", "--answered")[1]


def test_an_answer_outlives_other_edits_and_ends_with_its_clause_or_its_phrase(run: Run) -> None:
    run("draft.md", "--answer", "fewer-there@1.2", "--by", "1.4")
    Path("draft.md").write_text("はじめに。\n\n" + OPEN.replace("並べます", "一列に並べます"), encoding="utf-8")
    assert ids(run("draft.md", "--json")[1]) == ["rounding@1.1"]
    Path("draft.md").write_text(OPEN.replace("1.4. 札を並べます。\n", ""), encoding="utf-8")
    _, out, _ = run("draft.md", "--json")
    assert ids(out) == ["fewer-there@1.2", "rounding@1.1"] and len(json.loads(out)["stale"]) == 2
    Path("draft.md").write_text(OPEN.replace("2枚", "5枚"), encoding="utf-8")
    found = json.loads(run("draft.md", "--json")[1])
    assert [one["clauses"] for one in found["questions"] if one["family"] == "fewer-there"] == [["1.2"]]


def test_a_new_clause_with_the_same_question_is_asked_about(run: Run) -> None:
    run("draft.md", "--answer", "fewer-there@1.2", "--by", "1.4")
    Path("draft.md").write_text(OPEN + "1.5. 相手は手札を4枚捨てます。\n", encoding="utf-8")
    found = json.loads(run("draft.md", "--only", "fewer-there", "--json")[1])
    assert [one["clauses"] for one in found["questions"]] == [["1.5"]]


def test_what_is_answered_as_open_is_still_asked(run: Run) -> None:
    code, _, _ = run("draft.md", "--answer", "rounding@1.1", "--open", "not decided in May")
    assert code == 0 and "open:" in Path("questions.yaml").read_text(encoding="utf-8")
    assert ids(run("draft.md", "--json")[1]) == ["fewer-there@1.2", "rounding@1.1"]
    assert json.loads(run("draft.md", "--json")[1])["stale"] == []


def test_what_is_answered_as_open_is_told_where_its_like_is_not_sure(run: Run) -> None:
    Path("draft.md").write_text("# 番\n\n手札の半分を捨てます。\n\n# 終わり\n\n得点の半分を失います。\n", encoding="utf-8")
    assert json.loads(run("draft.md", "--json")[1])["questions"] == [], "prose is not sure"
    place = ids(run("draft.md", "--all", "--json")[1])[0]
    run("draft.md", "--answer", place, "--because", "hands are even")
    assert json.loads(run("draft.md", "--json")[1])["questions"] == []
    Path("questions.yaml").unlink()
    run("draft.md", "--answer", place, "--open", "not decided in May")
    assert place in ids(run("draft.md", "--json")[1])


def test_an_answer_without_a_mark_is_for_the_family_in_that_clause_whatever_the_phrase(run: Run) -> None:
    Path("questions.yaml").write_text("answers:\n  rounding@1.1: {because: hands are even}\n  who-chooses@1.3-cards: {by: 1.4}\n  who-chooses@9.9: {by: 1.4}\n", encoding="utf-8")
    found = json.loads(run("draft.md", "--json")[1])
    assert [one["family"] for one in found["questions"]] == ["fewer-there"]
    assert found["stale"] == ["who-chooses@9.9"], "what a person asked fits as long as its clause is there"


def test_what_people_wrote_in_the_file_stays(run: Run) -> None:
    Path("mine.yaml").write_text("# ours\nanswers:\n  # settled in May\n  rounding@9-AAAA: {because: no}\n", encoding="utf-8")
    code, out, _ = run("draft.md", "--answers", "mine.yaml", "--answer", "rounding@1.1", "--by", "1.4")
    assert code == 0 and "mine.yaml" in out
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert text.startswith("# ours\nanswers:\n  # settled in May\n  rounding@9-AAAA: {because: no}\n") and "by: 1.4" in text
    assert "rounding@9-AAAA: a kept answer that does not fit" in run("draft.md", "--answers", "mine.yaml")[1]


def test_only_the_families_that_are_named_are_asked(run: Run) -> None:
    assert ids(run("draft.md", "--only", "rounding,deck-empty", "--json")[1]) == ["rounding@1.1"]


def test_what_is_not_sure_is_counted_and_shown_if_all_is_asked_for_or_the_family_is_named(run: Run) -> None:
    Path("prose.md").write_text("# 番\n\n手札の半分を捨てます。\n\n相手は手札を2枚捨てます。\n", encoding="utf-8")
    code, out, _ = run("prose.md")
    assert code == 0 and "open questions 0" in out and "2 more questions" in out and "questions prose.md --all" in " ".join(out.split())
    found = json.loads(run("prose.md", "--json")[1])
    assert (found["questions"], found["unsure"]) == ([], 2)
    for arguments, families in ((("--all",), ["rounding", "fewer-there"]), (("--only", "rounding"), ["rounding"])):
        code, out, _ = run("prose.md", "--json", *arguments)
        assert code == 1 and json.loads(out)["unsure"] == 0
        assert sorted(one["family"] for one in json.loads(out)["questions"]) == sorted(families)


@pytest.mark.parametrize(("arguments", "said"), [
    (("draft.md", "--only", "roundng"), "rounding"),
    (("--explain", "roundng"), "rounding"),
    ((), "rulewright questions draft.md"),
    (("none.md",), "none.md"),
    (("draft.md", "--answer", "rounding@1.1"), "--by CLAUSE"),
    (("draft.md", "--answer", "rounding@1.1", "--by", "1.4", "--because", "x"), "--by CLAUSE"),
    (("draft.md", "--answer", "rounding@1.1", "--by", "7.7"), "no clause '7.7'"),
    (("draft.md", "--answer", "rounding@1.2", "--by", "1.4"), "rounding@1.1"),
    (("draft.md", "--by", "1.4"), "--answer"),
    (("draft.md", "--open", "x"), "--answer"),
    (("draft.md", "--answer", "rounding@1.1", "--reading", "hand-limit"), "--book BOOK"),
    (("draft.md", "--answer", "rounding@1.1", "--open", " "), "--open"),
    (("draft.md", "--book", "hanayom"), "hanayome"),
    (("draft.md", "--answers", "none.yaml"), "none.yaml"),
    (("draft.md", "--answers", "bad.yaml"), "bad.yaml:2"),
])
def test_what_cannot_be_used_is_refused_with_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    Path("bad.yaml").write_text("answers:\n  rounding@1.1-AAAA: {reason: x}\n", encoding="utf-8")
    code, out, err = run(*arguments)
    assert code == 2 and out == ""
    assert said in err


def test_a_draft_in_which_nothing_was_recognised_is_not_called_clear(run: Run) -> None:
    Path("prose.txt").write_text("手札の半分を捨てます。\n", encoding="utf-8")
    code, _, err = run("prose.txt")
    assert code == 2 and "no clause numbers" in err


def test_a_family_is_explained(run: Run) -> None:
    code, out, _ = run("--explain", "rounding")
    assert code == 0 and "fractions" in out and "Discard half of your hand, rounded up." in out
    code, out, _ = run("--explain", "rounding", "--json")
    assert json.loads(out)["family"]["usual"]["en"] == BY_ID["rounding"].usual.en
