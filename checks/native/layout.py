"""What lies where in the memory of a breadth-first search: the words of `run` and of a block, and the arrays."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .calling import njit

(
    COUNT,
    NEXT,
    WORDS,
    EDGES,
    CUT,
    LIMIT_STATES,
    LIMIT_DEPTH,
    LIMIT_TURNS,
    FIXED,
    TRANSITIONS,
    TAG_BITS,
    LEFT,
    PRINTS,
    PACKED,
    NODES,
) = range(15)
"""Words of `run`: states known, states looked at, words of their keys, edges; what limit was met (DEPTH_CUT, TURNS_CUT);
the limits (-1: none); words of a key if all have the same; transitions made; bits of the hash in the table; transitions
that left a bound; are hashes of all states kept, and are they all that tells states apart (`ONLY_HASHES`) or a first look
(`HASHES_FIRST`)? are keys packed as trees (`tree`), and of how many nodes?"""
RUN_WORDS = 16
ONLY_HASHES, HASHES_FIRST = 1, 2
MORE_TIME, DONE, NEED_SPACE, NEED_ROOM, GAVE_UP, CUT_STATES = range(6)
"""Why `search` came back: its budget is used up, all is done, arrays are to be made larger, or the room for records;
compiled code gave up at state NEXT; the limit on states."""
DEPTH_CUT, TURNS_CUT = 1, 2
HEAD_WORDS = 3
ENDED, LEFT_BOUND, BEYOND = 1, 2, 3
TURN = 3
"""The scope of a turn."""
FRONTIER = -5
OUTSIDE = -1
"""The target of an edge that leaves a bound."""
FRESH, OUT = 0xFFFFFFFF, 0xFFFFFFFE
"""Of a slot, instead of a number: the first with a new key; it left a bound."""
WINDOW = 64
"""Slots for which memory is asked for at a time."""
STATES, SLOTS, FIRST, WHY, KEY_WORDS, BASE, BASE_WORDS, BASE_EDGES = range(8)
"""Words of a block: its states, its slots, the first state; why it stopped early; words of its keys; the first number of
its new states, where their keys go, and its edges."""
BLOCK_WORDS = 8


class Known(NamedTuple):
    """The arrays of a search. `ended`, `depth`, `turns` are kept if there is room in them; the edges likewise, else the
    parents; with fingerprints, both, and the hashes of all states."""

    table: np.ndarray
    keys: np.ndarray
    offsets: np.ndarray
    prints: np.ndarray
    parent: np.ndarray
    ended: np.ndarray
    depth: np.ndarray
    turns: np.ndarray
    owner: np.ndarray
    first_edge: np.ndarray
    target: np.ndarray
    crossing: np.ndarray
    nodes: np.ndarray
    node_table: np.ndarray


class Batch(NamedTuple):
    """Records and slots of a batch: each block has the same share of each. `fresh`: for each shard and block, how many
    new states, and words of their keys. `sizes`: words of records, slots, states of a block; shards."""

    records: np.ndarray
    hashes: np.ndarray
    where: np.ndarray
    found: np.ndarray
    place: np.ndarray
    counts: np.ndarray
    owners: np.ndarray
    blocks: np.ndarray
    fresh: np.ndarray
    sizes: np.ndarray


@njit(inline="always")
def key_of(fixed, offsets, k):
    """Where the key of a state begins, and its words."""
    if fixed:
        return k * fixed, fixed
    first = np.int64(offsets[k])
    return first, np.int64(offsets[k + 1]) - first
