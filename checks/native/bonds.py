"""Cards that are named together, ordered for compiled code: `checks/explore/bonds.py`, function by function.

What compiled code has gathered lies in one block of 64-bit words (`workspace` says where); `order` puts the order of the
cards there. States in which cards are bound to each other are rare, so this is one function for all programs.
"""

from __future__ import annotations

from functools import cache
from math import factorial

import numpy as np
from numba import types
from numba.np.numpy_support import carray

from ..explore.bonds import FACTOR, SEED, TRIES
from ..explore.machine_code import cfunc
from .calling import njit
from .workspace import CARDS, CLASSES, HEAD, MEMBERS, PART_ROOM, TIE_ROOM, TIES

MOST_LEVELS = 16
"""How deep orders are tried: at each level a cell is cut, and the factorials of cells have a product of `TRIES` at most."""
FACTORIALS = tuple(factorial(k) for k in range(13))


@njit(inline="always")
def mixed(h, v):
    h = (h ^ v) * np.uint64(FACTOR)
    return h ^ (h >> np.uint64(32))


@njit(nogil=True, cache=True)
def shape(t, colour, label, first, card, part):
    total = label[t]
    for p in range(first[t], first[t + 1]):
        total += mixed(part[p], np.uint64(colour[card[p]]))
    return mixed(np.uint64(SEED), total)


@njit(nogil=True, cache=True)
def sum_of(colour, label, first, card, part):
    total = np.uint64(0)
    for t in range(label.size):
        total += shape(t, colour, label, first, card, part)
    return total


@njit(nogil=True, cache=True)
def refine(colour, member, label, first, card, part):
    while True:
        seen = np.zeros(colour.size, np.uint64)
        tied = np.zeros(colour.size, np.uint8)
        for t in range(label.size):
            s = shape(t, colour, label, first, card, part)
            for p in range(first[t], first[t + 1]):
                seen[card[p]] += mixed(part[p], s)
                tied[card[p]] = 1
        finer = colour.copy()
        changed = False
        for c in member:
            if tied[c]:
                for d in member:
                    if colour[d] == colour[c] and seen[d] < seen[c]:
                        finer[c] += 1
                        changed = True
        if not changed:
            return colour
        colour = finer


@njit(nogil=True, cache=True)
def take_out(colour, chosen, member, label, first, card, part):
    after = colour.copy()
    for c in member:
        if c != chosen and colour[c] == colour[chosen]:
            after[c] += 1
    return refine(after, member, label, first, card, part)


@njit(nogil=True, cache=True)
def loose_cards(colour, member):
    size = np.zeros(member.size, np.int64)
    for c in member:
        size[colour[c]] += 1
    loose = np.zeros(colour.size, np.uint8)
    for c in member:
        loose[c] = size[colour[c]] > 1
    return loose


@njit(nogil=True, cache=True)
def open_colours(colour, member, first, card):
    """Of each colour: is its cell open?"""
    loose = loose_cards(colour, member)
    out = np.zeros(member.size, np.uint8)
    for t in range(first.size - 1):
        here = 0
        for p in range(first[t], first[t + 1]):
            here += loose[card[p]]
        if here > 1:
            for p in range(first[t], first[t + 1]):
                if loose[card[p]]:
                    out[colour[card[p]]] = 1
    return out


@njit(nogil=True, cache=True)
def lowest_open(colour, member, first, card):
    """The lowest colour whose cell is open, or -1."""
    found = open_colours(colour, member, first, card)
    for k in range(found.size):
        if found[k]:
            return k
    return -1


@njit(nogil=True, cache=True)
def first_order(colour, member, label, first, card, part):
    while True:
        k = lowest_open(colour, member, first, card)
        if k < 0:
            return colour
        for c in member:
            if colour[c] == k:
                colour = take_out(colour, c, member, label, first, card, part)
                break


@njit(nogil=True, cache=True)
def tries(colour, member, first, card):
    """Ways of ordering the cards of open cells; more than TRIES is as many as TRIES + 1."""
    found = open_colours(colour, member, first, card)
    size = np.zeros(member.size, np.int64)
    for c in member:
        size[colour[c]] += 1
    ways = 1
    for k in range(found.size):
        if found[k]:
            if size[k] >= len(FACTORIALS):
                return TRIES + 1
            ways *= FACTORIALS[size[k]]
            if ways > TRIES:
                return TRIES + 1
    return ways


@njit(nogil=True, cache=True)
def equal_ties(a, b, label, first, card, part):
    if label[a] != label[b] or first[a + 1] - first[a] != first[b + 1] - first[b]:
        return False
    for p in range(first[a], first[a + 1]):
        found = False
        for q in range(first[b], first[b + 1]):
            found = found or (card[p] == card[q] and part[p] == part[q])
        if not found:
            return False
    return True


@njit(nogil=True, cache=True)
def has_ring(colour, member, label, first, card, part):
    loose = loose_cards(colour, member)
    n = colour.size
    root = np.arange(n + label.size)
    for t in range(label.size):
        again = False
        for before in range(t):
            again = again or equal_ties(before, t, label, first, card, part)
        if again:
            continue
        for p in range(first[t], first[t + 1]):
            if loose[card[p]]:
                a, b = n + t, card[p]
                while root[a] != a:
                    a = root[a]
                while root[b] != b:
                    b = root[b]
                if a == b:
                    return True
                root[a] = b
    return False


@njit(nogil=True, cache=True)
def least(colour, member, label, first, card, part):
    level = np.zeros((MOST_LEVELS, colour.size), np.int64)
    cell = np.zeros((MOST_LEVELS, member.size), np.int64)
    sketch = np.zeros((MOST_LEVELS, member.size), np.uint64)
    size, at, known = np.zeros(MOST_LEVELS, np.int64), np.zeros(MOST_LEVELS, np.int64), np.zeros(MOST_LEVELS, np.int64)
    best, best_sum, found = colour, np.uint64(0), False
    deep, after = 0, colour
    while True:
        k = lowest_open(after, member, first, card)
        if k < 0:
            total = sum_of(after, label, first, card, part)
            if not found or total < best_sum:
                best, best_sum, found = after, total, True
        else:
            level[deep] = after
            size[deep] = at[deep] = known[deep] = 0
            for c in member:
                if after[c] == k:
                    cell[deep, size[deep]] = c
                    size[deep] += 1
            deep += 1
        further = False
        while deep > 0 and not further:
            d = deep - 1
            if at[d] == size[d]:
                deep -= 1
                continue
            after = take_out(level[d], cell[d, at[d]], member, label, first, card, part)
            at[d] += 1
            total = sum_of(first_order(after, member, label, first, card, part), label, first, card, part)
            further = True
            for x in range(known[d]):
                if sketch[d, x] == total:
                    further = False
            if further:
                sketch[d, known[d]] = total
                known[d] += 1
        if not further:
            return best


@njit(nogil=True, cache=True)
def ordered(colour, member, label, first, card, part):
    colour = refine(colour, member, label, first, card, part)
    if lowest_open(colour, member, first, card) < 0:
        return colour
    if tries(colour, member, first, card) <= TRIES and has_ring(colour, member, label, first, card, part):
        return least(colour, member, label, first, card, part)
    return first_order(colour, member, label, first, card, part)


def order(work):
    """Order the cards of each class, given the colours of all and the ties."""
    head = carray(work, HEAD)
    n, m, q, ties, tie_room, part_room = (
        head[CARDS],
        head[MEMBERS],
        head[CLASSES],
        head[TIES],
        head[TIE_ROOM],
        head[PART_ROOM],
    )
    at = HEAD + m
    colour_at = at + q + 1
    order_at = colour_at + n
    label_at = order_at + m
    first_at = label_at + tie_room
    card_at = first_at + tie_room + 1
    part_at = card_at + part_room
    w = carray(work, part_at + part_room)
    member, bound, out = w[HEAD:at], w[at:colour_at], w[order_at:label_at]
    first, card = w[first_at:first_at + ties + 1], w[card_at:card_at + w[first_at + ties]]
    label, part = w[label_at:label_at + ties].view(np.uint64), w[part_at:part_at + w[first_at + ties]].view(np.uint64)
    colour = ordered(w[colour_at:order_at].copy(), member, label, first, card, part)
    for k in range(q):  # sorted by colour; equal ones stay in order
        for i in range(bound[k], bound[k + 1]):
            c, j = member[i], i
            while j > bound[k] and colour[out[j - 1]] > colour[c]:
                out[j] = out[j - 1]
                j -= 1
            out[j] = c
    return 0


@cache
def order_function():
    """`order` as machine code; kept for ever, because compiled programs call it."""
    signature = types.int64(types.CPointer(types.int64))
    return cfunc(signature, order)
