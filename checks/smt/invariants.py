"""What holds of every state of play, whatever the rules: each container type keeps its own order.

Without them the solver finds states that nobody can come to: two cards on top of a pile, a freed attack with a power.
"""
from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from ...model.ir.program import ContainerInfo, Layout
from ...model.ir.types import CardType, OptionType, RefType, Type, UnionType, blank, domain
from . import masks
from . import numbers as n
from . import truths as t
from .numbers import Val
from .truths import Truth


@dataclass(frozen=True)
class Held:
    """Something that holds of every state: what, of which slot group, and the condition itself."""

    what: str
    group: str
    condition: Truth


def of_containers(layout: Layout, slots: Sequence[Val], nowhere: bool = False) -> Iterator[Held]:
    """What the containers of a state contribute. `nowhere`: a card may be out of the game (it lies in no zone)."""
    for s, v in zip(layout.slots, slots, strict=True):
        fits = t.both(n.in_bounds(v), n.between(v, *domain(s.type)))
        yield Held(f"{s.name} is within its domain", s.group, fits)
    yield from of_zones(layout, slots, nowhere)
    for m in layout.containers.values():
        yield from of_places(layout, slots, m)
        yield from of_variants(slots, m)
    yield from of_references(layout, slots)


def of_zones(layout: Layout, slots: Sequence[Val], nowhere: bool) -> Iterator[Held]:
    """Every card lies in one zone; ranks in a pile are dense, and there are none elsewhere."""
    cards = range(layout.card_count)
    where = [slots[layout.location + c] for c in cards]
    rank = [slots[layout.rank + c] for c in cards]
    ordered = [z for z, info in enumerate(layout.zones) if info.ordered]
    for c in cards:
        if not nowhere:
            yield Held(f"card {c} lies somewhere", "zones", n.at_most(0, where[c]))
        in_pile = t.some(n.equal(where[c], z) for z in ordered)
        yield Held(f"card {c} has a rank only in a pile", "zones", t.either(in_pile, n.equal(rank[c], 0)))
        below = t.some(
            t.both(n.equal(where[d], where[c]), n.equal(n.add(rank[d], 1), rank[c])) for d in cards if d != c)
        yield Held(f"there is no hole below card {c}", "zones", t.either(n.equal(rank[c], 0), below))


def entry(m: ContainerInfo, slots: Sequence[Val], k: int) -> list[Val]:
    return [slots[c + k] for c in m.columns]


def blanks(layout: Layout, m: ContainerInfo) -> list[Val]:
    return [blank(layout.slots[c].type) for c in m.columns]


def is_in_use(m: ContainerInfo, slots: Sequence[Val], k: int) -> Truth:
    """Is place `k` of the container in use?"""
    return masks.member(k, slots[m.head]) if m.is_pool else n.less(k, slots[m.head])


def of_places(layout: Layout, slots: Sequence[Val], m: ContainerInfo) -> Iterator[Held]:
    """A place that is not in use is blank; one that is holds what an entry can hold. Entries of a multiset lie in ascending order."""
    for k in range(m.capacity):
        used = is_in_use(m, slots, k)
        free = t.every(map(n.equal, entry(m, slots, k), blanks(layout, m)))
        yield Held(f"place {k} of {m.name} is blank while it is free", m.name, t.either(used, free))
        yield Held(f"place {k} of {m.name} is whole", m.name, t.either(t.no(used), whole(m, slots, k)))
        if k and not m.is_pool:
            late = n.before(entry(m, slots, k), entry(m, slots, k - 1))
            yield Held(f"place {k} of {m.name} is in order", m.name, t.either(t.no(used), t.no(late)))


RULES = ("has a rank only in a pile", "refers to something", "is whole", "is blank while it is free")
"""How that ends which is about the order of piles, or which rules have to keep, too: references and entries."""


def kept_by_itself(layout: Layout, slots: Sequence[Val], m: ContainerInfo) -> Iterator[Held]:
    """What the container keeps of its entries whatever rules do."""
    for h in (*of_places(layout, slots, m), *of_variants(slots, m)):
        if h.condition is not True and not h.what.endswith(RULES):
            yield h


def types_of(m: ContainerInfo) -> tuple[Type, ...]:
    """What the columns hold, where that is known."""
    flat = m.type.flat()
    return flat if len(flat) == len(m.columns) else ()


def whole(m: ContainerInfo, slots: Sequence[Val], k: int) -> Truth:
    """Does an entry in use name a card wherever it must? (Not in variants that it is not.)"""
    if isinstance(m.type, UnionType):
        parts: list[Truth] = []
        at = 1
        for tag, v in enumerate(m.type.variants):
            there = [
                n.at_most(0, slots[m.columns[at + j] + k]) for j, of in enumerate(v.flat()) if isinstance(of, CardType)
            ]
            parts.append(t.either(t.no(n.equal(slots[m.columns[0] + k], tag)), t.every(there)))
            at += v.width
        return t.every(parts)
    return t.every(
        n.at_most(0, slots[c + k]) for c, of in zip(m.columns, types_of(m), strict=False) if isinstance(of, CardType)
    )


def of_variants(slots: Sequence[Val], m: ContainerInfo) -> Iterator[Held]:
    """Of an entry that is one of several records, the fields of the others are blank."""
    if not isinstance(m.type, UnionType):
        return
    for k in range(m.capacity):
        at = 1
        for tag, v in enumerate(m.type.variants):
            columns = m.columns[at:at + v.width]
            empty = t.every(n.equal(slots[c + k], blank(of)) for c, of in zip(columns, v.flat(), strict=True))
            it = n.equal(slots[m.columns[0] + k], tag)
            yield Held(f"place {k} of {m.name} is blank where it is no {v.name}", m.name, t.either(it, empty))
            at += v.width


def of_references(layout: Layout, slots: Sequence[Val], those: Container[int] | None = None) -> Iterator[Held]:
    """A reference refers to an entry that is there (in `those` slots, if not in all)."""
    columns = {c + k: (m, k, of) for m in layout.containers.values()
               for c, of in zip(m.columns, types_of(m), strict=False) for k in range(m.capacity)}
    for slot, s in enumerate(layout.slots):
        if those is not None and slot not in those:
            continue
        m, k, of = columns.get(slot, (None, 0, s.type))
        inner = of.inner if isinstance(of, OptionType) else of
        if not isinstance(inner, RefType) or inner.pool not in layout.containers:
            continue
        if m is None and not isinstance(of, OptionType):
            continue  # a bare reference of the state refers to something, in use or not
        there = masks.member(slots[slot], slots[layout.containers[inner.pool].head])
        none: Truth = n.less(slots[slot], 0) if isinstance(of, OptionType) else False
        unused: Truth = False if m is None else t.no(is_in_use(m, slots, k))
        yield Held(f"{s.name} refers to something", s.group, t.either(none, unused, there))
