"""Numbers: an `int` where it is known, a `Num` (a bit vector with bounds) or `Bits` (one truth for each bit).

No number ever wraps: the bounds of each are known from those of its parts, and its bit vector has as many bits as they
need, sign included. A mask (a set) is held as one truth for each member, so that sets are worked on member by member,
and a truth is the mask of one bit.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import z3
from z3 import z3core

from ...model.ir.ranges import binary as binary_range
from ...spec.text import Text
from . import truths as t
from .truths import CONTEXT, REF, Truth


class Refused(Exception):
    """There is no answer. `why`: in both languages."""

    def __init__(self, ja: str, en: str) -> None:
        super().__init__(en)
        self.why = Text(ja, en)


class Beyond(Refused):
    """The translation refuses."""


class Num:
    """A number of which only bounds are known. `counts`: the truths it counts, if it does."""

    __slots__ = ("_bits", "counts", "hi", "lo", "term", "width")

    def __init__(self, term: z3.BitVecRef, lo: int, hi: int, counts: tuple[Truth, ...] | None = None) -> None:
        self.term, self.lo, self.hi, self.counts = term, lo, hi, counts
        self.width = width(lo, hi)
        self._bits: Bits | None = None


class Bits:
    """A number that is not negative, as its bits, the lowest first. `size`: of a set of which only a few members are told apart, how many it has."""

    __slots__ = ("_num", "bits", "size")

    def __init__(self, bits: tuple[Truth, ...], size: Val | None = None) -> None:
        self.bits, self.size = bits, size
        self._num: Num | None = None


Val = int | Num | Bits


def width(lo: int, hi: int) -> int:
    """How many bits a signed number between the bounds needs; two at least (one alone is a member of a set)."""
    return 1 + max(1, (hi if hi >= 0 else -hi - 1).bit_length(), (lo if lo >= 0 else -lo - 1).bit_length())


def lo_of(v: Val) -> int:
    return v if isinstance(v, int) else v.lo if isinstance(v, Num) else 0


def hi_of(v: Val) -> int:
    return v if isinstance(v, int) else v.hi if isinstance(v, Num) else (1 << len(v.bits)) - 1


def identity(v: Val) -> object:
    """What tells values apart, as long as their terms live."""
    if isinstance(v, int):
        return v
    if isinstance(v, Num):
        return t.address(v.term), v.lo, v.hi
    return (*map(t.identity, v.bits), None if v.size is None else identity(v.size))


def same(a: Val, b: Val) -> bool:
    return a is b or identity(a) == identity(b)


def variable(name: str, lo: int, hi: int) -> Val:
    """A number of which nothing is known but its bounds (tell them to the solver, too: `in_bounds`)."""
    return lo if lo == hi else Num(z3.BitVec(name, width(lo, hi)), lo, hi)


def mask_variable(name: str, size: int) -> Val:
    """A set of which nothing is known but how many members there can be."""
    return bits_of(tuple(z3.Bool(f"{name}.{k}") for k in range(size)))


def bits_of(bits: Sequence[Truth]) -> Val:
    """The number with these bits; an `int` if all are known."""
    n = len(bits)
    while n and bits[n - 1] is False:
        n -= 1
    known = 0
    for k in range(n):
        b = bits[k]
        if not isinstance(b, bool):
            return Bits(tuple(bits[:n]))
        known |= b << k
    return known


def truth(v: Truth) -> Val:
    """0 or 1."""
    return int(v) if isinstance(v, bool) else Bits((v,))


def holds(v: Val) -> Truth:
    """Is it not 0?"""
    if isinstance(v, int):
        return v != 0
    if isinstance(v, Bits):
        return t.some(v.bits)
    return t.no(equal(v, 0))


def constant(value: int, bits: int) -> z3.BitVecRef:
    known = _constants.get((value, bits))
    if known is None:
        if len(_constants) > t.MOST_KEPT:
            _constants.clear()
        sort = z3.BitVecSort(bits)
        known = _constants[value, bits] = z3.BitVecRef(z3core.Z3_mk_numeral(REF, str(value), sort.ast), CONTEXT)
    return known


_constants: dict[tuple[int, int], z3.BitVecRef] = {}


def number(v: Num | Bits) -> Num:
    """As a bit vector."""
    if isinstance(v, Num):
        return v
    if v._num is None:
        n = len(v.bits)
        parts = [constant(0, 1), *(_bit(b) for b in reversed(v.bits))]
        v._num = Num(z3.Concat(*parts), 0, (1 << n) - 1)  # pyright: ignore[reportArgumentType]
        v._num._bits = v
    return v._num


def _bit(b: Truth) -> z3.BitVecRef:
    if isinstance(b, bool):
        return constant(int(b), 1)
    return _ite(b, constant(1, 1), constant(0, 1))


def _ite(test: z3.BoolRef, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    # here and below, terms are held by a name while another is made of them: z3 frees what nobody holds
    return z3.BitVecRef(z3core.Z3_mk_ite(REF, test.ast, a.ast, b.ast), CONTEXT)


def at(v: Val, bits: int) -> z3.BitVecRef:
    """As a bit vector of so many bits, which must be enough."""
    if isinstance(v, int):
        return constant(v, bits)
    x = number(v)
    if x.width == bits:
        return x.term
    return z3.BitVecRef(z3core.Z3_mk_sign_ext(REF, bits - x.width, x.term.ast), CONTEXT)


def made(term: z3.BitVecRef, have: tuple[int, int], lo: int, hi: int) -> Val:
    """The number that a term for bounds `have` holds, cut to the bits that lo..hi needs."""
    if lo >= hi:
        return lo
    more, need = width(*have), width(lo, hi)
    if need < more:
        term = z3.BitVecRef(z3core.Z3_mk_extract(REF, need - 1, 0, term.ast), CONTEXT)
    return Num(term, lo, hi)


def narrowed(v: Val, lo: int, hi: int) -> Val:
    """The value, of which is known that it lies between these bounds."""
    if isinstance(v, int) or (lo_of(v) >= lo and hi_of(v) <= hi):
        return v
    if isinstance(v, Bits):
        return bits_of(v.bits[:max(0, hi).bit_length()])
    if v.lo > hi or v.hi < lo:
        return lo  # nobody comes here
    return made(v.term, (v.lo, v.hi), max(lo, v.lo), min(hi, v.hi))


def bits(v: Val, size: int = 0) -> tuple[Truth, ...]:
    """Its bits, the lowest first; at least so many."""
    if isinstance(v, int):
        if v < 0:
            return tuple(bool(v >> k & 1) for k in range(size))
        found: tuple[Truth, ...] = tuple(bool(v >> k & 1) for k in range(v.bit_length()))
    elif isinstance(v, Bits):
        found = v.bits
    else:
        if v.lo < 0:
            raise Beyond("負になりうる集合", "a set that may be negative")
        if v._bits is None:
            v._bits = Bits(tuple(_bit_at(v.term, k) for k in range(v.hi.bit_length())))
        found = v._bits.bits
    return found + (False,) * (size - len(found))


def _bit_at(term: z3.BitVecRef, k: int) -> z3.BoolRef:
    it, one = z3.BitVecRef(z3core.Z3_mk_extract(REF, k, k, term.ast), CONTEXT), constant(1, 1)
    return z3.BoolRef(z3core.Z3_mk_eq(REF, it.ast, one.ast), CONTEXT)


# ---------------------------------------------------------------- choosing
def choose(test: Truth, a: Val, b: Val, mask: bool = False) -> Val:
    """`a` where the test holds, else `b`; `mask`: they are sets."""
    if isinstance(test, bool):
        return a if test else b
    if a is b:
        return a
    if mask or ((isinstance(a, Bits) or isinstance(b, Bits)) and not mixed(a, b)):
        if lo_of(a) >= 0 and lo_of(b) >= 0:
            out, x, y = bitwise(lambda x, y: t.choose(test, x, y), a, b), size_of(a), size_of(b)
            return out if x is None or y is None else sized(out, choose(test, x, y))
    elif isinstance(a, int) and isinstance(b, int):
        if a == b:
            return a
        if 0 <= a <= 1 and 0 <= b <= 1:
            return truth(test if a else t.no(test))
    elif same(a, b):
        return a
    lo, hi = min(lo_of(a), lo_of(b)), max(hi_of(a), hi_of(b))
    n = width(lo, hi)
    return Num(_ite(test, at(a, n), at(b, n)), lo, hi)


def bitwise(make: Callable[[Truth, Truth], Truth], a: Val, b: Val) -> Val:
    n = max(0 if isinstance(a, int) and a < 0 else len(bits(a)), 0 if isinstance(b, int) and b < 0 else len(bits(b)))
    return bits_of(tuple(map(make, bits(a, n), bits(b, n))))


def size_of(v: Val) -> Val | None:
    """How many members a set has, where that is held beside it."""
    return 0 if isinstance(v, int) and not v else v.size if isinstance(v, Bits) else None


def sized(v: Val, size: Val | None) -> Val:
    """The set, with its size held beside it."""
    return v if size is None else 0 if isinstance(size, int) and not size else Bits(bits(v, 1), size)


def mixed(a: Val, b: Val) -> bool:
    """A bit vector and a truth: better a bit vector."""
    return any(isinstance(x, Num) and isinstance(y, Bits) and len(y.bits) == 1 for x, y in ((a, b), (b, a)))


def select(cases: Iterable[tuple[Truth, Val]], otherwise: Val, mask: bool = False) -> Val:
    """The value of the first case that holds."""
    out = otherwise
    for test, v in reversed(list(cases)):
        out = choose(test, v, out, mask)
    return out


def pick(index: Val, values: Sequence[Val], first: int = 0, mask: bool = False) -> Val:
    """The value number `index` (counted from `first`); any of them where there is none, 0 if there are none at all."""
    if not values:
        return 0
    if isinstance(index, int):
        return values[min(max(index - first, 0), len(values) - 1)]
    from_, to = max(first, lo_of(index)), min(first + len(values) - 1, hi_of(index))
    if to < from_:
        return values[0]
    groups: dict[object, tuple[Val, list[Truth]]] = {}
    for k in range(from_, to + 1):
        v = values[k - first]
        groups.setdefault(identity(v), (v, []))[1].append(equal(index, k))
    ranked = sorted(groups.values(), key=lambda g: -len(g[1]))
    return select([(t.some(tests), v) for v, tests in ranked[1:]], ranked[0][0], mask)


# ---------------------------------------------------------------- comparing
def equal(a: Val, b: Val) -> Truth:
    """Are they equal?"""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    if a is b:
        return True
    if isinstance(a, int):
        a, b = b, a
    assert not isinstance(a, int)
    if hi_of(a) < lo_of(b) or hi_of(b) < lo_of(a):
        return False
    if (
        not isinstance(b, Num)
        and (isinstance(a, Bits) or isinstance(b, Bits))
        and lo_of(b) >= 0
        and not isinstance(a, Num)
    ):
        n = max(len(a.bits), len(bits(b)))
        return t.every(map(t.equal, bits(a, n), bits(b, n)))
    if isinstance(a, Num) and a.counts is not None and b == 0:
        return t.no(t.some(a.counts))
    if same(a, b):
        return True
    x, y = alike(a, b)
    return z3.BoolRef(z3core.Z3_mk_eq(REF, x.ast, y.ast), CONTEXT)


def alike(a: Val, b: Val) -> tuple[z3.BitVecRef, z3.BitVecRef]:
    """Both as bit vectors of one size."""
    n = max(width_of(a), width_of(b))
    return at(a, n), at(b, n)


def width_of(v: Val) -> int:
    return v.width if isinstance(v, Num) else width(v, v) if isinstance(v, int) else len(v.bits) + 1


def less(a: Val, b: Val) -> Truth:
    """a < b."""
    if hi_of(a) < lo_of(b):
        return True
    if lo_of(a) >= hi_of(b):
        return False
    if same(a, b):
        return False
    if isinstance(b, Num) and b.counts is not None and a == 0:
        return t.some(b.counts)
    if isinstance(a, Num) and a.counts is not None and b == 1:
        return t.no(t.some(a.counts))
    x, y = alike(a, b)
    return z3.BoolRef(z3core.Z3_mk_bvslt(REF, x.ast, y.ast), CONTEXT)


def at_most(a: Val, b: Val) -> Truth:
    """a <= b."""
    return t.no(less(b, a))


def between(v: Val, lo: int, hi: int) -> Truth:
    """lo <= v <= hi."""
    return t.both(at_most(lo, v), at_most(v, hi))


def in_bounds(v: Val) -> Truth:
    """What is to be told to the solver of a variable: that it lies within its bounds, which everything here assumes."""
    if not isinstance(v, Num):
        return True
    parts: list[Truth] = []
    least, most = constant(v.lo, v.width), constant(v.hi, v.width)
    if v.lo > -(1 << v.width - 1):
        parts.append(z3.BoolRef(z3core.Z3_mk_bvsle(REF, least.ast, v.term.ast), CONTEXT))
    if v.hi < (1 << v.width - 1) - 1:
        parts.append(z3.BoolRef(z3core.Z3_mk_bvsle(REF, v.term.ast, most.ast), CONTEXT))
    return t.every(parts)


def before(a: Sequence[Val], b: Sequence[Val]) -> Truth:
    """Does the one row come before the other, compared number by number?"""
    out: Truth = False
    for x, y in reversed(list(zip(a, b, strict=True))):
        out = t.either(less(x, y), t.both(equal(x, y), out))
    return out


# ---------------------------------------------------------------- arithmetic
def _made(make: Callable[..., object], a: Val, b: Val, lo: int, hi: int) -> Val:
    """The result of an operation on bit vectors wide enough for both and for the result."""
    least, most = min(lo, lo_of(a), lo_of(b)), max(hi, hi_of(a), hi_of(b))
    x, y = at(a, width(least, most)), at(b, width(least, most))
    return made(z3.BitVecRef(make(REF, x.ast, y.ast), CONTEXT), (least, most), lo, hi)


def add(a: Val, b: Val) -> Val:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0:
        return b
    if b == 0:
        return a
    return _made(z3core.Z3_mk_bvadd, a, b, lo_of(a) + lo_of(b), hi_of(a) + hi_of(b))


def subtract(a: Val, b: Val) -> Val:
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    if b == 0:
        return a
    return _made(z3core.Z3_mk_bvsub, a, b, lo_of(a) - hi_of(b), hi_of(a) - lo_of(b))


def multiply(a: Val, b: Val) -> Val:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if a == 0 or b == 0:
        return 0
    if a == 1:
        return b
    if b == 1:
        return a
    ends = [x * y for x in (lo_of(a), hi_of(a)) for y in (lo_of(b), hi_of(b))]
    return _made(z3core.Z3_mk_bvmul, a, b, min(ends), max(ends))


def divide(a: Val, b: Val) -> tuple[Val, Val]:
    """Quotient and remainder, rounded down; anything by zero."""
    if isinstance(b, int) and isinstance(a, int):
        return (a // b, a % b) if b else (0, 0)
    if b == 0:
        return 0, 0
    most, by = max(abs(lo_of(a)), abs(hi_of(a))), max(abs(lo_of(b)), abs(hi_of(b)))
    if isinstance(b, int) and b > 0 and lo_of(a) >= 0:
        return (_made(z3core.Z3_mk_bvudiv, a, b, lo_of(a) // b, hi_of(a) // b),
                _made(z3core.Z3_mk_bvurem, a, b, 0, min(b - 1, hi_of(a))))
    if isinstance(b, int) and b > 0:
        up = -(lo_of(a) // b)
        q, r = divide(add(a, up * b), b)
        return subtract(q, up), r
    q = _made(z3core.Z3_mk_bvsdiv, a, b, -most, most)
    r = _made(z3core.Z3_mk_bvsrem, a, b, -by, by)
    uneven = t.both(t.no(equal(r, 0)), t.no(t.equal(less(r, 0), less(b, 0))))
    rest = choose(uneven, add(r, b), r)
    bounds = (lo_of(a), hi_of(a)), (lo_of(b), hi_of(b))
    return (
        narrowed(choose(uneven, subtract(q, 1), q), *binary_range("div", *bounds)),
        narrowed(rest, *binary_range("mod", *bounds)),
    )


def least(a: Val, b: Val) -> Val:
    out = choose(less(b, a), b, a)
    return narrowed(out, min(lo_of(a), lo_of(b)), min(hi_of(a), hi_of(b)))


def greatest(a: Val, b: Val) -> Val:
    out = choose(less(a, b), b, a)
    return narrowed(out, max(lo_of(a), lo_of(b)), max(hi_of(a), hi_of(b)))


def absolute(a: Val) -> Val:
    if isinstance(a, int):
        return abs(a)
    most = max(abs(lo_of(a)), abs(hi_of(a)))
    return narrowed(choose(less(a, 0), subtract(0, a), a), 0, most)


def count(parts: Sequence[Truth]) -> Val:
    """How many of them hold."""
    known = sum(p is True for p in parts)
    open_ = tuple(p for p in parts if not isinstance(p, bool))
    if not open_:
        return known
    layer: list[Val] = [truth(p) for p in open_]
    while len(layer) > 1:
        layer = [add(layer[k], layer[k + 1]) if k + 1 < len(layer) else layer[k] for k in range(0, len(layer), 2)]
    one = layer[0]
    if known:
        return add(one, known)
    return Num(one.term, one.lo, one.hi, open_) if isinstance(one, Num) else one
