"""Exploration on compiled code, with the results of `checks.explore.explorer`: states, numbers, edges, depths.

States stay packed; they are laid out when somebody asks for one.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, overload

import numpy as np

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, Option, State
from ...spec.diagnostics import BadInput
from ...spec.groups import grouped
from ...spec.text import Text
from ..explore.arrays import Numbers
from ..explore.explorer import (
    SEVERAL,
    BoundEdge,
    Exploration,
    Limits,
    Progress,
    memory_needed,
    name_of,
    refuse_bounds,
)
from ..explore.owned_graph import FRONTIER, Edges, OwnedGraph
from ..limits.ending import leave_out_files, memory_mib, reason
from .arena import zeros_in
from .checkpoint import Checkpoint, Plan, beyond_limit, not_written
from .engine import Native
from .fingerprints import omission
from .layout import CUT, CUT_STATES, DEPTH_CUT, DONE, EDGES, MORE_TIME, NEXT, OUTSIDE, TRANSITIONS
from .looking import NativeSurvey
from .search import BUDGET, Search

M = TypeVar("M")


# ---------------------------------------------------------------- what was found, when somebody asks
class Made(Sequence[M]):
    """A row whose members are made one at a time, when somebody asks for them."""

    @abstractmethod
    def one(self, k: int) -> M:
        """Member k."""

    @overload
    def __getitem__(self, k: int, /) -> M: ...
    @overload
    def __getitem__(self, k: slice, /) -> Sequence[M]: ...
    def __getitem__(self, k: int | slice, /) -> M | Sequence[M]:
        return [self.one(x) for x in range(*k.indices(len(self)))] if isinstance(k, slice) else self.one(k)


@dataclass
class States(Made[State]):
    """The states of a search, by number; laid out one at a time."""

    search: Search
    engine: Interpreter
    several: bool
    cache: dict[int, State]

    def __len__(self) -> int:
        return self.search.count

    def one(self, k: int) -> State:
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
        return map(self.one, range(len(self)))


@dataclass
class Labels(Made[Option]):
    """The options behind the edges; asked of the state they start from. It does not hold the graph, which holds it: a circle would keep the search in memory."""

    states: States
    edges: Edges
    kept: dict[int, tuple[Option, ...]]

    def __len__(self) -> int:
        return len(self.edges.target)

    def one(self, k: int) -> Option:
        source = self.edges.source(k)
        return self.options(source)[k - int(self.edges.first[source])]

    def options(self, k: int) -> tuple[Option, ...]:
        """The options of a state, in order."""
        if self.states.several and k == 0:
            return tuple((x,) for x in range(int(self.edges.first[1])))
        found = self.kept.get(k)
        if found is None:
            if len(self.kept) > 100_000:
                self.kept.clear()
            found = self.kept[k] = self.states.search.native.listed(self.states[k])[1]
        return found


@dataclass
class Left(Made[BoundEdge]):
    """The transitions that left a bound, by their edges; made again one at a time."""

    states: States
    graph: OwnedGraph
    labels: Labels
    survey: NativeSurvey
    edges: np.ndarray

    def __len__(self) -> int:
        return len(self.edges)

    def one(self, k: int) -> BoundEdge:
        e = int(self.edges[k])
        source, option = self.graph.edges.source(e), self.labels[e]
        arrival = self.states.engine.apply(self.states[source], option)
        assert arrival.state.end is not None and arrival.state.end.kind == "bound"
        return BoundEdge(source, option, arrival.state, arrival.crossing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    def kinds(self) -> Mapping[tuple[str, int], Sequence[int]]:
        first = self.graph.edges.first
        sources = np.searchsorted(first, self.edges, "right") - 1
        found = grouped(
            ((name_of(end), end.slot), which)
            for end, which in self.survey.ends_of_options(sources, self.edges - first[sources]))
        return {key: Numbers(np.sort(np.concatenate(which))) for key, which in found.items()}


# ---------------------------------------------------------------- the explorer
def explore(
    native: Native,
    engine: Interpreter,
    first: Arrival | Sequence[Arrival],
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    plan: Plan | None = None,
    tell: Callable[[Text], None] | None = None,
    threads: int = 1,
    fingerprints: bool = False,
    folder: Path | None = None,
) -> Exploration:
    """What `checks.explore.explorer.explore` gives, with the symmetry that was compiled. With a `plan`, checkpoints are
    written, or the search goes on from one; `tell` is told if they cannot be written. What comes out does not depend on
    `threads`. With `fingerprints` states may be missed; the exploration says how probably. With a `folder`, arrays lie in
    files there; where it has no room any more, the search is cut. Raises BeyondNative, BadInput."""
    starts = [first] if isinstance(first, Arrival) else list(first)
    refuse_bounds(starts)
    starts = [s._replace(state=native.representative(s.state)) for s in starts]
    if folder is not None:
        leave_out_files()
    with closing(Search(native, limits, threads=threads, fingerprints=fingerprints, folder=folder)) as search:
        if plan is None:
            search.begin(starts)
            cut, seconds = carry_on(search, limits, progress)
        else:
            with closing(Checkpoint(plan, search.identity(starts))) as checkpoint:
                checkpoint.open()
                cut, seconds = kept_search(search, starts, checkpoint, progress, tell)
    return told_exploration(search, engine, len(starts) > 1, cut, seconds)


def kept_search(
    search: Search, starts: Sequence[Arrival], checkpoint: Checkpoint, progress: Callable[[Progress], None] | None,
    tell: Callable[[Text], None] | None,
) -> tuple[str, float]:
    """Search with checkpoints, the last one where it ends; why it was cut, and seconds in all."""
    limits, before = search.limits, 0.0
    if checkpoint.plan.exists:
        facts = search.restore(checkpoint)
        before, old = float(facts["seconds"]), facts["states limit"]
        if limits.states is not None and (old is None or limits.states < old) and limits.states <= search.count:
            raise beyond_limit(checkpoint.folder, search.count)
    else:
        search.begin(starts)
    begun = time.monotonic()

    def write() -> None:
        arrays, facts = search.saved()
        try:
            checkpoint.write(arrays, {**facts, "seconds": before + time.monotonic() - begun})
        except OSError as e:
            if tell is not None:
                tell(not_written(e))
            checkpoint.last = time.monotonic()

    cut, _ = carry_on(search, limits, progress, lambda: write() if checkpoint.due else None, before)
    write()
    return cut, before + time.monotonic() - begun


def carry_on(
    search: Search, limits: Limits, progress: Callable[[Progress], None] | None,
    between: Callable[[], None] = lambda: None, before: float = 0.0,
) -> tuple[str, float]:
    """Search until all is done or a limit is met: why it was cut, and seconds. `before`: seconds of earlier runs."""
    begun = told = time.monotonic()
    timed = limits.memory_mib is not None or limits.seconds is not None or limits.stop is not None
    cut = ""
    while True:
        try:
            why = search.go(BUDGET // 8 if timed else BUDGET)
        except BadInput:  # a file cannot be made longer
            why, cut = CUT_STATES, "disk"
        now = time.monotonic()
        if why == CUT_STATES:
            cut = cut or "states"
        elif why == MORE_TIME:
            if limits.stop is not None and limits.stop():
                cut = reason(limits.stop)
            elif limits.seconds is not None and now - begun > limits.seconds:
                cut = "seconds"
            elif (
                limits.memory_mib is not None
                and memory_needed(search.count, search.folder is not None) > limits.memory_mib
            ):
                cut = "memory"
        if why == DONE or cut:
            break
        between()
        if progress is not None and now - told > 0.25:
            at = min(int(search.run[NEXT]), search.count - 1)
            progress(
                Progress(
                    search.count, search.frontier, int(search.array("depth")[at]), before + now - begun, memory_mib()
                )
            )
            told = now
    return cut or {0: "", DEPTH_CUT: "depth"}.get(int(search.run[CUT]), "turns"), time.monotonic() - begun


def told_exploration(search: Search, engine: Interpreter, several: bool, cut: str, seconds: float) -> Exploration:
    """The arrays as an Exploration."""
    count, edges, seen = search.count, int(search.run[EDGES]), int(search.run[NEXT])
    search.arenas["first_edge"].grow(count + 1)  # not every state has been numbered in arrays of this size
    for name in ("owner", "depth", "turns"):
        search.arenas[name].grow(count)
    owner, first_edge, depth = search.array("owner"), search.array("first_edge"), search.array("depth")
    first_edge[seen + 1:count + 1] = edges
    owner[seen:count] = FRONTIER
    states = States(search, engine, several, {})
    graph = OwnedGraph.from_arrays(
        owner[:count], first_edge[:count + 1], search.array("target")[:edges], search.array("crossing")[:edges], [])
    if search.folder is not None:
        graph.zeros = zeros_in(search.folder)
    graph.label = labels = Labels(states, graph.edges, {})
    survey = NativeSurvey(search, engine, several)
    left = Left(states, graph, labels, survey, np.flatnonzero(graph.target == OUTSIDE))
    out = Exploration(
        states, graph, Numbers(depth[:count]), Numbers(search.array("turns")[:count]), left, survey=survey
    )
    out.transitions = int(search.run[TRANSITIONS])
    out.cut = cut
    out.seconds = seconds
    out.omission = omission(count) if search.remade is not None else None
    return out
