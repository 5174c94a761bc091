"""What the tests of the rule books ask of equal cards: that they really are interchangeable."""
from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.explore.subject import Subject
from rulewright.checks.explore.symmetry import Symmetry
from rulewright.checks.scenarios.subjects import open_table, subject_of
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.spec.readers import read_scenario


def permuting_commutes(path: Path, steps: int = 12) -> None:
    """Along a random play of so many steps, permuting equal cards commutes with what can happen next."""
    subject = subject_with_symmetry(path)
    if subject.symmetry is None:
        return
    luck = random.Random(path.stem)
    state = subject.starts[0].state
    for _ in range(steps):
        assert commutes(subject.symmetry, subject.engine, state, shuffled(subject.symmetry, luck))
        options = subject.engine.options(state)
        state = subject.engine.apply(state, luck.choice(options)).state if options else subject.starts[0].state


def commutes(symmetry: Symmetry, engine: Interpreter, state: State, perm: Sequence[int]) -> bool:
    """Do the same things happen, permuted, in the permuted state? If not, the rules tell cards apart."""
    twin = symmetry.permute(state, perm)
    here, there = engine.point(state), engine.point(twin)
    if here is None or there is None:
        return here is there
    mine = {symmetry.permute_option(here.type, o, perm): (w, o) for o, w in zip(here.options, here.weights, strict=True)}
    if here.owner != there.owner or {o: w for o, (w, _) in mine.items()} != dict(zip(there.options, there.weights, strict=True)):
        return False
    for image, (_, option) in mine.items():
        a, b = engine.apply(state, option), engine.apply(twin, image)
        if a.crossing != b.crossing or symmetry.permute(a.state, perm) != b.state:
            return False
    return True


SHARE = 4
"""Of so many scenarios one is quick to be asked of; the others are evidence."""


def some_quick(scenarios: Sequence[Path]) -> list[Any]:
    """The scenarios for a parametrised test, those that are asked of only among slow tests marked so."""
    return [path if k % SHARE == 0 else pytest.param(path, marks=pytest.mark.slow) for k, path in enumerate(scenarios)]


def has_equal_cards(path: Path) -> bool:
    """Are there cards that could be permuted?"""
    symmetry = subject_with_symmetry(path).symmetry
    return symmetry is not None and bool(symmetry.classes)


def subject_with_symmetry(path: Path) -> Subject:
    """The scenario under the first reading set that it pins."""
    scenario = read_scenario(path)
    return subject_of(open_table(scenario, scenario.expect[0].readings), symmetry=True)


def shuffled(symmetry: Symmetry, luck: random.Random) -> list[int]:
    """A permutation by lot of the cards that are equal."""
    perm = list(symmetry.identity)
    for cards in symmetry.classes:
        others = list(cards)
        luck.shuffle(others)
        for card, other in zip(cards, others, strict=True):
            perm[card] = other
    return perm
