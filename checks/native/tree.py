"""Long keys as trees of shared nodes: what many states have in common is stored once.

A node is 16 bytes: two words of a key (a leaf), or the numbers of four nodes below. A key of n words has ⌈n/2⌉ leaves, a
quarter as many nodes above them, and so on until there are at most three; their numbers and n are its *root*, two words.
Equal nodes are one, so two keys are equal exactly if their roots are. Nodes are numbered as they first occur.
"""

from __future__ import annotations

import numpy as np

from .calling import njit

ROOT_WORDS = 2
MOST_WORDS = 4096
"""Words of the longest key that can be packed."""


@njit(inline="always")
def scratch(packed):
    """Room for a key, and for the numbers of the nodes of two levels; hardly any where no keys are packed."""
    n = MOST_WORDS if packed else 1
    return np.empty(n + 2, np.uint64), np.empty(2 * n + 8, np.uint32)


@njit(inline="always")
def node_hash(a, b):
    h = (a * np.uint64(0x9E3779B97F4A7C15)) ^ (b + np.uint64(0x7F4A7C15))
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@njit(inline="always")
def node_place(a, b, size):
    return np.int64(((node_hash(a, b) >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@njit(inline="always")
def has_node_space(count, nodes, table, words):
    """Is there room for the nodes of so many words of keys, whatever they are?"""
    most = words  # leaves are half as many, the others together less than a third of those
    return 2 * (count + most) + 8 <= nodes.size and 4 * (count + most) <= 3 * table.size


@njit(nogil=True, cache=True)
def fill_nodes(count, nodes, table):
    """Put all nodes into an empty table."""
    size = table.size
    for k in range(count):
        at = node_place(nodes[2 * k], nodes[2 * k + 1], size)
        while table[at]:
            at += 1
            if at == size:
                at = 0
        table[at] = k + 1


@njit(nogil=True, cache=True)
def pack(count, nodes, table, words, at, n, indices):
    """Put the root of a key in its place. How many nodes there are then; there must be room for them."""
    size = table.size
    many, level = (n + 1) // 2, 0
    while True:
        for j in range(many if level == 0 else (many + 3) // 4):
            if level == 0:
                a = words[at + 2 * j]
                b = words[at + 2 * j + 1] if 2 * j + 1 < n else np.uint64(0)
            else:
                x = 4 * j
                a = np.uint64(indices[x])
                if x + 1 < many:
                    a |= np.uint64(indices[x + 1]) << np.uint64(32)
                b = np.uint64(indices[x + 2]) if x + 2 < many else np.uint64(0)
                if x + 3 < many:
                    b |= np.uint64(indices[x + 3]) << np.uint64(32)
            place = node_place(a, b, size)
            while True:
                k = np.int64(table[place]) - 1
                if k < 0:
                    k = count
                    nodes[2 * k], nodes[2 * k + 1] = a, b
                    table[place] = k + 1
                    count += 1
                    break
                if nodes[2 * k] == a and nodes[2 * k + 1] == b:
                    break
                place += 1
                if place == size:
                    place = 0
            indices[j] = k
        if level:
            many = (many + 3) // 4
        level += 1
        if many <= 3:
            break
    words[at] = np.uint64(n)
    if many > 0:
        words[at] |= np.uint64(indices[0]) << np.uint64(32)
    words[at + 1] = np.uint64(indices[1]) if many > 1 else np.uint64(0)
    if many > 2:
        words[at + 1] |= np.uint64(indices[2]) << np.uint64(32)
    return count


@njit(nogil=True, cache=True)
def unpack(nodes, keys, root, plain, indices):
    """Lay a key out; how many words it has."""
    low = np.uint64(0xFFFFFFFF)
    half = indices.size // 2
    n = np.int64(keys[root] & low)
    leaves = (n + 1) // 2
    levels, many = 0, leaves
    while many > 3:
        many = (many + 3) // 4
        levels += 1
    here, there = 0, half  # the numbers of a level, and of the one below
    indices[0] = keys[root] >> np.uint64(32)
    indices[1] = keys[root + 1] & low
    indices[2] = keys[root + 1] >> np.uint64(32)
    for level in range(levels - 1, -1, -1):
        below = leaves
        for _ in range(level):
            below = (below + 3) // 4
        for j in range(many):
            k, to = 2 * np.int64(indices[here + j]), there + 4 * j
            a, b = nodes[k], nodes[k + 1]
            indices[to], indices[to + 1] = a & low, a >> np.uint64(32)
            indices[to + 2], indices[to + 3] = b & low, b >> np.uint64(32)
        here, there, many = there, here, below
    for j in range(leaves):
        k = 2 * np.int64(indices[here + j])
        plain[2 * j], plain[2 * j + 1] = nodes[k], nodes[k + 1]
    return n


@njit(nogil=True, cache=True)
def lay_out(nodes, keys, states, offsets, out):
    """The keys of some states, one behind the other; `offsets` has where each begins. Without room: only the offsets."""
    plain, indices = scratch(1)
    at = 0
    for x in range(len(states)):
        root = ROOT_WORDS * np.int64(states[x])
        offsets[x] = at
        if out.size:
            n = unpack(nodes, keys, root, plain, indices)
            out[at:at + n] = plain[:n]
        else:
            n = np.int64(keys[root] & np.uint64(0xFFFFFFFF))
        at += n
    offsets[len(states)] = at
