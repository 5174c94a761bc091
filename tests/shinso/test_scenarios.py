"""Every shipped scenario of shinso: exactly the findings it pins, under each reading set."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.model.engine.library import load_book

from ..pinned import controls_are_silent, finds_what_it_pins

SCENARIOS = load_book("shinso").scenarios
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
