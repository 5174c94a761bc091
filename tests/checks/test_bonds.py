"""Cards bound to each other: states that differ by a permutation have one representative where it can be found."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rulewright.model.engine.state import State

from .equal_cards import Example, cards, random_perm, with_hosts
from .games_of_equal_cards import HOSTS


@pytest.mark.parametrize(("spec", "hosts"), [
    pytest.param("aaaaaa", [1, -1, 3, -1, -1, -1], id="two pairs"),
    pytest.param("aaaaaa", [1, 2, -1, 4, 5, -1], id="two chains"),
    pytest.param("aaaaaa", [1, 0, 3, 4, 2, -1], id="rings of two and three"),
    pytest.param("aaaaaa", [3, 3, 3, -1, -1, 5], id="three on one, one on itself"),
    pytest.param("aaaaaa", [1, 2, 0, 4, 5, 3], id="two rings of three"),
    pytest.param("aaabc", [3, 4, -1, -1, -1], id="on different others"),
    pytest.param("aaabc", [-1, -1, -1, 0, 1], id="under different others"),
    pytest.param("aaabbb", [3, 4, -1, -1, -1, 2], id="between two classes"),
])
def test_all_arrangements_of_the_same_bonds_are_one(spec: str, hosts: list[int]) -> None:
    example = Example(HOSTS, cards(spec)).ready()
    symmetry, state = example.symmetry, with_hosts(example, hosts)
    assert len({symmetry.canonical(symmetry.permute(state, p))[0] for p in example.perms}) == 1


def test_bonds_that_differ_stay_apart() -> None:
    example = Example(HOSTS, cards("aaaaaa")).ready()
    six, threes = with_hosts(example, [1, 2, 3, 4, 5, 0]), with_hosts(example, [1, 2, 0, 4, 5, 3])
    assert example.symmetry.canonical(six)[0] != example.symmetry.canonical(threes)[0]


def test_large_rings_may_stay_apart_but_are_never_confused() -> None:
    """Rings of three and of six: nine cards that colours do not tell apart, too many to try all."""
    example = Example(HOSTS, cards("aaaaaaaaa")).ready()
    symmetry, rnd = example.symmetry, Random(4)
    state = with_hosts(example, [1, 2, 0, 4, 5, 6, 7, 8, 3])
    found: set[State] = set()
    for _ in range(50):
        twin = symmetry.permute(state, random_perm(symmetry, rnd))
        representative, perm = symmetry.canonical(twin)
        assert representative == symmetry.permute(twin, perm)
        assert symmetry.canonical(representative)[0] == representative
        found.add(representative)
    assert len(found) == 2  # the ring of three has the low numbers, or the ring of six
    slots = example.program.layout.slots
    base = next(k for k, s in enumerate(slots) if s.name == "host[0]")
    for r in found:
        hosts = r.slots[base:base + 9]
        assert sorted(ring(hosts, c) for c in range(9)) == [3] * 3 + [6] * 6


def ring(hosts: Sequence[int], card: int) -> int:
    """How many steps it takes to come back to the card."""
    at, n = hosts[card], 1
    while at != card:
        at, n = hosts[at], n + 1
    return n
