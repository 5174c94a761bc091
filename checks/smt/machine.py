"""Defines and steps as terms: every way through the code at once, merged where ways meet.

A way is taken up again at the place of least `key`: what is inside a loop comes before what follows it, so that all ways
that meet are there before one goes on. Going through a set is unrolled member by member.
"""
from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...model.ir import nodes as ir
from ...model.ir.flow import successors
from ...model.ir.program import Function, Program
from ...model.ir.types import SetType, blank
from . import numbers as n
from . import truths as t
from .effects import Effects
from .numbers import Beyond, Val
from .states import Frame, Halt, Path, Sym
from .truths import Truth

OUT_OF_TIME = "時間内に答えが出ない", "no answer in the time there was"


@dataclass
class Code:
    """What is known of a function's code before it is run."""

    fn: Function
    number: int

    @cached_property
    def latches(self) -> dict[int, int]:
        """Where each place that is jumped back to is jumped back to from, at the last; or the last of a loop inside that loop is."""
        out: dict[int, int] = {}
        for pc, i in enumerate(self.fn.code):
            for to in successors(i, pc):
                if to <= pc:
                    out[to] = max(pc, out.get(to, 0))
        for to in sorted(out, reverse=True):  # inner loops first
            while (last := max(out[inside] for inside in out if to <= inside <= out[to])) > out[to]:
                out[to] = last
        return out

    @cached_property
    def joins(self) -> frozenset[int]:
        """Places that can be come to in more than one way."""
        seen: dict[int, int] = {}
        for pc, i in enumerate(self.fn.code):
            for to in successors(i, pc):
                seen[to] = seen.get(to, 0) + 1
        for h in self.fn.handlers:
            seen[h.target] = 2
        return frozenset(k for k, m in seen.items() if m > 1)

    @cached_property
    def fresh(self) -> list[Val]:
        return [blank(x.type) for x in self.fn.locals]

    def key(self, pc: int, to: int) -> float:
        """When it is the turn of place `to`, come to from `pc`: where loops end together, of the inner one first."""
        return self.latches[to] + 1 - (to + 1) / (len(self.fn.code) + 1) if to <= pc else to


class Machine(Effects):
    """Runs defines and steps."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.codes = {name: Code(fn, k) for k, (name, fn) in enumerate(program.functions.items())}
        self.watch: Callable[[Sym, Function, ir.Instr], None] | None = None
        """Is told of each instruction of a define or step before it is carried out."""
        self.until: float | None = None
        """When it gives up (by `time.monotonic`)."""

    def frame(self, name: str, args: list[Val]) -> Frame:
        """The function as it begins."""
        code = self.codes[name]
        masked = [self.typed(a, isinstance(x.type, SetType)) for a, x in zip(args, code.fn.locals, strict=False)]
        return Frame(code.fn, 0, masked + code.fresh[len(args):])

    def call(self, s: Sym, name: str, args: list[Val]) -> Val:
        """The value of a define; what it gave for the same arguments in the same slots is kept."""
        question = (name, *map(n.identity, args))
        kept = s.memo.get(question)
        if kept is None:
            kept = s.memo[question] = (*self.defined(s, name, args), args)
        value, halts, _ = kept  # pyright: ignore[reportGeneralTypeIssues]
        for h in halts:
            self.fail(s, h.when, h.kind, h.detail, h.slot, h.who)
        return value

    def defined(self, s: Sym, name: str, args: list[Val]) -> tuple[Val, list[Halt]]:
        """The value of a define in these slots, and how play ends instead, each under its condition."""
        outer = self.halts, self.conditions
        self.halts, self.conditions = [], []
        try:
            alone = Sym(s.slots, Path(None, True), memo=s.memo, shared=True)
            _, value = self.perform(alone, name, args)
            return value, self.halts
        finally:
            self.halts, self.conditions = outer

    def perform(self, s: Sym, name: str, args: list[Val]) -> tuple[Sym, Val]:
        """Run a define or a step to its end. Raises Beyond."""
        if self.until is not None and time.monotonic() > self.until:
            raise Beyond(*OUT_OF_TIME)
        s.running.append(self.frame(name, args))
        code = self.codes[name]
        ways = Ways(self, code)
        done: Sym | None = None
        last = s
        ways.add(0, 0, s)
        for pc, s in ways:
            last = s
            while not s.dead:
                i = code.fn.code[pc]
                f = s.running[-1]
                f.pc = pc
                if self.watch is not None:
                    self.watch(s, code.fn, i)
                match i:
                    case ir.Return(value=v):
                        s.result = 0 if v is None else self.value(v, s, f.locals)
                        if not s.dead:
                            s.running.pop()
                            done = s if done is None else self.merger.merge(done, s)
                        break
                    case ir.Jump(target=to):
                        if to != pc + 1:
                            ways.add(code.key(pc, to), to, s)
                            break
                    case ir.Branch(test=test, otherwise=to):
                        for goes, there in self.branched(s, n.holds(self.value(test, s, f.locals)), pc + 1, to):
                            ways.add(code.key(pc, there), there, goes)
                        break
                    case ir.Next():
                        for goes, there, key in self.next_member(s, f, i, pc, code):
                            ways.add(key, there, goes)
                        break
                    case _:
                        s = self.effect(i, s, f)
                pc += 1
                if ways.waits(pc):
                    ways.add(pc, pc, s)
                    break
        if done is None:
            last.path = last.path.plus(False)
            return last, 0
        return done, done.result

    def branched(self, s: Sym, test: Truth, then: int, otherwise: int) -> Iterator[tuple[Sym, int]]:
        """The ways on, if the test holds and if it does not."""
        if s.dead:
            return
        known = s.path.known(test)
        if known is not None:
            yield s, then if known else otherwise
            return
        yield s.fork(t.no(test)), otherwise
        s.path = s.path.plus(test)
        yield s, then

    def next_member(self, s: Sym, f: Frame, i: ir.Next, pc: int, code: Code) -> Iterator[tuple[Sym, int, float]]:
        """The ways on: with the least member that there may be, without it, or behind the loop."""
        rest = list(n.bits(f.locals[i.rest]))
        k = next((k for k, b in enumerate(rest) if b is not False), None)
        if k is None:
            yield s, i.done, code.key(pc, i.done)
            return
        inside = rest[k]
        rest[k] = False
        yield from self.round_for(s, i, pc, code, inside, n.bits_of(rest), k + i.offset)

    def round_for(
        self, s: Sym, i: ir.Next, pc: int, code: Code, inside: Truth, left: Val, member: Val,
    ) -> Iterator[tuple[Sym, int, float]]:
        """The ways on where one member may be in the set: without it to what is left, or with it into the round."""
        if s.path.known(inside) is not True:
            out = s.fork(t.no(inside))
            self.top(out).locals[i.rest] = left
            if not out.dead:
                yield out, pc, code.key(pc, pc)
            s.path = s.path.plus(inside)
        if not s.dead:
            f = self.top(s)
            f.locals[i.rest], f.locals[i.var] = left, member
            yield s, pc + 1, pc + 1

    def top(self, s: Sym) -> Frame:
        return s.running[-1] if s.running else s.frames[-1]


class Ways:
    """The ways that are still to be followed, by place; those that meet are merged."""

    def __init__(self, machine: Machine, code: Code) -> None:
        self.machine = machine
        self.joins = code.joins
        self.at: dict[tuple[float, int], Sym] = {}
        self.order: list[tuple[float, int]] = []

    def waits(self, pc: int) -> bool:
        """Is this a place where ways meet, so that one waits for the others?"""
        return pc in self.joins and bool(self.at)

    def add(self, key: float, pc: int, s: Sym) -> None:
        if s.dead:
            return
        s.running[-1].pc = pc
        other = self.at.get((key, pc))
        if other is None:
            heapq.heappush(self.order, (key, pc))
        self.at[key, pc] = s if other is None else self.machine.merger.merge(other, s)

    def __iter__(self) -> Iterator[tuple[int, Sym]]:
        while self.order:
            at = heapq.heappop(self.order)
            yield at[1], self.at.pop(at)
