"""Making IR expressions, with what is constant worked out at once."""
from __future__ import annotations

from collections.abc import Iterable

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
    out: list[Expr] = []
    for p in parts:
        if isinstance(p, Const):
            if not p.value:
                return FALSE
            continue
        out.extend(p.parts if isinstance(p, All) else (p,))
    return TRUE if not out else out[0] if len(out) == 1 else All(tuple(out), at=at)


def either(parts: Iterable[Expr], at: Mark = NOWHERE) -> Expr:
    """Some of the parts."""
    out: list[Expr] = []
    for p in parts:
        if isinstance(p, Const):
            if p.value:
                return TRUE
            continue
        out.extend(p.parts if isinstance(p, Any) else (p,))
    return FALSE if not out else out[0] if len(out) == 1 else Any(tuple(out), at=at)


def pick(test: Expr, a: Expr, b: Expr, at: Mark = NOWHERE) -> Expr:
    """`a` if the test holds, else `b`."""
    if isinstance(test, Const):
        return a if test.value else b
    return a if a == b else If(test, a, b, at=at)


def binary(op: BinaryOp, a: Expr, b: Expr, at: Mark = NOWHERE) -> Expr:
    """a op b."""
    if isinstance(a, Const) and isinstance(b, Const):
        x, y = a.value, b.value
        match op:
            case "add":
                return Const(x + y, at=at)
            case "sub":
                return Const(x - y, at=at)
            case "mul":
                return Const(x * y, at=at)
            case "eq":
                return Const(int(x == y), at=at)
            case "ne":
                return Const(int(x != y), at=at)
            case "lt":
                return Const(int(x < y), at=at)
            case "le":
                return Const(int(x <= y), at=at)
            case "gt":
                return Const(int(x > y), at=at)
            case "ge":
                return Const(int(x >= y), at=at)
            case "union":
                return Const(x | y, at=at)
            case "meet":
                return Const(x & y, at=at)
            case "without":
                return Const(x & ~y, at=at)
            case "member":
                return Const(y >> x & 1 if x >= 0 else 0, at=at)
            case "min":
                return Const(min(x, y), at=at)
            case "max":
                return Const(max(x, y), at=at)
            case "differ":
                return Const(x ^ y, at=at)
            case "shift" if abs(y) <= 4096:
                return Const(x << y if y >= 0 else x >> -y, at=at)
            case "div" if y != 0:
                return Const(x // y, at=at)
            case "mod" if y != 0:
                return Const(x % y, at=at)
            case _:
                pass
    if op in ("add", "sub", "shift") and b == FALSE:
        return a
    if op == "add" and a == FALSE:
        return b
    if op in ("meet", "union") and FALSE in (a, b):
        return FALSE if op == "meet" else (b if a == FALSE else a)
    if op == "member" and b == FALSE:
        return FALSE
    return Binary(op, a, b, at=at)


def below(a: Expr, at: Mark = NOWHERE) -> Expr:
    """The set 0..a-1."""
    if isinstance(a, Const) and a.value <= 4096:
        return Const((1 << max(0, a.value)) - 1, at=at)
    return Unary("below", a, at=at)


def negated(a: Expr, at: Mark = NOWHERE) -> Expr:
    """-a."""
    return Const(-a.value, at=at) if isinstance(a, Const) else Unary("neg", a, at=at)


def single(a: Expr, at: Mark = NOWHERE) -> Expr:
    """The set of one element number `a`."""
    if isinstance(a, Const) and a.value >= 0:
        return Const(1 << a.value, at=at)
    return Unary("single", a, at=at)
