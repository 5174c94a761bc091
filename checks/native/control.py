"""Running procedures: `run` goes on with the top frame until a label or the end; what leads from a key into it."""

from __future__ import annotations

from collections.abc import Callable

from ...model.engine.state import NOBODY, READING, End
from ...model.ir import nodes as ir
from ...model.ir.flow import reachable
from ...model.ir.types import blank
from .common import Common
from .effects import Batches
from .memory import (
    BATCH,
    CROSSING,
    DEPTH,
    EVENT_TOP,
    INNER,
    LOG,
    OBJECTS,
    OPTIONS,
    OWNER,
)
from .numbers import Shared, const
from .options import OptionsWriter
from .procedures import AT_START, CALLED, LABEL, LEFT, STOPPED, THROWN, Procedure
from .text import Body, Ref


def emit_control(shared: Shared, batches: Batches) -> None:
    """All procedures and askers, and what runs them."""
    m = shared.memory
    for fn in m.functions:
        if fn.kind == "procedure":
            body = Body(
                shared.module, shared.symbol(fn.name), "internal i64", "ptr noalias %c, ptr noalias %g, i64 %code"
            )
            Procedure(shared, fn, body, batches).emit()
            live_code = reachable(fn.code, fn.handlers)
            for pc, i in enumerate(fn.code):
                if isinstance(i, ir.Choose | ir.ChooseSome) and pc in live_code:
                    site = m.site_at[m.number[fn.name], pc, True]
                    body = Body(
                        shared.module, f"ask{site.number}", "internal i64", "ptr noalias %c, ptr noalias %g", "noinline"
                    )
                    OptionsWriter(shared, fn, body, batches).emit_asker(i, pc)
    emit_unwind(shared, batches)
    emit_ways(shared)
    emit_run(shared, batches)
    emit_enumerate(shared, batches)


def emit_unwind(shared: Shared, batches: Batches) -> None:
    """`unwind`: frames are dropped until one handles the signal; the code by which it is resumed, or -1."""
    m = shared.memory
    b = Body(shared.module, "unwind", "internal i64", "ptr noalias %c, ptr %codes, i64 %sites, ptr %scopes, i64 %functions", "noinline")
    x = Common(shared, b, batches)
    b.at("drop")
    depth = b.op(f"add i64 {x.word_at(DEPTH)}, -1")
    x.set_word(DEPTH, depth)
    b.leave_if(b.op(f"icmp eq i64 {depth}, 0"), "nobody")
    frame = b.element("%c", depth, m.frame_bytes, m.frame_at - m.frame_bytes)
    site = b.load("i64", b.offset(frame, 8))
    code = b.load("i64", b.op(f"getelementptr i64, ptr %codes, i64 {site}"))
    b.go_on_if(b.op(f"icmp sge i64 {code}, 0"), "on")
    b.ret(f"i64 {code}")
    b.at("on")
    scope = b.load("i64", b.op(f"getelementptr i64, ptr %scopes, i64 {b.load('i64', frame)}"))
    old = x.word_at(CROSSING)
    x.set_word(CROSSING, b.op(f"select i1 {b.op(f'icmp sgt i64 {scope}, {old}')}, i64 {scope}, i64 {old}"))
    b.jump("drop")
    b.at("nobody")
    b.finish("i64 -1")


def emit_ways(shared: Shared) -> None:
    """`ways`: how many subsets of n things have from lo to hi members; many is as good as more."""
    many = 1 << 20
    b = Body(shared.module, "ways", "internal i64", "i64 %n, i64 %lo, i64 %hi", "noinline")
    total = b.variable("i64", "0")
    with b.counting("%lo", b.op("add i64 %hi, 1")) as k:
        other = b.op(f"sub i64 %n, {k}")
        few = b.op(f"select i1 {b.op(f'icmp slt i64 {k}, {other}')}, i64 {k}, i64 {other}")
        way = b.variable("i64", "1")
        with b.counting("0", few) as j:
            w = b.load("i64", way)
            left = b.op(f"sub i64 %n, {j}")
            grown = b.op(f"sdiv i64 {b.op(f'mul i64 {w}, {left}')}, {b.op(f'add i64 {j}, 1')}")
            b.store("i64", b.op(f"select i1 {b.op(f'icmp sgt i64 {w}, {many}')}, i64 {w}, i64 {grown}"), way)
        b.store("i64", b.op(f"add i64 {b.load('i64', total)}, {b.load('i64', way)}"), total)
    b.finish(f"i64 {b.load('i64', total)}")


def emit_run(shared: Shared, batches: Batches) -> None:
    """`run`: from the top frame to the next label (1) or the end of play (0). `resume`: the same from a label, the
    option in its place. `begin`: from the beginning."""
    m = shared.memory
    b = Body(shared.module, "run", "internal i64", "ptr noalias %c, ptr noalias %g, i64 %first", "noinline")
    x = Common(shared, b, batches)
    for offset in (BATCH, INNER, LOG, EVENT_TOP, OBJECTS):
        x.set_word(offset, 0)
    code = b.variable("i64", "%first")
    b.at("go")
    frame = top_frame(x)
    how = b.variable("i64")
    blocks = {k: f"do{k}" for k, f in enumerate(m.functions) if f.kind == "procedure"}
    b.switch(b.load("i64", frame), blocks, "never")
    for k, to in blocks.items():
        b.at(to)
        b.store("i64", b.op(f"call i64 @f{k}(ptr %c, ptr %g, i64 {b.load('i64', code)})"), how)
        b.jump("after")
    b.at("never")
    b.do("unreachable")
    b.here = ""
    b.at("after")
    left = b.load("i64", how)
    kinds = {CALLED: "called", LEFT: "left", LABEL: "label", STOPPED: "stop", THROWN: "thrown"}
    b.switch(b.op(f"and i64 {left}, 255"), kinds, "never")
    b.at("called")
    b.store("i64", str(AT_START), code)
    b.jump("go")
    b.at("left")
    over = b.fresh("over")
    b.leave_if(b.op(f"icmp eq i64 {x.word_at(DEPTH)}, 0"), over)
    b.store("i64", b.load("i64", b.offset(top_frame(x), 8)), code)
    b.jump("go")
    b.at("thrown")
    b.store("i64", b.op(f"lshr i64 {left}, 8"), code)
    b.jump("go")
    b.at(over)
    b.do(f"call void @halt(ptr %c, i64 {shared.ends.fixed(End('over'))}, i64 -1)")
    b.jump("stop")
    b.at("label")
    b.ret("i64 1")
    b.at("stop")
    b.finish("i64 0")

    b = Body(shared.module, "resume", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    x.set_word(CROSSING, 0)
    site = b.load("i64", b.offset(top_frame(x), 8))
    b.finish(f"i64 {b.op(f'call i64 @run(ptr %c, ptr %g, i64 {site})')}")

    b = Body(shared.module, "begin", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    entry = m.number[shared.program.entry]
    x.set_word(CROSSING, m.functions[entry].scope)
    x.set_word(DEPTH, 1)
    frame = top_frame(x)
    b.store("i64", str(entry), frame)
    for c, local in zip(m.frames[entry].cells, m.functions[entry].locals, strict=True):
        b.store(c.of, str(blank(local.type)), b.offset(frame, c.offset))
    b.finish(f"i64 {b.op(f'call i64 @run(ptr %c, ptr %g, i64 {AT_START})')}")


def top_frame(x: Common) -> Ref:
    m, b = x.m, x.b
    return b.element("%c", x.word_at(DEPTH), m.frame_bytes, m.frame_at - m.frame_bytes)


def emit_enumerate(shared: Shared, batches: Batches) -> None:
    """`options`: lists what can be chosen at the label where the top frame rests; says how many."""
    m = shared.memory
    b = Body(shared.module, "options", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    site = b.load("i64", b.offset(top_frame(x), 8))
    blocks: dict[int, Callable[[], None]] = {}

    def one() -> None:
        x.set_word(OWNER, NOBODY)
        x.set_word(OPTIONS, 1)
        b.store("i64", "1", b.offset("%c", m.weights_at))
        b.ret("i64 1")
    for s in m.sites:
        if not s.top:
            continue
        i = m.functions[s.function].code[s.pc]
        live_code = reachable(m.functions[s.function].code, m.functions[s.function].handlers)
        if isinstance(i, ir.Choose | ir.ChooseSome) and s.pc in live_code:
            blocks[s.number] = lambda n=s.number: b.ret(f"i64 {b.op(f'call i64 @ask{n}(ptr %c, ptr %g)')}")
        elif isinstance(i, ir.Consult):
            def readings(n: int = len(shared.program.readings.get(i.reading, ()))) -> None:
                x.set_word(OWNER, READING)
                x.set_word(OPTIONS, n)
                for k in range(n):
                    x.store_word(const(k), b.offset("%c", m.options_at + k * m.option_bytes))
                    b.store("i64", "1", b.offset("%c", m.weights_at + 8 * k))
                b.ret(f"i64 {n}")
            blocks[s.number] = readings
    cases = " ".join(f"i64 {k}, label %at{k}" for k in blocks)
    b.do(f"switch i64 {site}, label %forced [{cases}]")
    b.here = ""
    for k, write in blocks.items():
        b.at(f"at{k}")
        write()
    b.at("forced")
    one()
    b.finish()
