"""One breadth-first search divided among several workers: which of them a state belongs to, what is sent to the others,
and how it is taken in. The steps are those of `core`, and states are told apart as there, by their whole keys.

What is sent is one buffer for each other worker, of *entries*: a word (the number that the sender has given to the state
that leads there, above 16 bits with the words of the key), then the key.
"""

from __future__ import annotations

import numpy as np

from .calling import njit
from .core import enter, expand, has_space, settle
from .hashing import are_equal, mixed
from .layout import (
    DONE,
    FIRST,
    FRESH,
    HEAD_WORDS,
    LEFT,
    MORE_TIME,
    NEED_ROOM,
    NEED_SPACE,
    NEXT,
    OUT,
    SLOTS,
    STATES,
    TRANSITIONS,
)

HEAD_BITS = 16
"""Bits of an entry's first word that tell the words of its key."""


@njit(inline="always")
def stirred(h):
    """Bits of a hash that neither its place in a table nor its tag there goes by."""
    return h * np.uint64(0x9FB21C651E98DF25)


@njit(inline="always")
def share_of(h, shares):
    """The worker that a state with this hash belongs to."""
    return np.int64(((stirred(h) >> np.uint64(32)) * np.uint64(shares)) >> np.uint64(32))


@njit(nogil=True, cache=True)
def owner_of(words, shares):
    """The worker that the state with this key belongs to."""
    return share_of(mixed(words, 0, words.size), shares)


@njit(nogil=True, cache=True)
def send(batch, me, sent, filled, recent):
    """Put the records of states of others into their buffers, each once as far as `recent` remembers, and take them for
    ones that left a bound, so that nobody here enters them. How many there were. There has to be room."""
    records, hashes, where, found, counts = batch.records, batch.hashes, batch.where, batch.found, batch.counts
    block, shares, most = batch.blocks[0], filled.size, sent.shape[1]
    flat, low, slot, away = sent.reshape(-1), np.uint64(recent.size - 1), 0, 0
    for x in range(block[STATES]):
        first = np.uint64(block[FIRST] + x) << np.uint64(HEAD_BITS)
        for _ in range(counts[x]):
            if found[slot] != OUT:
                h = hashes[slot]
                share = share_of(h, shares)
                if share != me:
                    at = np.int64(where[slot])
                    n = np.int64(records[at - HEAD_WORDS])
                    k = np.int64(h & low)
                    there = recent[k]
                    if (
                        there == 0
                        or np.int64(flat[there - 1]) & 0xFFFF != n
                        or not are_equal(flat, there, records, at, n)
                    ):
                        to = share * most + filled[share]
                        recent[k] = to + 1
                        flat[to] = first | np.uint64(n)
                        for y in range(n):
                            flat[to + 1 + y] = records[at + y]
                        filled[share] += 1 + n
                    found[slot] = OUT
                    away += 1
            slot += 1
    return away


@njit(nogil=True, cache=True)
def expand_some(run, known, batch, context, successors, decider, room, last, me, sent, filled, recent, budget):
    """Go on with states before `last` for about so many transitions, or until a buffer may be full; says why it came back."""
    before = run[TRANSITIONS]
    while run[NEXT] < last:
        words = min(room, batch.sizes[0])
        if run[TRANSITIONS] - before > budget or filled.max() + words > sent.shape[1]:
            return MORE_TIME
        if not has_space(run, known, words // HEAD_WORDS, words):
            return NEED_SPACE
        expand(run, known, batch, 0, run[NEXT], last, room, context, successors, decider)
        states, why = settle(run, batch, 1)
        if states == 0:
            if why == NEED_ROOM and room < batch.sizes[0]:
                room *= 2
                continue
            return why
        away = send(batch, me, sent, filled, recent)
        enter(run, known, batch)
        run[LEFT] -= away
    return DONE


@njit(nogil=True, cache=True)
def take_some(run, known, batch, entries, begin, room):
    """Take in entries from `begin` on; how far it came, which is short of the end where arrays are to be made larger."""
    records, hashes, where, found = batch.records, batch.hashes, batch.where, batch.found
    block, size, room = batch.blocks[0], entries.size, min(room, batch.sizes[0])
    while begin < size:
        if not has_space(run, known, room // HEAD_WORDS, room):
            break
        at, slot = 0, 0
        while begin < size:
            head = entries[begin]
            n = np.int64(head) & 0xFFFF
            if slot and at + HEAD_WORDS + n > room:
                break
            at += HEAD_WORDS
            records[at - 3], records[at - 2], records[at - 1] = np.uint64(n), head >> np.uint64(HEAD_BITS), 0
            for y in range(n):
                records[at + y] = entries[begin + 1 + y]
            hashes[slot], where[slot], found[slot] = mixed(records, at, n), at, 0
            at += n
            begin += 1 + n
            slot += 1
        block[STATES], block[SLOTS], block[FIRST], batch.counts[0] = 1, slot, 0, slot
        enter(run, known, batch)
        run[NEXT] -= 1  # it was no state of ours that led there
        run[TRANSITIONS] -= slot
        for i in range(slot):
            if found[i] == FRESH:
                known.parent[batch.place[i]] = records[np.int64(where[i]) - 2]
    return begin
