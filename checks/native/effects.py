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
from ...model.ir.flow import successors, walk
from ...model.ir.program import ContainerInfo, Function
from ...model.ir.types import Role, blank
from .ends import ESCAPE
from .expressions import Expressions, Shared, Val, const
from .memory import (
    BATCH,
    DEPTH,
    EPOCH,
    EVENT_FIRST,
    EVENT_TOP,
    INNER,
    LOG,
    MOST_EVENTS,
    MOST_WRITES,
    OBJECTS,
    Cell,
)
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


def open_batches(fn: Function) -> list[bool]:
    """For each place in the code: is a batch of this function open there?"""
    inside: dict[int, bool] = {}
    todo = [(0, False)]
    while todo:
        k, is_open = todo.pop()
        if k in inside:
            continue
        inside[k] = is_open
        i = fn.code[k]
        is_open = isinstance(i, ir.BatchBegin) or (is_open and not isinstance(i, ir.BatchEnd))
        todo += [(to, is_open) for to in successors(i, k)]
        todo += [(h.target, False) for h in fn.handlers if h.first <= k < h.last]
    return [inside.get(k, False) for k in range(len(fn.code))]


def batch_contexts(functions: Mapping[str, Function]) -> Batches:
    """Where each function can be called from: with a batch open, without."""
    inside = dict.fromkeys(functions, False)
    outside = {n: f.kind == "procedure" for n, f in functions.items()}
    where = {n: open_batches(f) for n, f in functions.items()}
    changed = True
    while changed:
        changed = False
        for n, f in functions.items():
            for k, i in enumerate(f.code):
                if isinstance(i, ir.Do):
                    within = where[n][k] or inside[n]
                    without = (not where[n][k] and outside[n]) or i.event
                    for table, now in ((inside, within and not i.event), (outside, without)):
                        if now and not table[i.function]:
                            table[i.function] = changed = True
    return Batches(inside, outside)


def renewing(functions: Mapping[str, Function]) -> set[str]:
    """The functions in whose course a card can become a new object."""
    out: set[str] = set()
    before = -1
    while before != (before := len(out)):
        for f in functions.values():
            if any(isinstance(n, ir.Renew) or (isinstance(n, ir.Do) and n.function in out) for i in f.code for n in walk(i)):
                out.add(f.name)
    return out


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
                some = b.fresh("some")
                b.branch(self.truth(m), some, f"pc{done}")
                b.at(some)
                left = b.op(f"and {self.of(m)} {m.ref}, {self.wrapping('add', m, const(-1))}")
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
        self, pc: int, values: Sequence[Val], happen: Happen, place: Ref = "-1", how: int = 0, clauses: tuple[str, ...] = (),
    ) -> None:
        """Carry a write out, or let it wait for the end of the batch."""
        waits = self.where[pc] or self.batches.inside[self.fn.name]
        if not waits:
            happen(self, values)
        elif self.where[pc] or not self.batches.outside[self.fn.name]:
            self.log(values, happen, place, how, clauses)
        else:
            b = self.b
            later, now, on = b.fresh("later"), b.fresh("now"), b.fresh("on")
            b.branch(b.op(f"icmp ne i64 {self.word_at(BATCH)}, 0"), later, now)
            b.at(later)
            self.log(values, happen, place, how, clauses)
            b.jump(on)
            b.at(now)
            happen(self, values)
            b.at(on)

    def log(self, values: Sequence[Val], happen: Happen, place: Ref, how: int, clauses: tuple[str, ...]) -> None:
        """One more record."""
        b, m = self.b, self.m
        number = len(self.batches.sites)
        self.batches.sites.append(Site(values, happen))
        k = self.word_at(LOG)
        self.stop_unless(b.op(f"icmp slt i64 {k}, {MOST_WRITES}"), ESCAPE)
        record = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {m.write_bytes}')}, {m.log_at}"))
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
        clamped = self.s.saturating.intersection(range(base, base + count))
        if len(set(domains)) > 1 or (clamped and len(clamped) < count):
            return self.fitting_each(base, count, index, n)
        if clamped:
            n = self.binary("min", self.binary("max", n, const(lo), ir.NOWHERE), const(hi), ir.NOWHERE)
            return self.settle(n)
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
        place = b.variable("i64")
        b.store("i64", k, place)
        head, look, move, done = b.fresh("head"), b.fresh("look"), b.fresh("move"), b.fresh("done")
        b.at(head)
        j = b.load("i64", place)
        b.branch(b.op(f"icmp sgt i64 {j}, 0"), look, done)
        b.at(look)
        before = b.op(f"add i64 {j}, -1")
        there = [self.read(c, self.column(c, before), self.m.domains[c]) for c in m.columns]
        for x, y in zip(there, e, strict=True):
            greater, same, again = self.compare("sgt", x, y), self.compare("eq", x, y), b.fresh("next")
            even = b.fresh("even")
            b.branch(greater, move, even)
            b.at(even)
            b.branch(same, again, done)
            b.at(again)
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
            go = b.fresh("go")
            b.branch(may, go, on)
            b.at(go)
        self.write(pc, [self.settle(x) for x in kept], lambda x, values: x.take_out(m, values))
        b.at(on)

    def take_out(self, m: ContainerInfo, e: Sequence[Val]) -> None:
        b = self.b
        k = self.size_of_multiset(m)
        found = b.variable("i64")
        b.store("i64", "-1", found)
        stop, on = b.fresh("stop"), b.fresh("on")
        with b.counting("0", k) as j:
            differs = b.fresh("differs")
            for c, x in zip(m.columns, e, strict=True):
                same = b.fresh("same")
                b.branch(self.compare("eq", self.read(c, self.column(c, j), self.m.domains[c]), x), same, differs)
                b.at(same)
            b.store("i64", j, found)
            b.jump(stop)
            b.at(differs)
        b.at(stop)
        at = b.load("i64", found)
        go = b.fresh("go")
        b.branch(b.op(f"icmp sge i64 {at}, 0"), go, on)
        b.at(go)
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
        waits = self.where[pc] or self.batches.inside[self.fn.name]
        if event and waits:
            b = self.b
            if self.where[pc] or not self.batches.outside[self.fn.name]:
                self.announce(name, args)
                return
            later, now, on = b.fresh("later"), b.fresh("now"), b.fresh("on")
            b.branch(b.op(f"icmp ne i64 {self.word_at(BATCH)}, 0"), later, now)
            b.at(later)
            self.announce(name, args)
            b.jump(on)
            b.at(now)
            self.result_of(name, args, x)
            b.at(on)
            return
        self.result_of(name, args, x)

    def result_of(self, name: str, args: Sequence[Val], x: int | None) -> None:
        r = self.call(name, args)
        if x is not None:
            self.put(x, r)

    def announce(self, name: str, args: Sequence[Val]) -> None:
        """An event waits until the writes of the batch are done."""
        b, m = self.b, self.m
        k = self.word_at(EVENT_TOP)
        self.stop_unless(b.op(f"icmp slt i64 {k}, {MOST_EVENTS}"), ESCAPE)
        record = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {m.event_bytes}')}, {m.events_at}"))
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
        b, name = self.b, self.fn.name
        if not self.batches.inside[name]:
            outside()
        elif not self.batches.outside[name]:
            inside()
        else:
            one, two, on = b.fresh("inner"), b.fresh("outer"), b.fresh("on")
            b.branch(b.op(f"icmp ne i64 {self.word_at(BATCH)}, 0"), one, two)
            b.at(one)
            inside()
            b.jump(on)
            b.at(two)
            outside()
            b.at(on)

    def end_batch(self, at: ir.Mark) -> None:
        b = self.b

        def close() -> None:
            ok = b.op(f"call i1 @close(ptr %c, ptr %g, i64 {self.batches.mark(at.clauses)})")
            on = b.fresh("on")
            b.branch(ok, on, self.fail)
            b.at(on)

        def maybe() -> None:
            inner = self.word_at(INNER)
            more, last, on = b.fresh("more"), b.fresh("last"), b.fresh("on")
            b.branch(b.op(f"icmp ne i64 {inner}, 0"), more, last)
            b.at(more)
            self.set_word(INNER, b.op(f"add i64 {inner}, -1"))
            b.jump(on)
            b.at(last)
            close()
            b.at(on)
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


class Common(Effects):
    """The functions that every program has: they belong to no function of the rules."""

    NAME = " common"

    def __init__(self, shared: Shared, body: Body, batches: Batches) -> None:
        fn = Function(self.NAME, "step", 0, [], [ir.Return()])
        shared.memory.number.setdefault(self.NAME, len(shared.memory.functions))
        if len(shared.memory.local_domains) == len(shared.memory.functions):
            shared.memory.local_domains.append([])
        super().__init__(shared, fn, body, batches)


def each_card(x: Effects, do: Callable[[Ref], None]) -> None:
    """For each card."""
    with x.b.counting("0", str(x.layout.card_count)) as c:
        do(c)


def emit_cards(shared: Shared, batches: Batches) -> None:
    """`lay`: move a card between zones, ranks kept dense. `mix`: shuffle."""
    layout, n = shared.layout, shared.layout.card_count
    b = Body(shared.module, "lay", "internal void", "ptr noalias %g, i64 %card, i64 %zone, i64 %top", "noinline")
    x = Common(shared, b, batches)
    if n:
        loc, rank = layout.location, layout.rank
        ordered = shared.module.array("i1", ["true" if z.ordered else "false" for z in layout.zones])

        def location(c: Ref) -> Ref:
            return x.read(loc, x.slot_address(loc, Val(c, False, 0, n - 1)), x.m.domains[loc]).ref

        def set_location(c: Ref, z: Ref) -> None:
            x.set_slot(loc, x.slot_address(loc, Val(c, False, 0, n - 1)), Val(z, False, -1, 1 << 40))

        def set_rank(c: Ref, r: Ref) -> None:
            x.set_slot(rank, x.slot_address(rank, Val(c, False, 0, n - 1)), Val(r, False, 0, 1 << 40))

        def is_ordered(z: Ref) -> Ref:
            return b.load("i1", b.op(f"getelementptr [{len(layout.zones)} x i1], ptr {ordered}, i64 0, i64 {z}"))
        old, there = location("%card"), is_ordered("%zone")
        stays = b.op(f"and i1 {b.op(f'icmp eq i64 {old}, %zone')}, {b.op(f'xor i1 {there}, true')}")
        leave, go = b.fresh("leave"), b.fresh("go")
        b.branch(stays, leave, go)
        b.at(leave)
        b.ret("void")
        b.at(go)
        close, look, settle = b.fresh("close"), b.fresh("look"), b.fresh("settle")
        b.branch(b.op(f"icmp sge i64 {old}, 0"), look, settle)
        b.at(look)
        b.branch(is_ordered(old), close, settle)
        b.at(close)
        mine = x.rank_of("%card")
        shared_rank = b.variable("i64")
        b.store("i64", "0", shared_rank)

        def others(c: Ref, do: Callable[[Ref], None]) -> None:
            here = b.op(f"icmp eq i64 {location(c)}, {old}")
            with b.when(b.op(f"and i1 {here}, {b.op(f'icmp ne i64 {c}, %card')}")):
                do(x.rank_of(c))

        def count(c: Ref) -> None:
            def same(r: Ref) -> None:
                eq = b.op(f"zext i1 {b.op(f'icmp eq i64 {r}, {mine}')} to i64")
                b.store("i64", b.op(f"or i64 {b.load('i64', shared_rank)}, {eq}"), shared_rank)
            others(c, same)
        each_card(x, count)
        with b.when(b.op(f"icmp eq i64 {b.load('i64', shared_rank)}, 0")):
            def down(c: Ref) -> None:
                def lower(r: Ref) -> None:
                    with b.when(b.op(f"icmp sgt i64 {r}, {mine}")):
                        set_rank(c, b.op(f"add i64 {r}, -1"))
                others(c, lower)
            each_card(x, down)
        b.at(settle)
        set_location("%card", "-1")
        set_rank("%card", "0")
        with b.when(there):
            best = b.variable("i64")
            b.store("i64", "-1", best)
            top, bottom, done = b.fresh("top"), b.fresh("bottom"), b.fresh("done")
            b.branch(b.op("icmp ne i64 %top, 0"), top, bottom)
            b.at(top)

            def highest(c: Ref) -> None:
                with b.when(b.op(f"icmp eq i64 {location(c)}, %zone")):
                    r, high = x.rank_of(c), b.load("i64", best)
                    b.store("i64", b.op(f"select i1 {b.op(f'icmp sgt i64 {r}, {high}')}, i64 {r}, i64 {high}"), best)
            each_card(x, highest)
            set_rank("%card", b.op(f"add i64 {b.load('i64', best)}, 1"))
            b.jump(done)
            b.at(bottom)

            def up(c: Ref) -> None:
                with b.when(b.op(f"icmp eq i64 {location(c)}, %zone")):
                    set_rank(c, b.op(f"add i64 {x.rank_of(c)}, 1"))
            each_card(x, up)
            b.at(done)
        set_location("%card", "%zone")
    b.ret("void")
    b.finish()

    b = Body(shared.module, "mix", "internal void", "ptr noalias %g, i64 %zone", "noinline")
    x = Common(shared, b, batches)
    for zone, slot in layout.given.items():
        with b.when(b.op(f"icmp eq i64 %zone, {zone}")):
            given = x.read(slot, x.slot_address(slot, None), x.m.domains[slot])
            with b.when(x.truth(given)):
                x.set_slot(slot, x.slot_address(slot, None), const(0))
                b.ret("void")
    if n:
        def flatten(c: Ref) -> None:
            where = Val(c, False, 0, n - 1)
            here = x.read(layout.location, x.slot_address(layout.location, where), x.m.domains[layout.location])
            with b.when(b.op(f"icmp eq i64 {here.ref}, %zone")):
                x.set_slot(layout.rank, x.slot_address(layout.rank, where), const(0))
        each_card(x, flatten)
    b.ret("void")
    b.finish()


def emit_renew(shared: Shared, batches: Batches) -> None:
    """`renew`: nothing refers to the card as an object any more."""
    m, layout = shared.memory, shared.layout
    b = Body(shared.module, "renew", "internal void", "ptr noalias %c, ptr noalias %g, i64 %card", "noinline")
    x = Common(shared, b, batches)
    touched = {name: b.variable("i1") for name, info in layout.containers.items() if not info.is_pool}
    for t in touched.values():
        b.store("i1", "false", t)
    columns = {c + k: name for name, info in layout.containers.items() if name in touched for c in info.columns for k in range(info.capacity)}
    runs: list[tuple[int, int, str | None]] = []
    """Slots side by side of one size: first, how many, and the multiset they make out of order."""
    for k in m.objects:
        name = columns.get(k)
        if runs and runs[-1][2] == name and runs[-1][0] + runs[-1][1] == k and same_kind(m.cells, runs[-1][0], k):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, name)
        else:
            runs.append((k, 1, name))
    for first, count, name in runs:
        def clear(address: Ref, first: int = first, name: str | None = name) -> None:
            old = x.read(first, address, m.domains[first])
            with b.when(b.op(f"icmp eq i64 {old.ref}, %card")):
                x.set_slot(first, address, const(-1))
                if name is not None:
                    b.store("i1", "true", touched[name])
        if count == 1:
            clear(x.slot_address(first, None))
        else:
            with b.counting("0", str(count)) as k:
                clear(x.column(first, k))
    for name, t in touched.items():
        if any(c in columns for c in layout.containers[name].columns):
            with b.when(b.load("i1", t)):
                x.sort(layout.containers[name])

    def blank_if(address: Ref, of: str) -> None:
        old = b.load(of, address)
        with b.when(b.op(f"icmp eq {of} {old}, {'%card' if of == 'i64' else b.op(f'sext i64 %card to {of}')}")):
            b.store(of, "-1", address)
    frames = {k: [c.offset for c, y in zip(m.frames[k].cells, f.locals, strict=True) if y.type.role is Role.OBJECT]
              for k, f in enumerate(m.functions) if f.kind == "procedure"}
    sweep(x, m.frame_at, m.frame_bytes, x.word_at(DEPTH), frames, lambda at: blank_if(at, "i64"))
    with b.counting("0", x.word_at(OBJECTS)) as k:
        blank_if(b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, 8')}, {m.objects_at}")), "i64")
    events = {k: [8 + p * m.word for p in range(f.arity) if f.locals[p].type.role is Role.OBJECT]
              for k, f in enumerate(m.functions) if f.kind == "step"}
    word = "i64" if m.word == 8 else shared.wide
    sweep(x, m.events_at, m.event_bytes, x.word_at(EVENT_TOP), events, lambda at: blank_if(at, word))
    b.ret("void")
    b.finish()


def same_kind(cells: Sequence[Cell], a: int, b: int) -> bool:
    """Do the slots a and b have one size and domain, and lie as far apart as their numbers?"""
    one, two = cells[a], cells[b]
    size = int(one.of[1:]) // 8
    return (one.of, one.lo, one.hi, one.offset + (b - a) * size) == (two.of, two.lo, two.hi, two.offset)


def sweep(
    x: Effects, first: int, size: int, count: Ref, offsets: Mapping[int, list[int]], do: Callable[[Ref], None],
) -> None:
    """In each record, do something with the places that its kind (its first word) has."""
    b = x.b
    kinds = {k: o for k, o in offsets.items() if o}
    if not kinds:
        return
    with b.counting("0", count) as k:
        record = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {size}')}, {first}"))
        kind, on = b.load("i64", record), b.fresh("on")
        blocks = {n: b.fresh("kind") for n in kinds}
        cases = " ".join(f"i64 {n}, label %{to}" for n, to in blocks.items())
        b.do(f"switch i64 {kind}, label %{on} [{cases}]")
        b.here = ""
        for n, to in blocks.items():
            b.at(to)
            for o in kinds[n]:
                do(b.offset(record, o))
            b.jump(on)
        b.at(on)


def emit_close(shared: Shared, batches: Batches) -> None:
    """`close`: the waiting writes are compared and happen, then the waiting events. False if play has stopped.

    It comes last of all: only now all writes that can wait are known. What happens in a write never waits itself.
    """
    m, ends = shared.memory, shared.ends
    nothing = Batches(dict.fromkeys([*shared.program.functions, Common.NAME], False), dict.fromkeys([*shared.program.functions, Common.NAME], True))
    n = len(shared.layout.slots)
    for number, site in enumerate(batches.sites):
        b = Body(shared.module, f"write{number}", "internal i1", "ptr noalias %c, ptr noalias %g, ptr %record")
        x = Common(shared, b, nothing)
        values = [x.load_word(b.offset("%record", 24 + k * m.word), v.lo, v.hi) if v.lo != v.hi else const(v.lo)
                  for k, v in enumerate(site.values)]
        site.happen(x, values)
        b.ret("i1 true")
        b.at(x.fail)
        b.ret("i1 false")
        b.finish()
    writes = shared.module.array("ptr", [f"@write{k}" for k in range(len(batches.sites))])
    marks = sorted(batches.marks, key=batches.marks.__getitem__)
    clashes: list[int] = []
    for one in marks:
        for two in marks:
            both = tuple(dict.fromkeys((*one, *two)))
            clashes.append(ends.fixed(End("conflict", detail=" ".join(both))) if both else -1)
    between = shared.module.array("i64", clashes)
    alone = shared.module.array("i64", [ends.fixed(End("conflict", detail=" ".join(c))) for c in marks])
    b = Body(shared.module, "close", "internal i1", "ptr noalias %c, ptr noalias %g, i64 %mark", "noinline")
    x = Common(shared, b, nothing)
    word = "i64" if m.word == 8 else shared.wide
    x.set_word(BATCH, 0)
    epoch = b.op(f"add i64 {x.word_at(EPOCH)}, 1")
    x.set_word(EPOCH, epoch)
    count = x.word_at(LOG)
    stamp = b.op(f"shl i64 {epoch}, 16")

    def record_at(k: Ref) -> Ref:
        return b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {m.write_bytes}')}, {m.log_at}"))

    def clash(one: Ref, two: Ref) -> None:
        marks_of = [b.op(f"lshr i64 {r}, 40") for r in (one, two)]
        at = b.op(f"add i64 {b.op(f'mul i64 {marks_of[0]}, {len(marks)}')}, {marks_of[1]}")
        named = b.load("i64", b.op(f"getelementptr [{len(clashes)} x i64], ptr {between}, i64 0, i64 {at}"))
        plain = b.load("i64", b.op(f"getelementptr [{len(marks)} x i64], ptr {alone}, i64 0, i64 %mark"))
        end = b.op(f"select i1 {b.op(f'icmp sge i64 {named}, 0')}, i64 {named}, i64 {plain}")
        b.do(f"call void @halt(ptr %c, i64 {end}, i64 -1)")
        b.jump(x.fail)
    with b.counting("0", count) as k:
        record, on = record_at(k), b.fresh("on")
        place = b.load("i64", b.offset(record, 8))
        known, first, compare = b.fresh("known"), b.fresh("first"), b.fresh("compare")
        b.branch(b.op(f"icmp sge i64 {place}, 0"), known, on)
        b.at(known)
        note = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {place}, 8')}, {m.places_at}"))
        old = b.load("i64", note)
        b.branch(b.op(f"icmp eq i64 {b.op(f'and i64 {old}, -65536')}, {stamp}"), compare, first)
        b.at(first)
        b.store("i64", b.op(f"or i64 {stamp}, {k}"), note)
        b.jump(on)
        b.at(compare)
        other = record_at(b.op(f"and i64 {old}, 65535"))
        head, head_before = b.load("i64", record), b.load("i64", other)
        how, how_before = (b.op(f"and i64 {b.op(f'lshr i64 {h}, 32')}, 255") for h in (head, head_before))
        wrong, alike, set_, pile, value = (b.fresh(s) for s in ("wrong", "alike", "set", "pile", "value"))
        b.branch(b.op(f"icmp eq i64 {how}, {how_before}"), alike, wrong)
        b.at(alike)
        b.branch(b.op(f"icmp eq i64 {how}, 0"), set_, on)
        b.at(set_)
        mine, its = (b.load(word, b.offset(r, 24)) for r in (record, other))
        b.branch(b.op(f"icmp eq {word} {mine}, {its}"), value, wrong)
        b.at(value)
        b.branch(b.op(f"icmp sge i64 {place}, {n}"), pile, on)
        b.at(pile)
        mine, its = (b.load(word, b.offset(r, 24 + m.word)) for r in (record, other))
        b.branch(b.op(f"icmp eq {word} {mine}, {its}"), on, wrong)
        b.at(wrong)
        clash(head_before, head)
        b.at(on)
    with b.counting("0", count) as k:
        record = record_at(k)
        which = b.op(f"and i64 {b.load('i64', record)}, 4294967295")
        to = b.load("ptr", b.op(f"getelementptr [{max(1, len(batches.sites))} x ptr], ptr {writes}, i64 0, i64 {which}"))
        on = b.fresh("on")
        b.branch(b.op(f"call i1 {to}(ptr %c, ptr %g, ptr {record})"), on, x.fail)
        b.at(on)
    first, last = x.word_at(EVENT_FIRST), x.word_at(EVENT_TOP)
    events = sorted({i.function for f in shared.program.functions.values() for i in f.code if isinstance(i, ir.Do) and i.event})
    if events:
        with b.counting(first, last) as k:
            record, on = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {m.event_bytes}')}, {m.events_at}")), b.fresh("on")
            blocks = {m.number[e]: b.fresh("event") for e in events}
            cases = " ".join(f"i64 {number}, label %{to}" for number, to in blocks.items())
            b.do(f"switch i64 {b.load('i64', record)}, label %{on} [{cases}]")
            b.here = ""
            for e in events:
                b.at(blocks[m.number[e]])
                domains = m.local_domains[m.number[e]]
                arity = shared.program.functions[e].arity
                x.call(e, [x.load_word(b.offset(record, 8 + p * m.word), *domains[p]) for p in range(arity)])
                b.jump(on)
            b.at(on)
    x.set_word(EVENT_TOP, first)
    b.ret("i1 true")
    b.at(x.fail)
    b.ret("i1 false")
    b.finish()


__all__ = ["Batches", "Common", "Effects", "batch_contexts", "emit_cards", "emit_close", "emit_renew", "renewing"]
