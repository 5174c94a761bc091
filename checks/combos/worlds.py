"""Which candidates are played in one world, and which of them at once."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

import numpy as np

from .candidates import Set

TOGETHER = 5
"""Cards of several sets that are tried at once, at most."""
NEARER = 1.0, 0.25, 0.06
"""What a set counts of which one card is not in a world yet, two, three: for each of these."""


def bits_of(cards: Collection[int]) -> int:
    return sum(1 << k for k in cards)


def world_of(sets: Sequence[Set], room: int) -> set[int]:
    """So many cards that hold as many of these sets as can be: those of the first one, then the card that brings most of them nearer, one after the other."""
    there = {*sets[0]}
    none = 1 + max(max(cards) for cards in sets)
    cards = np.array([*zip_longest(*sets, fillvalue=none)]).T
    inside = np.zeros(none + 1, bool)
    inside[[*there, none]] = True
    while len(there) < room:
        missing, left = ~inside[cards], room - len(there)
        many, near = missing.sum(axis=1), np.zeros(none + 1)
        for k, worth in enumerate(NEARER[:left], start=1):
            near += worth * np.bincount(cards[many == k][missing[many == k]], minlength=none + 1)
        fitting = np.flatnonzero((many > 0) & (many <= left)).tolist()
        if not fitting:
            break
        more = [int(near.argmax())] if near.any() else sets[fitting[0]]
        there.update(more)
        inside[[*more]] = True
    return there


def joined(cards: Set, left: dict[Set, int], avoided: Sequence[int]) -> tuple[int, list[Set]]:
    """All cards (a bit each) of a candidate and of others, which are taken out of those that are `left`: first those that add fewest cards, and none
    with which all together would hold one of those `avoided`."""
    mine, sets = left.pop(cards), [cards]

    def fits(bits: int) -> bool:  # what does not fit now will not when there are more
        return (mine | bits).bit_count() <= TOGETHER
    near, avoided = {other: bits for other, bits in left.items() if fits(bits)}, [x for x in avoided if fits(x)]
    for more in range(TOGETHER - len(cards) + 1):
        for other, bits in [*near.items()]:
            both = mine | bits
            if (bits & ~mine).bit_count() == more and fits(bits) and not any(both & x == x for x in avoided):
                mine = both
                sets.append(other)
                del left[other], near[other]
    return mine, sets
