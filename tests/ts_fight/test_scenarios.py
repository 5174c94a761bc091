"""Every shipped scenario of ts_fight: exactly the findings it pins, under each reading set."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

from ..pinned import controls_are_silent, finds_what_it_pins

BOOK = load_book("ts_fight")
SCENARIOS = {p.stem: p for p in BOOK.scenarios}
PLAYED = [p for name, p in SCENARIOS.items() if name != "full-game"]


@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_a_scenario_finds_exactly_what_it_pins(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section)


@pytest.mark.slow
@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.stem)
def test_cards_that_are_told_apart_come_to_the_same(path: Path, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(path, section, symmetry=False)


def test_controls_find_nothing() -> None:
    assert controls_are_silent(list(SCENARIOS.values())) >= 8


def test_every_modelled_reading_has_a_scenario_that_takes_each_of_its_alternatives() -> None:
    taken = {
        (r, v.value)
        for path in PLAYED
        for want in read_scenario(path).expect
        for r, v in {**read_scenario(path).readings, **want.readings}.items()
    }
    for name, reading in BOOK.readings.items():
        if reading.status.value != "modelled":
            continue
        others = {a.id.value for a in reading.answers} - {reading.default.value}  # pyright: ignore
        assert {(name, a) for a in others} <= taken, name
