"""What the tests of every rule book ask of its shipped scenarios."""
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rulewright.checks.findings.record import CheckResult
from rulewright.checks.runs import session
from rulewright.spec.readers import read_scenario


def finds_what_it_pins(path: Path, section: Callable[[str, str, str], None]) -> None:
    """Under each reading set that the scenario pins, exactly the findings and numbers that it expects, with and without
    symmetry (one search where no cards are equal); the counts and ids of the whole are frozen beside the test."""
    scenario = read_scenario(path)
    assert scenario.expect, "a scenario pins something"
    merged_all = session.check(path, session.CheckOptions())
    plain_all = session.check(path, session.CheckOptions(symmetry=False)) if any(r.symmetry for r in merged_all) else merged_all
    record: list[dict[str, Any]] = []
    for k, want in enumerate(scenario.expect):
        assert want.findings is not None, "every reading set says what is found"
        merged, plain = merged_all[k], plain_all[k]
        for result in (merged, plain):
            assert result.readings.items() >= {r: v.value for r, v in want.readings.items()}.items()
            assert not result.unexpected, "\n".join(one.en for one in result.unexpected)
        assert ids(merged) == ids(plain)
        assert merged.outcomes.keys() == plain.outcomes.keys()
        record.append({
            "readings": dict(sorted(merged.readings.items())), "states": plain.bounds.states,
            "transitions": plain.bounds.transitions, "states_with_symmetry": merged.bounds.states,
            "complete": plain.bounds.complete, "ends": sorted(plain.outcomes),
            "findings": ids(plain), "hints": [f.id for f in merged.findings if not f.is_defect]})
    section("outcomes.txt", path.stem, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in record))


def ids(result: CheckResult) -> list[str]:
    """The ids of what is wrong; hints and open questions aside."""
    return [f.id for f in result.findings if f.is_defect]


def controls_are_silent(scenarios: Sequence[Path]) -> int:
    """Every control that a scenario names expects nothing to be found. Gives their number."""
    read = {p.stem: read_scenario(p) for p in scenarios}
    named = [s.control.value for s in read.values() if s.control is not None]
    for control in named:
        assert read[control].expect and all(e.findings == () for e in read[control].expect), control
    return len(named)
