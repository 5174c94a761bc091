"""What code reads and writes of the state."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .flow import nodes_of, spread, union
from .nodes import (
    Call,
    Clear,
    Consult,
    Do,
    Free,
    Insert,
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
from .program import Program

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
    return Touched(frozenset(slots_read), frozenset(slots_written), frozenset(read), frozenset(written), frozenset(called), renews)


class Footprints:
    """What each function reads and writes, calls included: by name, or as a number with a bit for each group of slots."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.bits: dict[str, int] = {}
        self.known: dict[int, Footprint] = {}
        self.of_slot = [self.bit(g) for g in self.groups(program)]
        own = {f.name: touched(nodes_of(f, *TOUCH)) for f in program.functions.values()}
        called = {name: x.called for name, x in own.items()}
        self.all_read = spread({name: self.bits_read(x) for name, x in own.items()}, called)
        self.all_written = spread({name: self.bits_written(x) for name, x in own.items()}, called)

    def groups(self, program: Program) -> Sequence[str]:
        """The group of each slot."""
        return [s.group for s in program.layout.slots]

    # ------------------------------------------------------------ by name
    def of_function(self, name: str) -> tuple[Footprint, Footprint]:
        """(reads, writes) of a function and all it calls."""
        return self.names(self.all_read[name]), self.names(self.all_written[name])

    def own(self, nodes: Iterable[Node]) -> tuple[Footprint, Footprint, frozenset[str]]:
        """What these nodes read and write themselves, and which functions they call."""
        x = touched(nodes)
        return self.names(self.bits_read(x)), self.names(self.bits_written(x)), x.called

    def names(self, bits: int) -> Footprint:
        known = self.known.get(bits)
        if known is None:
            known = self.known[bits] = frozenset(name for name, bit in self.bits.items() if bits & bit)
        return known

    # ------------------------------------------------------------ as bits
    def bit(self, name: str) -> int:
        """The bit of a group."""
        return self.bits.setdefault(name, 1 << len(self.bits))

    def written_by(self, x: Touched) -> int:
        """What is written by what touches this, and by all that it calls."""
        return self.bits_written(x) | union(self.all_written[f] for f in x.called)

    def bits_read(self, x: Touched) -> int:
        """What is read without calls."""
        return union([*(self.of_slot[b] for b in x.slots_read), *map(self.bit, x.read)])

    def bits_written(self, x: Touched) -> int:
        """What is written without calls."""
        return union([self.objects if x.renews else 0, *(self.of_slot[b] for b in x.slots_written), *map(self.bit, x.written)])

    @cached_property
    def objects(self) -> int:
        """Where objects are held."""
        return union(bit for bit, slot in zip(self.of_slot, self.program.layout.slots, strict=True) if slot.type.role.value == "object")
