"""Fifty errors are put into clean, invented drafts of four numbering styles: nearly all are found, and nothing in the
originals."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.lint.findings import Found
from rulewright.checks.lint.linting import Options, chosen_rules, lint_source
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.reading import from_text

from .seeding import Seeded, seeded

DRAFTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "drafts").iterdir())}


def found_in(text: str, dictionary: bool = False) -> list[Found]:
    options = Options(dictionary=dictionary)
    return lint_source(from_text("draft.md", text), options, chosen_rules(options), Known()).found


def is_found(error: Seeded, found: list[Found]) -> bool:
    """Is one of the findings by an expected rule, at the error or at what it breaks?"""
    near = [one for one in found if one.rule in error.rules]
    return any(
        abs(one.line - error.line) <= 4
        or one.rule in ("term-spelling", "reference-missing", "limit-undefined", "list-missing", "contents-differ")
        for one in near
    )


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("dictionary", [False, True])
def test_nothing_is_reported_in_a_clean_draft(name: str, dictionary: bool) -> None:
    assert [(one.rule, one.line, one.message.en) for one in found_in(DRAFTS[name], dictionary)] == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_at_least_45_of_50_seeded_errors_are_found(seed: int) -> None:
    errors = seeded(DRAFTS, 50, seed)
    assert len({name for name, _ in errors}) == 4
    missed = [(name, error.kind, error.line) for name, error in errors if not is_found(error, found_in(error.text))]
    assert len(missed) <= 5, missed


def test_every_kind_of_error_is_found_somewhere() -> None:
    errors = seeded(DRAFTS, 60, 4)
    assert {error.kind for _, error in errors} == {
        error.kind for _, error in errors if is_found(error, found_in(error.text))
    }
