"""The first page about a book: each defect once, what was examined and what was not, and never more lines than a page has."""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from rulewright.checks.cli import main
from rulewright.checks.commands.output import show_results
from rulewright.checks.console.terminal import Terminal
from rulewright.checks.findings import words
from rulewright.checks.findings.cut_off import CUTS, DIVIDED, nothing_found
from rulewright.checks.findings.first_page import LINES, QUESTIONS, first_page, page_lines
from rulewright.checks.findings.formats import markdown
from rulewright.checks.findings.layout import layout
from rulewright.checks.findings.names import NO_NAMES, NoNames
from rulewright.checks.findings.overview import closing_page
from rulewright.checks.findings.record import (
    Assumption,
    Bounds,
    CheckResult,
    Decided,
    Decision,
    Examined,
    Finding,
    FindingClass,
    Given,
    Severity,
    WhoCanStop,
)
from rulewright.checks.findings.summary import summaries, summary
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case
from rulewright.spec.text import Lang, Text

from ..render import as_text
from .json_schema import output_schema
from .samples import ORDER, PASS_ONLY, RESULT
from .schema import violations

FEW = [f"harem_master/{name}" for name in ("both-castles-fall", "both-harems-filled", "fight-by-luck", "two-responses", "mood-swings")]
LOOKED = (Examined(Text.same("a"), 4, "loops"), Examined(Text.same("b"), 0, "order"), Examined(Text.same("c"), 0, ""))


def found(*findings: Finding, scenario: str = "one", **more: Any) -> CheckResult:
    """A run that found these."""
    return replace(RESULT, scenario=scenario, findings=tuple(replace(f, scenario=scenario) for f in findings), unexpected=(), **more)


def page(*results: CheckResult, lang: Lang = "en", names: NoNames = NO_NAMES, width: int = 100) -> str:
    """The page about these."""
    (one,) = summaries(results, names)
    return as_text(page_lines(one, lang, "mine", width))


# ---------------------------------------------------------------- a page as it is
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_page_of_a_small_book_reads_as_agreed(
    lang: Literal["ja", "en"], capsys: pytest.CaptureFixture[str], frozen: Callable[[str, str], None], cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    assert main(["check", *FEW, "--lang", lang]) == 1
    frozen(f"first-page.{lang}.txt", capsys.readouterr().out)
    main(["check", *FEW, "--lang", lang, "--format", "markdown"])
    frozen(f"first-page.{lang}.md", capsys.readouterr().out)


def test_the_page_is_in_the_data_with_the_results(capsys: pytest.CaptureFixture[str], cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    main(["check", *FEW, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert [*violations(data, output_schema())] == []
    (book,) = data["summary"]
    assert book["scenarios"] == len(FEW) and book["runs"] == len(data["results"]) > len(FEW)
    assert book["positions"] == sum(result["bounds"]["states"] for result in data["results"])
    told = {f["id"] for result in data["results"] for f in result["findings"] if not f["hint"]}
    assert {one for defect in (*book["defects"], *book["questions"]) for one in defect["findings"]} == told
    clash = next(d for d in book["defects"] if d["clauses"] == ["102.3", "103.2"])
    assert len(clash["scenarios"]) > 1 and clash["scenario"] in clash["scenarios"]


def test_it_begins_what_is_told_in_full_or_of_each_scenario_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "check", lambda *_: [RESULT])
    main(["check", *FEW[:2], "--lang", "en"])
    alone = capsys.readouterr().out
    for more in ("--scenarios", "--full"):
        main(["check", *FEW[:2], "--lang", "en", more])
        out = capsys.readouterr().out
        assert out.startswith(alone) and "Checked: 2." in out[len(alone):]
    main(["check", FEW[0], "--lang", "en"])
    assert words.NEXT.en not in capsys.readouterr().out, "one scenario is told as before"


# ---------------------------------------------------------------- each defect once
def test_what_is_proposed_to_be_read_is_the_first_on_the_page_and_not_called_the_gravest() -> None:
    """A graver one that is found only under other readings stands behind it."""
    class Default(NoNames):
        def default(self, book: str, reading: str, /) -> str:
            return "none"

    lesser, graver = replace(PASS_ONLY, id="HANA-8.1-AAAA", clauses=("8.1",), severity=Severity.B, readings={}), replace(PASS_ONLY, severity=Severity.S, readings={"hand-limit": "exists"})
    text = page(found(graver, lesser), names=Default())
    assert "explain HANA-8.1-AAAA" in text and "# read the first that is not decided" in text and "gravest:" not in text
    assert text.index("B AAAA") < text.index(words.DEFECTS_ELSEWHERE.en) < text.index(f" {PASS_ONLY.id[-4:]} ")


@pytest.mark.parametrize(("lang", "legend"), [("en", "(by default readings, the gravest, the smallest, in this order)"), ("ja", "（既定の解釈、重さ、小ささの順に選ぶ）")])
def test_the_scenario_that_is_named_is_not_called_the_smallest_where_a_larger_one_shows_a_graver_form(lang: Lang, legend: str) -> None:
    large, small = (replace(PASS_ONLY, bounds=Bounds(True, states, 1, 1), severity=grave) for states, grave in ((500, Severity.A), (20, Severity.B)))
    said = "".join(page(found(large, scenario="large"), found(small, scenario="small"), lang=lang).split())
    assert legend.replace(" ", "") in said and "large+1" in said


def test_a_defect_that_two_scenarios_show_is_told_once_with_the_smaller_one() -> None:
    large, small = (replace(PASS_ONLY, bounds=Bounds(True, states, 1, 1)) for states in (500, 20))
    (defect,) = summary([found(large, scenario="large"), found(small, scenario="small")], NO_NAMES).defects
    assert (defect.scenario, defect.positions, defect.scenarios) == ("small", 20, ("large", "small"))
    assert page(found(large, scenario="large"), found(small, scenario="small")).count(PASS_ONLY.title.en) == 1


@pytest.mark.parametrize("other", [
    {"cls": FindingClass.REPEATS}, {"clauses": ("8.1",)}, {"scope": Text("メインフェイズ", "the main phase")}], ids=str)
def test_what_is_of_another_class_or_clause_or_happens_elsewhere_is_another_defect(other: dict[str, Any]) -> None:
    assert len(summary([found(PASS_ONLY), found(replace(PASS_ONLY, **other))], NO_NAMES).defects) == 2


def test_loops_of_a_clause_in_the_same_part_of_play_are_one_defect_told_by_the_one_that_nobody_can_stop() -> None:
    may = replace(PASS_ONLY, id="HANA-7.5.3-AAAA", title=Text("続けられる", "it can be kept going"), keepers=WhoCanStop.ONE, bounds=Bounds(True, 1, 1, 1))
    (defect,) = summary([found(may), found(PASS_ONLY)], NO_NAMES).defects
    assert defect.id == PASS_ONLY.id and len(defect.findings) == 2 and "Other forms: 1." in page(found(may), found(PASS_ONLY))


def test_a_form_that_is_decided_leaves_the_others_to_be_decided() -> None:
    ruled = replace(PASS_ONLY, id="HANA-7.5.3-AAAA", decision=Decision(Decided.RULED))
    text = page(found(ruled), found(PASS_ONLY))
    assert "(not decided: 1; decided or known: 0)" in text and "Other forms: 1 (of these decided or known: 1)." in " ".join(text.split())
    assert "(not decided: 0; decided or known: 1)" in page(found(ruled))


def test_clauses_that_disagree_are_one_defect_whomever_it_strikes() -> None:
    clash = replace(ORDER, cls=FindingClass.CONFLICT, clauses=("1.1", "1.2"), hint=False)
    other = replace(clash, id="HANA-1.1-AAAA", title=Text("後攻", "the second player"))
    third = replace(clash, id="HANA-1.1-CCCC", clauses=("1.1", "1.3"))
    assert [len(d.findings) for d in summary([found(clash, other, third)], NO_NAMES).defects] == [2, 1]


class Default(NoNames):
    """A book of which one answer is the default."""

    def default(self, book: str, reading: str, /) -> str | None:
        return "yes"


def test_the_gravest_lead_and_what_is_decided_or_not_by_default_does_not() -> None:
    def one(clause: str, severity: Severity, **more: Any) -> Finding:
        return replace(PASS_ONLY, id=f"X-{clause}-AAA{clause[0]}", clauses=(clause,), severity=severity, readings={}, **more)

    results = [found(
        one("5.1", Severity.S, decision=Decision(Decided.INTENDED, reason="as meant")), one("4.1", Severity.S), one("3.1", Severity.B),
        one("2.1", Severity.A), replace(one("1.1", Severity.S), readings={"reading": "no"}))]
    assert [d.clauses for d in summary(results, Default()).defects] == [("4.1",), ("2.1",), ("3.1",), ("1.1",), ("5.1",)]
    text = page(*results, names=Default())
    assert "(not decided: 4; decided or known: 1)" in text
    assert text.index("AAA3") < text.index(words.DEFECTS_ELSEWHERE.en) < text.index("AAA1") < text.index(words.DEFECTS_DECIDED.en) < text.index("AAA5")
    assert "decided: intended, because as meant" in text
    assert "rulewright explain X-4.1-AAA4" in text


# ---------------------------------------------------------------- what was examined
def test_what_had_nothing_to_look_at_anywhere_was_not_examined() -> None:
    empty, full = found(examined=LOOKED), found(examined=(Examined(Text.same("b"), 2, "order"),))
    assert "Not examined: orders (0 places)" in page(empty)
    assert "(0 places)" not in page(empty, full)
    assert summary([empty], NO_NAMES).not_examined == ("order",)


def test_questions_with_nothing_to_ask_about_find_nothing_and_say_so() -> None:
    given = (Assumption(Given.CARDS, ("2",)),)
    asked = replace(found(), bounds=Bounds(True, 0, 0, 0, assumptions=given), examined=(Examined(Text.same("pairs"), 0, "norms"),))
    assert "Not examined: norms (0 places)." in page(asked) and "Not found" not in page(asked)
    some = replace(asked, examined=(*asked.examined, Examined(Text.same("places"), 6, "dead")))
    assert "Not found within these bounds" in page(some) and "Not examined: norms (0 places)." in page(some)
    assert "clauses without a use 6" in page(some)


def test_what_was_cut_off_scripted_or_never_begun_is_told() -> None:
    turns = found(bounds=Bounds(False, 7, 1, 1, (CUTS["turns"],)), policies=(), scenario="cut")
    wide = found(bounds=Bounds(False, 7, 1, 1), policies=(), scenario="wide")
    scripted = found(policies=(Text.same("first"),), scenario="scripted")
    never = nothing_found("hanayome", "never", Text.same("never"), {}, "seconds")
    text = " ".join(page(turns, wide, scripted, never).split())
    assert "Examined: situations: 3; runs under their sets of readings: 3;" in text
    assert "2 of 3 runs (limit on turns: 1, limit on values, entries, nesting or options: 1)" in text
    assert "nothing is known beyond." in text
    played = replace(turns, examined=(*turns.examined, Examined(Text.same("games"), 1200, "plays")))
    assert "beyond, nothing is known but of games played by lot (1,200)." in " ".join(page(played, wide).split())
    assert "くじで進めた対戦（1,200）のほかは分からない" in "".join(page(played, wide, lang="ja").split())
    assert "situations: 1 (never)" in text and "choices beside scripted ones (situations: 1)" in text
    assert "Cut off: nothing." in page(replace(scripted, policies=())) and "scripted" not in page(replace(scripted, policies=(), scenario="one"))


def test_a_run_that_was_lost_is_told_where_another_of_its_scenario_was_whole() -> None:
    whole, lost = found(policies=()), nothing_found("hanayome", "one", Text.same("one"), {}, "lost")
    text = " ".join(page(whole, lost).split())
    assert "situations: 1; runs under their sets of readings: 2;" in text and "Cut off: 1 of 2 runs (a process that was ended: 1)" in text
    assert "situations: 1 (one)" not in text  # it was looked at
    text = " ".join(page(whole, replace(lost, scenario="other")).split())
    assert "runs under their sets of readings: 1;" in text and "Cut off: nothing." in text and "situations: 1 (other)" in text
    none = replace(whole, readings={"a": "b"})
    rows = [" ".join(as_text(layout(closing_page([none, other], "en"), 100)).split()) for other in (lost, replace(none, readings={}))]
    assert "default readings Not examined. (cut off)" in rows[0] and "Not examined" not in rows[1]


@pytest.mark.parametrize(("lang", "cut", "nothing"), [
    ("en", "Cut off: 2 of 3.", "Not examined: there was no situation to check (0)."), ("ja", "3回のうち2回", "調べていません。検査する状況が0件でした。")])
def test_the_last_line_counts_what_was_cut_off_as_the_first_page_does_and_nothing_is_not_said_to_be_checked(
    lang: Lang, cut: str, nothing: str, capsys: pytest.CaptureFixture[str],
) -> None:
    turns, wide, whole = (found(bounds=Bounds(done, 7, 1, 1, notes), scenario=name)
                          for name, done, notes in (("cut", False, (CUTS["turns"],)), ("wide", False, ()), ("whole", True, ())))
    assert ("2 of 3 runs" if lang == "en" else "3回のうち 2回") in "".join(page(turns, wide, whole, lang=lang))
    show_results(Terminal(lang), [turns, wide, whole], NO_NAMES, False)
    assert cut in capsys.readouterr().out.splitlines()[-1]
    show_results(Terminal(lang), [], NO_NAMES, False)
    assert capsys.readouterr().out.strip() == nothing


def test_what_a_divided_search_does_not_ask_is_not_said_to_be_nowhere() -> None:
    parts = replace(found(), bounds=Bounds(False, 7, 1, 1, (CUTS["states"], DIVIDED)), examined=LOOKED)
    assert "orders (not asked of a divided search, or 0 places)" in " ".join(page(parts).split())
    assert "分担して調べたので調べていないか、該当する所が0" in "".join(page(parts, lang="ja").split())
    whole = replace(parts, bounds=Bounds(False, 7, 1, 1, (CUTS["states"],)))
    assert "orders (0 places)" in page(whole) and "divided" not in page(whole)


def test_where_nothing_was_begun_nothing_is_said_to_be_not_found() -> None:
    never = nothing_found("hanayome", "never", Text.same("never"), {}, "seconds")
    assert "Not found" not in page(never) and "\n  Not examined.\n" in page(never)


def test_open_questions_are_counted_by_chapter() -> None:
    class Chapters(NoNames):
        def chapters(self, book: str, /) -> dict[str, str]:
            return {"9": "9", "9.1": "9", "10.1": "10"}

        def questions(self, book: str, /) -> list[str]:
            return ["9.1", "10.1", "10.1"]
    reading = replace(ORDER, cls=FindingClass.READINGS, clauses=("10.1",), hint=False)
    other = replace(ORDER, id="X-9.1-AAAA", clauses=("9.1",), hint=True)
    one = summary([found(reading, other), found(reading, scenario="two")], Chapters())
    assert [(c.id, c.readings, c.parting, c.hints) for c in one.chapters] == [("9", 1, 0, 1), ("10", 2, 1, 0)]
    text = page(found(reading, other), names=Chapters())
    assert "(readings): 3; of 1 it was shown" in text and "All of them by chapter: 9 1, 10 2. Besides, hints that need not be mistakes: 1." in text


def test_what_the_book_does_not_decide_is_told_apart_from_defects_with_its_grade_the_gravest_first() -> None:
    def asks(clause: str, severity: Severity, **more: Any) -> Finding:
        title = Text.same(f"who decides {clause}?")
        return replace(ORDER, id=f"X-{clause}-AAA{clause[0]}", cls=FindingClass.READINGS, hint=False, clauses=(clause,), title=title, severity=severity, **more)

    order, winner, odd = asks("1.1", Severity.C), asks("2.1", Severity.S), asks("3.1", Severity.S, readings={"reading": "no"})
    one = summary([found(order, odd, winner, PASS_ONLY)], Default())
    assert [q.clauses for q in one.questions] == [("2.1",), ("1.1",), ("3.1",)] and [d.id for d in one.defects] == [PASS_ONLY.id]
    text = page(found(order, odd, winner), names=Default())
    assert re.search(r"^S AAA2 .*: Who decides 2.1\? \[one\]$", text, re.MULTILINE) and "rulewright explain X-2.1-AAA2" in text
    many = page(found(*(asks(f"{k}.1", Severity.B) for k in range(1, 10))))
    assert many.count("Who decides") == QUESTIONS and "4 more (B 4): --scenarios or --json tells them." in many


# ---------------------------------------------------------------- never longer than a page
@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_stored_findings_of_hanayome_fit_on_a_page(lang: Literal["ja", "en"], width: int) -> None:
    cases = [read_case(path) for path in finding_store.case_files(finding_store.stored_cases() / "hanayome")]
    results = [found(replace(case.finding, hint=False), scenario=case.finding.scenario, book="hanayome") for case in cases]
    (one,) = summaries(results, names())
    lines = as_text(page_lines(one, lang, "hanayome", width)).splitlines()
    told = sum(bool(re.match(r"[SABC-] [0-9A-Z]{4} ", line)) for line in lines)
    left = [re.search(r"(\d+)", line) for line in lines if "--scenarios" in line and "rulewright" not in line]
    assert len(lines) <= LINES and len(one.defects) > 15
    assert told + sum(int(m[1]) for m in left if m) == len(one.defects)
    assert told >= sum(defect.by_default for defect in one.defects) == 8, "all that happens under the default readings"
    everything = "".join(markdown(first_page(one, lang, "hanayome")))
    assert all(defect.id.rsplit("-", 1)[-1] in everything for defect in one.defects)


# ---------------------------------------------------------------- what it costs again
def test_what_was_found_is_written_once_for_a_whole_book(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []
    monkeypatch.setattr(finding_store, "write_whole", lambda path, *more, **options: written.append(path))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setattr(session, "check", lambda *_: [RESULT])
    main(["check", *FEW, "--lang", "en"])
    assert written == [finding_store.cache_file()]


# ---------------------------------------------------------------- what was typed
@pytest.mark.parametrize("book", [True, False])
def test_two_files_with_one_id_are_refused_and_with_two_they_are_two_situations(book: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shipped,), copy = session.resolve("shinso/life-conversion"), tmp_path / "copy.yaml"
    text = shipped.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    first = "shinso" if book else "shinso/life-conversion"
    assert main(["check", first, str(copy), "--lang", "en"]) == 2
    assert f"{copy}:2:5: {shipped} has a situation with the id life-conversion too" in capsys.readouterr().err
    if not book:
        assert main(["hunt", first, str(copy), "--max-time", "1", "--lang", "en"]) == 2
        capsys.readouterr()
        copy.write_text(text.replace("id: life-conversion", "id: another"), encoding="utf-8")
        main(["check", first, str(copy), "--lang", "en"])
        assert "Examined: situations: 2;" in capsys.readouterr().out


def test_commands_that_are_proposed_find_the_books_that_were_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--books", str(tmp_path)]):
        main(["check", *FEW[:2], *more, "--lang", "en"])
        proposed = [line.partition("#")[0].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  rulewright ")]
        assert proposed and all(line.endswith(" ".join(more)) and ("--books" in line) == bool(more) for line in proposed)
