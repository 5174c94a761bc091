"""The same question with integers in place of bit vectors.

No number wraps in the terms of this package (each has as many bits as its bounds need), so both mean the same. Bit
vectors are some twenty times as fast where cards, zones and small counters are compared; sums of many places (what is
conserved) are hard for them and easy for integers: benchmarks/README.md has the figures.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from .truths import address


class NoIntegers(Exception):
    """An operation that has no simple meaning for integers."""


OPERATIONS: Mapping[int, Callable[..., Any]] = {
    z3.Z3_OP_BADD: lambda *a: z3.Sum(a),
    z3.Z3_OP_BSUB: lambda a, b: a - b,
    z3.Z3_OP_BMUL: lambda a, b: a * b,
    z3.Z3_OP_BUDIV: lambda a, b: a / b,
    z3.Z3_OP_BUREM: lambda a, b: a % b,
    z3.Z3_OP_SLT: lambda a, b: a < b,
    z3.Z3_OP_SLEQ: lambda a, b: a <= b,
    z3.Z3_OP_SGT: lambda a, b: a > b,
    z3.Z3_OP_SGEQ: lambda a, b: a >= b,
    z3.Z3_OP_EQ: lambda a, b: a == b,
    z3.Z3_OP_ITE: lambda c, a, b: z3.If(c, a, b),
    z3.Z3_OP_NOT: lambda a: z3.Not(a),
    z3.Z3_OP_AND: lambda *a: z3.And(*a),
    z3.Z3_OP_OR: lambda *a: z3.Or(*a),
    z3.Z3_OP_SIGN_EXT: lambda a: a,
    z3.Z3_OP_TRUE: lambda: z3.BoolVal(True),
    z3.Z3_OP_FALSE: lambda: z3.BoolVal(False),
}


class Integers:
    """Translates conditions. `variables`: each bit vector, and the integer that stands for it; `until`: the moment by
    which it has to be done."""

    def __init__(self, until: float | None = None) -> None:
        self.until = until
        self.done: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        self.variables: list[tuple[z3.BitVecRef, z3.ArithRef]] = []

    def conditions(self, of: Sequence[z3.BoolRef]) -> list[z3.ExprRef]:
        """The same conditions, and the bounds of the variables. Raises NoIntegers."""
        out = [self.translated(c) for c in of]
        for bits, number in self.variables:
            half = 1 << bits.size() - 1
            out += [number >= -half, number < half]
        return out

    def translated(self, whole: z3.ExprRef) -> z3.ExprRef:
        todo = [whole]
        while todo:
            e = todo[-1]
            if address(e) in self.done:
                todo.pop()
                continue
            parts = e.children()
            missing = [p for p in parts if address(p) not in self.done]
            if missing:
                todo += missing
                continue
            todo.pop()
            if self.until is not None and not len(self.done) % 1024 and time.monotonic() > self.until:
                raise NoIntegers("the question is too long to be translated in time")
            self.done[address(e)] = e, self.node(e, [self.done[address(p)][1] for p in parts])
        return self.done[address(whole)][1]

    def node(self, e: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
        kind = e.decl().kind()
        if isinstance(e, z3.BitVecNumRef):
            return z3.IntVal(e.as_long() if e.size() == 1 else e.as_signed_long())
        if kind == z3.Z3_OP_UNINTERPRETED and not parts:
            if not isinstance(e, z3.BitVecRef):
                return e
            number = z3.Int(e.decl().name())
            self.variables.append((e, number))
            return number
        if kind == z3.Z3_OP_EXTRACT:
            high, low = e.params()
            if low == 0 and high != 0:
                return parts[0]  # bits that the bounds do not need
            if high == low:
                return (parts[0] / (1 << low)) % 2  # pyright: ignore[reportOperatorIssue]
        if kind == z3.Z3_OP_CONCAT and all(is_row(p) for p in e.children()):
            out, above = parts[-1], 0
            for p, number in zip(e.children()[-1:0:-1], parts[-2::-1], strict=True):
                above += p.size()  # pyright: ignore[reportAttributeAccessIssue]
                out = out + number * (1 << above)  # pyright: ignore[reportOperatorIssue]
            return out
        if kind not in OPERATIONS:
            raise NoIntegers(e.decl().name())
        return OPERATIONS[kind](*parts)


def is_row(e: z3.ExprRef) -> bool:
    """A single bit, or several side by side: none of them is a sign."""
    return isinstance(e, z3.BitVecRef) and (e.size() == 1 or e.decl().kind() == z3.Z3_OP_CONCAT)
