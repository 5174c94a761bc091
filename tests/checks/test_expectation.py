"""`check` holds what it found against what the scenario expects."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.words import CLASS
from rulewright.checks.runs import session
from rulewright.model.engine.library import load_book
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.findings import FindingClass
from rulewright.spec.readers import read_scenario

SWAP = load_book("hanayome").folder / "scenarios" / "swap.yaml"
PINNED = "{class: loop, keepers: nobody, scope: phase, period: 2, says: {13.1.1.3: draw}}"


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[[str], Path]:
    """The scenario `swap` with these expected findings under the defaults."""

    def write(findings: str) -> Path:
        head = SWAP.read_text(encoding="utf-8").split("control:")[0]
        path = tmp_path / "mine.yaml"
        path.write_text(f"{head}expect:\n  - readings: {{}}\n    findings: {findings}\n", encoding="utf-8")
        return path

    return write


def unexpected(path: Path) -> list[str]:
    (result,) = session.check(path, session.CheckOptions())
    return [one.en for one in result.unexpected]


def test_nothing_is_said_where_all_is_as_expected(scenario: Callable[[str], Path]) -> None:
    assert unexpected(scenario(f"[{PINNED}]")) == []


@pytest.mark.parametrize("fact", [
    "keepers: either", "scope: turn", "period: 3", "growing: yes", "says: {13.1.1.3: forbidden}", "title: something else",
    "clauses: [7.1]", "stopper: first player",
])
def test_each_fact_is_looked_at(fact: str, scenario: Callable[[str], Path]) -> None:
    missing, extra = unexpected(scenario(f"[{{class: loop, {fact}}}]"))
    assert fact.split(":")[0] in missing and missing.endswith("(mine.yaml:19)")
    assert extra.startswith("a finding that was not expected: HANA-")


def test_a_finding_beyond_what_is_expected_and_one_that_is_missing(scenario: Callable[[str], Path]) -> None:
    (extra,) = unexpected(scenario("[]"))
    assert extra.startswith("a finding that was not expected")
    (missing,) = unexpected(scenario(f"[{PINNED}, {{class: gap}}]"))
    assert missing == "an expected finding is missing: class: gap (mine.yaml:19)"


def test_what_is_not_as_expected_is_printed_and_ends_with_1(
    scenario: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario("[]")
    text = path.read_text(encoding="utf-8").replace("V-STROLL", "BLANK")  # nothing to be played: nothing is found
    path.write_text(text.replace("findings: []", "findings: [{class: gap}]"), encoding="utf-8")
    assert main(["check", str(path), "--lang", "ja"]) == 1
    assert "期待と違うこと" in capsys.readouterr().out


@pytest.mark.parametrize(("findings", "hint"), [
    ("[{class: lop}]", "loop"), ("[{class: loop, keeper: nobody}]", "keepers"), ("[{class: loop, scope: fase}]", "phase"),
])
def test_what_cannot_be_expected_is_refused(findings: str, hint: str, scenario: Callable[[str], Path]) -> None:
    with pytest.raises(BadInput) as refused:
        unexpected(scenario(findings))
    (one,) = refused.value.diagnostics
    assert one.position is not None and one.position.line == 19
    assert one.hint is not None and hint in one.hint.en


@pytest.mark.parametrize("readings", [(), ("default",)])
def test_a_reading_that_there_is_not_cannot_be_expected_under_whatever_is_asked(
    readings: tuple[str, ...], scenario: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario("[]")
    path.write_text(path.read_text(encoding="utf-8").replace("readings: {}", "readings: {nope: x}"), encoding="utf-8")
    assert main(["check", str(path), "--lang", "en", *(f"--readings={one}" for one in readings)]) == 2
    assert "mine.yaml:18:16: there is no reading `nope`" in capsys.readouterr().err


@pytest.mark.parametrize(("control", "hint"), [("swap-contrl", "swap-control"), ("swap", "scenario of this book"), ("neighbor", "neighbour")])
def test_a_control_that_does_not_exist_is_refused(control: str, hint: str, tmp_path: Path) -> None:
    path = tmp_path / "swap.yaml"
    path.write_text(SWAP.read_text(encoding="utf-8").replace("control: swap-control", f"control: {control}"), encoding="utf-8")
    (tmp_path / "neighbour.yaml").write_text("", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        session.check(path, session.CheckOptions())
    (one,) = refused.value.diagnostics
    assert one.code == "unknown-control" and one.position is not None
    assert path.read_text(encoding="utf-8").splitlines()[one.position.line - 1].startswith("control: ")
    assert one.hint is not None and hint in one.hint.en


def test_a_control_may_be_a_file_beside_the_scenario(tmp_path: Path) -> None:
    path = tmp_path / "swap.yaml"
    path.write_text(SWAP.read_text(encoding="utf-8").replace("control: swap-control", "control: neighbour"), encoding="utf-8")
    neighbour = SWAP.with_name("swap-control.yaml").read_text(encoding="utf-8").replace("id: swap-control", "id: neighbour")
    (tmp_path / "neighbour.yaml").write_text(neighbour, encoding="utf-8")
    (finding, *_) = [f for f in session.check(path, session.CheckOptions(defaults_only=True))[0].findings if not f.hint]
    assert finding.control is not None and finding.control.scenario == "neighbour" and finding.control.pinned


@pytest.mark.parametrize("cls", [FindingClass.LOOP, FindingClass.ORDER, FindingClass.OPEN, FindingClass.CONFLICT, FindingClass.GAP, FindingClass.READINGS])
def test_what_a_page_calls_a_finding_may_be_expected_by_that_name(scenario: Callable[[str], Path], cls: FindingClass) -> None:
    (expected,) = read_scenario(scenario(f"[{{class: {CLASS[cls].ja}}}]")).expect[0].findings or ()
    assert expected.cls is cls
    with pytest.raises(BadInput):
        read_scenario(scenario(f"[{{class: {CLASS[cls].ja}の}}]"))
