"""A pass: what only grows and nobody reads is left out."""
from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..ir import nodes as ir
from ..ir.flow import calls_of, mask_of, members, nodes_of, spread, union, walk
from ..ir.program import Function, Program
from ..ir.ranges import Ranges
from ..ir.types import Int


def drop_unread(program: Program) -> None:
    """Leave out writes to time stamps and serial numbers: counters that rules only raise, fields that are only set from
    such counters, and of all these those that no rule reads (but to write another of them). They could not be
    observed, and would keep equal situations apart."""
    loads = loads_of(program)

    def read_by(i: ir.Instr) -> int:
        """First slots of the places that an instruction reads, those of the pure functions that it calls included; as bits."""
        inside = walk(i)
        return mask_of(n.base for n in inside if isinstance(n, ir.Load)) | union(loads.get(n.function, 0) for n in inside if isinstance(n, ir.Call))

    stores: dict[int, list[Stored]] = {}
    live = 0
    for fn in program.functions.values():
        for i in fn.code:
            if isinstance(i, ir.Store):
                stores.setdefault(i.base, []).append(Stored(fn, i, read_by(i)))
            else:
                live |= read_by(i)
    live |= mask_of(stores.keys() - stamp_slots(program, stores))
    todo = [b for b in stores if live >> b & 1]
    while todo:
        for s in stores.get(todo.pop(), ()):
            todo += members(s.read & ~live)
            live |= s.read
    dropped: dict[str, ir.Mark] = {}
    for fn in program.functions.values():
        unread = {k: i for k, i in enumerate(fn.code) if isinstance(i, ir.Store) and not live >> i.base & 1}
        for i in unread.values():
            dropped.setdefault(program.layout.slots[i.base].name.split("[")[0], i.at)
        if unread:
            fn.code = tuple(ir.Jump(k + 1, at=i.at) if k in unread else i for k, i in enumerate(fn.code))
    program.unread = dropped


class Stored(NamedTuple):
    """A store: in which function, and the first slots of places that are read for it (as bits)."""

    fn: Function
    store: ir.Store
    read: int


def stamp_slots(program: Program, stores: Mapping[int, list[Stored]]) -> set[int]:
    """Numbers outside containers that are only raised; and then those that are only raised, or set from one of these
    or to a constant."""
    inside = {c for m in program.layout.containers.values() for c in (m.head, *m.columns)}
    raised = {b: [raises(program, s.fn, s.store) for s in all_] for b, all_ in stores.items() if b not in inside}
    out = {b for b, each in raised.items() if all(each)}
    changed = True
    while changed:
        changed = False
        for b, each in raised.items():
            if b in out or not isinstance(program.layout.slots[b].type, Int):
                continue
            stamps = mask_of(out)
            from_stamps = [bool(s.read & stamps) for s in stores[b]]
            if any(from_stamps) and all(
                up or by or isinstance(s.store.value, ir.Const)
                for up, by, s in zip(each, from_stamps, stores[b], strict=True)
            ):
                out.add(b)
                changed = True
    return out


def raises(program: Program, fn: Function, i: ir.Store) -> bool:
    """Does the store only raise a number, whatever the state?"""
    slots = program.layout.slots
    if not isinstance(slots[i.base].type, Int):
        return False
    by = i.value if i.op == "add" else None
    match i:
        case ir.Store(op="set", value=ir.Binary(op="add", a=ir.Load(base=b, index=at), b=more)) if (b, at) == (
            i.base,
            i.index,
        ):
            by = more
    if by is None:
        return False
    ranges = Ranges(
        lambda k: slots[k].type,
        lambda x: fn.locals[x].type,
        lambda f: program.functions[f].result if f in program.functions else None,
        program.tables,
        program.layout.card_count,
    )
    return ranges.of(by)[0] >= 0


def loads_of(program: Program) -> dict[str, int]:
    """First slots of the places that each pure function reads, calls included; as bits."""
    defines = [fn for fn in program.functions.values() if fn.kind == "define"]  # they have no stores
    return spread({fn.name: mask_of(n.base for n in nodes_of(fn, ir.Load)) for fn in defines}, {fn.name: calls_of(fn) for fn in defines})
