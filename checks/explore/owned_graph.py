"""An explicit graph of game states in which every state says who chooses the next step.

States are the numbers 0..n-1 and edges the numbers 0..m-1, both in the order in which they were added.
Everything is kept in flat arrays, so a graph of ten million edges is a few arrays of ten million small
integers. What is not known (who decides, what lies beyond) is part of the graph, so that an analysis can
judge it both for and against a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from . import kernels
from .arrays import room_for

Zeros = Callable[[int, DTypeLike], np.ndarray]

# Who chooses at a state. A player is a number from 0 up; the others are:
NOBODY = -1
"""No choice: exactly one successor, or none (an end of play)."""
CHANCE = -2
"""Dice, shuffles, unknown cards: every successor may happen and no player can prevent it."""
OPEN = -3
"""Somebody chooses, but the rule book does not say who."""
READING = -4
"""Which reading of the rule book holds. The answer is kept in the state, so such a state is never met
twice."""
FRONTIER = -5
"""Seen, but not expanded: the successors are not known."""

BOUND = -1
"""The target of an edge that left the bounds of the model: what would have followed is not known."""


class Scope(IntEnum):
    """A part of a game within which a loop can lie, narrowest first.

    The same numbers tell what an edge crosses: `crossing` is the widest scope of which one instance was left
    or another entered on the way (0: none). An edge lies inside a scope when its crossing is smaller than the
    scope.
    """

    STEP = 1
    PHASE = 2
    TURN = 3
    GAME = 4


class Edges(NamedTuple):
    """The edges sorted by the state they start from, those of one state in the order they were added.

    first     of each state: where its edges begin; the number of edges at last
    target    of each edge
    crossing  of each edge
    number    which edge of the graph it is; None where they were added in this order
    """

    first: np.ndarray
    target: np.ndarray
    crossing: np.ndarray
    number: np.ndarray | None

    def edge(self, at: int) -> int:
        """The number of an edge."""
        return int(at) if self.number is None else int(self.number[at])

    def source(self, at: int) -> int:
        """The state an edge starts from."""
        return int(np.searchsorted(self.first, at, "right")) - 1


class OwnedGraph:
    """States with owners, edges with labels and crossings, and one initial state.

    owner     of each state: a player number, NOBODY, CHANCE, OPEN, READING or FRONTIER
    source    of each edge: a state
    target    of each edge: a state, or BOUND
    label     of each edge: anything hashable; the graph never looks at it
    crossing  of each edge: 0, or the widest `Scope` whose instance changed during the transition
    initial   the state where play begins
    zeros     makes the large arrays of an analysis of it (length, type), all zero

    Several edges may join the same two states. Read the arrays freely; change them only through the methods.
    """

    __slots__ = ("_arriving", "_crossing", "_distance", "_edges", "_owner", "_size", "_source", "_target",
                 "_used", "initial", "label", "zeros")

    def __init__(self, initial: int = 0) -> None:
        self.initial = initial
        self.label: Sequence[Hashable] = []
        self.zeros: Zeros = np.zeros
        self._size = self._used = 0
        self._owner = np.empty(0, np.int8)
        self._source: np.ndarray | None = np.empty(0, np.int32)
        self._target, self._crossing = np.empty(0, np.int32), np.empty(0, np.int8)
        self._changed()

    @classmethod
    def from_arrays(
        cls, owner: np.ndarray, first: np.ndarray, target: np.ndarray, crossing: np.ndarray,
        label: Sequence[Hashable],
    ) -> OwnedGraph:
        """A graph of arrays as in `Edges`, sorted; they are not copied. Nothing can be added to it."""
        graph = cls()
        graph._owner, graph._size = owner, len(owner)
        graph._source, graph._target, graph._crossing, graph._used = None, target, crossing, len(target)
        graph.label = label
        graph._edges = Edges(first, target, crossing, None)
        return graph

    def _changed(self) -> None:
        self._edges: Edges | None = None
        self._distance: np.ndarray | None = None
        self._arriving: np.ndarray | None = None

    def __len__(self) -> int:
        """The number of states."""
        return self._size

    def __repr__(self) -> str:
        return f"<OwnedGraph: {self._size} states, {self._used} edges, initial {self.initial}>"

    @property
    def owner(self) -> np.ndarray:
        return self._owner[:self._size]

    @property
    def source(self) -> np.ndarray:
        if self._source is None:
            first = self.edges.first
            self._source = np.repeat(np.arange(self._size, dtype=np.int32), np.diff(first))
        return self._source[:self._used]

    @property
    def target(self) -> np.ndarray:
        return self._target[:self._used]

    @property
    def crossing(self) -> np.ndarray:
        return self._crossing[:self._used]

    # ---- building

    def add_state(self, owner: int = FRONTIER) -> int:
        """Add a state and return its number. A state that is seen before it is expanded begins as FRONTIER.

        Raises ValueError for a number that names no owner.
        """
        _check_owner(owner)
        k = self._size
        if k == self._owner.size:
            self._owner = room_for(self._owner, k + 1)
        self._owner[k] = owner
        self._size = k + 1
        self._changed()
        return k

    def expand(self, state: int, owner: int) -> None:
        """Say who chooses at a state that was FRONTIER so far; its edges can be added from now on.

        Raises ValueError if the state was expanded before, or for a number that names no owner.
        """
        _check_owner(owner)
        if self._owner[state] != FRONTIER:
            raise ValueError(f"state {state} is already expanded: its owner is {self._owner[state]}")
        self._owner[state] = owner

    def add_edge(self, source: int, target: int, label: Hashable = None, crossing: int = 0) -> int:
        """Add an edge and return its number. `target` is a state that was added before, or BOUND.

        Raises ValueError if a state does not exist, if `source` is not expanded, or if `crossing` is not 0 to
        4.
        """
        size, k = self._size, self._used
        if not 0 <= source < size:
            raise ValueError(f"an edge starts at state {source}, but the states are 0 to {size - 1}")
        if not 0 <= target < size and target != BOUND:
            raise ValueError(f"an edge leads to {target}: neither a state (0 to {size - 1}) nor BOUND")
        if self._owner[source] == FRONTIER:
            raise ValueError(f"state {source} is FRONTIER, so its edges are not known; call expand({source}, "
                             f"owner) first")
        if not 0 <= crossing <= Scope.GAME:
            raise ValueError(f"an edge crosses scope {crossing}; use 0 (none) to 4 (game)")
        if not isinstance(self.label, list) or self._source is None:
            raise ValueError("nothing can be added to a graph that was made from arrays")
        if k == self._target.size:
            self._source, self._target, self._crossing = (
                room_for(a, k + 1) for a in (self._source, self._target, self._crossing))
        self._source[k], self._target[k], self._crossing[k] = source, target, crossing
        self._used = k + 1
        self.label.append(label)
        self._changed()
        return k

    def check(self) -> None:
        """Raise ValueError if a NOBODY state has more than one edge, or if the initial state does not
        exist."""
        if self._size and not 0 <= self.initial < self._size:
            raise ValueError(f"the initial state is {self.initial}, but the states are "
                             f"0 to {self._size - 1}")
        degree = np.diff(self.edges.first)
        wrong = np.flatnonzero((degree > 1) & (self.owner == NOBODY))
        if wrong.size:
            state = wrong[0]
            raise ValueError(f"state {state} belongs to NOBODY but has {degree[state]} edges; give it the "
                             f"player who chooses, CHANCE or OPEN")

    # ---- reading

    @property
    def edges(self) -> Edges:
        """The edges, sorted."""
        if self._edges is None:
            source = self.source
            first = np.zeros(self._size + 1, np.int64)
            np.cumsum(np.bincount(source, minlength=self._size), out=first[1:])
            if bool((source[1:] >= source[:-1]).all()):
                self._edges = Edges(first, self.target, self.crossing, None)
            else:
                order = np.argsort(source, kind="stable")
                self._edges = Edges(first, self.target[order], self.crossing[order], order)
        return self._edges

    def out_edges(self, state: int) -> Sequence[int]:
        """The edges that start at a state, in the order in which they were added."""
        edges = self.edges
        a, b = int(edges.first[state]), int(edges.first[state + 1])
        return range(a, b) if edges.number is None else edges.number[a:b].tolist()

    def targets(self, state: int) -> list[int]:
        """Where the edges of a state lead, in the order in which they were added."""
        edges = self.edges
        return edges.target[edges.first[state]:edges.first[state + 1]].tolist()

    def breadth_first(self) -> tuple[np.ndarray, np.ndarray]:
        """Shortest ways from the initial state: for each state its distance, and the place among the sorted
        `edges` of the one by which it is reached.

        Both are -1 for a state that is not reached; the initial state has distance 0 and no edge (-1). Of
        several shortest ways it is the one by the edges added first.
        """
        if self._distance is None or self._arriving is None:
            distance = self.zeros(self._size, np.int32)
            arriving = self.zeros(self._size, np.int32 if self._used < 1 << 31 else np.int64)
            distance[:] = arriving[:] = -1
            if self._size:
                queue = self.zeros(self._size, np.int32)
                kernels.breadth_first(self.edges.first, self.edges.target, self.initial, distance, arriving, queue)
            self._distance, self._arriving = distance, arriving
        return self._distance, self._arriving

    def way_to(self, state: int) -> list[tuple[int, int]]:
        """A shortest way from the initial state: (state, edge) for each step."""
        _, arriving = self.breadth_first()
        way: list[tuple[int, int]] = []
        while (at := int(arriving[state])) >= 0:
            state = self.edges.source(at)
            way.append((state, self.edges.edge(at)))
        return way[::-1]


def _check_owner(owner: int) -> None:
    if owner < FRONTIER:
        raise ValueError(f"{owner} names no owner: use a player number from 0 up, NOBODY, CHANCE, OPEN, "
                         f"READING or FRONTIER")
