"""What code reads and writes of the state."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from .flow import callees_first, nodes_of, spread, walk
from .nodes import (
    Call,
    Clear,
    Consult,
    Do,
    Free,
    Insert,
    Instr,
    Invoke,
    Load,
    New,
    Node,
    PileFind,
    PileTop,
    Put,
    Remove,
    Renew,
    Shuffle,
    Store,
    ZoneCards,
)
from .program import Function, Program
from .remembered import Remembered

Footprint = frozenset[str]
"""Names of slot groups: what a piece of code reads, or writes. Slots count by the field they flatten from."""


TOUCH = (
    Load, ZoneCards, PileTop, PileFind, Store, Put, Shuffle, Renew, Insert, Remove, Clear, New, Free, Consult, Call, Do, Invoke)
"""The nodes that read or write the state, or call."""


@dataclass(frozen=True)
class Touched:
    """What some code reads and writes itself, by slots and by names of groups of slots; the functions that it calls; and whether it
    writes all slots that hold objects."""

    slots_read: frozenset[int]
    slots_written: frozenset[int]
    read: Footprint
    written: Footprint
    called: frozenset[str]
    renews: bool


touched_by: Remembered[Touched] = Remembered(of_types=False)
touched_by_each: Remembered[tuple[Touched | None, ...]] = Remembered(of_types=False)
"""By each instruction; None: nothing."""


def what_each_touches(f: Function) -> tuple[Touched | None, ...]:
    """For each instruction of a function what it touches itself; None if it touches nothing and calls nothing."""
    def find(i: Instr) -> Touched | None:
        nodes = [x for x in walk(i) if isinstance(x, TOUCH)]
        return touched(nodes) if nodes else None
    return touched_by_each.of(f, lambda: tuple(map(find, f.code)))


def touched(nodes: Iterable[Node]) -> Touched:
    """What these nodes touch themselves."""
    slots_read: set[int] = set()
    slots_written: set[int] = set()
    read: set[str] = set()
    written: set[str] = set()
    called: set[str] = set()
    renews = False
    for n in nodes:
        match n:
            case Load(base=b):
                slots_read.add(b)
            case ZoneCards() | PileTop() | PileFind():
                read.add("zones")
            case Store(base=b, op=op):
                slots_written.add(b)
                if op != "set":
                    slots_read.add(b)
            case Put() | Shuffle():
                written.add("zones")
            case Renew():
                renews = True
            case Insert(multiset=m) | Remove(multiset=m) | Clear(multiset=m) | New(pool=m) | Free(pool=m):
                written.add(m)
            case Consult(slot=s):
                slots_written.add(s)
            case Call(function=f) | Do(function=f) | Invoke(function=f):
                called.add(f)
            case _:
                pass
    return Touched(frozenset(slots_read), frozenset(slots_written), frozenset(read), frozenset(written), frozenset(called), renews)


class Footprints:
    """What each function reads and writes, calls included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.group = [s.group for s in program.layout.slots]
        self.done = self._of_functions()

    def _of_functions(self) -> dict[str, tuple[Footprint, Footprint]]:
        """(reads, writes) of every function and all it calls."""
        own = {f.name: touched_by.of(f, lambda f=f: touched(nodes_of(f, *TOUCH))) for f in self.program.functions.values()}
        called = {name: x.called for name, x in own.items()}
        order = callees_first(called)
        reads, writes = (spread({k: place(x) for k, x in own.items()}, called, order) for place in (self.reads, self.writes))
        return {name: (reads[name], writes[name]) for name in own}

    def of_function(self, name: str) -> tuple[Footprint, Footprint]:
        """(reads, writes) of a function and all it calls."""
        return self.done[name]

    def of_node(self, node: Node) -> tuple[Footprint, Footprint]:
        """(reads, writes) of an instruction or expression."""
        return self.of(touched(walk(node)))

    def of(self, x: Touched) -> tuple[Footprint, Footprint]:
        """(reads, writes) of what touches this, and of all that it calls."""
        done = self.done
        return self.reads(x).union(*[done[f][0] for f in x.called]), self.writes(x).union(*[done[f][1] for f in x.called])

    def own(self, nodes: Iterable[Node]) -> tuple[Footprint, Footprint, frozenset[str]]:
        """What these nodes read and write themselves, and which functions they call."""
        x = touched(nodes)
        return self.reads(x), self.writes(x), x.called

    def reads(self, x: Touched) -> Footprint:
        group = self.group
        return x.read.union([group[b] for b in x.slots_read]) if x.slots_read else x.read

    def writes(self, x: Touched) -> Footprint:
        group = self.group
        out = x.written.union([group[b] for b in x.slots_written]) if x.slots_written else x.written
        return out | self.objects if x.renews else out

    @cached_property
    def objects(self) -> Footprint:
        """Where objects are held."""
        return frozenset(g for g, s in zip(self.group, self.program.layout.slots, strict=True) if s.type.role.value == "object")
