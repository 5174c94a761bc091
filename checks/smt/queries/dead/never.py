"""Conditions that no number meets, and the statements that stand under them: whatever the cards, the decks and the position.

`if len(hand) < 0` is one. Only bounds are looked at: of how many cards lie somewhere that it is not less than none, of numbers, if this
is asked for, the ranges that the encoding states (which a claim then has to name). What is printed, cards, names and references may be
anything, so that it does not matter which cards a world has; nor does it matter for how much that waits there is room.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

from .....model.ir import nodes as ir
from .....model.ir.flow import reachable, successors, walk
from .....model.ir.program import Function, Program
from .....model.ir.ranges import ENDLESS, TRUTH, Bounds, Ranges
from .....model.ir.types import ANY_INT, Bool, Int, Type

DEEPEST = 6
"""How deep defines that call each other are looked into."""
ANYTHING = -ENDLESS, ENDLESS


Within = Callable[[Function, int | None, int | None], bool]
"""Is the number in a slot, or in a local of a function, taken to lie in its range?"""


def as_stated(fn: Function, base: int | None, local: int | None) -> bool:
    """Every number is that has a stated range: of locals, those that a rule is told."""
    return local is None or (local < fn.arity and fn.locals[local].type != ANY_INT)


class NumberBounds(Ranges):
    """Bounds of what the expressions of a function give, as far as they depend on numbers only. `within`: which of them are taken to lie in
    their ranges."""

    def __init__(self, program: Program, fn: Function, within: Within = as_stated, depth: int = 0) -> None:
        super().__init__(lambda k: program.layout.slots[k].type, lambda k: fn.locals[k].type, lambda _: None, (), 0)
        self.program, self.fn, self.within, self.depth = program, fn, within, depth
        self.rooms = frozenset(m.head for m in program.layout.containers.values())

    def of(self, e: ir.Expr) -> Bounds:
        match e:
            case ir.Local(index=x):
                return self.number(self.local(x), None, x) or ANYTHING
            case ir.Load(base=b) if b in self.rooms:
                return 0, ENDLESS  # how many wait: as many as there is room for here, and elsewhere more
            case ir.Load(base=b):
                return self.number(self.slot(b), b, None) or ANYTHING
            case ir.Unary(op="not", a=a):
                lo, hi = self.truth(a)
                return (1, 1) if lo == hi == 0 else (0, 0) if lo > 0 or hi < 0 else TRUTH
            case ir.Unary(op="neg" | "abs"):
                return super().of(e)
            case ir.Unary(op="size"):
                return 0, ENDLESS
            case ir.Unary():
                return ANYTHING
            case ir.Binary(a=ir.Const(), b=ir.Const()):
                return ANYTHING  # a reading that is known here
            case ir.Binary(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" as op, a=a, b=b):
                return compared(op, self.of(a), self.of(b))
            case ir.Binary(op="add" | "sub" | "min" | "max", a=a, b=b):
                return (
                    super().of(e)
                    if ENDLESS not in (*map(abs, self.of(a)), *map(abs, self.of(b)))
                    else self._half_known(e)
                )
            case ir.Binary():
                return ANYTHING
            case ir.All(parts=parts):
                known = [self.truth(p) for p in parts]
                return (0, 0) if (0, 0) in known else (1, 1) if all(lo > 0 or hi < 0 for lo, hi in known) else TRUTH
            case ir.Any(parts=parts):
                known = [self.truth(p) for p in parts]
                return (
                    (1, 1)
                    if any(lo > 0 or hi < 0 for lo, hi in known)
                    else (0, 0)
                    if all(x == (0, 0) for x in known)
                    else TRUTH
                )
            case ir.Const() | ir.If() | ir.Within():
                return super().of(e)
            case ir.Call(function=name) if self.depth < DEEPEST:
                callee = self.program.functions[name]
                inside = NumberBounds(self.program, callee, self.within, self.depth + 1)
                ways = [
                    ANYTHING if isinstance(i.value, ir.Const) else inside.of(i.value)
                    for i in callee.code
                    if isinstance(i, ir.Return) and i.value is not None
                ]
                return (min(lo for lo, _ in ways), max(hi for _, hi in ways)) if ways else ANYTHING
            case _:
                return ANYTHING

    def truth(self, e: ir.Expr) -> Bounds:
        """Of a part of a condition. One that is a known truth was made so for these readings and the cards of this world."""
        return TRUTH if isinstance(e, ir.Const) else self.of(e)

    def _half_known(self, e: ir.Binary) -> Bounds:
        """Where one side has no end, only sums of what is not less than something are known on that side."""
        (a, b), (c, d) = self.of(e.a), self.of(e.b)
        if e.op == "add":
            return (-ENDLESS if -ENDLESS in (a, c) else a + c), (ENDLESS if ENDLESS in (b, d) else b + d)
        if e.op == "min":
            return min(a, c), min(b, d)
        return (max(a, c), max(b, d)) if e.op == "max" else ANYTHING

    def number(self, of: Type, base: int | None, local: int | None) -> Bounds | None:
        """The bounds of a number; nothing of what the cards of a world decide, nor of a number of which no range is taken to hold."""
        known = isinstance(of, Bool) or (isinstance(of, Int) and self.within(self.fn, base, local))
        return (of.lo, of.hi) if known else None


def compared(op: str, a: Bounds, b: Bounds) -> Bounds:
    """What a comparison gives."""
    match op:
        case "lt":
            always, never = a[1] < b[0], a[0] >= b[1]
        case "le":
            always, never = a[1] <= b[0], a[0] > b[1]
        case "gt":
            always, never = a[0] > b[1], a[1] <= b[0]
        case "ge":
            always, never = a[0] >= b[1], a[1] < b[0]
        case _:
            apart, same = a[1] < b[0] or b[1] < a[0], a[0] == a[1] == b[0] == b[1]
            always, never = (same, apart) if op == "eq" else (apart, same)
    return (1, 1) if always else (0, 0) if never else TRUTH


def under_what_no_number_meets(program: Program, fn: Function, within: Within = as_stated) -> set[int]:
    """The places that control comes to only through a condition that no number meets (`within`: which are taken to lie in their ranges)."""
    known = NumberBounds(program, fn, within)

    def by_numbers(i: ir.Instr, pc: int) -> Iterable[int]:
        if isinstance(i, ir.Branch) and not isinstance(i.test, ir.Const):
            lo, hi = known.of(i.test)
            if lo > 0 or hi < 0:
                return (pc + 1,)
            if lo == hi == 0:
                return (i.otherwise,)
        return successors(i, pc)
    return reachable(fn.code, fn.handlers) - reachable(fn.code, fn.handlers, by_numbers)


def parts_by_position(program: Program, fn: Function) -> tuple[ir.Expr, ...]:
    """Of a define that says with clauses whether several conditions hold, those that go by where its cards are and what is said
    of them, and not by what is printed, nor by how many cards there are: if these contradict each other, it never holds."""
    i = fn.code[0]
    if fn.kind != "define" or len(fn.code) != 1 or not isinstance(i, ir.Return) or not i.at.clauses:
        return ()
    return tuple(p for p in conjuncts(i.value) if by_position(program, p))


def conjuncts(e: ir.Expr | None) -> list[ir.Expr]:
    """The conditions that all have to hold."""
    return [x for p in e.parts for x in conjuncts(p)] if isinstance(e, ir.All) else [] if e is None else [e]


def by_position(program: Program, e: ir.Node, depth: int = 0) -> bool:
    """Does it look at nothing but numbers, places, and what is said of cards?"""
    for x in walk(e):
        match x:
            case ir.Table(index=ir.Load(base=base)) if base == program.layout.location:
                pass  # which number the zone has, or whose it is
            case ir.Table() | ir.Fold() | ir.PileTop() | ir.PileFind() | ir.Unary(op="size" | "lowest" | "only"):
                return False
            case ir.Binary(op="member" | "meet" | "union" | "without" | "differ", b=ir.Const()):
                return False  # a set of cards that have something printed
            case ir.Call(function=name):
                code = program.functions[name].code
                if depth == DEEPEST or len(code) != 1 or not by_position(program, code[0], depth + 1):
                    return False
            case ir.Next() | ir.Branch():
                return False
            case _:
                pass
    return not isinstance(e, ir.Const)
