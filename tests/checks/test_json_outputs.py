"""Every JSON output is as `docs/output.schema.json` says, and SARIF is as SARIF says."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from rulewright.checks.cli import main
from rulewright.checks.commands.output import form
from rulewright.checks.findings.as_json import plain
from rulewright.checks.findings.formats import as_sarif
from rulewright.checks.findings.record import Decided, Decision
from rulewright.checks.runs import session
from rulewright.checks.scenarios.sizes import BookSizes, StateSize
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case

from .json_schema import output_schema
from .samples import NOTHING_FOUND, ORDER, RESULT
from .schema import violations

DOCUMENT = Path(__file__).parents[2] / "docs" / "output.schema.json"
SARIF = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
DRAFT = "1. 総則\n1.1. 山札を用意します。\n1.2. 1.1の後に5枚引きます。\n1.4. 9.9を参照。手札をを見ます。\n2. 終了\n2.1. 山札が無い人の負け。\n"
NEXT = DRAFT.replace("5枚", "6枚").replace("2.1. 山", "2.1. 次の者が勝ち。\n2.2. 山")
CASE = Path(str(finding_store.stored_cases())) / "hanayome" / "007-pass-only-JVXC.yaml"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`said("where", …)`: the JSON that a command prints, in a folder with two drafts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    Path("draft.md").write_text(DRAFT, encoding="utf-8")
    Path("next.md").write_text(NEXT, encoding="utf-8")

    def run(*arguments: str) -> Any:
        main([*arguments, "--json"])
        captured = capsys.readouterr()
        assert captured.err == ""
        return json.loads(captured.out)

    return run


def valid(data: Any, kind: str) -> None:
    schema = output_schema()
    assert data["kind"] == kind
    assert [*violations(data, schema["$defs"][f"output-{kind}"], schema)] == []
    assert [*violations(data, schema)] == []


def test_the_published_schema_is_that_of_the_program(request: pytest.FixtureRequest) -> None:
    text = json.dumps(output_schema(), ensure_ascii=False, indent=1) + "\n"
    if request.config.getoption("--update-frozen"):
        DOCUMENT.write_text(text, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == text, "renew docs/output.schema.json with pytest --update-frozen"


@pytest.mark.parametrize("draft", [(), ("--draft", "draft.md")])
def test_check_explain_and_replay(said: Any, draft: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    valid(said("replay", str(CASE), *draft), "replay")
    monkeypatch.setattr(session, "check", lambda *_: [RESULT, NOTHING_FOUND])
    monkeypatch.setattr(finding_store, "find", lambda _: ORDER)
    valid(said("check", "hanayome/pass-only", *draft), "check")
    valid(said("explain", "4D47", *draft), "finding")


def test_a_new_book_and_what_is_wrong_in_it(said: Any) -> None:
    valid(said("new", "mygame", "--from", "draft.md"), "new")
    valid(said("validate", "mygame", "--draft", "next.md"), "validated")


def test_the_same_check_gives_the_same_bytes_in_every_process_and_on_any_number_of_threads() -> None:
    said: set[bytes] = set()
    for seed, threads in (("1", "1"), ("2", "2"), ("3", "1"), ("4", "2")):
        done = subprocess.run(
            [sys.executable, "-m", "rulewright.checks", "check", "hanayome/swap", "hanayome/two-heroes-won", "--json", "--show", "3",
             "--threads", threads],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
        said.add(done.stdout)
    assert len(said) == 1
    assert len(json.loads(said.pop())["results"]) > 3


def test_info_and_export(said: Any) -> None:
    valid(said("export", "hanayome/swap-control", "--to", "promela", "-o", "."), "export")
    sizes = BookSizes("x", 1, 2, {"step": 3}, 4, 5, 6, 7, 8, (StateSize("y", 1, 2, 3, 4, 5),))
    valid(form("info", sizes=plain(sizes)), "info")


def test_verify(said: Any) -> None:
    valid(said("verify", str(CASE)), "verify")


@pytest.mark.parametrize("draft", [(), ("--draft", "draft.md")])
def test_coverage_and_where(said: Any, draft: tuple[str, ...]) -> None:
    valid(said("coverage", "hanayome", *draft), "coverage")
    valid(said("where", "hanayome", "7.5.3", *draft), "where")


def test_register(said: Any) -> None:
    valid(said("register", "draft.md", "-o", "spec/mine"), "registered")
    valid(said("register", "--update", "next.md", "--book", "mine"), "register")
    valid(said("register", "--update", "next.md", "--book", "mine", "--accept"), "register")
    valid(said("register", "--checked", "1.2", "--book", "mine"), "checked")
    Path("spec/mine/clauses.hashes").unlink()
    valid(said("register", "--update", "next.md", "--book", "mine"), "first-draft")
    valid(said("register", "--update", "next.md", "--book", "mine", "--accept"), "first-draft")


def test_lint(said: Any) -> None:
    report = said("lint", "draft.md", "--hints")
    assert report["files"][0]["findings"]
    valid(report, "lint")


def test_questions(said: Any) -> None:
    Path("open.md").write_text("1. 番\n1.1. 手札の半分を捨てます。\n1.2. 手札の上限は7枚です。\n1.3. 超えた場合は捨てます。\n", encoding="utf-8")
    report = said("questions", "open.md")
    assert report["questions"] and report["settled"]
    valid(report, "questions")
    valid(said("questions", "--explain", "deck-empty"), "question-family")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_stored_finding_is_sarif(lang: Literal["ja", "en"]) -> None:
    found = [read_case(path).finding for path in finding_store.case_files(finding_store.stored_cases())]
    found[0] = replace(found[0], decision=Decision(Decided.INTENDED, "meant so", "Sato", "2026-11-20", "1.08"))
    found[1] = replace(found[1], known=True, more=(found[1].play,))
    found[2] = replace(found[2], clauses=(), hint=True)
    result = replace(RESULT, findings=tuple(found))
    log = as_sarif([result], lang, "1.0", lambda finding: (f"spec/{finding.book}/草案 1.yaml", 3))
    assert [*violations(log, SARIF)] == []
    assert len(log["runs"][0]["results"]) == len({f.id for f in found}) > 50


def test_sarif_is_as_sarif_says(capsys: pytest.CaptureFixture[str], said: Any) -> None:
    Path("草案 その1.md").write_text(DRAFT, encoding="utf-8")
    main(["lint", "draft.md", "草案 その1.md", "--hints", "--format", "sarif"])
    log = json.loads(capsys.readouterr().out)
    assert [*violations(log, SARIF)] == []
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["results"] and any("fixes" in one for one in run["results"])
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])


@pytest.mark.parametrize(("change", "place"), [
    (lambda log: log["runs"][0].update(extra=1), "$.runs[0]: extra"),
    (lambda log: log["runs"][0]["results"][0].pop("message"), "$.runs[0].results[0]: message"),
    (lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
     "region.startLine: 0"),
    (lambda log: log["runs"][0]["results"][0].update(level="fatal"), "level: 'fatal'"),
    (lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"),
     "artifactLocation.uri: 'a b' is no uri-reference"),
    (lambda log: log["runs"][0].update(columnKind="bytes"), "columnKind: 'bytes'"),
])
def test_what_sarif_forbids_is_noticed(capsys: pytest.CaptureFixture[str], said: Any, change: Any, place: str) -> None:
    main(["lint", "draft.md", "--format", "sarif"])
    log = json.loads(capsys.readouterr().out)
    change(log)
    (found,) = violations(log, SARIF)
    assert place in found
