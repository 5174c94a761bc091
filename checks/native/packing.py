"""A state as a key: the bits of its slots, then how it ended, or its frames from the bottom up.

Every number takes the bits of its domain; of a multiset or pool only what is in use is there; of a frame, its site and the locals that matter there. Two states are equal
exactly if their keys are. A key is as many 64-bit words as it needs, the last filled up with zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import ContainerInfo
from ...model.ir.types import blank
from .common import Common
from .effects import Batches
from .ends import ESCAPE
from .memory import CROSSING, DECIDER, DEPTH, END, END_WHO, OPTIONS, OWNER, Cell, Memory, Site, bits_for
from .numbers import Shared, Val, const
from .sites import at_sites, each_frame, is_wide, local_of
from .text import Body, Ref

WHO_BITS, END_BITS = 8, 24
MOST_FIXED = 3
STRAIGHT = 160
"""Up to so many slots are packed one by one; more, in loops."""


class Shape:
    """How many bits the parts of a key take."""

    def __init__(self, m: Memory) -> None:
        self.m = m
        self.runs: list[tuple[int, int]] = []
        """Slots side by side that are packed alike: first, how many."""
        k, cells = 0, m.cells
        self.containers = list(m.program.layout.containers.values())
        inside = {c + k for info in self.containers for c in info.columns for k in range(info.capacity)}
        while k < len(cells):
            last = k + 1
            size = m.size_of(cells[k].of)
            if len(cells) - len(inside) > STRAIGHT and k not in inside:
                while last < len(cells) and last not in inside and cells[last] == Cell(
                        cells[k].offset + (last - k) * size, cells[k].of, cells[k].lo, cells[k].hi):
                    last += 1
            if k not in inside:
                self.runs.append((k, last - k))
            k = last
        self.stored = {x.base for f in m.functions for i in f.code for x in walk(i) if isinstance(x, ir.Store)}
        """Slots that rules write directly: a column among them may have a value where nothing is in use."""
        self.slot_bits = sum(bits_for(c.lo, c.hi) for c in cells)
        """At most; of a multiset or pool only what is in use is packed."""
        self.depth_bits = bits_for(0, m.depth)
        self.site_bits = bits_for(0, max(0, len(m.sites) - 1))
        self.frame_bits = [sum(self.local_bits(s.function, x) for x in s.live) for s in m.sites]
        most = max(END_BITS + WHO_BITS, m.depth * (self.site_bits + max(self.frame_bits, default=0)))
        if not any(not s.top for s in m.sites):  # nothing is ever called: one frame at most
            most = max(END_BITS + WHO_BITS, self.site_bits + max(self.frame_bits, default=0))
        self.most_words = -(-(self.slot_bits + self.depth_bits + most) // 64)
        always = sum(many * bits_for(cells[k].lo, cells[k].hi) for k, many in self.runs)
        least = min(END_BITS + WHO_BITS, self.site_bits + min(self.frame_bits, default=0))
        self.least_words = -(-(always + self.depth_bits + least) // 64)
        """With nothing in any multiset or pool."""
        self.fixed = self.most_words if self.most_words <= MOST_FIXED else 0
        """Words of every key, if short ones are filled up; else 0: each has its own length."""

    def local_bits(self, function: int, x: int) -> int:
        return bits_for(*self.m.local_domains[function][x])


class Writer:
    """Bits into words. The words not yet written are held in variables of the function."""

    def __init__(self, x: Common, to: Ref) -> None:
        self.x, self.b, self.to = x, x.b, to
        self.hold, self.filled, self.word = (x.b.variable("i64", "0") for _ in range(3))

    def put(self, value: Ref, bits: int) -> None:
        """So many bits of an i64, the others being 0; at most 64."""
        if not bits:
            return
        b = self.b
        hold, filled = b.load("i64", self.hold), b.load("i64", self.filled)
        low = b.op(f"or i64 {hold}, {b.op(f'shl i64 {value}, {filled}')}")
        now = b.op(f"add i64 {filled}, {bits}")
        b.store("i64", low, self.hold)
        b.store("i64", now, self.filled)
        with b.when(b.op(f"icmp uge i64 {now}, 64")):
            word = b.load("i64", self.word)
            b.store("i64", low, b.op(f"getelementptr i64, ptr {self.to}, i64 {word}"))
            b.store("i64", b.op(f"add i64 {word}, 1"), self.word)
            over = b.op(f"add i64 {now}, -64")
            b.store("i64", over, self.filled)
            # what did not fit: value >> (64 - filled); in two steps, because filled may be 0
            high = b.op(f"lshr i64 {b.op(f'lshr i64 {value}, 1')}, {b.op(f'sub i64 63, {filled}')}")
            b.store("i64", high, self.hold)

    def number(self, v: Val, lo: int, bits: int) -> None:
        """A number of a domain, however wide."""
        if not bits:
            return
        x, b = self.x, self.b
        if not v.wide:
            self.put(b.op(f"sub i64 {v.ref}, {lo}") if lo else v.ref, bits)
            return
        rest = b.op(f"sub {x.s.wide} {v.ref}, {lo}") if lo else v.ref
        while bits > 0:
            part = b.op(f"trunc {x.s.wide} {rest} to i64")
            self.put(part, min(64, bits))
            rest = b.op(f"lshr {x.s.wide} {rest}, 64")
            bits -= 64

    def close(self) -> Ref:
        """The last word; how many there are. The word behind the last may be written too."""
        b = self.b
        word = b.load("i64", self.word)
        b.store("i64", b.load("i64", self.hold), b.op(f"getelementptr i64, ptr {self.to}, i64 {word}"))
        filled = b.load("i64", self.filled)
        some = b.op(f"zext i1 {b.op(f'icmp ne i64 {filled}, 0')} to i64")
        return b.op(f"add i64 {word}, {some}")


class Reader:
    """Bits out of words."""

    def __init__(self, x: Common, source: Ref) -> None:
        self.x, self.b, self.source = x, x.b, source
        self.at = x.b.variable("i64", "0")

    def take(self, bits: int) -> Ref:
        """The next bits, as an i64. The word behind the last is read too: it must be there."""
        if not bits:
            return "0"
        b = self.b
        at = b.load("i64", self.at)
        word = b.op(f"getelementptr i64, ptr {self.source}, i64 {b.op(f'lshr i64 {at}, 6')}")
        shift = b.op(f"and i64 {at}, 63")
        low = b.op(f"lshr i64 {b.load('i64', word)}, {shift}")
        next_word = b.load("i64", b.op(f"getelementptr i64, ptr {word}, i64 1"))
        high = b.op(f"shl i64 {b.op(f'shl i64 {next_word}, 1')}, {b.op(f'sub i64 63, {shift}')}")
        b.store("i64", b.op(f"add i64 {at}, {bits}"), self.at)
        both = b.op(f"or i64 {low}, {high}")
        return both if bits == 64 else b.op(f"and i64 {both}, {(1 << bits) - 1}")

    def number(self, lo: int, hi: int, bits: int, wide: bool) -> Val:
        x, b = self.x, self.b
        if not wide:
            v = self.take(bits)
            return Val(b.op(f"add i64 {v}, {lo}") if lo else v, False, lo, hi)
        out: Ref = "0"
        done = 0
        while done < bits:
            part = b.op(f"zext i64 {self.take(min(64, bits - done))} to {x.s.wide}")
            out = b.op(f"or {x.s.wide} {out}, {b.op(f'shl {x.s.wide} {part}, {done}')}")
            done += 64
        return Val(b.op(f"add {x.s.wide} {out}, {lo}") if lo else out, True, lo, hi)


def emit_packing(shared: Shared, batches: Batches, shape: Shape, canonical: bool = False) -> None:
    """`pack`, `unpack`, `successors`; with `canonical`, successors are representatives."""
    emit_pack(shared, batches, shape)
    emit_unpack(shared, batches, shape)
    emit_successors(shared, batches, shape, canonical)


def each_place(x: Common, info: ContainerInfo, used: Callable[[Ref], None], free: Callable[[Ref], None]) -> None:
    """For each place of a multiset or pool: is something in it, or not?"""
    b = x.b
    head = x.read(info.head, x.slot_address(info.head, None), x.m.domains[info.head])
    with b.counting("0", str(info.capacity)) as k:
        there = Val(k, False, 0, info.capacity - 1)
        test = x.truth(x.member(there, head)) if info.is_pool else x.compare("slt", there, head)
        b.either(test, lambda: used(k), lambda: free(k))


def emit_pack(shared: Shared, batches: Batches, shape: Shape) -> None:
    """`pack(c, g, to, live)`: the key of where play stands; how many words. `live`: at a label, else ended. -1: a
    number is beyond its domain, which compiled code does not handle."""
    m = shared.memory
    b = Body(shared.module, "pack", "i64", "ptr noalias %c, ptr noalias %g, ptr noalias %to, i64 %live", "noinline")
    x = Common(shared, b, batches)
    for k in range(shape.fixed):
        b.store("i64", "0", b.offset("%to", 8 * k))
    w = Writer(x, "%to")
    ranks = range(shared.layout.rank, shared.layout.rank + shared.layout.card_count)

    def slot(k: int, address: Ref) -> None:
        c = m.cells[k]
        v = x.read(k, address, (-(1 << 40), 1 << 40) if k in ranks else m.domains[k])
        if k in ranks:  # ranks are the only numbers whose domain is not tested when they are set
            v = x.guard(v, c.lo, c.hi)
        w.number(v, c.lo, bits_for(c.lo, c.hi))
    for first, count in shape.runs:
        if not bits_for(m.cells[first].lo, m.cells[first].hi):
            continue
        x.each_in_run(first, count, partial(slot, first))
    for info in shape.containers:
        def entry(k: Ref, info: ContainerInfo = info) -> None:
            for c in info.columns:
                slot(c, x.column(c, k))

        def idle(k: Ref, info: ContainerInfo = info) -> None:
            for c in info.columns:
                if c in shape.stored:
                    empty = const(blank(shared.layout.slots[c].type))
                    x.stop_unless(x.compare("eq", x.read(c, x.column(c, k), m.domains[c]), empty), ESCAPE)
        each_place(x, info, entry, idle)
    b.leave_if(b.op("icmp ne i64 %live, 0"), "frames")
    w.put("0", shape.depth_bits)
    w.put(x.word_at(END), END_BITS)
    w.put(b.op(f"and i64 {x.word_at(END_WHO)}, 255"), WHO_BITS)
    b.jump("done")
    b.at("frames")
    depth = x.word_at(DEPTH)
    w.put(depth, shape.depth_bits)

    def save(s: Site, frame: Ref) -> None:
        for k in s.live:
            _, _, v = local_of(x, frame, s, k)
            c = m.frames[s.function].cells[k]
            w.number(v, c.lo, bits_for(c.lo, c.hi))
    with each_frame(x, depth) as (_, frame):
        site = b.load("i64", b.offset(frame, 8))
        w.put(site, shape.site_bits)
        at_sites(x, site, [s for s in m.sites if s.live], lambda s: save(s, frame))
    b.jump("done")
    b.at("done")
    n = w.close()
    b.ret(f"i64 {shape.fixed or n}")
    b.at(x.fail)
    b.finish("i64 -1")


def emit_unpack(shared: Shared, batches: Batches, shape: Shape) -> None:
    """`unpack(c, g, from)`: the state of a key, made ready to go on. 1 at a label, 0 where play has ended."""
    m = shared.memory
    b = Body(shared.module, "unpack", "i64", "ptr noalias %c, ptr noalias %g, ptr noalias %from", "noinline")
    x = Common(shared, b, batches)
    r = Reader(x, "%from")
    for first, count in shape.runs:
        c = m.cells[first]
        bits = bits_for(c.lo, c.hi)

        def slot(address: Ref, first: int = first, c: Cell = c, bits: int = bits) -> None:
            x.set_slot(first, address, r.number(c.lo, c.hi, bits, is_wide(shared, c.of)))
        x.each_in_run(first, count, slot)
    for info in shape.containers:
        def entry(k: Ref, info: ContainerInfo = info) -> None:
            for c in info.columns:
                cell = m.cells[c]
                v = r.number(cell.lo, cell.hi, bits_for(cell.lo, cell.hi), is_wide(shared, cell.of))
                x.set_slot(c, x.column(c, k), v)
        each_place(x, info, entry, lambda k, info=info: x.blank_entry(info, k))
    depth = r.take(shape.depth_bits)
    x.set_word(DEPTH, depth)
    b.leave_if(b.op(f"icmp ne i64 {depth}, 0"), "frames")
    x.set_word(END, r.take(END_BITS))
    who = r.take(WHO_BITS)
    x.set_word(END_WHO, b.op(f"ashr i64 {b.op(f'shl i64 {who}, 56')}, 56"))
    x.set_word(OPTIONS, 0)
    b.ret("i64 0")
    b.at("frames")
    functions = shared.module.array("i64", [s.function for s in m.sites])

    def restore(s: Site, frame: Ref) -> None:
        for k in s.live:
            c = m.frames[s.function].cells[k]
            v = r.number(c.lo, c.hi, bits_for(c.lo, c.hi), is_wide(shared, c.of))
            b.store(c.of, x.as_type(v, c.of), b.offset(frame, c.offset))
    with each_frame(x, depth) as (_, frame):
        site = r.take(shape.site_bits)
        b.store("i64", b.load("i64", b.op(f"getelementptr i64, ptr {functions}, i64 {site}")), frame)
        b.store("i64", site, b.offset(frame, 8))
        at_sites(x, site, [s for s in m.sites if s.live], lambda s: restore(s, frame))
    b.finish("i64 1")


RECORD_HEAD = 3
"""Words before the key of a successor: how many words the key has, the widest scope crossed, how play goes on."""
GOES_ON, ENDED, LEFT_BOUND, BEYOND = range(4)


def emit_successors(shared: Shared, batches: Batches, shape: Shape, canonical: bool) -> None:
    """`successors(c, from, to, room)`: for each option of the state, in order, a record; how many options there are.

    -1: there is not enough room (in words). A record: words of the key, scope crossed, how play goes on, key.
    """
    m = shared.memory
    bounds = shared.module.array("i8", [int(x) for x in shared.ends.bounds])
    b = Body(shared.module, "successors", "i64", "ptr noalias %c, ptr noalias %from, ptr noalias %to, i64 %room")
    x = Common(shared, b, batches)
    g, base = b.offset("%c", m.slots_at), b.offset("%c", m.base_slots_at)
    with b.when(b.op(f"icmp eq i64 {b.op(f'call i64 @unpack(ptr %c, ptr {base}, ptr %from)')}, 0")):
        b.ret("i64 0")
    n = b.op(f"call i64 @options(ptr %c, ptr {base})")
    with b.when(b.op(f"icmp sgt i64 {b.op(f'mul i64 {n}, {RECORD_HEAD + shape.most_words + 1}')}, %room")):
        b.ret("i64 -1")
    depth = x.word_at(DEPTH)
    bytes_of_frames = b.op(f"mul i64 {depth}, {m.frame_bytes}")
    frames, base_frames = b.offset("%c", m.frame_at), b.offset("%c", m.base_frames_at)
    b.copy(base_frames, frames, bytes_of_frames)
    x.set_word(DECIDER, x.word_at(OWNER))
    for size, source, to in ((m.option_bytes, m.options_at, m.base_options_at), (8, m.weights_at, m.base_weights_at)):
        b.copy(b.offset("%c", to), b.offset("%c", source), b.op(f"mul i64 {n}, {size}"))
    place = b.variable("i64", "0")
    with b.counting("0", n) as k:
        b.copy(g, base, m.slot_bytes)
        b.copy(frames, base_frames, bytes_of_frames)
        x.set_word(DEPTH, depth)
        option = b.element("%c", k, m.option_bytes, m.base_options_at)
        b.copy(b.offset("%c", m.chosen_at), option, m.option_bytes)
        live = b.op(f"call i64 @resume(ptr %c, ptr {g})")
        at = b.load("i64", place)
        record = b.op(f"getelementptr i64, ptr %to, i64 {at}")
        key = b.offset(record, 8 * RECORD_HEAD)
        b.store("i64", x.word_at(CROSSING), b.offset(record, 8))
        pack, bound, on = b.fresh("pack"), b.fresh("bound"), b.fresh("on")
        how = b.variable("i64", str(GOES_ON))
        b.leave_if(b.op(f"icmp ne i64 {live}, 0"), pack)
        end = x.word_at(END)
        is_bound = b.op(f"zext i8 {b.load('i8', b.op(f'getelementptr i8, ptr {bounds}, i64 {end}'))} to i64")
        beyond = b.op(f"icmp eq i64 {end}, {ESCAPE}")
        kind = b.op(f"select i1 {beyond}, i64 {BEYOND}, i64 {b.op(f'add i64 {is_bound}, {ENDED}')}")
        b.store("i64", kind, how)
        b.branch(b.op(f"icmp eq i64 {kind}, {ENDED}"), pack, bound)
        b.at(pack)
        if canonical:
            b.op(f"call i64 @canonical(ptr %c, ptr {g}, i64 {live})")
        words = b.op(f"call i64 @pack(ptr %c, ptr {g}, ptr {key}, i64 {live})")
        with b.when(b.op(f"icmp slt i64 {words}, 0")):
            b.store("i64", str(BEYOND), how)
            b.jump(bound)
        b.store("i64", words, record)
        b.store("i64", b.op(f"add i64 {at}, {b.op(f'add i64 {words}, {RECORD_HEAD}')}"), place)
        b.jump(on)
        b.at(bound)
        b.store("i64", "0", record)
        b.store("i64", b.op(f"add i64 {at}, {RECORD_HEAD}"), place)
        b.jump(on)
        b.at(on)
        b.store("i64", b.load("i64", how), b.offset(record, 16))
    b.finish(f"i64 {n}")
