"""Numbers of which only a least value is known: an integer plus multiples of variables that are integers from 0 up.

The reference engine runs on them as it runs on integers. A comparison that does not come out alike for all values of the variables is not
decided but raised, with the value from which on it would be: so whatever a run does, it does for all of them.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import cast

INFINITE = 10 ** 30
"""The end of a domain that has none."""


class Undecided(Exception):
    """A comparison hangs on how large `variable` is: not any more from `least` on."""

    def __init__(self, variable: int, least: int) -> None:
        self.variable, self.least = variable, least


class Apart(Exception):
    """Two numbers were compared that can be any way apart: these variables would have to be."""

    def __init__(self, variables: Iterable[int]) -> None:
        self.variables = tuple(variables)


class Divided(Exception):
    """A number was divided by `by`, and what is left over hangs on these variables."""

    def __init__(self, variables: Iterable[int], by: int) -> None:
        self.variables, self.by = tuple(variables), by


class NoNumber(Exception):
    """A number was used as something else: as a set, in a product, as an option."""


@dataclass(slots=True, eq=False)
class Affine:
    """`base` plus, for each variable, so many times it (`terms`; none is 0, at least one)."""

    base: int
    terms: dict[int, int]

    # ------------------------------------------------------------ arithmetic
    def __add__(self, other: int | Affine) -> int:
        b = other if isinstance(other, Affine) else Affine(other, {})
        return affine(self.base + b.base, {x: self.terms.get(x, 0) + b.terms.get(x, 0) for x in self.terms | b.terms})

    __radd__ = __add__

    def __sub__(self, other: int | Affine) -> int:
        return self + -other

    def __rsub__(self, other: int) -> int:
        return other + -self

    def __neg__(self) -> int:
        return self * -1

    def __abs__(self) -> int:
        return self * (-1 if self < 0 else 1)

    def __mul__(self, other: object) -> int:
        if not isinstance(other, int):
            raise NoNumber
        return affine(self.base * other, {x: c * other for x, c in self.terms.items()})

    __rmul__ = __mul__

    def __floordiv__(self, by: int) -> int:
        self._divides(by)
        return affine(self.base // by, {x: c // by for x, c in self.terms.items()})

    def __mod__(self, by: int) -> int:
        self._divides(by)
        return self.base % by

    def _divides(self, by: object) -> None:
        if not isinstance(by, int):
            raise NoNumber
        if odd := [x for x, c in self.terms.items() if c % by]:
            raise Divided(odd, abs(by))

    # ------------------------------------------------------------ comparison
    def __gt__(self, other: int | Affine) -> bool:
        return positive(self - other)

    def __lt__(self, other: int | Affine) -> bool:
        return positive(other - self)

    def __ge__(self, other: int | Affine) -> bool:
        return not self < other

    def __le__(self, other: int | Affine) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Affine):
            return False
        d = cast("int | Affine", self - other)
        if isinstance(d, Affine) and d.base % gcd(*d.terms.values()):
            return False
        return not positive(d) and not positive(-d)

    def __bool__(self) -> bool:
        return self != 0

    def _no_number(self, *_: object) -> int:
        raise NoNumber

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _no_number
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __index__ = __hash__ = _no_number
    __rfloordiv__ = __rmod__ = __pow__ = __rpow__ = bit_length = bit_count = _no_number


def affine(base: int, terms: Mapping[int, int]) -> int:
    """The number with these terms, where the engine expects an integer: a plain one if there are none but of 0."""
    left = {x: c for x, c in terms.items() if c}
    return cast(int, Affine(base, left)) if left else base


def positive(d: int | Affine) -> bool:
    """Is it more than 0, whatever the variables are? Raises Undecided, or Apart."""
    if isinstance(d, int):
        return d > 0
    if abs(d.base) > INFINITE // 2:  # compared with the end of a domain that has none
        return d.base > 0
    signs = {c > 0 for c in d.terms.values()}
    if len(signs) == 2:
        raise Apart(d.terms)
    rises = signs.pop()
    if (d.base > 0) is rises:
        return rises
    variable, by = next(iter(d.terms.items()))
    raise Undecided(variable, -(-(abs(d.base) + 1) // abs(by)))
