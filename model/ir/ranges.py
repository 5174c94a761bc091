"""Between which bounds the value of an expression lies, whatever the state."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from . import nodes as ir
from .types import Type, domain

Bounds = tuple[int, int]
ENDLESS = 1 << 256
"""Stands for a bound that nobody knows."""
TRUTH = (0, 1)


class Ranges:
    """Bounds of expressions. `slot` tells the type of a slot, `local` that of a local, `result` that of a function
    (None: unknown); `cards` counts them."""

    def __init__(
        self, slot: Callable[[int], Type], local: Callable[[int], Type], result: Callable[[str], Type | None],
        tables: Sequence[tuple[int, ...]], cards: int,
    ) -> None:
        self.slot, self.local, self.result, self.tables, self.cards = slot, local, result, tables, cards

    def of(self, e: ir.Expr) -> Bounds:
        """The bounds of an expression."""
        match e:
            case ir.Const(value=v):
                return v, v
            case ir.Answer(lo=lo, hi=hi):
                return lo, hi
            case ir.Local(index=x):
                return domain(self.local(x))
            case ir.Load(base=b):
                return domain(self.slot(b))
            case ir.Table(table=t):
                row = self.tables[t] or (0,)
                return min(row), max(row)
            case ir.Unary(op=op, a=a):
                return unary(op, self.of(a))
            case ir.Binary(op=op, a=a, b=b):
                return binary(op, self.of(a), self.of(b))
            case ir.All() | ir.Any():
                return TRUTH
            case ir.If(a=a, b=b):
                return hull(self.of(a), self.of(b))
            case ir.Present(a=a, none=none):
                lo, hi = self.of(a)
                return (lo + 1 if lo == none and lo < hi else lo), hi
            case ir.Within(a=a, lo=lo, hi=hi):
                x, y = self.of(a)
                return (max(x, lo), min(y, hi)) if x <= hi and lo <= y else (lo, hi)
            case ir.Fold():
                return self.fold(e)
            case ir.Call(function=f):
                of = self.result(f)
                return (-ENDLESS, ENDLESS) if of is None else (of.lo, of.hi)
            case ir.ZoneCards() | ir.PileTop():
                return 0, (1 << self.cards) - 1
            case ir.PileFind():
                return -1, self.cards - 1
            case _:
                return -ENDLESS, ENDLESS

    def fold(self, e: ir.Fold) -> Bounds:
        """The bounds of a fold."""
        if e.kind in ("any", "all"):
            return TRUTH
        if e.kind in ("set", "union") and self.of(e.domain)[1] == 0:
            return 0, 0
        lo, hi = self.of(e.body)
        match e.kind:
            case "sum":
                n = self.of(e.domain)[1].bit_length()
                return min(0, n * lo), max(0, n * hi)
            case "set":
                return 0, all_ones(1 << max(0, min(hi, 4096)))
            case "union":
                return 0, all_ones(hi)
            case _:
                return (lo, hi) if e.default is None else hull((lo, hi), self.of(e.default))


def hull(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), max(a[1], b[1])


def all_ones(n: int) -> int:
    """The least mask that covers every mask up to n."""
    return (1 << max(0, n).bit_length()) - 1


def bits_beside_sign(n: int) -> int:
    """Bits of a number in two's complement, without that of the sign."""
    return (n if n >= 0 else ~n).bit_length()


def unary(op: str, a: Bounds) -> Bounds:
    """Bounds of `op a`."""
    lo, hi = a
    match op:
        case "not":
            return TRUTH
        case "neg":
            return -hi, -lo
        case "abs":
            return (0 if lo <= 0 <= hi else min(abs(lo), abs(hi))), max(abs(lo), abs(hi))
        case "size":
            return 0, max(0, hi).bit_length()
        case "lowest":
            return 0, max(0, max(0, hi).bit_length() - 1)
        case "only":
            return -1, max(0, hi).bit_length() - 1
        case "single" | "below":
            return 0, all_ones(1 << max(0, min(hi, 4096)))
        case _:
            return -ENDLESS, ENDLESS


def binary(op: str, a: Bounds, b: Bounds) -> Bounds:
    """Bounds of `a op b`."""
    match op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            ends = [x * y for x in a for y in b]
            return min(ends), max(ends)
        case "div":
            most = max(abs(a[0]), abs(a[1]))
            return (0 if a[0] >= 0 and b[0] >= 0 else -most), most
        case "mod":
            most = max(abs(b[0]), abs(b[1]))
            return (0 if b[0] >= 0 else -most), max(0, most - 1)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "union" | "differ":
            return 0, all_ones(max(a[1], b[1]))
        case "meet":
            return 0, max(0, min(a[1], b[1]))
        case "without":
            return 0, max(0, a[1])
        case "shift":
            return 0, all_ones(max(0, a[1]) << min(b[1], 4096)) if b[1] >= 0 else max(0, a[1])
        case _:
            return TRUTH  # comparisons and membership
