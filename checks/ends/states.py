"""A state of which only something is known, whatever the number of cards: slots as terms, what is said of each card as an array, and
of zones and containers how much is in them."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import z3

from ...model.ir.program import ContainerInfo, Program
from ...model.ir.types import AbilityType, Bool, Finite, Int, OptionType, SetType, Type, domain
from .terms import (
    DOMAINS,
    Num,
    SetOf,
    Truth,
    Unknowns,
    Value,
    at_most,
    boolean,
    both,
    choose,
    either,
    equal,
    every,
    implies,
    less,
    mask,
    no,
    some,
    term,
)

LOCATION = "location"
Array = z3.ArrayRef
Sum = tuple[int, int | None]
"""Of a block: how many cards have this value in it, or (None) what its values are together."""
MOST_VALUES = 6
"""Values that a block may have for each to be counted."""


@dataclass(eq=False)
class Entries:
    """A multiset at a time: how many entries, how many of each ability, and what was read of them."""

    version: str
    size: Num
    of_each: Array
    read: list[Num] = field(default_factory=list[Num])


@dataclass(eq=False)
class Node:
    """A place that play may come to again and again: `at` in words of the program, and the state there."""

    number: int
    function: str
    pc: int
    kind: str
    state: Sym | None = None


@dataclass(eq=False)
class Sym:
    """A state on the way: `path` holds where play is here; `origin`: the place it was at last."""

    slots: dict[int, Value]
    blocks: dict[int, Array]
    location: Array
    sizes: Array
    entries: dict[str, Entries]
    path: list[Truth]
    origin: Node
    left: dict[int, Truth]
    """By slot: when a value did not fit it since the origin."""
    frames: list[list[Value]] = field(default_factory=list["list[Value]"])
    """The locals of each rule that is under way, outermost first."""
    sums: dict[Sum, Num] = field(default_factory=dict["Sum", "Num"])
    calls: tuple[int, ...] = ()
    """The calls since the origin that were not entered."""
    batch: int = 0
    frozen: Sym | None = None
    """Inside what happens at once: the state that is read."""
    waiting: tuple[tuple[str, tuple[Value, ...], Truth, bool], ...] = ()
    """Events for its end: with what, when, and whether any number of times."""

    def fork(self, when: Truth = True) -> Sym:
        out = replace(self, slots=dict(self.slots), blocks=dict(self.blocks), entries=dict(self.entries), path=list(self.path), left=dict(self.left),
            frames=[list(f) for f in self.frames], sums=dict(self.sums))
        out.assume(when)
        return out

    def assume(self, when: Truth) -> None:
        if when is True:
            return
        if not isinstance(when, bool) and any(not isinstance(p, bool) and p.eq(when) for p in self.path):
            return
        self.path.append(when)

    @property
    def dead(self) -> bool:
        if any(p is False for p in self.path):
            return True
        if len(self.path) < 2 or isinstance(self.path[-1], bool):
            return False
        other = no(self.path[-1])
        return any(not isinstance(p, bool) and p.eq(other) for p in self.path[:-1])  # pyright: ignore[reportArgumentType]


class Space:
    """The states of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.layout = program, program.layout
        self.new = Unknowns()
        self.cards = program.layout.card_count
        self.block_of = {b + k: b for b in self.layout.per_card for k in range(self.cards)}
        self.column_of: dict[int, tuple[ContainerInfo, int]] = {
            c + k: (m, n) for m in self.layout.containers.values() for n, c in enumerate(m.columns) for k in range(m.capacity)}
        self.head_of = {m.head: m for m in self.layout.containers.values()}
        self.said_of: dict[int, Callable[[Num], None]] = {}
        """Of arrays that are new: tells what is known of an entry."""
        self.told: set[tuple[int, int]] = set()
        self.kept: list[object] = []
        self.counted = {b: list(self.values_of(b)) for b in self.layout.per_card if b not in (self.layout.location, self.layout.rank)}

    def values_of(self, block: int) -> Iterable[int | None]:
        """What is counted or added up of a block."""
        of = self.layout.slots[block].type
        if isinstance(of, Bool):
            return (1,)
        if isinstance(of, OptionType):
            return (of.none,)
        if isinstance(of, Finite):
            return range(of.count) if of.count <= MOST_VALUES else ()
        return (None,) if isinstance(of, Int) else ()

    # ------------------------------------------------------------ fresh
    def unknown(self, of: Type, what: str) -> Value:
        """A value of a type."""
        if isinstance(of, SetType):
            return self.new.set(what, of.span)
        lo, hi = domain(of)
        if lo == hi:
            return lo
        if (lo, hi) == (0, 1):
            return self.new.truth(what)
        return self.new.number(what, lo, hi)

    def array(self, what: str, known: Callable[[Num, z3.ArithRef], Truth] | None = None) -> Array:
        """A new array; of each entry that is read this is known."""
        a = z3.Array(self.new.name(what), z3.IntSort(), z3.IntSort())
        self.kept.append(a)
        if known is not None:
            self.said_of[a.get_id()] = lambda k: self.new.fact(known(k, z3.Select(a, term(k))))  # pyright: ignore[reportArgumentType]
        return a

    def fresh(self, origin: Node) -> Sym:
        """A state of which nothing is known."""
        s = Sym({}, {}, self.fresh_locations(), self.fresh_sizes(), {}, [], origin, {})
        for b in self.layout.per_card:
            self.forget_block(s, b)
        for m in self.layout.containers.values():
            s.entries[m.name] = self.fresh_entries(m)
        for k in self.plain:
            s.slots[k] = self.unknown(self.layout.slots[k].type, self.layout.slots[k].name)
        return s

    @cached_property
    def plain(self) -> list[int]:
        """The slots that are neither said of a card nor part of a multiset."""
        inside = {k for m in self.layout.containers.values() if not m.is_pool for k in m.slots} | {m.head for m in self.layout.containers.values()}
        return [k for k in range(len(self.layout.slots)) if k not in self.block_of and k not in inside]

    def fresh_locations(self, before: Array | None = None, to: Sequence[tuple[int, int]] | None = None) -> Array:
        """Where cards lie: anywhere; or where they did, unless they were moved to these zones."""
        def known(k: Num, v: z3.ArithRef) -> Truth:
            if before is not None and to is not None:
                return some([equal(v, self.select(before, k)), *(both(at_most(lo, v), at_most(v, hi)) for lo, hi in to)])
            return both(at_most(-1, v), less(v, len(self.layout.zones)))
        return self.array("location", known)

    def fresh_sizes(self) -> Array:
        return self.array("sizes", lambda _, v: both(at_most(0, v), at_most(v, self.cards)))

    def forget_block(self, s: Sym, b: int) -> None:
        """Nothing is known any more of what a block says."""
        of = self.layout.slots[b].type
        lo, hi = domain(of)
        s.blocks[b] = self.array(self.layout.slots[b].name, None if isinstance(of, SetType) else lambda _, v: both(at_most(lo, v), at_most(v, hi)))
        for x in self.counted.get(b, ()):
            s.sums[b, x] = self.new.number(f"total of {self.layout.slots[b].name}") if x is None else self.new.number(
                f"count of {self.layout.slots[b].name}", 0, self.cards)

    def fresh_entries(self, m: ContainerInfo) -> Entries:
        name = self.new.name(m.name)
        return Entries(name, self.new.number(f"size of {m.name}", 0, m.capacity), self.array(f"each of {m.name}"))

    # ------------------------------------------------------------ reading
    def of_card(self, s: Sym, block: int, card: Num) -> Num:
        """What a block says of a card."""
        if block == self.layout.location:
            return self.zone_of(s, card)
        if block == self.layout.rank:
            return self.new.number("rank", 0, self.cards)
        return self.select(s.blocks[block], card)

    def select(self, a: Array, k: Num) -> z3.ArithRef:
        """An entry of an array; what is known of it in the arrays that this one was made of is told."""
        todo = [a]
        while todo:
            x = todo.pop()
            key = x.get_id(), term(k).get_id()
            if key in self.told:
                continue
            self.told.add(key)
            self.kept += [x, term(k)]
            if z3.is_app_of(x, z3.Z3_OP_STORE):
                todo.append(x.arg(0))  # pyright: ignore[reportArgumentType]
            elif z3.is_app_of(x, z3.Z3_OP_ITE):
                todo += [x.arg(1), x.arg(2)]  # pyright: ignore[reportArgumentType]
            elif x.get_id() in self.said_of:
                self.said_of[x.get_id()](k)
        return z3.Select(a, term(k))  # pyright: ignore[reportReturnType]

    def zone_of(self, s: Sym, card: Num) -> z3.ArithRef:
        return self.select(s.location, card)

    def size(self, s: Sym, zone: Num) -> z3.ArithRef:
        return self.select(s.sizes, zone)

    def in_zone(self, s: Sym, zone: Num) -> SetOf:
        """The cards in a zone."""
        size = self.size(s, zone)

        def member(t: Num) -> Truth:
            there = equal(self.zone_of(s, t), zone)
            self.new.fact(implies(there, less(0, size)))
            return both(both(at_most(0, t), less(t, self.cards)), there)
        return SetOf(member, equal(size, 0), size)

    def column(self, s: Sym, m: ContainerInfo, n: int, index: Num) -> Value:
        """What an entry of a multiset says."""
        e = s.entries[m.name]
        if not any(equal(index, k) is True for k in e.read):
            e.read.append(index)
        of = self.layout.slots[m.columns[n]].type
        if isinstance(of, SetType):
            return self.new.set(m.name, of.span)
        name = f"{e.version}.{n}"
        lo, hi = domain(of)
        DOMAINS[name] = lo, hi
        v: z3.ArithRef = z3.Function(name, z3.IntSort(), z3.IntSort())(term(index))  # pyright: ignore[reportAssignmentType]
        self.new.within(v, lo, hi)
        return v

    def there(self, s: Sym, m: ContainerInfo, values: Iterable[Value]) -> Truth:
        """Is the entry there? Yes where it was read; else that is not known."""
        e, wanted = s.entries[m.name], list(values)
        known = self.new.truth(f"in {m.name}")
        self.new.fact(implies(known, less(0, e.size)))
        for index in list(e.read):
            same: list[Truth] = [at_most(0, index), less(index, e.size)]
            for n, v in enumerate(wanted):
                mine = self.column(s, m, n, index)
                same.append(self.new.truth("same") if isinstance(v, SetOf) or isinstance(mine, SetOf) else equal(mine, v))
            self.new.fact(implies(every(same), known))
        return known

    def ability(self, m: ContainerInfo) -> int | None:
        """The column of a multiset that tells an ability."""
        return next((n for n, c in enumerate(m.columns) if isinstance(self.layout.slots[c].type, AbilityType)), None)

    # ------------------------------------------------------------ ways that meet
    def merged(self, a: Sym, b: Sym) -> Sym:
        """Either of two states with the same origin."""
        n = 0
        while n < min(len(a.path), len(b.path)) and same(a.path[n], b.path[n]):
            n += 1
        mine, other = a.path[n:], b.path[n:]
        test = every(mine)
        if mine and other and not isinstance(mine[0], bool) and same(no(mine[0]), other[0]):
            test = mine[0]
            path = [*a.path[:n], both(implies(test, every(mine[1:])), either(test, every(other[1:])))]
        else:
            path = [*a.path[:n], either(test, every(other))]
        path = [p for p in path if p is not True]
        out = replace(a, path=path)
        out.slots = {k: v if v is b.slots[k] else choose(test, v, b.slots[k]) for k, v in a.slots.items()}
        out.blocks = {k: mixed(test, v, b.blocks[k]) for k, v in a.blocks.items()}
        out.location, out.sizes = mixed(test, a.location, b.location), mixed(test, a.sizes, b.sizes)
        out.entries = {k: v if v is b.entries[k] else self.either_entries(test, k, v, b.entries[k]) for k, v in a.entries.items()}
        out.frames = [x if x is y else self.frame(test, x, y) for x, y in zip(a.frames, b.frames, strict=True)]
        out.sums = {k: v if v is b.sums[k] else choose(test, v, b.sums[k]) for k, v in a.sums.items()}  # pyright: ignore[reportAttributeAccessIssue]
        out.left = {k: either(both(test, a.left.get(k, False)), both(no(test), b.left.get(k, False))) for k in {**a.left, **b.left}}
        out.calls = tuple(dict.fromkeys((*a.calls, *b.calls)))
        assert a.batch == b.batch
        if a.frozen is not b.frozen:
            assert a.frozen is not None and b.frozen is not None
            out.frozen = self.merged(replace(a.frozen, path=mine), replace(b.frozen, path=other)) if a.frozen.origin is b.frozen.origin else a.frozen
        if a.waiting != b.waiting:
            k = 0
            while k < min(len(a.waiting), len(b.waiting)) and a.waiting[k] is b.waiting[k]:
                k += 1
            out.waiting = (
                *a.waiting[:k], *((f, x, both(test, w), many) for f, x, w, many in a.waiting[k:]),
                *((f, x, both(no(test), w), many) for f, x, w, many in b.waiting[k:]))
        return out

    def frame(self, test: Truth, a: list[Value], b: list[Value]) -> list[Value]:
        """Locals that are no longer used may be of any kind."""
        out: list[Value] = []
        for x, y in zip(a, b, strict=True):
            try:
                out.append(choose(test, x, y))
            except TypeError:
                out.append(0)
        return out

    def either_entries(self, test: Truth, name: str, a: Entries, b: Entries) -> Entries:
        """What is read of the entries from here on is new; how many there are is known."""
        size = choose(test, a.size, b.size)
        assert not isinstance(size, SetOf)
        return Entries(self.new.name(name), size, mixed(test, a.of_each, b.of_each))  # pyright: ignore[reportArgumentType]


def same(a: Truth, b: Truth) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return a.eq(b)


def mixed(test: Truth, a: Array, b: Array) -> Array:
    if a.eq(b):
        return a
    return z3.If(boolean(test), a, b)  # pyright: ignore[reportReturnType]


__all__ = ["LOCATION", "Array", "Entries", "Node", "Space", "Sym", "mask", "same"]
