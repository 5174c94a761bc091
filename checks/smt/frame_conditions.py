"""What a procedure leaves as it was (frame conditions): candidates about the state when it is called and the state later."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function
from ...model.ir.types import PlayerType, Role, ZoneType
from . import numbers as n
from . import truths as t
from .contracts import Contracts
from .statements import FrameCondition, Slots
from .states import Sym
from .truths import Truth
from .universal import cap, uses


def frame_conditions(m: Contracts, fn: Function, stays: frozenset[int]) -> Iterator[FrameCondition]:
    """The candidates for a procedure. `stays`: the parameters that stay as they were given."""
    layout, few = m.layout, m.few
    if m.part.locations:
        yield from of_places(m, fn, stays)
    for block in layout.per_card:
        if block not in m.part.kept or block in (layout.location, layout.rank):
            continue
        name, object_ = layout.slots[block].name, layout.slots[block].type.role is Role.OBJECT
        yield FrameCondition(f"{name} and the like stay", lambda _, a, b, block=block, o=object_: t.every(
            t.either(n.equal(a[block + k], b[block + k]), n.less(b[block + k], 0) if o else False) for k in range(few)))
        if m.part.locations:
            for field, zones in fields(m):
                yield FrameCondition(f"{name} of what lies in {field} stays", lambda _, a, b, block=block, o=object_, zones=zones: t.every(
                    t.either(t.no(lies(m, a, k, zones)), n.equal(a[block + k], b[block + k]), n.less(b[block + k], 0) if o else False)
                    for k in range(few)))
    rows: dict[str, list[int]] = {}
    inside = {k for c in layout.containers.values() for k in c.slots}
    for slot in m.live_slots:
        if slot not in m.blocks and slot not in inside:
            rows.setdefault(layout.slots[slot].name.partition("[")[0], []).append(slot)
    for name, row in rows.items():
        yield FrameCondition(f"{name} stays", lambda _, a, b, row=row: t.every(n.equal(a[k], b[k]) for k in row))
    for c in layout.containers.values():
        if not c.is_pool:
            continue
        yield FrameCondition(f"entries of {c.name} stay", lambda _, a, b, c=c: t.every(
            t.either(t.no(n.member(k, a[c.head])), n.member(k, b[c.head])) for k in range(c.capacity)))
        for j, x in enumerate(c.columns):
            yield FrameCondition(f"column {j} of entries of {c.name} stays", lambda _, a, b, c=c, x=x: t.every(
                t.either(t.no(n.member(k, a[c.head])), n.equal(a[x + k], b[x + k])) for k in range(c.capacity)))


def at_most(m: Contracts, slots: Slots, most: int, zones: Sequence[int]) -> Truth:
    """Do at most so many of the cards that are followed lie in each of these zones?"""
    return t.every(n.at_most(n.count([n.equal(slots[m.layout.location + k], z) for k in range(m.few)]), most) for z in zones)


def fewer(m: Contracts) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Zones whose cards a condition counts, and one less than it allows (where that is none, nothing but being empty says it)."""
    program = m.part.program
    for name in program.invariants:
        fn = program.functions[name]
        for e in (e for i in fn.code for e in walk(i)):
            if isinstance(e, ir.Expr) and (found := cap(e)) is not None and found[1] > 1 and isinstance(found[0], ir.ZoneCards):
                yield found[1] - 1, tuple(zones_of(m, found[0].zone, fn))


def zones_of(m: Contracts, zone: ir.Expr, fn: Function) -> Iterator[int]:
    """Zones that an expression may mean: its locals may be a player, or the number of a lane."""
    for p in (0, 1):
        z = m.value(zone, Sym([0] * len(m.layout.slots)), [p] * len(fn.locals))
        if isinstance(z, int) and 0 <= z < len(m.layout.zones):
            yield z


FEW = 1
"""Cards that are followed, above which only zones that the condition speaks of are spoken of."""


def fields(m: Contracts) -> list[tuple[str, tuple[int, ...]]]:
    """The zones of each field."""
    found: dict[str, list[int]] = {}
    for z, info in enumerate(m.layout.zones):
        found.setdefault(info.field, []).append(z)
    named = set(found) if m.few <= FEW else {m.layout.zones[z].field for z in zones_named(m)} or set(found)
    return [(name, tuple(zones)) for name, zones in found.items() if name in named]


def zones_named(m: Contracts) -> Iterator[int]:
    """The zones whose cards a condition asks for; where there are several, those too in which one asks whether a card lies."""
    program = m.part.program
    for name in program.invariants:
        fn = program.functions[name]
        for e in (e for i in fn.code for e in walk(i)):
            if isinstance(e, ir.ZoneCards):
                yield from zones_of(m, e.zone, fn)
    if len(program.invariants) > 1:
        for fn in {x.name: x for name in program.invariants for x in uses(program, name)}.values():
            for e in (e for i in fn.code for e in walk(i)):
                match e:
                    case ir.Binary(op="member", a=ir.Local(index=x), b=ir.Const(value=mask)) if isinstance(fn.locals[x].type, ZoneType):
                        yield from (z for z in range(len(m.layout.zones)) if mask >> z & 1)
                    case _:
                        pass


def lies(m: Contracts, slots: Slots, k: int, zones: Sequence[int]) -> Truth:
    """Does the card that is followed lie in one of these zones?"""
    return t.some(n.equal(slots[m.layout.location + k], z) for z in zones)


def of_places(m: Contracts, fn: Function, stays: frozenset[int]) -> Iterator[FrameCondition]:
    """Where cards lie."""
    first, few = m.layout.location, m.few

    def same(a: Slots, b: Slots, k: int) -> Truth:
        return n.equal(a[first + k], b[first + k])
    for field, zones in fields(m):
        yield FrameCondition(f"what lies in {field} stays", lambda _, a, b, zones=zones: t.every(
            t.either(same(a, b, k), t.no(lies(m, a, k, zones))) for k in range(few)))
        yield FrameCondition(f"nothing comes to {field}", lambda _, a, b, zones=zones: t.every(
            t.either(same(a, b, k), t.no(lies(m, b, k, zones))) for k in range(few)), apt=True)
    for most, zones in fewer(m):
        name = m.layout.zones[zones[0]].field
        yield FrameCondition(f"still at most {most} lie in {name}", lambda _, a, b, most=most, zones=zones: t.every(
            t.either(t.no(at_most(m, a, most, [z])), at_most(m, b, most, [z])) for z in zones))
        for j in (j for j in sorted(stays) if isinstance(fn.locals[j].type, PlayerType)):
            yield FrameCondition(f"at most {most} lie in {name} of {j}", lambda f, a, b, j=j, most=most, zones=zones: t.every(
                t.either(t.no(n.equal(f[j], m.layout.zones[z].player or 0)), at_most(m, b, most, [z])) for z in zones))
    for j in sorted(stays):
        if isinstance(fn.locals[j].type, PlayerType):
            for field, zones in fields(m):
                others = [z for z in zones if m.layout.zones[z].player is not None]
                yield FrameCondition(f"nothing comes to {field} of another than {j}", lambda f, a, b, j=j, others=others: t.every(
                    t.either(same(a, b, k), t.no(t.some(
                        t.both(n.equal(b[first + k], z), t.no(n.equal(f[j], m.layout.zones[z].player or 0))) for z in others)))
                    for k in range(few)))
        if fn.locals[j].type.role is Role.CARD:
            yield FrameCondition(f"{j} stays", lambda f, a, b, j=j: t.every(
                t.either(t.no(it), same(a, b, k)) for k, it in enumerate(m.is_card(f[j]))))
            yield FrameCondition(f"all but {j} stay", lambda f, a, b, j=j: t.every(
                t.either(it, same(a, b, k)) for k, it in enumerate(m.is_card(f[j]))))
