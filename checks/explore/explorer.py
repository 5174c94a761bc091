"""Breadth-first exploration: every state within the bounds, each by a shortest play."""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, End, Option, Point, State
from ...spec.groups import grouped
from ..limits.ending import memory_mib, reason
from .owned_graph import BOUND, CHANCE, OwnedGraph, Scope
from .rounds import Rounds
from .survey import PlainSurvey, Survey


@dataclass(frozen=True)
class Limits:
    """How far to look: states, decisions from the start, turns begun, seconds, MiB of memory of the process, with what the
    checks will need of it afterwards. None: no limit. `stop` is asked from time to time; when it says yes, the work has to
    end (`ending.py`)."""

    states: int | None = 1_000_000
    depth: int | None = None
    turns: int | None = None
    seconds: float | None = None
    memory_mib: int | None = None
    stop: Callable[[], bool] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Progress:
    """How far an exploration has come: states known, of these not yet looked at, decisions from the start, seconds, MiB
    of memory."""

    states: int
    frontier: int
    depth: int
    seconds: float
    memory_mib: float = 0.0

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.seconds if self.seconds > 0 else 0.0


class Canonical(Protocol):
    """A symmetry: the representative of a state, and the permutation of cards that leads to it."""

    def canonical(self, state: State, /) -> tuple[State, Sequence[int]]: ...


@dataclass(frozen=True)
class BoundEdge:
    """A transition that left a bound: from which state, by which option, and where it stopped."""

    source: int
    option: Option
    stopped: State
    crossing: int

    @property
    def end(self) -> End:
        assert self.stopped.end is not None
        return self.stopped.end


class BoundEdges(Protocol):
    """All transitions that left a bound, in order."""

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> BoundEdge: ...
    def __iter__(self) -> Iterator[BoundEdge]: ...

    def kinds(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """Which bounds were left: the name of each, and its slot if it is that of one; and which transitions left it."""
        ...


class Listed(list[BoundEdge]):
    """Transitions that left a bound, at hand."""

    def kinds(self) -> Mapping[tuple[str, int], Sequence[int]]:
        return grouped(((name_of(b.end), b.end.slot), k) for k, b in enumerate(self))


def name_of(end: End) -> str:
    """What the bound is of."""
    return end.detail.split(" = ")[0]


@dataclass
class Exploration:
    """What was found: states by number (0 is the first), the owned graph over them, the distance of each state from
    the first, and what stopped the search (`cut`: "states", "depth", "turns", "seconds", "memory", "user", or empty).
    `omission`: where states were told apart by fingerprints, the probability, at most, that one was left out."""

    states: Sequence[State] = field(default_factory=list[State])
    graph: OwnedGraph = field(default_factory=OwnedGraph)
    depth: Sequence[int] = field(default_factory=list[int])
    turns: Sequence[int] = field(default_factory=list[int])
    bound_edges: BoundEdges = field(default_factory=Listed)
    cut: str = ""
    seconds: float = 0.0
    transitions: int = 0
    omission: float | None = None
    survey: Survey | None = None
    """What can be asked of all states at once, if the search knows how."""
    rounds: Rounds | None = None
    """The loops over cards that were tried the other way round."""

    @property
    def complete(self) -> bool:
        """Was everything looked at, with no bound exceeded?"""
        return not self.cut and not len(self.bound_edges)

    def surveyed(self, engine: Interpreter) -> Survey:
        """All states at once."""
        survey = self.survey = self.survey or PlainSurvey(engine, self.states)
        return survey

    def ends(self) -> list[int]:
        """Numbers of the states in which play has ended, at hand one by one: for a search of few states."""
        return [k for k, s in enumerate(self.states) if s.end is not None]


def left_at_start(end: End) -> Exploration:
    """Nothing but the state before play, from which a bound is left at once."""
    out = Exploration(
        [SEVERAL], OwnedGraph(), [0], [0], Listed([BoundEdge(0, (0,), SEVERAL._replace(end=end), int(Scope.GAME))])
    )
    out.graph.expand(out.graph.add_state(), CHANCE)
    out.graph.add_edge(0, BOUND, (0,), int(Scope.GAME))
    return out


class BoundAtStart(Exception):
    """Play leaves a bound before the first label."""

    def __init__(self, end: End) -> None:
        self.end = end
        super().__init__(end.detail)


CHECKING_BYTES = 120
"""What the checks take for each state, after the search: scopes, components and repeating heads (measured on 16 million)."""
CHECKING_ON_DISK = 50
"""The same where large arrays lie in files."""


def refuse_bounds(starts: Sequence[Arrival]) -> None:
    """Raises BoundAtStart where play exceeds a bound before anybody has decided anything."""
    for start in starts:
        if start.state.end is not None and start.state.end.kind == "bound":
            raise BoundAtStart(start.state.end)


def memory_needed(states: int, on_disk: bool = False) -> float:
    """MiB this process needs if the search ends with so many states and the checks follow."""
    return memory_mib() + states * (CHECKING_ON_DISK if on_disk else CHECKING_BYTES) / 2**20


SEVERAL = State((), (), None)
"""The state before play in which chance picks one of several first states."""


def explore(
    engine: Interpreter,
    first: Arrival | Sequence[Arrival],
    limits: Limits = Limits(),
    symmetry: Canonical | None = None,
    progress: Callable[[Progress], None] | None = None,
    settle_bound: Callable[[State], State | None] | None = None,
) -> Exploration:
    """Explore from the first state, or from several that chance picks one of, breadth first.

    With `symmetry`, states that differ only by a permutation of equal cards are one. `settle_bound` may give a state
    that stands for one beyond a bound (to judge loops that grow); None leaves it unknown. `progress` is called about
    four times a second.
    """
    starts = [first] if isinstance(first, Arrival) else first
    begun = time.monotonic()
    states, depths, turns_at = list[State](), list[int](), list[int]()
    beyond_bounds = Listed()
    out = Exploration(states, OwnedGraph(), depths, turns_at, beyond_bounds)
    number: dict[State, int] = {}
    graph = out.graph

    def seen(state: State, depth: int, turns: int) -> int:
        if symmetry is not None and state is not SEVERAL:
            state, _ = symmetry.canonical(state)
        k = number.get(state)
        if k is None:
            k = number[state] = graph.add_state()
            states.append(state)
            depths.append(depth)
            turns_at.append(turns)
            todo.append(k)
        return k

    todo: deque[int] = deque()
    refuse_bounds(starts)
    if len(starts) == 1:
        seen(starts[0].state, 0, 0)
    else:
        root = seen(SEVERAL, 0, 0)
        todo.clear()
        graph.expand(root, CHANCE)
        for k, start in enumerate(starts):
            graph.add_edge(root, seen(start.state, 0, 0), (k,), int(Scope.GAME))
    told, beyond = begun, ""
    while todo:
        now = time.monotonic()
        if progress is not None and now - told > 0.25:
            progress(Progress(len(states), len(todo), depths[todo[0]], now - begun, memory_mib()))
            told = now
        if limits.states is not None and len(states) >= limits.states:
            out.cut = "states"
        elif limits.stop is not None and limits.stop():
            out.cut = reason(limits.stop)
        elif limits.seconds is not None and now - begun > limits.seconds:
            out.cut = "seconds"
        elif limits.memory_mib is not None and memory_needed(len(states)) > limits.memory_mib:
            out.cut = "memory"
        if out.cut:
            break
        k = todo.popleft()
        state = states[k]
        if state.end is None and limits.depth is not None and depths[k] >= limits.depth:
            beyond = "depth"
            continue
        if state.end is None and limits.turns is not None and turns_at[k] >= limits.turns:
            beyond = beyond or "turns"
            continue
        at = engine.point(state)
        graph.expand(k, owner_of(at))
        if at is None:
            continue
        for option in at.options:
            arrival = engine.apply(state, option)
            out.transitions += 1
            if arrival.state.end is not None and arrival.state.end.kind == "bound":
                instead = settle_bound(arrival.state) if settle_bound is not None else None
                if instead is None:
                    beyond_bounds.append(BoundEdge(k, option, arrival.state, arrival.crossing))
                    graph.add_edge(k, BOUND, option, arrival.crossing)
                    continue
                arrival = Arrival(instead, arrival.crossing)
            turns = turns_at[k] + (arrival.crossing >= Scope.TURN)
            graph.add_edge(k, seen(arrival.state, depths[k] + 1, turns), option, arrival.crossing)
    out.cut = out.cut or beyond
    out.seconds = time.monotonic() - begun
    return out


def owner_of(at: Point | None) -> int:
    """The owner of a state, as the graph counts them."""
    return -1 if at is None else at.owner


def play_to(out: Exploration, target: int) -> list[tuple[int, Option]]:
    """A shortest play from the first state: (state, option) for each decision."""
    path: list[tuple[int, Option]] = []
    for k, e in out.graph.way_to(target):
        label = out.graph.label[e]
        assert isinstance(label, tuple)
        path.append((k, label))
    return path
