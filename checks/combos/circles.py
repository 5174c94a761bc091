"""Circles of two to four cards, each of which gives the next one something.

What a circle comes to is the values of its links together; the weakest counts half, since it may go through the rules, which no text says.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIDDLES = 16
"""Ways from one card over one more to a third, of which circles of four are made: the best ones."""
Links = NDArray[np.floating[Any]]
Valued = tuple[Links, Callable[[tuple[NDArray[np.int64], ...]], NDArray[np.int64]]]
"""Values, and the cards that belong to some of them (by where these stand)."""


def links_of(weights: NDArray[np.float64]) -> Links:
    """The value of each link: how far in front it stands among those of the one card to others, and among those to the other card (the logarithms of its
    places), so that links of different kinds can be compared."""
    def places(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        at = np.empty_like(rows)
        for k, row in enumerate(rows):
            high = np.sort(row)
            at[k] = len(row) - (np.searchsorted(high, row, "left") + np.searchsorted(high, row, "right") - 1) / 2
        return at
    between = weights.copy()
    np.fill_diagonal(between, 0)
    return np.asarray(np.log2(len(between)) - np.log2(places(between) * places(between.T).T) / 2, np.float32)


def twos(links: Links) -> Iterator[Valued]:
    """All pairs."""
    for x in range(len(links) - 1):
        go, come = links[x, x + 1:], links[x + 1:, x]
        yield (
            go + come - np.minimum(go, come) / 2,
            lambda at, x=x: np.column_stack([np.full_like(at[0], x), at[0] + x + 1]),
        )


def threes(links: Links) -> Iterator[Valued]:
    """All circles of three cards."""
    for x in range(len(links) - 2):
        first, more, last = links[x, x + 1:, None], links[x + 1:, x + 1:], links[x + 1:, x]
        value = first + more + last - np.minimum(np.minimum(first, more), last) / 2
        np.fill_diagonal(value, -np.inf)
        yield value, lambda at, x=x: np.column_stack([np.full_like(at[0], x), at[0] + x + 1, at[1] + x + 1])


def fours(links: Links) -> Iterator[Valued]:
    """Circles of four cards, of the best ways from one to the one opposite and back."""
    n = len(links)
    own = np.where(np.eye(n, dtype=bool), -np.inf, links)
    middles = [
        np.argsort(-(row + own.T), axis=1, kind="stable")[:, :MIDDLES] for row in own
    ]  # from x: for each z, those between
    for x in range(n - 3):
        z = np.arange(x + 1, n)
        there, back = middles[x][z], np.stack([middles[k][x] for k in z])
        four = own[x, there], own[there, z[:, None]], own[z[:, None], back], own[back, x]
        go, come, weak, weaker = four[0] + four[1], four[2] + four[3], np.minimum(*four[:2]), np.minimum(*four[2:])
        value = (
            go[:, :, None] + come[:, None, :] - np.minimum(weak[:, :, None], weaker[:, None, :]).clip(0) / 2
        )  # to itself a card has no link
        value[there[:, :, None] == back[:, None, :]] = -np.inf
        yield value, lambda at, x=x, z=z, there=there, back=back: np.column_stack(
            [np.full_like(at[0], x), there[at[0], at[1]], z[at[0]], back[at[0], at[2]]])


CIRCLES: Mapping[int, Callable[[Links], Iterator[Valued]]] = {2: twos, 3: threes, 4: fours}


def best(parts: Iterator[Valued], many: int, most: int) -> tuple[Links, NDArray[np.int64]]:
    """The highest values, at most so many, with the cards (of so `many`) of each: each set of cards once."""
    values, cards, keys = np.empty(0, np.float32), np.empty((0, 0), np.int64), np.empty(0, np.int64)
    least = -np.inf
    for value, cards_at in parts:
        at = np.nonzero(value > least)  # of equal ones those that came first stay
        first = np.argsort(-value[at], kind="stable")[:most]
        at = tuple(k[first] for k in at)
        of = np.sort(cards_at(at), axis=1)
        values, cards = np.concatenate([values, value[at]]), np.concatenate([cards.reshape(-1, of.shape[1]), of])
        keys = np.concatenate([keys, of @ many ** np.arange(of.shape[1])])
        if len(values) > 4 * most:
            taken = highest(values, keys, most)
            values, cards, keys = values[taken], cards[taken], keys[taken]
            least = values[-1] if len(values) == most else least
    taken = highest(values, keys, most)
    return values[taken], cards[taken]


def highest(values: Links, keys: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Where the highest values are, the first of each key."""
    order = np.argsort(-values, kind="stable")
    _, once = np.unique(keys[order], return_index=True)
    return order[np.sort(once)[:most]]
