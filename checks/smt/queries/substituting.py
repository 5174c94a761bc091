"""Terms with others put in the place of their variables: what comes of a state, of a state that something came of."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from z3 import z3core

from .. import numbers as n
from .. import truths as t
from ..numbers import Val
from ..truths import CONTEXT, REF, Truth


class Substitution:
    """Puts values in the place of variables: `pairs` of a variable and its value."""

    def __init__(self, pairs: Iterable[tuple[Val, Val]]) -> None:
        self.variables: list[z3.ExprRef] = []
        self.terms: list[z3.ExprRef] = []
        for variable, v in pairs:
            if isinstance(variable, int) or variable is v:
                continue
            if isinstance(variable, n.Num):
                self.put(variable.term, n.at(n.narrowed(v, variable.lo, variable.hi), variable.width))
            else:
                for b, x in zip(variable.bits, n.bits(v, len(variable.bits)), strict=False):
                    assert not isinstance(b, bool)
                    self.put(b, t.term(x))

    def put(self, variable: z3.ExprRef, value: z3.ExprRef) -> None:
        if t.address(variable) != t.address(value):
            self.variables.append(variable)
            self.terms.append(value)

    def __call__(self, terms: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
        """All terms at once: what they share is gone through once."""
        if not terms or not self.variables:
            return list(terms)
        bundle = z3.Function(f"bundle{len(terms)}", *(x.sort() for x in terms), z3.BoolSort())(*terms)
        found = z3core.Z3_substitute(
            REF, bundle.as_ast(), len(self.variables), t.asts(self.variables), t.asts(self.terms))
        return z3.BoolRef(found, CONTEXT).children()


def substituted(change: Substitution, values: Sequence[Val], truths: Sequence[Truth]) -> tuple[list[Val], list[Truth]]:
    """The values and truths with the variables replaced."""
    terms: list[z3.ExprRef] = []
    for v in values:
        if isinstance(v, n.Num):
            terms.append(v.term)
        elif isinstance(v, n.Bits):
            terms += [b for b in v.bits if not isinstance(b, bool)]
    terms += [x for x in truths if not isinstance(x, bool)]
    new = iter(change(terms))
    out: list[Val] = []
    for v in values:
        if isinstance(v, n.Num):
            term = next(new)
            assert isinstance(term, z3.BitVecRef)
            out.append(n.Num(term, v.lo, v.hi))
        elif isinstance(v, n.Bits):
            out.append(n.bits_of([b if isinstance(b, bool) else truth_of(next(new)) for b in v.bits]))
        else:
            out.append(v)
    return out, [x if isinstance(x, bool) else truth_of(next(new)) for x in truths]


def truth_of(term: z3.ExprRef) -> Truth:
    """A truth, known where the term is a constant."""
    assert isinstance(term, z3.BoolRef)
    return True if z3.is_true(term) else False if z3.is_false(term) else term
