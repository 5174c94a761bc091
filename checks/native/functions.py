"""Defines and steps: a function of the rules that runs to its end is one function of LLVM.

It takes the context, the slots and its parameters, and gives its result and whether play goes on.
"""

from __future__ import annotations

from ...model.ir import nodes as ir
from ...model.ir.flow import reachable
from ...model.ir.program import Function
from ...model.ir.types import Role, blank
from .effects import Batches, Effects
from .ends import ESCAPE
from .memory import MOST_OBJECTS, OBJECTS
from .numbers import Shared, const
from .text import Body


def emit_function(shared: Shared, batches: Batches, renews: set[str], fn: Function) -> None:
    """Write a define or a step."""
    m = shared.memory
    domains = m.local_domains[m.number[fn.name]]
    types = [shared.type_of(d) for d in domains]
    result = shared.result_type(fn.name)
    params = "".join(f", {types[x]} %p{x}" for x in range(fn.arity))
    b = Body(
        shared.module, shared.symbol(fn.name), f"internal {{{result}, i1}}", f"ptr noalias %c, ptr noalias %g{params}"
    )
    x = Effects(shared, fn, b, batches)
    swept = [k for k, local in enumerate(fn.locals) if local.type.role is Role.OBJECT] if fn.name in renews else []
    before = "0"
    if swept:
        before = x.word_at(OBJECTS)
        top = b.op(f"add i64 {before}, {len(swept)}")
        x.stop_unless(b.op(f"icmp sle i64 {top}, {MOST_OBJECTS}"), ESCAPE)
        x.set_word(OBJECTS, top)
        base = b.op(f"add i64 {b.op(f'mul i64 {before}, 8')}, {m.objects_at}")
        kept = {k: b.offset("%c", b.op(f"add i64 {base}, {8 * n}")) for n, k in enumerate(swept)}
    else:
        kept = {}
    for k, local in enumerate(fn.locals):
        where = kept.get(k) or b.variable(types[k])
        x.locals.append((where, types[k]))
        b.store(types[k], f"%p{k}" if k < fn.arity else str(blank(local.type)), where)
    b.jump("pc0")
    for pc in sorted(k for k in reachable(fn.code, fn.handlers) if k < len(fn.code)):
        b.at(f"pc{pc}")
        i = fn.code[pc]
        if x.effect(i, pc):
            continue
        assert isinstance(i, ir.Return), i
        v = const(0) if i.value is None else x.value(i.value)
        lo, hi = m.results[m.number[fn.name]]
        ref = x.as_type(x.guard(v, lo, hi), result)
        if swept:
            x.set_word(OBJECTS, before)
        b.ret(f"{{{result}, i1}} {b.op(f'insertvalue {{{result}, i1}} {{{result} undef, i1 true}}, {result} {ref}, 0')}")
    b.at(x.fail)
    b.finish(f"{{{result}, i1}} {{{result} 0, i1 false}}")
