"""Circles of edges: the best ones, against trying all."""
from itertools import permutations

import numpy as np
import pytest

from rulewright.checks.combos import circles
from rulewright.checks.combos.circles import CIRCLES, Links, best, links_of

MANY = 9


def some_links(seed: int) -> Links:
    return np.random.default_rng(seed).integers(0, 50, (MANY, MANY)).astype(np.float32)


def by_trying_all(links: Links, size: int) -> dict[tuple[int, ...], float]:
    """What each set comes to at best: all its links, the weakest counted half."""
    out: dict[tuple[int, ...], float] = {}
    for round_ in permutations(range(len(links)), size):
        values = [float(links[a, b]) for a, b in zip(round_, (*round_[1:], round_[0]), strict=True)]
        key = tuple(sorted(round_))
        out[key] = max(sum(values) - min(values) / 2, out.get(key, 0.0))
    return out


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_circles_are_those_that_trying_all_finds(size: int, seed: int) -> None:
    links = some_links(seed)
    values, cards = best(CIRCLES[size](links), MANY, 10_000)
    assert {tuple(map(int, c)): float(v) for v, c in zip(values, cards, strict=True)} == by_trying_all(links, size)
    assert list(values) == sorted(values, reverse=True)


def test_of_many_circles_the_highest_are_kept_and_each_set_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circles, "MIDDLES", 3)
    links = some_links(1)
    values, cards = best(CIRCLES[3](links), MANY, 5)
    assert [float(v) for v in values] == sorted(by_trying_all(links, 3).values(), reverse=True)[:5]
    assert len({tuple(c) for c in cards.tolist()}) == 5
    fours = by_trying_all(links, 4)
    values, cards = best(CIRCLES[4](links), MANY, 10_000)  # only of the best ways between two cards: each is a circle
    assert all(float(v) <= fours[tuple(map(int, c))] for v, c in zip(values, cards, strict=True)) and len(values) < len(fours)


def test_a_link_is_worth_what_its_places_among_others_are() -> None:
    weights = np.array([[9.0, 5, 1, 1], [0, 9, 4, 0], [3, 0, 9, 0], [0, 0, 0, 9]])
    links = links_of(weights)
    assert links[0, 1] == 2.0 and links[1, 2] == 2.0  # first among those from the one and among those to the other: all of log2(4)
    assert links[2, 0] == 2.0 and links[0, 2] < links[1, 2]
    assert links[1, 0] < links[0, 3] < links[0, 1]  # what is nothing stands behind
    assert np.array_equal(links_of(10 * weights), links)  # only the order counts
