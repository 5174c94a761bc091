"""A translated program under answers to its readings: what they and what is printed decide is worked out, and what is never done in
this world is left out; so is what only grows and nobody reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...spec.groups import grouped
from ..ir import nodes as ir
from ..ir.build import FALSE, binary, both, either, negate, pick, unary
from ..ir.flow import calls_of, functions_used, mask_of, members, nodes_of, rewrite, spread, union, walk
from ..ir.program import Function, Program, Slot
from ..ir.ranges import Ranges
from ..ir.tidy import in_short
from ..ir.types import Int, OptionType, ReadingType


@dataclass(frozen=True)
class Fixed:
    """What is the same in every state of a world: the answers to readings (a number each), or the slots that they are in; what is printed (the
    values in each table), and the sizes of containers that nothing is ever added to (the slots that hold them)."""

    answers: Mapping[str, int]
    slots: Mapping[str, int]
    printed: Sequence[frozenset[int]]
    empty: frozenset[int] = frozenset()

    def decides(self, n: ir.Node) -> bool:
        """Is the value of the node known by that?"""
        match n:
            case ir.Answer():
                return True
            case ir.Load(base=base, index=None):
                return base in self.empty
            case ir.Binary(op="eq" | "ne", a=ir.Table(table=table), b=ir.Const(value=v)):
                return v not in self.printed[table]
            case _:
                return False


def with_slots(program: Program, readings: Mapping[str, tuple[str, ...]]) -> Program:
    """The program with a slot for the answer to each of these readings (with its alternatives), which are branched over."""
    slots = tuple(
        Slot(f"reading {r}", OptionType(ReadingType(r, len(answers), answers)), -1, f"reading {r}")
        for r, answers in readings.items()
    )
    first = len(program.layout.slots)
    return replace(
        program, layout=replace(program.layout, slots=(*program.layout.slots, *slots)), readings=readings,
        reading_slots={r: first + k for k, r in enumerate(readings)})


def linked(program: Program, answers: Mapping[str, int]) -> Program:
    """The program under these answers (reading → its alternative's number, or a number), and with those from their slots that are branched
    over; the one that is given stays as it is. A container to which none of its rules and texts adds anything is empty: no position can fill it."""
    tables, layout = list(program.tables), program.layout
    functions, fixed = (
        program.functions,
        Fixed(answers, program.reading_slots, [frozenset(values) for values in tables]),
    )
    while True:
        functions = {name: under(fn, fixed) for name, fn in functions.items()}
        filled = {
            i.multiset if isinstance(i, ir.Insert) else i.pool
            for fn in functions.values()
            for i in fn.code
            if isinstance(i, ir.Insert | ir.New)
        }
        empty = frozenset(m.head for m in layout.containers.values() if m.name not in filled)
        if empty == fixed.empty:
            break
        fixed = replace(fixed, empty=empty)
    slots = tuple(replace(s, type=Int(0, 0)) if k in empty else s for k, s in enumerate(layout.slots))
    return replace(
        program, layout=replace(layout, slots=slots) if empty else layout, functions=functions, tables=tables,
        verdicts=tuple(replace(v, clauses=clauses_of(program, functions, v.function)) for v in program.verdicts),
        norms=tuple(replace(n, clauses=clauses_of(program, functions, n.function)) for n in program.norms))


def clauses_of(program: Program, functions: Mapping[str, Function], name: str) -> tuple[str, ...]:
    """The clauses that a function cites, the most frequent first; of one that cites none, those that what it calls cites."""
    def cited(names: Collection[str]) -> tuple[str, ...]:
        return tuple(
            c
            for c, _ in Counter(
                c for n, fn in functions.items() if n in names for i in fn.code for c in i.at.clauses
            ).most_common()
        )

    return cited([name]) or cited(functions_used(program, [name]))


def under(fn: Function, fixed: Fixed) -> Function:
    """A function in which what is fixed is worked out, and what is never done because of that is left out."""
    decided = [any(map(fixed.decides, walk(i))) for i in fn.code]
    if not any(decided):
        return replace(fn)  # passes change it
    code = [
        rewrite(i, lambda n: worked_out(n, fixed)) if known else i for i, known in zip(fn.code, decided, strict=True)
    ]
    for k, i in enumerate(code):
        if (
            isinstance(i, ir.Branch)
            and isinstance(i.test, ir.Const)
            and any(isinstance(n, ir.Answer) for n in walk(fn.code[k]))
        ):
            code[k] = replace(i, at=replace(i.at, clauses=()))  # no step of a play: no clause is cited for it
    new = replace(fn, code=code)
    leave_out(new)
    return new


def leave_out(fn: Function) -> None:
    """Leave out of a function what is never done."""
    never = never_gone_through(fn.code)
    fn.code = tuple(ir.Jump(i.done, at=i.at) if isinstance(i, ir.Next) and i.rest in never else i for i in fn.code)
    in_short(fn)


def never_gone_through(code: Sequence[ir.Instr]) -> frozenset[int]:
    """The locals of loops over what is always empty."""
    assigned = grouped((i.local, i.value) for i in code if isinstance(i, ir.Assign))
    return frozenset(x for x, values in assigned.items() if values == [FALSE])


def worked_out(n: ir.Node, fixed: Fixed) -> ir.Node:
    """A node whose parts are worked out, as the front end would have made it."""
    match n:
        case ir.Answer(reading=name):
            return (
                ir.Load(fixed.slots[name], at=n.at) if name in fixed.slots else ir.Const(fixed.answers[name], at=n.at)
            )
        case ir.Load() | ir.Binary(a=ir.Table()) if fixed.decides(n):
            return ir.Const(int(isinstance(n, ir.Binary) and n.op == "ne"), at=n.at)
        case ir.Binary(op=op, a=a, b=b):
            return binary(op, a, b, n.at)
        case ir.Unary(op="not", a=a):
            return negate(a, n.at)
        case ir.Unary(op="below" as op, a=a):
            return unary(op, a, n.at)
        case ir.Unary(op="size", a=ir.Const(value=0) as none):
            return none
        case ir.All(parts=parts):
            return both(parts, n.at)
        case ir.Any(parts=parts):
            return either(parts, n.at)
        case ir.If(test=test, a=a, b=b):
            return pick(test, a, b, n.at)
        case ir.Fold(kind="any" | "sum" | "set" | "union", domain=domain, test=test) if FALSE in (domain, test):
            return ir.Const(0, at=n.at)
        case ir.Fold(kind="any" | "sum" | "union", body=ir.Const(value=0) as none):
            return none
        case ir.Fold(kind="set", var=var, domain=domain, test=ir.Const(value=1), body=ir.Local(index=x), offset=0) if (
            x == var
        ):
            return domain
        case ir.Within(a=ir.Const(value=v) as a, lo=lo, hi=hi) if lo <= v <= hi:
            return a
        case ir.Choose(offers=offers) if any(o.test == FALSE for o in offers):
            return replace(n, offers=tuple(o for o in offers if o.test != FALSE))
        case _:
            return n


def drop_unread(program: Program) -> None:
    """Leave out writes to time stamps and serial numbers: counters that rules only raise, fields that are only set from
    such counters, and of all these those that no rule reads (but to write another of them). They could not be
    observed, and would keep equal situations apart."""
    loads = loads_of(program)

    def read_by(i: ir.Instr) -> int:
        """First slots of the places that an instruction reads, those of the pure functions that it calls included; as bits."""
        inside = walk(i)
        return mask_of(n.base for n in inside if isinstance(n, ir.Load)) | union(
            loads.get(n.function, 0) for n in inside if isinstance(n, ir.Call)
        )

    stores: dict[int, list[Stored]] = {}
    live = 0
    for fn in program.functions.values():
        for i in fn.code:
            if isinstance(i, ir.Store):
                stored = Stored(read_by(i), raises(program, fn, i), isinstance(i.value, ir.Const))
                stores.setdefault(i.base, []).append(stored)
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
    """A store: the first slots of places that are read for it (as bits), and whether it only raises a number, or sets it to a constant."""

    read: int
    raises: bool
    constant: bool


def stamp_slots(program: Program, stores: Mapping[int, list[Stored]]) -> set[int]:
    """Numbers outside containers that are only raised; and then those that are only raised, or set from one of these
    or to a constant."""
    inside = {c for m in program.layout.containers.values() for c in (m.head, *m.columns)}
    slots = program.layout.slots
    outside = {b: each for b, each in stores.items() if b not in inside and isinstance(slots[b].type, Int)}
    out = {b for b, each in outside.items() if all(s.raises for s in each)}
    changed = True
    while changed:
        stamps = mask_of(out)
        out |= {
            b for b, each in outside.items()
            if any(s.read & stamps for s in each) and all(s.raises or s.read & stamps or s.constant for s in each)}
        changed = mask_of(out) != stamps
    return out


def raises(program: Program, fn: Function, i: ir.Store) -> bool:
    """Does the store only raise a number, whatever the state?"""
    slots = program.layout.slots
    if not isinstance(slots[i.base].type, Int):
        return False
    match i:
        case ir.Store(op="add", value=by):
            pass
        case ir.Store(op="set", value=ir.Binary(op="add", a=ir.Load(base=b, index=at), b=by)) if (b, at) == (
            i.base,
            i.index,
        ):
            pass
        case _:
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
    return spread(
        {fn.name: mask_of(n.base for n in nodes_of(fn, ir.Load)) for fn in defines},
        {fn.name: calls_of(fn) for fn in defines},
    )
