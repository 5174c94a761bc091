"""The end of a batch: its writes are compared and happen, then its events."""

from __future__ import annotations

from ...model.engine.state import End
from ...model.ir import nodes as ir
from .common import Common
from .effects import Batches
from .memory import (
    BATCH,
    EPOCH,
    EVENT_FIRST,
    EVENT_TOP,
    LOG,
)
from .numbers import Shared, const
from .text import Body, Ref


def emit_close(shared: Shared, batches: Batches) -> None:
    """`close`: the waiting writes are compared and happen, then the waiting events. False if play has stopped.

    It comes last of all: only now all writes that can wait are known. What happens in a write never waits itself.
    """
    m, ends = shared.memory, shared.ends
    nothing = Batches(
        dict.fromkeys([*shared.program.functions, Common.NAME], False),
        dict.fromkeys([*shared.program.functions, Common.NAME], True),
    )
    n = len(shared.layout.slots)
    for number, site in enumerate(batches.sites):
        b = Body(shared.module, f"write{number}", "internal i1", "ptr noalias %c, ptr noalias %g, ptr %record")
        x = Common(shared, b, nothing)
        values = [x.load_word(b.offset("%record", 24 + k * m.word), v.lo, v.hi) if v.lo != v.hi else const(v.lo)
                  for k, v in enumerate(site.values)]
        site.happen(x, values)
        b.ret("i1 true")
        b.at(x.fail)
        b.finish("i1 false")
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
        return b.element("%c", k, m.write_bytes, m.log_at)

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
        note = b.element("%c", place, 8, m.places_at)
        old = b.load("i64", note)
        b.branch(b.op(f"icmp eq i64 {b.op(f'and i64 {old}, -65536')}, {stamp}"), compare, first)
        b.at(first)
        b.store("i64", b.op(f"or i64 {stamp}, {k}"), note)
        b.jump(on)
        b.at(compare)
        other = record_at(b.op(f"and i64 {old}, 65535"))
        head, head_before = b.load("i64", record), b.load("i64", other)
        how, how_before = (b.op(f"and i64 {b.op(f'lshr i64 {h}, 32')}, 255") for h in (head, head_before))
        wrong = b.fresh("wrong")
        b.go_on_if(b.op(f"icmp eq i64 {how}, {how_before}"), wrong)
        b.go_on_if(b.op(f"icmp eq i64 {how}, 0"), on)
        mine, its = (b.load(word, b.offset(r, 24)) for r in (record, other))
        b.go_on_if(b.op(f"icmp eq {word} {mine}, {its}"), wrong)
        b.go_on_if(b.op(f"icmp sge i64 {place}, {n}"), on)
        mine, its = (b.load(word, b.offset(r, 24 + m.word)) for r in (record, other))
        b.branch(b.op(f"icmp eq {word} {mine}, {its}"), on, wrong)
        b.at(wrong)
        clash(head_before, head)
        b.at(on)
    with b.counting("0", count) as k:
        record = record_at(k)
        which = b.op(f"and i64 {b.load('i64', record)}, 4294967295")
        to = b.load("ptr", b.op(f"getelementptr [{max(1, len(batches.sites))} x ptr], ptr {writes}, i64 0, i64 {which}"))
        b.go_on_if(b.op(f"call i1 {to}(ptr %c, ptr %g, ptr {record})"), x.fail)
    first, last = x.word_at(EVENT_FIRST), x.word_at(EVENT_TOP)
    events = sorted(
        {i.function for f in shared.program.functions.values() for i in f.code if isinstance(i, ir.Do) and i.event}
    )
    if events:
        with b.counting(first, last) as k:
            record = b.element("%c", k, m.event_bytes, m.events_at)

            def happen(event: str, record: Ref = record) -> None:
                domains = m.local_domains[m.number[event]]
                arity = shared.program.functions[event].arity
                x.call(event, [x.load_word(b.offset(record, 8 + p * m.word), *domains[p]) for p in range(arity)])
            b.cases(b.load("i64", record), {m.number[e]: lambda e=e: happen(e) for e in events})
    x.set_word(EVENT_TOP, first)
    b.ret("i1 true")
    b.at(x.fail)
    b.finish("i1 false")
