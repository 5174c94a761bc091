"""The invariants of a program as one compiled function, to be asked of many states."""

from __future__ import annotations

from .common import Common
from .effects import Batches
from .memory import BATCH, EVENT_TOP, INNER, LOG, OBJECTS
from .numbers import Shared
from .text import Body, Ref


def emit_conditions(shared: Shared, batches: Batches) -> None:
    """`broken(c, from, to)`: looks at each invariant in a state; to[i] is 0 if it holds, else 1. How many do not."""
    b = Body(shared.module, "broken", "i64", "ptr noalias %c, ptr noalias %from, ptr noalias %to")
    x = Common(shared, b, batches)
    g = b.offset("%c", shared.memory.slots_at)
    b.do(f"call i64 @unpack(ptr %c, ptr {g}, ptr %from)")
    for offset in (BATCH, INNER, LOG, EVENT_TOP, OBJECTS):
        x.set_word(offset, 0)
    total = b.variable("i64", "0")
    for k, name in enumerate(shared.program.invariants):
        broken = b.op(f"zext i1 {fails_here(shared, b, g, name)} to i64")
        b.store("i64", broken, b.offset("%to", 8 * k))
        b.store("i64", b.op(f"add i64 {b.load('i64', total)}, {broken}"), total)
    b.finish(f"i64 {b.load('i64', total)}")


def fails_here(shared: Shared, b: Body, g: Ref, name: str) -> Ref:
    """Does an invariant not hold in the slots at an address, or can that not be told?"""
    of = shared.result_type(name)
    both = b.op(f"call {{{of}, i1}} @{shared.symbol(name)}(ptr %c, ptr {g})")
    value, told = (b.op(f"extractvalue {{{of}, i1}} {both}, {n}") for n in (0, 1))
    holds = b.op(f"and i1 {told}, {b.op(f'icmp ne {of} {value}, 0')}")
    return b.op(f"xor i1 {holds}, true")
