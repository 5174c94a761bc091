"""What the tests of the rule books ask of their marks: which marked places the shipped scenarios execute."""
from __future__ import annotations

import json
from collections.abc import Callable, Set

from rulewright.checks.register.books import open_book
from rulewright.checks.register.executed import STATES, run_scenarios


def every_place_is_executed(
    book: str, frozen: Callable[[str, str], None], states: int = STATES, never: Set[str] = frozenset(),
) -> int:
    """Every marked place that has code is executed by some shipped scenario, but for some of each clause in `never`.
    How many they are, clause by clause, is frozen beside the test. Gives the number of clauses."""
    done = run_scenarios(book, states)
    record: dict[str, str] = {}
    missing: dict[str, list[str]] = {}
    for clause, places in open_book(book).places.items():
        with_code = [p for p in places if done.has_code(p, clause)]
        left = [f"{p.file}:{p.first} {p.rule}" for p in with_code if not done.executes(p, clause)]
        if with_code:
            record[clause] = f"{len(with_code) - len(left)} of {len(with_code)}"
        if left:
            missing[clause] = left
    assert missing.keys() == never, missing
    frozen("coverage.json", json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    return len(record)
