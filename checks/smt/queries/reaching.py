"""From possible to really happening: does a play from the preparation of a game come to it?

The book's scenarios that begin with preparation are explored, within bounds that are said.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....model.engine.library import load_book
from ....model.engine.table import DEFAULT_ENTRY
from ....spec.readers import Scenario, read_scenario
from ....spec.text import Text
from ...explore.explorer import Limits
from ...findings.record import Certainty, Finding
from ...scenarios.checking import check_subject
from ...scenarios.subjects import open_table, subject_of


def reached(
    book: str, findings: Sequence[Finding], states: int, seconds: float | None, stop: Callable[[], bool] | None = None,
) -> list[Finding]:
    """The findings; those that a play from preparation comes to are told with it. The others say how far was looked."""
    begun = [s for s in map(read_scenario, load_book(book).scenarios) if begins_with_setup(s)]
    return [reached_from(f, begun, states, seconds, stop) for f in findings]


def begins_with_setup(scenario: Scenario) -> bool:
    return scenario.begin is None or scenario.begin.value == DEFAULT_ENTRY


def reached_from(
    finding: Finding,
    scenarios: Sequence[Scenario],
    states: int,
    seconds: float | None,
    stop: Callable[[], bool] | None,
) -> Finding:
    for scenario in scenarios:
        if stop is not None and stop():
            break
        subject = subject_of(open_table(scenario, finding.readings), True)
        limits = Limits(states, scenario.bounds.depth, scenario.bounds.turns, seconds, stop=stop)
        for found in check_subject(subject, limits).findings:
            same = found.cls is finding.cls and set(found.clauses) == set(finding.clauses)
            if same and found.certainty is Certainty.FROM_SETUP:
                return found
    note = Text(
        ja=f"準備から始まる状況 {len(scenarios)} 件を、それぞれ局面 {states:,} まで調べましたが、ここに至る手順は見つかっていません",
        en=f"{len(scenarios)} scenarios that begin with preparation were searched, each up to {states:,} positions: no play that "
           "comes here was found")
    return replace(finding, bounds=replace(finding.bounds, notes=(*finding.bounds.notes, note)))
