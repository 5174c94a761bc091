"""Breadth-first search over keys: which states there are, in the order in which the reference explorer finds them.

It knows nothing of rules: a state is some words, and a function at an address makes the records of its successors.
States are numbered as they are found; their keys lie one behind the other. The table has a 32-bit word for each
place: the number of a state plus one, and above it, as long as there is room, bits of its hash, so that a place taken
by another state is passed by without a look at its key. Several states are expanded before their successors are looked
up, so that memory is fetched meanwhile; the order of states and edges does not depend on it.

`run` holds what goes on from call to call, as words named below. The caller makes arrays larger when it is told to;
a state whose successors find no room is expanded once more.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .calling import call4, prefetch

COUNT, NEXT, WORDS, EDGES, CUT, LIMIT_STATES, LIMIT_DEPTH, LIMIT_TURNS, FIXED, TRANSITIONS, TAG_BITS, NEEDED, LEFT = range(13)
"""Words of `run`: states known, states looked at, words of their keys, edges; what limit was met (DEPTH_CUT, TURNS_CUT);
the limits (-1: none); words of a key if all have the same; transitions made; bits of the hash in the table; words of
records that were not enough; transitions that left a bound."""
RUN_WORDS = 16
MORE_TIME, DONE, NEED_SPACE, NEED_ROOM, GAVE_UP, CUT_STATES = range(6)
"""Why `search` came back: its budget is used up, all is done, arrays are to be made larger, or the room for records;
compiled code gave up at state NEXT; the limit on states."""
DEPTH_CUT, TURNS_CUT = 1, 2
AHEAD = 16
"""States expanded before their successors are looked up."""
HEAD_WORDS = 3
ENDED, LEFT_BOUND, BEYOND = 1, 2, 3
TURN = 3
"""The scope of a turn."""
FRONTIER = -5
OUTSIDE = -1
"""The target of an edge that leaves a bound."""


@njit(inline="always")
def mixed(words, first, n):
    """A hash of some words."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for k in range(n):
        h = (h ^ words[first + k]) * np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(29))


@njit(inline="always")
def place_of(h, size):
    """Where in a table of that size a hash belongs."""
    return np.int64(((h >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@njit(inline="always")
def tag_of(h, bits):
    """The bits of the hash that stand above the number in the table."""
    low = (np.uint64(1) << np.uint64(32 - bits)) - np.uint64(1)
    return np.uint32(h & np.uint64(0xFFFFFFFF) & ~low)


@njit(nogil=True, cache=True)
def rebuild(run, keys, offsets, table):
    """Put all states into an empty table."""
    size, fixed, bits = table.size, run[FIXED], run[TAG_BITS]
    for k in range(run[COUNT]):
        if fixed:
            first, n = k * fixed, fixed
        else:
            first, n = np.int64(offsets[k]), np.int64(offsets[k + 1]) - np.int64(offsets[k])
        if n == 0:
            continue
        h = mixed(keys, first, n)
        at = place_of(h, size)
        while table[at]:
            at += 1
            if at == size:
                at = 0
        table[at] = np.uint32(k + 1) | tag_of(h, bits)


@njit(nogil=True, cache=True)
def add(run, words, keys, offsets, table):
    """Enter a state from outside (the first ones); its number, new or not."""
    n = words.size
    h = mixed(words, 0, n)
    return enter(run, h, words, 0, n, keys, offsets, table)


@njit(inline="always")
def enter(run, h, words, first, n, keys, offsets, table):
    """The number of the state with these words; COUNT before the call if it is new."""
    fixed, bits, size = run[FIXED], run[TAG_BITS], table.size
    tag = tag_of(h, bits)
    low = np.uint32((np.uint64(1) << np.uint64(32 - bits)) - np.uint64(1))
    at = place_of(h, size)
    while True:
        there = table[at]
        if there == 0:
            break
        if (there & ~low) == tag:
            k = np.int64(there & low) - 1
            if fixed:
                where, same = k * fixed, True
            else:
                where = np.int64(offsets[k])
                same = np.int64(offsets[k + 1]) - where == n
            if same:
                for x in range(n):
                    if keys[where + x] != words[first + x]:
                        same = False
                        break
                if same:
                    return k
        at += 1
        if at == size:
            at = 0
    k = run[COUNT]
    table[at] = np.uint32(k + 1) | tag
    where = run[WORDS]
    for x in range(n):
        keys[where + x] = words[first + x]
    run[WORDS] = where + n
    run[COUNT] = k + 1
    if not fixed:
        offsets[k + 1] = where + n
    return k


@njit(nogil=True, cache=True)
def search(
    run, context, successors, decider, records, hashes, keys, offsets, table, parent, ended, depth, turns, owner,
    first_edge, target, crossing, budget,
):
    """Go on for about so many transitions; says why it came back.

    `ended`, `depth`, `turns` are kept if there is room in them, `owner` and the edges likewise (all or none),
    else `parent`.
    """
    fixed, size = run[FIXED], table.size
    tracks, graph = depth.size > 1, owner.size > 1
    room = records.size - 8
    states_room = (keys.size - 8) // fixed if fixed else offsets.size - 2
    records_at, keys_at, table_at = records.ctypes.data, keys.ctypes.data, table.ctypes.data
    counts, owners = np.empty(AHEAD, np.int64), np.empty(AHEAD, np.int64)
    limit_states, limit_depth, limit_turns = run[LIMIT_STATES], run[LIMIT_DEPTH], run[LIMIT_TURNS]
    before = run[TRANSITIONS]
    while run[NEXT] < run[COUNT]:
        if run[TRANSITIONS] - before > budget:
            return MORE_TIME
        begin, taken, at, many = run[NEXT], 0, 0, 0
        while taken < AHEAD and begin + taken < run[COUNT]:
            k = begin + taken
            counts[taken] = 0
            owners[taken] = -1
            if tracks and ended[k]:
                pass
            elif limit_depth >= 0 and depth[k] >= limit_depth:
                counts[taken] = -1
            elif limit_turns >= 0 and turns[k] >= limit_turns:
                counts[taken] = -2
            else:
                where = k * fixed if fixed else np.int64(offsets[k])
                n = call4(  # pyright: ignore[reportCallIssue]
                    successors, context, keys_at + 8 * where, records_at + 8 * at, room - at)
                if n < 0:
                    break
                counts[taken] = n
                if n:
                    owners[taken] = decider[0]
                for _ in range(n):
                    words = np.int64(records[at])
                    at += HEAD_WORDS
                    h = mixed(records, at, words)
                    hashes[many] = h
                    many += 1
                    if words:
                        prefetch(table_at + 4 * place_of(h, size))
                    at += words
            taken += 1
        if taken == 0:
            return NEED_ROOM
        # enter their successors, in order
        at, many = 0, 0
        for step in range(taken):
            k, n = begin + step, counts[step]
            count = run[COUNT]
            if 0 <= limit_states <= count:
                return CUT_STATES
            if n < 0:
                if n == -1:
                    run[CUT] = DEPTH_CUT
                elif run[CUT] == 0:
                    run[CUT] = TURNS_CUT
                run[NEXT] = k + 1
                if graph:
                    owner[k] = FRONTIER
                    first_edge[k + 1] = run[EDGES]
                continue
            if count + n > states_room or 4 * (count + n) > 3 * size:
                return NEED_SPACE
            if not fixed and run[WORDS] + at_most(records, at, n) > keys.size - 8:
                return NEED_SPACE
            if graph and run[EDGES] + n > target.size:
                return NEED_SPACE
            for _ in range(n):
                words, crossed, how = np.int64(records[at]), np.int64(records[at + 1]), np.int64(records[at + 2])
                at += HEAD_WORDS
                to = OUTSIDE
                if how == BEYOND:
                    return GAVE_UP
                if how == LEFT_BOUND:
                    run[LEFT] += 1
                else:
                    known = run[COUNT]
                    to = enter(run, hashes[many], records, at, words, keys, offsets, table)
                    if to == known:
                        if tracks:
                            ended[to] = how == ENDED
                            depth[to] = depth[k] + 1
                            turns[to] = turns[k] + (crossed >= TURN)
                        if not graph:
                            parent[to] = k
                many += 1
                at += words
                if graph:
                    e = run[EDGES]
                    target[e] = to
                    crossing[e] = crossed
                    run[EDGES] = e + 1
            run[TRANSITIONS] += n
            if graph:
                owner[k] = owners[step]
                first_edge[k + 1] = run[EDGES]
            run[NEXT] = k + 1
    return DONE


@njit(inline="always")
def at_most(records, at, n):
    """Words of the keys of the next records."""
    total = 0
    for _ in range(n):
        words = np.int64(records[at])
        total += words
        at += HEAD_WORDS + words
    return total
