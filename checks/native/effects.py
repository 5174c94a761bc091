"""Instructions as LLVM code: one arm per node that neither ends a transition nor moves frames, like
`engine/effects.py`.

In a batch a write becomes a record in a log: which write it is, its place, how it writes, its clauses, and its values.
At the end of the batch the records are compared, and then each happens through the function made for it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model.engine.state import End
from ...model.ir import nodes as ir
from ...model.ir.program import ContainerInfo, Function
from ...model.ir.types import blank
from .batches import open_batches
from .ends import ESCAPE
from .expressions import Expressions
from .memory import (
    BATCH,
    EVENT_FIRST,
    EVENT_TOP,
    INNER,
    LOG,
    MOST_EVENTS,
    MOST_WRITES,
)
from .numbers import Shared, Val, const
from .text import Body, Ref

HOW = {"set": 0, "add": 1, "union": 2, "without": 3}
Happen = Callable[["Effects", Sequence[Val]], None]


@dataclass
class Site:
    """A write that can wait: the types and bounds of its values, and what it does in the end."""

    values: Sequence[Val]
    happen: Happen


@dataclass
class Batches:
    """Which functions run inside a batch, which outside; all writes that can wait; the clauses they name."""

    inside: Mapping[str, bool]
    outside: Mapping[str, bool]
    sites: list[Site] = field(default_factory=list[Site])
    marks: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])

    def mark(self, clauses: tuple[str, ...]) -> int:
        return self.marks.setdefault(clauses, len(self.marks))


class Effects(Expressions):
    """Writes the code of instructions of one function into its body."""

    def __init__(self, shared: Shared, fn: Function, body: Body, batches: Batches) -> None:
        super().__init__(shared, fn, body)
        self.batches = batches
        self.where = open_batches(fn)

    def effect(self, i: ir.Instr, pc: int) -> bool:
        """The code that carries out an instruction and jumps to the next; false for those of control."""
        v, b, go = self.value, self.b, f"pc{pc + 1}"
        match i:
            case ir.Assign(local=x, value=e):
                n = v(e)
                lo, hi = self.domains[x]
                self.stop_unless(self.between(n, lo, hi), self.ends.bound(f"{self.fn.locals[x].name} = "), n)
                if n.lo <= hi and lo <= n.hi:
                    self.put(x, Val(n.ref, n.wide, max(n.lo, lo), min(n.hi, hi), n.bit))
            case ir.Store():
                self.store_slot(i, pc)
            case ir.Put(card=card, zone=zone, top=top):
                c = v(card)
                z = v(zone)
                self.fault(self.both(self.compare("sge", c, const(0)), self.compare("sge", z, const(0))),
                           "a card that is none cannot be moved", i.at)
                c = self.settle(self.guard(c, 0, self.layout.card_count - 1))
                z = self.settle(self.guard(z, 0, len(self.layout.zones) - 1))
                place = b.op(f"add i64 {c.ref}, {len(self.layout.slots)}")
                self.write(pc, [z, const(int(top)), c], lay, place, 0, i.at.clauses)
            case ir.Shuffle(zone=zone):
                self.write(pc, [self.narrow(v(zone))], shuffle)
            case ir.Renew(card=card):
                self.write(pc, [self.narrow(v(card))], renew)
            case ir.Insert(multiset=m, values=values):
                info = self.layout.containers[m]
                e = [self.fitting(c, 1, None, v(x)) for c, x in zip(info.columns, values, strict=True)]
                self.write(pc, e, lambda x, vals: x.insert(info, vals))
            case ir.Remove(multiset=m, values=values):
                info = self.layout.containers[m]
                self.remove(pc, info, [v(x) for x in values])
            case ir.Clear(multiset=m):
                info = self.layout.containers[m]
                self.write(pc, [], lambda x, vals: x.clear(info))
            case ir.New(pool=p, values=values, local=x):
                self.new(self.layout.containers[p], values, x)
            case ir.Free(pool=p, place=place):
                info = self.layout.containers[p]
                k = v(place)
                used = self.read(info.head, self.slot_address(info.head, None), self.m.domains[info.head])
                self.fault(self.truth(self.member(k, used)), f"a place in {info.name} was freed that is not in use", i.at)
                k = self.settle(self.guard(k, 0, info.capacity - 1))
                self.write(pc, [k], lambda x, vals: x.give_back(info, vals[0]))
            case ir.Branch(test=test, otherwise=target):
                b.branch(self.truth(v(test)), go, f"pc{target}")
            case ir.Jump(target=target):
                b.jump(f"pc{target}")
            case ir.Next(rest=rest, var=var, offset=offset, done=done):
                m = self.mask(self.get(rest))
                b.go_on_if(self.truth(m), f"pc{done}")
                left = b.op(f"and {self.of(m)} {m.ref}, {self.one_less(m)}")
                self.put(rest, Val(left, m.wide, 0, m.hi))
                k, top = self.count_zeros(m), max(0, m.hi.bit_length() - 1)
                self.put(var, Val(b.op(f"add i64 {k}, {offset}") if offset else k, False, offset, top + offset))
            case ir.Do(function=name, args=args, local=x, event=event):
                self.run_step(pc, name, [v(a) for a in args], x, event)
            case ir.BatchBegin():
                self.begin()
            case ir.BatchEnd():
                self.end_batch(i.at)
            case ir.End(kind=kind, winner=winner, detail=detail):
                self.end(kind, None if winner is None else v(winner), detail)
            case _:
                return False
        b.jump(go)
        return True

    def both(self, a: Ref, b: Ref) -> Ref:
        return self.b.op(f"and i1 {a}, {b}")

    def word_at(self, offset: int) -> Ref:
        return self.b.load("i64", self.b.offset("%c", offset))

    def set_word(self, offset: int, value: Ref | int) -> None:
        self.b.store("i64", str(value), self.b.offset("%c", offset))

    # ------------------------------------------------------------ writes
    def write(
        self,
        pc: int,
        values: Sequence[Val],
        happen: Happen,
        place: Ref = "-1",
        how: int = 0,
        clauses: tuple[str, ...] = (),
    ) -> None:
        """Carry a write out, or let it wait for the end of the batch."""
        self.in_time(pc, lambda: self.log(values, happen, place, how, clauses), lambda: happen(self, values))

    def in_time(self, pc: int, later: Callable[[], None], now: Callable[[], None]) -> None:
        """What happens at a place: at the end of the batch that is open there, or around the function; else now."""
        if self.where[pc]:
            later()
        else:
            self.by_batch(later, now)

    def log(self, values: Sequence[Val], happen: Happen, place: Ref, how: int, clauses: tuple[str, ...]) -> None:
        """One more record."""
        b, m = self.b, self.m
        number = len(self.batches.sites)
        self.batches.sites.append(Site(values, happen))
        k = self.word_at(LOG)
        self.stop_unless(b.op(f"icmp slt i64 {k}, {MOST_WRITES}"), ESCAPE)
        record = b.element("%c", k, m.write_bytes, m.log_at)
        self.set_word(LOG, b.op(f"add i64 {k}, 1"))
        b.store("i64", str(number | how << 32 | self.batches.mark(clauses) << 40), record)
        b.store("i64", place, b.offset(record, 8))
        for x, val in enumerate(values):
            self.store_word(val, b.offset(record, 24 + x * m.word))

    def store_word(self, v: Val, address: Ref) -> None:
        """At the size of options, events and records."""
        if self.m.word == 8:
            v = self.narrow(v)
            self.b.store("i64", v.ref, address)
        else:
            self.b.store(self.s.wide, self.widen(v).ref, address)

    def load_word(self, address: Ref, lo: int, hi: int) -> Val:
        wide = self.m.word != 8
        return self.settle(Val(self.b.load(self.s.wide if wide else "i64", address), wide, lo, hi))

    def fitting(self, base: int, count: int, index: Val | None, n: Val) -> Val:
        """The value, if the slot can hold it."""
        domains = self.m.domains[base:base + count]
        lo, hi = max(d[0] for d in domains), min(d[1] for d in domains)
        if len(set(domains)) > 1:
            return self.fitting_each(base, count, index, n)
        who = str(base) if index is None else self.b.op(f"add i64 {self.narrow(index).ref}, {base}")
        self.stop_unless(self.between(n, lo, hi), self.ends.slot(tuple(s.name for s in self.layout.slots)), n, who)
        if n.lo > hi or n.hi < lo:
            return const(lo)
        return self.settle(Val(n.ref, n.wide, max(n.lo, lo), min(n.hi, hi), n.bit))

    def fitting_each(self, base: int, count: int, index: Val | None, n: Val) -> Val:
        """The same where the slots of a block differ."""
        if index is None:
            return self.fitting(base, 1, None, n)
        b, i = self.b, self.narrow(index)
        of = self.s.type_of(self.slot_bounds(base, count))
        place, done = b.variable(of), b.fresh("done")
        blocks = [b.fresh("slot") for _ in range(count)]
        cases = " ".join(f"i64 {k}, label %{x}" for k, x in enumerate(blocks))
        b.do(f"switch i64 {i.ref}, label %{blocks[0]} [{cases}]")
        b.here = ""
        for k, x in enumerate(blocks):
            b.at(x)
            b.store(of, self.as_type(self.fitting(base + k, 1, None, n), of), place)
            b.jump(done)
        b.at(done)
        return Val(b.load(of, place), of != "i64", *self.slot_bounds(base, count))

    def store_slot(self, i: ir.Store, pc: int) -> None:
        k = None if i.index is None else self.within_count(self.value(i.index), i.base, i.count)
        n = self.value(i.value)
        base, count, op = i.base, i.count, i.op
        if not count:
            return

        def happen(x: Effects, values: Sequence[Val]) -> None:
            index = None if k is None else values[1]
            width = 1 if k is None else count
            address = x.slot_address(base, index)
            new = values[0]
            if op != "set":
                new = x.binary(op, x.read(base, address, x.slot_bounds(base, width)), new, ir.NOWHERE)
            x.set_slot(base, address, x.fitting(base, width, index, new))
        place = str(base) if k is None else self.b.op(f"add i64 {self.narrow(k).ref}, {base}")
        self.write(pc, [n] if k is None else [n, self.narrow(k)], happen, place, HOW[op], i.at.clauses)

    # ------------------------------------------------------------ multisets and pools
    def column(self, c: int, k: Ref) -> Ref:
        """Where entry k of a column lies."""
        cell = self.m.cells[c]
        at = self.b.op(f"mul i64 {k}, {self.m.size_of(cell.of)}")
        return self.b.offset("%g", self.b.op(f"add i64 {at}, {cell.offset}"))

    def size_of_multiset(self, m: ContainerInfo) -> Ref:
        return self.read(m.head, self.slot_address(m.head, None), self.m.domains[m.head]).ref

    def sink(self, m: ContainerInfo, k: Ref, e: Sequence[Val]) -> None:
        """Put an entry to its place among the first k, which are in order; those above move up."""
        b = self.b
        place = b.variable("i64", k)
        head, move, done = b.fresh("head"), b.fresh("move"), b.fresh("done")
        b.at(head)
        j = b.load("i64", place)
        b.go_on_if(b.op(f"icmp sgt i64 {j}, 0"), done)
        before = b.op(f"add i64 {j}, -1")
        there = [self.read(c, self.column(c, before), self.m.domains[c]) for c in m.columns]
        for x, y in zip(there, e, strict=True):
            greater, same = self.compare("sgt", x, y), self.compare("eq", x, y)
            b.leave_if(greater, move)
            b.go_on_if(same, done)
        b.jump(done)
        b.at(move)
        for c, x in zip(m.columns, there, strict=True):
            self.set_slot(c, self.column(c, j), x)
        b.store("i64", before, place)
        b.jump(head)
        b.at(done)
        at = b.load("i64", place)
        for c, x in zip(m.columns, e, strict=True):
            self.set_slot(c, self.column(c, at), x)

    def insert(self, m: ContainerInfo, e: Sequence[Val]) -> None:
        k = self.size_of_multiset(m)
        full = End("bound", detail=f"more than {m.capacity} in {m.name}", slot=m.head)
        self.stop_unless(self.b.op(f"icmp ne i64 {k}, {m.capacity}"), self.ends.fixed(full))
        self.sink(m, k, e)
        self.set_slot(m.head, self.slot_address(m.head, None), Val(self.b.op(f"add i64 {k}, 1"), False, 0, m.capacity))

    def sort(self, m: ContainerInfo) -> None:
        """Put a multiset back in order."""
        with self.b.counting("1", self.size_of_multiset(m)) as k:
            e = [self.read(c, self.column(c, k), self.m.domains[c]) for c in m.columns]
            self.sink(m, k, e)

    def blank_entry(self, m: ContainerInfo, k: Ref) -> None:
        for c in m.columns:
            self.set_slot(c, self.column(c, k), const(blank(self.layout.slots[c].type)))

    def remove(self, pc: int, m: ContainerInfo, e: Sequence[Val]) -> None:
        """What no entry can be is in none."""
        b = self.b
        may: Ref = "true"
        kept: list[Val] = []
        for c, x in zip(m.columns, e, strict=True):
            lo, hi = self.m.domains[c]
            test = self.between(x, lo, hi)
            may = test if may == "true" else may if test == "true" else self.both(may, test)
            if x.lo > hi or x.hi < lo:
                may = "false"
            kept.append(Val(x.ref, x.wide, max(x.lo, lo), min(x.hi, hi)))
        if may == "false":
            return
        on = b.fresh("on")
        if may != "true":
            b.go_on_if(may, on)
        self.write(pc, [self.settle(x) for x in kept], lambda x, values: x.take_out(m, values))
        b.at(on)

    def take_out(self, m: ContainerInfo, e: Sequence[Val]) -> None:
        b = self.b
        k = self.size_of_multiset(m)
        found = b.variable("i64", "-1")
        stop, on = b.fresh("stop"), b.fresh("on")
        with b.counting("0", k) as j:
            differs = b.fresh("differs")
            for c, x in zip(m.columns, e, strict=True):
                b.go_on_if(self.compare("eq", self.read(c, self.column(c, j), self.m.domains[c]), x), differs)
            b.store("i64", j, found)
            b.jump(stop)
            b.at(differs)
        b.at(stop)
        at = b.load("i64", found)
        b.go_on_if(b.op(f"icmp sge i64 {at}, 0"), on)
        last = b.op(f"add i64 {k}, -1")
        with b.counting(at, last) as j:
            after = b.op(f"add i64 {j}, 1")
            for c in m.columns:
                self.set_slot(c, self.column(c, j), self.read(c, self.column(c, after), self.m.domains[c]))
        self.blank_entry(m, last)
        self.set_slot(m.head, self.slot_address(m.head, None), Val(last, False, 0, m.capacity))
        b.at(on)

    def clear(self, m: ContainerInfo) -> None:
        with self.b.counting("0", str(m.capacity)) as k:
            self.blank_entry(m, k)
        self.set_slot(m.head, self.slot_address(m.head, None), const(0))

    def new(self, p: ContainerInfo, values: Sequence[ir.Expr], x: int) -> None:
        e = [self.fitting(c, 1, None, self.value(v)) for c, v in zip(p.columns, values, strict=True)]
        address = self.slot_address(p.head, None)
        used = self.read(p.head, address, self.m.domains[p.head])
        every = const((1 << p.capacity) - 1)
        free = self.binary("without", every, used, ir.NOWHERE)
        full = End("bound", detail=f"more than {p.capacity} in {p.name}", slot=p.head)
        self.stop_unless(self.truth(free), self.ends.fixed(full))
        k = Val(self.count_zeros(free), False, 0, p.capacity - 1)
        grown = self.binary("union", used, self.power(k), ir.NOWHERE)
        self.set_slot(p.head, address, Val(grown.ref, grown.wide, *self.m.domains[p.head]))
        for c, n in zip(p.columns, e, strict=True):
            self.set_slot(c, self.column(c, k.ref), n)
        self.put(x, k)

    def give_back(self, p: ContainerInfo, k: Val) -> None:
        address = self.slot_address(p.head, None)
        used = self.read(p.head, address, self.m.domains[p.head])
        left = self.binary("without", used, self.power(k), ir.NOWHERE)
        self.set_slot(p.head, address, Val(left.ref, left.wide, *self.m.domains[p.head]))
        self.blank_entry(p, k.ref)

    # ------------------------------------------------------------ steps, events, batches, ends
    def run_step(self, pc: int, name: str, args: Sequence[Val], x: int | None, event: bool) -> None:
        def now() -> None:
            r = self.call(name, args)
            if x is not None:
                self.put(x, r)
        if event:
            self.in_time(pc, lambda: self.announce(name, args), now)
        else:
            now()

    def announce(self, name: str, args: Sequence[Val]) -> None:
        """An event waits until the writes of the batch are done."""
        b, m = self.b, self.m
        k = self.word_at(EVENT_TOP)
        self.stop_unless(b.op(f"icmp slt i64 {k}, {MOST_EVENTS}"), ESCAPE)
        record = b.element("%c", k, m.event_bytes, m.events_at)
        self.set_word(EVENT_TOP, b.op(f"add i64 {k}, 1"))
        b.store("i64", str(m.number[name]), record)
        for x, v in enumerate(args):
            lo, hi = m.local_domains[m.number[name]][x]
            self.store_word(self.guard(v, lo, hi), b.offset(record, 8 + x * m.word))

    def begin(self) -> None:
        b = self.b

        def first() -> None:
            self.set_word(BATCH, 1)
            self.set_word(LOG, 0)
            self.set_word(EVENT_FIRST, self.word_at(EVENT_TOP))

        def inner() -> None:
            self.set_word(INNER, b.op(f"add i64 {self.word_at(INNER)}, 1"))
        self.by_batch(inner, first)

    def by_batch(self, inside: Callable[[], None], outside: Callable[[], None]) -> None:
        """Is the function itself called from a batch?"""
        name = self.fn.name
        if not self.batches.inside[name]:
            outside()
        elif not self.batches.outside[name]:
            inside()
        else:
            self.b.either(self.b.op(f"icmp ne i64 {self.word_at(BATCH)}, 0"), inside, outside)

    def end_batch(self, at: ir.Mark) -> None:
        b = self.b

        def close() -> None:
            ok = b.op(f"call i1 @close(ptr %c, ptr %g, i64 {self.batches.mark(at.clauses)})")
            b.go_on_if(ok, self.fail)

        def maybe() -> None:
            inner = self.word_at(INNER)
            b.either(b.op(f"icmp ne i64 {inner}, 0"), lambda: self.set_word(INNER, b.op(f"add i64 {inner}, -1")), close)
        if self.batches.inside[self.fn.name]:
            maybe()
        else:
            close()

    def end(self, kind: ir.EndKind, winner: Val | None, detail: str) -> None:
        if winner is None:
            self.stop(self.ends.fixed(End("draw" if kind == "win" else kind, detail=detail)))
        elif kind != "win":
            self.stop_unless("false" if winner.lo == winner.hi == -1 else self.compare("eq", winner, const(-1)), ESCAPE)
            self.stop(self.ends.fixed(End(kind, detail=detail)))
        else:
            who = self.settle(self.guard(winner, max(winner.lo, -(1 << 31)), 127))
            self.stop_unless(self.compare("sge", who, const(0)), self.ends.fixed(End("draw", detail=detail)))
            self.stop(self.ends.won(detail), None, who.ref)


# ---------------------------------------------------------------- writes that are the same everywhere
def lay(x: Effects, values: Sequence[Val]) -> None:
    zone, top, card = values
    x.b.do(f"call void @lay(ptr %g, i64 {card.ref}, i64 {zone.ref}, i64 {top.ref})")


def shuffle(x: Effects, values: Sequence[Val]) -> None:
    x.b.do(f"call void @mix(ptr %g, i64 {values[0].ref})")


def renew(x: Effects, values: Sequence[Val]) -> None:
    x.b.do(f"call void @renew(ptr %c, ptr %g, i64 {values[0].ref})")
