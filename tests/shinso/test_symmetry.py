"""Equal cards of the shipped scenarios really are interchangeable: permuting them commutes with what can happen next."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

from ..symmetric import SHARE, has_equal_cards, permuting_commutes, some_quick

SCENARIOS = [p for p in load_book("shinso").scenarios if not read_scenario(p).policy]
"""A policy that takes whatever comes first tells equal cards apart."""


@pytest.mark.parametrize("path", some_quick(SCENARIOS), ids=lambda p: p.stem)
def test_a_random_permutation_of_equal_cards_commutes_with_successors(path: Path) -> None:
    permuting_commutes(path, steps=12 if path.stem != "full-game" else 4)


def test_one_of_the_quick_scenarios_has_equal_cards() -> None:
    assert any(has_equal_cards(path) for path in SCENARIOS[::SHARE])


@pytest.mark.slow
def test_scenarios_do_have_equal_cards() -> None:
    assert sum(has_equal_cards(path) for path in SCENARIOS) >= 20
