"""Expressions as closures over (slots, locals): one arm per node of `ir/nodes.py`, in its order."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from ..ir import nodes as ir
from ..ir.build import BINARY, UNARY
from ..ir.flow import mask_of, members, union
from ..ir.program import Program
from ..ir.types import Bool, OptionType, RecordType, Type, UnionType, blank
from .state import End, Option

Slots = list[int]
Locals = list[int]
Value = Callable[[Slots, Locals], int]
Effect = Callable[[Slots, Locals], int]
"""Carries out one instruction and says where to go on."""


class Halt(Exception):
    """The transition ends here and now."""

    def __init__(self, end: End) -> None:
        self.end = end


def fault(why: str, at: ir.Mark) -> Halt:
    return Halt(End("fault", detail=f"{why} ({at.file}:{at.line})" if at.line else why))


def bound(why: str, slot: int = -1) -> Halt:
    return Halt(End("bound", detail=why, slot=slot))


def declines(t: Type, option: Option) -> bool:
    """Is the option the one of a player who does nothing: an `Inaction`, or no?"""
    match t:
        case Bool():
            return option == (0,)
        case UnionType(variants=variants):
            return variants[option[0]].does_nothing
        case RecordType(does_nothing=nothing):
            return nothing
        case OptionType(none=none):
            return option == (none,)
        case _:
            return False


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


class Expressions:
    """Makes closures of expressions. `call(name, slots, args)` runs a pure function; `result(name)` gives what computes
    the result of one that does nothing else."""

    def __init__(
        self, program: Program, call: Callable[[str, Slots, list[int]], int], result: Callable[[str], Value],
    ) -> None:
        self.program = program
        self.layout = program.layout
        self.call = call
        self.result = result
        self.judged = {v.function for v in program.verdicts}

    def value(self, e: ir.Expr) -> Value:
        """The closure that computes an expression."""
        v = self.value
        match e:
            case ir.Const(value=c):
                return lambda g, f: c
            case ir.Local(index=x):
                return lambda g, f: f[x]
            case ir.Load(base=base, index=None):
                return lambda g, f: g[base]
            case ir.Load(base=base, index=ir.Expr() as index, count=count):
                place = self._inside(
                    v(index), 0, count - 1, lambda k: bound(f"no place {k} in {self.layout.slots[base].group}"))
                return lambda g, f: g[base + place(g, f)]
            case ir.Table(table=t, index=index):
                table = self.program.tables[t]
                card = self._inside(
                    v(index), 0, len(table) - 1, lambda _: fault("a card was asked for that is none", e.at))
                return lambda g, f: table[card(g, f)]
            case ir.Unary(op="lowest", a=a):
                return self._some(lowest, v(a), "a member of the empty set was asked for", e.at)
            case ir.Unary(op="single", a=a):
                return self._single(v(a), e.at)
            case ir.Unary(op=op, a=a):
                fn, x = UNARY[op], v(a)
                return lambda g, f: fn(x(g, f))
            case ir.Binary(op="div" | "mod" as op, a=a, b=b):
                return self._divide(BINARY[op], v(a), v(b), e.at)
            case ir.Binary(op=op, a=a, b=b):
                return self._binary(op, v(a), v(b))
            case ir.All(parts=parts):
                return self._all(tuple(map(v, parts)))
            case ir.Any(parts=parts):
                return self._any(tuple(map(v, parts)))
            case ir.If(test=test, a=a, b=b):
                t, x, y = v(test), v(a), v(b)
                return lambda g, f: x(g, f) if t(g, f) else y(g, f)
            case ir.Present(a=a, none=none):
                return self._present(v(a), none, e.at)
            case ir.Within(a=a, lo=lo, hi=hi):
                return self._within(v(a), lo, hi, e.at)
            case ir.Fold():
                return self._fold(e)
            case ir.Call(function=name, args=args):
                return self._call(name, tuple(map(v, args)))
            case ir.ZoneCards(zone=zone):
                return self._zone_cards(v(zone))
            case ir.PileTop(zone=zone):
                return self._pile_top(v(zone))
            case ir.PileFind(zone=zone, var=var, test=test, top=top):
                return self._pile_find(v(zone), var, v(test), top, e.at)
            case _:
                raise AssertionError(e)

    def _call(self, name: str, args: tuple[Value, ...]) -> Value:
        fn = self.program.functions[name]
        if name not in self.judged and len(fn.code) == 1 and isinstance(fn.code[0], ir.Return):
            return self._only_result(name, args, [blank(x.type) for x in fn.locals[len(args):]])
        call = self.call
        return lambda g, f: call(name, g, [x(g, f) for x in args])

    def _only_result(self, name: str, args: tuple[Value, ...], rest: list[int]) -> Value:
        """Most pure functions are one expression. The functions are made ready one by one, so this one may come later:
        it is looked up when it is first needed."""
        body: Value | None = None

        def call(g: Slots, f: Locals) -> int:
            nonlocal body
            if body is None:
                body = self.result(name)
            return body(g, [x(g, f) for x in args] + rest)
        return call

    def _inside(self, a: Value, lo: int, hi: int, wrong: Callable[[int], Halt]) -> Value:
        """What `a` gives, if it is from `lo` to `hi`."""
        def inside(g: Slots, f: Locals) -> int:
            x = a(g, f)
            if not lo <= x <= hi:
                raise wrong(x)
            return x
        return inside

    def _some(self, op: Callable[[int], int], a: Value, why: str, at: ir.Mark) -> Value:
        """The operator, which gives -1 where it has no result."""
        def some(g: Slots, f: Locals) -> int:
            x = op(a(g, f))
            if x < 0:
                raise fault(why, at)
            return x
        return some

    def _single(self, a: Value, at: ir.Mark) -> Value:
        return self._some(lambda k: 1 << k if k >= 0 else -1, a, "a set was given a member that is none", at)

    def _binary(self, op: str, a: Value, b: Value) -> Value:
        match op:  # the commonest are spelt out: they are what an exploration spends its time on
            case "eq":
                return lambda g, f: 1 if a(g, f) == b(g, f) else 0
            case "add":
                return lambda g, f: a(g, f) + b(g, f)
            case "meet":
                return lambda g, f: a(g, f) & b(g, f)
            case "without":
                return lambda g, f: a(g, f) & ~b(g, f)
            case _:
                fn = BINARY[op]
                return lambda g, f: fn(a(g, f), b(g, f))

    def _divide(self, op: Callable[[int, int], int], a: Value, b: Value, at: ir.Mark) -> Value:
        def divide(g: Slots, f: Locals) -> int:
            n = b(g, f)
            if n == 0:
                raise fault("division by zero", at)
            return op(a(g, f), n)
        return divide

    def _all(self, parts: tuple[Value, ...]) -> Value:
        def every(g: Slots, f: Locals) -> int:
            for p in parts:
                if not p(g, f):
                    return 0
            return 1
        return every

    def _any(self, parts: tuple[Value, ...]) -> Value:
        def some(g: Slots, f: Locals) -> int:
            for p in parts:
                if p(g, f):
                    return 1
            return 0
        return some

    def _present(self, a: Value, none: int, at: ir.Mark) -> Value:
        def present(g: Slots, f: Locals) -> int:
            x = a(g, f)
            if x == none:
                raise fault("a value was used that is none", at)
            return x
        return present

    def _within(self, a: Value, lo: int, hi: int, at: ir.Mark) -> Value:
        where = f" ({at.file}:{at.line})" if at.line else ""
        return self._inside(a, lo, hi, lambda x: bound(f"{x} is outside {lo}..{hi}{where}"))

    def _fold(self, e: ir.Fold) -> Value:
        var, domain, test, body, offset = e.var, self.value(e.domain), self.value(e.test), self.value(e.body), e.offset
        if e.kind == "set":
            body = self._single(body, e.at)

        def each(g: Slots, f: Locals) -> Iterator[int]:
            for i in members(domain(g, f)):
                f[var] = i + offset
                if test(g, f):
                    yield body(g, f)

        default = None if e.default is None else self.value(e.default)
        pick = min if e.kind == "min" else max

        def extreme(g: Slots, f: Locals) -> int:
            if found := [*each(g, f)]:
                return pick(found)
            if default is None:
                raise fault(f"the {e.kind} of nothing was asked for", e.at)
            return default(g, f)

        match e.kind:
            case "any":
                return lambda g, f: 1 if any(each(g, f)) else 0
            case "all":
                return lambda g, f: 1 if all(each(g, f)) else 0
            case "sum":
                return lambda g, f: sum(each(g, f))
            case "set" | "union":
                return lambda g, f: union(each(g, f))
            case "min" | "max":
                return extreme

    # ------------------------------------------------------------ zones and piles
    def lying(self, g: Slots, zone: int) -> list[int]:
        """The cards that lie in a zone."""
        first = self.layout.location
        return [c for c, z in enumerate(g[first:first + self.layout.card_count]) if z == zone]

    def _zone_cards(self, zone: Value) -> Value:
        first, last = self.layout.location, self.layout.location + self.layout.card_count

        def cards(g: Slots, f: Locals) -> int:
            z, out, at = zone(g, f), 0, first
            try:
                while True:  # list.index goes through the cards much faster than a loop here would
                    at = g.index(z, at, last)
                    out |= 1 << at - first
                    at += 1
            except ValueError:
                return out
        return cards

    def _pile_top(self, zone: Value) -> Value:
        rank = self.layout.rank

        def top(g: Slots, f: Locals) -> int:
            there = self.lying(g, zone(g, f))
            highest = max((g[rank + c] for c in there), default=0)
            return mask_of(c for c in there if g[rank + c] == highest)
        return top

    def _pile_find(self, zone: Value, var: int, test: Value, top: bool, at: ir.Mark) -> Value:
        rank, sign = self.layout.rank, 1 if top else -1

        def find(g: Slots, f: Locals) -> int:
            found = list[tuple[int, int]]()
            for c in self.lying(g, zone(g, f)):
                f[var] = c
                if test(g, f):
                    found.append((sign * g[rank + c], c))
            found.sort()
            if len(found) > 1 and found[-1][0] == found[-2][0]:
                raise fault("the order of these cards is unknown", at)
            return found[-1][1] if found else -1
        return find
