"""Making IR expressions, with what is constant worked out at once."""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from .nodes import NOWHERE, All, Any, Binary, BinaryOp, Const, Expr, If, Mark, Unary

TRUE, FALSE = Const(1), Const(0)


def negate(a: Expr, at: Mark = NOWHERE) -> Expr:
    """Not a."""
    match a:
        case Const(value=v):
            return FALSE if v else TRUE
        case Unary(op="not", a=b):
            return b
        case Binary(op="eq", a=x, b=y):
            return Binary("ne", x, y, at=at)
        case Binary(op="ne", a=x, b=y) | Binary(op="gt", a=Unary(op="size") as x, b=Const(value=0) as y):
            return Binary("eq", x, y, at=at)
        case _:
            return Unary("not", a, at=at)


def both(parts: Iterable[Expr], at: Mark = NOWHERE) -> Expr:
    """All of the parts."""
    return joined(All, FALSE, parts, at)


def either(parts: Iterable[Expr], at: Mark = NOWHERE) -> Expr:
    """Some of the parts."""
    return joined(Any, TRUE, parts, at)


def joined(of: type[All | Any], decisive: Const, parts: Iterable[Expr], at: Mark) -> Expr:
    """All or any of the parts: one that is `decisive` is the whole, and other constants say nothing."""
    out: list[Expr] = []
    for p in parts:
        if not isinstance(p, Const):
            out.extend(p.parts if isinstance(p, of) else (p,))
        elif bool(p.value) == bool(decisive.value):
            return decisive
    return negate(decisive) if not out else out[0] if len(out) == 1 else of(tuple(out), at=at)


def pick(test: Expr, a: Expr, b: Expr, at: Mark = NOWHERE) -> Expr:
    """`a` if the test holds, else `b`."""
    if isinstance(test, Const):
        return a if test.value else b
    return a if a == b else If(test, a, b, at=at)


UNARY: Mapping[str, Callable[[int], int]] = {
    "not": lambda a: 0 if a else 1,
    "neg": operator.neg,
    "abs": abs,
    "size": int.bit_count,
    "only": lambda a: a.bit_length() - 1 if a and not a & (a - 1) else -1,
    "single": lambda a: 1 << a,
    "below": lambda a: (1 << a) - 1 if a > 0 else 0,
}
BINARY: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "min": min, "max": max,
    "div": operator.floordiv, "mod": operator.mod,
    "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b), "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b), "ge": lambda a, b: int(a >= b),
    "union": operator.or_, "meet": operator.and_, "without": lambda a, b: a & ~b, "differ": operator.xor,
    "member": lambda a, b: b >> a & 1 if a >= 0 else 0,
    "shift": lambda a, b: a << b if b >= 0 else a >> -b,
}
"""What each operator gives, where it does not fault."""


def binary(op: BinaryOp, a: Expr, b: Expr, at: Mark = NOWHERE) -> Expr:
    """a op b."""
    if (
        isinstance(a, Const)
        and isinstance(b, Const)
        and not (op in ("div", "mod") and not b.value)
        and not (op == "shift" and abs(b.value) > 4096)
    ):
        return Const(BINARY[op](a.value, b.value), at=at)
    if op in ("add", "sub", "shift") and b == FALSE:
        return a
    if op == "add" and a == FALSE:
        return b
    if op in ("meet", "union") and FALSE in (a, b):
        return FALSE if op == "meet" else (b if a == FALSE else a)
    if op == "member" and b == FALSE:
        return FALSE
    return Binary(op, a, b, at=at)


def unary(op: Literal["neg", "below", "single", "size"], a: Expr, at: Mark = NOWHERE) -> Expr:
    """op a: -a, the set 0..a-1, the set of one element number a, how many a set has."""
    if isinstance(a, Const) and (
        op in ("neg", "size") or (op == "below" and a.value <= 4096) or (op == "single" and a.value >= 0)
    ):
        return Const(UNARY[op](a.value), at=at)
    return Unary(op, a, at=at)
