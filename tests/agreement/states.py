"""States of a random program that it need not come to by itself."""
from __future__ import annotations

import random

from rulewright.model.engine.state import State
from rulewright.model.ir.flow import live_across_calls, liveness
from rulewright.model.ir.program import Layout, Program
from rulewright.model.ir.types import SetType, Type, blank, domain


def random_state(program: Program, state: State, luck: random.Random) -> State:
    """A state with the same frames, and other values in slots and locals: any that their domains allow, as long as
    multisets are in order and piles without holes."""
    layout = program.layout
    slots = list(state.slots)
    for k, s in enumerate(layout.slots):
        if luck.random() < 0.7 and s.group != "zones":
            slots[k] = some(s.type, luck)
    for m in layout.containers.values():
        columns = [layout.slots[c].type for c in m.columns]
        if m.is_pool:
            used = [bool(slots[m.head] >> k & 1) for k in range(m.capacity)]
            entries = [tuple(some(c, luck) for c in columns) if u else tuple(map(blank, columns)) for u in used]
        else:
            entries = sorted(tuple(some(c, luck) for c in columns) for _ in range(slots[m.head]))
            entries += [tuple(map(blank, columns))] * (m.capacity - len(entries))
        for k, e in enumerate(entries):
            for c, x in zip(m.columns, e, strict=True):
                slots[c + k] = x
    if luck.random() < 0.7:
        lay_anew(layout, slots, luck)
    frames: list[tuple[int, ...]] = []
    functions = list(program.functions.values())
    for d, f in enumerate(state.frames):
        fn = functions[f[0]]
        live = (liveness(fn) if d == len(state.frames) - 1 else live_across_calls(fn, liveness(fn)))[f[1]]
        new = [some(x.type, luck) if k in live and luck.random() < 0.5 else f[k + 2] for k, x in enumerate(fn.locals)]
        frames.append((f[0], f[1], *new))
    return State(tuple(slots), tuple(frames))


def some(of: Type, luck: random.Random) -> int:
    """Any value; of a set, about half of all members."""
    lo, hi = domain(of)
    if isinstance(of, SetType):
        return luck.randint(0, hi) & luck.randint(0, hi) if luck.random() < 0.7 else luck.randint(0, hi)
    return luck.choice((lo, hi)) if luck.random() < 0.05 else luck.randint(max(lo, -9), min(hi, max(9, lo))) if hi - lo > 1000 else luck.randint(lo, hi)


def lay_anew(layout: Layout, slots: list[int], luck: random.Random) -> None:
    """Every card into some zone, piles in some order, some of it unknown."""
    heights: dict[int, list[int]] = {}
    cards = list(range(layout.card_count))
    luck.shuffle(cards)
    for c in cards:
        z = luck.randrange(len(layout.zones))
        slots[layout.location + c] = z
        there = heights.setdefault(z, [])
        rank = 0 if not there else there[-1] + luck.choice((0, 1, 1))
        there.append(rank)
        slots[layout.rank + c] = rank if layout.zones[z].ordered else 0
