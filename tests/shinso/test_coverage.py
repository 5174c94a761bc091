"""For each clause of the slice: how many of its marked places the shipped scenarios execute."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.executed import run_scenarios

NEVER = frozenset[str]()
"""Clauses with a place that no scenario executes."""


@pytest.mark.slow
def test_every_marked_place_is_executed(frozen: Callable[[str, str], None]) -> None:
    book, done = open_book("shinso"), run_scenarios("shinso")
    lines: list[str] = []
    missed: set[str] = set()
    for clause in sorted(book.places):
        there = [p for p in book.places[clause] if done.has_code(p, clause)]
        executed = [p for p in there if done.executes(p, clause)]
        if there:
            lines.append(f"{clause}: {len(executed)} of {len(there)}")
        if len(executed) < len(there):
            missed.add(clause)
    frozen("coverage.txt", "\n".join(lines) + "\n")
    assert missed == NEVER
