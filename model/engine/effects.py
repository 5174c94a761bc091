"""Instructions as closures: one arm per node of `ir/nodes.py` that neither ends a transition nor moves frames."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from ..ir import nodes as ir
from ..ir.build import BINARY
from ..ir.program import ContainerInfo, Function, Program, entries
from ..ir.types import Role, blank, domain
from .state import End
from .values import Effect, Expressions, Halt, Locals, Slots, Value, bound, fault


@dataclass(frozen=True)
class Write:
    """A write that waits for the end of its batch. `place` is what must not be given two values (None: anything
    goes); `how` is `set`, or the operation with which several may be joined."""

    place: int | None
    how: str
    value: object
    happen: Callable[[Slots], None]
    clauses: tuple[str, ...] = ()


class Effects(Expressions):
    """Makes closures of instructions. Inside a batch, writes and events wait in `batch` and `events`."""

    def __init__(
        self, program: Program, call: Callable[[str, Slots, list[int]], int],
        sweep: Callable[[int], None], result: Callable[[str], Value],
    ) -> None:
        super().__init__(program, call, result)
        self.sweep = sweep
        self.ordered = [z.ordered for z in self.layout.zones]
        self.reset()

    @cached_property
    def domains(self) -> list[tuple[int, int]]:
        """Of each slot, its least and its greatest value."""
        return [domain(s.type) for s in self.layout.slots]

    @cached_property
    def object_slots(self) -> list[int]:
        """The slots that refer to objects."""
        return [k for k, s in enumerate(self.layout.slots) if s.type.role is Role.OBJECT]

    @cached_property
    def multiset_of(self) -> dict[int, ContainerInfo]:
        """The multiset that a slot is in."""
        return {k: m for m in self.layout.containers.values() if not m.is_pool for k in m.slots}

    def reset(self) -> None:
        """No batch is open."""
        self.depth = 0
        self.batch: list[Write] = []
        self.events: list[tuple[str, list[int]]] = []
        self.happening: list[list[tuple[str, list[int]]]] = []

    def effect(self, fn: Function, i: ir.Instr, pc: int) -> Effect | None:
        """The closure that carries out an instruction; None for those that the transition itself carries out."""
        v, go = self.value, pc + 1
        match i:
            case ir.Assign(local=x, value=e):
                return self._assign(fn, x, v(e), go)
            case ir.Store(base=base, index=index, count=count, value=e, op=op):
                return self._store(base, None if index is None else v(index), count, v(e), op, go, i.at)
            case ir.Put(card=card, zone=zone, top=top):
                return then(go, partial(self._put, v(card), v(zone), top, i.at))
            case ir.Shuffle(zone=zone):
                return then(go, partial(self._shuffle, v(zone)))
            case ir.Renew(card=card):
                return then(go, partial(self._renew, v(card)))
            case ir.Insert(multiset=m, values=values):
                return then(go, partial(self._insert, self.layout.containers[m], tuple(map(v, values))))
            case ir.Remove(multiset=m, values=values):
                return then(go, partial(self._remove, self.layout.containers[m], tuple(map(v, values))))
            case ir.Clear(multiset=m):
                return then(go, partial(self._clear, self.layout.containers[m]))
            case ir.New(pool=p, values=values, local=x):
                return then(go, partial(self._new, self.layout.containers[p], tuple(map(v, values)), x))
            case ir.Free(pool=p, place=place):
                return then(go, partial(self._free, self.layout.containers[p], v(place), i.at))
            case ir.Branch(test=test, otherwise=target):
                t = v(test)
                return lambda g, f: go if t(g, f) else target
            case ir.Jump(target=target):
                return lambda g, f: target
            case ir.Next(rest=rest, var=var, offset=offset, done=done):
                return self._next(rest, var, offset, done, go)
            case ir.Do(function=name, args=args, local=x, event=event):
                return then(go, partial(self._do, name, tuple(map(v, args)), x, event))
            case ir.BatchBegin():
                return then(go, self._begin)
            case ir.BatchEnd():
                return then(go, partial(self._end_batch, i.at))
            case ir.End(kind=kind, winner=winner, detail=detail):
                return partial(self._end, kind, None if winner is None else v(winner), detail)
            case _:
                return None

    # ------------------------------------------------------------ writes
    def write(
        self, g: Slots, happen: Callable[[Slots], None], place: int | None = None, value: object = None,
        clauses: tuple[str, ...] = (), how: str = "set",
    ) -> None:
        """Carry a write out, or let it wait for the end of the batch."""
        if self.depth:
            self.batch.append(Write(place, how, value, happen, clauses))
        else:
            happen(g)

    def _assign(self, fn: Function, x: int, value: Value, go: int) -> Effect:
        local = fn.locals[x]
        fitting = self._inside(value, *domain(local.type), lambda n: bound(f"{local.name} = {n}"))

        def assign(g: Slots, f: Locals) -> int:
            f[x] = fitting(g, f)
            return go
        return assign

    def fitting(self, slot: int, n: int) -> int:
        """The value, if the slot can hold it."""
        lo, hi = self.domains[slot]
        if lo <= n <= hi:
            return n
        raise bound(f"{self.layout.slots[slot].name} = {n}", slot)

    def _store(
        self, base: int, index: Value | None, count: int, value: Value, op: ir.StoreOp, go: int, mark: ir.Mark,
    ) -> Effect:
        slots = self.layout.slots
        join = None if op == "set" else BINARY[op]

        def store(g: Slots, f: Locals) -> int:
            k = 0 if index is None else index(g, f)
            if not 0 <= k < count:
                raise bound(f"no place {k} in {slots[base].group}")
            at, n = base + k, value(g, f)

            def happen(g: Slots) -> None:
                g[at] = self.fitting(at, n if join is None else join(g[at], n))
            self.write(g, happen, at, n, mark.clauses, op)
            return go
        return store

    def lay(self, g: Slots, card: int, zone: int, top: bool) -> None:
        """Move a card between zones, ranks kept dense."""
        first, rank = self.layout.location, self.layout.rank
        old = g[first + card]
        if old == zone and not self.ordered[zone]:
            return
        if old >= 0 and self.ordered[old]:
            r = g[rank + card]
            others = [c for c in self.lying(g, old) if c != card]
            if all(g[rank + c] != r for c in others):
                for c in others:
                    if g[rank + c] > r:
                        g[rank + c] -= 1
        g[first + card] = -1
        g[rank + card] = 0
        if self.ordered[zone]:
            there = self.lying(g, zone)
            if top:
                g[rank + card] = max((g[rank + c] for c in there), default=-1) + 1
            else:
                for c in there:
                    g[rank + c] += 1
        g[first + card] = zone

    def _put(self, card: Value, zone: Value, top: bool, at: ir.Mark, g: Slots, f: Locals) -> None:
        c, z = card(g, f), zone(g, f)
        if c < 0 or z < 0:
            raise fault("a card that is none cannot be moved", at)
        self.write(g, lambda g: self.lay(g, c, z, top), -1 - c, (z, top), at.clauses)

    def _shuffle(self, zone: Value, g: Slots, f: Locals) -> None:
        rank, z = self.layout.rank, zone(g, f)
        given = self.layout.given.get(z)

        def mix(g: Slots) -> None:
            if given is not None and g[given]:
                g[given] = 0
                return
            for c in self.lying(g, z):
                g[rank + c] = 0
        self.write(g, mix)

    def _renew(self, card: Value, g: Slots, f: Locals) -> None:
        c = card(g, f)

        def sweep(g: Slots) -> None:
            gone = [k for k in self.object_slots if g[k] == c]
            for k in gone:
                g[k] = -1
            for m in {self.multiset_of[k] for k in gone if k in self.multiset_of}:
                self.fill(g, m, entries(m, g))
            self.sweep(c)
        self.write(g, sweep)

    # ------------------------------------------------------------ multisets and pools
    def fill(self, g: Slots, m: ContainerInfo, there: list[tuple[int, ...]]) -> None:
        """Make these the entries of a multiset, in canonical order."""
        there.sort()
        g[m.head] = len(there)
        for k, e in enumerate(there + [self.empty(m)] * (m.capacity - len(there))):
            self.lay_entry(g, m, k, e)

    def empty(self, m: ContainerInfo) -> tuple[int, ...]:
        """What is in a place that is not in use."""
        return tuple(blank(self.layout.slots[c].type) for c in m.columns)

    def lay_entry(self, g: Slots, m: ContainerInfo, k: int, entry: Sequence[int]) -> None:
        """Put the values into place number k."""
        for c, n in zip(m.columns, entry, strict=True):
            g[c + k] = n

    def _insert(self, m: ContainerInfo, values: tuple[Value, ...], g: Slots, f: Locals) -> None:
        e = tuple(self.fitting(c, x(g, f)) for c, x in zip(m.columns, values, strict=True))

        def add(g: Slots) -> None:
            if g[m.head] == m.capacity:
                raise bound(f"more than {m.capacity} in {m.name}", m.head)
            self.fill(g, m, [*entries(m, g), e])
        self.write(g, add)

    def _remove(self, m: ContainerInfo, values: tuple[Value, ...], g: Slots, f: Locals) -> None:
        e = tuple(x(g, f) for x in values)

        def take(g: Slots) -> None:
            there = entries(m, g)
            if e in there:
                there.remove(e)
                self.fill(g, m, there)
        self.write(g, take)

    def _clear(self, m: ContainerInfo, g: Slots, f: Locals) -> None:
        self.write(g, lambda g: self.fill(g, m, []))

    def _new(self, p: ContainerInfo, values: tuple[Value, ...], x: int, g: Slots, f: Locals) -> None:
        e = [self.fitting(c, v(g, f)) for c, v in zip(p.columns, values, strict=True)]
        k = next((k for k in range(p.capacity) if not g[p.head] >> k & 1), -1)
        if k < 0:
            raise bound(f"more than {p.capacity} in {p.name}", p.head)
        g[p.head] |= 1 << k
        self.lay_entry(g, p, k, e)
        f[x] = k

    def _free(self, p: ContainerInfo, place: Value, at: ir.Mark, g: Slots, f: Locals) -> None:
        k = place(g, f)
        if k < 0 or not g[p.head] >> k & 1:
            raise fault(f"a place in {p.name} was freed that is not in use", at)

        def give_back(g: Slots) -> None:
            g[p.head] &= ~(1 << k)
            self.lay_entry(g, p, k, self.empty(p))
        self.write(g, give_back)

    # ------------------------------------------------------------ control within a function
    def _next(self, rest: int, var: int, offset: int, done: int, go: int) -> Effect:
        def step(g: Slots, f: Locals) -> int:
            m = f[rest]
            if not m:
                return done
            low = m & -m
            f[rest] = m ^ low
            f[var] = low.bit_length() - 1 + offset
            return go
        return step

    def _do(self, name: str, args: tuple[Value, ...], x: int | None, event: bool, g: Slots, f: Locals) -> None:
        a = [v(g, f) for v in args]
        if event and self.depth:
            self.events.append((name, a))
            return
        r = self.call(name, g, a)
        if x is not None:
            f[x] = r

    def _begin(self, g: Slots, f: Locals) -> None:
        self.depth += 1

    def _end_batch(self, at: ir.Mark, g: Slots, f: Locals) -> None:
        self.depth -= 1
        if self.depth:
            return
        waiting, self.batch = self.batch, []
        given: dict[int, Write] = {}
        for w in waiting:
            if w.place is not None:
                other = given.setdefault(w.place, w)
                if w.how != other.how or (w.how == "set" and w.value != other.value):
                    both = dict.fromkeys((*other.clauses, *w.clauses)) or at.clauses
                    raise Halt(End("conflict", detail=" ".join(both)))
        for w in waiting:
            w.happen(g)
        events, self.events = self.events, []
        self.happening.append(events)
        while events:
            name, args = events.pop(0)
            self.call(name, g, args)
        self.happening.pop()

    def _end(self, kind: ir.EndKind, winner: Value | None, detail: str, g: Slots, f: Locals) -> int:
        who = -1 if winner is None else winner(g, f)
        if kind == "win" and who < 0:
            raise Halt(End("draw", detail=detail))
        raise Halt(End(kind, who, detail))


def then(go: int, do: Callable[[Slots, Locals], None]) -> Effect:
    """The closure that does something, and goes on."""
    def effect(g: Slots, f: Locals) -> int:
        do(g, f)
        return go
    return effect
