"""What of a state can go down: how many cards lie in a zone, how many entries wait, numbers, marks, sizes of sets."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...model.ir.flow import liveness
from ...model.ir.program import Function
from ...model.ir.types import Bool, Int, OptionType, SetType, Type
from ..smt import numbers as n
from ..smt.numbers import Val
from ..smt.sorts import CARDS, sort_of
from ..smt.states import Sym
from .counting import Counting


@dataclass(frozen=True)
class Quantity:
    """A number of a state. `kind` and `what`: for its name; it cannot go down for ever; `rises`: nor up; `limit`: the slot or the local that
    must not leave its range for either to be so."""

    kind: str
    what: tuple[int | str, ...]
    read: Callable[[Sym], Val]
    rises: bool = True
    limit: int | str | None = None


def quantities(m: Counting, fn: Function | None = None, pc: int = 0) -> Iterator[Quantity]:
    """What can go down in a program, and (`fn`) in the rule whose loop begins at a place."""
    layout = m.layout
    for z, x in enumerate(layout.zones):
        yield Quantity("zone", (z, x.name), lambda s, k=m.first_size + z: s.slots[k])
    for c in layout.containers.values():
        yield Quantity("entries", (c.name,), lambda s, c=c: n.count(n.bits(s.slots[c.head])) if c.is_pool else s.slots[c.head], rises=False)
    inside = layout.in_containers | layout.of_cards
    for k in range(m.first_size):
        if k not in inside:
            for kind, read, ranged in readings(m, layout.slots[k].type):
                yield Quantity(kind, (k,), lambda s, k=k, read=read: read(s.slots[k]), limit=k if ranged else None)
    if fn is not None:
        alive = liveness(fn)[pc]
        for x, v in enumerate(fn.locals):
            for kind, read, ranged in readings(m, v.type) if x in alive else ():
                if kind != "none":
                    yield Quantity(f"local {kind}", (x, v.name), lambda s, x=x, read=read: read(s.frames[0].locals[x]), limit=v.name if ranged else None)


def readings(m: Counting, of: Type) -> Iterator[tuple[str, Callable[[Val], Val], bool]]:
    """What can be read of a value of a type: which kind of number, how, and whether it can leave its range."""
    match of:
        case Bool():
            yield "mark", lambda v: v, False
        case Int():
            yield "number", lambda v: v, True
        case OptionType(none=none):
            yield "none", lambda v: n.truth(n.equal(v, none)), False
        case SetType():
            yield "set", (lambda v: m.size(v)) if sort_of(of) == CARDS else lambda v: n.count(n.bits(v)), False
        case _:
            pass
