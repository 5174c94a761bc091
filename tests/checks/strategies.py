"""What loops there are in a small graph, by brute force over positional strategies, and random graphs to try it on.

Nothing here knows an algorithm: every way in which the unknown can turn out is tried; in each, every positional
strategy of every set of players; and loops are told apart by looking at all sets of states. Sets are bit masks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from rulewright.checks.explore.loops import Verdict
from rulewright.checks.explore.owned_graph import BOUND, CHANCE, FRONTIER, NOBODY, OPEN, READING, OwnedGraph, Scope

RULE = -9  # in a resolution, the owner of an open choice that a rule decides in favour of whoever keeps play going
COALITIONS = ((), (0,), (1,), (0, 1))


class Judged(NamedTuple):
    """What the oracle says of one loop."""

    verdicts: frozenset[tuple[tuple[int, ...], ...]]  # the keepers, for each way in which the unknown can turn out
    certain: tuple[tuple[int, ...], ...]
    possible: tuple[tuple[int, ...], ...]
    told_edges: frozenset[int]  # edges inside it that belong to smaller loops as well


def verdict_of(keepers: tuple[tuple[int, ...], ...]) -> Verdict:
    if len(keepers) > 1:
        return Verdict.ONLY_TOGETHER
    return [Verdict.NOBODY_CAN_STOP, Verdict.ONLY_ONE_CAN_STOP, Verdict.EITHER_CAN_STOP][len(keepers[0])]


# ---- sets of states that can be kept for ever


@lru_cache(maxsize=200_000)
def closed_sets(followers: tuple[int, ...]) -> tuple[int, ...]:
    """The sets that cannot be left and in which every state leads to every other. Bit len(followers) is the outside."""
    reach = list(followers)
    for middle in range(len(reach)):
        for v in range(len(reach)):
            if reach[v] >> middle & 1:
                reach[v] |= reach[middle]
    found: set[int] = set()
    for v, within in enumerate(reach):
        if within >> v & 1 and not within >> len(reach):
            if all(reach[w] >> v & 1 for w in range(len(reach)) if within >> w & 1):
                found.add(within)
    return tuple(found)


@lru_cache(maxsize=200_000)
def kept_sets(options: tuple[tuple[int, ...], ...], chosen: int) -> tuple[int, ...]:
    """What can be kept by whoever chooses at the states of the mask `chosen`: the closed sets of all their positional
    strategies, those that overlap put together. `options` are the followers of each state, as masks."""
    found: set[int] = set()
    everything = [sum(set(option)) if option else 1 << len(options) for option in options]
    choices = [option if option and chosen >> v & 1 else (everything[v],) for v, option in enumerate(options)]
    for strategy in product(*choices):
        found.update(closed_sets(strategy))
    merged: list[int] = []
    for each in found:
        apart = []
        for other in merged:
            if other & each:
                each |= other
            else:
                apart.append(other)
        merged = [*apart, each]
    return tuple(merged)


# ---- the ways in which the unknown can turn out


class Resolved(NamedTuple):
    owner: tuple[int, ...]
    edges: tuple[tuple[int, int, int], ...]  # source, target (-1: play ends), crossing
    choices: tuple[object, ...]  # what was chosen for each unknown thing


class Unknowns(NamedTuple):
    things: list[tuple[str, int]]  # ("open", state), ("bound", edge), ("frontier", state)
    answers: list[list[int]]


def unknowns(graph: OwnedGraph, reached: list[int]) -> Unknowns:
    known = [v for v in reached if graph.owner[v] not in (FRONTIER, READING)]
    found = Unknowns([], [])
    for v in reached:
        if graph.owner[v] in (FRONTIER, READING):
            found.things.append(("frontier", v))
            found.answers.append([-1, *known])
            continue
        if graph.owner[v] == OPEN and len(graph.out_edges(v)) > 1:
            found.things.append(("open", v))
            found.answers.append([CHANCE, RULE, 0, 1])
        for edge in graph.out_edges(v):
            if graph.target[edge] == BOUND:
                found.things.append(("bound", edge))
                found.answers.append([-1, *known])
    return found


def resolutions(graph: OwnedGraph, unknown: Unknowns) -> Iterator[Resolved]:
    """Every graph that the unknown can turn out to be: an open choice falls to chance, to a rule that keeps play going
    or to a player; whatever is unexplored ends play or leads to some explored state."""
    plain = [(graph.source[edge], graph.target[edge], graph.crossing[edge]) for edge in range(len(graph.source))
             if graph.owner[graph.source[edge]] != READING]
    edge_at = [edge for edge in range(len(graph.source)) if graph.owner[graph.source[edge]] != READING]
    for choices in product(*unknown.answers):
        owner, edges = list(graph.owner), list(plain)
        for (kind, thing), answer in zip(unknown.things, choices, strict=True):
            if kind == "open":
                owner[thing] = answer
            elif kind == "frontier":
                owner[thing] = NOBODY
                edges.append((thing, answer, 0))
            else:
                at = edge_at.index(thing)
                edges[at] = (edges[at][0], answer, edges[at][2])
        yield Resolved(tuple(owner), tuple(edges), choices)


def kept_in(resolved: Resolved, scope: int) -> list[tuple[int, ...]]:
    """For each of the COALITIONS, what it can keep inside a scope."""
    outside = 1 << len(resolved.owner)
    options: list[tuple[int, ...]] = []
    for v in range(len(resolved.owner)):
        options.append(tuple(sorted({1 << t if t >= 0 and c < scope else outside
                                     for s, t, c in resolved.edges if s == v})))
    return [kept_sets(tuple(options), sum(1 << v for v, owner in enumerate(resolved.owner)
                                          if owner in players or owner == RULE))
            for players in COALITIONS]


# ---- loops


def oracle(graph: OwnedGraph) -> tuple[dict[tuple[int, tuple[int, ...]], Judged], Unknowns]:
    """The loops, by scope and states."""
    distance, _ = graph.breadth_first()
    reached = [v for v, far in enumerate(distance) if far >= 0]
    unknown = unknowns(graph, reached)
    worlds = list(resolutions(graph, unknown))
    found: dict[tuple[int, tuple[int, ...]], Judged] = {}
    for scope in Scope:
        inner = [edge for edge in range(len(graph.source)) if distance[graph.source[edge]] >= 0
                 and graph.crossing[edge] < scope and graph.target[edge] != BOUND
                 and graph.owner[graph.source[edge]] != READING
                 and graph.owner[graph.target[edge]] not in (FRONTIER, READING)]
        if any(graph.crossing[edge] == scope - 1 for edge in inner):
            kept = [kept_in(world, scope) for world in worlds]
            for states, judged in loops_in_scope(graph, inner, kept).items():
                fresh = {edge for edge in inner if graph.crossing[edge] == scope - 1
                         and states >> graph.source[edge] & 1 and states >> graph.target[edge] & 1}
                within = {edge for edge in inner if states >> graph.source[edge] & 1
                          and states >> graph.target[edge] & 1}
                if fresh and within - judged.told_edges:
                    members = tuple(v for v in range(len(graph)) if states >> v & 1)
                    found[scope, members] = judged
    return found, unknown


def loops_in_scope(graph: OwnedGraph, inner: list[int], kept: list[list[tuple[int, ...]]]) -> dict[int, Judged]:
    """Of all connected sets that can perhaps be kept, the largest ones among those kept in the same circumstances."""
    masks: dict[int, int] = defaultdict(int)
    for edge in inner:
        masks[graph.source[edge]] |= 1 << graph.target[edge]
    kept_by: dict[int, tuple[frozenset[tuple[int, ...]], frozenset[tuple[int, ...]]]] = {}
    for states in connected_sets(masks, len(graph)):
        families = families_of(states, kept)
        possible = frozenset[tuple[int, ...]]().union(*families)
        if possible:
            kept_by[states] = families[0].intersection(*families), possible
    found: dict[int, Judged] = {}
    for states, kinds in kept_by.items():
        if any(other & states == states and other != states and kept_by[other] == kinds for other in kept_by):
            continue
        smaller = [other for other in kept_by if other & states == other and kept_by[other] != kinds]
        told = frozenset(edge for edge in inner for other in smaller
                         if other >> graph.source[edge] & 1 and other >> graph.target[edge] & 1)
        verdicts = frozenset(keepers_in(states, world) for world in kept)
        found[states] = Judged(verdicts, minimal(kinds[0]), minimal(kinds[1]), told)
    return found


def connected_sets(masks: dict[int, int], size: int) -> Iterator[int]:
    """All sets of states with an edge in which every state leads to every other, inside the set."""
    for states in range(1, 1 << size):
        inside = tuple(masks[v] & states if states >> v & 1 else 0 for v in range(size))
        if states in closed_sets(inside):
            yield states


def families_of(states: int, kept: list[list[tuple[int, ...]]]) -> list[frozenset[tuple[int, ...]]]:
    """For each world, who can keep play in a set of states that is around this one."""
    return [frozenset(players for players, sets in zip(COALITIONS, world, strict=True)
                      if any(states & each == states for each in sets)) for world in kept]


def keepers_in(states: int, world: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The keepers of a loop in one world: those whose kept set is smallest, of equal ones those with fewest players."""
    around = {players: each for players, sets in zip(COALITIONS, world, strict=True)
              for each in sets if states & each == states}
    return tuple(sorted(players for players, each in around.items()
                        if not any((other & each == other and other != each)
                                   or (other == each and set(fewer) < set(players))
                                   for fewer, other in around.items())))


def minimal(coalitions: frozenset[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(each for each in coalitions if not any(set(other) < set(each) for other in coalitions)))


# ---- random graphs


def random_graph(random: Random) -> OwnedGraph:
    """A graph of up to seven states with at most three unknown things, so that the oracle can try all their answers.

    A third are duels: the players take turns, and most choices are between two ways of going on. There, loops that
    only both can stop are not too rare.
    """
    duel = random.random() < 0.35
    size = random.choice((4, 5, 5, 6)) if duel else random.choice((1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6))
    doubts = random.choice((0, 0, 0, 1, 1, 2)) if duel else random.choice((0, 0, 1, 1, 2, 2, 3))
    scopes = random.choice((0, 0, 1)) if duel else random.choice((0, 0, 1, 1, 2))
    owners = random.choice(((0, 1), (0, 1, 0, 1, CHANCE), (0, 1, NOBODY), (0, 1, NOBODY, CHANCE)))
    graph = OwnedGraph()
    for state in range(size):
        graph.add_state(state % 2 if duel else random.choice(owners))
    bounds = 0
    for _ in range(doubts):
        kind, state = random.choice((OPEN, OPEN, FRONTIER, READING, BOUND)), random.randrange(size)
        if kind == BOUND:
            bounds += 1
        elif kind == OPEN or state:
            graph.owner[state] = kind
    end = graph.add_state(NOBODY)
    for state in range(size):
        owner = graph.owner[state]
        if owner == READING:
            graph.add_edge(state, end)
        if owner in (READING, FRONTIER) or random.random() < (0 if duel else 0.08):
            continue
        for _ in range(1 if owner == NOBODY else 2 if duel else random.choice((1, 2, 2, 2, 3))):
            target = random.randrange(size)
            if random.random() < (0.15 if duel else 0.05):
                target = end
            if bounds and random.random() < 0.3:
                target, bounds = BOUND, bounds - 1
            crossing = random.randint(1, 4) if random.random() < 0.25 * scopes else 0
            graph.add_edge(state, target, None, crossing)
    return graph
