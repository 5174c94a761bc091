"""Facts about control flow: successors, liveness, tail calls, recursion, footprints."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import networkx as nx

from .nodes import (
    Assign, Binder, Branch, Call, Choose, ChooseSome, Clear, Consult, Do, End, Expr, Fold, Free, Insert, Instr, Invoke,
    Jump, Load, Local, New, Next, Node, PileFind, PileTop, Put, Remove, Renew, Return, Shuffle, Store, Throw, ZoneCards,
)
from .program import Function, Program


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node."""
    for f in fields(node):
        v = getattr(node, f.name)
        if isinstance(v, Node):
            yield v
        elif isinstance(v, tuple):
            for x in v:  # pyright: ignore[reportUnknownVariableType]
                if isinstance(x, Node):
                    yield x


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes inside it."""
    yield node
    for c in children(node):
        yield from walk(c)


def successors(instr: Instr, pc: int) -> tuple[int, ...]:
    """Where control may go after the instruction, exceptions aside."""
    match instr:
        case Return() | Throw() | End():
            return ()
        case Jump(target=t):
            return (t,)
        case Branch(otherwise=t):
            return (pc + 1, t)
        case Next(done=t):
            return (pc + 1, t)
        case _:
            return (pc + 1,)


def assigned(instr: Instr) -> frozenset[int]:
    """Locals that the instruction always sets."""
    match instr:
        case Assign(local=x) | New(local=x) | ChooseSome(local=x):
            return frozenset((x,))
        case Choose(locals=xs):
            return frozenset(xs)
        case Do(local=x) | Invoke(local=x):
            return frozenset(() if x is None else (x,))
        case Next(rest=r, var=_):
            return frozenset()
        case _:
            return frozenset()


def bound_inside(instr: Instr) -> frozenset[int]:
    """Locals that serve as variables of folds and offers inside the instruction."""
    out: set[int] = set()
    for n in walk(instr):
        if isinstance(n, Fold | Binder | PileFind):
            out.add(n.var)
    return frozenset(out)


def used(instr: Instr) -> frozenset[int]:
    """Locals whose value before the instruction matters to it."""
    out = {n.index for n in walk(instr) if isinstance(n, Local)}
    if isinstance(instr, Next):
        out.add(instr.rest)
    return frozenset(out) - bound_inside(instr)


def liveness(fn: Function) -> list[frozenset[int]]:
    """For each place in the code, the locals whose value may still be read."""
    n = len(fn.code)
    use = [used(i) for i in fn.code]
    kill = [assigned(i) for i in fn.code]
    to = [list(successors(i, k)) for k, i in enumerate(fn.code)]
    for h in fn.handlers:
        for k in range(h.first, h.last):
            to[k].append(h.target)
    live: list[frozenset[int]] = [frozenset() for _ in range(n)]
    changed = True
    while changed:
        changed = False
        for k in range(n - 1, -1, -1):
            out = frozenset[int]().union(*(live[t] for t in to[k] if t < n))
            now = use[k] | (out - kill[k])
            if now != live[k]:
                live[k], changed = now, True
    return live


def live_across_calls(fn: Function, live: list[frozenset[int]]) -> list[frozenset[int]]:
    """For each call, the locals that matter while it runs: those live after it, its result aside."""
    out: list[frozenset[int]] = []
    for k, i in enumerate(fn.code):
        after = live[k + 1] if k + 1 < len(live) else frozenset[int]()
        for h in fn.handlers:
            if h.first <= k < h.last:
                after |= live[h.target]
        out.append(after - assigned(i))
    return out


def call_graph(program: Program) -> nx.DiGraph[str]:
    """Which procedure invokes which."""
    g: nx.DiGraph[str] = nx.DiGraph()
    for f in program.functions.values():
        g.add_node(f.name)
        for i in f.code:
            if isinstance(i, Invoke):
                g.add_edge(f.name, i.function)
    return g


def mark_calls(program: Program) -> None:
    """Set `stop` on calls inside a recursive component, and `tail` where the caller has nothing left to do."""
    g = call_graph(program)
    component = {v: k for k, c in enumerate(nx.strongly_connected_components(g)) for v in c}
    recursive = {
        v for c in nx.strongly_connected_components(g) for v in c if len(c) > 1 or g.has_edge(v, v)
    }
    for f in program.functions.values():
        for k, i in enumerate(f.code):
            if isinstance(i, Invoke):
                stop = f.name in recursive and component[f.name] == component[i.function]
                covered = any(h.first <= k < h.last for h in f.handlers)
                tail = not f.scope and not covered and returns_only(f, k + 1, i.local)
                f.code[k] = replace(i, stop=stop, tail=tail)


def returns_only(fn: Function, pc: int, result: int | None) -> bool:
    """Does the code from `pc` on do nothing but return the result (or nothing, where there is none)?"""
    seen: set[int] = set()
    while pc not in seen and pc < len(fn.code):
        seen.add(pc)
        match fn.code[pc]:
            case Jump(target=t):
                pc = t
            case Return(value=None):
                return result is None or fn.result.width == 0
            case Return(value=Local(index=x)):
                return x == result
            case _:
                return False
    return False


# ---------------------------------------------------------------- footprints
Footprint = frozenset[str]
"""Names of slot groups: what a piece of code reads, or writes. Slots count by the field they flatten from."""


class Footprints:
    """What each function reads and writes, calls included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.done: dict[str, tuple[Footprint, Footprint]] = {}
        self.group = [s.group for s in program.layout.slots]

    def of_function(self, name: str) -> tuple[Footprint, Footprint]:
        """(reads, writes) of a function and all it calls."""
        if name not in self.done:
            self.done[name] = (frozenset(), frozenset())  # recursion: the least fixpoint needs two rounds
            for _ in range(2):
                r: set[str] = set()
                w: set[str] = set()
                for i in self.program.functions[name].code:
                    a, b = self.of_node(i)
                    r |= a
                    w |= b
                self.done[name] = (frozenset(r), frozenset(w))
        return self.done[name]

    def of_node(self, node: Node) -> tuple[Footprint, Footprint]:
        """(reads, writes) of an instruction or expression."""
        r: set[str] = set()
        w: set[str] = set()
        for n in walk(node):
            match n:
                case Load(base=b):
                    r.add(self.group[b])
                case ZoneCards() | PileTop() | PileFind():
                    r.add("zones")
                case Store(base=b):
                    w.add(self.group[b])
                case Put() | Shuffle():
                    w.add("zones")
                case Renew():
                    w.update(s.group for s in self.program.layout.slots if s.type.role.value == "object")
                case Insert(multiset=m) | Remove(multiset=m) | Clear(multiset=m):
                    w.add(m)
                case New(pool=m) | Free(pool=m):
                    w.add(m)
                case Consult(slot=s):
                    w.add(self.group[s])
                case Call(function=f) | Do(function=f) | Invoke(function=f):
                    a, b = self.of_function(f)
                    r |= a
                    w |= b
                case _:
                    pass
        return frozenset(r), frozenset(w)


def expressions(instr: Instr) -> Iterator[Expr]:
    """The outermost expressions of an instruction."""
    for c in children(instr):
        if isinstance(c, Expr):
            yield c
        else:
            for d in children(c):
                if isinstance(d, Expr):
                    yield d
