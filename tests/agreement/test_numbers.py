"""Every operator of expressions on numbers of every sort of range: the value, and what code generation knows of it.

Code relies on the bounds that it works out on the way, and leaves out the tests that they make needless. So each value is
also asked to lie within bounds that are just too narrow for it: where code thinks it knows better, the test is missing.
Bounds that are too wide and tests that are needless are never wrong, and pinned in `numbers.json` (`--update-frozen` writes
them anew).
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from rulewright.checks.native.batches import batch_contexts
from rulewright.checks.native.common import Common
from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.native.memory import Memory
from rulewright.checks.native.numbers import Shared
from rulewright.checks.native.text import Body
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, Layout, Program, Slot
from rulewright.model.ir.types import CauseType, Int
from rulewright.model.ir.verify import verify

from ..lang.programs import check_frozen
from .harness import compare_arrivals

Range = tuple[int, int]
SMALL: tuple[Range, ...] = ((4, 4), (-3, -3), (0, 1), (0, 6), (1, 9), (-1, 5), (-4, -1))
LARGE: tuple[Range, ...] = ((0, (1 << 60) - 1), (-(1 << 62), (1 << 62) - 1))
WIDE: tuple[Range, ...] = ((-(1 << 63), (1 << 63) - 1), (0, (1 << 64) - 1), (-(1 << 66), 7), (1 << 64, 1 << 65), (-(1 << 126), 1 << 126))
UP: tuple[Range, ...] = ((0, 0), (3, 3), (-2, -2), (0, 5), (-3, -1), (-4, 3), (0, 70), (-70, 0))
UNARY = ("not", "neg", "abs", "size", "lowest", "below", "only", "single")
SIGNED = ("add", "sub", "mul", "div", "mod", "eq", "ne", "lt", "le", "gt", "ge", "min", "max", "union", "meet", "without", "differ")


@dataclass(frozen=True)
class Asked:
    """An operator, and the ranges of what it is applied to."""

    op: str
    ranges: tuple[Range, ...]


def everything(wide: bool) -> Iterator[Asked]:
    """With numbers of more than a word, or without."""
    ranges = (*SMALL[3:7:3], *WIDE) if wide else (*SMALL, *LARGE)
    for op, r in product(UNARY, ranges):
        if op in ("below", "single"):  # of members that memory has room for
            r = (max(r[0], -4), min(r[1], 100 if wide else 40))
        if r[0] <= r[1] and (r[0] >= 0 or op not in ("size", "lowest", "only")):
            yield Asked(op, (r,))
    if not wide:  # a mask that is negative is given up, and only then
        yield from (Asked(op, ((-2, 0),)) for op in ("size", "lowest", "only"))
    for op in SIGNED:
        yield from (Asked(op, pair) for pair in product(ranges, ranges))
    members: tuple[Range, ...] = ((0, 0), (2, 2), (0, 5), (-2, 3), (60, 66), (0, 300), (-9, -1))
    yield from (Asked("member", pair) for pair in product(members, ranges))
    yield from (Asked("shift", pair) for pair in product(ranges[:-1], UP))


def samples(r: Range) -> list[int]:
    """The ends, what is beside them, what is around 0 and around the ends of a word."""
    near = {*r, r[0] + 1, r[1] - 1, -1, 0, 1, (r[0] + r[1]) // 2, *(s + d for s in (1 << 63, 1 << 64) for d in (-1, 0))}
    return sorted(x for x in near if r[0] <= x <= r[1])


def expression(a: Asked, slots: Sequence[ir.Expr]) -> ir.Expr:
    return ir.Unary(a.op, slots[0]) if len(slots) == 1 else ir.Binary(a.op, slots[0], slots[1])  # pyright: ignore[reportArgumentType]


class Questions:
    """A program with a step for each operator; what it does is said by the slots it begins with."""

    def __init__(self, asked: Sequence[Asked], result: Range) -> None:
        self.asked = asked
        ranges = sorted({r for a in asked for r in a.ranges})
        names = [("op", (0, 99)), ("which", (0, 9_999)), ("out", result), *[(f"{k}{r}", r) for k in "ab" for r in ranges]]
        self.slots = tuple(Slot(name, Int(*r), min(max(0, r[0]), r[1])) for name, r in names)
        self.at = {name: k for k, (name, _) in enumerate(names)}
        self.ops = list(dict.fromkeys(a.op for a in asked))
        self.numbers: dict[Asked, int] = {}
        self.bounds = {a: self.hull(a) for a in asked}
        code: list[ir.Instr] = []
        steps = {op: self.step(op) for op in self.ops}
        for k, op in enumerate(self.ops):
            code += [ir.Branch(ir.Binary("eq", ir.Load(0), ir.Const(k)), len(code) + 2), ir.Do(op, (), None, False)]
        code += [ir.Label(), ir.Return()]
        layout = Layout(self.slots, len(names), len(names), 0, (), {}, ())
        self.program = Program("numbers", layout, {"main": Function("main", "procedure", 0, [], code), **steps}, [], "main",
                               CauseType(0, 0, 0, 0), {}, {}, frozenset())
        verify(self.program)

    def operands(self, a: Asked) -> list[int]:
        """The slots that it is applied to."""
        return [self.at[f"{k}{r}"] for k, r in zip("ab", a.ranges, strict=False)]

    def hull(self, a: Asked) -> Range | None:
        """Between what the values of the samples lie; none where there is none."""
        found = [v for values in product(*map(samples, a.ranges)) if (v := self.value(a, values)) is not None]
        return (min(found), max(found)) if found else None

    def value(self, a: Asked, values: Sequence[int]) -> int | None:
        """What it gives, if that is a number like any other."""
        x, y = (*values, 0)[:2]
        return None if a.op not in PLAIN or (a.op in ("div", "mod") and y == 0) else PLAIN[a.op](x, y)

    def step(self, op: str) -> Function:
        """The value; the value within what it lies in; and within a little less, at the lower end and at the upper."""
        code: list[ir.Instr] = []
        of = [a for a in self.asked if a.op == op]
        n = 0
        for a in of:
            e = expression(a, [ir.Load(k) for k in self.operands(a)])
            self.numbers[a] = n
            hull = self.bounds[a]
            asked: list[ir.Expr] = [e]
            if hull is not None:
                lo, hi = hull
                asked = [ir.Within(e, lo, hi), ir.Within(e, lo + 1, hi + 1), ir.Within(e, lo - 1, hi - 1)]
            for x in asked:
                code += [ir.Branch(ir.Binary("eq", ir.Load(1), ir.Const(n)), len(code) + 3), ir.Store(2, None, 1, x, "set"), ir.Return()]
                n += 1
        return Function(op, "step", 0, [], [*code, ir.Return()])

    def starts(self) -> Iterator[tuple[Asked, list[int]]]:
        """Every question, with every sample."""
        first = [s.initial for s in self.slots]
        for a in self.asked:
            for values in product(*map(samples, a.ranges)):
                for k in range(1 + 2 * (self.value(a, values) in (self.bounds[a] or ()))):
                    slots = list(first)
                    slots[0], slots[1] = self.ops.index(a.op), self.numbers[a] + k
                    for where, x in zip(self.operands(a), values, strict=True):
                        slots[where] = x
                    yield a, slots


PLAIN: dict[str, Callable[[int, int], int]] = {
    "not": lambda a, _: int(not a), "neg": lambda a, _: -a, "abs": lambda a, _: abs(a), "size": lambda a, _: a.bit_count(),
    "below": lambda a, _: (1 << a) - 1 if a > 0 else 0, "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "div": operator.floordiv, "mod": operator.mod, "min": min, "max": max, "union": operator.or_, "meet": operator.and_,
    "without": lambda a, b: a & ~b, "differ": operator.xor, "shift": lambda a, b: a << b if b >= 0 else a >> -b,
}
"""What operators give (of those that give more than a truth)."""


@pytest.mark.parametrize(("wide", "asked", "given_up"), [(False, 33_949, 18), (True, 47_702, 5_086)], ids=["words", "wide"])
def test_operators_do_the_same_whatever_is_known_of_numbers(wide: bool, asked: int, given_up: int, tmp_path: Path) -> None:
    q = Questions(list(everything(wide)), (-(1 << 125), 1 << 125) if wide else (-(1 << 62), 1 << 62))
    engine, native = Interpreter(q.program), Native(q.program, cache=tmp_path, level=0)
    count = beyond = 0
    for a, slots in q.starts():
        count += 1
        try:
            found = native.start(slots)
        except BeyondNative:
            beyond += 1
            continue
        compare_arrivals(State(tuple(slots), ()), a, engine.start(slots), found)  # pyright: ignore[reportArgumentType]
    assert (count, beyond) == (asked, given_up)


def test_bounds_of_operators_are_as_narrow_as_they_were(pytestconfig: pytest.Config) -> None:
    lines: list[str] = []
    for wide in (False, True):
        q = Questions(list(everything(wide)), (-(1 << 125), 1 << 125) if wide else (-(1 << 62), 1 << 62))
        shared = Shared(Memory(q.program), {}, ())
        x = Common(shared, Body(shared.module, "bounds", "void", ""), batch_contexts(q.program.functions))
        of: dict[str, list[str]] = {}
        for a in q.asked:
            before = len(x.b.lines)
            v = x.value(expression(a, [ir.Load(k) for k in q.operands(a)]))
            stops = sum("call void @halt" in line for line in x.b.lines[before:])
            of.setdefault(a.op, []).append(f"{v.lo}..{v.hi}{' wide' if v.wide else ''}{' may stop' * stops}")
        lines += [f' "{op}{" wide" if wide else ""}": "{" ".join(bounds)}"' for op, bounds in of.items()]
    check_frozen(Path(__file__).parent / "numbers.json", "{\n" + ",\n".join(lines) + "\n}\n", bool(pytestconfig.getoption("--update-frozen")))
