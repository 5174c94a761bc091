"""The lots of compiled plays, drawn again: so a play is found again from its seed, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.engine.state import Option
from .playing import LIKING_BY

MIXING = LIKING_BY[0]
"""What SplitMix64 goes on by."""
WORD = (1 << 64) - 1
Lots = Callable[[int], int]
"""A number below the one given."""


def first_luck(seed: int) -> int:
    """What the lots of a play begin with."""
    return (seed + 1) * MIXING & WORD


def lots(luck: int) -> Lots:
    """The upper halves of the numbers of SplitMix64, without its last mixing."""
    z = luck

    def below(total: int) -> int:
        nonlocal z
        z = z + MIXING & WORD
        x = z
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ x >> shift) * factor & WORD
        return (x >> 32) * total >> 32
    return below


def drawn(below: Lots, weights: Sequence[int]) -> int:
    """The number of the option that the next lot falls on."""
    pick = below(sum(weights))
    for k, weight in enumerate(weights):
        if pick < weight:
            return k
        pick -= weight
    raise AssertionError("the lot is below the sum")


def liked(liking: int, site: int, options: Sequence[Option], weights: Sequence[int]) -> list[int]:
    """The weights where some are liked more than others: by the place, and by what is chosen first."""
    if not liking:
        return list(weights)
    place = liking ^ (site * LIKING_BY[0] & WORD)
    out: list[int] = []
    for option, weight in zip(options, weights, strict=True):
        both = place + option[0] * LIKING_BY[1] & WORD
        stirred = (both ^ both >> 32) * LIKING_BY[2] & WORD
        out.append(weight << (stirred >> 61) * 2)
    return out
