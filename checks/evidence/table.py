"""The positions of an exploration as the table of a certificate, and what is claimed of all of them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...model.engine.state import OPEN, Arrival, State
from ..explore.end_components import Arena, maximal_end_components
from ..explore.explorer import SEVERAL, Exploration
from ..explore.owned_graph import FRONTIER, Scope
from ..explore.subject import Subject


class Table:
    """The positions of which it is known what follows, or in which play has ended: `kept` are their numbers in the exploration, `place`
    has their numbers in the table."""

    def __init__(self, subject: Subject, out: Exploration, starts: Sequence[Arrival] = ()) -> None:
        self.subject, self.out = subject, out
        self.starts = [a.state for a in starts or subject.starts]
        owner = out.graph.owner
        self.kept = [
            k for k, s in enumerate(out.states) if s is not SEVERAL and (s.end is not None or owner[k] != FRONTIER)
        ]
        if len(subject.starts) > 1:
            self.kept = [k for k in self.kept if k != out.graph.initial]
        self.place = {k: n for n, k in enumerate(self.kept)}
        self.states = [out.states[k] for k in self.kept]
        self.number = dict(zip(self.states, self.kept, strict=True))

    def plain(self) -> dict[str, Any]:
        """As plain data: each position by where it differs from the first one."""
        base = self.states[0].slots if self.states else self.subject.positions[0]
        return {"base": list(base), "list": [plain_state(s, base) for s in self.states]}

    def claim(self, findings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What is said of all positions. What stands in no claim about a finding (`findings`) is not told, so it must not be there."""
        out = self.out
        ends = Counter(s.end[:3] for s in self.states if s.end is not None)
        plays = [c for c in findings if c["kind"] == "play"] if out.complete else []
        silent = {(c["end"][0], c["end"][2]) for c in plays if c["end"] is not None}
        return {
            "kind": "positions",
            "about": "",
            "complete": out.complete,
            "states": len(out.states),
            "transitions": out.transitions,
            "depth": int(np.max(out.depth, initial=0)) + (len(self.subject.starts) > 1),
            "bounds": len(out.bound_edges),
            "ends": [[*end, n] for end, n in sorted(ends.items())],
            "silent": [list(e) for e in sorted(silent)],
            "open": sorted({c["clause"] for c in plays if c["clause"] is not None}),
            "broken": sorted({c["rule"] for c in plays if c["rule"] is not None}),
            "loops": self.regions() if out.complete else [],
        }

    @cached_property
    def components(self) -> dict[int, int]:
        """Of each position in a region in which all players together can keep play going for ever: which region that is."""
        graph = self.out.graph
        distance, _ = graph.breadth_first()
        arena = Arena(graph, np.flatnonzero(distance >= 0).astype(np.int32), Scope.GAME + 1)
        label = maximal_end_components(arena, (0, 1, OPEN), False, arena.everything()).label
        return {self.place[int(k)]: int(x) for k, x in zip(arena.states, label, strict=True) if x >= 0}

    def regions(self) -> list[int]:
        """A position of each of these regions."""
        return sorted({region: k for k, region in reversed(self.components.items())}.values())

    def untold(self, loops: Sequence[Mapping[str, Any]], regions: Sequence[int]) -> int:
        """In how many of these regions no loop of these claims runs."""
        told = {self.components.get(k) for c in loops for closed in c["closed"] for k in closed["states"]}
        return sum(self.components[k] not in told for k in regions)


def plain_state(state: State, base: Sequence[int]) -> list[Any]:
    """A state as plain data: where its slots differ from others (slot, value, slot, value …), frames, and the end or null."""
    changed = [x for k, (a, b) in enumerate(zip(base, state.slots, strict=True)) if a != b for x in (k, b)]
    return [changed, [list(f) for f in state.frames], None if state.end is None else list(state.end)]


def no_states(subject: Subject) -> dict[str, Any]:
    """A table of nothing, for claims about single plays."""
    return {"base": list(subject.positions[0]), "list": []}
