"""Exploration on compiled code, with the results of `checks.explore.explorer`: states, numbers, edges, depths.

States stay packed; they are laid out when somebody asks for one.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, Option, State
from ..explore.arrays import Numbers
from ..explore.explorer import SEVERAL, BoundAtStart, BoundEdge, Exploration, Limits, Progress, memory_mib
from ..explore.owned_graph import CHANCE, FRONTIER, OwnedGraph, Scope
from . import core
from .core import (
    COUNT,
    CUT,
    CUT_STATES,
    DEPTH_CUT,
    DONE,
    EDGES,
    FIXED,
    GAVE_UP,
    LIMIT_DEPTH,
    LIMIT_STATES,
    LIMIT_TURNS,
    MORE_TIME,
    NEED_ROOM,
    NEED_SPACE,
    NEXT,
    OUTSIDE,
    RUN_WORDS,
    TAG_BITS,
    TRANSITIONS,
    WORDS,
)
from .engine import BeyondNative, Native
from .memory import DECIDER

BUDGET = 200_000
"""Transitions between two looks at the clock."""
GROWTH = 1.3


class Search:
    """A search under way: the arrays that the core works on. With `graph`, edges, owners, depths and turns are kept;
    without, the state each was first found from."""

    def __init__(self, native: Native, limits: Limits, graph: bool = True, states: int = 4096) -> None:
        self.native = native
        self.graph = graph
        fixed = native.shape.fixed
        self.run = np.zeros(RUN_WORDS, np.int64)
        self.run[FIXED] = fixed
        for word, limit in ((LIMIT_STATES, limits.states), (LIMIT_DEPTH, limits.depth), (LIMIT_TURNS, limits.turns)):
            self.run[word] = -1 if limit is None else limit
        self.tracks = graph or limits.depth is not None or limits.turns is not None
        self.keys = np.zeros(8 + states * (fixed or 8), np.uint64)
        self.offsets = np.zeros(1 if fixed else states + 2, np.uint32)
        self.table = np.zeros(0, np.uint32)
        self.resize_table(2 * states)
        self.parent = np.zeros(1 if graph else states, np.uint32)
        many = states if self.tracks else 1
        self.ended, self.depth, self.turns = np.zeros(many, np.uint8), np.zeros(many, np.int32), np.zeros(many, np.int32)
        many = states if graph else 1
        self.owner, self.first_edge = np.full(many, FRONTIER, np.int8), np.zeros(many + 1, np.int64)
        self.target, self.crossing = np.zeros(4 * many, np.int32), np.zeros(4 * many, np.int8)
        self.records = np.zeros(1 << 16, np.uint64)
        self.hashes = np.zeros(self.records.size, np.uint64)
        self.decider = np.ctypeslib.as_array((ctypes.c_int64 * 1).from_address(native.context + DECIDER))

    @property
    def count(self) -> int:
        return int(self.run[COUNT])

    @property
    def transitions(self) -> int:
        return int(self.run[TRANSITIONS])

    @property
    def key_bytes(self) -> int:
        """Bytes of all keys."""
        return 8 * int(self.run[WORDS])

    # ------------------------------------------------------------ states
    def add(self, arrival: Arrival) -> int:
        """Enter a first state; its number."""
        state = arrival.state
        if state.end is None:
            self.native.enter(state)
            words = np.array(self.native.packed(1), np.uint64)
        else:
            words = np.array(self.native.packed_end(state), np.uint64)
        k = int(core.add(self.run, words, self.keys, self.offsets, self.table))
        if self.tracks:
            self.ended[k] = state.end is not None
        return k

    def skip_number(self) -> None:
        """Number 0 is a state that has no key."""
        self.run[COUNT], self.run[NEXT] = 1, 1
        self.run[WORDS] = self.run[FIXED]

    def key(self, k: int) -> list[int]:
        """The words of a state."""
        fixed = int(self.run[FIXED])
        first, last = (k * fixed, (k + 1) * fixed) if fixed else (int(self.offsets[k]), int(self.offsets[k + 1]))
        return [int(x) for x in self.keys[first:last]]

    # ------------------------------------------------------------ going on
    def go(self, budget: int = BUDGET) -> int:
        """Go on for a while: DONE, MORE_TIME, CUT_STATES. Raises BeyondNative."""
        while True:
            why = int(core.search(
                self.run, self.native.context, self.native.compiled.address["successors"], self.decider, self.records,
                self.hashes, self.keys, self.offsets, self.table, self.parent, self.ended, self.depth, self.turns,
                self.owner, self.first_edge, self.target, self.crossing, budget))
            if why == NEED_SPACE:
                self.make_space()
            elif why == NEED_ROOM:
                self.records = np.zeros(2 * self.records.size, np.uint64)
                self.hashes = np.zeros(self.records.size, np.uint64)
            elif why == GAVE_UP:
                raise BeyondNative
            else:
                return why

    def make_space(self) -> None:
        """Make larger what is nearly full: there is room for what one state leads to."""
        n, most = self.count, self.records.size // core.HEAD_WORDS
        fixed = int(self.run[FIXED])
        if fixed:
            self.keys = larger(self.keys, (n + most) * fixed + 8)
        else:
            self.offsets = larger(self.offsets, n + most + 2)
            self.keys = larger(self.keys, int(self.run[WORDS]) + self.records.size + 8)
        room = (self.keys.size - 8) // fixed if fixed else self.offsets.size - 2
        if not self.graph:
            self.parent = larger(self.parent, room, room)
        if self.tracks:
            self.ended, self.depth, self.turns = (larger(a, room, room) for a in (self.ended, self.depth, self.turns))
        if self.graph:
            old = self.owner.size
            self.owner = larger(self.owner, room, room)
            self.owner[old:] = FRONTIER
            self.first_edge = larger(self.first_edge, room + 1, room + 1)
            edges = int(self.run[EDGES]) + most
            self.target, self.crossing = larger(self.target, edges), larger(self.crossing, edges)
        if 4 * (n + most) > 3 * self.table.size:
            self.resize_table(max(int(self.table.size * 1.5), 2 * (n + most)))

        if not fixed and self.keys.size >= 1 << 32:
            raise BeyondNative

    def resize_table(self, size: int) -> None:
        """Another table, with all states in it."""
        if size >= 1 << 32:
            raise BeyondNative
        self.table = np.zeros(0, np.uint32)
        self.table = np.zeros(size, np.uint32)
        self.run[TAG_BITS] = 32 - size.bit_length()
        core.rebuild(self.run, self.keys, self.offsets, self.table)


def larger(a: np.ndarray, least: int, exact: int = 0) -> np.ndarray:
    """The array with room for at least so much."""
    if a.size < least:
        a.resize(exact or max(least, int(a.size * GROWTH)), refcheck=False)
    return a


# ---------------------------------------------------------------- what was found, when somebody asks
@dataclass
class States(Sequence[State]):
    """The states of a search, by number; laid out one at a time."""

    search: Search
    engine: Interpreter
    several: bool
    cache: dict[int, State]

    def __len__(self) -> int:
        return self.search.count

    @overload
    def __getitem__(self, k: int, /) -> State: ...
    @overload
    def __getitem__(self, k: slice, /) -> Sequence[State]: ...
    def __getitem__(self, k: int | slice, /) -> State | Sequence[State]:
        if isinstance(k, slice):
            return [self[x] for x in range(*k.indices(len(self)))]
        if k < 0:
            k += len(self)
        if not 0 <= k < len(self):
            raise IndexError(k)
        found = self.cache.get(k)
        if found is None:
            found = SEVERAL if self.several and k == 0 else self.search.native.unpacked(self.search.key(k))
            if len(self.cache) > 100_000:
                self.cache.clear()
            self.cache[k] = found
        return found

    def __iter__(self) -> Iterator[State]:
        return (self[k] for k in range(len(self)))


@dataclass
class Labels(Sequence[Option]):
    """The options behind the edges; asked of the state they start from."""

    states: States
    graph: OwnedGraph
    kept: dict[int, tuple[Option, ...]]

    def __len__(self) -> int:
        return len(self.graph.target)

    @overload
    def __getitem__(self, e: int, /) -> Option: ...
    @overload
    def __getitem__(self, e: slice, /) -> Sequence[Option]: ...
    def __getitem__(self, e: int | slice, /) -> Option | Sequence[Option]:
        if isinstance(e, slice):
            return [self[x] for x in range(*e.indices(len(self)))]
        k = self.graph.edges.source(e)
        return self.options(k)[e - int(self.graph.edges.first[k])]

    def options(self, k: int) -> tuple[Option, ...]:
        """The options of a state, in order."""
        if self.states.several and k == 0:
            return tuple((x,) for x in range(int(self.graph.edges.first[1])))
        found = self.kept.get(k)
        if found is None:
            if len(self.kept) > 100_000:
                self.kept.clear()
            found = self.kept[k] = self.states.search.native.listed(self.states[k])[1]
        return found


# ---------------------------------------------------------------- the explorer
def explore(
    native: Native, engine: Interpreter, first: Arrival | Sequence[Arrival], limits: Limits,
    progress: Callable[[Progress], None] | None = None,
) -> Exploration:
    """What `checks.explore.explorer.explore` gives, without symmetry. Raises BeyondNative."""
    starts = [first] if isinstance(first, Arrival) else list(first)
    begun = told = time.monotonic()
    for start in starts:
        if start.state.end is not None and start.state.end.kind == "bound":
            raise BoundAtStart(start.state.end)
    search = Search(native, limits)
    several = len(starts) > 1
    cut = ""
    if several:
        begin_with_several(search, starts)
    else:
        search.add(starts[0])
    while True:
        why = search.go(BUDGET if limits.memory_mib is None and limits.seconds is None else BUDGET // 8)
        now = time.monotonic()
        if why == CUT_STATES:
            cut = "states"
        elif why == MORE_TIME and limits.seconds is not None and now - begun > limits.seconds:
            cut = "seconds"
        elif why == MORE_TIME and limits.memory_mib is not None and memory_mib() > limits.memory_mib:
            cut = "memory"
        if why == DONE or cut:
            break
        if progress is not None and now - told > 0.25:
            at = int(search.run[NEXT])
            progress(Progress(search.count, search.count - at, int(search.depth[min(at, search.count - 1)]), now - begun))
            told = now
    cut = cut or {0: "", DEPTH_CUT: "depth"}.get(int(search.run[CUT]), "turns")
    return told_exploration(search, engine, several, cut, begun)


def begin_with_several(search: Search, starts: Sequence[Arrival]) -> None:
    """Chance picks one of the first states: state 0 leads to each of them."""
    search.skip_number()
    search.owner[0] = CHANCE
    while search.target.size < len(starts) or search.offsets.size + search.keys.size < len(starts):
        search.make_space()
    for k, start in enumerate(starts):
        if search.count + 2 >= search.owner.size:
            search.make_space()
        search.target[k] = search.add(start)
        search.crossing[k] = int(Scope.GAME)
    search.run[EDGES] = len(starts)
    search.first_edge[1] = len(starts)


def told_exploration(search: Search, engine: Interpreter, several: bool, cut: str, begun: float) -> Exploration:
    """The arrays as an Exploration."""
    count, edges, seen = search.count, int(search.run[EDGES]), int(search.run[NEXT])
    search.first_edge[seen + 1:count + 1] = edges
    states = States(search, engine, several, {})
    graph = OwnedGraph.from_arrays(
        search.owner[:count], search.first_edge[:count + 1], search.target[:edges], search.crossing[:edges], [])
    graph.label = labels = Labels(states, graph, {})
    out = Exploration(states, graph, Numbers(search.depth[:count]), Numbers(search.turns[:count]))
    for e in np.flatnonzero(graph.target == OUTSIDE).tolist():
        k, option = graph.edges.source(e), labels[e]
        arrival = engine.apply(states[k], option)
        assert arrival.state.end is not None and arrival.state.end.kind == "bound"
        out.bound_edges.append(BoundEdge(k, option, arrival.state, arrival.crossing))
    out.transitions = int(search.run[TRANSITIONS])
    out.cut = cut
    out.seconds = time.monotonic() - begun
    return out
