"""What loops there are in a small graph, by brute force over positional strategies, and random graphs to ask
about.

Nothing here knows an algorithm. Every way in which the unknown can turn out is tried; in each, every
positional strategy of every set of players; and loops are told apart by looking at all sets of states, as bit
masks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from rulewright.checks.explore.end_components import Cause, Doubt
from rulewright.checks.explore.owned_graph import (
    BOUND,
    CHANCE,
    FRONTIER,
    NOBODY,
    OPEN,
    READING,
    OwnedGraph,
    Scope,
)

RULE = -9  # the owner of an open choice that a rule decides in favour of whoever keeps play going
WhoCanStop = tuple[tuple[int, ...], ...]
Kept = list[tuple[int, ...]]  # for each of the COALITIONS, the sets of states in which it can keep play
COALITIONS = ((), (0,), (1,), (0, 1))


def graph_of(
    owners: Iterable[int], edges: Iterable[tuple[int, int] | tuple[int, int, int] | tuple[int, int, int, Hashable]], initial: int = 0,
) -> OwnedGraph:
    """A graph from one owner per state and (source, target[, crossing[, label]]) per edge."""
    graph = OwnedGraph(initial)
    for owner in owners:
        graph.add_state(owner)
    for edge in edges:
        graph.add_edge(edge[0], edge[1], edge[3] if len(edge) > 3 else None, edge[2] if len(edge) > 2 else 0)
    graph.check()
    return graph


def inner_edges(graph: OwnedGraph, states: Iterable[int], scope: int = Scope.GAME) -> list[int]:
    """The edges that lie inside a scope and have both ends in a set of states."""
    members = set(states)
    return [edge for state in sorted(members) for edge in graph.out_edges(state)
            if int(graph.target[edge]) in members and graph.crossing[edge] < scope]


# ---- sets of states that can be kept for ever


@lru_cache(maxsize=200_000)
def closed_sets(followers: tuple[int, ...]) -> frozenset[int]:
    """The sets that play cannot leave and in which every state leads to every other. `followers` are masks;
    the bit after the last state stands for the outside."""
    size = len(followers)
    reach = list(followers)
    for middle in range(size):
        for v in range(size):
            if reach[v] >> middle & 1:
                reach[v] |= reach[middle]
    return frozenset(
        within for v, within in enumerate(reach) if within >> v & 1 and not within >> size
        and all(reach[w] >> v & 1 for w in range(size) if within >> w & 1)
    )


@lru_cache(maxsize=200_000)
def kept_sets(options: tuple[tuple[int, ...], ...], chosen: int) -> tuple[int, ...]:
    """What can be kept by whoever chooses at the states of the mask `chosen`: the closed sets of all their
    positional strategies, those that overlap put together. `options` are the followers of each state, each as
    a mask."""
    outside = 1 << len(options)
    choices = [option if option and chosen >> v & 1 else (sum(option) or outside,)
               for v, option in enumerate(options)]
    merged: list[int] = []
    for each in frozenset[int]().union(*(closed_sets(strategy) for strategy in product(*choices))):
        apart: list[int] = []
        whole = each
        for other in merged:
            if other & whole:
                whole |= other
            else:
                apart.append(other)
        merged = [*apart, whole]
    return tuple(merged)


# ---- the ways in which the unknown can turn out


class World(NamedTuple):
    """A graph without anything unknown: owners, edges (source, target or -1 for the end of play, crossing),
    and the answers that led to it."""

    owner: tuple[int, ...]
    edges: tuple[tuple[int, int, int], ...]
    answers: tuple[int, ...]


class Unknown(NamedTuple):
    """Something unknown: why, the edge that it concerns (or -1), and what it can turn out to be."""

    cause: Cause
    edge: int
    answers: tuple[int, ...]


def unknown_things(graph: OwnedGraph, reached: list[int]) -> list[Unknown]:
    """An open choice may turn out to fall to chance, to a rule that keeps play going, or to a player; what is
    unexplored may end play or lead to any state."""
    found: list[Unknown] = []
    onward = (-1, *(v for v in reached if graph.owner[v] not in (FRONTIER, READING)))
    for v in reached:
        if graph.owner[v] == FRONTIER:
            found.append(Unknown(Cause(Doubt.UNEXPLORED, v), -1, onward))
        elif graph.owner[v] == READING:
            found.append(Unknown(Cause(Doubt.READING, v), -1, onward))
        else:
            if graph.owner[v] == OPEN and len(graph.out_edges(v)) > 1:
                found.append(Unknown(Cause(Doubt.OPEN_CHOICE, v), -1, (CHANCE, RULE, 0, 1)))
            found.extend(Unknown(Cause(Doubt.BOUND_EXCEEDED, v), edge, onward)
                         for edge in graph.out_edges(v) if graph.target[edge] == BOUND)
    return found


def worlds_of(graph: OwnedGraph, unknown: list[Unknown]) -> Iterator[World]:
    """Every graph that a graph can turn out to be."""
    for answers in product(*(thing.answers for thing in unknown)):
        owner = [NOBODY if each in (FRONTIER, READING) else each for each in graph.owner]
        edges = {edge: (graph.source[edge], graph.target[edge], graph.crossing[edge])
                 for edge in range(len(graph.source)) if graph.owner[graph.source[edge]] != READING}
        for thing, answer in zip(unknown, answers, strict=True):
            if thing.cause.doubt is Doubt.OPEN_CHOICE:
                owner[thing.cause.state] = answer
            elif thing.edge >= 0:
                edges[thing.edge] = thing.cause.state, answer, graph.crossing[thing.edge]
            else:
                edges[-1 - thing.cause.state] = thing.cause.state, answer, 0
        yield World(tuple(owner), tuple(edges.values()), answers)


def kept_in(world: World, scope: int) -> Kept:
    outside = 1 << len(world.owner)
    options: list[set[int]] = [set() for _ in world.owner]
    for source, target, crossing in world.edges:
        options[source].add(1 << target if target >= 0 and crossing < scope else outside)
    frozen = tuple(tuple(sorted(option)) for option in options)
    choosing = [{v for v, owner in enumerate(world.owner) if owner in players or owner == RULE}
                for players in COALITIONS]
    return [kept_sets(frozen, mask(states)) for states in choosing]


# ---- loops


class Judged(NamedTuple):
    """A loop: the keepers in every world, the smallest sets that keep it in all worlds and in some world,
    whether it is kept by the same sets in all, and the edges with both ends in smaller loops."""

    keepers: frozenset[WhoCanStop]
    certain: WhoCanStop
    possible: WhoCanStop
    unsure: bool
    told: frozenset[int]


@dataclass
class Oracle:
    """Everything about a graph of a few states: loops by scope and states."""

    graph: OwnedGraph
    unknown: list[Unknown] = field(default_factory=list)
    worlds: list[World] = field(default_factory=list)
    kept: dict[Scope, list[Kept]] = field(default_factory=dict)
    loops: dict[tuple[Scope, tuple[int, ...]], Judged] = field(default_factory=dict)

    def __post_init__(self) -> None:
        graph = self.graph
        reached = [v for v, far in enumerate(graph.breadth_first()[0]) if far >= 0]
        self.unknown = unknown_things(graph, reached)
        self.worlds = list(worlds_of(graph, self.unknown))
        explored = [v for v in reached if graph.owner[v] not in (FRONTIER, READING)]
        for scope in Scope:
            inner = inner_edges(graph, explored, scope)
            if not any(graph.crossing[edge] == scope - 1 for edge in inner):
                continue
            self.kept[scope] = [kept_in(world, scope) for world in self.worlds]
            for states, judged in self._loops(inner, self.kept[scope]):
                within = edges_within(graph, inner, states)
                if within - judged.told and any(graph.crossing[edge] == scope - 1 for edge in within):
                    self.loops[scope, tuple(v for v in explored if states >> v & 1)] = judged

    def _loops(self, inner: list[int], kept: list[Kept]) -> Iterator[tuple[int, Judged]]:
        """Of all connected sets that may be kept: the largest of those which the same players keep, or may
        keep."""
        followers: dict[int, int] = defaultdict(int)
        for edge in inner:
            followers[self.graph.source[edge]] |= 1 << self.graph.target[edge]
        kinds: dict[int, tuple[frozenset[tuple[int, ...]], frozenset[tuple[int, ...]]]] = {}
        for states in connected_sets(followers, len(self.graph)):
            families = [family_of(states, world) for world in kept]
            if any(families):
                kinds[states] = families[0].intersection(*families), families[0].union(*families)
        for states, kind in kinds.items():
            if any(other & states == states and other != states and kinds[other] == kind for other in kinds):
                continue
            told = [edges_within(self.graph, inner, other) for other in kinds
                    if other & states == other and kinds[other] != kind]
            yield states, Judged(frozenset(keepers_in(states, world) for world in kept), smallest(kind[0]),
                                 smallest(kind[1]), kind[0] != kind[1], frozenset[int]().union(*told))

    def keepers_of(self, scope: Scope, states: set[int]) -> frozenset[WhoCanStop]:
        """The keepers, in every world, of a closed walk through some states."""
        return frozenset(keepers_in(mask(states), world) for world in self.kept[scope])

    def matters(self, cause: Cause, scope: Scope, states: tuple[int, ...]) -> bool:
        """Whether there are two worlds that differ in nothing but this, and in one more players keep the
        loop."""
        families: dict[tuple[int | None, ...], set[frozenset[tuple[int, ...]]]] = defaultdict(set)
        for world, kept in zip(self.worlds, self.kept[scope], strict=True):
            rest = tuple(None if thing.cause == cause else answer
                         for thing, answer in zip(self.unknown, world.answers, strict=True))
            families[rest].add(family_of(mask(states), kept))
        return any(len(different) > 1 for different in families.values())


def mask(states: Iterable[int]) -> int:
    return sum(1 << v for v in states)


def edges_within(graph: OwnedGraph, edges: list[int], states: int) -> frozenset[int]:
    return frozenset(edge for edge in edges
                     if states >> graph.source[edge] & 1 and states >> graph.target[edge] & 1)


def connected_sets(followers: dict[int, int], size: int) -> Iterator[int]:
    """All sets of states with an edge in which every state leads to every other, inside the set."""
    for states in range(1, 1 << size):
        if states in closed_sets(tuple(followers[v] & states if states >> v & 1 else 0 for v in range(size))):
            yield states


def family_of(states: int, kept: Kept) -> frozenset[tuple[int, ...]]:
    """Who can keep play in some set around these states."""
    return frozenset(players for players, sets in zip(COALITIONS, kept, strict=True)
                     if any(states & each == states for each in sets))


def keepers_in(states: int, kept: Kept) -> WhoCanStop:
    """Those whose set around these states is smallest; of equal sets, those with the fewest players."""
    around = {players: each for players, sets in zip(COALITIONS, kept, strict=True)
              for each in sets if states & each == states}
    return tuple(sorted(
        players for players, each in around.items()
        if not any(other & each == other and (other != each or set(fewer) < set(players))
                   for fewer, other in around.items())
    ))


def smallest(coalitions: frozenset[tuple[int, ...]]) -> WhoCanStop:
    return tuple(sorted(c for c in coalitions if not any(set(other) < set(c) for other in coalitions)))


# ---- random graphs


def random_graph(random: Random) -> OwnedGraph:
    """A graph of at most seven states with few unknown things, so that the oracle can try everything."""
    kind = random.random()
    graph = any_graph(random) if kind < 0.6 else duel(random) if kind < 0.85 else tangle(random)
    graph.check()
    return graph


def any_graph(random: Random) -> OwnedGraph:
    """States of any kind and edges anywhere."""
    size = random.choice((1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6))
    kinds = random.choice(((0, 1), (0, 1, 0, 1, CHANCE), (0, 1, NOBODY), (0, 1, NOBODY, CHANCE)))
    owners = [random.choice(kinds) for _ in range(size)]
    edges = [(v, size if random.random() < 0.05 else random.randrange(size))
             for v in range(size) if random.random() < 0.92
             for _ in range(1 if owners[v] == NOBODY else random.choice((1, 2, 2, 2, 3)))]
    return blurred(random, owners, edges, random.choice((0, 0, 1, 1, 2, 2, 3)),
                   random.choice((0, 0, 0.25, 0.5)))


def duel(random: Random) -> OwnedGraph:
    """Both players have two options everywhere; few of them end play."""
    size = random.choice((4, 5, 5, 6))
    edges = [(v, size if random.random() < 0.15 else random.randrange(size))
             for v in range(size) for _ in range(2)]
    return blurred(random, [v % 2 for v in range(size)], edges, random.choice((0, 0, 0, 1, 1, 2)),
                   random.choice((0, 0, 0.2)))


def tangle(random: Random) -> OwnedGraph:
    """Nearly a loop that only both can stop: whoever turns aside leaves it to the other to end play."""
    players = random.choice(((0, 1, 1, 0), (1, 0, 0, 1)))
    edges = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 4), (3, 1), (3, 4)]
    edges = [(v, random.randrange(5) if random.random() < 0.06 else w) for v, w in edges]
    edges += [(random.randrange(4), random.randrange(5)) for _ in range(random.choice((0, 0, 1)))]
    return blurred(random, list(players), edges, random.choice((0, 0, 0, 1)), random.choice((0, 0, 0, 0.1)))


def blurred(
    random: Random, owners: list[int], edges: list[tuple[int, int]], doubts: int, crossed: float
) -> OwnedGraph:
    """The graph of some states and an end after them, with so many unknown things and such a part of edges
    crossing some scope. The first state stays explored."""
    owners, bounds, size = list(owners), 0, len(owners)
    for _ in range(doubts):
        doubt, v = random.choice((OPEN, OPEN, FRONTIER, READING, BOUND)), random.randrange(size)
        bounds += doubt == BOUND
        if doubt != BOUND and (v or doubt == OPEN):
            owners[v] = doubt
    graph = OwnedGraph()
    for owner in [*owners, NOBODY]:
        graph.add_state(owner)
    for v, w in edges:
        if owners[v] in (FRONTIER, READING):
            continue
        if bounds and random.random() < 0.3:
            w, bounds = BOUND, bounds - 1
        graph.add_edge(v, w, None, random.randint(1, 4) if random.random() < crossed else 0)
    for v in range(size):
        if owners[v] == READING:
            graph.add_edge(v, size)
    return graph
