"""Other plays that show a finding: the shortest ones to the places where it is found, each different from the others."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from ...model.engine.state import Option, State
from ..findings.record import Play, PlayStep
from .explorer import Exploration
from .owned_graph import OwnedGraph
from .subject import Subject

MOST_LOOKED_AT = 50_000
"""Ways back from the places that are gone at most, for one finding."""


def shortest_paths(graph: OwnedGraph, targets: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way from the initial state to one of the targets that comes to no state twice and to no target before its end, the
    shortest first: (state, edge) for each step, as `OwnedGraph.way_to` gives it."""
    distance, _ = graph.breadth_first()
    edges, goals = graph.edges, frozenset(targets)
    order = np.argsort(edges.target, kind="stable")
    arriving = edges.target[order]
    heap: list[tuple[int, int, int, tuple[int, ...]]] = []
    for number, goal in enumerate(dict.fromkeys(targets)):
        if distance[goal] >= 0:
            heappush(heap, (int(distance[goal]), number, goal, ()))
    number = len(heap)
    looked = 0
    while heap and looked < MOST_LOOKED_AT:
        _, _, state, way = heappop(heap)
        if state == graph.initial:
            yield [(edges.source(at), edges.edge(at)) for at in way]
            continue
        on_the_way = {int(edges.target[at]) for at in way} | {state}
        first, last = np.searchsorted(arriving, [state, state + 1])
        for at in order[first:last].tolist():
            looked += 1
            source = edges.source(at)
            if distance[source] >= 0 and source not in on_the_way and source not in goals:
                number += 1
                heappush(heap, (int(distance[source]) + len(way) + 1, number, source, (at, *way)))


def target_of(out: Exploration, path: Sequence[tuple[int, Option]]) -> int:
    """The state that a path leads to."""
    if not path:
        return out.graph.initial
    state, option = path[-1]
    return next(int(to) for e, to in zip(out.graph.out_edges(state), out.graph.targets(state), strict=True)
                if out.graph.label[e] == option)


def paths_to(out: Exploration, targets: Sequence[int]) -> Iterator[list[tuple[int, Option]]]:
    """Plays to one of the targets, the shortest first: (state, option) for each step."""
    for way in shortest_paths(out.graph, targets):
        path: list[tuple[int, Option]] = []
        for state, e in way:
            label = out.graph.label[e]
            assert isinstance(label, tuple)
            path.append((state, label))
        yield path


Words = tuple[tuple[object, ...], ...]


def as_told(steps: Sequence[PlayStep]) -> Words:
    """What is told of steps: plays of which the same is told are the same play, with equal cards in each other's places."""
    return tuple((s.decider, s.chosen, s.changes) for s in steps)


@dataclass
class Collected:
    """Plays, each different from those before."""

    wanted: int
    seen: set[tuple[Words, Words]]
    plays: list[Play]

    def add(self, play: Play) -> None:
        """Take the play, if it is told differently from the others and there is room."""
        key = as_told(play.stem), as_told(play.cycle)
        if key not in self.seen and len(self.plays) < self.wanted:
            self.seen.add(key)
            self.plays.append(play)

    @property
    def full(self) -> bool:
        """Are there enough?"""
        return len(self.plays) >= self.wanted


def collected(subject: Subject, shown: Play) -> Collected:
    """Room for as many more plays as are asked for besides the one that is shown."""
    return Collected(subject.show - 1, {(as_told(shown.stem), as_told(shown.cycle))}, [])


def more_plays(
    subject: Subject, out: Exploration, shown: Play, targets: Sequence[int], extra: Sequence[tuple[State, Option]] = (),
) -> tuple[Play, ...]:
    """Other plays that lead to one of the states, ending as the one that is shown."""
    room = collected(subject, shown)
    for path in paths_to(out, targets):
        if room.full:
            break
        start, way = real_way(subject, path)
        steps, _ = subject.tell_all((*way[:-1], *extra), opening=start)
        room.add(Play(tuple(steps), (), shown.end))
    return tuple(room.plays)


def real_way(subject: Subject, path: Sequence[tuple[int, Option]]) -> tuple[int, list[tuple[State, Option]]]:
    """Which start a path of the exploration begins with, and the real play along it."""
    options = [o for _, o in path]
    start = 0
    if len(subject.starts) > 1 and options:
        start, options = options[0][0], options[1:]
    return start, subject.follow(subject.starts[start].state, options)
