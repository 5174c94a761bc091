"""Equal cards of the shipped scenarios really are interchangeable: permuting them commutes with what can happen next."""
from __future__ import annotations

import random

import pytest

from rulewright.checks.explore.symmetry import Symmetry
from rulewright.checks.subjects import open_table, subject_of
from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

SCENARIOS = [p for p in load_book("ts_fight").scenarios if p.stem not in ("pass-only", "full-game")]


def shuffled(symmetry: Symmetry, luck: random.Random) -> list[int]:
    perm = list(symmetry.identity)
    for cards in symmetry.classes:
        others = list(cards)
        luck.shuffle(others)
        for card, other in zip(cards, others, strict=True):
            perm[card] = other
    return perm


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: p.stem)
def test_a_random_permutation_of_equal_cards_commutes_with_successors(path) -> None:
    scenario = read_scenario(path)
    subject = subject_of(open_table(scenario, scenario.expect[0].readings), symmetry=True)
    if subject.symmetry is None:
        return
    luck = random.Random(path.stem)
    state = subject.starts[0].state
    for _ in range(12):
        assert subject.symmetry.commutes(subject.engine, state, shuffled(subject.symmetry, luck))
        options = subject.engine.options(state)
        state = subject.engine.apply(state, luck.choice(options)).state if options else subject.starts[0].state


def test_scenarios_do_have_equal_cards() -> None:
    with_classes = 0
    for path in SCENARIOS:
        scenario = read_scenario(path)
        subject = subject_of(open_table(scenario, scenario.expect[0].readings), symmetry=True)
        with_classes += subject.symmetry is not None and bool(subject.symmetry.classes)
    assert with_classes >= 5
