"""How many marked places of each clause the shipped scenarios execute: what is executed no more is noticed here."""
from __future__ import annotations

import json
from collections.abc import Callable

from rulewright.checks.register.books import open_book
from rulewright.checks.register.executed import run_scenarios

NEVER_EXECUTED: frozenset[str] = frozenset()
"""Clauses with a place that no shipped scenario executes, and why that is so stands beside each."""


def test_the_places_of_each_clause_that_scenarios_execute(frozen: Callable[[str, str], None]) -> None:
    done = run_scenarios("harem_master")
    record: dict[str, str] = {}
    missing: dict[str, list[str]] = {}
    for clause, places in open_book("harem_master").places.items():
        with_code = [p for p in places if done.has_code(p, clause)]
        if with_code:
            executed = [p for p in with_code if done.executes(p, clause)]
            record[clause] = f"{len(executed)} of {len(with_code)}"
            if len(executed) < len(with_code):
                missing[clause] = [f"{p.file}:{p.first}" for p in with_code if p not in executed]
    assert missing.keys() == NEVER_EXECUTED, missing
    assert len(record) > 70
    frozen("coverage.json", json.dumps(record, indent=1) + "\n")
