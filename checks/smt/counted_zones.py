"""Zones that conditions speak of, and how many cards lie in those that arguments name."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function, Layout
from ...model.ir.types import Int, PlayerType, SetType, Type, ZoneType, domain
from ...spec.groups import grouped
from . import masks
from . import numbers as n
from . import truths as t
from .contracts import Contracts
from .numbers import Val
from .statements import Fact, Slots
from .states import Sym
from .truths import Truth
from .universal import cap, uses

MOST_ZONES = 64
"""Values that the index of a zone is tried with."""


def counted(m: Contracts) -> dict[str, list[int]]:
    """Fields whose zones a condition counts the cards of, and how many statements speak of: one less than it allows, what authors state, and none."""
    out: dict[str, set[int]] = {}
    part = m.part
    for name, less in (*((x, 1) for x in part.conditions), *((c.function, 0) for c in part.contracts)):
        fn = part.program.functions[name]
        for e in (e for i in fn.code for e in walk(i)):
            if (
                isinstance(e, ir.Expr)
                and (found := cap(e)) is not None
                and found[1] >= less
                and (zone := counted_in(found[0])) is not None
            ):
                for z in zones_of(m, zone, fn):
                    out.setdefault(m.layout.zones[z].field, {0}).add(found[1] - less)
    return {field: sorted(several) for field, several in out.items()}


def counted_in(those: ir.Expr) -> ir.Expr | None:
    """The zone whose cards are counted: all of them, or those of some kind."""
    match those:
        case ir.ZoneCards(zone=zone) | ir.Fold(kind="set", domain=ir.ZoneCards(zone=zone)):
            return zone
        case _:
            return None


def zones_of(m: Contracts, e: ir.Expr, fn: Function) -> set[int]:
    """The zones that an expression may be, by its locals."""
    used = sorted({x.index for x in walk(e) if isinstance(x, ir.Local)})
    rows = [range(domain(fn.locals[k].type)[0], domain(fn.locals[k].type)[1] + 1) for k in used]
    size = 1
    for row in rows:
        size *= len(row)
    if size > MOST_ZONES or any(isinstance(x, ir.Load | ir.Call) for x in walk(e)):
        return set()
    out: set[int] = set()
    for values in product(*rows):
        f: list[Val] = [0] * len(fn.locals)
        for k, v in zip(used, values, strict=True):
            f[k] = v
        z = m.value(e, Sym([0] * len(m.layout.slots)), f)
        if isinstance(z, int) and 0 <= z < len(m.layout.zones):
            out.add(z)
    return out


def at_most(m: Contracts, slots: Slots, most: int, zones: Sequence[int]) -> Truth:
    """Do at most so many of the cards that are followed lie in each of these zones?"""
    return t.every(
        n.at_most(n.count([n.equal(slots[m.layout.location + k], z) for k in range(m.few)]), most) for z in zones
    )


def lies(m: Contracts, slots: Slots, k: int, zones: Sequence[int]) -> Truth:
    """Does the card that is followed lie in one of these zones?"""
    return t.some(n.equal(slots[m.layout.location + k], z) for z in zones)


FEW = 1
"""Cards that are followed, above which only zones that the condition speaks of are spoken of."""


def fields(m: Contracts) -> list[tuple[str, tuple[int, ...]]]:
    """The zones of each field."""
    found = grouped((info.field, z) for z, info in enumerate(m.layout.zones))
    named = set(found) if m.few <= FEW else {m.layout.zones[z].field for z in zones_named(m)} or set(found)
    return [(name, tuple(zones)) for name, zones in found.items() if name in named]


def zones_named(m: Contracts) -> Iterator[int]:
    """The zones whose cards a condition asks for; where there are several, those too in which one asks whether a card lies."""
    part = m.part
    for fn in {x.name: x for name in part.asked for x in uses(part.program, name)}.values():
        for e in (e for i in fn.code for e in walk(i)):
            match e:
                case ir.ZoneCards(zone=zone) if fn.name in part.asked:
                    yield from zones_of(m, zone, fn)
                case ir.Binary(op="member", a=ir.Local(index=x), b=ir.Const(value=mask)) if len(
                    part.asked
                ) > 1 and isinstance(fn.locals[x].type, ZoneType):
                    yield from (z for z in range(len(m.layout.zones)) if mask >> z & 1)
                case _:
                    pass


def names_number(of: Type, zones: Sequence[int], layout: Layout) -> bool:
    """Can a local of the type be the number of one of these zones (or several)?"""
    numbers, one = {layout.zones[z].number for z in zones}, of.inner if isinstance(of, SetType) else of
    return isinstance(one, Int) and len(numbers) > 1 and one.hi - one.lo <= len(numbers) and one.hi in numbers


def of_counted_zones(m: Contracts, fn: Function, alive: frozenset[int]) -> Iterator[Fact]:
    """That one card more may come to a zone that arguments name, or that it is empty."""
    layout = m.layout
    for field, several in counted(m).items():
        zones = [z for z, x in enumerate(layout.zones) if x.field == field]
        players: list[int | None] = [k for k in sorted(alive) if is_players(fn.locals[k].type)]
        numbers: list[int | None] = [k for k in sorted(alive) if names_number(fn.locals[k].type, zones, layout)]
        for most, p, k in product(several, [None, *players], [None, *numbers]):
            if p is None and (k is None or any(layout.zones[z].player is not None for z in zones)):
                continue

            def there(
                f: Sequence[Val],
                g: Sequence[Val],
                zones: Sequence[int] = zones,
                most: int = most,
                p: int | None = p,
                k: int | None = k,
            ) -> Truth:
                parts: list[Truth] = []
                for z in zones:
                    player, number = layout.zones[z].player, layout.zones[z].number
                    named = t.both(True if p is None or player is None else is_named(f[p], fn.locals[p].type, player),
                                   True if k is None else is_named(f[k], fn.locals[k].type, number))
                    if named is not False:
                        parts.append(t.either(t.no(named), at_most(m, g, most, [z])))
                return t.every(parts)
            whose = "" if p is None else f" of {p}"
            which = "" if k is None else f" {k}"
            about = {x for x in (p, k) if x is not None}
            yield Fact(f"at most {most} lie in {field}{which}{whose}", there, False, frozenset(about))


def is_players(of: Type) -> bool:
    """A player, or some of them?"""
    return isinstance(of.inner if isinstance(of, SetType) else of, PlayerType)


def is_named(v: Val, of: Type, index: int) -> Truth:
    """Is it the player or the number, or is this one of them?"""
    if not isinstance(of, SetType):
        return n.equal(v, index)
    return masks.member(index - (of.inner.lo if isinstance(of.inner, Int) else 0), v)
