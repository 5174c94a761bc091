"""Breadth-first search over keys: which states there are, in the order in which the reference explorer finds them.

It knows nothing of rules: a state is some words, and a function at an address makes the records of its successors.
States are numbered as they are found; their keys lie one behind the other. The table has a 32-bit word for each
place: the number of a state plus one, and above it, as long as there is room, bits of its hash, so that a place taken
by another state is passed by without a look at its key.

Some thousand states are gone through at a time, a *batch* of some *blocks*, in four steps:

 expand   a block's states make records: one *slot* for each, with the hash of its key
 look up  each *shard* of the table takes the slots that belong there, in order; a key not known is entered under a
          provisional number, which says in which slot it lies, so that the next slot with this key finds it
 number   a block's new states get their numbers, in the order of slots; keys, depths and edges are written
 patch    edges to states that were new in the same batch get the final number

Blocks and shards do not touch each other's memory, so each step can be done by several threads; what comes out does not
depend on how many, nor on how the states are cut into batches. Within a step memory is asked for some slots ahead.

`run` holds what goes on from batch to batch, as words named in `layout`; everything else in it is derived.
"""

from __future__ import annotations

import numpy as np

from .calling import call4, njit
from .hashing import are_equal, low_bits, mixed, tag_of
from .layout import (
    BASE,
    BASE_EDGES,
    BASE_WORDS,
    BEYOND,
    COUNT,
    CUT,
    CUT_STATES,
    DEPTH_CUT,
    DONE,
    EDGES,
    ENDED,
    FIRST,
    FIXED,
    FRESH,
    FRONTIER,
    GAVE_UP,
    HEAD_WORDS,
    KEY_WORDS,
    LEFT,
    LEFT_BOUND,
    LIMIT_DEPTH,
    LIMIT_STATES,
    LIMIT_TURNS,
    MORE_TIME,
    NEED_ROOM,
    NEED_SPACE,
    NEXT,
    NODES,
    OUT,
    OUTSIDE,
    PACKED,
    PRINTS,
    SLOTS,
    STATES,
    TAG_BITS,
    TRANSITIONS,
    TURN,
    TURNS_CUT,
    WHY,
    WORDS,
    key_of,
)
from .state_table import look_up
from .tree import ROOT_WORDS, has_node_space, pack, scratch, unpack


@njit(nogil=True, cache=True)
def add(run, known, words):
    """The number of a state from outside, one of the first. The table does not have it yet."""
    h, n = mixed(words, 0, words.size), words.size
    if run[PACKED]:
        _, indices = scratch(n)
        run[NODES] = pack(run[NODES], known.nodes, known.node_table, words, 0, n, indices)
        n = ROOT_WORDS
    for k in range(run[COUNT]):
        at, size = key_of(run[FIXED], known.offsets, k)
        if size == n and are_equal(known.keys, at, words, 0, n):
            return k
    k, at = run[COUNT], run[WORDS]
    known.keys[at:at + n] = words[:n]
    run[COUNT], run[WORDS] = k + 1, at + n
    if not run[FIXED]:
        known.offsets[k + 1] = at + n
    if run[PRINTS]:
        known.prints[k] = h
    return k


@njit(nogil=True, cache=True)
def expand(run, known, batch, b, first, last, room, context, successors, decider):
    """Make the records of states [first, last), as far as there is room."""
    records, hashes, where, found = batch.records, batch.hashes, batch.where, batch.found
    size, slots, states = batch.sizes[0], batch.sizes[1], batch.sizes[2]
    offsets, ended, depth, turns = known.offsets, known.ended, known.depth, known.turns
    counts, owners, fixed = batch.counts, batch.owners, run[FIXED]
    tracks = depth.size > 1
    limit_depth, limit_turns = run[LIMIT_DEPTH], run[LIMIT_TURNS]
    at, slot, end = b * size, b * slots, b * size + min(room, size) - 8
    begin, done, why, total = b * states, 0, 0, 0
    keys_at, records_at = known.keys.ctypes.data, records.ctypes.data
    keys, nodes, packed = known.keys, known.nodes, run[PACKED]
    plain, indices = scratch(packed)
    if packed:
        keys_at = plain.ctypes.data
    for k in range(first, min(last, first + states)):
        n, owner = 0, -1
        if tracks and ended[k]:
            pass
        elif limit_depth >= 0 and depth[k] >= limit_depth:
            n = -1
        elif limit_turns >= 0 and turns[k] >= limit_turns:
            n = -2
        else:
            key, _ = key_of(fixed, offsets, k)
            if packed:
                unpack(nodes, keys, key, plain, indices)
                key = 0
            n = call4(successors, context, keys_at + 8 * key, records_at + 8 * at, end - at)  # pyright: ignore[reportCallIssue]
            if n < 0:
                why = NEED_ROOM
                break
            if n:
                owner = decider[0]
            before = slot
            for _ in range(n):
                words, how = np.int64(records[at]), records[at + 2]
                at += HEAD_WORDS
                if how == BEYOND:
                    why = GAVE_UP
                where[slot] = at
                if how == LEFT_BOUND:
                    found[slot] = OUT
                    hashes[slot] = 0
                else:
                    found[slot] = 0
                    hashes[slot] = mixed(records, at, words)
                at += words
                total += words
                slot += 1
            if why:
                slot = before
                break
        counts[begin + done] = n
        owners[begin + done] = owner
        done += 1
    block = batch.blocks[b]
    block[STATES], block[SLOTS], block[FIRST], block[WHY], block[KEY_WORDS] = done, slot - b * slots, first, why, total


@njit(nogil=True, cache=True)
def settle(run, batch, many):
    """How far the batch goes: to where a block had no room or compiled code gave up, or where the limit on states might
    be met. The states it has; why there are none."""
    slots, states, why = 0, 0, 0
    limit, count = run[LIMIT_STATES], run[COUNT]
    for b in range(many):
        block = batch.blocks[b]
        if why:
            block[STATES] = block[SLOTS] = 0
            continue
        why = block[WHY]
        if limit >= 0 and count + slots + block[SLOTS] >= limit:
            used, taken, begin = 0, 0, b * batch.sizes[2]
            while taken < block[STATES] and count + slots + used < limit:
                used += max(0, batch.counts[begin + taken])
                taken += 1
            if taken < block[STATES]:
                why = CUT_STATES
            block[STATES], block[SLOTS] = taken, used
        slots += block[SLOTS]
        states += block[STATES]
    return states, why


@njit(nogil=True, cache=True)
def pack_new(run, known, batch, many):
    """Put the roots of their trees in place of the keys of all new states, in order. This is done by one thread."""
    found, where, records = batch.found, batch.where, batch.records
    nodes, node_table, count = known.nodes, known.node_table, run[NODES]
    _, indices = scratch(1)
    for b in range(many):
        first = b * batch.sizes[1]
        for slot in range(first, first + batch.blocks[b, SLOTS]):
            if found[slot] == FRESH:
                at = np.int64(where[slot])
                count = pack(count, nodes, node_table, records, at, np.int64(records[at - HEAD_WORDS]), indices)
    run[NODES] = count


@njit(nogil=True, cache=True)
def share_out(run, batch, many):
    """Where the new states and edges of each block go."""
    number, words, edges = run[COUNT], run[WORDS], run[EDGES]
    for b in range(many):
        block = batch.blocks[b]
        block[BASE], block[BASE_WORDS], block[BASE_EDGES] = number, words, edges
        for shard in range(batch.sizes[3]):
            number += batch.fresh[shard, b, 0]
            words += batch.fresh[shard, b, 1]
        edges += block[SLOTS]


@njit(nogil=True, cache=True)
def number(run, known, batch, b):
    """Write down a block's new states, and its edges as far as they are known."""
    records, found, place, wheres, hashes = batch.records, batch.found, batch.place, batch.where, batch.hashes
    counts, owners = batch.counts, batch.owners
    keys, offsets, table, prints, parent = known.keys, known.offsets, known.table, known.prints, known.parent
    ended, depth, turns, owner = known.ended, known.depth, known.turns, known.owner
    first_edge, target, crossing = known.first_edge, known.target, known.crossing
    tracks, graph, by_print, fixed, parents = depth.size > 1, owner.size > 1, run[PRINTS], run[FIXED], parent.size > 1
    low = low_bits(run[TAG_BITS])
    block = batch.blocks[b]
    to, where, e, slot = block[BASE], block[BASE_WORDS], block[BASE_EDGES], b * batch.sizes[1]
    begin = b * batch.sizes[2]
    for x in range(block[STATES]):
        k, n = block[FIRST] + x, counts[begin + x]
        for _ in range(n):
            at, there = np.int64(wheres[slot]), found[slot]
            if there == FRESH:
                h = hashes[slot]
                table[place[slot]] = np.uint32(to + 1) | tag_of(h, low)
                words = fixed if fixed else np.int64(records[at - HEAD_WORDS])
                for y in range(words):
                    keys[where + y] = records[at + y]
                where += words
                if not fixed:
                    offsets[to + 1] = where
                if by_print:
                    prints[to] = h
                if parents:
                    parent[to] = k
                if tracks:
                    ended[to] = records[at - 1] == ENDED
                    depth[to] = depth[k] + 1
                    turns[to] = turns[k] + (records[at - 2] >= TURN)
                place[slot] = to
                there = np.uint32(to)
                to += 1
            if graph:
                crossing[e] = records[at - 2]
                target[e] = OUTSIDE if there == OUT else np.int64(there)
                e += 1
            slot += 1
        if graph:
            owner[k] = owners[begin + x] if n >= 0 else FRONTIER
            first_edge[k + 1] = e


@njit(nogil=True, cache=True)
def patch(run, known, batch, b):
    """Edges to states that were new in this batch, and found again there."""
    target, found, place = known.target, batch.found, batch.place
    base, e, slot = run[COUNT], batch.blocks[b, BASE_EDGES], b * batch.sizes[1]
    for i in range(batch.blocks[b, SLOTS]):
        there = found[slot + i]
        if base <= there < OUT:
            target[e + i] = place[np.int64(there) - base]


@njit(nogil=True, cache=True)
def finish(run, known, batch, many):
    """Go on behind the batch."""
    graph = known.owner.size > 1
    for b in range(many):
        block = batch.blocks[b]
        begin, slot = b * batch.sizes[2], b * batch.sizes[1]
        if run[LIMIT_DEPTH] >= 0 or run[LIMIT_TURNS] >= 0:
            for x in range(block[STATES]):
                n = batch.counts[begin + x]
                if n == -1:
                    run[CUT] = DEPTH_CUT
                elif n == -2 and run[CUT] == 0:
                    run[CUT] = TURNS_CUT
        for i in range(slot, slot + block[SLOTS]):
            run[LEFT] += batch.found[i] == OUT
        run[NEXT] += block[STATES]
        run[TRANSITIONS] += block[SLOTS]
        if graph:
            run[EDGES] += block[SLOTS]
        for shard in range(batch.sizes[3]):
            run[COUNT] += batch.fresh[shard, b, 0]
            run[WORDS] += batch.fresh[shard, b, 1]


@njit(inline="always")
def has_space(run, known, slots, words):
    """Is there room for so many new states, with so many words of keys? Asked before each batch: numba does not look at bounds."""
    count, fixed = run[COUNT], run[FIXED]
    room = (known.keys.size - 8) // fixed if fixed else known.offsets.size - 2
    if known.depth.size > 1:
        room = min(room, known.ended.size, known.depth.size, known.turns.size)
    if known.owner.size > 1:
        room = min(room, known.owner.size, known.first_edge.size - 1)
    if known.parent.size > 1:
        room = min(room, known.parent.size)
    if run[PRINTS]:
        room = min(room, known.prints.size)
    if count + slots > room or 4 * (count + slots) > 3 * known.table.size:
        return False
    if run[PACKED]:
        if not has_node_space(run[NODES], known.nodes, known.node_table, words):
            return False
    elif not fixed and run[WORDS] + words > known.keys.size - 8:
        return False
    return known.owner.size <= 1 or run[EDGES] + slots <= min(known.target.size, known.crossing.size)


@njit(nogil=True, cache=True)
def enter(run, known, batch):
    """Find the slots of a batch of one block among the known states, and write down those that are new. False if a shard is full."""
    for shard in range(batch.sizes[3]):
        if not look_up(run, known, batch, 1, shard):
            return False
    if run[PACKED]:
        pack_new(run, known, batch, 1)
    share_out(run, batch, 1)
    number(run, known, batch, 0)
    if known.owner.size > 1:
        patch(run, known, batch, 0)
    finish(run, known, batch, 1)
    return True


@njit(nogil=True, cache=True)
def search(run, known, batch, context, successors, decider, room, budget):
    """Go on for about so many transitions in this thread, with records of about so many words; says why it came back."""
    before = run[TRANSITIONS]
    while run[NEXT] < run[COUNT]:
        if run[TRANSITIONS] - before > budget:
            return MORE_TIME
        if 0 <= run[LIMIT_STATES] <= run[COUNT]:
            return CUT_STATES
        words = min(room, batch.sizes[0])
        if not has_space(run, known, words // HEAD_WORDS, words):
            return NEED_SPACE
        expand(run, known, batch, 0, run[NEXT], run[COUNT], room, context, successors, decider)
        states, why = settle(run, batch, 1)
        if states == 0:
            if why == NEED_ROOM and room < batch.sizes[0]:
                room *= 2
                continue
            return why
        if not enter(run, known, batch):
            return NEED_SPACE
    return DONE
