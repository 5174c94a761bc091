"""What every program has and no function of the rules: moving cards, shuffling, forgetting objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...model.ir import nodes as ir
from ...model.ir.program import Function
from ...model.ir.types import Role
from .effects import Batches, Effects
from .memory import (
    DEPTH,
    EVENT_TOP,
    OBJECTS,
    Cell,
)
from .numbers import Shared, Val, const
from .text import Body, Ref


class Common(Effects):
    """The functions that every program has: they belong to no function of the rules."""

    NAME = " common"

    def __init__(self, shared: Shared, body: Body, batches: Batches) -> None:
        fn = Function(self.NAME, "step", 0, [], [ir.Return()])
        shared.memory.number.setdefault(self.NAME, len(shared.memory.functions))
        if len(shared.memory.local_domains) == len(shared.memory.functions):
            shared.memory.local_domains.append([])
        super().__init__(shared, fn, body, batches)

    def each_in_run(self, first: int, count: int, happen: Callable[[Ref], None]) -> None:
        """For the address of each of so many slots that lie one behind the other."""
        if count == 1:
            happen(self.slot_address(first, None))
        else:
            with self.b.counting("0", str(count)) as k:
                happen(self.column(first, k))


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
        with b.when(stays):
            b.ret("void")
        settle = b.fresh("settle")
        b.go_on_if(b.op(f"icmp sge i64 {old}, 0"), settle)
        b.go_on_if(is_ordered(old), settle)
        mine = x.rank_of("%card")
        shared_rank = b.variable("i64", "0")

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
            best = b.variable("i64", "-1")

            def highest(c: Ref) -> None:
                with b.when(b.op(f"icmp eq i64 {location(c)}, %zone")):
                    r, high = x.rank_of(c), b.load("i64", best)
                    b.store("i64", b.op(f"select i1 {b.op(f'icmp sgt i64 {r}, {high}')}, i64 {r}, i64 {high}"), best)

            def on_top() -> None:
                each_card(x, highest)
                set_rank("%card", b.op(f"add i64 {b.load('i64', best)}, 1"))

            def up(c: Ref) -> None:
                with b.when(b.op(f"icmp eq i64 {location(c)}, %zone")):
                    set_rank(c, b.op(f"add i64 {x.rank_of(c)}, 1"))
            b.either(b.op("icmp ne i64 %top, 0"), on_top, lambda: each_card(x, up))
        set_location("%card", "%zone")
    b.finish("void")

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
    b.finish("void")


def emit_renew(shared: Shared, batches: Batches) -> None:
    """`renew`: nothing refers to the card as an object any more."""
    m, layout = shared.memory, shared.layout
    b = Body(shared.module, "renew", "internal void", "ptr noalias %c, ptr noalias %g, i64 %card", "noinline")
    x = Common(shared, b, batches)
    touched = {name: b.variable("i1") for name, info in layout.containers.items() if not info.is_pool}
    for t in touched.values():
        b.store("i1", "false", t)
    columns = {
        c + k: name
        for name, info in layout.containers.items()
        if name in touched
        for c in info.columns
        for k in range(info.capacity)
    }
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
        x.each_in_run(first, count, clear)
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
        blank_if(b.element("%c", k, 8, m.objects_at), "i64")
    events = {k: [8 + p * m.word for p in range(f.arity) if f.locals[p].type.role is Role.OBJECT]
              for k, f in enumerate(m.functions) if f.kind == "step"}
    word = "i64" if m.word == 8 else shared.wide
    sweep(x, m.events_at, m.event_bytes, x.word_at(EVENT_TOP), events, lambda at: blank_if(at, word))
    b.finish("void")


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
        record = b.element("%c", k, size, first)

        def at_each(places: list[int], record: Ref = record) -> None:
            for o in places:
                do(b.offset(record, o))
        b.cases(b.load("i64", record), {n: lambda places=places: at_each(places) for n, places in kinds.items()})
