"""States told apart by 64 bits of a hash: what that may miss, and how a state is found again.

Only the keys of states that have not been looked at are kept. A state that somebody asks for is made again: its parent,
and the option by which it was first found, lead back to a first state. Its hash must be the one that was stored.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import layout
from .engine import Call4, Native
from .hashing import hash_of

KEPT = 50_000
"""Keys kept at a time."""


def omission(states: int) -> float:
    """The probability, at most, that some state was taken for another and left out: so many states, each with a hash of
    64 bits (birthday bound, for a hash that behaves like chance)."""
    return min(1.0, states * (states - 1) / 2 / 2**64)


class Remade:
    """The keys of a search with fingerprints, from its arrays of states (`parent`, `prints`)."""

    def __init__(self, native: Native, array: Callable[[str], np.ndarray]) -> None:
        self.native, self.array = native, array
        self.first: dict[int, list[int]] = {}
        """The first states."""
        self.kept: dict[int, list[int]] = {}
        self.records = np.zeros(1 << 16, np.uint64)
        self.successors = Call4(native.compiled.address["successors"])

    def key(self, k: int) -> list[int]:
        """The words of a state."""
        way: list[int] = []
        parent = self.array("parent")
        while k not in self.first and k not in self.kept:
            way.append(k)
            k = int(parent[k])
        key = self.first[k] if k in self.first else self.kept[k]
        for to in reversed(way):
            key = self.lead(k, key, to)
            k = to
            if len(self.kept) > KEPT:
                self.kept.clear()
            self.kept[k] = key
        return key

    def lead(self, k: int, key: list[int], to: int) -> list[int]:
        """The successor of a state that has that number."""
        words = np.array([*key, 0, 0], np.uint64)
        while True:
            n = self.successors(self.native.context, words.ctypes.data, self.records.ctypes.data, self.records.size - 8)
            if n >= 0:
                break
            self.records = np.zeros(2 * self.records.size, np.uint64)
        wanted, at = int(self.array("prints")[to]), 0
        for _ in range(n):
            size, how = int(self.records[at]), int(self.records[at + 2])
            at += layout.HEAD_WORDS
            if how not in (layout.LEFT_BOUND, layout.BEYOND) and hash_of(self.records[at:at + size]) == wanted:
                return [int(x) for x in self.records[at:at + size]]
            at += size
        raise AssertionError(f"state {to} is no successor of {k}")
