"""Hashes of keys, and where in a table they belong."""

from __future__ import annotations

import numpy as np

from .calling import njit


@njit(inline="always")
def mixed(words, first, n):
    """A hash of some words."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for k in range(n):
        h = (h ^ words[first + k]) * np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(29))


@njit(cache=True)
def hash_of(words):
    """The hash of a key."""
    return mixed(words, 0, words.size)


@njit(inline="always")
def place_of(h, size):
    """Where in a table of that size a hash belongs."""
    return np.int64(((h >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@njit(inline="always")
def tag_of(h, low):
    """The bits of the hash that stand above the number in the table."""
    return np.uint32(h & np.uint64(0xFFFFFFFF)) & ~low


@njit(inline="always")
def low_bits(bits):
    """The bits of a table word that are a number."""
    return np.uint32((np.uint64(1) << np.uint64(32 - bits)) - np.uint64(1))


@njit(inline="always")
def are_equal(a, first, b, second, n):
    """Are these words the same?"""
    same = True
    for x in range(n):
        if a[first + x] != b[second + x]:
            same = False
            break
    return same
