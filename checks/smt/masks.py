"""Sets of numbers, worked on member by member: a mask is held as one truth for each member (`numbers.Bits`)."""
from __future__ import annotations

from . import truths as t
from .numbers import Beyond, Val, bits, bits_of, bitwise, equal, hi_of, less, lo_of, select
from .truths import Truth

MOST_BITS = 4096
"""A set of so many members at most."""


def union(a: Val, b: Val) -> Val:
    return bitwise(t.either, a, b)


def meet(a: Val, b: Val) -> Val:
    return bitwise(t.both, a, b)


def without(a: Val, b: Val) -> Val:
    return bitwise(lambda x, y: t.both(x, t.no(y)), a, b)


def differ(a: Val, b: Val) -> Val:
    return bitwise(lambda x, y: t.no(t.equal(x, y)), a, b)


def member(a: Val, b: Val) -> Truth:
    """Is bit a in mask b?"""
    mask = bits(b)
    if isinstance(a, int):
        return mask[a] if 0 <= a < len(mask) else False
    return t.some(t.both(equal(a, k), mask[k]) for k in range(max(0, lo_of(a)), min(len(mask) - 1, hi_of(a)) + 1))


def shift(a: Val, b: Val) -> Val:
    """Mask a moved up by b bits, down if negative."""
    if isinstance(b, int):
        if isinstance(a, int):
            return a << b if b >= 0 else a >> -b
        mask = bits(a)
        return bits_of((False,) * b + mask if b >= 0 else mask[-b:])
    small(hi_of(b))
    return select([(equal(b, k), shift(a, k)) for k in range(lo_of(b) + 1, hi_of(b) + 1)], shift(a, lo_of(b)), True)


def single(a: Val) -> Val:
    """The set of one; of a negative number, the empty set."""
    if isinstance(a, int):
        return 1 << small(a) if a >= 0 else 0
    return bits_of([equal(a, k) for k in range(small(hi_of(a)) + 1)])


def below(a: Val) -> Val:
    """The set 0..a-1."""
    if isinstance(a, int):
        return (1 << small(a)) - 1 if a > 0 else 0
    return bits_of([less(k, a) for k in range(max(0, small(hi_of(a))))])


def small(n: int) -> int:
    if n > MOST_BITS:
        raise Beyond(f"要素が{n}個までの集合", f"a set of up to {n} members")
    return n


def lowest(mask: Val) -> Val:
    """The least member; anything of the empty set."""
    if isinstance(mask, int):
        return (mask & -mask).bit_length() - 1 if mask else 0
    those = bits(mask)
    return select([(b, k) for k, b in enumerate(those) if b is not False], 0)


def only(mask: Val) -> Val:
    """The one member, else -1."""
    if isinstance(mask, int):
        return mask.bit_length() - 1 if mask and not mask & (mask - 1) else -1
    those = bits(mask)
    before_: list[Truth] = [False]
    for b in those:
        before_.append(t.either(before_[-1], b))
    after: list[Truth] = [False]
    for b in reversed(those):
        after.append(t.either(after[-1], b))
    after.reverse()
    alone = [t.both(b, t.no(before_[k]), t.no(after[k + 1])) for k, b in enumerate(those)]
    return select([(x, k) for k, x in enumerate(alone)], -1)
