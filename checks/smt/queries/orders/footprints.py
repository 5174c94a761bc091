"""What dealing with a waiting ability reads and writes, whatever the position: abilities whose footprints are disjoint can
come in either order, and no solver has to be asked."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from .....model.ir import nodes as ir
from .....model.ir.build import TRUE
from .....model.ir.flow import call_graph, closure, functions_used, successors, walk
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
    """What is read and written, whether play may end, and whether a signal may leave what goes through all that waits."""

    reads: Footprint
    writes: Footprint
    ends: bool
    throws: bool

    def joined(self, other: Access) -> Access:
        return Access(
            self.reads | other.reads, self.writes | other.writes, self.ends or other.ends, self.throws or other.throws
        )

    def disjoint(self, other: Access) -> bool:
        """Does neither write what the other looks at, can at most one of them end play, and does neither keep the other from being dealt with?"""
        return not (
            self.writes & (other.reads | other.writes)
            or other.writes & self.reads
            or (self.ends and other.ends)
            or self.throws
            or other.throws
        )


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
        last = max(
            (pc for pc, i in enumerate(fn.code) if self.resolver.head in successors(i, pc)), default=self.resolver.head
        )
        body = fn.code[self.resolver.head:last + 1]
        called = [x.function for i in body for x in walk(i) if isinstance(x, ir.Call | ir.Do | ir.Invoke)]
        return [
            *body,
            *(i for name in functions_used(self.program, called, TEXTS) for i in self.program.functions[name].code),
        ]

    @cached_property
    def around(self) -> Access:
        """What the resolver itself touches with each, the scripts of abilities aside."""
        return self.own(self.instructions_around)

    @cached_property
    def others_may_go(self) -> bool:
        """May the resolver take away more of what waits than the one that it deals with?"""
        taken = [
            i
            for i in self.instructions_around
            if isinstance(i, ir.Remove | ir.Clear) and i.multiset == self.resolver.multiset
        ]
        return len(taken) > 1 or any(isinstance(i, ir.Clear) for i in taken)

    @cached_property
    def asks_what_waits(self) -> bool:
        """May it hang on what else waits whether the one that is taken is dealt with? A loop that goes on while there is any goes through all."""
        calls = call_graph(self.program)
        carry_out = {f for text in TEXTS if text in calls for f in (text, *nx.ancestors(calls, text))}
        waits = self.resolver.multiset

        def comes_to_texts(code: Sequence[ir.Instr], pc: int) -> bool:
            def going_on(places: Iterable[int]) -> list[int]:
                return [k for k in places if k < len(code) and not isinstance(code[k], ir.Label)]

            there = [code[k] for k in closure(going_on([pc]), lambda k: going_on(successors(code[k], k)))]
            return any(isinstance(i, ir.Invoke) and i.function in carry_out for i in there)
        for name in {self.resolver.loop, *functions_used(self.program, [self.resolver.loop], TEXTS)} & carry_out:
            code = self.program.functions[name].code
            for pc, i in enumerate(code):
                asks = (
                    isinstance(i, ir.Branch)
                    and waits in self.own([i]).reads
                    and (not isinstance(code[pc - 1], ir.Label) or self.counts(i))
                )
                if asks and len({comes_to_texts(code, to) for to in successors(i, pc)}) > 1:
                    return True
        return False

    def counts(self, test: ir.Branch) -> bool:
        """Does it go by how much waits, not only by whether any does?"""
        head = self.program.layout.containers[self.resolver.multiset].head

        def is_size(e: ir.Expr) -> bool:
            return isinstance(e, ir.Load) and e.base == head

        return any(
            (isinstance(x, ir.Binary) and (is_size(x.a) or is_size(x.b)) and (x.op, x.b) != ("ne", ir.Const(0)))
            or (isinstance(x, ir.Fold) and x.kind not in ("any", "all"))
            for x in walk(test)
        )

    def own(self, code: Iterable[ir.Instr]) -> Access:
        """What these instructions touch themselves."""
        found = list(code)
        reads, writes, _ = self.footprints.own(x for i in found for x in walk(i))
        return Access(reads, writes, any(map(self.may_stop, found)), any(isinstance(i, ir.Throw) for i in found))

    def may_stop(self, i: ir.Instr) -> bool:
        """May play go no further here: as it says, because nothing can be chosen, because what happens at once contradicts itself, or because
        it goes round for ever? Not where the resolver itself takes one, and goes through what waits."""
        own = (self.resolver.chooser, self.resolver.pc), (self.resolver.loop, self.resolver.head)
        if any(i is self.program.functions[name].code[pc] for name, pc in own):
            return False
        is_sure = isinstance(i, ir.Choose) and any(not o.binders and o.test == TRUE for o in i.offers)
        return isinstance(i, ir.End | ir.BatchBegin | ir.Label | ir.Choose) and not is_sure

    def of(self, ability: str) -> Access:
        """What dealing with an ability touches, all that comes of it included."""
        out = self.around
        for script in SCRIPTS:
            name = f"{script} {ability}"
            if name in self.program.functions:
                reads, writes = self.footprints.of_function(name)
                code = [i for f in functions_used(self.program, [name]) for i in self.program.functions[f].code]
                out = out.joined(replace(self.own(code), reads=reads, writes=writes))
        return out

    def settles(self, one: str, other: str) -> bool:
        """Do they lead to the same in both orders, as their footprints show? That one thing less waits is no difference,
        but neither of them may look at what waits or let something wait."""
        containers = self.program.layout.containers
        own = containers[self.resolver.multiset].type
        waits = frozenset(m.name for m in containers.values() if m.type == own)
        a, b = self.of(one), self.of(other)
        texts = [
            self.footprints.of_function(f"text {x}") for x in (one, other) if f"text {x}" in self.program.functions
        ]
        if any(waits & (reads | writes) for reads, writes in texts) or self.others_may_go or self.asks_what_waits:
            return False
        a, b = (replace(x, reads=x.reads - waits, writes=x.writes - waits) for x in (a, b))
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
        code = [
            i for f in functions_used(self.program, scripts) for i in self.program.functions[f].code
        ] + self.instructions_around
        return frozenset(type(i.owner) for i in code if isinstance(i, ir.Choose | ir.ChooseSome) and i is not own) | (
            {ir.ByNobody} if any(isinstance(i, ir.Consult) for i in code) else set())
