"""How every stored finding reads, in Japanese and in English: frozen, so that each change is looked at."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.findings.record import FindingClass
from rulewright.checks.runs.names import names
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case

from ..render import as_text, render_finding

CASES = finding_store.case_files(finding_store.stored_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_stored_finding_reads_as_agreed(case: Path, frozen: Callable[[str, str], None]) -> None:
    finding = read_case(case).finding
    ja, en = (as_text(render_finding(finding, lang, names=names())) for lang in ("ja", "en"))
    frozen(f"pages/{case.parent.name}/{case.stem}.txt", f"{ja}\n{'=' * 100}\n\n{en}")
    if finding.cls is not FindingClass.DEFECT:
        assert finding.severity is not None, "stored with its severity"
