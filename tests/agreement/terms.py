"""The translation to z3, put in numbers: terms evaluated without a solver, by substituting what is known."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rulewright.checks.smt import numbers as n
from rulewright.checks.smt.numbers import Val
from rulewright.checks.smt.truths import Truth


@dataclass
class Known:
    """What variables stand for."""

    pairs: list[tuple[z3.ExprRef, z3.ExprRef]]

    def truth(self, a: Truth) -> bool:
        if isinstance(a, bool):
            return a
        found = z3.simplify(z3.substitute(a, *self.pairs))
        assert z3.is_true(found) or z3.is_false(found), f"something is not known: {found}"
        return z3.is_true(found)

    def value(self, v: Val) -> int:
        if isinstance(v, int):
            return v
        if isinstance(v, n.Num):
            found = z3.simplify(z3.substitute(v.term, *self.pairs))
            assert isinstance(found, z3.BitVecNumRef), f"something is not known: {found}"
            return found.as_signed_long()
        return sum(1 << k for k, b in enumerate(v.bits) if self.truth(b))

    def holding(self, conditions: Sequence[Truth]) -> list[int]:
        """Which of them hold."""
        found = self.values([n.truth(c) for c in conditions])
        return [k for k, x in enumerate(found) if x]

    def values(self, vs: Sequence[Val]) -> tuple[int, ...]:
        """Several at once: what they share is worked out once."""
        terms: list[z3.ExprRef] = []
        for v in vs:
            if isinstance(v, n.Num):
                terms.append(v.term)
            elif isinstance(v, n.Bits):
                terms += [b for b in v.bits if not isinstance(b, bool)]
        if not terms:
            return tuple(v for v in vs if isinstance(v, int))
        whole = z3.simplify(z3.substitute(z3.Function("all", *(x.sort() for x in terms), z3.BoolSort())(*terms), *self.pairs))
        found = iter(whole.children())
        out: list[int] = []
        for v in vs:
            if isinstance(v, int):
                out.append(v)
            elif isinstance(v, n.Num):
                one = next(found)
                assert isinstance(one, z3.BitVecNumRef), f"something is not known: {one}"
                out.append(one.as_signed_long())
            else:
                out.append(sum(1 << k for k, b in enumerate(v.bits) if b is True or (b is not False and is_true(next(found)))))
        return tuple(out)


def is_true(found: z3.ExprRef) -> bool:
    assert z3.is_true(found) or z3.is_false(found), f"something is not known: {found}"
    return z3.is_true(found)


def known(variables: Sequence[Val], values: Sequence[int]) -> Known:
    """The variables have these values."""
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for v, x in zip(variables, values, strict=True):
        if isinstance(v, int):
            assert v == x, f"{x} was taken for {v}"
        elif isinstance(v, n.Num):
            assert v.lo <= x <= v.hi, f"{x} is outside {v.lo}..{v.hi}"
            pairs.append((v.term, z3.BitVecVal(x, v.term.size())))
        else:
            pairs += [(b, z3.BoolVal(bool(x >> k & 1))) for k, b in enumerate(v.bits) if not isinstance(b, bool)]
    return Known(pairs)
