"""What the tests of every rule book ask of its shipped scenarios."""
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rulewright.checks.findings.record import CheckResult
from rulewright.checks.runs import session
from rulewright.spec.readers import read_scenario


def finds_what_it_pins(path: Path, section: Callable[[str, str, str], None], symmetry: bool = True) -> None:
    """Under each reading set that the scenario pins, exactly the findings and numbers that it expects; the counts and ids of the whole are
    frozen beside the test: where equal cards are one, and (`symmetry` false, which takes longer) where they are told apart."""
    scenario = read_scenario(path)
    assert scenario.expect, "a scenario pins something"
    record: list[dict[str, Any]] = []
    for want, result in zip(scenario.expect, session.check(path, session.CheckOptions(symmetry=symmetry)), strict=True):
        assert want.findings is not None, "every reading set says what is found"
        assert result.readings.items() >= {r: v.value for r, v in want.readings.items()}.items()
        assert not result.unexpected, "\n".join(one.en for one in result.unexpected)
        record.append({
            "readings": dict(sorted(result.readings.items())), "states": result.bounds.states, "transitions": result.bounds.transitions,
            "complete": result.bounds.complete, "ends": sorted(result.outcomes), "findings": ids(result),
            "hints": [f.id for f in result.findings if not f.is_defect]})
    section("outcomes.txt" if symmetry else "apart.txt", path.stem, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in record))


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
