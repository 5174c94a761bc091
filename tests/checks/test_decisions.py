"""Decisions about findings survive reruns; what a baseline knows is no longer counted."""
from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.cut_off import DIVIDED, cut_short
from rulewright.checks.findings.identity import about, finding_id
from rulewright.checks.findings.record import CheckResult, Finding, WhoCanStop
from rulewright.checks.runs import asking, session
from rulewright.checks.scenarios import mistakes as file_mistakes
from rulewright.checks.stored import cases, decisions, finding_store
from rulewright.checks.stored.decisions import baseline_rows, checked_in
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

from .json_schema import output_schema
from .samples import ORDER, PASS_ONLY, RESULT
from .schema import violations


def known_in(path: Path) -> frozenset[str]:
    """The ids that a baseline knows."""
    return frozenset(row["id"] for row in baseline_rows(path))


class Run(Protocol):
    def __call__(self, *arguments: str) -> tuple[int, str, str]: ...


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder; `check` finds what RESULT has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(session, "resolve", lambda target: [Path(f"{target}.yaml")])
    monkeypatch.setattr(session, "check", lambda *_: [RESULT])
    finding_store.remember(Path("x.yaml"), [RESULT])

    def do(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, "--lang", "en"])
        said = capsys.readouterr()
        return code, said.out, said.err

    return do


def test_a_finding_of_several_runs_is_explained_as_the_check_tells_it_and_the_latest_check_counts(run: Run) -> None:
    other = replace(RESULT, findings=(replace(PASS_ONLY, title=Text.same("as another reading has it")),))
    finding_store.remember(Path("x.yaml"), [RESULT, other])
    assert PASS_ONLY.title.en in run("explain", PASS_ONLY.id)[1]
    finding_store.remember(Path("x.yaml"), [other])
    assert "As another reading has it" in run("explain", PASS_ONLY.id)[1]


def test_of_several_scenarios_the_one_that_the_page_names_is_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    large = replace(PASS_ONLY, scenario="z", title=Text.same("as a larger scenario has it"), bounds=replace(PASS_ONLY.bounds, states=10**6))

    def of_path(path: Path, *_: object) -> list[object]:
        return [replace(RESULT, scenario="z", findings=(large,)) if path.stem == "z" else RESULT]
    monkeypatch.setattr(session, "check", of_path)
    monkeypatch.setattr(file_mistakes, "refuse_files", lambda paths: None)
    for order in (("x", "z"), ("z", "x")):
        page = run("check", *order)[1]
        assert f"[{PASS_ONLY.scenario}" in page
        assert PASS_ONLY.title.en in run("explain", PASS_ONLY.id)[1]
    run("check", "z")
    assert "As a larger scenario has it" in run("explain", PASS_ONLY.id)[1]  # the latest check counts


def test_a_decision_is_written_and_shown_by_every_later_check(run: Run) -> None:
    code, said, _ = run("decide", PASS_ONLY.id[-4:], "fixed", "--reason", "7.5.3 changed", "--person", "S", "--date",
                        "2026-11-20", "--edition", "1.08")
    assert code == 0 and PASS_ONLY.id in said
    for _ in range(2):
        code, said, _ = run("check", "x")
        assert "decided: fixed, because 7.5.3 changed, by S, on 2026-11-20, edition 1.08" in said
        assert "It was said to be fixed, and it is still found." in said
        assert code == 1


@pytest.mark.parametrize(("status", "counted"), [
    ("open", 1), ("fixed", 1), ("intended", 0), ("ruled", 0), ("rejected", 0)])
def test_what_is_meant_is_shown_but_not_counted(run: Run, status: str, counted: int) -> None:
    run("decide", PASS_ONLY.id, status)
    code, said, _ = run("check", "x")
    assert code == counted
    assert PASS_ONLY.title.en in said
    assert ("Of these known or decided, not counted: 1." in said) == (not counted)


def test_a_decision_takes_the_place_of_the_boxes_on_the_page(run: Run) -> None:
    assert "decided:" not in run("explain", PASS_ONLY.id)[1]
    run("decide", PASS_ONLY.id, "intended", "--reason", "it is meant")
    assert "decided: intended, because it is meant" in run("explain", PASS_ONLY.id)[1]


ID = PASS_ONLY.id


ABOUT = f'about: "{about(PASS_ONLY)}"'


def with_about(entry: str) -> str:
    """What `decide` writes behind the date."""
    return re.sub(r"(?m)^( +)date: 2026-11-20$", rf"\g<0>\n\1{ABOUT}", entry).replace("date: 2026-11-20}", f"date: 2026-11-20, {ABOUT}}}")


@pytest.mark.parametrize(("before", "after"), [
    # the first one about a finding goes behind the others
    ("# ours\ndecisions:\n  HANA-1.2-AAAA: {status: 仕様}  # long ago\n# the end\n",
     f"# ours\ndecisions:\n  HANA-1.2-AAAA: {{status: 仕様}}  # long ago\n  {ID}:\n    status: ruled\n    date: 2026-11-20\n# the end\n"),
    ("決定:\n    HANA-1.2-AAAA:\n        理由: |\n            because\n            of it\n        status: open",
     f"決定:\n    HANA-1.2-AAAA:\n        理由: |\n            because\n            of it\n        status: open\n    {ID}:\n      status: ruled\n      date: 2026-11-20"),
    ("decisions: {HANA-1.2-AAAA: {status: open}}\n", f"decisions: {{HANA-1.2-AAAA: {{status: open}}, {ID}: {{status: ruled, date: 2026-11-20}}}}\n"),
    ("decisions: {} # none\n", f"decisions: {{{ID}: {{status: ruled, date: 2026-11-20}}}} # none\n"),
    # a later one goes behind the earlier ones
    (f"decisions:\n  {ID}: {{status: open}} # why\n  HANA-1.2-AAAA: {{status: open}}\n",
     f"decisions:\n  {ID}: [{{status: open}}, {{status: ruled, date: 2026-11-20}}] # why\n  HANA-1.2-AAAA: {{status: open}}\n"),
    (f"decisions:\n  {ID}: # ours\n    status: open # why\n\n    # said by S\n    reason: |\n      so\n       it is\n\n  # another\n  HANA-1.2-AAAA: {{status: open}}\n",
     f"decisions:\n  {ID}: # ours\n    - status: open # why\n\n      # said by S\n      reason: |\n        so\n         it is\n    - status: ruled\n      date: 2026-11-20\n\n  # another\n  HANA-1.2-AAAA: {{status: open}}\n"),
    (f"decisions:\n  {ID}:\n  - status: open\n  - status: fixed # why\n",
     f"decisions:\n  {ID}:\n  - status: open\n  - status: fixed # why\n  - status: ruled\n    date: 2026-11-20\n"),
    (f"decisions:\n  {ID}: [{{status: open}}]\n", f"decisions:\n  {ID}: [{{status: open}}, {{status: ruled, date: 2026-11-20}}]\n"),
])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_decision_goes_behind_what_is_there_and_nothing_of_that_is_changed(run: Run, before: str, after: str, ends: str, mark: str) -> None:
    path = Path("decisions.yaml")
    path.write_bytes((mark + before).replace("\n", ends).encode())
    assert run("decide", ID, "ruled", "--date", "2026-11-20")[0] == 0
    assert path.read_bytes().decode() == (mark + with_about(after)).replace("\n", ends)
    assert "decided: ruled, on 2026-11-20" in run("explain", ID)[1]


def test_a_decision_goes_along_when_the_words_of_its_finding_change_and_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("decide", PASS_ONLY.id, "intended", "--reason", "it is meant")
    reworded = replace(PASS_ONLY, id="HANA-7.5.3-NEW2", title=Text(ja="別の言い方", en="in other words"))
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=(reworded,))])
    code, out, err = run("check", "x")
    assert code == 0 and "decided: intended, because it is meant" in out
    assert f"What was decided about {PASS_ONLY.id} is taken to be about HANA-7.5.3-NEW2" in err


@pytest.mark.parametrize("other", [
    replace(PASS_ONLY, id="HANA-7.5.3-NEW2", keepers=WhoCanStop.ONE), replace(PASS_ONLY, id="HANA-7.5.3-NEW2", clauses=("7.5.3", "4.8")),
    replace(PASS_ONLY, id="HANA-7.5.3-NEW2", scenario="another")])
def test_a_decision_about_what_is_not_found_any_more_is_told_with_what_is_like_it(run: Run, monkeypatch: pytest.MonkeyPatch, other: Finding) -> None:
    run("decide", PASS_ONLY.id, "intended")
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=(other,))])
    code, out, err = run("check", "x")
    assert code == 1 and "decided:" not in out
    assert f"{PASS_ONLY.id} (decided: intended, on " in err and "was not found" in err and "about the same clause: HANA-7.5.3-NEW2" in err


def test_of_a_decision_nothing_is_told_where_only_other_questions_were_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("decide", PASS_ONLY.id, "intended")
    monkeypatch.setattr(asking, "ask", lambda *_: [replace(RESULT, findings=())])
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=())])
    assert "was not found" in run("check", "x")[2]
    code, _, err = run("check", "hanayome", "--only", "norms")
    assert code == 0 and "was not found" not in err


def test_what_is_found_in_several_scenarios_goes_along_whichever_of_them_was_noted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("decide", PASS_ONLY.id, "intended")
    reworded = replace(PASS_ONLY, id="HANA-7.5.3-NEW2")
    other = replace(PASS_ONLY, id="HANA-7.5.3-NEW3", scenario="another")  # nothing known is about this one
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=(reworded,)), replace(
        RESULT, scenario="another", findings=(other, replace(reworded, scenario="another")))])
    assert "is taken to be about HANA-7.5.3-NEW2" in run("check", "x")[2]


def test_a_decision_that_does_not_say_what_it_is_about_is_told_where_its_whole_book_was_checked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("decisions.yaml").write_text("decisions: {HANA-7.5.3-GONE: {status: intended}}\n", encoding="utf-8")
    assert "was not found" not in run("check", "x")[2]
    monkeypatch.setattr(decisions, "load_book", lambda name: SimpleNamespace(scenarios=[Path("x.yaml")]))
    assert f"HANA-7.5.3-GONE (decided: intended) was not found where it had been found. Found about the same clause: {PASS_ONLY.id}" in run("check", "x")[2]


def test_what_a_baseline_knows_goes_along_under_another_id_and_what_is_gone_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check", "x", "--baseline", "known.json", "--update-baseline")
    reworded = replace(PASS_ONLY, id="HANA-7.5.3-NEW2", title=Text(ja="別の言い方", en="in other words"))
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=(reworded,))])
    code, _, err = run("check", "x", "--baseline", "known.json")
    assert code == 0 and f"{PASS_ONLY.id} → HANA-7.5.3-NEW2" in err
    assert "known from" not in err
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=(replace(reworded, clauses=("7.5.3", "4.8")),))])
    code, _, err = run("check", "x", "--baseline", "known.json")
    assert code == 1 and "→" not in err and f"{PASS_ONLY.id}, known from known.json, was not found" in err
    monkeypatch.setattr(session, "check", lambda *_: [cut_short(replace(RESULT, findings=()), "seconds")])
    assert "known from" not in run("check", "x", "--baseline", "known.json")[2]


def test_nothing_is_told_of_decisions_where_the_search_was_cut_off_or_another_scenario_was_checked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("decide", PASS_ONLY.id, "intended")
    cut = cut_short(replace(RESULT, findings=()), "seconds")
    bound = replace(RESULT, findings=(), bounds=replace(RESULT.bounds, complete=False))
    divided = replace(RESULT, findings=(), bounds=replace(RESULT.bounds, notes=(DIVIDED,)))
    for result in (cut, bound, divided, replace(RESULT, findings=(), scenario="another")):
        monkeypatch.setattr(session, "check", lambda *_, result=result: [result])
        assert "was not found" not in run("check", "x")[2]
    monkeypatch.setattr(session, "check", lambda *_: [replace(RESULT, findings=())])
    assert "was not found" in run("check", "x")[2]


def test_decisions_are_part_of_the_data(run: Run) -> None:
    run("decide", PASS_ONLY.id, "ruled", "--date", "2026-11-20")
    data = json.loads(run("check", "x", "--json")[1])
    assert [*violations(data, output_schema())] == []
    finding = next(f for f in data["results"][0]["findings"] if f["id"] == PASS_ONLY.id)
    assert finding["decision"] == {"status": "ruled", "reason": None, "person": None, "date": "2026-11-20", "edition": None}


@pytest.mark.parametrize(("content", "complaint"), [
    ("decisions: {HANA-7.5.3-JVXC: {status: meant}}", "there is no value `meant`"),
    ("decisions: {HANA-7.5.3-JVXC: {reason: x}}", "the key `status` is missing"),
    ("decisions: {JVXC: {status: open}}", "`JVXC` is not the id of a finding"),
    ("decisions: {HANA-7.5.3-JVXC: {status: open, date: 2026-13-01}}", "`2026-13-01` is not a date"),
    ("decision: {}", "there is no key `decision` here"),
])
def test_a_file_that_is_wrong_is_refused_and_not_overwritten(run: Run, content: str, complaint: str) -> None:
    Path("decisions.yaml").write_text(content, encoding="utf-8")
    for arguments in (("check", "x"), ("decide", PASS_ONLY.id, "open")):
        code, _, said = run(*arguments)
        assert code == 2
        assert "decisions.yaml:1:" in said and complaint in said
    assert Path("decisions.yaml").read_text(encoding="utf-8") == content


@pytest.mark.parametrize("book", ["市場", "x", "my_2nd_game", "my-game", "a_b_c_d_e"])
def test_a_finding_of_a_book_of_any_name_can_be_decided(book: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    one = replace(PASS_ONLY, book=book, id=finding_id(book, PASS_ONLY.cls, PASS_ONLY.clauses, PASS_ONLY.keepers, PASS_ONLY.title))
    finding_store.remember(Path("x.yaml"), [replace(RESULT, book=book, findings=(one,))])
    code, _, said = run("decide", one.id, "intended", "--reason", "so")
    assert (code, said) == (0, "") and decisions.read_decisions(Path("decisions.yaml"))[one.id].reason == "so"
    Path("decisions.yaml").write_text(f"decisions: {{{one.id.lower()}: {{status: open}}}}", encoding="utf-8")
    assert run("decide", one.id, "open")[0] == 2


def test_what_cannot_be_decided_is_refused(run: Run) -> None:
    assert run("decide", "ZZZZ", "open")[0] == 2
    code, _, said = run("decide", PASS_ONLY.id, "open", "--date", "tomorrow")
    assert code == 2 and "'tomorrow' is not a date (for example 2026-11-20)." in said
    for option in ("--reason", "--person", "--edition"):
        code, _, said = run("decide", PASS_ONLY.id, "open", option, " ")
        assert (code, said) == (2, f"The value of {option} is empty. Write something, or leave it out.\n")
    assert run("check", "x", "--decisions", "none.yaml")[0] == 2
    assert not Path("decisions.yaml").exists()


def test_a_baseline_leaves_what_is_new(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("check", "x", "--baseline", "known.json", "--update-baseline")[0] == 0
    code, said, _ = run("check", "x", "--baseline", "known.json")
    assert code == 0 and "| known" in said
    monkeypatch.setattr(session, "check", lambda *_: [RESULT.__class__(**{**vars(RESULT), "findings": (*RESULT.findings, ORDER)})])
    assert run("check", "x", "--baseline", "known.json")[0] == 1


def test_what_a_run_did_not_look_at_to_its_end_stays_known_and_the_rest_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    other = replace(RESULT, scenario="other", findings=(ORDER,))
    none = replace(other, findings=())

    def update(*results: CheckResult, asked: str = "") -> frozenset[str]:
        count = decisions.update_baseline(path, results, [f for r in results for f in r.findings], asked, {})
        assert count == len(known_in(path))
        return known_in(path)
    first = {f.id for f in RESULT.findings}
    assert update(RESULT) == first
    assert update(other) == first | {ORDER.id}
    assert update(replace(none, readings={"a": "b"})) == update(none, asked="gaps") == update(cut_short(none, "seconds")) == update(replace(none, bounds=replace(none.bounds, complete=False))) == first | {ORDER.id}
    assert update(replace(RESULT, findings=(ORDER,))) == {ORDER.id}
    assert update(none) == {ORDER.id} and update(replace(RESULT, findings=())) == frozenset()


def test_a_baseline_that_does_not_say_where_is_replaced_and_one_of_something_else_is_left(run: Run) -> None:
    Path("known.json").write_text('{"kind": "baseline", "findings": [{"id": "HANA-1-AAAA"}]}', encoding="utf-8")
    assert run("check", "x", "--baseline", "known.json", "--update-baseline")[0] == 0
    assert "HANA-1-AAAA" not in known_in(Path("known.json"))
    Path("known.json").write_text("[1]", encoding="utf-8")
    code, _, said = run("check", "x", "--baseline", "known.json", "--update-baseline")
    assert code == 2 and "not a baseline of `check`" in said and Path("known.json").read_text(encoding="utf-8") == "[1]"


@pytest.mark.parametrize(("checked", "as_of"), [("{}", {}), ('{"hanayome/swap": "ab"}', {"hanayome/swap": "ab"}), ("5", None), ("[]", None), ("null", None)])
def test_of_which_scenarios_a_baseline_was_made_is_a_map(checked: str, as_of: object, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    known.write_text(f'{{"kind": "baseline", "findings": [], "checked": {checked}}}', encoding="utf-8")
    if as_of is None:
        with pytest.raises(BadInput, match="not a baseline of `check`"):
            checked_in(known)
    else:
        assert checked_in(known) == as_of


@pytest.mark.parametrize(("content", "complaint"), [
    (None, "there is no such baseline"), ("{", "not JSON"), ('{"findings": []}', "not a baseline of `check`"),
    ('{"schema": 2, "kind": "baseline", "findings": []}', "not a baseline of `check`"),
    *((f'{{"kind": "baseline", "findings": [{{"id": "HANA-1-AAAA", {wrong}}}]}}', "not a baseline of `check`")
      for wrong in ('"about": 5', '"about": null', '"about": [1]', '"in": 5', '"in": "hanayome/swap"'))])
def test_a_baseline_that_is_none_is_refused(run: Run, content: Any, complaint: str) -> None:
    if content is not None:
        Path("known.json").write_text(content, encoding="utf-8")
    code, _, said = run("check", "x", "--baseline", "known.json")
    assert code == 2 and complaint in said
    code, _, said = run("check", "x", "--update-baseline")
    assert code == 2 and "--update-baseline needs --baseline FILE too." in said


# ---------------------------------------------------------------- nothing is lost
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("what", ["decide", "store"])
def test_of_twenty_at_once_all_are_kept(run: Run, what: str) -> None:
    findings = [replace(PASS_ONLY, id=f"HANA-7.5.3-A{n:03}") for n in range(20)]
    finding_store.remember(Path("x.yaml"), [replace(RESULT, findings=tuple(findings))])
    children: list[int] = []
    for finding in findings:
        child = os.fork()
        if not child:
            try:
                if what == "decide":
                    os._exit(main(["decide", finding.id, "intended", "--reason", f"because of {finding.id}"]))
                cases.store(finding, "hanayome/pass-only", Path("kept"))
                os._exit(0)
            finally:
                os._exit(9)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 20
    if what == "decide":
        said = decisions.read_decisions(Path("decisions.yaml"))
        assert {name: one.reason for name, one in said.items()} == {f.id: f"because of {f.id}" for f in findings}
    else:
        stored = sorted(Path("kept/hanayome").iterdir())
        assert [int(path.name[:3]) for path in stored] == [*range(1, 21)]
        assert {cases.read_case(path).finding.id for path in stored} == {f.id for f in findings}


@pytest.mark.parametrize("options", [("--store", "full"), ("--baseline", "full/known.json", "--update-baseline")])
def test_what_was_found_is_shown_if_it_cannot_be_written_after_all(run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    def filled_up(*_: object) -> Any:
        Path("full").write_text("no folder any more")
        return [RESULT]

    monkeypatch.setattr(session, "check", filled_up)
    code, said, complaint = run("check", "x", *options)
    assert code == 2 and PASS_ONLY.title.en in said and "cannot write to full" in complaint


@pytest.mark.parametrize("options", [("--store", "file"), ("--baseline", "file/known.json", "--update-baseline")])
def test_where_nothing_can_be_written_is_told_before_the_search(run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    Path("file").write_text("")
    monkeypatch.setattr(session, "check", lambda *_: pytest.fail("searched"))
    code, _, complaint = run("check", "x", *options)
    assert code == 2
    assert "file" in complaint
