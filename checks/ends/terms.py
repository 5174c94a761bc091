"""Numbers, truths and sets of which only something is known, as terms of z3: integers without an end, and sets as their membership.

What is not followed is a new unknown each time. So more can be the case here than in the rules, never less.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import z3

Truth = bool | z3.BoolRef
Num = int | z3.ArithRef
FEW = 12
"""Members of a set that is known up to which they are named one by one."""


@dataclass(eq=False)
class SetOf:
    """A set: what is in it, and whether it is empty. `size`: where that is known exactly."""

    member: Callable[[Num], Truth]
    empty: Truth
    size: Num | None = None
    known: int | None = None
    """All its members, as a mask, where they are known."""
    only: Num | None = None
    """Its one member, where it was made of one."""
    sized: Callable[[], Num] | None = None
    """Works its size out, where it is asked for."""

    @property
    def has_size(self) -> bool:
        return self.size is not None or self.sized is not None

    @property
    def the_size(self) -> Num:
        """How many members it has (asked for only where `has_size`)."""
        if self.size is None:
            assert self.sized is not None
            self.size = self.sized()
        return self.size


Value = Num | z3.BoolRef | SetOf


# ---------------------------------------------------------------- truths
def no(a: Truth) -> Truth:
    if isinstance(a, bool):
        return not a
    return a.arg(0) if z3.is_not(a) else z3.Not(a)  # pyright: ignore[reportReturnType]


def every(parts: Sequence[Truth]) -> Truth:
    left: list[z3.BoolRef] = []
    for p in parts:
        if isinstance(p, bool):
            if not p:
                return False
        elif not any(p.eq(x) for x in left):
            left.append(p)
    return True if not left else left[0] if len(left) == 1 else z3.And(left)  # pyright: ignore[reportReturnType]


def some(parts: Sequence[Truth]) -> Truth:
    left: list[z3.BoolRef] = []
    for p in parts:
        if isinstance(p, bool):
            if p:
                return True
        elif not any(p.eq(x) for x in left):
            left.append(p)
    return False if not left else left[0] if len(left) == 1 else z3.Or(left)  # pyright: ignore[reportReturnType]


def both(a: Truth, b: Truth) -> Truth:
    return every((a, b))


def either(a: Truth, b: Truth) -> Truth:
    return some((a, b))


def implies(a: Truth, b: Truth) -> Truth:
    return some((no(a), b))


def boolean(a: Truth) -> z3.BoolRef:
    return z3.BoolVal(a) if isinstance(a, bool) else a


# ---------------------------------------------------------------- numbers
def num(v: Value) -> Num:
    """A truth as 0 or 1; a set that is known as its mask."""
    if isinstance(v, bool):
        return int(v)
    if isinstance(v, int) or z3.is_arith(v):
        return v  # pyright: ignore[reportReturnType]
    if isinstance(v, SetOf):
        raise TypeError("a set is no number")
    return z3.If(v, z3.IntVal(1), z3.IntVal(0))  # pyright: ignore[reportReturnType]


def truth(v: Value) -> Truth:
    """Is it not 0?"""
    if isinstance(v, SetOf):
        return no(v.empty)
    if isinstance(v, bool):
        return v
    if isinstance(v, int):
        return v != 0
    if z3.is_bool(v):
        return v  # pyright: ignore[reportReturnType]
    if z3.is_app_of(v, z3.Z3_OP_ITE):
        test, a, b = v.children()
        if z3.is_int_value(a) and z3.is_int_value(b):
            yes, otherwise = a.as_long() != 0, b.as_long() != 0  # pyright: ignore[reportAttributeAccessIssue]
            return yes if yes == otherwise else test if yes else no(test)  # pyright: ignore[reportReturnType, reportArgumentType]
    return v != 0  # pyright: ignore[reportReturnType]


def equal(a: Value, b: Value) -> Truth:
    a, b = num(a), num(b)
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if not isinstance(a, int) and not isinstance(b, int) and a.eq(b):
        return True
    (lo, hi), (x, y) = bounds(a), bounds(b)
    if (lo is not None and y is not None and lo > y) or (hi is not None and x is not None and hi < x):
        return False
    return a == b  # pyright: ignore[reportReturnType]


def at_most(a: Value, b: Value) -> Truth:
    a, b = num(a), num(b)
    if isinstance(a, int) and isinstance(b, int):
        return a <= b
    (lo, hi), (x, y) = bounds(a), bounds(b)
    if hi is not None and x is not None and hi <= x:
        return True
    if lo is not None and y is not None and lo > y:
        return False
    return a <= b  # pyright: ignore[reportReturnType]


def less(a: Value, b: Value) -> Truth:
    return no(at_most(b, a))


def add(a: Value, b: Value) -> Num:
    a, b = num(a), num(b)
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return a if isinstance(b, int) and b == 0 else b if isinstance(a, int) and a == 0 else a + b  # pyright: ignore[reportReturnType]


def subtract(a: Value, b: Value) -> Num:
    a, b = num(a), num(b)
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    if not isinstance(a, int) and not isinstance(b, int) and a.eq(b):
        return 0
    return a if isinstance(b, int) and b == 0 else a - b  # pyright: ignore[reportReturnType]


def times(a: Value, b: Value) -> Num:
    a, b = num(a), num(b)
    return 0 if (isinstance(a, int) and a == 0) or (isinstance(b, int) and b == 0) else a * b  # pyright: ignore[reportReturnType]


def choose(test: Truth, a: Value, b: Value) -> Value:
    """`a` where the test holds, else `b`."""
    if a is b:
        return a
    if isinstance(test, bool):
        return a if test else b
    if isinstance(a, SetOf) or isinstance(b, SetOf):
        x, y = set_of(a), set_of(b)
        sized = None if not x.has_size or not y.has_size else lambda: num(choose(test, x.the_size, y.the_size))
        return SetOf(lambda t: either(both(test, x.member(t)), both(no(test), y.member(t))),
                     either(both(test, x.empty), both(no(test), y.empty)), sized=sized)
    if isinstance(a, bool) or isinstance(b, bool) or (z3.is_bool(a) and z3.is_bool(b)):
        p, q = truth(a), truth(b)
        if isinstance(p, bool) and isinstance(q, bool):
            return p if p == q else test if p else no(test)
        return either(both(test, p), both(no(test), q))
    p, q = num(a), num(b)
    if isinstance(p, int) and isinstance(q, int):
        if p == q:
            return p
    elif not isinstance(p, int) and not isinstance(q, int) and p.eq(q):
        return p
    return z3.If(test, _term(p), _term(q))  # pyright: ignore[reportReturnType]


def _term(v: Num) -> z3.ArithRef:
    return z3.IntVal(v) if isinstance(v, int) else v


term = _term

DOMAINS: dict[str, tuple[int | None, int | None]] = {}
"""Bounds of the unknowns and functions, by their names."""
_known: dict[int, tuple[z3.ExprRef, tuple[int | None, int | None]]] = {}


def bounds(v: Num) -> tuple[int | None, int | None]:
    """Between which numbers it lies, as far as its parts tell."""
    if isinstance(v, int):
        return v, v
    kept = _known.get(v.get_id())
    if kept is not None and kept[0].eq(v):
        return kept[1]
    out = _bounds(v)
    _known[v.get_id()] = v, out
    return out


def _bounds(v: z3.ArithRef) -> tuple[int | None, int | None]:
    if z3.is_int_value(v):
        return v.as_long(), v.as_long()  # pyright: ignore[reportAttributeAccessIssue]
    kind, parts = v.decl().kind(), v.children()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return DOMAINS.get(v.decl().name(), (None, None))
    if kind == z3.Z3_OP_ITE:
        (a, b), (x, y) = bounds(parts[1]), bounds(parts[2])  # pyright: ignore[reportArgumentType]
        return (None if a is None or x is None else min(a, x)), (None if b is None or y is None else max(b, y))
    if kind == z3.Z3_OP_ADD:
        found = [bounds(p) for p in parts]  # pyright: ignore[reportArgumentType]
        return _sum([a for a, _ in found]), _sum([b for _, b in found])
    if kind == z3.Z3_OP_SUB and len(parts) == 2:
        (a, b), (x, y) = bounds(parts[0]), bounds(parts[1])  # pyright: ignore[reportArgumentType]
        return (None if a is None or y is None else a - y), (None if b is None or x is None else b - x)
    if kind == z3.Z3_OP_MUL and len(parts) == 2:
        (a, b), (x, y) = bounds(parts[0]), bounds(parts[1])  # pyright: ignore[reportArgumentType]
        if a is not None and b is not None and x is not None and y is not None:
            ends = [a * x, a * y, b * x, b * y]
            return min(ends), max(ends)
    return None, None


def _sum(parts: Sequence[int | None]) -> int | None:
    return None if any(p is None for p in parts) else sum(p for p in parts if p is not None)


# ---------------------------------------------------------------- sets
def mask(members: int) -> SetOf:
    """A set that is known."""
    def member(t: Num) -> Truth:
        if isinstance(t, int):
            return t >= 0 and bool(members >> t & 1)
        if not members:
            return False
        low, high = (members & -members).bit_length() - 1, members.bit_length() - 1
        if members == (1 << high + 1) - (1 << low):
            return both(at_most(low, t), at_most(t, high))
        if members.bit_count() <= FEW:
            return some([equal(t, k) for k in range(high + 1) if members >> k & 1])
        f = z3.Function(f"among {members:x}", z3.IntSort(), z3.BoolSort())
        return f(t)  # pyright: ignore[reportReturnType]
    return SetOf(member, not members, members.bit_count(), members)


def set_of(v: Value) -> SetOf:
    if isinstance(v, SetOf):
        return v
    if isinstance(v, int):
        return mask(int(v))
    raise TypeError(f"no set: {v}")


class TooMuch(Exception):
    """What cannot be followed, and why."""


@dataclass
class Budget:
    """How much work may still be done for a loop, in units of z3 (`rlimit`): the same on every machine, so that the same is found on all."""

    left: int

    def spend(self, work: int) -> None:
        """Raises TooMuch where there is no more."""
        self.left -= work
        if self.left < 0:
            raise TooMuch("no answer in the work there was")


@dataclass
class Unknowns:
    """New unknowns, and what is known of them (`facts`: each holds for some values of the unknowns, whatever the rest is)."""

    facts: list[z3.BoolRef] = field(default_factory=list[z3.BoolRef])
    count: int = 0

    def name(self, what: str) -> str:
        self.count += 1
        return f"{what}!{self.count}"

    def number(self, what: str, lo: int | None = None, hi: int | None = None) -> z3.ArithRef:
        name = self.name(what)
        DOMAINS[name] = lo, hi
        v = z3.Int(name)
        self.within(v, lo, hi)
        return v

    def within(self, v: z3.ArithRef, lo: int | None, hi: int | None) -> None:
        if lo is not None:
            self.facts.append(v >= lo)  # pyright: ignore[reportArgumentType]
        if hi is not None:
            self.facts.append(v <= hi)  # pyright: ignore[reportArgumentType]

    def truth(self, what: str) -> z3.BoolRef:
        return z3.Bool(self.name(what))

    def fact(self, x: Truth) -> None:
        if x is False:
            raise AssertionError("a fact that never holds")
        if x is not True:
            self.facts.append(boolean(x))

    def set(self, what: str, span: int, within: SetOf | None = None, empty: Truth | None = None) -> SetOf:
        """A set of which nothing is known but what it is a part of."""
        name = self.name(what)
        f = z3.Function(name, z3.IntSort(), z3.BoolSort())
        none = self.truth(f"{what} empty") if empty is None else empty
        if within is not None:
            self.fact(implies(within.empty, none))

        def member(t: Num) -> Truth:
            if isinstance(t, int) and not 0 <= t < span:
                return False
            there: z3.BoolRef = f(t)  # pyright: ignore[reportAssignmentType]
            self.fact(implies(there, both(no(none), True if within is None else within.member(t))))
            return there
        return SetOf(member, none, sized=lambda: self.size(none, span, within))

    def size(self, empty: Truth, most: int | None = None, within: SetOf | None = None) -> Num:
        """How many members a set has of which is known whether it is empty."""
        n = self.number("size", 0, most)
        self.fact(both(implies(empty, equal(n, 0)), implies(no(empty), less(0, n))))
        if within is not None and within.has_size:
            self.fact(at_most(n, within.the_size))
        return n


def union(a: SetOf, b: SetOf) -> SetOf:
    if a.known is not None and b.known is not None:
        return mask(a.known | b.known)
    return SetOf(lambda t: either(a.member(t), b.member(t)), both(a.empty, b.empty))
