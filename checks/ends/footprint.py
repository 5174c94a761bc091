"""What code may write, and all that it calls: slots, what is said of cards, where they lie, what is in containers."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ...model.ir import nodes as ir
from ...model.ir.program import Program
from ...model.ir.types import Role
from ..smt.segments import signals


@dataclass
class Written:
    """What may be written."""

    slots: set[int] = field(default_factory=set[int])
    blocks: set[int] = field(default_factory=set[int])
    entries: set[str] = field(default_factory=set[str])
    zones: bool = False
    renews: bool = False

    def __or__(self, other: Written) -> Written:
        return Written(
            self.slots | other.slots, self.blocks | other.blocks, self.entries | other.entries, self.zones or other.zones, self.renews or other.renews)


class Footprints:
    """Of the functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.layout = program, program.layout
        self.blocks = {b + k: b for b in self.layout.per_card for k in range(self.layout.card_count)}
        self.known: dict[str, Written] = {}

    @cached_property
    def signals(self) -> dict[str, frozenset[str]]:
        return signals(self.program)

    def own(self, i: ir.Instr) -> Written:
        """What an instruction itself writes."""
        out = Written()
        match i:
            case ir.Store(base=b, count=count):
                if b in self.blocks:
                    out.blocks.add(self.blocks[b])
                else:
                    out.slots.update(range(b, b + count))
            case ir.Put():
                out.zones = True
            case ir.Insert(multiset=m) | ir.Remove(multiset=m) | ir.Clear(multiset=m):
                out.entries.add(m)
            case ir.New(pool=m) | ir.Free(pool=m):
                out.entries.add(m)
                out.slots.update(c + k for c in self.layout.containers[m].columns for k in range(self.layout.containers[m].capacity))
            case ir.Renew():
                out.renews = True
                objects = {k for k, x in enumerate(self.layout.slots) if x.type.role is Role.OBJECT}
                out.blocks.update(self.blocks[k] for k in objects if k in self.blocks)
                out.slots.update(k for k in objects if k not in self.blocks)
            case ir.Consult(slot=slot):
                out.slots.add(slot)
            case _:
                pass
        return out

    def called(self, code: Iterable[ir.Instr]) -> set[str]:
        """The functions that are carried out, calls of calls included."""
        todo = [i.function for i in code if isinstance(i, ir.Do | ir.Invoke)]
        out: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in out:
                out.add(name)
                todo += [i.function for i in self.program.functions[name].code if isinstance(i, ir.Do | ir.Invoke)]
        return out

    def of(self, code: Iterable[ir.Instr]) -> Written:
        """What code may write, calls included."""
        code = list(code)
        out = Written()
        for i in code:
            out |= self.own(i)
        for name in self.called(code):
            if name not in self.known:
                own = Written()
                for i in self.program.functions[name].code:
                    own |= self.own(i)
                self.known[name] = own
            out |= self.known[name]
        return out
