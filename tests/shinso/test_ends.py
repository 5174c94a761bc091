"""What each small situation leads to: every end, told by how its position differs from the first."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.subjects import open_table, subject_of
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.spec.readers import read_scenario

LARGE = {"full-game", "pass-only", "played-to-the-end", "burning-in-battle", "two-rims-at-once", "declarations-in-battle"}
SITUATIONS = [p for p in load_book("shinso").scenarios if p.stem not in LARGE and "life-card" not in p.stem]
MOST_STATES, MOST_ENDS = 1_200, 100


@pytest.mark.slow
@pytest.mark.parametrize("path", SITUATIONS, ids=lambda p: p.stem)
def test_a_situation_leads_to_these_ends(path: Path, frozen: Callable[[str, str], None]) -> None:
    scenario = read_scenario(path)
    told: list[str] = []
    for want in scenario.expect:
        readings = {r: a.value for r, a in want.readings.items()}
        subject = subject_of(open_table(scenario, readings), symmetry=False)
        out = explore(subject.engine, subject.starts, Limits(states=MOST_STATES, turns=3))
        first = out.states[0]
        told.append(", ".join(f"{r}: {a}" for r, a in sorted(readings.items())) or "default readings")
        ends: set[str] = set()
        for k in out.ends():
            last = out.states[k]
            assert last.end is not None
            changes = subject.describer.changes(State(first.slots, ()), State(last.slots, ()))
            ends.add(f"  {subject.describer.ending(last.end).en}: " + ("; ".join(sorted(c.en for c in changes)) or "as before"))
        told += sorted(ends)[:MOST_ENDS]
        told += [f"  ends in all: {len(ends)}"]
    frozen(f"{path.stem}.ends.txt", "\n".join(told) + "\n")
