"""The pages about what was found in a book are those that its stored cases give."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.commands.digest import by_defect, cases_of, files, steps

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_about_hanayome_is_current(pytestconfig: pytest.Config) -> None:
    for path, text in files("hanayome", DOCS).items():
        if pytestconfig.getoption("--update-frozen"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is not current: make digest BOOK=hanayome, and read it"


def test_every_stored_case_is_told_of_the_shortest_play_first() -> None:
    cases = cases_of("hanayome")
    text = "".join(files("hanayome", DOCS).values())
    assert cases
    for case in cases:
        assert text.count(case.path.name) == 2, "once in each language"
    groups = by_defect(cases)
    assert sum(map(len, groups)) == len(cases)
    for group in groups:
        lengths = [steps(c.finding) for c in group]
        assert lengths == sorted(lengths)
        for lang in ("ja", "en"):
            assert getattr(group[0].finding.title, lang) in text
            assert group[0].finding.question is None or getattr(group[0].finding.question, lang)[:20] in text
