"""What dealing with a waiting ability reads and writes, whatever the position: abilities whose footprints are disjoint can
come in either order, and no solver has to be asked."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .....model.ir import nodes as ir
from .....model.ir.flow import functions_used, successors, walk
from .....model.ir.footprints import Footprint, Footprints
from .....model.ir.program import Program
from .resolving import Resolver

TEXTS = ("run text", "run cost")
"""What carries out the scripts of whichever ability it is."""
SCRIPTS = ("text", "cost", "if", "while", "payable")


class FineFootprints(Footprints):
    """Footprints by field: of a record, each of its fields."""

    def groups(self, program: Program) -> Sequence[str]:
        return [s.name.partition("[")[0] if s.group not in (*program.layout.containers, "zones") else s.group
                for s in program.layout.slots]


@dataclass(frozen=True)
class Access:
    """What is read and written, and whether play may end."""

    reads: Footprint
    writes: Footprint
    ends: bool

    def joined(self, other: Access) -> Access:
        return Access(self.reads | other.reads, self.writes | other.writes, self.ends or other.ends)

    def disjoint(self, other: Access) -> bool:
        """Does neither write what the other looks at, and can at most one of them end play?"""
        return not (self.writes & (other.reads | other.writes) or other.writes & self.reads or (self.ends and other.ends))


@dataclass
class Accesses:
    """The footprints of a pool's abilities at a resolver."""

    program: Program
    resolver: Resolver

    @cached_property
    def footprints(self) -> FineFootprints:
        return FineFootprints(self.program)

    @cached_property
    def instructions_around(self) -> list[ir.Instr]:
        """What the resolver itself does with each, the scripts of abilities aside."""
        fn = self.program.functions[self.resolver.loop]
        last = max((pc for pc, i in enumerate(fn.code) if self.resolver.head in successors(i, pc)), default=self.resolver.head)
        body = fn.code[self.resolver.head:last + 1]
        called = [x.function for i in body for x in walk(i) if isinstance(x, ir.Call | ir.Do | ir.Invoke)]
        return [*body, *(i for name in functions_used(self.program, called, TEXTS) for i in self.program.functions[name].code)]

    @cached_property
    def around(self) -> Access:
        """What the resolver itself touches with each, the scripts of abilities aside."""
        return self.own(self.instructions_around)

    def own(self, code: Iterable[ir.Instr]) -> Access:
        """What these instructions touch themselves."""
        found = list(code)
        reads, writes, _ = self.footprints.own(x for i in found for x in walk(i))
        return Access(reads, writes, any(isinstance(i, ir.End) for i in found))

    def of(self, ability: str) -> Access:
        """What dealing with an ability touches, all that comes of it included."""
        out = self.around
        for script in SCRIPTS:
            name = f"{script} {ability}"
            if name in self.program.functions:
                reads, writes = self.footprints.of_function(name)
                ends = any(isinstance(i, ir.End) for f in functions_used(self.program, [name]) for i in self.program.functions[f].code)
                out = out.joined(Access(reads, writes, ends))
        return out

    def settles(self, one: str, other: str) -> bool:
        """Do they lead to the same in both orders, as their footprints show? That one thing less waits is no difference,
        but neither of them may look at what waits or let something wait."""
        containers = self.program.layout.containers
        own = containers[self.resolver.multiset].type
        waits = frozenset(m.name for m in containers.values() if m.type == own)
        a, b = self.of(one), self.of(other)
        texts = [self.footprints.of_function(f"text {x}") for x in (one, other) if f"text {x}" in self.program.functions]
        if any(waits & (reads | writes) for reads, writes in texts):
            return False
        a, b = (Access(x.reads - waits, x.writes - waits, x.ends) for x in (a, b))
        return a.disjoint(b)

    def is_decided_apart(self, one: str, other: str) -> bool:
        """If they lead to the same in both orders: is there nothing to decide in one of the two, or nothing in both that chance does not? Then nobody
        can bring about more in one order: what is decided is the same, and it is never decided knowing more."""
        a, b = self.deciders(one), self.deciders(other)
        return not a or not b or a | b == {ir.ByChance}

    def deciders(self, ability: str) -> frozenset[type[ir.Owner]]:
        """Who may decide something while an ability is dealt with, apart from which one is taken first."""
        scripts = [name for script in SCRIPTS if (name := f"{script} {ability}") in self.program.functions]
        own = self.program.functions[self.resolver.chooser].code[self.resolver.pc]
        code = [i for f in functions_used(self.program, scripts) for i in self.program.functions[f].code] + self.instructions_around
        return frozenset(type(i.owner) for i in code if isinstance(i, ir.Choose | ir.ChooseSome) and i is not own) | (
            {ir.ByNobody} if any(isinstance(i, ir.Consult) for i in code) else set())
