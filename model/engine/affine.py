"""Numbers of which only a least value is known: an integer plus multiples of variables that are integers from 0 up.

The reference engine runs on them as it runs on integers. A comparison that does not come out alike for all values of the variables is not
decided but raised, with the value from which on it would be: so whatever a run does, it does for all of them.
"""
from __future__ import annotations

from collections.abc import Iterable
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


class Affine:
    """`base` plus, for each variable, so many times it (`terms`; none is 0, at least one)."""

    __slots__ = ("base", "terms")

    def __init__(self, base: int, terms: dict[int, int]) -> None:
        self.base, self.terms = base, terms

    # ------------------------------------------------------------ arithmetic
    def __add__(self, other: object) -> int:
        if isinstance(other, int):
            return as_int(Affine(self.base + other, self.terms))
        return combined(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: object) -> int:
        if isinstance(other, int):
            return as_int(Affine(self.base - other, self.terms))
        return combined(self, other, -1)

    def __rsub__(self, other: int) -> int:
        return as_int(Affine(other - self.base, {x: -c for x, c in self.terms.items()}))

    def __neg__(self) -> int:
        return 0 - as_int(self)

    def __abs__(self) -> int:
        return -as_int(self) if self < 0 else as_int(self)

    def __mul__(self, other: object) -> int:
        if not isinstance(other, int):
            raise NoNumber
        return as_int(Affine(self.base * other, {x: c * other for x, c in self.terms.items()})) if other else 0

    __rmul__ = __mul__

    def __floordiv__(self, by: object) -> int:
        self._divides(by)
        return as_int(Affine(self.base // cast(int, by), {x: c // cast(int, by) for x, c in self.terms.items()}))

    def __mod__(self, by: object) -> int:
        self._divides(by)
        return self.base % cast(int, by)

    def _divides(self, by: object) -> None:
        if not isinstance(by, int):
            raise NoNumber
        if odd := [x for x, c in self.terms.items() if c % by]:
            raise Divided(odd, abs(by))

    # ------------------------------------------------------------ comparison
    def __gt__(self, other: object) -> bool:
        return positive(self - other)

    def __lt__(self, other: object) -> bool:
        return positive(other - self)  # pyright: ignore[reportOperatorIssue, reportUnknownArgumentType]

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __le__(self, other: object) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Affine):
            return False
        d = cast("int | Affine", self - other)
        if isinstance(d, int):
            return d == 0
        if d.base % gcd(*d.terms.values()):
            return False
        return not positive(as_int(d)) and not positive(-as_int(d))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:
        raise NoNumber

    def _no_number(self, *_: object) -> int:
        raise NoNumber

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _no_number
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __index__ = _no_number
    __rfloordiv__ = __rmod__ = __pow__ = __rpow__ = bit_length = bit_count = _no_number

    def __repr__(self) -> str:
        return " + ".join([str(self.base), *(f"{c}·t{x}" for x, c in self.terms.items())])

    @property
    def least(self) -> int:
        """Its least value; -INFINITE where it has none."""
        return self.base if all(c > 0 for c in self.terms.values()) else -INFINITE


def as_int(number: Affine) -> int:
    """The number, where the engine expects an integer; a plain one if it is one."""
    return cast(int, number)


def affine(base: int, terms: dict[int, int]) -> int:
    """The number with these terms: an integer if there are none."""
    return as_int(Affine(base, terms)) if terms else base


def combined(a: Affine, b: object, sign: int) -> int:
    """a plus or minus b."""
    if not isinstance(b, Affine):
        return NotImplemented
    terms = dict(a.terms)
    for x, c in b.terms.items():
        terms[x] = terms.get(x, 0) + sign * c
    return affine(a.base + sign * b.base, {x: c for x, c in terms.items() if c})


def positive(d: int) -> bool:
    """Is it more than 0, whatever the variables are? Raises Undecided, or Apart."""
    if isinstance(d, int):
        return d > 0
    number = cast(Affine, d)
    if abs(number.base) > INFINITE // 2:  # compared with the end of a domain that has none
        return number.base > 0
    signs = {c > 0 for c in number.terms.values()}
    if len(signs) == 2:
        raise Apart(number.terms)
    rises = signs.pop()
    if (number.base > 0) is rises:
        return rises
    variable, by = next(iter(number.terms.items()))
    raise Undecided(variable, -(-(abs(number.base) + 1) // abs(by)))
