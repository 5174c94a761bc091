"""End components of a graph of game states: where some players can keep play going whatever the others do.

All of it works on arrays; the inner loops stand in `kernels`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from . import kernels
from .kernels import BOUND_BIT, DROPPED, EXIT, FRONTIER_BIT, GOES_ON, OPEN_BIT, READING_BIT, WHOLE
from .owned_graph import FRONTIER, OPEN, READING, OwnedGraph, Zeros


class Doubt(Enum):
    """A kind of thing that is not known."""

    OPEN_CHOICE = "the rules do not say who decides"
    BOUND_EXCEEDED = "an edge leaves the bounds of the model"
    UNEXPLORED = "the state was not expanded"
    READING = "play goes on under a reading of the rules"


BIT = {
    Doubt.OPEN_CHOICE: OPEN_BIT,
    Doubt.BOUND_EXCEEDED: BOUND_BIT,
    Doubt.UNEXPLORED: FRONTIER_BIT,
    Doubt.READING: READING_BIT,
}


class Cause(NamedTuple):
    """One thing that is not known: an OPEN, FRONTIER or READING state, or a state with an edge to BOUND."""

    doubt: Doubt
    state: int


class Family(NamedTuple):
    """Disjoint sets of states of an arena: the states, set by set, each increasing; and where each begins."""

    nodes: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def member(self, k: int) -> np.ndarray:
        """The states of one set."""
        return self.nodes[self.starts[k]:self.starts[k + 1]]

    def only(self, which: np.ndarray) -> Family:
        """Some of the sets."""
        if which.all():
            return self
        sizes = np.diff(self.starts)
        return family(self.nodes[np.repeat(which, sizes)], sizes[which])


def family(nodes: np.ndarray, sizes: np.ndarray) -> Family:
    """A family of sets of the given sizes."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return Family(nodes, starts)


@dataclass
class Parts:
    """Disjoint sets of states of an arena, numbered by their smallest states. `label`: of each state, the set that it
    is in, or -1. `vague`: of each set, whether the unknown belongs to it."""

    label: np.ndarray
    vague: np.ndarray
    kept: Family | None = None

    @property
    def count(self) -> int:
        return len(self.vague)

    @property
    def family(self) -> Family:
        """The sets as states."""
        if self.kept is None:
            nodes = np.flatnonzero(self.label >= 0).astype(np.int32)
            labels = self.label[nodes]
            if self.count > 1:
                nodes = nodes[np.argsort(labels, kind="stable")]
            self.kept = family(nodes, np.bincount(labels, minlength=self.count))
        return self.kept

    def restricted(self, keep: np.ndarray) -> Parts:
        """The same in an arena of only some states; each set lies within them."""
        return Parts(self.label[keep], self.vague)


class Scratch:
    """Room for the kernels, one number for each state of an arena."""

    def __init__(self, size: int, edges: int, zeros: Zeros) -> None:
        self.mark, self.index, self.low, self.stack, self.path, self.piece = (
            zeros(size + 1, np.int32) for _ in range(6))
        self.pending = zeros(size + 1, np.int32 if edges < 1 << 31 else np.int64)


class Arena:
    """The edges inside one scope between some states of a graph, which are renumbered 0..size-1 here.

    An edge that leads elsewhere has the target EXIT; one into the unknown has the target `size`, which stands
    for everything unknown. FRONTIER and READING states are left out: what follows them is unknown. `trusted`,
    if given, lists what counts as unknown; other unexplored things are then exits, and other open choices are
    chance.

    states   the number of each state in the graph, increasing
    owner    of each state
    first    of each state: where its edges begin (all of them, in the order of the graph)
    out      the target of each edge
    into     the sources of the edges that lead to each state, and to the unknown, from `into_first` on
    doubtful of each state: what is not known there (its own choice, what lies beyond its edges), as bits
    """

    def __init__(
        self, graph: OwnedGraph, states: np.ndarray, scope: int, trusted: Collection[Cause] | None = None,
        room: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        owner = graph.owner[states]
        known = (owner != FRONTIER) & (owner != READING)
        self.graph, self.scope = graph, scope
        self.states = states if known.all() else states[known]
        self.size = size = len(self.states)
        self.owner = owner if known.all() else owner[known]
        number, trust = room or (
            graph.zeros(len(graph), np.int32),
            np.zeros(len(graph) if trusted is not None else 0, np.uint8),
        )
        if room is None:
            number[:] = -1
        number[self.states] = np.arange(size, dtype=np.int32)
        for cause in trusted or ():
            trust[cause.state] |= BIT[cause.doubt]
        edges = graph.edges
        count = int((edges.first[self.states + 1] - edges.first[self.states]).sum())
        self.first = graph.zeros(size + 1, np.int64)
        self.out = graph.zeros(count, np.int32)
        self.doubtful = np.zeros(size, np.uint8)
        kernels.arena_edges(
            self.states,
            edges.first,
            edges.target,
            edges.crossing,
            graph.owner,
            number,
            int(scope),
            trust,
            trusted is not None,
            self.owner,
            self.first,
            self.out,
            self.doubtful,
        )
        if room is not None:  # left as it was
            number[self.states] = -1
            for cause in trusted or ():
                trust[cause.state] = 0
        del number, trust
        self.into_first = graph.zeros(size + 2, np.int64)
        self.into = graph.zeros(int((self.out >= 0).sum()), np.int32)
        kernels.reverse(size, self.first, self.out, self.into_first, self.into)
        self.scratch = Scratch(size, count, graph.zeros)

    def everything(self) -> Family:
        """All states as one set."""
        return family(np.arange(self.size, dtype=np.int32), np.array([self.size]))

    def followers(self, v: int) -> list[int]:
        """The targets of a state's edges."""
        return self.out[self.first[v]:self.first[v + 1]].tolist()

    def sources(self, v: int) -> list[int]:
        """The sources of the edges that lead to a state."""
        return self.into[self.into_first[v]:self.into_first[v + 1]].tolist()

    def doubts(self, v: int) -> Iterator[Cause]:
        """What is not known at a state."""
        if not self.doubtful[v]:
            return
        graph, state = self.graph, int(self.states[v])
        if self.doubtful[v] & OPEN_BIT:
            yield Cause(Doubt.OPEN_CHOICE, state)
        edges, at = graph.edges, int(graph.edges.first[state])
        for k, w in enumerate(self.followers(v)):
            if w in (EXIT, self.size) and edges.crossing[at + k] < self.scope:
                target = int(edges.target[at + k])
                if target < 0:
                    yield Cause(Doubt.BOUND_EXCEEDED, state)
                elif graph.owner[target] == FRONTIER:
                    yield Cause(Doubt.UNEXPLORED, target)
                elif graph.owner[target] == READING:
                    yield Cause(Doubt.READING, target)

    def edge(self, at: int) -> tuple[int, int]:
        """The state of the graph that an edge starts from, and its place among the graph's sorted edges."""
        v = int(np.searchsorted(self.first, at, "right")) - 1
        state = int(self.states[v])
        return state, int(at - self.first[v] + self.graph.edges.first[state])


@dataclass(frozen=True)
class _Division:
    """The components that the sets of a family fall into: how many, whether each is joined with the unknown, what
    becomes of it, its size."""

    count: int
    joined: np.ndarray
    kind: np.ndarray
    sizes: np.ndarray


def _divide(arena: Arena, sets: Family, vague: np.ndarray, whole: bool) -> _Division:
    """Split marked sets into their components; without `whole` each of them goes on, its set's only one too."""
    s = arena.scratch
    many, joined = np.zeros(len(sets), np.int32), np.zeros(len(sets.nodes) + 1, np.bool_)
    count = int(
        kernels.split(
            sets.nodes,
            sets.starts,
            vague,
            arena.first,
            arena.out,
            arena.into_first,
            arena.into,
            arena.size,
            s.mark,
            s.index,
            s.low,
            s.stack,
            s.path,
            s.pending,
            s.piece,
            many,
            joined,
        )
    )
    if not whole:
        many[:] = 0
    kind, sizes = np.full(count, DROPPED, np.uint8), np.zeros(count, np.int32)
    kernels.sort_out(sets.nodes, sets.starts, s.piece, many, joined, arena.first, arena.out, kind, sizes)
    kernels.clear(sets.nodes, s.mark)
    return _Division(count, joined[:count], kind, sizes)


def _going_on(arena: Arena, sets: Family, d: _Division, number: np.ndarray, label: np.ndarray) -> Family:
    """The components that go on, as a family; those that have a number are written down."""
    goes = d.kind == GOES_ON
    sizes = d.sizes[goes].astype(np.int64)
    place = np.full(d.count, -1, np.int64)
    place[goes] = np.cumsum(sizes) - sizes
    nodes = arena.graph.zeros(int(sizes.sum()), np.int32)
    kernels.spread(sets.nodes, arena.scratch.piece, place, number, nodes, label)
    return family(nodes, sizes)


def connected(arena: Arena, sets: Family) -> Family:
    """The strongly connected components of each set that have an edge, by explored edges alone."""
    kernels.marks(sets.nodes, sets.starts, arena.scratch.mark)
    d = _divide(arena, sets, np.zeros(len(sets), np.bool_), whole=False)
    return _going_on(arena, sets, d, np.full(d.count, -1, np.int32), np.empty(0, np.int32))


def maximal_end_components(arena: Arena, keepers: Collection[int], hopeful: bool, within: Family) -> Parts:
    """The maximal end components of some players inside each of the given sets of states of an arena.

    An end component is strongly connected, has an edge, and does not let play out: each state of a keeper has
    an edge that stays inside, each other state has only such edges. If not `hopeful`, an open choice is
    nobody's and the unknown an exit. If `hopeful`, an open choice is a keeper's, and so is the unknown, which
    can lead to any state.

    Repeats two steps until nothing changes, for all sets at once: take away the states from which play may
    leave the set, together with those from which it may then leave, and split what is left into its strongly
    connected components. Linear in the edges of the sets that still change; the repetitions are few in
    practice and at most as many as there are states.
    """
    chooses = np.isin(arena.owner, [*keepers, OPEN] if hopeful else [*keepers])
    label = arena.graph.zeros(arena.size, np.int32)
    label[:] = -1
    found = 0
    joined = list[np.ndarray]()
    sets, vague = within, np.full(len(within), hopeful)
    while len(sets):
        prune(arena, sets, vague, chooses)
        d = _divide(arena, sets, vague, whole=True)
        whole = d.kind == WHOLE
        number = np.full(d.count, -1, np.int32)
        number[whole] = np.arange(found, found + int(whole.sum()), dtype=np.int32)
        found += int(whole.sum())
        joined.append(d.joined[whole])
        sets, vague = _going_on(arena, sets, d, number, label), d.joined[d.kind == GOES_ON]
    fresh = np.full(found, -1, np.int32)
    kernels.renumber(label, fresh)
    vague = np.zeros(found, np.bool_)
    vague[fresh] = np.concatenate([*joined, np.zeros(0, np.bool_)])
    return Parts(label, vague)


def kept_going(arena: Arena, keepers: Collection[int], hopeful: bool) -> np.ndarray:
    """Of each state of an arena: can some players keep play going inside it from there, whatever the others and chance do? What is left when
    those are taken away, again and again, that end, or from which somebody else can leave what is left (a safety game). The unknown as for
    `maximal_end_components`. Linear in the edges."""
    s, sets = arena.scratch, arena.everything()
    chooses = np.isin(arena.owner, [*keepers, OPEN] if hopeful else [*keepers])
    prune(arena, sets, np.array([hopeful]), chooses)
    kept = s.mark[:arena.size] > 0
    kernels.clear(sets.nodes, s.mark)
    return kept


def prune(arena: Arena, sets: Family, hopeful: np.ndarray, chooses: np.ndarray) -> None:
    """Mark of each set what is left when those are taken away, again and again, from which play ends or somebody who does not keep it
    going can leave what is left."""
    s = arena.scratch
    kernels.prune(
        sets.nodes, sets.starts, hopeful, arena.first, arena.out, arena.into_first, arena.into, chooses,
        arena.size, s.mark, s.index, s.stack,
    )
