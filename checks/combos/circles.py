"""Circles of three and four cards, each of which gives the next one something.

An edge has a positive value (`-inf`: there is none). What a circle comes to is all its edges together, by `join`: their sum, or the least of them.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

MIDDLES = 16
"""Ways from one card over one more to a third, of which circles of four are made: the best ones."""
Edges = NDArray[np.float32]
Join = Callable[[Edges, Edges], Edges]
Valued = tuple[NDArray[np.float32], NDArray[np.int64]]
"""Values, and the cards of each."""


def threes(edges: Edges, join: Join) -> Iterator[Valued]:
    """All circles of three cards."""
    for x in range(len(edges)):
        value = join(edges[x, x + 1:, None], join(edges[x + 1:, x + 1:], edges[x + 1:, x]))
        y, z = np.nonzero(value > 0)
        yield value[y, z], np.column_stack([np.full_like(y, x), y + x + 1, z + x + 1])


def fours(edges: Edges, join: Join) -> Iterator[Valued]:
    """Circles of four cards, of the best ways from one to the one opposite and back."""
    middles = [np.argsort(-join(row, edges.T), axis=1, kind="stable")[:, :MIDDLES] for row in edges]  # from x: for each z, those between
    for x in range(len(edges) - 1):
        z = np.arange(x + 1, len(edges))
        there, back = middles[x][z], np.stack([middles[k][x] for k in z])
        go, come = join(edges[x, there], edges[there, z[:, None]]), join(edges[z[:, None], back], edges[back, x])
        value = join(go[:, :, None], come[:, None, :])
        k, i, j = np.nonzero((value > 0) & (there[:, :, None] != back[:, None, :]))
        yield value[k, i, j], np.column_stack([np.full_like(k, x), there[k, i], z[k], back[k, j]])


CIRCLES: Mapping[int, Callable[[Edges, Join], Iterator[Valued]]] = {3: threes, 4: fours}


def best(parts: Iterator[Valued], many: int, most: int) -> Valued:
    """The highest values, at most so many, with the cards (of so `many`) of each: each set of cards once."""
    values, cards, keys = np.empty(0, np.float32), np.empty((0, 0), np.int64), np.empty(0, np.int64)
    least = -np.inf
    for value, of in parts:
        above = value > least  # of equal ones those that came first stay
        value, of = value[above], of[above]
        first = np.argsort(-value, kind="stable")[:most]
        of = np.sort(of[first], axis=1)
        values, cards = np.concatenate([values, value[first]]), np.concatenate([cards.reshape(-1, of.shape[1]), of])
        keys = np.concatenate([keys, of @ many ** np.arange(of.shape[1])])
        if len(values) > 4 * most:
            taken = highest(values, keys, most)
            values, cards, keys = values[taken], cards[taken], keys[taken]
            least = values[-1] if len(values) == most else least
    taken = highest(values, keys, most)
    return values[taken], cards[taken]


def highest(values: NDArray[np.float32], keys: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Where the highest values are, the first of each key."""
    order = np.argsort(-values, kind="stable")
    _, once = np.unique(keys[order], return_index=True)
    return order[np.sort(once)[:most]]
