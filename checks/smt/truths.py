"""Truths: a `bool` where it is known, else a term of z3. What is known is simplified while terms are made, so that what
cannot happen in a world never reaches the solver.

z3's own Python operators check and convert their arguments each time; these make the terms directly, which is ten
times as fast.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from z3 import z3core
from z3.z3types import Ast

Truth = bool | z3.BoolRef

CONTEXT = z3.main_ctx()
REF = CONTEXT.ref()


def address(a: z3.ExprRef) -> int:
    """Equal terms have one address, as long as somebody holds them."""
    return a.ast.value  # pyright: ignore[reportOptionalMemberAccess]


def same(a: Truth, b: Truth) -> bool:
    """Are they the same term? (z3 makes equal terms once.)"""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return address(a) == address(b)


def identity(a: Truth) -> int | bool:
    """What tells terms apart, as long as they live."""
    return a if isinstance(a, bool) else address(a)


_negations: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}
"""By address: a term and its negation. Both are held, so that addresses stay theirs."""
MOST_KEPT = 1_000_000


def no(a: Truth) -> Truth:
    """Not `a`."""
    if isinstance(a, bool):
        return not a
    known = _negations.get(address(a))
    if known is None:
        if len(_negations) > MOST_KEPT:
            _negations.clear()
        known = a, z3.BoolRef(z3core.Z3_mk_not(REF, a.ast), CONTEXT)
        _negations[address(a)] = known
        _negations[address(known[1])] = known[1], a
    return known[1]


def opposite(a: Truth, b: Truth) -> bool:
    """Is one the negation of the other?"""
    return same(no(a), b)


def both(*parts: Truth) -> Truth:
    """All of them."""
    return every(parts)


def every(parts: Iterable[Truth]) -> Truth:
    """All of them; of none: true."""
    found: dict[int, z3.BoolRef] = {}
    for p in parts:
        if isinstance(p, bool):
            if not p:
                return False
        else:
            found.setdefault(address(p), p)
    if len(found) < 2:
        return next(iter(found.values()), True)
    if contradict(found):
        return False
    return z3.BoolRef(z3core.Z3_mk_and(REF, len(found), asts(found.values())), CONTEXT)


def either(*parts: Truth) -> Truth:
    """Some of them."""
    return some(parts)


def some(parts: Iterable[Truth]) -> Truth:
    """At least one of them; of none: false."""
    found: dict[int, z3.BoolRef] = {}
    for p in parts:
        if isinstance(p, bool):
            if p:
                return True
        else:
            found.setdefault(address(p), p)
    if len(found) < 2:
        return next(iter(found.values()), False)
    if contradict(found):
        return True
    return z3.BoolRef(z3core.Z3_mk_or(REF, len(found), asts(found.values())), CONTEXT)


def contradict(found: dict[int, z3.BoolRef]) -> bool:
    """Do two of them contradict each other, to the eye?"""
    if len(found) > 8:
        return False
    return any((known := _negations.get(k)) is not None and address(known[1]) in found for k in found)


def asts(of: Iterable[z3.ExprRef]) -> object:
    all_ = [x.ast for x in of]
    return (Ast * len(all_))(*all_)


def choose(test: Truth, a: Truth, b: Truth) -> Truth:
    """`a` where the test holds, else `b`."""
    if isinstance(test, bool):
        return a if test else b
    if same(a, b):
        return a
    if isinstance(a, bool):
        return either(test, b) if a else both(no(test), b)
    if isinstance(b, bool):
        return either(no(test), a) if b else both(test, a)
    return z3.BoolRef(z3core.Z3_mk_ite(REF, test.ast, a.ast, b.ast), CONTEXT)


def equal(a: Truth, b: Truth) -> Truth:
    """Both hold, or neither."""
    if isinstance(a, bool):
        return b if a else no(b)
    if isinstance(b, bool):
        return a if b else no(a)
    if same(a, b):
        return True
    return z3.BoolRef(z3core.Z3_mk_eq(REF, a.ast, b.ast), CONTEXT)


def term(a: Truth) -> z3.BoolRef:
    """The term, also of what is known."""
    return z3.BoolVal(a) if isinstance(a, bool) else a


def conjuncts(parts: Sequence[Truth]) -> list[z3.BoolRef]:
    """What a solver is to be told."""
    return [term(p) for p in parts if p is not True]
