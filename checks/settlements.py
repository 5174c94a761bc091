"""How the book's readings would settle a finding, and what is known of that from the reading sets that were checked."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..model.engine.library import book_names, load_book
from ..spec.book import Numbers, Reading, Status
from ..spec.text import Text
from .findings.identity import Defect, defect
from .findings.record import CheckResult, Finding, FindingClass, Settlement

MOST_ANSWERS = 3
"""Suggested numbers that are offered of a reading whose answers are numbers."""


def with_settlements(results: Sequence[CheckResult]) -> list[CheckResult]:
    """The results of one scenario under several reading sets, each finding with the readings that bear on it."""
    return [replace(r, findings=tuple(settled(f, r, results) for f in r.findings)) for r in results]


def settled(finding: Finding, result: CheckResult, results: Sequence[CheckResult]) -> Finding:
    """The finding with every other answer of the readings about what makes it happen."""
    if finding.hint or finding.cls in (FindingClass.DEFECT, FindingClass.READINGS):
        return finding
    now = answers(result)
    options = [(r, a, gist) for r in bearing_on(finding) for a, gist in answers_of(r) if a != now.get(r.id.value)]
    return replace(finding, settlements=tuple(
        Settlement(r.id.value, a, r.question, gist, *effect_anywhere(finding, result, r.id.value, a, results))
        for r, a, gist in options))


def bearing_on(finding: Finding) -> Iterable[Reading]:
    """The modelled readings about a finding: those about its decisive clause (of a conflict: any of its clauses), and
    those that it names."""
    if finding.book not in book_names():
        return
    decisive = set(finding.clauses if finding.cls is FindingClass.CONFLICT else finding.clauses[:1])
    for reading in load_book(finding.book).readings.values():
        about = any(c.value in decisive for c in reading.clauses)
        if reading.status is Status.MODELLED and (about or reading.id.value in finding.readings):
            yield reading


def answers_of(reading: Reading) -> list[tuple[str, Text]]:
    """The answers of a reading with their gists; of numbers, those that are suggested."""
    if isinstance(reading.answers, Numbers):
        return [(str(n.value), Text.same(str(n.value))) for n in reading.answers.suggested[:MOST_ANSWERS]]
    return [(a.id.value, a.gist) for a in reading.answers]


def answers(result: CheckResult) -> dict[str, str]:
    """All readings that a result holds under: those given, and the defaults of the others."""
    known: Mapping[str, Reading] = load_book(result.book).readings if result.book in book_names() else {}
    return {**{name: r.default.value for name, r in known.items()}, **result.readings}


def effect(
    finding: Finding, result: CheckResult, under: Mapping[str, str], results: Sequence[CheckResult]
) -> tuple[str, int]:
    """What became of the finding under these readings, if they were checked, and how many findings came with them."""
    other = next((r for r in results if answers(r) == under), None)
    if other is None or not (other.bounds.complete or defect(finding) in real(other)):
        return "not checked", 0
    return "remains" if defect(finding) in real(other) else "resolved", len(real(other).keys() - real(result).keys())


def effect_anywhere(
    finding: Finding, result: CheckResult, reading: str, answer: str, results: Sequence[CheckResult]
) -> tuple[str, int, Mapping[str, str]]:
    """The effect of an answer; where it was not checked with the other answers of the finding, what it was with others under
    which the same is found, and which those are."""
    own = answers(result)
    for at in (result, *results):
        if defect(finding) not in real(at):
            continue
        said, new = effect(finding, at, {**answers(at), reading: answer}, results)
        if said != "not checked" and (at is result or answers(at).get(reading) == own.get(reading)):
            return said, new, {name: a for name, a in answers(at).items() if own.get(name) != a}
    return "not checked", 0, {}


def real(result: CheckResult) -> dict[Defect, Finding]:
    """The defects in a result, hints aside, each with the first finding of it."""
    found: dict[Defect, Finding] = {}
    for finding in result.findings:
        if not finding.hint:
            found.setdefault(defect(finding), finding)
    return found
