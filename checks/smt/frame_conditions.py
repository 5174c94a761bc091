"""What a procedure leaves as it was (frame conditions): candidates about the state when it is called and the state later."""
from __future__ import annotations

from collections.abc import Iterator

from ...model.ir.program import Function
from ...model.ir.types import PlayerType, Role
from ...spec.groups import grouped
from . import numbers as n
from . import truths as t
from .contracts import Contracts
from .counted_zones import fields, lies
from .statements import FrameCondition, Slots
from .truths import Truth


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
    rows = grouped(
        (layout.slots[slot].name.partition("[")[0], slot) for slot in m.live_slots
        if slot not in m.blocks and slot not in layout.in_containers)
    for name, row in rows.items():
        yield FrameCondition(f"{name} stays", lambda _, a, b, row=row: t.every(n.equal(a[k], b[k]) for k in row))


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
    for j in sorted(stays):
        if isinstance(fn.locals[j].type, PlayerType):
            for field, zones in fields(m):
                others = [z for z in zones if m.layout.zones[z].player is not None]
                yield FrameCondition(
                    f"nothing comes to {field} of another than {j}",
                    lambda f, a, b, j=j, others=others: t.every(
                        t.either(
                            same(a, b, k),
                            t.no(
                                t.some(
                                    t.both(n.equal(b[first + k], z), t.no(n.equal(f[j], m.layout.zones[z].player or 0)))
                                    for z in others
                                )
                            ),
                        )
                        for k in range(few)
                    ),
                )
