"""Findings in the forms of other tools say the same as the page."""
from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.cut_off import CUTS
from rulewright.checks.findings.formats import as_github, as_markdown, as_sarif, in_markdown, markdown
from rulewright.checks.findings.layout import Items, Para, Table
from rulewright.checks.findings.overview import closing_page, opening_page
from rulewright.checks.findings.record import Decided, Decision, Finding, Severity
from rulewright.checks.runs import session
from rulewright.spec.text import Text

from .samples import CHOSEN_LOOP, NOTHING_FOUND, ORDER, PASS_ONLY, RESULT
from .schema import violations

SARIF = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
ALL = replace(RESULT, findings=(PASS_ONLY, ORDER, CHOSEN_LOOP))


def here(finding: Finding) -> tuple[str, int]:
    return f"{finding.scenario} その1.yaml", 1


def sarif(*findings: Finding, lang: Literal["ja", "en"] = "en") -> dict[str, Any]:
    log = as_sarif([replace(ALL, findings=findings or ALL.findings)], lang, "1.0", here)
    assert [*violations(log, SARIF)] == []
    return log["runs"][0]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_sarif_is_as_sarif_says_and_has_every_finding_once(lang: Literal["ja", "en"]) -> None:
    log = as_sarif([ALL, ALL], lang, "1.0", here)
    assert [*violations(log, SARIF)] == []
    run = log["runs"][0]
    assert [one["partialFingerprints"]["rulewright/v1"] for one in run["results"]] == [f.id for f in ALL.findings]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])
    assert all(f.title.in_(lang) in one["message"]["text"] for f, one in zip(ALL.findings, run["results"], strict=True))


def test_the_play_is_a_code_flow_in_which_what_repeats_is_essential() -> None:
    (result,) = sarif(PASS_ONLY)["results"]
    ((flow,),) = [one["threadFlows"] for one in result["codeFlows"]]
    assert len(flow["locations"]) == len(PASS_ONLY.play.stem) + len(PASS_ONLY.play.cycle)
    essential = [one for one in flow["locations"] if one["importance"] == "essential"]
    assert [one["location"]["logicalLocations"][0]["name"] for one in essential] == [s.clauses[0] for s in PASS_ONLY.play.cycle]


@pytest.mark.parametrize(("severity", "hint", "level"), [
    (Severity.S, False, "error"), (Severity.A, False, "error"), (Severity.B, False, "warning"), (Severity.C, False, "note"),
    (Severity.S, True, "note"), (None, False, "warning")])
def test_the_level_follows_the_severity(severity: Severity | None, hint: bool, level: str) -> None:
    (result,) = sarif(replace(PASS_ONLY, severity=severity, hint=hint))["results"]
    assert result["level"] == level
    (line,) = as_github([replace(ALL, findings=(replace(PASS_ONLY, severity=severity, hint=hint),))], "en", here)
    assert line.startswith(f"::{'notice' if level == 'note' else level} ")


def test_what_is_decided_is_suppressed_with_its_reason() -> None:
    meant = replace(PASS_ONLY, decision=Decision(Decided.INTENDED, "it is meant"))
    (result,) = sarif(meant)["results"]
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "it is meant"}]
    (result,) = sarif(replace(PASS_ONLY, decision=Decision(Decided.OPEN)))["results"]
    assert result["suppressions"] == []
    assert as_github([replace(ALL, findings=(meant,))], "en", here) == []


def test_an_annotation_is_one_line_with_its_marks_escaped() -> None:
    (line,) = as_github([replace(ALL, findings=(replace(PASS_ONLY, id="A:1,2"),))], "ja", here)
    assert "\n" not in line and "title=A%3A1%2C2::" in line and "%0A" in line


# ---------------------------------------------------------------- Markdown
def test_markdown_keeps_every_cell_and_marks_nothing_by_accident() -> None:
    text = "".join(markdown([Para("a*b_c|d"), Table(("x", "y"), (("1\n2", "3"), ("alone",))), Items(("one", "two"))]))
    assert text == ("a\\*b\\_c\\|d\n\n| x | y |\n|---|---|\n| 1<br>2 | 3 |\n| alone |  |\n\n1. one\n2. two\n\n")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_page_of_markdown_has_all_that_the_terminal_has(lang: Literal["ja", "en"]) -> None:
    page = as_markdown([ALL], lang)
    plain = re.sub(r"\\(.)", r"\1", page)
    for finding in ALL.findings:
        assert finding.id in plain and finding.title.in_(lang).casefold() in plain.casefold()
        if not finding.hint:
            assert finding.question is None or finding.question.in_(lang) in plain
    for block in (*opening_page([ALL], lang), *closing_page([ALL], lang)):
        assert re.sub(r"\\(.)", r"\1", "".join(markdown([block]))) in plain


def test_markdown_of_nothing_does_not_say_that_all_is_well() -> None:
    page = as_markdown([NOTHING_FOUND], "ja")
    assert "\n\n調べた範囲では見つからない。  \n一つも調べていないもの（該当する所が0）: 処理の順番。\n" in page and "## 言える範囲\n" in page


@pytest.mark.parametrize(("lang", "cut", "other"), [
    ("en", "Cut off: 1 of 2. Stopped at the limit on states.", "another end"),
    ("ja", "途中で打ち切ったもの: 2回のうち1回。状態数の上限に達したため、そこで打ち切りました。", "ほかの終わり方")])
@pytest.mark.parametrize("findings", [(), ALL.findings])
def test_what_was_cut_off_or_is_not_as_expected_is_said_in_every_form(
    findings: tuple[Finding, ...], lang: Literal["ja", "en"], cut: str, other: str,
) -> None:
    short = replace(RESULT, findings=findings, bounds=replace(RESULT.bounds, complete=False, notes=(CUTS["states"],)), unexpected=(Text("ほかの終わり方", "another end"),))
    results = [replace(ALL, findings=findings), short]
    log = as_sarif(results, lang, "1", here)
    assert [*violations(log, SARIF)] == []
    told = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert [(one["level"], one["message"]["text"]) for one in told] == [("note", cut), ("warning", other)]
    heads = ("Cut off", "Not as the scenario expects") if lang == "en" else ("打ち切り", "期待と違うこと")
    assert as_github(results, lang, here)[:2] == [f"::notice title={heads[0]}::{cut}", f"::error title={heads[1]}::{other}"]
    page = as_markdown(results, lang)
    assert other in page and cut.partition("。" if lang == "ja" else ". ")[2] in page


def test_marks_of_markdown_in_a_name_are_kept_as_they_are() -> None:
    assert in_markdown("~~a~~ $b$ <c> [d](e) `f` &lt;") == "\\~\\~a\\~\\~ \\$b\\$ \\<c\\> \\[d\\](e) \\`f\\` &amp;lt;"


def test_where_nothing_was_examined_every_form_says_so() -> None:
    empty = replace(NOTHING_FOUND, examined=(replace(NOTHING_FOUND.examined[0], count=0),))
    said = "Not examined: there was nothing to look at (endless loops: 0)."
    log = as_sarif([empty], "en", "1", lambda f: ("x", 1))
    assert log["runs"][0]["invocations"][0]["toolExecutionNotifications"] == [{"level": "note", "message": {"text": said}}]
    assert [*violations(log, SARIF)] == []
    assert as_github([empty], "en", lambda f: ("x", 1)) == [f"::notice title=Not examined::{said}"]
    assert f"\n\n{said}\n" in as_markdown([empty], "en")
    assert "invocations" not in as_sarif([NOTHING_FOUND], "en", "1", lambda f: ("x", 1))["runs"][0]
    assert as_github([NOTHING_FOUND], "en", lambda f: ("x", 1)) == []


# ---------------------------------------------------------------- the command
@pytest.mark.parametrize("form", ["sarif", "github", "markdown"])
def test_check_prints_the_form_that_is_asked_for(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache_of_tests: Path, untried: None
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    monkeypatch.chdir(tmp_path)
    code = main(["check", "hanayome/swap", "-r", "default", "--format", form, "--lang", "en"])
    said = capsys.readouterr().out
    assert code == 1
    assert "HANA-10.5.3.3-PHJX" in said.replace("\\", "")
    assert "The main phase never ends" in said
    if form == "sarif":
        assert [*violations(json.loads(said), SARIF)] == []


def test_with_a_draft_a_finding_stands_at_the_clause_of_the_draft(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("draft.md").write_text("1. 総則\n1.1. 山札を用意します。\n2. 終了\n2.1. 終わりです。\n", encoding="utf-8")
    monkeypatch.setattr(session, "check", lambda *_: [replace(ALL, findings=(replace(PASS_ONLY, clauses=("1.1",)),))])
    main(["check", "hanayome/swap", "--format", "github", "--draft", "draft.md"])
    said = capsys.readouterr().out
    assert "file=draft.md,line=2," in said
