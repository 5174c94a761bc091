"""An explicit graph of game states in which every state says who chooses the next step, and its end
components.

States are the numbers 0..n-1 and edges the numbers 0..m-1, both in the order in which they were added.
Everything is kept in flat lists, so a graph of a million edges is a few lists of a million small integers.
What is not known (who decides, what lies beyond) is part of the graph, so that an analysis can judge it both
for and against a claim.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from enum import Enum, IntEnum
from typing import NamedTuple

__all__ = ["BOUND", "CHANCE", "EXIT", "FRONTIER", "NOBODY", "OPEN", "READING", "Arena", "Cause", "Doubt",
           "OwnedGraph", "Scope", "maximal_end_components", "strongly_connected_components"]

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


class OwnedGraph:
    """States with owners, edges with labels and crossings, and one initial state.

    owner     of each state: a player number, NOBODY, CHANCE, OPEN, READING or FRONTIER
    source    of each edge: a state
    target    of each edge: a state, or BOUND
    label     of each edge: anything hashable; the graph never looks at it
    crossing  of each edge: 0, or the widest `Scope` whose instance changed during the transition
    initial   the state where play begins

    Several edges may join the same two states. Read the lists freely; change them only through the methods.
    """

    __slots__ = ("_offsets", "_order", "crossing", "initial", "label", "owner", "source", "target")

    def __init__(self, initial: int = 0) -> None:
        self.initial = initial
        self.owner: list[int] = []
        self.source: list[int] = []
        self.target: list[int] = []
        self.label: list[Hashable] = []
        self.crossing: list[int] = []
        self._offsets: list[int] | None = None
        self._order: Sequence[int] = ()

    @classmethod
    def from_edges(
        cls,
        owners: Iterable[int],
        edges: Iterable[tuple[int, int] | tuple[int, int, int] | tuple[int, int, int, Hashable]],
        initial: int = 0,
    ) -> OwnedGraph:
        """A graph from one owner per state and (source, target[, crossing[, label]]) per edge.

        A missing crossing is 0, a missing label None. Raises ValueError like `add_state`, `add_edge` and
        `check`.
        """
        graph = cls(initial)
        for owner in owners:
            graph.add_state(owner)
        for edge in edges:
            crossing = edge[2] if len(edge) > 2 else 0
            graph.add_edge(edge[0], edge[1], edge[3] if len(edge) > 3 else None, crossing)
        graph.check()
        return graph

    def __len__(self) -> int:
        """The number of states."""
        return len(self.owner)

    def __repr__(self) -> str:
        return f"<OwnedGraph: {len(self.owner)} states, {len(self.source)} edges, initial {self.initial}>"

    # ---- building

    def add_state(self, owner: int = FRONTIER) -> int:
        """Add a state and return its number. A state that is seen before it is expanded begins as FRONTIER.

        Raises ValueError for a number that names no owner.
        """
        _check_owner(owner)
        self.owner.append(owner)
        self._offsets = None
        return len(self.owner) - 1

    def expand(self, state: int, owner: int) -> None:
        """Say who chooses at a state that was FRONTIER so far; its edges can be added from now on.

        Raises ValueError if the state was expanded before, or for a number that names no owner.
        """
        _check_owner(owner)
        if self.owner[state] != FRONTIER:
            raise ValueError(f"state {state} is already expanded: its owner is {self.owner[state]}")
        self.owner[state] = owner

    def add_edge(self, source: int, target: int, label: Hashable = None, crossing: int = 0) -> int:
        """Add an edge and return its number. `target` is a state that was added before, or BOUND.

        Raises ValueError if a state does not exist, if `source` is not expanded, or if `crossing` is not 0 to
        4.
        """
        size = len(self.owner)
        if not 0 <= source < size:
            raise ValueError(f"an edge starts at state {source}, but the states are 0 to {size - 1}")
        if not 0 <= target < size and target != BOUND:
            raise ValueError(f"an edge leads to {target}: neither a state (0 to {size - 1}) nor BOUND")
        if self.owner[source] == FRONTIER:
            raise ValueError(f"state {source} is FRONTIER, so its edges are not known; call expand({source}, "
                             f"owner) first")
        if not 0 <= crossing <= Scope.GAME:
            raise ValueError(f"an edge crosses scope {crossing}; use 0 (none) to 4 (game)")
        self.source.append(source)
        self.target.append(target)
        self.label.append(label)
        self.crossing.append(crossing)
        self._offsets = None
        return len(self.source) - 1

    def check(self) -> None:
        """Raise ValueError if a NOBODY state has more than one edge, or if the initial state does not
        exist."""
        if self.owner and not 0 <= self.initial < len(self.owner):
            raise ValueError(f"the initial state is {self.initial}, but the states are "
                             f"0 to {len(self.owner) - 1}")
        offsets = self._ensure_sorted()
        for state, owner in enumerate(self.owner):
            edges = offsets[state + 1] - offsets[state]
            if owner == NOBODY and edges > 1:
                raise ValueError(f"state {state} belongs to NOBODY but has {edges} edges; give it the player "
                                 f"who chooses, CHANCE or OPEN")

    # ---- reading

    def out_edges(self, state: int) -> Sequence[int]:
        """The edges that start at a state, in the order in which they were added."""
        offsets = self._offsets or self._ensure_sorted()
        return self._order[offsets[state]:offsets[state + 1]]

    def is_end(self, state: int) -> bool:
        """Whether play ends here: the state is expanded and has no edge."""
        return self.owner[state] != FRONTIER and not self.out_edges(state)

    def inner_edges(self, states: Iterable[int], scope: int = Scope.GAME) -> list[int]:
        """The edges that lie inside a scope and have both ends in a set of states."""
        members = set(states)
        target, crossing = self.target, self.crossing
        return [edge for state in sorted(members) for edge in self.out_edges(state)
                if target[edge] in members and crossing[edge] < scope]

    def subgraph(self, states: Iterable[int]) -> tuple[OwnedGraph, list[int]]:
        """The graph cut down to some states, and for each of its states the number it has here.

        Edges out of the set become edges to BOUND: the part knows nothing of what lies beyond, and an
        analysis of it can be less certain than one of the whole, never wrong. The first state is initial
        unless `initial` is in it.
        """
        kept = sorted(set(states))
        number = {state: index for index, state in enumerate(kept)}
        part = OwnedGraph(number.get(self.initial, 0))
        for state in kept:
            part.add_state(self.owner[state])
        for state in kept:
            for edge in self.out_edges(state):
                part.add_edge(number[state], number.get(self.target[edge], BOUND), self.label[edge],
                              self.crossing[edge])
        return part, kept

    def breadth_first(self) -> tuple[list[int], list[int]]:
        """Shortest ways from the initial state: for each state its distance, and the edge by which it is
        reached.

        Both are -1 for a state that is not reached; the initial state has distance 0 and edge -1.
        """
        distance, arriving = [-1] * len(self.owner), [-1] * len(self.owner)
        if not self.owner:
            return distance, arriving
        distance[self.initial] = 0
        queue = [self.initial]
        for state in queue:
            for edge in self.out_edges(state):
                reached = self.target[edge]
                if reached != BOUND and distance[reached] < 0:
                    distance[reached] = distance[state] + 1
                    arriving[reached] = edge
                    queue.append(reached)
        return distance, arriving

    def _ensure_sorted(self) -> list[int]:
        """Sort the edges by source (a counting sort; nothing to do if they were added that way)."""
        if self._offsets is not None:
            return self._offsets
        offsets = [0] * (len(self.owner) + 1)
        ordered, last = True, 0
        for state in self.source:
            offsets[state + 1] += 1
            ordered, last = ordered and state >= last, state
        for state in range(len(self.owner)):
            offsets[state + 1] += offsets[state]
        if ordered:
            self._order = range(len(self.source))
        else:
            free, order = offsets[:], [0] * len(self.source)
            for edge, state in enumerate(self.source):
                order[free[state]] = edge
                free[state] += 1
            self._order = order
        self._offsets = offsets
        return offsets


def _check_owner(owner: int) -> None:
    if owner < FRONTIER:
        raise ValueError(f"{owner} names no owner: use a player number from 0 up, NOBODY, CHANCE, OPEN, "
                         f"READING or FRONTIER")


def strongly_connected_components(
    nodes: Sequence[int], successors: Sequence[Sequence[int]], mark: Sequence[int], number: int
) -> list[list[int]]:
    """The strongly connected components of a part of a graph, by Tarjan's algorithm without recursion.

    The part is `nodes`, exactly the nodes v with mark[v] == number; edges to other nodes (or to a negative
    number) are ignored. Every node is in one component, single nodes too. Each component comes after those it
    leads to, and the order depends on nothing but the arguments. Takes time linear in the nodes and edges of
    the part.
    """
    top = max(nodes, default=-1) + 1
    index: list[int] | dict[int, int] = [0] * top if top < 8 * len(nodes) else dict.fromkeys(nodes, 0)
    low = index.copy()
    last, done = 0, len(nodes) + 1
    stack: list[int] = []
    components: list[list[int]] = []
    for root in nodes:
        if index[root]:
            continue
        last += 1
        index[root] = low[root] = last
        stack.append(root)
        path, pending = [root], [iter(successors[root])]
        while path:
            node = path[-1]
            lowest = low[node]
            for follower in pending[-1]:
                if follower < 0 or mark[follower] != number:
                    continue
                met = index[follower]
                if not met:
                    last += 1
                    index[follower] = low[follower] = last
                    stack.append(follower)
                    path.append(follower)
                    pending.append(iter(successors[follower]))
                    break
                if met < lowest:
                    lowest = met
            else:
                path.pop()
                pending.pop()
                if lowest == index[node]:
                    at = len(stack) - 1
                    while stack[at] != node:
                        index[stack[at]] = done
                        at -= 1
                    index[node] = done
                    components.append(stack[at:])
                    del stack[at:]
                elif lowest < low[path[-1]]:
                    low[path[-1]] = lowest
                continue
            low[node] = lowest
    return components


# ---- end components


class Doubt(Enum):
    """A kind of thing that is not known."""

    OPEN_CHOICE = "the rules do not say who decides"
    BOUND_EXCEEDED = "an edge leaves the bounds of the model"
    UNEXPLORED = "the state was not expanded"
    READING = "play goes on under a reading of the rules"


class Cause(NamedTuple):
    """One thing that is not known: an OPEN, FRONTIER or READING state, or a state with an edge to BOUND."""

    doubt: Doubt
    state: int


EXIT = -1
"""In an `Arena`, the target of an edge that leads out of it."""


class Arena:
    """The edges inside one scope between some states of a graph, which are renumbered 0..size-1 here.

    An edge that leads elsewhere has the target EXIT; one into the unknown has the target `size`, which stands
    for everything unknown. FRONTIER and READING states are left out: what follows them is unknown. `trusted`,
    if given, lists what counts as unknown; other unexplored things are then exits, and other open choices are
    chance.

    states  the number of each state in the graph
    owner   of each state
    out     the targets of each state, one per edge
    into    the sources of the edges that lead to each state, and to the unknown, one per edge
    doubts  of each state, what is not known there: its own choice, and what lies beyond its edges
    """

    __slots__ = ("doubts", "into", "out", "owner", "size", "states")

    def __init__(
        self, graph: OwnedGraph, states: Iterable[int], scope: int, trusted: Collection[Cause] | None = None
    ) -> None:
        owner, target, crossing = graph.owner, graph.target, graph.crossing
        self.states = [state for state in states if owner[state] not in (FRONTIER, READING)]
        self.size = size = len(self.states)
        self.owner = [owner[state] for state in self.states]
        self.out: list[list[int]] = []
        self.into: list[list[int]] = [[] for _ in range(size + 1)]
        self.doubts: dict[int, list[Cause]] = {}
        number = {state: index for index, state in enumerate(self.states)}
        for v, state in enumerate(self.states):
            doubts = [Cause(Doubt.OPEN_CHOICE, state)] if self.owner[v] == OPEN else []
            if doubts and trusted is not None and doubts[0] not in trusted:
                self.owner[v] = CHANCE
            targets: list[int] = []
            for edge in graph.out_edges(state):
                w = EXIT
                if crossing[edge] < scope:
                    w = number.get(target[edge], EXIT)
                    doubt = _beyond(graph, edge) if w == EXIT else None
                    if doubt is not None:
                        doubts.append(doubt)
                        if trusted is None or doubt in trusted:
                            w = size
                targets.append(w)
                if w != EXIT:
                    self.into[w].append(v)
            self.out.append(targets)
            if doubts:
                self.doubts[v] = doubts


def _beyond(graph: OwnedGraph, edge: int) -> Cause | None:
    """What is not known about where an edge leads."""
    target = graph.target[edge]
    if target == BOUND:
        return Cause(Doubt.BOUND_EXCEEDED, graph.source[edge])
    if graph.owner[target] == FRONTIER:
        return Cause(Doubt.UNEXPLORED, target)
    if graph.owner[target] == READING:
        return Cause(Doubt.READING, target)
    return None


def maximal_end_components(
    arena: Arena, keepers: Collection[int], hopeful: bool, within: Iterable[list[int]]
) -> list[list[int]]:
    """The maximal end components of some players inside each of the given sets of states of an arena.

    An end component is strongly connected, has an edge, and does not let play out: each state of a keeper has
    an edge that stays inside, each other state has only such edges. If not `hopeful`, an open choice is
    nobody's and the unknown an exit. If `hopeful`, an open choice is a keeper's, and so is the unknown, which
    can lead to any state; a component that contains the unknown lists it (as `arena.size`), last.

    Repeats two steps until nothing changes: take away the states from which play may leave the set, together
    with those from which it may then leave, and split what is left into its strongly connected components.
    Linear in the edges for each repetition; the repetitions are few in practice and at most as many as there
    are states.
    """
    unknown, out, into = arena.size, [*arena.out, []], arena.into
    chooses = [owner in keepers or (hopeful and owner == OPEN) for owner in arena.owner]
    chooses.append(True)
    mark, stays, number = [0] * (unknown + 1), [0] * (unknown + 1), 0
    todo = [[*part, unknown] if hopeful else part for part in within]
    found: list[list[int]] = []
    while todo:
        part = todo.pop()
        number += 1
        for v in part:
            mark[v] = number
        lost: list[int] = []
        for v in part:
            if v == unknown:
                continue
            stays[v] = staying = sum([w >= 0 and mark[w] == number for w in out[v]])
            if not staying or (staying < len(out[v]) and not chooses[v]):
                lost.append(v)
        for v in lost:
            mark[v] = 0
        while lost:
            for v in into[lost.pop()]:
                if mark[v] == number:
                    stays[v] -= 1
                    if not stays[v] or not chooses[v]:
                        mark[v] = 0
                        lost.append(v)
        left = [v for v in part if mark[v] == number]
        if left and left[-1] == unknown:
            out[unknown] = left
        pieces = strongly_connected_components(left, out, mark, number)
        if len(pieces) == 1:
            found.extend(sorted(piece) for piece in pieces if piece != [unknown])
        else:
            todo.extend(sorted(piece) for piece in pieces if len(piece) > 1 or piece[0] in out[piece[0]])
    return found
