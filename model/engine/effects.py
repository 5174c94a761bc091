"""Instructions as closures: one arm per node of `ir/nodes.py` that neither ends a transition nor moves frames."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ..ir import nodes as ir
from ..ir.build import BINARY
from ..ir.program import ContainerInfo, Function, Program
from ..ir.types import Role, Type, blank, domain
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
        known = {k: domain(of) for k, of in self.types.items()}
        return [known[id(s.type)] for s in self.layout.slots]

    @cached_property
    def object_slots(self) -> list[int]:
        """The slots that refer to objects."""
        known = {k for k, of in self.types.items() if of.role is Role.OBJECT}
        return [k for k, s in enumerate(self.layout.slots) if id(s.type) in known]

    @cached_property
    def by_column(self) -> dict[int, ContainerInfo]:
        """The container that a slot is in."""
        return {c + k: m for m in self.layout.containers.values() for c in m.columns for k in range(m.capacity)}

    @cached_property
    def types(self) -> dict[int, Type]:
        """The types of slots, few and shared by many, by their `id`."""
        return {id(s.type): s.type for s in self.layout.slots}

    def reset(self) -> None:
        """No batch is open."""
        self.batch: list[Write] | None = None
        self.inner = 0
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
                return self._put(v(card), v(zone), top, go, i.at)
            case ir.Shuffle(zone=zone):
                return self._shuffle(v(zone), go)
            case ir.Renew(card=card):
                return self._renew(v(card), go)
            case ir.Insert(multiset=m, values=values):
                return self._insert(self.layout.containers[m], tuple(map(v, values)), go)
            case ir.Remove(multiset=m, values=values):
                return self._remove(self.layout.containers[m], tuple(map(v, values)), go)
            case ir.Clear(multiset=m):
                return self._clear(self.layout.containers[m], go)
            case ir.New(pool=p, values=values, local=x):
                return self._new(self.layout.containers[p], tuple(map(v, values)), x, go)
            case ir.Free(pool=p, place=place):
                return self._free(self.layout.containers[p], v(place), go, i.at)
            case ir.Branch(test=test, otherwise=target):
                t = v(test)
                return lambda g, f: go if t(g, f) else target
            case ir.Jump(target=target):
                return lambda g, f: target
            case ir.Next(rest=rest, var=var, offset=offset, done=done):
                return self._next(rest, var, offset, done, go)
            case ir.Do(function=name, args=args, local=x, event=event):
                return self._do(name, tuple(map(v, args)), x, event, go)
            case ir.BatchBegin():
                return self._begin(go)
            case ir.BatchEnd():
                return self._end_batch(go, i.at)
            case ir.End(kind=kind, winner=winner, detail=detail):
                return self._end(kind, None if winner is None else v(winner), detail)
            case _:
                return None

    # ------------------------------------------------------------ writes
    def write(
        self, g: Slots, happen: Callable[[Slots], None], place: int | None = None, value: object = None,
        clauses: tuple[str, ...] = (),
    ) -> None:
        """Carry a write out, or let it wait for the end of the batch."""
        if self.batch is None:
            happen(g)
        else:
            self.batch.append(Write(place, "set", value, happen, clauses))

    def _assign(self, fn: Function, x: int, value: Value, go: int) -> Effect:
        lo, hi = domain(fn.locals[x].type)
        name = fn.locals[x].name

        def assign(g: Slots, f: Locals) -> int:
            n = value(g, f)
            if not lo <= n <= hi:
                raise bound(f"{name} = {n}")
            f[x] = n
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
            if self.batch is None:
                happen(g)
            else:
                self.batch.append(Write(at, op, n, happen, mark.clauses))
            return go
        return store

    def lay(self, g: Slots, card: int, zone: int, top: bool) -> None:
        """Move a card between zones, ranks kept dense."""
        first, rank, count = self.layout.location, self.layout.rank, self.layout.card_count
        old = g[first + card]
        if old == zone and not self.ordered[zone]:
            return
        if old >= 0 and self.ordered[old]:
            r = g[rank + card]
            others = [c for c in range(count) if g[first + c] == old and c != card]
            if all(g[rank + c] != r for c in others):
                for c in others:
                    if g[rank + c] > r:
                        g[rank + c] -= 1
        g[first + card] = -1
        g[rank + card] = 0
        if self.ordered[zone]:
            there = [c for c in range(count) if g[first + c] == zone]
            if top:
                g[rank + card] = max((g[rank + c] for c in there), default=-1) + 1
            else:
                for c in there:
                    g[rank + c] += 1
        g[first + card] = zone

    def _put(self, card: Value, zone: Value, top: bool, go: int, at: ir.Mark) -> Effect:
        def put(g: Slots, f: Locals) -> int:
            c, z = card(g, f), zone(g, f)
            if c < 0 or z < 0:
                raise fault("a card that is none cannot be moved", at)
            self.write(g, lambda g: self.lay(g, c, z, top), -1 - c, (z, top), at.clauses)
            return go
        return put

    def _shuffle(self, zone: Value, go: int) -> Effect:
        first, rank = self.layout.location, self.layout.rank

        def shuffle(g: Slots, f: Locals) -> int:
            z = zone(g, f)
            given = self.layout.given.get(z)

            def mix(g: Slots) -> None:
                if given is not None and g[given]:
                    g[given] = 0
                    return
                for c in range(self.layout.card_count):
                    if g[first + c] == z:
                        g[rank + c] = 0
            self.write(g, mix)
            return go
        return shuffle

    def _renew(self, card: Value, go: int) -> Effect:
        def renew(g: Slots, f: Locals) -> int:
            c = card(g, f)

            def sweep(g: Slots) -> None:
                touched = set[str]()
                for k in self.object_slots:
                    if g[k] == c:
                        g[k] = -1
                        if k in self.by_column:
                            touched.add(self.by_column[k].name)
                for name in touched:
                    self.sort(g, self.layout.containers[name])
                self.sweep(c)
            self.write(g, sweep)
            return go
        return renew

    # ------------------------------------------------------------ multisets and pools
    def entries(self, g: Slots, m: ContainerInfo) -> list[tuple[int, ...]]:
        """The entries of a multiset."""
        return [tuple(g[c + k] for c in m.columns) for k in range(g[m.head])]

    def fill(self, g: Slots, m: ContainerInfo, entries: list[tuple[int, ...]]) -> None:
        """Make these the entries of a multiset, in canonical order."""
        entries.sort()
        empty = tuple(blank(self.layout.slots[c].type) for c in m.columns)
        g[m.head] = len(entries)
        for k, e in enumerate(entries + [empty] * (m.capacity - len(entries))):
            for c, x in zip(m.columns, e, strict=True):
                g[c + k] = x

    def sort(self, g: Slots, m: ContainerInfo) -> None:
        """Put a multiset back into canonical order (a pool has none)."""
        if not m.is_pool:
            self.fill(g, m, self.entries(g, m))

    def _insert(self, m: ContainerInfo, values: tuple[Value, ...], go: int) -> Effect:
        def insert(g: Slots, f: Locals) -> int:
            e = tuple(self.fitting(c, x(g, f)) for c, x in zip(m.columns, values, strict=True))

            def add(g: Slots) -> None:
                if g[m.head] == m.capacity:
                    raise bound(f"more than {m.capacity} in {m.name}", m.head)
                self.fill(g, m, [*self.entries(g, m), e])
            self.write(g, add)
            return go
        return insert

    def _remove(self, m: ContainerInfo, values: tuple[Value, ...], go: int) -> Effect:
        def remove(g: Slots, f: Locals) -> int:
            e = tuple(x(g, f) for x in values)

            def take(g: Slots) -> None:
                there = self.entries(g, m)
                if e in there:
                    there.remove(e)
                    self.fill(g, m, there)
            self.write(g, take)
            return go
        return remove

    def _clear(self, m: ContainerInfo, go: int) -> Effect:
        def clear(g: Slots, f: Locals) -> int:
            self.write(g, lambda g: self.fill(g, m, []))
            return go
        return clear

    def _new(self, p: ContainerInfo, values: tuple[Value, ...], x: int, go: int) -> Effect:
        def new(g: Slots, f: Locals) -> int:
            e = [self.fitting(c, v(g, f)) for c, v in zip(p.columns, values, strict=True)]
            k = next((k for k in range(p.capacity) if not g[p.head] >> k & 1), -1)
            if k < 0:
                raise bound(f"more than {p.capacity} in {p.name}", p.head)
            g[p.head] |= 1 << k
            for c, n in zip(p.columns, e, strict=True):
                g[c + k] = n
            f[x] = k
            return go
        return new

    def _free(self, p: ContainerInfo, place: Value, go: int, at: ir.Mark) -> Effect:
        empty = tuple(blank(self.layout.slots[c].type) for c in p.columns)

        def free(g: Slots, f: Locals) -> int:
            k = place(g, f)
            if k < 0 or not g[p.head] >> k & 1:
                raise fault(f"a place in {p.name} was freed that is not in use", at)

            def give_back(g: Slots) -> None:
                g[p.head] &= ~(1 << k)
                for c, n in zip(p.columns, empty, strict=True):
                    g[c + k] = n
            self.write(g, give_back)
            return go
        return free

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

    def _do(self, name: str, args: tuple[Value, ...], x: int | None, event: bool, go: int) -> Effect:
        call = self.call

        def do(g: Slots, f: Locals) -> int:
            a = [v(g, f) for v in args]
            if event and self.batch is not None:
                self.events.append((name, a))
                return go
            r = call(name, g, a)
            if x is not None:
                f[x] = r
            return go
        return do

    def _begin(self, go: int) -> Effect:
        def begin(g: Slots, f: Locals) -> int:
            if self.batch is None:
                self.batch = []
            else:
                self.inner += 1
            return go
        return begin

    def _end_batch(self, go: int, at: ir.Mark) -> Effect:
        def end(g: Slots, f: Locals) -> int:
            if self.inner:
                self.inner -= 1
                return go
            waiting, self.batch = self.batch or [], None
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
            return go
        return end

    def _end(self, kind: ir.EndKind, winner: Value | None, detail: str) -> Effect:
        def end(g: Slots, f: Locals) -> int:
            who = -1 if winner is None else winner(g, f)
            if kind == "win" and who < 0:
                raise Halt(End("draw", detail=detail))
            raise Halt(End(kind, who, detail))
        return end
