"""What of a state can go down: how many cards lie in a zone, how many entries wait, numbers, marks."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...model.ir.flow import liveness
from ...model.ir.program import Function
from ...model.ir.types import AbilityType, Bool, Int, OptionType, SetType
from .states import Space, Sym
from .terms import Num, SetOf, choose, equal, num


@dataclass(frozen=True)
class Quantity:
    """A number of a state. `kind` and `what`: for its name; `falls`: it cannot go down for ever, `rises`: nor up; `limits`: the numbers
    that must not leave their ranges for either to be so, as the ways tell of them."""

    kind: str
    what: tuple[int | str, ...]
    read: Callable[[Sym], Num]
    falls: bool = True
    rises: bool = False
    limits: tuple[int, ...] = ()


def quantities(space: Space, fn: Function | None = None, pc: int = 0) -> Iterator[Quantity]:
    """What can go down in a program, and (`fn`) in the rule whose loop begins at a place."""
    layout = space.layout
    for z, x in enumerate(layout.zones):
        yield Quantity("zone", (z, x.name), lambda s, z=z: space.select(s.sizes, z), rises=True)
    for m in layout.containers.values():
        yield Quantity("entries", (m.name,), lambda s, name=m.name: s.entries[name].size)
        n = space.ability(m) if not m.is_pool else None
        if n is not None:
            of = layout.slots[m.columns[n]].type
            assert isinstance(of, AbilityType)
            for k in range(of.count):
                yield Quantity("ability", (m.name, k), lambda s, name=m.name, k=k: space.select(s.entries[name].of_each, k))
    for b, values in space.counted.items():
        for v in values:
            plain = v is None
            yield Quantity("cards", (b, -2 if plain else v), lambda s, b=b, v=v: s.sums[b, v], rises=True, limits=(b,) if plain else ())
    for k in space.plain:
        of = layout.slots[k].type
        match of:
            case Bool():
                yield Quantity("mark", (k,), lambda s, k=k: num(s.slots[k]), rises=True)
            case Int():
                yield Quantity("number", (k,), lambda s, k=k: num(s.slots[k]), rises=True, limits=(k,))
            case OptionType():
                yield Quantity("none", (k,), lambda s, k=k, none=of.none: num(choose(equal(s.slots[k], none), 1, 0)), rises=True)
            case SetType():
                yield Quantity("set", (k,), lambda s, k=k: size_of(space, s.slots[k]), rises=True)
            case _:
                pass
    if fn is not None:
        alive = liveness(fn)[pc]
        for x, v in enumerate(fn.locals):
            if x not in alive:
                continue
            match v.type:
                case Bool():
                    yield Quantity("local mark", (x, v.name), lambda s, x=x: num(s.frames[0][x]), rises=True)
                case Int():
                    yield Quantity("local number", (x, v.name), lambda s, x=x: num(s.frames[0][x]), rises=True, limits=(-1 - x,))
                case SetType():
                    yield Quantity("local set", (x, v.name), lambda s, x=x: size_of(space, s.frames[0][x]), rises=True)
                case _:
                    pass


def size_of(space: Space, v: object) -> Num:
    """The size of a set."""
    if isinstance(v, int):
        return v.bit_count()
    assert isinstance(v, SetOf)
    if not v.has_size:
        v.size = space.new.size(v.empty)
    return v.the_size
