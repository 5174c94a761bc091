"""What a path knows of a condition is what stands in its own chain, whichever paths went on from where."""
from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from rulewright.checks.smt import truths as t
from rulewright.checks.smt.states import Path

CONDITIONS = [z3.Bool(f"c{k}") for k in range(4)]
STEPS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(CONDITIONS), st.booleans()), max_size=30)
"""From which path one goes on, with which condition, and whether negated."""


def by_walking(path: Path, condition: t.Truth) -> bool | None:
    at: Path | None = path
    while at is not None:
        if not isinstance(at.condition, bool):
            if t.same(at.condition, condition):
                return True
            if t.opposite(at.condition, condition):
                return False
        at = at.parent
    return None


@given(STEPS)
def test_a_path_knows_what_stands_in_its_chain_and_nothing_of_the_paths_beside_it(steps: list[tuple[int, z3.BoolRef, bool]]) -> None:
    paths = [Path(None, True)]
    for k, condition, negated in steps:
        paths.append(paths[k % len(paths)].plus(t.no(condition) if negated else condition))
    for path in paths:
        for condition in CONDITIONS:
            assert path.known(condition) is by_walking(path, condition)
            assert path.known(t.no(condition)) is by_walking(path, t.no(condition))


def test_two_ways_on_from_one_path_know_nothing_of_each_other() -> None:
    a, b, c, _ = CONDITIONS
    fork = Path(None, True).plus(a)
    one, other = fork.plus(b), fork.plus(c)
    assert one.known(b) is True and one.known(c) is None
    assert other.known(c) is True and other.known(b) is None
    assert fork.known(b) is None and fork.known(t.no(a)) is False
