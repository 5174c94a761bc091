"""Every answer that is modelled to a question that hanayome leaves open makes a difference in some situation whose results are pinned."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.model.engine.library import load_book
from rulewright.spec.book import Reading, Status
from rulewright.spec.readers import read_readings, read_scenario
from rulewright.spec.scenario import Expectation

from ..tables import sections

BOOK = load_book("hanayome")
OUTCOMES, ENDS = (sections(Path(__file__).parent / "frozen" / name) for name in ("outcomes.txt", "ends.txt"))
QUESTIONS = read_readings(BOOK.folder / "readings.yaml").readings
PLANNED: list[str] = []
"""Those of which only the answer that stands first can be had."""
ELSEWHERE = {("mulligan-repeat", "again"): "test_preparation"}
"""Answers whose play is too large to be pinned, and the test that looks at them."""

Answers = frozenset[tuple[str, str]]


def results(path: Path) -> dict[Answers, list[Any]]:
    """What is pinned of a scenario under each of its sets of answers: frozen counts, findings, hints and ends, and what each
    clause says of a loop."""
    if path.stem not in OUTCOMES:
        return {}
    ends = ends_told(ENDS[path.stem])
    said = {frozenset((r, a.value) for r, a in e.readings.items()): says(e) for e in read_scenario(path).expect}
    out: dict[Answers, list[Any]] = {}
    for row in map(json.loads, OUTCOMES[path.stem].splitlines()):
        answers: Answers = frozenset(row.pop("readings").items())
        told = ", ".join(f"{r}: {a}" for r, a in sorted(answers)) or "default readings"
        out[answers] = [row, ends[told], said[answers]]
    return out


def ends_told(frozen: str) -> dict[str, list[str]]:
    """The frozen ends under each set of answers, by its title."""
    out: dict[str, list[str]] = {}
    title = ""
    for line in frozen.splitlines():
        if line.startswith("  "):
            out[title].append(line)
        else:
            title = line
            out[title] = []
    return out


def says(expectation: Expectation) -> list[str]:
    return [repr(({k: v.value for k, v in (f.says or {}).items()}, f.bars)) for f in expectation.findings or ()]


def parted() -> Iterator[tuple[str, str]]:
    """Each answer with which some scenario comes to something else than with another answer to that one question."""
    for path in BOOK.scenarios:
        pinned = results(path)
        for answers, result in pinned.items():
            for question, answer in answers:
                rest = {(r, a) for r, a in answers if r != question}
                for others, other in pinned.items():
                    if (question, answer) not in others and {x for x in others if x[0] != question} == rest and other != result:
                        yield question, answer


@pytest.fixture(scope="module")
def parting() -> set[tuple[str, str]]:
    return set(parted())


@pytest.mark.parametrize("asked", [q for q in QUESTIONS if q.id.value not in PLANNED], ids=lambda q: q.id.value)
def test_each_answer_leads_elsewhere_in_some_pinned_situation(asked: Reading, parting: set[tuple[str, str]]) -> None:
    if isinstance(asked.answers, tuple):
        wanted = {(asked.id.value, a.id.value) for a in asked.answers if a.id.value != asked.default.value}
        assert not wanted - parting - ELSEWHERE.keys()
    else:
        assert len({a for r, a in parting if r == asked.id.value}) >= 2, "two of the numbers, at least"


def test_what_is_only_planned_says_so() -> None:
    assert [q.id.value for q in QUESTIONS if q.status is Status.PLANNED] == PLANNED


def test_nothing_is_excused_that_is_pinned(parting: set[tuple[str, str]]) -> None:
    assert not ELSEWHERE.keys() & parting
