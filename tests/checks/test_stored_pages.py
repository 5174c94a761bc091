"""How every stored finding reads, in Japanese and in English: frozen, so that each change is looked at."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks import kept_findings, session
from rulewright.checks.cases import read_case
from rulewright.checks.findings.record import FindingClass
from rulewright.checks.findings.render import as_text, render_finding

CASES = kept_findings.case_files(kept_findings.stored_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_stored_finding_reads_as_agreed(case: Path, frozen: Callable[[str, str], None]) -> None:
    finding = read_case(case).finding
    ja, en = (as_text(render_finding(finding, lang, names=session.names())) for lang in ("ja", "en"))
    frozen(f"pages/{case.parent.name}/{case.stem}.txt", f"{ja}\n{'=' * 100}\n\n{en}")
    if finding.cls is not FindingClass.DEFECT:
        assert finding.severity is not None, "stored with its severity"


TOLD = ("cls", "title", "clauses", "certainty", "keepers", "stopper", "scope", "origin", "stake", "severity", "hint", "position", "moment",
        "cards", "figures", "clause_verdicts", "play", "policies")
"""What a check finds of itself, whatever else is checked with it."""


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_stored_finding_is_found_once_and_just_so(case: Path) -> None:
    """Nothing that is stored is out of date: its scenario, checked again under its readings, has it once, with the same class, decider,
    certainty, severity and play."""
    stored = read_case(case)
    options = session.CheckOptions(dict(stored.finding.readings), defaults_only=True)
    (result,) = session.check(stored.scenario_file, options)
    (found,) = [f for f in result.findings if f.id == stored.finding.id]
    for name in TOLD:
        assert getattr(found, name) == getattr(stored.finding, name), name
    assert not found.hint
