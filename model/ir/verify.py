"""What must hold of a program between any two passes. A violation is a defect of ours, never of the rules."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from . import nodes as ir
from .flow import successors, walk
from .program import Function, Program

Demand = Callable[[bool, int, str], None]
"""Demands that something holds at a place in the code; says what."""
Calling = tuple[str, int, str, int]
"""A call: of which function, how many arguments, what kind it has to be, and where it stands."""


@dataclass
class Verified:
    """What was found right: for each function what it consisted of then, and what it calls; and how all could be called."""

    functions: dict[str, tuple[tuple[object, ...], list[Calling]]] = field(
        default_factory=dict[str, tuple[tuple[object, ...], list[Calling]]]
    )
    heads: Mapping[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])


class MalformedProgram(Exception):
    """A program violates an invariant of the IR; the message names function, instruction and invariant."""


def verify(program: Program, verified: Verified | None = None) -> None:
    """Raise MalformedProgram unless: jumps stay inside the code and control never runs off its end; locals and slots
    exist; functions and tables named exist and are called with the right number of arguments; only procedures
    contain labels, choices, calls of procedures and signals; defines change nothing; batches are closed. `verified`: what is known
    since the last time; of a function that consists of the same still, only its calls are looked at, if there is another one to call."""
    verified = verified or Verified()
    heads = {fn.name: (fn.kind, fn.arity) for fn in program.functions.values()}
    as_before = heads == verified.heads
    for fn in program.functions.values():
        parts = (program.layout.containers, fn.kind, fn.arity, fn.locals, fn.code, fn.handlers)
        before, calls = verified.functions.get(fn.name, ((), []))
        if before != parts:
            verified.functions[fn.name] = parts, calls = parts, check_function(program, fn)
        elif as_before:
            continue
        for name, given, kind, k in calls:
            if heads.get(name) != (kind, given):
                demand = demanding(fn)
                demand(name in heads, k, f"the function {name} exists")
                demand(heads[name][0] == kind, k, f"{name} is a {kind}, not a {heads[name][0]}")
                demand(heads[name][1] == given, k, f"{name} takes {heads[name][1]} arguments, not {given}")
    verified.heads = heads
    if program.entry not in program.functions:
        raise MalformedProgram(f"there is no entry {program.entry}")


def demanding(fn: Function) -> Demand:
    def demand(holds: bool, k: int, what: str) -> None:
        if not holds:
            raise MalformedProgram(f"{fn.name} at {k}: {what}: {fn.code[k] if k < len(fn.code) else 'end'}")
    return demand


SILENT = frozenset((ir.Const, ir.Unary, ir.Binary, ir.All, ir.Any, ir.If, ir.Present, ir.Within))
"""The commonest nodes that name nothing which has to be there."""


def check_function(program: Program, fn: Function) -> list[Calling]:
    """Verify one function but for its calls, which it gives."""
    demand, calls = demanding(fn), list[Calling]()
    demand(bool(fn.code), 0, "a function has code")
    n, slots = len(fn.code), len(program.layout.slots)
    for k, i in enumerate(fn.code):
        for to in successors(i, k):
            if not 0 <= to < n:  # the commonest demands are written so that no text is made in vain
                demand(False, k, f"control goes to {to}, outside the code")
        check_place(fn, i, k, demand)
        for x in walk(i):
            if type(x) in SILENT:
                continue
            match x:
                case ir.Local(index=v):
                    if not 0 <= v < len(fn.locals):
                        demand(False, k, f"local {v} exists")
                case ir.Assign(local=v) | ir.New(local=v) | ir.ChooseSome(local=v):
                    demand(0 <= v < len(fn.locals), k, f"local {v} exists")
                case ir.Load(base=b, count=c) | ir.Store(base=b, count=c):
                    if b < 0 or b + c > slots:
                        demand(False, k, f"slots {b}..{b + c - 1} exist")
                case ir.Table(table=t):
                    if not 0 <= t < len(program.tables):
                        demand(False, k, f"table {t} exists")
                case ir.Call(function=f, args=args):
                    calls.append((f, len(args), "define", k))
                case ir.Do(function=f, args=args):
                    calls.append((f, len(args), "step", k))
                case ir.Invoke(function=f, args=args):
                    calls.append((f, len(args), "procedure", k))
                case ir.Insert(multiset=m, values=v) | ir.Remove(multiset=m, values=v) | ir.New(pool=m, values=v):
                    info = program.layout.containers.get(m)
                    demand(info is not None and len(info.columns) == len(v), k, f"{m} takes that many values")
    for h in fn.handlers:
        demand(0 <= h.first <= h.last <= n and 0 <= h.target < n, 0, "handlers lie inside the code")
    check_batches(fn, demand)
    return calls


def check_batches(fn: Function, demand: Demand) -> None:
    """On every path batches are begun before they end, not nested, closed before the function is left, and nothing
    interrupts them."""
    inside: dict[int, bool] = {}
    todo = [(0, False)]
    while todo:
        k, is_open = todo.pop()
        if k in inside:
            demand(inside[k] == is_open, k, "a batch is open on all paths to here, or on none")
            continue
        inside[k] = is_open
        i = fn.code[k]
        match i:
            case ir.BatchBegin():
                demand(not is_open, k, "batches are not nested")
                is_open = True
            case ir.BatchEnd():
                demand(is_open, k, "a batch is begun before it ends")
                is_open = False
            case ir.Return() | ir.Throw() | ir.Label() | ir.Choose() | ir.ChooseSome() | ir.Invoke() | ir.Consult():
                demand(not is_open, k, "a batch is closed before this")
        todo += [(to, is_open) for to in successors(i, k)]
        todo += [(h.target, False) for h in fn.handlers if h.first <= k < h.last]


def check_place(fn: Function, i: ir.Instr, k: int, demand: Demand) -> None:
    """What kind of function an instruction may stand in."""
    match i:
        case ir.Label() | ir.Choose() | ir.ChooseSome() | ir.Invoke() | ir.Throw() | ir.Consult():
            demand(fn.kind == "procedure", k, f"a {fn.kind} cannot be interrupted")
        case (ir.Store() | ir.Put() | ir.Shuffle() | ir.Renew() | ir.Insert() | ir.Remove() | ir.Clear() | ir.New()
              | ir.Free() | ir.Do() | ir.BatchBegin() | ir.BatchEnd()):
            demand(fn.kind != "define", k, "a define changes nothing")

