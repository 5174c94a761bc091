"""Positions in which two abilities wait, drawn by lot: where the interpreter leads both orders to different results, no
question about every position has to be answered.

Each player has the pair's cards, and cards without a text in the piles; everything lies where the lot says, what waits is told of
the cards that have it, and most else is as at first. What the rules always keep holds, or the position is not looked at. That none
shows a difference proves nothing, so it is never told as an answer.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from .....model.engine.state import Option, State
from .....model.ir.program import ContainerInfo, Layout
from .....model.ir.types import AbilityType, Bool, CardType, Int, ObjType, OptionType, PlayerType, Type, ZoneType, blank
from ....explore.subject import Subject
from ....explore.symmetry import Symmetry
from ...worlds import FreeWorld
from ..position import Position
from ..stops import condition_of, each_situation
from ..telling import Disagreement, subject_of
from .resolving import Resolver, inner
from .telling import Both, TooMuch, carried_out, symmetry_of

FEW_STATES = 300
"""Positions that an order may lead through, where many positions are looked at."""
MOST_TRIES = 400
"""Positions that are drawn for one pair."""
LARGE = 3
"""Numbers that are not as at first are no larger."""


@dataclass(frozen=True)
class Drawn:
    """A position, what waits in it, what the resolver holds, the cards that are meant to be there, and what came of both orders."""

    slots: tuple[int, ...]
    two: tuple[Option, Option]
    locals: tuple[int, ...]
    present: tuple[int, ...]
    both: Both


@dataclass
class Positions:
    """Draws positions of a world for one resolver."""

    free: FreeWorld
    resolver: Resolver
    looked_at: int = 0
    """Positions in which both orders were carried out."""

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self.free.book, Position(self.free.world, self.free.program, []))

    @cached_property
    def symmetry(self) -> Symmetry:
        return symmetry_of(self.subject)

    @property
    def layout(self) -> Layout:
        return self.free.program.layout

    @property
    def multiset(self) -> ContainerInfo:
        return self.layout.containers[self.resolver.multiset]

    @cached_property
    def ranks(self) -> list[int]:
        return list(range(self.layout.rank, self.layout.rank + self.layout.card_count))

    @cached_property
    def numbers(self) -> list[int]:
        """The slots of the state's own numbers and truths, which a lot may change."""
        layout = self.layout
        taken = layout.in_containers | layout.of_cards
        return [
            k
            for k, s in enumerate(layout.slots)
            if k not in taken and isinstance(inner(s.type), Int | Bool | PlayerType)
        ]

    # ------------------------------------------------------------ one position
    def position(self, abilities: Sequence[int], present: Sequence[int], lot: Random) -> tuple[list[int], list[Option]]:
        """A position with these cards, and what waits in it."""
        layout, world = self.layout, self.free.world
        slots = [s.initial for s in layout.slots]
        field_, nowhere = lot.choice(layout.zones).field, lot.random() < 0.5
        ranked: dict[int, int] = {}
        for c in range(layout.card_count):
            zone = self.zone(c, field_, lot) if c in present else -1 if nowhere else self.aside(c)
            slots[layout.location + c] = zone
            slots[layout.rank + c] = layout.slots[layout.rank + c].initial
            if zone >= 0 and layout.zones[zone].ordered:
                slots[layout.rank + c] = ranked[zone] = ranked.get(zone, -1) + 1
        few = lot.random() / 3
        for k in self.numbers:
            if lot.random() < few:
                slots[k] = self.number(layout.slots[k].type, lot)
        entries: list[Option] = []
        whose = lot.randrange(2)
        for ability in abilities:
            card = world.abilities[ability].id
            holders = [c for c in present if any(a.id == card for a in world.cards[c].definition.abilities)]
            mine = [c for c in holders if world.cards[c].owner == whose]
            entries.append(
                self.entry(ability, lot.choice(mine if mine and lot.random() < 0.8 else holders), present, lot)
            )
        m = self.multiset
        slots[m.head] = 2
        for k, entry in enumerate(sorted(entries)):
            for column, v in zip(m.columns, entry, strict=True):
                slots[column + k] = v
        return slots, entries

    def zone(self, card: int, together: str, lot: Random) -> int:
        """A zone for a card: one with a text often lies where all lie together, another one often in a pile."""
        zones, copy = self.layout.zones, self.free.world.cards[card]
        mine = [z for z, i in enumerate(zones) if i.player in (None, copy.owner)]
        if not copy.definition.abilities:
            piles = [
                z for z in mine if zones[z].ordered and zones[z].player is not None and not self.is_one_of_several(z)
            ]
            return piles[0] if piles and lot.random() < 0.8 else lot.choice(mine)
        wanted = [z for z in mine if zones[z].field == together]
        return lot.choice(wanted if wanted and lot.random() < 0.7 else mine)

    def aside(self, card: int) -> int:
        """Where a card may lie that is not meant to be there: not every rule takes it well if it lies nowhere."""
        owner = self.free.world.cards[card].owner
        return max(
            (z for z, i in enumerate(self.layout.zones) if not i.ordered and i.player in (None, owner)), default=-1
        )

    def is_one_of_several(self, zone: int) -> bool:
        """Has a player several zones of the field?"""
        here = self.layout.zones[zone]
        return sum((i.field, i.player) == (here.field, here.player) for i in self.layout.zones) > 1

    def entry(self, ability: int, holder: int, present: Sequence[int], lot: Random) -> Option:
        """What waits: the ability of this card; what else is told of it says this card, its owner or whatever comes."""
        out: list[int] = []
        owner = self.free.world.cards[holder].owner
        first = True
        for of in self.multiset.type.flat():
            what = inner(of)
            if isinstance(what, AbilityType):
                out.append(ability)
            elif isinstance(of, OptionType) and lot.random() < 0.2:
                out.append(of.none)
            elif isinstance(what, CardType | ObjType):
                out.append(holder if first or lot.random() < 0.5 else lot.choice(present))
                first = False
            elif isinstance(what, PlayerType):
                out.append(owner if lot.random() < 0.9 else 1 - owner)
            elif isinstance(what, ZoneType):
                out.append(lot.randint(what.lo, what.hi))
            else:
                out.append(blank(of))
        return tuple(out)

    def number(self, of: Type, lot: Random) -> int:
        lo, hi = of.lo, of.hi
        return lot.randint(lo, min(hi, max(lo, 0) + LARGE))

    def locals(self, lot: Random) -> tuple[int, ...]:
        """What the resolver holds: players it is told are drawn (one, where it could be nobody), everything else is blank."""
        fn = self.free.program.functions[self.resolver.loop]
        types = [inner(x.type) if isinstance(inner(x.type), PlayerType) else x.type for x in fn.locals]
        return tuple(lot.randint(of.lo, of.hi) if isinstance(of, PlayerType | Bool) else blank(of) for of in types)

    def is_kept(self, slots: Sequence[int]) -> bool:
        """Does what the rules always keep hold, and is nothing due that happens by itself?"""
        program, engine = self.free.program, self.subject.engine
        state = State(tuple(slots), ())
        if not all(
            s.type.lo <= v <= s.type.hi or v == s.initial for s, v in zip(self.layout.slots, slots, strict=True)
        ):
            return False
        if any(engine.evaluate(name, state) != 1 for name in program.invariants):
            return False
        return all(
            (condition := condition_of(program, name)) is not None and engine.evaluate(condition, state, args) == 0
            for name, args in each_situation(program)
            if name != self.resolver.chooser
        )

    # ------------------------------------------------------------ looking
    def looked(
        self, slots: Sequence[int], two: Sequence[Option], locals_: Sequence[int], present: Sequence[int],
    ) -> Drawn | None:
        """Both orders in a position; None where it cannot be, where not both can be taken, or where too much comes of it."""
        if two[0] == two[1] or not self.is_kept(slots):
            return None
        try:
            both = carried_out(
                replace(self.subject, positions=[list(slots)]),
                self.resolver,
                locals_,
                two,
                FEW_STATES,
                lambda: self.symmetry,
            )
        except (Disagreement, TooMuch):
            return None
        return Drawn(tuple(slots), (two[0], two[1]), tuple(locals_), tuple(present), both) if both.is_within else None

    def drawn(self, abilities: Sequence[int], cards: Sequence[int], lot: Random, until: float) -> Iterator[Drawn]:
        """Positions in which both orders could be carried out, until so much of the processor's time is over."""
        for _ in range(MOST_TRIES):
            if time.process_time() > until:
                break
            definitions = [copy.definition.abilities for copy in self.free.world.cards]
            present = [c for c in cards if definitions[c] or lot.random() < 0.8]
            slots, two = self.position(abilities, present, lot)
            found = self.looked(slots, two, self.locals(lot), present)
            if found is not None:
                self.looked_at += 1
                yield found

    def smaller(self, found: Drawn, ranks: bool, until: float) -> Drawn:
        """As long as the orders still differ: without a card that nothing is about, and with every number as at first."""
        layout = self.layout
        without = () if ranks else tuple(self.ranks)
        for k in [*(layout.location + c for c in reversed(range(layout.card_count))), *self.numbers]:
            slots = list(found.slots)
            place = k - layout.location
            if 0 <= place < layout.card_count:
                if place not in found.present or any(place in e for e in found.two):
                    continue
                above = [c for c in range(layout.card_count) if slots[layout.location + c] == slots[k] and (
                    slots[layout.rank + c] > slots[layout.rank + place])]
                if layout.zones[slots[k]].ordered:
                    for c in above:
                        slots[layout.rank + c] -= 1
                slots[k], slots[layout.rank + place] = self.aside(place), layout.slots[layout.rank + place].initial
            else:
                slots[k] = layout.slots[k].initial
            if slots == list(found.slots) or time.process_time() > until:
                continue
            less = self.looked(slots, found.two, found.locals, [c for c in found.present if c != place])
            if less is not None and less.both.differ(without):
                found = less
        return found


def without_the_others(found: Drawn, layout: Layout) -> list[int]:
    """The position without the cards that are not meant to be there."""
    slots = list(found.slots)
    for c in set(range(layout.card_count)) - set(found.present):
        for first in layout.per_card:
            slots[first + c] = layout.slots[first + c].initial
        slots[layout.location + c] = -1
    return slots
