"""From a model to a position: the state it gives, in a world that has only the cards that exist in it."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....model.engine.compiled import compile_book
from ....model.engine.state import State
from ....model.ir.program import Layout, Program
from ....model.ir.types import AbilityType, EnumType, OptionType, Role, SetType, Type
from ....model.lang.world import World
from ....spec.groups import grouped
from ..numbers import Beyond
from ..worlds import FreeWorld


class AnotherForm(Beyond):
    """What waits has fewer fields without the cards that do not exist."""


@dataclass(frozen=True)
class Position:
    """A world and the slots of a state in it."""

    world: World
    program: Program
    slots: list[int]


def position_of(free: FreeWorld, state: State) -> tuple[Position, Moved]:
    """The state without the cards that do not exist in it, and how values are written there."""
    layout = free.program.layout
    kept = [c for c in range(layout.card_count) if state.slots[layout.location + c] >= 0]
    readings = {
        name: free.program.readings[name][state.slots[slot]] for name, slot in free.program.reading_slots.items()}
    world = replace(
        free.world, cards=tuple(free.world.cards[c] for c in kept), branching=frozenset(), partly=False,
        readings={**free.world.readings, **readings})
    program = compile_book(free.book.rulebook, world, free.program.entry)
    moved = Moved(free, world, {c: k for k, c in enumerate(kept)})
    return Position(world, program, moved.slots(free.program, program, state, set(kept))), moved


def those_left(layout: Layout, kept: set[int]) -> Iterator[int]:
    """The slots that are left when only these cards are."""
    dropped = {first + c for first in layout.per_card for c in range(layout.card_count) if c not in kept}
    return (k for k in range(len(layout.slots)) if k not in dropped)


@dataclass(frozen=True)
class Moved:
    """How values are written in the new world: cards have other numbers, and so have abilities and names."""

    free: FreeWorld
    world: World
    cards: dict[int, int]

    def slots(self, old: Program, new: Program, state: State, kept: set[int]) -> list[int]:
        """The state's slots in the new program. A container whose entries have another form there must be empty."""
        out = [s.initial for s in new.layout.slots]
        theirs = grouped((slot.group, k) for k, slot in enumerate(new.layout.slots))
        mine: dict[str, list[int]] = {}
        readings = set(old.reading_slots.values())
        for k in those_left(old.layout, kept):
            if k not in readings:
                mine.setdefault(old.layout.slots[k].group, []).append(k)
        for group, places in mine.items():
            if len(places) == len(theirs.get(group, ())):
                for k, to in zip(places, theirs[group], strict=True):
                    out[to] = self.value(old.layout.slots[k].type, new.layout.slots[to].type, state.slots[k])
            elif any(state.slots[k] != old.layout.slots[k].initial for k in places):
                raise AnotherForm(
                    f"ないカードを除くと、{group} の形が変わる",
                    f"{group} has another form without the cards that do not exist",
                )
        return out

    def value(self, old: Type, new: Type, v: int) -> int:
        """The value in the new world."""
        if isinstance(old, OptionType):
            assert isinstance(new, OptionType)
            return new.none if v == old.none else self.value(old.inner, new.inner, v)
        if isinstance(old, SetType):
            assert isinstance(new, SetType)
            members = (k for k in range(v.bit_length()) if v >> k & 1)
            return sum(1 << self.value(old.inner, new.inner, k + old.inner.lo) - new.inner.lo for k in members)
        if old.role in (Role.CARD, Role.OBJECT):
            return self.cards.get(v, -1) if v >= 0 else v
        if isinstance(old, AbilityType):
            return self.ability(v)
        if isinstance(old, EnumType) and isinstance(new, EnumType) and old.members != new.members:
            if old.members[v] not in new.members:
                if v == 0:  # not in use
                    return 0
                raise Beyond(f"{old.members[v]} は、あるカードの名前でない", f"{old.members[v]} is the name of no card that exists")
            return new.members.index(old.members[v])
        return v

    def ability(self, v: int) -> int:
        if v >= len(self.free.world.abilities):
            return v
        wanted = self.free.world.abilities[v].id
        found = [k for k, a in enumerate(self.world.abilities) if a.id == wanted]
        if not found and v:
            raise Beyond(f"能力 {wanted} を持つカードがない", f"the ability {wanted} is on no card that exists")
        return found[0] if found else 0
