"""The table of known states, in shards: put together anew, and looked up in. What is in it stands in `core`."""

from __future__ import annotations

import numpy as np

from .calling import njit, prefetch
from .hashing import are_equal, low_bits, mixed, place_of, tag_of
from .layout import COUNT, FIXED, FRESH, HEAD_WORDS, ONLY_HASHES, OUT, PACKED, PRINTS, SLOTS, TAG_BITS, WINDOW, key_of
from .tree import scratch, unpack


@njit(nogil=True, cache=True)
def rebuild(run, known, shard, shards):
    """Put the states of a shard into an empty table; false if there is no room."""
    table, keys, offsets, prints = known.table, known.keys, known.offsets, known.prints
    size, low, fixed, by_print = table.size, low_bits(run[TAG_BITS]), run[FIXED], run[PRINTS]
    first, last = size * shard // shards, size * (shard + 1) // shards
    hashes, places, numbers = (np.empty(WINDOW + 1, np.uint64), np.empty(WINDOW + 1, np.int64),
                               np.empty(WINDOW + 1, np.int64))
    at_table, taken, k, count = table.ctypes.data, 0, 0, run[COUNT]
    packed, nodes = run[PACKED], known.nodes
    plain, indices = scratch(packed)
    while k < count:
        n, until = 0, min(k + WINDOW, count)
        for x in range(k, until):
            where, words = key_of(fixed, offsets, x)
            h = prints[x] if by_print else np.uint64(0)
            if h:  # there need not be a key any more
                words = np.int64(1)
            elif by_print == ONLY_HASHES:  # the state before chance picks a beginning
                words = np.int64(0)
            elif packed:
                words = unpack(nodes, keys, where, plain, indices)
                h = mixed(plain, 0, words)
            else:
                h = mixed(keys, where, words)
            if by_print and words:
                prints[x] = h
            at = place_of(h, size)
            hashes[n], places[n], numbers[n] = h, at, x
            n += np.int64(at >= first) & np.int64(at < last) & np.int64(words > 0)
        for j in range(n):
            prefetch(at_table + 4 * places[j])  # pyright: ignore[reportCallIssue]
        k = until
        taken += n
        if taken >= last - first:
            return False
        for j in range(n):
            at = places[j]
            while table[at]:
                at += 1
                if at == last:
                    at = first
            table[at] = np.uint32(numbers[j] + 1) | tag_of(hashes[j], low)
    return True


@njit(nogil=True, cache=True)
def look_up(run, known, batch, many, shard):
    """Find the slots of a shard in the table, or enter them. False if the shard is full."""
    table, keys, offsets, prints = known.table, known.keys, known.offsets, known.prints
    hashes, found, place, where, records = batch.hashes, batch.found, batch.place, batch.where, batch.records
    shards = batch.sizes[3]
    size, low, base = table.size, low_bits(run[TAG_BITS]), run[COUNT]
    high = ~low
    first, last = size * shard // shards, size * (shard + 1) // shards
    mine, places = np.empty(WINDOW + 1, np.int64), np.empty(WINDOW + 1, np.int64)
    at_table, at_keys, at_offsets, at_prints = (table.ctypes.data, keys.ctypes.data, offsets.ctypes.data,
                                                prints.ctypes.data)
    fixed, by_print, packed, nodes = run[FIXED], run[PRINTS], run[PACKED], known.nodes
    plain, indices = scratch(packed)
    for b in range(many):
        i = b * batch.sizes[1]
        end = i + batch.blocks[b, SLOTS]
        fresh, fresh_words = 0, 0
        while i < end:
            n, until = 0, min(i + WINDOW, end)
            for slot in range(i, until):
                at = place_of(hashes[slot], size)
                mine[n], places[n] = slot, at
                n += np.int64(at >= first) & np.int64(at < last) & np.int64(found[slot] != OUT)  # no branch to guess
                if shards == 1:
                    prefetch(at_table + 4 * at)  # pyright: ignore[reportCallIssue]
            if shards > 1:
                for j in range(n):
                    prefetch(at_table + 4 * places[j])  # pyright: ignore[reportCallIssue]
            i = until
            for j in range(n):
                there = table[places[j]]
                if there and (there & high) == tag_of(hashes[mine[j]], low):
                    k = np.int64(there & low) - 1
                    if k < base:
                        if by_print:
                            prefetch(at_prints + 8 * k)  # pyright: ignore[reportCallIssue]
                        if by_print == ONLY_HASHES:
                            pass
                        elif fixed:
                            prefetch(at_keys + 8 * fixed * k)  # pyright: ignore[reportCallIssue]
                        else:
                            prefetch(at_offsets + 4 * k)  # pyright: ignore[reportCallIssue]
            if not fixed and by_print != ONLY_HASHES:
                for j in range(n):
                    there = table[places[j]]
                    if there and (there & high) == tag_of(hashes[mine[j]], low):
                        k = np.int64(there & low) - 1
                        if k < base and (not by_print or prints[k] == hashes[mine[j]]):
                            prefetch(at_keys + 8 * np.int64(offsets[k]))  # pyright: ignore[reportCallIssue]
            for j in range(n):
                slot, at = mine[j], places[j]
                h, key = hashes[slot], np.int64(where[slot])
                words = np.int64(records[key - HEAD_WORDS])
                tag = tag_of(h, low)
                passed = 0
                while True:
                    there = table[at]
                    if there == 0:
                        table[at] = np.uint32(base + slot + 1) | tag
                        found[slot] = FRESH
                        place[slot] = at
                        fresh += 1
                        fresh_words += fixed if fixed else words
                        break
                    if (there & high) == tag:
                        k = np.int64(there & low) - 1
                        if by_print and (prints[k] if k < base else hashes[k - base]) != h:
                            same = False
                        elif by_print == ONLY_HASHES:
                            same = True
                        elif k < base:
                            other, n_other = key_of(fixed, offsets, k)
                            if packed:
                                n_other = unpack(nodes, keys, other, plain, indices)
                                same = n_other == words and are_equal(plain, 0, records, key, words)
                            else:
                                same = n_other == words and are_equal(keys, other, records, key, words)
                        else:
                            other = np.int64(where[k - base])
                            same = np.int64(records[other - HEAD_WORDS]) == words and are_equal(
                                records, other, records, key, words
                            )
                        if same:
                            found[slot] = k
                            break
                    at += 1
                    passed += 1
                    if at == last:
                        at = first
                        if passed > size:
                            return False
        batch.fresh[shard, b, 0], batch.fresh[shard, b, 1] = fresh, fresh_words
    return True
