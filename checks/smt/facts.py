"""What locals are known to be at each place of a procedure: candidates, of which those stay that every piece keeps.

An invariant of the state alone is often too weak for a proof by induction: `put(card, g.hand[p])` keeps a hand its
owner's only if `card` is. So for each place at which a piece begins (and for each frame that waits for a call) simple
statements about the locals there are assumed and, of every piece that comes to the place, asked for; what a piece
fails to bring about is dropped, and the pieces that had assumed it are asked again (Houdini's way). What is left holds
whenever play is there, together with the invariants.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...model.ir import nodes as ir
from ...model.ir.flow import live_across_calls, liveness, walk
from ...model.ir.program import Function, Layout, LocalInfo, Program
from ...model.ir.types import CardType, Int, OptionType, PlayerType, RefType, Role, SetType, Type, ZoneType
from . import numbers as n
from . import truths as t
from .numbers import Val
from .truths import Truth

Holds = Callable[[Sequence[Val], Sequence[Val]], Truth]
"""Does it hold of these locals in these slots?"""


@dataclass(frozen=True)
class Fact:
    """A statement about the locals of a frame. `lasting`: it does not depend on the state, so that it holds on while
    the frame waits for a call; `about`: the locals that it names; `hoped`: it names none and may well be true all the same."""

    text: str
    holds: Holds
    lasting: bool
    about: frozenset[int] = frozenset()
    hoped: bool = False
    bold, apt = False, True

    @property
    def likely(self) -> bool:
        """May it well be true, not only while play begins?"""
        return self.lasting or self.hoped or bool(self.about)


@dataclass(frozen=True)
class Class:
    """Cards that no invariant tells apart by what is printed on them."""

    name: str
    members: frozenset[int]


class Candidates:
    """Makes the candidates for the frames of a program. `owners`: of each card; `kept`: how many cards the state keeps, if not all."""

    def __init__(self, program: Program, owners: Sequence[int], kept: int | None = None) -> None:
        self.program = program
        self.layout: Layout = program.layout
        self.kept = self.layout.card_count if kept is None else kept
        self.owners = owners
        self.classes = list(self._classes())
        self.live: dict[str, tuple[list[frozenset[int]], list[frozenset[int]]]] = {}
        self.lies: dict[tuple[int, int], tuple[Sequence[Val], list[Truth]]] = {}
        self.places: dict[tuple[object, int], tuple[Val, Sequence[Val], Val]] = {}

    def _classes(self) -> Iterator[Class]:
        """By owner and by what invariants read of a card."""
        tables = sorted({
            e.table for name in self.program.invariants for f in self._defines(name) for i in f.code for e in walk(i)
            if isinstance(e, ir.Table) and len(self.program.tables[e.table]) == self.layout.card_count})
        masks = sorted({
            e.value for name in self.program.invariants for f in self._defines(name) for i in f.code for e in walk(i)
            if isinstance(e, ir.Const) and e.value > 1})
        groups: dict[tuple[int, tuple[int, ...]], set[int]] = {}
        for c, who in enumerate(self.owners):
            printed = (*(self.program.tables[k][c] for k in tables), *(m >> c & 1 for m in masks))
            groups.setdefault((who, printed), set()).add(c)
        for (who, printed), members in groups.items():
            yield Class(f"those of {who} with {printed}", frozenset(members))

    def adds_up(self, name: str) -> bool:
        """Is the invariant about a sum?"""
        return any(
            isinstance(e, ir.Fold) and e.kind == "sum" and not isinstance(e.body, ir.Const)
            for f in self._defines(name) for i in f.code for e in walk(i))

    def _defines(self, name: str) -> list[Function]:
        found, todo = {name}, [name]
        while todo:
            for i in self.program.functions[todo.pop()].code:
                for e in walk(i):
                    if isinstance(e, ir.Call) and e.function not in found:
                        found.add(e.function)
                        todo.append(e.function)
        return [self.program.functions[x] for x in sorted(found)]

    # ------------------------------------------------------------ of a frame
    def of(self, name: str, pc: int, waiting: bool) -> list[Fact]:
        """The candidates for a frame of the function at the place; those that last, if it waits for a call there."""
        fn = self.program.functions[name]
        if name not in self.live:
            at = liveness(fn)
            self.live[name] = at, live_across_calls(fn, at)
        alive = self.live[name][waiting][pc] | frozenset(range(fn.arity))
        facts = [f for k in sorted(alive) for f in self._of_local(fn, k, alive)]
        if not waiting:
            facts += [*self._of_zones(fn, alive), *self._of_the_rest()]
        return [f for f in facts if f.lasting or not waiting]

    def of_result(self, name: str) -> list[Fact]:
        """The candidates for what the function gives back: of its parameters and, last, the result."""
        fn = self.program.functions[name]
        if any(isinstance(i, ir.Invoke) and i.tail for i in fn.code):
            return []  # somebody else gives its result
        if fn.result.role not in (Role.CARD, Role.CARDS) and not isinstance(fn.result, RefType):
            return []
        pretended = replace(fn, locals=[*fn.locals[:fn.arity], LocalInfo("result", fn.result)])
        return list(self._of_local(pretended, fn.arity, frozenset(range(fn.arity))))

    def _of_local(self, fn: Function, k: int, alive: frozenset[int]) -> Iterator[Fact]:
        of = fn.locals[k].type
        inner = of.inner if isinstance(of, OptionType) else of
        if of.role in (Role.CARD, Role.OBJECT):
            yield from self._of_cards(fn, k, alive, lambda v: [n.equal(v, c) for c in range(self.layout.card_count)])
            if isinstance(of, CardType) and of.role is Role.CARD:
                yield Fact(f"{k} is a card", lambda f, _: n.at_most(0, f[k]), True, frozenset({k}))
        elif of.role is Role.CARDS and isinstance(of, SetType):
            yield from self._of_cards(fn, k, alive, lambda v: list(n.bits(v, self.layout.card_count))[:self.layout.card_count])
        elif isinstance(inner, RefType) and inner.pool in self.layout.containers:
            head = self.layout.containers[inner.pool].head
            none = isinstance(of, OptionType)
            yield Fact(
                f"{k} is in use", lambda f, g: t.either(n.less(f[k], 0) if none else False, n.member(f[k], g[head])), False,
                frozenset({k}))

    def _of_cards(
        self, fn: Function, k: int, alive: frozenset[int], those: Callable[[Val], list[Truth]],
    ) -> Iterator[Fact]:
        """About a card, or each card of a set."""
        of_set = fn.locals[k].type.role is Role.CARDS

        def it(f: Sequence[Val]) -> Sequence[Truth] | Val:
            return those(f[k]) if of_set else f[k]
        def none_of(members: frozenset[int]) -> Holds:
            return lambda f, _: t.no(t.some(b for c, b in enumerate(those(f[k])) if c in members))
        for x in self.classes:
            yield Fact(f"{k} is none of {x.name}", none_of(x.members), True, frozenset({k}))
        mine = [frozenset(c for c, who in enumerate(self.owners) if who == p) for p in (0, 1)]
        for j in sorted(alive):
            of = fn.locals[j].type
            if isinstance(of, PlayerType):
                yield Fact(f"{k} belongs to {j}", lambda f, _, j=j: t.no(t.some(
                    t.both(b, t.no(n.equal(f[j], self.owners[c]))) for c, b in enumerate(those(f[k])))), True, frozenset({j, k}))
                for name in self._fields():
                    yield Fact(f"{k} is not in {name} of another than {j}", lambda f, g, j=j, name=name: self._outside(
                        it(f), g, [(z, t.no(n.equal(f[j], self.layout.zones[z].player or 0)))
                                         for z in self._zones(name) if self.layout.zones[z].player is not None]), False,
                        frozenset({j, k}))
            elif isinstance(of, ZoneType):
                theirs = [[z for z, info in enumerate(self.layout.zones) if info.player == p] for p in (0, 1)]
                yield Fact(f"{k} belongs where {j} is", lambda f, _, j=j, theirs=theirs: t.no(t.some(
                    t.both(n.equal(f[j], z), t.some(b for c, b in enumerate(those(f[k])) if c in mine[1 - p]))
                    for p in (0, 1) for z in theirs[p])), True, frozenset({j, k}))
                yield Fact(f"{k} lies in {j}", lambda f, g, j=j: t.every(
                    t.either(t.no(b), n.equal(g[self.layout.location + c], f[j])) for c, b in enumerate(those(f[k]))), False,
                    frozenset({j, k}))
        for name in self._fields():
            yield Fact(f"{k} is not in {name}", lambda f, g, name=name: self._outside(
                it(f), g, [(z, True) for z in self._zones(name)]), False, frozenset({k}))

    def _fields(self) -> list[str]:
        return list(dict.fromkeys(z.field for z in self.layout.zones))

    def _zones(self, name: str) -> list[int]:
        return [z for z, info in enumerate(self.layout.zones) if info.field == name]

    def _outside(self, those: Sequence[Truth] | Val, g: Sequence[Val], zones: Sequence[tuple[int, Truth]]) -> Truth:
        """None of these cards (or this card) lies in one of these zones (that count)."""
        if isinstance(those, Sequence):
            return t.no(t.some(
                t.both(counts, t.some(t.both(b, there) for b, there in zip(those, self.lying(g, z), strict=True)))
                for z, counts in zones if counts is not False))
        here = self.place(those, g)
        return t.either(n.less(those, 0), t.no(t.some(t.both(counts, n.equal(here, z)) for z, counts in zones)))

    def lying(self, g: Sequence[Val], zone: int) -> list[Truth]:
        """For each card, whether it lies in the zone."""
        known = self.lies.get((id(g), zone))
        if known is None:
            first = self.layout.location
            known = self.lies[id(g), zone] = g, [n.equal(v, zone) for v in g[first:first + self.kept]]
        return known[1]

    def place(self, card: Val, g: Sequence[Val]) -> Val:
        """Where the card lies, if it is one."""
        known = self.places.get((n.identity(card), id(g)))
        if known is None:
            first = self.layout.location
            known = card, g, n.pick(card, g[first:first + self.layout.card_count])
            self.places[n.identity(card), id(g)] = known
        return known[2]

    # ------------------------------------------------------------ of zones
    def _of_zones(self, fn: Function, alive: frozenset[int]) -> Iterator[Fact]:
        """Zones that are empty still: all of a field, those of a player or number that a local names."""
        for name in self._fields():
            zones = self._zones(name)
            yield Fact(f"{name} is empty", lambda _, g, zones=zones: self._empty(g, [(z, True) for z in zones]), False)
            for k in sorted(alive):
                of = fn.locals[k].type
                inner = of.inner if isinstance(of, SetType) else of
                if isinstance(inner, PlayerType) and self.layout.zones[zones[0]].player is not None:
                    yield Fact(f"{name} of {k} is empty", self._emptiness(k, of, zones, "player"), False)
                elif isinstance(inner, Int) and self.layout.zones[zones[0]].number:
                    yield Fact(f"{name} {k} is empty", self._emptiness(k, of, zones, "number"), False)

    def _of_the_rest(self) -> Iterator[Fact]:
        """Nothing waits; what is said of cards is as at first."""
        for m in self.layout.containers.values():
            yield Fact(f"nothing is in {m.name}", lambda _, g, m=m: n.equal(g[m.head], 0), False)
        for first in self.layout.per_card:
            if first not in (self.layout.location, self.layout.rank):
                places = range(first, first + self.layout.card_count)
                name = self.layout.slots[first].name
                yield Fact(f"{name} and the like are as at first", lambda _, g, places=places: t.every(
                    n.equal(g[k], self.layout.slots[k].initial) for k in places), False)

    def _emptiness(self, k: int, of: Type, zones: Sequence[int], by: str) -> Holds:
        def said(v: Val, z: int) -> Truth:
            index = getattr(self.layout.zones[z], by)
            return n.member(index - of.inner.lo, v) if isinstance(of, SetType) else n.equal(v, index)
        return lambda f, g: self._empty(g, [(z, said(f[k], z)) for z in zones])

    def _empty(self, g: Sequence[Val], zones: Sequence[tuple[int, Truth]]) -> Truth:
        return self._outside([True] * self.layout.card_count, g, zones)
