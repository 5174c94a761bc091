"""A procedure in pieces: from a place where what it called may come back to it, a label, or a round of a loop, to the
next one.

Every play is a row of such pieces, however deep the calls lie: a piece runs what it calls, and it ends at a label,
before a round of a loop, or where the procedure that it began in is left. So what every piece keeps holds at every label, whatever the stack.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import networkx as nx

from ...model.ir import nodes as ir
from ...model.ir.flow import call_graph, closure, reachable, successors
from ...model.ir.program import Function, Program
from . import truths as t
from .callers import Callers
from .numbers import Val
from .states import Halt, Sym
from .symbolic import Symbolic, SymbolicState
from .transitions import CARDS_OWN
from .truths import Truth


@dataclass(frozen=True)
class Begin:
    """Where a piece begins: a place in a procedure. At a `label` an option is taken, at a `round` a loop goes on, after
    a `call` its result is there."""

    function: str
    pc: int
    kind: Literal["label", "round", "call", "cut"]
    site: int = -1
    """Where the call stands that has come back."""


@dataclass
class Segment:
    """What may come of a state at the beginning: how play ends, if an option is taken (at a label) and this is assumed."""

    state: SymbolicState
    assumed: list[Truth]
    option: tuple[Val, ...]
    halts: list[Halt]


def begins(program: Program) -> Iterator[Begin]:
    """Where the pieces of a program begin."""
    yield Begin(program.entry, 0, "call")
    waits = procedures_that_wait(program)
    throws = signals(program)
    for name in sorted(nx.descendants(call_graph(program), program.entry) | {program.entry}):
        fn = program.functions[name]
        inside = reachable(fn.code, fn.handlers)
        at_once = happens_at_once(fn)
        for pc in sorted(k for k in inside if k < len(fn.code)):
            match fn.code[pc]:
                case ir.Next():
                    if pc not in at_once:  # there a loop is gone through in one piece
                        yield Begin(name, pc, "round")
                case ir.Label() | ir.Choose() | ir.ChooseSome() | ir.Consult():
                    yield Begin(name, pc, "label")
                case ir.Invoke(function=callee, stop=stop, tail=tail):
                    if stop:
                        yield Begin(name, pc, "label")
                    elif callee.startswith(CARDS_OWN):
                        yield Begin(name, pc, "cut")
                    if callee in waits and not tail:
                        yield Begin(name, pc + 1, "call", pc)
                        yield from (Begin(name, at, "call", pc) for at in caught(fn, pc, throws[callee]))
                case _:
                    pass


def happens_at_once(fn: Function) -> set[int]:
    """The places inside `simultaneously`."""
    def after(at: tuple[int, int]) -> list[tuple[int, int]]:
        pc, depth = at
        i = fn.code[pc]
        within = depth + isinstance(i, ir.BatchBegin) - isinstance(i, ir.BatchEnd)
        return [(to, within) for to in successors(i, pc) if to < len(fn.code)]

    return {pc for pc, depth in closure([(0, 0)], after) if depth}


def procedures_that_wait(program: Program) -> set[str]:
    """Procedures that have a label, or call one that has."""
    direct = {
        f.name
        for f in program.functions.values()
        for i in f.code
        if isinstance(i, ir.Next | ir.Label | ir.Choose | ir.ChooseSome | ir.Consult)
        or (isinstance(i, ir.Invoke) and i.stop)
    }
    calls = call_graph(program)
    return direct.union(*(nx.ancestors(calls, name) for name in direct))


def signals(program: Program) -> dict[str, frozenset[str]]:
    """The signals that may come out of each procedure (or be caught before)."""
    calls = call_graph(program)
    own = {f.name: {i.signal for i in f.code if isinstance(i, ir.Throw)} for f in program.functions.values()}
    return {name: frozenset().union(own[name], *(own[x] for x in nx.descendants(calls, name))) for name in calls}


def caught(fn: Function, pc: int, thrown: frozenset[str]) -> Iterator[int]:
    """Where the handlers go on that catch one of these signals at a place."""
    for signal in sorted(thrown):
        around = [h for h in fn.handlers if h.first <= pc < h.last and h.signal == signal]
        if around:
            yield min(around, key=lambda h: h.last - h.first).target


def piece(symbolic: Symbolic, begin: Begin, callers: Callers) -> Segment:
    """Run one piece from a state of which nothing is known but what `Symbolic.invariants` says and what `callers` say of
    the parameters. Raises Beyond."""
    machine = symbolic.machine
    state = symbolic.fresh_state(places=[(begin.function, begin.pc)])
    assumed: list[Truth] = [callers.admit(begin.function, state.frames[0][2])]
    option: tuple[Val, ...] = ()
    choice = symbolic.program.functions[begin.function].code[begin.pc] if begin.kind == "label" else None
    machine.halts = []
    taken = (
        machine.taken(choice, Sym(list(state.slots)), list(state.frames[0][2]))
        if isinstance(choice, ir.Choose | ir.ChooseSome)
        else None
    )
    if taken is not None:
        option, offered = taken
        assumed += [offered, *(t.no(h.when) for h in machine.halts)]
    elif begin.kind == "label":
        asked = symbolic.question(state)
        assumed += [t.no(h.when) for h in machine.halts]
        option = symbolic.any_option(state)
        if asked is not None:
            assumed += [asked.offered(option)] if asked.reading else [asked.offered(option), asked.several]
    machine.left = []
    try:
        outcome = symbolic.go_on(state) if begin.kind == "call" else symbolic.step(state, option)
        return Segment(state, assumed, option, outcome.halts)
    finally:
        machine.left = None
