"""Which marked places the shipped scenarios execute, clause by clause."""
from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from rulewright.checks.register.books import BookFiles, open_book
from rulewright.checks.register.executed import Executed, run_scenarios


@pytest.fixture(scope="module")
def executed() -> Executed:
    return run_scenarios("sakura", 2_000)


@pytest.fixture(scope="module")
def book() -> BookFiles:
    return open_book("sakura")


def test_of_each_clause_so_many_places_are_executed(
    executed: Executed, book: BookFiles, frozen: Callable[[str, str], None],
) -> None:
    counts = {
        clause: sum(executed.executes(p, clause) for p in places)
        for clause, places in book.places.items()
        if any(executed.has_code(p, clause) for p in places)
    }
    frozen("coverage.json", json.dumps(counts, ensure_ascii=False, indent=1) + "\n")


def test_every_place_that_can_be_executed_is(executed: Executed, book: BookFiles) -> None:
    left = [
        f"{clause} {p.file}:{p.first} {p.rule}"
        for clause, places in book.places.items()
        for p in places
        if executed.has_code(p, clause) and not executed.executes(p, clause)
    ]
    assert left == []
