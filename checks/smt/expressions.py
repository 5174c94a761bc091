"""Expressions as terms: one arm per node of `model/ir/nodes.py`, in its order, like `engine/values.py`.

What the interpreter does not evaluate counts as well, but under a condition (`under`): a fault there is a fault only
where the interpreter would have come to it. Once an expression has failed, play does not go on (`Sym.path` says so), and
its value there is anything.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from ...model.ir import nodes as ir
from ...model.ir.program import Program
from ...model.ir.types import SetType
from . import masks
from . import numbers as n
from . import truths as t
from .numbers import Val
from .states import Halt, Sym
from .truths import Truth

WIDE = 255
"""Entries of a table above this are taken for sets."""

UNARY: Mapping[str, Callable[[Val], Val]] = {
    "not": lambda a: n.truth(t.no(n.holds(a))),
    "neg": lambda a: n.subtract(0, a),
    "abs": n.absolute,
    "size": lambda a: n.count(n.bits(a)),
    "only": masks.only,
    "below": masks.below,
}
BINARY: Mapping[str, Callable[[Val, Val], Val]] = {
    "add": n.add, "sub": n.subtract, "mul": n.multiply, "min": n.least, "max": n.greatest,
    "eq": lambda a, b: n.truth(n.equal(a, b)), "ne": lambda a, b: n.truth(t.no(n.equal(a, b))),
    "lt": lambda a, b: n.truth(n.less(a, b)), "le": lambda a, b: n.truth(n.at_most(a, b)),
    "gt": lambda a, b: n.truth(n.less(b, a)), "ge": lambda a, b: n.truth(n.at_most(b, a)),
    "union": masks.union, "meet": masks.meet, "without": masks.without, "differ": masks.differ,
    "member": lambda a, b: n.truth(masks.member(a, b)),
    "shift": masks.shift,
}


def faulty(why: str, at: ir.Mark) -> str:
    """How the interpreter says it."""
    return f"{why} ({at.file}:{at.line})" if at.line else why


def decides(e: ir.Fold, x: Val) -> Truth:
    """Does what one member gives decide the whole: that some are so (`any`), that not all are (`all`)?"""
    return n.holds(x) if e.kind == "any" else t.no(n.holds(x))


class Expressions:
    """Makes terms of expressions in a state. `halts` collects how play may end meanwhile."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = program.layout
        self.halts: list[Halt] = []
        self.conditions: list[Truth] = []
        self.is_mask = [isinstance(s.type, SetType) for s in self.layout.slots]

    # ------------------------------------------------------------ failing
    @contextmanager
    def under(self, condition: Truth) -> Iterator[None]:
        """What is evaluated here counts only where the condition holds."""
        self.conditions.append(condition)
        try:
            yield
        finally:
            self.conditions.pop()

    def fail(self, s: Sym, bad: Truth, kind: str, detail: str = "", slot: int = -1, who: Val = -1) -> None:
        """Where `bad` holds, play ends here."""
        if bad is False or s.dead:
            return
        here = t.every((*self.conditions, bad))
        when = t.both(s.path.term, here)
        if when is not False and s.path.known(here) is not False:
            self.halts.append(Halt(when, kind, who, detail, slot, s.share()))
        s.path = s.path.plus(t.no(here))

    def call(self, s: Sym, name: str, args: list[Val]) -> Val:
        """The value of a define."""
        raise NotImplementedError

    # ------------------------------------------------------------ arms
    def value(self, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
        """The term of an expression."""
        match e:
            case ir.Const(value=c):
                return c
            case ir.Local(index=x):
                return f[x]
            case ir.Load(base=base, index=None):
                return s.slots[base]
            case ir.Load(base=base, index=index, count=count):
                assert index is not None
                return self._load(s, base, self.value(index, s, f), count)
            case ir.Table(table=number, index=index):
                return self._table(s, self.program.tables[number], self.value(index, s, f), e.at)
            case ir.Unary(op="lowest", a=a):
                mask = self.value(a, s, f)
                self.fail(s, n.equal(mask, 0), "fault", faulty("a member of the empty set was asked for", e.at))
                return masks.lowest(mask)
            case ir.Unary(op="single", a=a):
                return self._single(s, self.value(a, s, f), e.at)
            case ir.Unary(op=op, a=a):
                return UNARY[op](self.value(a, s, f))
            case ir.Binary(op="div" | "mod" as op, a=a, b=b):
                return self._divide(s, op, a, b, f, e.at)
            case ir.Binary(op=op, a=a, b=b):
                return BINARY[op](self.value(a, s, f), self.value(b, s, f))
            case ir.All(parts=parts):
                return n.truth(self._all(parts, s, f))
            case ir.Any(parts=parts):
                return n.truth(self._any(parts, s, f))
            case ir.If(test=test, a=a, b=b):
                return self._if(n.holds(self.value(test, s, f)), a, b, s, f)
            case ir.Present(a=a, none=none):
                return self._present(s, self.value(a, s, f), none, e.at)
            case ir.Within(a=a, lo=lo, hi=hi):
                return self._within(s, self.value(a, s, f), lo, hi)
            case ir.Fold():
                return self._fold(e, s, f)
            case ir.Call(function=name, args=args):
                return self.call(s, name, [self.value(a, s, f) for a in args])
            case ir.ZoneCards(zone=zone):
                return n.bits_of(self.lying_in(s, self.value(zone, s, f)))
            case ir.PileTop(zone=zone):
                return n.bits_of(self._highest(s, self.lying_in(s, self.value(zone, s, f)), True))
            case ir.PileFind(zone=zone, var=var, test=test, top=top):
                return self._pile_find(s, f, self.value(zone, s, f), var, test, top, e.at)
            case _:
                raise AssertionError(e)

    def _load(self, s: Sym, base: int, k: Val, count: int) -> Val:
        self.fail(s, t.no(n.between(k, 0, count - 1)), "bound", f"no place in {self.layout.slots[base].group}")
        return n.pick(k, s.slots[base:base + count], 0, self.is_mask[base])

    def _table(self, s: Sym, row: Sequence[int], k: Val, at: ir.Mark) -> Val:
        self.fail(s, t.no(n.between(k, 0, len(row) - 1)), "fault", faulty("a card was asked for that is none", at))
        return n.pick(k, row, 0, min(row) >= 0 and max(row) > WIDE) if row else 0

    def _single(self, s: Sym, k: Val, at: ir.Mark) -> Val:
        self.fail(s, n.less(k, 0), "fault", faulty("a set was given a member that is none", at))
        return masks.single(k)

    def _divide(self, s: Sym, op: str, a: ir.Expr, b: ir.Expr, f: list[Val], at: ir.Mark) -> Val:
        y = self.value(b, s, f)
        self.fail(s, n.equal(y, 0), "fault", faulty("division by zero", at))
        quotient, remainder = n.divide(self.value(a, s, f), y)
        return quotient if op == "div" else remainder

    def _all(self, parts: Sequence[ir.Expr], s: Sym, f: list[Val]) -> Truth:
        so_far: list[Truth] = []
        for p in parts:
            with self.under(t.every(so_far)):
                so_far.append(n.holds(self.value(p, s, f)))
            if so_far[-1] is False:
                break
        return t.every(so_far)

    def _any(self, parts: Sequence[ir.Expr], s: Sym, f: list[Val]) -> Truth:
        so_far: list[Truth] = []
        for p in parts:
            with self.under(t.no(t.some(so_far))):
                so_far.append(n.holds(self.value(p, s, f)))
            if so_far[-1] is True:
                break
        return t.some(so_far)

    def _if(self, test: Truth, a: ir.Expr, b: ir.Expr, s: Sym, f: list[Val]) -> Val:
        known = s.path.known(test)
        if known is not None:
            return self.value(a if known else b, s, f)
        with self.under(test):
            x = self.value(a, s, f)
        with self.under(t.no(test)):
            y = self.value(b, s, f)
        return n.choose(test, x, y)

    def _present(self, s: Sym, x: Val, none: int, at: ir.Mark) -> Val:
        self.fail(s, n.equal(x, none), "fault", faulty("a value was used that is none", at))
        return n.narrowed(x, none + 1, n.hi_of(x)) if n.lo_of(x) == none and n.hi_of(x) > none else x

    def _within(self, s: Sym, x: Val, lo: int, hi: int) -> Val:
        self.fail(s, t.no(n.between(x, lo, hi)), "bound", f"outside {lo}..{hi}")
        return n.narrowed(x, lo, hi)

    def _fold(self, e: ir.Fold, s: Sym, f: list[Val]) -> Val:
        domain = self.value(e.domain, s, f)
        hit: Truth = False
        found: list[tuple[Truth, Val]] = []
        last = f[e.var]
        for i, inside in enumerate(n.bits(domain)):
            going = t.both(inside, t.no(hit)) if e.kind in ("any", "all") else inside
            if going is False:
                continue
            f[e.var] = i + e.offset
            last = n.choose(going, f[e.var], last)
            tested, x = self.of_member(e, s, f, going)
            if tested is False:
                continue
            if e.kind in ("any", "all"):
                hit = t.either(hit, t.both(inside, tested, decides(e, x)))
            else:
                found.append((t.both(inside, tested), x))
        f[e.var] = last
        match e.kind:
            case "any":
                return n.truth(hit)
            case "all":
                return n.truth(t.no(hit))
            case "sum":
                return summed(found)
            case "set":
                return self._set(s, found, e.at)
            case "union":
                return united(found)
            case "min" | "max":
                return self._extreme(e, s, f, found)

    def of_member(self, e: ir.Fold, s: Sym, f: list[Val], going: Truth) -> tuple[Truth, Val]:
        """Does the member that the local stands for pass the test, where it is come to; and what does it give (0 if it does not)?"""
        with self.under(going):
            tested = n.holds(self.value(e.test, s, f))
            if tested is False:
                return False, 0
            with self.under(tested):
                return tested, self.value(e.body, s, f)

    def _set(self, s: Sym, found: Sequence[tuple[Truth, Val]], at: ir.Mark) -> Val:
        for inside, x in found:
            self.fail(s, t.both(inside, n.less(x, 0)), "fault", faulty("a set was given a member that is none", at))
        size = masks.small(max((n.hi_of(x) for _, x in found), default=-1)) + 1
        return n.bits_of([t.some(t.both(inside, n.equal(x, k)) for inside, x in found) for k in range(size)])

    def _extreme(self, e: ir.Fold, s: Sym, f: list[Val], found: Sequence[tuple[Truth, Val]]) -> Val:
        join = n.least if e.kind == "min" else n.greatest
        so_far, there = None, cast(Truth, False)
        for inside, x in found:
            so_far = x if so_far is None else n.choose(inside, n.choose(there, join(so_far, x), x), so_far)
            there = t.either(there, inside)
        if there is True and so_far is not None:
            return so_far
        if e.default is None:
            self.fail(s, t.no(there), "fault", faulty(f"the {e.kind} of nothing was asked for", e.at))
            return 0 if so_far is None else so_far
        with self.under(t.no(there)):
            otherwise = self.value(e.default, s, f)
        return otherwise if so_far is None else n.choose(there, so_far, otherwise)

    # ------------------------------------------------------------ cards in zones
    def location(self, s: Sym, card: int) -> Val:
        return s.slots[self.layout.location + card]

    def rank(self, s: Sym, card: int) -> Val:
        return s.slots[self.layout.rank + card]

    def lying_in(self, s: Sym, zone: Val) -> list[Truth]:
        """For each card, whether it lies in the zone."""
        return [n.equal(self.location(s, c), zone) for c in range(self.layout.card_count)]

    def _highest(self, s: Sym, those: Sequence[Truth], top: bool) -> list[Truth]:
        """Which of those cards have the highest (or lowest) rank among them."""
        found = [(there, self.rank(s, c)) for c, there in enumerate(those) if there is not False]
        while len(found) > 1:
            found = [higher(*found[k:k + 2], top) if k + 1 < len(found) else found[k] for k in range(0, len(found), 2)]
        return [t.both(there, n.equal(self.rank(s, c), found[0][1])) if there is not False else False
                for c, there in enumerate(those)]

    def _pile_find(
        self, s: Sym, f: list[Val], zone: Val, var: int, test: ir.Expr, top: bool, at: ir.Mark,
    ) -> Val:
        found: list[Truth] = []
        last = f[var]
        for c, inside in enumerate(self.lying_in(s, zone)):
            if inside is False:
                found.append(False)
                continue
            f[var] = c
            last = n.choose(inside, c, last)
            with self.under(inside):
                found.append(t.both(inside, n.holds(self.value(test, s, f))))
        f[var] = last
        best = self._highest(s, found, top)
        so_far: Truth = False
        for b in best:
            self.fail(s, t.both(so_far, b), "fault", faulty("the order of these cards is unknown", at))
            so_far = t.either(so_far, b)
        return n.select([(b, c) for c, b in enumerate(best)], -1)


def higher(a: tuple[Truth, Val], b: tuple[Truth, Val], top: bool) -> tuple[Truth, Val]:
    """The higher (or lower) of two ranks, where there are such cards."""
    beaten = n.less(a[1], b[1]) if top else n.less(b[1], a[1])
    return t.either(a[0], b[0]), n.choose(t.both(b[0], t.either(t.no(a[0]), beaten)), b[1], a[1])


def summed(found: Sequence[tuple[Truth, Val]]) -> Val:
    if all(isinstance(x, int) and x == 1 for _, x in found):
        return n.count([inside for inside, _ in found])
    return total([n.choose(inside, x, 0) for inside, x in found])


def total(parts: Sequence[Val]) -> Val:
    """The sum, added in pairs so that bit vectors stay narrow."""
    layer = list(parts)
    while len(layer) > 1:
        layer = [n.add(layer[k], layer[k + 1]) if k + 1 < len(layer) else layer[k] for k in range(0, len(layer), 2)]
    return layer[0] if layer else 0


def united(found: Sequence[tuple[Truth, Val]]) -> Val:
    size = max((len(n.bits(x)) for _, x in found), default=0)
    return n.bits_of([t.some(t.both(inside, n.bits(x, size)[k]) for inside, x in found) for k in range(size)])
