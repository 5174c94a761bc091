"""What code reads and writes of the state."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .flow import nodes_of, spread, union
from .nodes import (
    Call,
    Clear,
    Const,
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
    Load,
    ZoneCards,
    PileTop,
    PileFind,
    Store,
    Put,
    Shuffle,
    Renew,
    Insert,
    Remove,
    Clear,
    New,
    Free,
    Consult,
    Call,
    Do,
    Invoke,
)
"""The nodes that read or write the state, or call."""


OBJECTS = "what holds objects"
"""The group of all slots that hold objects."""


@dataclass(frozen=True)
class Touched:
    """What some code reads and writes itself, as slots and names of groups of slots; and the functions that it calls."""

    read: frozenset[int | str]
    written: frozenset[int | str]
    called: frozenset[str]


def touched(nodes: Iterable[Node]) -> Touched:
    """What these nodes touch themselves."""
    read: set[int | str] = set()
    written: set[int | str] = set()
    called: set[str] = set()
    for n in nodes:
        match n:
            case Load(base=b):
                read.add(b)
            case ZoneCards(zone=z) | PileTop(zone=z) | PileFind(zone=z) if z != Const(-1):  # which cards there are, nothing changes
                read.add("zones")
            case Store(base=b, op=op):
                written.add(b)
                if op != "set":
                    read.add(b)
            case Put() | Shuffle():
                written.add("zones")
            case Renew():
                written.add(OBJECTS)
            case Insert(multiset=m) | Remove(multiset=m) | Clear(multiset=m) | New(pool=m) | Free(pool=m):
                written.add(m)
            case Consult(slot=s):
                written.add(s)
            case Call(function=f) | Do(function=f) | Invoke(function=f):
                called.add(f)
    return Touched(frozenset(read), frozenset(written), frozenset(called))


class Footprints:
    """What each function reads and writes, calls included: by name, or as a number with a bit for each group of slots."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.bits: dict[str, int] = {}
        self.of_slot = [self.bit(g) for g in self.groups(program)]
        own = {f.name: touched(nodes_of(f, *TOUCH)) for f in program.functions.values()}
        called = {name: x.called for name, x in own.items()}
        self.all_read = spread({name: self.bits_of(x.read) for name, x in own.items()}, called)
        self.all_written = spread({name: self.bits_of(x.written) for name, x in own.items()}, called)

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
        return self.names(self.bits_of(x.read)), self.names(self.bits_of(x.written)), x.called

    def names(self, bits: int) -> Footprint:
        return frozenset(name for name, bit in self.bits.items() if bits & bit)

    # ------------------------------------------------------------ as bits
    def bit(self, name: str) -> int:
        """The bit of a group."""
        return self.bits.setdefault(name, 1 << len(self.bits))

    def written_by(self, x: Touched) -> int:
        """What is written by what touches this, and by all that it calls."""
        return self.bits_of(x.written) | union(self.all_written[f] for f in x.called)

    def bits_of(self, places: Iterable[int | str]) -> int:
        """The groups of slots, and those named."""
        return union(
            self.of_slot[x] if isinstance(x, int) else self.objects if x == OBJECTS else self.bit(x) for x in places)

    @cached_property
    def objects(self) -> int:
        """Where objects are held."""
        return union(
            bit
            for bit, slot in zip(self.of_slot, self.program.layout.slots, strict=True)
            if slot.type.role.value == "object"
        )
