"""Circles of edges: the best ones, against trying all."""
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from rulewright.checks.combos import circles
from rulewright.checks.combos.circles import CIRCLES, Edges, best

MANY = 9


def some_edges(seed: int, share: float = 0.5) -> Edges:
    luck = np.random.default_rng(seed)
    edges = np.where(luck.random((MANY, MANY)) < share, luck.integers(1, 50, (MANY, MANY)), -np.inf).astype(np.float32)
    np.fill_diagonal(edges, -np.inf)
    return edges


def by_trying_all(edges: Edges, size: int, together: Callable[..., float]) -> dict[tuple[int, ...], float]:
    out: dict[tuple[int, ...], float] = {}
    for round_ in permutations(range(len(edges)), size):
        value = together([float(edges[a, b]) for a, b in zip(round_, (*round_[1:], round_[0]), strict=True)])
        if value > 0 and all(edges[a, b] > 0 for a, b in zip(round_, (*round_[1:], round_[0]), strict=True)):
            key = tuple(sorted(round_))
            out[key] = max(value, out.get(key, 0.0))
    return out


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_circles_are_those_that_trying_all_finds(size: int, seed: int) -> None:
    edges = some_edges(seed)
    for join, together in ((np.add, sum), (np.minimum, min)):
        values, cards = best(CIRCLES[size](edges, join), MANY, 10_000)
        found = {tuple(map(int, c)): float(v) for v, c in zip(values, cards, strict=True)}
        assert found == by_trying_all(edges, size, together)
        assert list(values) == sorted(values, reverse=True)


def test_of_many_circles_the_highest_are_kept_and_each_set_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circles, "MIDDLES", 3)
    edges = some_edges(1, 0.9)
    everything = by_trying_all(edges, 3, sum)
    values, cards = best(CIRCLES[3](edges, np.add), MANY, 5)
    assert [float(v) for v in values] == sorted(everything.values(), reverse=True)[:5]
    assert len({tuple(c) for c in cards.tolist()}) == 5
    fours = by_trying_all(edges, 4, sum)
    values, cards = best(CIRCLES[4](edges, np.add), MANY, 10_000)  # only of the best ways between two cards: each is a circle, and the best one is there
    assert all(float(v) <= fours[tuple(map(int, c))] for v, c in zip(values, cards, strict=True)) and float(values[0]) == max(fours.values())


def test_where_nothing_goes_round_there_is_no_circle() -> None:
    edges = np.where(np.triu(np.ones((MANY, MANY)), 1) > 0, 1.0, -np.inf).astype(np.float32)
    for size in (3, 4):
        assert len(best(CIRCLES[size](edges, np.add), MANY, 10)[0]) == 0
