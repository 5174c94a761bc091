"""Procedures as LLVM code: what `engine/interpreter.py` does from label to label.

A procedure is one function that begins by jumping to where its frame rests. It says how it left: it called, returned,
threw, came to a label, or play stopped.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.engine.state import End
from ...model.ir import nodes as ir
from ...model.ir.flow import reachable
from ...model.ir.program import Function
from ...model.ir.types import Role, blank
from .effects import Batches, Effects
from .memory import (
    CROSSING,
    DEPTH,
    RETURNED,
    Site,
)
from .numbers import Shared, Val, const
from .text import Body, Ref

CALLED, LEFT, LABEL, STOPPED, THROWN = range(5)
"""How a procedure was left."""
AT_START = -1
"""The code by which a procedure is resumed: at its beginning, at a site, or (after all sites) at a handler."""


class Procedure(Effects):
    """Writes a procedure."""

    def __init__(self, shared: Shared, fn: Function, body: Body, batches: Batches) -> None:
        super().__init__(shared, fn, body, batches)
        self.number = self.m.number[fn.name]
        self.frame: Ref = ""

    def find_frame(self, depth: Ref) -> Ref:
        """Where the frame lies that has so many below it."""
        return self.b.element("%c", depth, self.m.frame_bytes, self.m.frame_at)

    def cell(self, x: int) -> tuple[Ref, str]:
        """Where a local lies in the frame, and its type."""
        c = self.m.frames[self.number].cells[x]
        return self.b.offset(self.frame, c.offset), c.of

    def make_locals(self) -> None:
        """Objects stay in the frame, where `renew` finds them; other locals are copied from and to it."""
        for k, local in enumerate(self.fn.locals):
            of = self.m.frames[self.number].cells[k].of
            self.locals.append((self.cell(k)[0] if local.type.role is Role.OBJECT else self.b.variable(of), of))

    def in_frame(self, x: int) -> bool:
        return self.fn.locals[x].type.role is Role.OBJECT

    def fetch(self, live: Sequence[int]) -> None:
        """Take locals out of the frame."""
        for x in live:
            if not self.in_frame(x):
                where, of = self.cell(x)
                self.b.store(of, self.b.load(of, where), self.locals[x][0])

    def save(self, site: Site) -> None:
        """Rest at the site."""
        self.b.store("i64", str(site.number), self.b.offset(self.frame, 8))
        for x in site.live:
            if not self.in_frame(x):
                where, of = self.cell(x)
                self.b.store(of, self.b.load(of, self.locals[x][0]), where)

    def crossed(self, scope: int) -> None:
        """A scope was left or entered."""
        if scope:
            b, old = self.b, self.word_at(CROSSING)
            more = b.op(f"icmp sgt i64 {scope}, {old}")
            self.set_word(CROSSING, b.op(f"select i1 {more}, i64 {scope}, i64 {old}"))

    def site(self, pc: int, top: bool = True) -> Site:
        return self.m.site_at[self.number, pc, top]

    # ------------------------------------------------------------ the whole
    def emit(self) -> None:
        b, fn, m = self.b, self.fn, self.m
        self.frame = self.find_frame(b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
        self.make_locals()
        for k, local in enumerate(fn.locals):
            if k >= fn.arity and not self.in_frame(k):
                b.store(self.locals[k][1], str(blank(local.type)), self.locals[k][0])
        live_code = reachable(fn.code, fn.handlers)
        resumed = {s.number: f"site{s.number}" for s in m.sites if s.function == self.number and s.pc in live_code}
        handlers = {code: pc for (f, pc), code in m.handlers.items() if f == self.number and pc in live_code}
        caught = {code: f"caught{code}" for code in handlers}
        cases = " ".join(f"i64 {k}, label %{to}" for k, to in {**resumed, **caught}.items())
        b.do(f"switch i64 %code, label %begin [{cases}]")
        b.here = ""
        b.at("begin")
        self.fetch(range(fn.arity))
        for k, local in enumerate(fn.locals):
            if k >= fn.arity and self.in_frame(k):
                b.store(self.locals[k][1], str(blank(local.type)), self.locals[k][0])
        b.jump("pc0")
        for pc in sorted(k for k in live_code if k < len(fn.code)):
            b.at(f"pc{pc}")
            i = fn.code[pc]
            if not self.effect(i, pc):
                self.control(i, pc)
        for code, pc in handlers.items():
            b.at(f"caught{code}")
            self.fetch_for_handler(pc)
            b.jump(f"pc{pc}")
        b.at(self.fail)
        b.finish(f"i64 {STOPPED}")

    def fetch_for_handler(self, target: int) -> None:
        """Whatever the frame was saved with at the calls from which a signal can lead here."""
        covering = [h for h in self.fn.handlers if h.target == target]
        wanted = set[int]()
        for s in self.m.sites:
            if s.function == self.number and not s.top and any(h.first <= s.pc < h.last for h in covering):
                wanted.update(s.live)
        self.fetch(sorted(wanted))

    def control(self, i: ir.Instr, pc: int) -> None:
        """One arm for each instruction that ends a transition or moves frames."""
        b = self.b
        match i:
            case ir.Label():
                self.save(self.site(pc))
                b.ret(f"i64 {LABEL}")
                self.resume(pc)
                b.jump(f"pc{pc + 1}")
            case ir.Choose(locals=targets):
                self.ask(pc, " ".join(i.at.clauses))
                for k, x in enumerate(targets):
                    at = b.offset("%c", self.m.chosen_at + k * self.m.word)
                    self.put(x, self.load_word(at, *self.domains[x]))
                b.jump(f"pc{pc + 1}")
            case ir.ChooseSome(local=x):
                self.ask(pc, None)
                self.put(x, self.load_word(b.offset("%c", self.m.chosen_at), *self.domains[x]))
                b.jump(f"pc{pc + 1}")
            case ir.Consult(slot=slot):
                address = self.slot_address(slot, None)
                on = f"pc{pc + 1}"
                known = self.read(slot, address, self.m.domains[slot])
                b.go_on_if(self.compare("slt", known, const(0)), on)
                self.save(self.site(pc))
                b.ret(f"i64 {LABEL}")
                self.resume(pc)
                again = self.slot_address(slot, None)
                with b.when(self.compare("slt", self.read(slot, again, self.m.domains[slot]), const(0))):
                    self.set_slot(slot, again, self.load_word(b.offset("%c", self.m.chosen_at), *self.m.domains[slot]))
                b.jump(on)
            case ir.Invoke():
                self.invoke(i, pc)
            case ir.Return(value=value):
                v = const(0) if value is None else self.value(value)
                v = self.guard(v, *self.m.results[self.number])
                b.store("i256", self.as_i256(v), b.offset("%c", RETURNED))
                self.crossed(self.fn.scope)
                self.set_word(DEPTH, b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
                b.ret(f"i64 {LEFT}")
            case ir.Throw(signal=signal):
                self.throw(signal, i, pc)
            case _:
                raise AssertionError(i)

    def as_i256(self, v: Val) -> Ref:
        if v.lo == v.hi:
            return str(v.lo)
        return v.ref if self.of(v) == "i256" else self.b.op(f"sext {self.of(v)} {v.ref} to i256")

    def resume(self, pc: int, top: bool = True) -> None:
        """Here the frame is taken up again."""
        site = self.site(pc, top)
        self.b.at(f"site{site.number}")
        self.fetch(site.live)

    def ask(self, pc: int, gap: str | None) -> None:
        """How many options are there? None: a gap (unless that cannot be); one: it is taken; else a label."""
        b, site = self.b, self.site(pc)
        self.save(site)
        n = b.op(f"call i64 @ask{site.number}(ptr %c, ptr %g)")
        none, one, several, take = (b.fresh(x) for x in ("none", "one", "several", "take"))
        b.do(f"switch i64 {n}, label %{several} [i64 -1, label %{self.fail} i64 0, label %{none} i64 1, label %{one}]")
        b.here = ""
        b.at(none)
        self.stop(self.ends.fixed(End("gap", detail=gap or "")))
        b.at(several)
        b.ret(f"i64 {LABEL}")
        b.at(one)
        b.copy(b.offset("%c", self.m.chosen_at), b.offset("%c", self.m.options_at), self.m.option_bytes)
        b.jump(take)
        self.resume(pc)
        b.jump(take)
        b.at(take)

    def invoke(self, i: ir.Invoke, pc: int) -> None:
        b, m = self.b, self.m
        if i.stop:
            self.save(self.site(pc))
            b.ret(f"i64 {LABEL}")
            self.resume(pc)
        to = m.number[i.function]
        callee = self.s.program.functions[i.function]
        args = [self.value(a) for a in i.args]
        args = [self.guard(a, *m.local_domains[to][k]) for k, a in enumerate(args)]
        self.crossed(callee.scope)
        b.store("i8", "1", b.offset("%c", m.called_at + to))
        if i.tail:
            frame = self.frame
        else:
            depth = self.word_at(DEPTH)
            end = self.ends.fixed(End("bound", detail="stack"))
            self.stop_unless(b.op(f"icmp slt i64 {depth}, {self.s.program.stack_depth}"), end)
            self.save(self.site(pc, False))
            frame = self.find_frame(depth)
            self.set_word(DEPTH, b.op(f"add i64 {depth}, 1"))
        refs = [self.as_type(a, c.of) for a, c in zip(args, m.frames[to].cells, strict=False)]
        b.store("i64", str(to), frame)
        for ref, c in zip(refs, m.frames[to].cells, strict=False):
            b.store(c.of, ref, b.offset(frame, c.offset))
        b.ret(f"i64 {CALLED}")
        if not i.tail:
            self.resume(pc, False)
            if i.local is not None:
                lo, hi = m.results[to]
                of = self.s.type_of((lo, hi))
                got = b.op(f"load {of}, ptr {b.offset('%c', RETURNED)}, align 8")
                self.put(i.local, Val(got, of != "i64", lo, hi))
            b.jump(f"pc{pc + 1}")

    def throw(self, signal: str, i: ir.Throw, pc: int) -> None:
        b = self.b
        inside = [h for h in self.fn.handlers if h.first <= pc < h.last and h.signal == signal]
        if inside:
            b.jump(f"pc{min(inside, key=lambda h: h.last - h.first).target}")
            return
        why = f"nothing catches {signal} ({i.at.file}:{i.at.line})" if i.at.line else f"nothing catches {signal}"
        end = self.ends.fixed(End("fault", detail=why))
        before = self.word_at(CROSSING)
        self.crossed(self.fn.scope)
        table = self.s.module.array("i64", [self.handler_of(s, signal) for s in self.m.sites])
        scopes = self.s.module.array("i64", [f.scope for f in self.m.functions])
        n, k = len(self.m.sites), len(self.m.functions)
        code = b.op(f"call i64 @unwind(ptr %c, ptr {table}, i64 {n}, ptr {scopes}, i64 {k})")
        with b.when(b.op(f"icmp slt i64 {code}, 0")):
            self.set_word(CROSSING, before)
            self.stop(end)
        high = b.op(f"shl i64 {code}, 8")
        b.ret(f"i64 {b.op(f'or i64 {high}, {THROWN}')}")

    def handler_of(self, site: Site, signal: str) -> int:
        """The code by which a frame that rests at a call is resumed when the signal comes; -1: not at all."""
        f = self.m.functions[site.function]
        inside = [h for h in f.handlers if h.first <= site.pc < h.last and h.signal == signal]
        return self.m.handlers[site.function, min(inside, key=lambda h: h.last - h.first).target] if inside else -1
