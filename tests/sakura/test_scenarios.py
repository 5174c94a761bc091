"""Every shipped scenario of sakura: exactly the findings it pins, under each reading set."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.model.engine.library import load_book
from rulewright.spec.readers import Expectation, Status, read_scenario

from ..pinned import controls_are_silent, finds_what_it_pins

SCENARIOS = load_book("sakura").scenarios
PLAYED = [p for p in SCENARIOS if p.stem != "full-game"]


@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_a_scenario_finds_exactly_what_it_pins(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section)


@pytest.mark.slow
@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_cards_that_are_told_apart_come_to_the_same(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section, symmetry=False)


def test_controls_find_nothing() -> None:
    assert controls_are_silent(SCENARIOS) >= 8


def test_alternatives_of_every_modelled_reading_lead_to_different_play_in_some_scenario() -> None:
    """Each is asked in a scenario under two answers at least, and the pinned ends or findings differ."""
    parted: set[str] = set()
    for path in PLAYED:
        for want in (expect := read_scenario(path).expect):
            for name in want.readings:
                plain = next(e for e in expect if not e.readings)
                if told(plain) != told(want):
                    parted.add(name)
    modelled = {r.id.value for r in load_book("sakura").readings.values() if r.status is Status.MODELLED}
    assert parted == modelled
    assert len(modelled) >= 8


def told(e: Expectation) -> tuple[dict[str, int], list[str]]:
    """What is pinned: how many positions end how, and what is found."""
    return {how: n.value for how, n in (e.outcomes or {}).items()}, [f.cls.value for f in e.findings or ()]
