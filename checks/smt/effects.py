"""Instructions that neither end a transition nor move frames: one arm per node, in the order of `engine/effects.py`.

An effect changes the state it is given. Where a place, a card or a zone is not known, every one that it may be is
changed if it is it.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.ir import nodes as ir
from ...model.ir.program import ContainerInfo, Program
from ...model.ir.types import Role, SetType, blank, domain
from . import masks
from . import numbers as n
from . import truths as t
from .expressions import BINARY, Expressions, faulty
from .numbers import Val
from .states import Frame, Happening, Merger, Sym, Write
from .truths import Truth

Entry = list[Val]


class Effects(Expressions):
    """Carries out instructions. Inside a batch, writes and events wait in the state."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        slots = self.layout.slots
        self.merger = Merger(self.is_mask)
        self.domains = [domain(s.type) for s in slots]
        self.ordered = [k for k, z in enumerate(self.layout.zones) if z.ordered]
        self.object_slots = [k for k, s in enumerate(slots) if s.type.role is Role.OBJECT]
        containers = self.layout.containers.values()
        self.container_of = {c + k: m for m in containers for c in m.columns for k in range(m.capacity)}
        self.blanks = {c: blank(slots[c].type) for m in containers for c in m.columns}
        self.objects_of: dict[str, list[int]] = {
            f.name: [k for k, x in enumerate(f.locals) if x.type.role is Role.OBJECT]
            for f in program.functions.values()
        }

    def perform(self, s: Sym, name: str, args: list[Val]) -> tuple[Sym, Val]:
        """Run a step to its end: the state then, and the result."""
        raise NotImplementedError

    def effect(self, i: ir.Instr, s: Sym, frame: Frame) -> Sym:
        """Carry out an instruction that goes on with the next one: the state then."""
        f = frame.locals

        def v(e: ir.Expr) -> Val:
            return self.value(e, s, f)
        match i:
            case ir.Assign(local=x, value=e):
                lo, hi = domain(frame.fn.locals[x].type)
                value = v(e)
                self.fail(s, t.no(n.between(value, lo, hi)), "bound", frame.fn.locals[x].name)
                f[x] = self.typed(n.narrowed(value, lo, hi), isinstance(frame.fn.locals[x].type, SetType))
            case ir.Store(base=base, index=index, count=count, value=e, op=op):
                self._store(s, base, 0 if index is None else v(index), count, lambda: v(e), op, i.at)
            case ir.Put(card=card, zone=zone, top=top):
                self._put(s, v(card), v(zone), top, i.at)
            case ir.Shuffle(zone=zone):
                self._shuffle(s, v(zone))
            case ir.Renew(card=card):
                c = v(card)
                self.write(s, lambda s: self._sweep(s, c))
            case ir.Insert(multiset=m, values=values):
                self._insert(s, self.layout.containers[m], values, v)
            case ir.Remove(multiset=m, values=values):
                entry = [v(x) for x in values]
                self.write(s, lambda s: self._remove(s, self.layout.containers[m], entry))
            case ir.Clear(multiset=m):
                self.write(s, lambda s: self.fill(s, self.layout.containers[m], 0, []))
            case ir.New(pool=p, values=values, local=x):
                self._new(s, self.layout.containers[p], values, x, v, f)
            case ir.Free(pool=p, place=place):
                self._free(s, self.layout.containers[p], v(place), i.at)
            case ir.Do(function=name, args=args, local=x, event=event):
                a = [v(e) for e in args]
                if event and s.batch is not None:
                    s.events.append(Happening(True, name, a))
                elif not s.dead:
                    where = len(s.running)
                    s, result = self.perform(s, name, a)
                    if x is not None and not s.dead:
                        locals_ = s.running[where - 1].locals if s.running else s.frames[-1].locals
                        locals_[x] = result
            case ir.BatchBegin():
                if s.batch is None:
                    s.batch = []
                else:
                    s.inner += 1
            case ir.BatchEnd():
                s = self._end_batch(s, i.at)
            case ir.End(kind=kind, winner=winner, detail=detail):
                self._end(s, kind, -1 if winner is None else v(winner), detail)
            case _:
                raise AssertionError(i)
        return s

    def typed(self, v: Val, mask: bool) -> Val:
        """Sets are held as their members."""
        return n.bits_of(n.bits(v)) if mask and isinstance(v, n.Num) else v

    # ------------------------------------------------------------ writes
    def write(
        self, s: Sym, happen: Callable[[Sym], None], place: Val | None = None, value: tuple[Val, ...] = (),
        clauses: tuple[str, ...] = (), how: str = "set",
    ) -> None:
        """Carry a write out, or let it wait for the end of the batch."""
        if s.batch is None:
            happen(s)
        else:
            s.batch.append(Write(True, place, how, value, happen, clauses))

    def fitting(self, s: Sym, slot: int, v: Val) -> Val:
        """The value, if the slot can hold it."""
        lo, hi = self.domains[slot]
        self.fail(s, t.no(n.between(v, lo, hi)), "bound", self.layout.slots[slot].name, slot)
        return self.typed(n.narrowed(v, lo, hi), self.is_mask[slot])

    def _store(
        self, s: Sym, base: int, k: Val, count: int, value: Callable[[], Val], op: ir.StoreOp, at: ir.Mark,
    ) -> None:
        self.fail(s, t.no(n.between(k, 0, count - 1)), "bound", f"no place in {self.layout.slots[base].group}")
        new = value()
        places = range(max(0, n.lo_of(k)), min(count - 1, n.hi_of(k)) + 1)
        self.change(s, [(n.equal(k, p), base + p) for p in places], n.add(base, k), op, new, at)

    def change(
        self, s: Sym, slots: Sequence[tuple[Truth, int]], place: Val, op: ir.StoreOp, new: Val, at: ir.Mark,
    ) -> None:
        """Write to one of these slots: that of which the condition holds."""
        def happen(s: Sym) -> None:
            s.memo = {}  # it may be another card's, of which no slot is kept
            for here, slot in slots:
                if here is False:
                    continue
                old = s.slots[slot]
                with self.under(here):
                    fit = self.fitting(s, slot, new if op == "set" else self.combined(op, slot, old, new))
                s.set(slot, n.choose(here, fit, old, self.is_mask[slot]))
        self.write(s, happen, place, (new,), at.clauses, op)

    def combined(self, op: ir.StoreOp, slot: int, old: Val, new: Val) -> Val:
        """What a slot holds when a value is added to what it held, or its members are put in or taken out."""
        return BINARY[op](old, new)

    def _put(self, s: Sym, card: Val, zone: Val, top: bool, at: ir.Mark) -> None:
        none = t.either(n.less(card, 0), n.less(zone, 0))
        self.fail(s, none, "fault", faulty("a card that is none cannot be moved", at))
        if s.dead:
            return
        self.write(s, lambda s: self.lay(s, card, zone, top), n.subtract(-1, card), (zone, int(top)), at.clauses)

    def is_ordered(self, zone: Val) -> Truth:
        return t.some(n.equal(zone, z) for z in self.ordered)

    def lay(self, s: Sym, card: Val, zone: Val, top: bool) -> None:
        """Move a card between zones, ranks kept dense."""
        first, rank, count = self.layout.location, self.layout.rank, self.layout.card_count
        if not count:
            return
        it = [n.equal(card, c) for c in range(count)]
        where, ranks = s.slots[first:first + count], s.slots[rank:rank + count]
        old, r = n.pick(card, where), n.pick(card, ranks)
        to_order = self.is_ordered(zone)
        stays = t.both(n.equal(old, zone), t.no(to_order))
        if stays is True:
            return
        if (from_order := self.is_ordered(old)) is not False:
            beside = [t.both(from_order, t.no(it[c]), n.equal(where[c], old)) for c in range(count)]
            alone = t.no(t.some(t.both(beside[c], n.equal(ranks[c], r)) for c in range(count)))
            for c in range(count):
                closes = t.both(beside[c], n.less(r, ranks[c]), alone)
                ranks[c] = n.choose(closes, self.as_rank(n.subtract(ranks[c], 1)), ranks[c])
        new_rank: Val = 0
        if to_order is not False:
            there = [t.both(to_order, t.no(it[c]), n.equal(where[c], zone)) for c in range(count)]
            if top:
                height: Val = -1
                for c in range(count):
                    height = n.choose(t.both(there[c], n.less(height, ranks[c])), ranks[c], height)
                new_rank = n.choose(to_order, self.as_rank(n.add(height, 1)), 0)
            else:
                for c in range(count):
                    ranks[c] = n.choose(there[c], self.as_rank(n.add(ranks[c], 1)), ranks[c])
        for c in range(count):
            s.set(first + c, n.choose(t.both(it[c], t.no(stays)), zone, s.slots[first + c]))
            new = n.choose(it[c], new_rank, ranks[c])
            s.set(rank + c, n.choose(stays, s.slots[rank + c], new))

    def as_rank(self, v: Val) -> Val:
        """Ranks of piles without holes are smaller than the number of cards."""
        return n.narrowed(v, 0, max(0, self.layout.card_count - 1))

    def _shuffle(self, s: Sym, zone: Val) -> None:
        rank = self.layout.rank

        def mix(s: Sym) -> None:
            keeps = [(n.equal(zone, z), slot) for z, slot in self.layout.given.items()]
            left = t.some(t.both(here, n.holds(s.slots[slot])) for here, slot in keeps)
            for c, inside in enumerate(self.lying_in(s, zone)):
                s.set(rank + c, n.choose(t.both(inside, t.no(left)), 0, s.slots[rank + c]))
            for here, slot in keeps:
                s.set(slot, n.choose(here, 0, s.slots[slot]))
        self.write(s, mix)

    def _sweep(self, s: Sym, card: Val) -> None:
        self.let_go(s, lambda v: n.equal(v, card))

    def let_go(self, s: Sym, gone: Callable[[Val], Truth]) -> None:
        """What refers to an object that has gone refers to none, wherever it is held."""
        def left(v: Val) -> Val:
            return n.choose(gone(v), -1, v)
        touched: dict[str, None] = {}
        for k in self.object_slots:
            new = left(s.slots[k])
            if new is not s.slots[k]:
                s.set(k, new)
                if k in self.container_of:
                    touched[self.container_of[k].name] = None
        for name in touched:
            self.sort(s, self.layout.containers[name])
        for frame in (*s.frames, *s.running):
            for k in self.objects_of[frame.fn.name]:
                frame.locals[k] = left(frame.locals[k])
        for e in (x for events in (s.events, *s.happening) for x in events):
            for k in self.objects_of.get(e.function, ()):
                if k < len(e.args):
                    e.args[k] = left(e.args[k])

    # ------------------------------------------------------------ multisets and pools
    def entries(self, s: Sym, m: ContainerInfo) -> list[Entry]:
        """All places of a container, used or not."""
        return [[s.slots[c + k] for c in m.columns] for k in range(m.capacity)]

    def fill(self, s: Sym, m: ContainerInfo, size: Val, entries: Sequence[Entry]) -> None:
        """Make these the entries of a multiset; the places left over become blank."""
        s.set(m.head, size)
        for k in range(m.capacity):
            for j, c in enumerate(m.columns):
                s.set(c + k, entries[k][j] if k < len(entries) else self.blanks[c])

    def pick_entry(self, m: ContainerInfo, test: Truth, a: Entry, b: Entry) -> Entry:
        return [n.choose(test, x, y, self.is_mask[c]) for c, x, y in zip(m.columns, a, b, strict=True)]

    def sort(self, s: Sym, m: ContainerInfo) -> None:
        """Put a multiset back into canonical order (a pool has none)."""
        if m.is_pool or s.slots[m.head] == 0:
            return
        size, entries = s.slots[m.head], self.entries(s, m)
        for last in range(m.capacity - 1, 0, -1):
            for k in range(last):
                swap = t.both(n.less(k + 1, size), n.before(entries[k + 1], entries[k]))
                if swap is not False:
                    entries[k], entries[k + 1] = (
                        self.pick_entry(m, swap, entries[k + 1], entries[k]),
                        self.pick_entry(m, swap, entries[k], entries[k + 1]))
        self.fill(s, m, size, entries)

    def _insert(self, s: Sym, m: ContainerInfo, values: Sequence[ir.Expr], v: Callable[[ir.Expr], Val]) -> None:
        e = [self.fitting(s, c, v(x)) for c, x in zip(m.columns, values, strict=True)]

        def add(s: Sym) -> None:
            size, old = s.slots[m.head], self.entries(s, m)
            self.fail(s, n.equal(size, m.capacity), "bound", f"more than {m.capacity} in {m.name}", m.head)
            stays = [t.both(n.less(k, size), t.no(n.before(e, old[k]))) for k in range(m.capacity)]
            new = [
                self.pick_entry(m, stays[k], old[k], e if not k else self.pick_entry(m, stays[k - 1], e, old[k - 1]))
                for k in range(m.capacity)]
            self.fill(s, m, n.narrowed(n.add(size, 1), 0, m.capacity), new)
        self.write(s, add)

    def _remove(self, s: Sym, m: ContainerInfo, e: Entry) -> None:
        size, old = s.slots[m.head], self.entries(s, m)
        empty: Entry = [self.blanks[c] for c in m.columns]
        gone: Truth = False
        new: list[Entry] = []
        for k in range(m.capacity):
            it = t.both(n.less(k, size), *(n.equal(x, y) for x, y in zip(e, old[k], strict=True)))
            gone = t.either(gone, it)
            new.append(self.pick_entry(m, gone, old[k + 1] if k + 1 < m.capacity else empty, old[k]))
        self.fill(s, m, n.narrowed(n.choose(gone, n.subtract(size, 1), size), 0, m.capacity), new)

    def _new(
        self, s: Sym, p: ContainerInfo, values: Sequence[ir.Expr], x: int, v: Callable[[ir.Expr], Val], f: list[Val],
    ) -> None:
        e = [self.fitting(s, c, v(value)) for c, value in zip(p.columns, values, strict=True)]
        used = n.bits(s.slots[p.head], p.capacity)
        full = t.every(used[:p.capacity])
        self.fail(s, full, "bound", f"more than {p.capacity} in {p.name}", p.head)
        taken: list[Truth] = [
            t.both(t.every(used[:k]), t.no(used[k])) for k in range(p.capacity)]
        s.set(p.head, n.bits_of([t.either(u, new) for u, new in zip(used, taken, strict=True)]))
        for k, here in enumerate(taken):
            for c, value in zip(p.columns, e, strict=True):
                s.set(c + k, n.choose(here, value, s.slots[c + k], self.is_mask[c]))
        f[x] = n.select([(here, k) for k, here in enumerate(taken)], 0)

    def _free(self, s: Sym, p: ContainerInfo, k: Val, at: ir.Mark) -> None:
        unused = t.no(masks.member(k, s.slots[p.head]))
        self.fail(s, unused, "fault", faulty(f"a place in {p.name} was freed that is not in use", at))

        def give_back(s: Sym) -> None:
            used = n.bits(s.slots[p.head], p.capacity)
            s.set(p.head, n.bits_of([t.both(u, t.no(n.equal(k, j))) for j, u in enumerate(used)]))
            for j in range(p.capacity):
                here = n.equal(k, j)
                for c in p.columns:
                    s.set(c + j, n.choose(here, self.blanks[c], s.slots[c + j], self.is_mask[c]))
        self.write(s, give_back)

    # ------------------------------------------------------------ batches
    def guarded(self, s: Sym, when: Truth, happen: Callable[[Sym], Sym | None]) -> Sym:
        """Let something happen if a condition holds."""
        known = s.path.known(when)
        if known is False or s.dead:
            return s
        if known:
            return happen(s) or s
        other = s.fork(t.no(when))
        mine = s.fork(when)
        return self.merger.merge(happen(mine) or mine, other)

    def _end_batch(self, s: Sym, at: ir.Mark) -> Sym:
        if s.inner:
            s.inner -= 1
            return s
        waiting, s.batch = s.batch or [], None
        self._clashes(s, waiting, at)
        for w in waiting:
            def happen(s: Sym, w: Write = w) -> None:
                w.happen(s)
            s = self.guarded(s, w.when, happen)
        events, s.events = s.events, []
        s.happening.append(events)
        while s.happening[-1]:
            e = s.happening[-1].pop(0)
            s = self.guarded(s, e.when, lambda s, e=e: self.perform(s, e.function, e.args)[0])
            if s.dead:
                return s
        s.happening.pop()
        return s

    def _clashes(self, s: Sym, waiting: Sequence[Write], at: ir.Mark) -> None:
        """Two writes that give one place two values are a conflict: the later one with the first to the place."""
        for j, later in enumerate(waiting):
            seen: Truth = False
            for first in waiting[:j]:
                if later.place is None or first.place is None:
                    continue
                one = t.both(first.when, later.when, n.equal(first.place, later.place), t.no(seen))
                if one is False:
                    continue
                seen = t.either(seen, one)
                if later.how != first.how:
                    differ: Truth = True
                elif later.how != "set":
                    differ = False
                else:
                    differ = t.no(t.every(map(n.equal, first.value, later.value)))
                clauses = dict.fromkeys((*first.clauses, *later.clauses)) or at.clauses
                self.fail(s, t.both(one, differ), "conflict", " ".join(clauses))

    def _end(self, s: Sym, kind: ir.EndKind, who: Val, detail: str) -> None:
        drawn = n.less(who, 0) if kind == "win" else False
        self.fail(s, drawn, "draw", detail)
        self.fail(s, True, kind, detail, who=who)
