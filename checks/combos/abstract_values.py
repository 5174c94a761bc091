"""What a value may be, and what may be done, where code is carried out for all positions at once (abstract interpretation)."""
from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

from ...model.ir import types as t
from ...model.ir.flow import members
from ...model.ir.program import Function

MOST_VALUES = 12
"""Numbers that a value is told apart by; of more nothing is known."""


@dataclass(frozen=True)
class Num:
    """One of these numbers; None: any."""

    values: frozenset[int] | None


@dataclass(frozen=True)
class Whereabouts(Num):
    """The zone in which one of these cards (a bit each) lies, whichever that is."""

    of: int


@dataclass(frozen=True)
class May:
    """One of these (a bit each), or some of them, and of a set those (`sure`) that are in it; if they are cards, from one of these zones (a bit each)."""

    mask: int
    zones: int = -1
    sure: int = 0

    @property
    def likeliest(self) -> May:
        """One of a set: of those that are in it if that is known of any."""
        return May(self.sure or self.mask, self.zones)


Value = Num | May
Memory = dict[tuple[int, int], Value]
"""What was last written about cards, of what says where they are or were: by block of slots and cards."""
ANY, BOTH, YES, NO = Num(None), Num(frozenset((0, 1))), Num(frozenset((1,))), Num(frozenset((0,)))
CARD = (t.Role.CARD, t.Role.OBJECT)
ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "min": min,
    "max": max,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "union": operator.or_,
    "meet": operator.and_,
    "without": lambda a, b: a & ~b,
    "member": lambda a, b: a >= 0 and b >> a & 1,
    "differ": operator.xor,
}
TESTS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "member"))


@dataclass
class Done:
    """What may be done: `moves` are (cards, zones they come from, zone), `writes` and `reads` fields (which player's, where it is known), `up` and
    `down` those that get larger and smaller, `sets` (field, value, on which cards; -1 where it is no card's), `lets` abilities that may come to wait."""

    moves: set[tuple[int, int, int]] = field(default_factory=set[tuple[int, int, int]])
    writes: set[str] = field(default_factory=set[str])
    up: set[str] = field(default_factory=set[str])
    down: set[str] = field(default_factory=set[str])
    sets: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    reads: set[str] = field(default_factory=set[str])
    lets: set[int] = field(default_factory=set[int])

    def add(self, other: Done) -> None:
        for of in fields(self):
            getattr(self, of.name).update(getattr(other, of.name))


@dataclass
class Frame:
    """A function under way."""

    fn: Function
    locals: list[Value]
    memory: Memory
    done: Done

    def apart(self) -> Frame:
        """The same, with locals of its own."""
        return Frame(self.fn, list(self.locals), self.memory, self.done)


def is_zone(of: t.Type) -> bool:
    return isinstance(of, t.ZoneType) or (isinstance(of, t.OptionType) and isinstance(of.inner, t.ZoneType))


def few(values: set[int] | frozenset[int]) -> Num:
    return Num(frozenset(values)) if len(values) <= MOST_VALUES else ANY


def one_alone(mask: int) -> int:
    """The card, if it is one; none where it is one of several."""
    return mask if mask.bit_count() == 1 else 0


def b_only(v: Value) -> int:
    """What is in a set for sure."""
    return next(iter(v.values)) if isinstance(v, Num) and v.values is not None and len(v.values) == 1 else 0


def unary(op: str, v: Value) -> Value:
    match op, v:
        case "not", _:
            return NO if v == YES else YES if v == NO else BOTH
        case "size", May(mask=0):
            return NO
        case "single", May():
            return May(v.mask, v.zones, one_alone(v.mask))
        case ("lowest" | "only"), May():
            return v.likeliest
        case "size", Num(values=values) if values is not None and min(values, default=0) >= 0:
            return few({x.bit_count() for x in values})
        case ("neg" | "abs"), Num(values=values) if values is not None:
            return Num(frozenset(-x if op == "neg" else abs(x) for x in values))
        case "single", Num(values=values) if values is not None:
            return May(sum(1 << x for x in values if x >= 0))
        case ("lowest" | "only"), Num(values=values) if values is not None:
            return few({k for x in values if x >= 0 for k in members(x)})
        case _:
            return ANY
