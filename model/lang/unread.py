"""A pass: what only grows and nobody reads is left out."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..ir import nodes as ir
from ..ir.flow import mask_of, members, spread, walk
from ..ir.program import Function, Program
from ..ir.ranges import Ranges
from ..ir.types import Int


def drop_unread(program: Program) -> None:
    """Leave out writes to time stamps and serial numbers: counters that rules only raise, fields that are only set from
    such counters, and of all these those that no rule reads (but to write another of them). They could not be
    observed, and would keep equal situations apart."""
    layout = program.layout
    found_in = [(fn, *find_written_and_read(fn)) for fn in program.functions.values()]
    reads = loads_of(found_in)
    live = 0
    stores: dict[int, list[tuple[Function, ir.Store, int]]] = {}
    for fn, written, others in found_in:
        live |= others.slots(reads)
        for _, i, read in written:
            stores.setdefault(i.base, []).append((fn, i, read.slots(reads)))
    stamps = stamp_slots(program, stores)
    for b in stores.keys() - stamps:
        live |= 1 << b
    todo = [b for b in stores if live >> b & 1]
    while todo:
        for _, _, found in stores.get(todo.pop(), ()):
            todo += members(found & ~live)
            live |= found
    dropped: dict[str, ir.Mark] = {}
    for fn, written, _ in found_in:
        unread = {k: i for k, i, _ in written if not live >> i.base & 1}
        for i in unread.values():
            name = layout.slots[i.base].name
            dropped.setdefault(name[: name.index("[")] if "[" in name else name, i.at)
        if unread:
            fn.code = tuple(ir.Jump(k + 1, at=i.at) if k in unread else i for k, i in enumerate(fn.code))
    program.unread = dropped


@dataclass(frozen=True)
class Read:
    """What some code reads: first slots of places (as bits), and by what it calls."""

    own: int
    called: frozenset[str]

    def slots(self, of: Mapping[str, int]) -> int:
        """First slots of all that is read. `of`: those that each pure function reads."""
        out = self.own
        for f in self.called:
            out |= of.get(f, 0)
        return out


def read_by(instrs: Iterable[ir.Instr]) -> Read:
    inside = [n for i in instrs for n in walk(i)]
    return Read(mask_of(n.base for n in inside if isinstance(n, ir.Load)), frozenset(n.function for n in inside if isinstance(n, ir.Call)))


Written = tuple[tuple[int, ir.Store, Read], ...]
"""Stores, where each stands, and what it reads."""


def find_written_and_read(fn: Function) -> tuple[Written, Read]:
    """The stores of a function, and what it reads otherwise."""
    return (
        tuple((k, i, read_by((i,))) for k, i in enumerate(fn.code) if isinstance(i, ir.Store)),
        read_by(i for i in fn.code if not isinstance(i, ir.Store)),
    )


def stamp_slots(program: Program, stores: Mapping[int, list[tuple[Function, ir.Store, int]]]) -> set[int]:
    """Numbers outside containers that are only raised; and then those that are only raised, or set from one of these
    or to a constant."""
    inside = {c for m in program.layout.containers.values() for c in (m.head, *m.columns)}
    raised = {b: [raises(program, fn, i) for fn, i, _ in all_] for b, all_ in stores.items() if b not in inside}
    out = {b for b, each in raised.items() if all(each)}
    changed = True
    while changed:
        changed = False
        for b, each in raised.items():
            if b in out or not isinstance(program.layout.slots[b].type, Int):
                continue
            stamps = mask_of(out)
            from_stamps = [bool(found & stamps) for _, _, found in stores[b]]
            if any(from_stamps) and all(
                up or by or isinstance(i.value, ir.Const)
                for up, by, (_, i, _) in zip(each, from_stamps, stores[b], strict=True)
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
        case _:
            pass
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


def loads_of(found_in: Iterable[tuple[Function, Written, Read]]) -> dict[str, int]:
    """First slots of the places that each pure function reads, calls included; as bits."""
    out: dict[str, int] = {}
    defines: dict[str, frozenset[str]] = {}
    """What each calls."""
    for fn, _, read in found_in:
        if fn.kind == "define":  # it has no stores
            out[fn.name] = read.own
            defines[fn.name] = read.called
    return spread(out, defines)


__all__ = ["drop_unread"]
