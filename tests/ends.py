"""What each small situation leads to: every end, told by how its position differs from the first."""
from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.scenarios.subjects import open_table, subject_of
from rulewright.model.engine.state import State
from rulewright.spec.readers import read_scenario

MOST_STATES, MOST_TURNS, MOST_TOLD = 1_200, 3, 60
"""How far is looked, and how many ends are told; of the others there is one hash, so that they are pinned too."""


def leads_to_the_same_ends(path: Path, section: Callable[[str, str, str], None]) -> None:
    """Under each reading set that the scenario pins, the ends that are frozen beside the test."""
    scenario = read_scenario(path)
    told: list[str] = []
    for want in scenario.expect:
        readings = {r: a.value for r, a in want.readings.items()}
        subject = subject_of(open_table(scenario, readings), symmetry=False)
        out = explore(subject.engine, subject.starts, Limits(states=MOST_STATES, turns=MOST_TURNS))
        first = subject.starts[0].state
        told.append(", ".join(f"{r}: {a}" for r, a in sorted(readings.items())) or "default readings")
        ends: set[str] = set()
        for k in out.ends():
            last = out.states[k]
            assert last.end is not None
            changes = subject.describer.changes(State(first.slots, ()), State(last.slots, ()))
            said = "; ".join(sorted(c.en for c in changes)) or "as before"
            ends.add(f"  {subject.describer.ending(last.end).en}: {said}")
        told += sorted(ends)[:MOST_TOLD]
        if rest := sorted(ends)[MOST_TOLD:]:
            told.append(f"  and {len(rest)} more: {hashlib.sha256(chr(10).join(rest).encode()).hexdigest()[:16]}")
        told.append(f"  ends in all: {len(ends)}")
    section("ends.txt", path.stem, "\n".join(told) + "\n")
