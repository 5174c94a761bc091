"""Endless loops in a graph of game states, and who can stop them.

**Scope.** An edge that crosses a scope (`OwnedGraph.crossing`) is an exit for it and for every narrower
scope. A loop is judged in the narrowest scope that contains it: its edges lie inside that scope and at least
one of them is *fresh*, that is, lies inside no narrower one. In the scope "turn", whoever can let the turn
end can stop the loop.

**Who keeps it going.** For a set of players K, a *K-end component* is a set of states, strongly connected and
with an edge, in which every state of a player in K has some edge that stays inside and every other state has
no edge that does not. In it, K can keep play going for ever whatever the others and chance do. Those that are
maximal for a K are disjoint; M(K, c) is the one that contains the closed walk c. The *keepers* of c are the
sets K whose M(K, c) is smallest: no M(L, c) lies strictly inside it, and no smaller L has the same one. So of
two nested components the inner one judges the walks inside it: an optional trigger that B repeats is B's
loop, although A could go on for ever with free actions around it. Components that overlap, neither inside the
other, judge together.

    keepers ()          nobody can stop it
    keepers {A}         only A can
    keepers {A} {B}     only both together can (one player of each set has to agree)
    keepers {A, B}      either can: both must keep choosing it

**What is a new loop.** Walks that lie in the same components are one loop; its states are the strongly
connected part in which those components meet. It is told if it has a fresh edge, and a *new* edge: one that
no smaller such part inside it contains. So a part is not told again for being inside a larger one, nor a mere
combination of loops already told; and a loop around a loop is told, because something leads around. The cycle
shown has a fresh and a new edge.

**What is not known.** OPEN choices, edges to BOUND, and edges to FRONTIER states are judged both ways.
Against a loop: an open choice falls to nobody who would keep it, and beyond the bound play ends. For it: an
open choice is decided by a rule that keeps it going, and what is unexplored leads back to wherever it must; a
state that can only go on to a FRONTIER state is thereby no exit either. A verdict is definite only if it
holds however each of the unknown things turns out; otherwise it is UNKNOWN, with those that matter. An edge
that crosses the scope is an exit whatever lies behind it. READING states are treated like FRONTIER: beyond
one lies the game under a fixed reading, in states of their own (the reading is part of the state), so no loop
goes through one, and the same loop may well continue behind it; there it is found again, with the reading
that it needs. Loops through states that were not explored are not found.

Only the states reachable from the initial state are looked at. Everything here is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, overload

import numpy as np

from ...spec.findings import WhoCanStop
from . import kernels, walk_kernels
from .arrays import Numbers
from .coalitions import Coalition, Coalitions, Piece, smallest
from .end_components import Arena, Cause, Parts, connected, kept_going, maximal_end_components
from .owned_graph import READING, OwnedGraph, Scope

LASSO_WORK = 2_000_000
"""Edges looked at for the shortest cycle of one loop; beyond it the shortest one found so far is shown."""


class Step(NamedTuple):
    """One arrow of a lasso: the edge starts at the state."""

    state: int
    edge: int


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop, with a lasso that shows it.

    verdict   who can stop it
    keepers   the sets of players that keep it going, each alone. If the verdict is UNKNOWN: the smallest sets
              that certainly can; none means that there may be no loop at all
    possible  the same as `keepers`; if the verdict is UNKNOWN: the smallest sets that perhaps can
    scope     the narrowest scope that contains it
    states    all states of the loop, increasing
    stem      a shortest way from the initial state to the cycle; empty if play begins on it
    cycle     a shortest closed walk that shows this loop and no smaller one (in a very large loop, the
              shortest found with LASSO_WORK). It starts at its state nearest to the initial state, and
              visits a state twice only where no shorter walk shows the loop
    causes    if the verdict is UNKNOWN: open choices and unexplored states of which each matters (where there
              are very many, the nearest; see CAUSE_WORK)
    count     how many equal loops this one stands for (see `group`)
    besides   where one player alone can leave the loop: the other sets of players that can keep play going in the same
              scope from some state of the cycle, if not nobody can end it there; `besides_unsure`: perhaps
    """

    verdict: WhoCanStop
    keepers: tuple[Coalition, ...]
    possible: tuple[Coalition, ...]
    scope: Scope
    states: Numbers
    stem: Sequence[Step]
    cycle: tuple[Step, ...]
    causes: tuple[Cause, ...] = ()
    count: int = 1
    besides: tuple[Coalition, ...] = ()
    besides_unsure: bool = False


class Regions:
    """From where each set of players can keep play going inside a scope, in a loop or on the way to one: each set asked about once."""

    def __init__(self, graph: OwnedGraph) -> None:
        self.graph = graph
        self._arena: Arena | None = None
        self._known: dict[tuple[Coalition, int, bool], np.ndarray] = {}

    def of(self, players: Coalition, scope: int, hopeful: bool = False) -> np.ndarray:
        """Of each state of the graph that can be reached: is it so? The unknown is taken for it or against."""
        if (players, scope, hopeful) not in self._known:
            if self._arena is None or self._arena.scope != scope:
                self._arena = None  # one at a time
                states = np.flatnonzero(self.graph.breadth_first()[0] >= 0).astype(np.int32)
                self._arena = Arena(self.graph, states, scope)
            if hopeful and not self._arena.doubtful.any():
                return self.of(players, scope)
            self._known[players, scope, hopeful] = kept = np.zeros(len(self.graph), np.bool_)
            kept[self._arena.states] = kept_going(self._arena, players, hopeful)
        return self._known[players, scope, hopeful]

    def alike(self, loop: Loop) -> np.ndarray:
        """The states from which those who keep a loop going can keep play going, and nobody more than is told of it."""
        kept = np.all([self.of(players, loop.scope) for players in loop.keepers or loop.possible], 0)
        if loop.keepers and not loop.besides:
            everyone = sorted({p for p in self.graph.owner.tolist() if p >= 0})
            for others in (c for n in range(1, len(everyone)) for c in combinations(everyone, n)):
                if not any(set(players) <= set(others) for players in loop.keepers):
                    kept &= ~self.of(others, loop.scope) | self.of((), loop.scope)
        return kept

    def besides(
        self, judged: Coalitions, keeper: Coalition, scope: int, cycle: Iterable[Step]
    ) -> tuple[tuple[Coalition, ...], bool]:
        """Who but the one player who can leave a loop can keep play going from somewhere on its cycle, if not nobody can end it there: for sure,
        or else perhaps. (Play that goes on comes into an end component: who has none is not asked about.)"""
        states = np.array(sorted({s.state for s in cycle}), np.int64)
        for hopeful in (False, True):
            others = [
                c
                for (c, favour), parts in judged.parts.items()
                if c and favour == hopeful and parts.count and not set(c) & set(keeper)
            ]
            can = [(c, states[self.of(c, scope, hopeful)[states]]) for c in others]
            if found := smallest([c for c, there in can if len(there) and not self.of((), scope)[there].all()]):
                return found, hopeful
        return (), False


def find_loops(
    graph: OwnedGraph, players: Sequence[int] = (0, 1), told: Callable[[Numbers], bool] = lambda states: False,
) -> list[Loop]:
    """All loops of a graph that can be reached, narrowest scope first, then by verdict and states; but for those whose states were `told` of
    already.

    The work grows with the number of sets of players, so more than four players are refused. Raises
    ValueError for that, for a reachable state whose owner is not among the players, for a READING state on a
    cycle (its answer is not in the state), and like `OwnedGraph.check`.
    """
    everyone, regions = tuple(sorted(set(players))), Regions(graph)
    found: list[Loop] = []
    for scope, arena, top in _end_components(graph, everyone):
        judged = Coalitions(arena, everyone, top)
        lassos = _Lassos(judged, scope, graph.breadth_first()[0])
        for piece in judged.pieces(scope - 1):
            within = Numbers(arena.states[piece.states])
            if told(within):
                continue
            verdict, keepers, possible = judged.verdict(piece)
            causes = judged.causes(piece) if verdict is WhoCanStop.UNKNOWN else ()
            cycle = lassos.shortest(piece)
            besides, unsure = (
                regions.besides(judged, keepers[0], scope, cycle) if verdict is WhoCanStop.ONE else ((), False)
            )
            found.append(
                Loop(
                    verdict,
                    keepers,
                    possible,
                    scope,
                    within,
                    Stem(graph, cycle[0].state),
                    cycle,
                    causes,
                    1,
                    besides,
                    unsure,
                )
            )
    rank = {verdict: place for place, verdict in enumerate(WhoCanStop)}
    return sorted(found, key=lambda loop: (loop.scope, rank[loop.verdict], loop.keepers, loop.states))


def has_loop(graph: OwnedGraph, players: Sequence[int] = (0, 1)) -> bool:
    """Would `find_loops` find one? In an end component of all players together an explored cycle with an edge that crosses nothing wider than its
    scope, and exactly that, is a loop, or holds one. Raises like `find_loops`."""
    for scope, arena, top in _end_components(graph, tuple(sorted(set(players)))):
        sets = connected(arena, top.family) if top.vague.any() else top.family
        mark, told, edges = graph.zeros(arena.size + 1, np.int32), np.zeros(len(arena.out), np.bool_), graph.edges
        fresh, new = np.zeros(len(sets), np.int32), np.zeros(len(sets), np.int32)
        kernels.marks(sets.nodes, sets.starts, mark)
        kernels.arrows(
            sets.nodes,
            sets.starts,
            mark,
            arena.states,
            arena.first,
            arena.out,
            edges.first,
            edges.crossing,
            scope - 1,
            told,
            fresh,
            new,
        )
        if fresh.any():
            return True
    return False


def _end_components(graph: OwnedGraph, everyone: Coalition) -> Iterator[tuple[Scope, Arena, Parts]]:
    """Scope by scope, the narrowest first, the states that can be reached and lie in end components of all players, the unknown judged in
    favour; but for scopes that no edge among them crosses. Raises like `find_loops`."""
    graph.check()
    if len(everyone) > 4:
        raise ValueError(f"{len(everyone)} players: loops are judged for at most four")
    states = np.flatnonzero(graph.breadth_first()[0] >= 0).astype(np.int32)
    _check_states(graph, states, everyone)
    edges = graph.edges
    for scope in sorted(Scope, reverse=True):
        if not kernels.crosses(states, edges.first, edges.crossing, scope - 1):
            continue
        arena = Arena(graph, states, scope)
        top = maximal_end_components(arena, everyone, True, arena.everything())
        kept = top.label >= 0
        states = arena.states[kept]
        if len(states) < arena.size:  # nothing else lies in a loop
            arena, top = Arena(graph, states, scope), top.restricted(kept)
        yield scope, arena, top


def group(loops: Iterable[Loop], key: Callable[[Loop], Hashable]) -> list[Loop]:
    """Merge loops that are equal in verdict, keepers (certain and possible) and in what `key` says of them.

    Of each group the loop with the shortest lasso remains (stem and cycle together, then the shorter cycle,
    then the first), with the sum of the counts. The groups come in the order in which their first loops came.
    """
    groups: dict[Hashable, Loop] = {}
    for loop in loops:
        same = (loop.verdict, loop.keepers, loop.possible, key(loop))
        other = groups.get(same)
        if other is None:
            groups[same] = loop
            continue
        shortest = min(other, loop, key=lambda one: (len(one.stem) + len(one.cycle), len(one.cycle)))
        groups[same] = replace(shortest, count=other.count + loop.count)
    return list(groups.values())


def _check_states(graph: OwnedGraph, states: np.ndarray, players: Sequence[int]) -> None:
    owner = graph.owner[states]
    strange = np.flatnonzero((owner >= 0) & ~np.isin(owner, [*players]))
    if strange.size:
        state = states[strange[0]]
        raise ValueError(f"state {state} belongs to player {graph.owner[state]}, who is not among the players "
                         f"{list(players)}")
    if (owner == READING).any():
        plain = OwnedGraph.from_arrays(np.zeros(len(graph), np.int8), *graph.edges[:3], [])
        arena = Arena(plain, states, Scope.GAME + 1)
        cycles = arena.states[connected(arena, arena.everything()).nodes]
        asked = cycles[graph.owner[cycles] == READING]
        if asked.size:
            raise ValueError(f"state {asked[0]} chooses a reading and lies on a cycle: "
                             f"the reading chosen must be kept in the state")


# ---- lassos


class Stem(Sequence[Step]):
    """A shortest way from the initial state to a state; looked up when somebody asks for its steps."""

    def __init__(self, graph: OwnedGraph, state: int) -> None:
        self._graph, self._state = graph, state

    def __len__(self) -> int:
        return int(self._graph.breadth_first()[0][self._state])

    def steps(self) -> tuple[Step, ...]:
        return tuple(Step(*step) for step in self._graph.way_to(self._state))

    @overload
    def __getitem__(self, k: int, /) -> Step: ...
    @overload
    def __getitem__(self, k: slice, /) -> Sequence[Step]: ...
    def __getitem__(self, k: int | slice, /) -> Step | Sequence[Step]:
        return self.steps()[k]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stem | tuple) and self.steps() == tuple(other)

    def __hash__(self) -> int:
        return hash(self.steps())

    def __repr__(self) -> str:
        return repr(self.steps())


class _Lassos:
    """The cycles that show loops, and room to look for them."""

    def __init__(self, judged: Coalitions, scope: Scope, distance: np.ndarray) -> None:
        self.judged, self.scope, self.distance = judged, scope, distance
        arena = judged.arena
        zeros = arena.graph.zeros
        self.done, self.local = zeros(arena.size + 1, np.bool_), zeros(arena.size + 1, np.int32)
        self.came = np.zeros(0, np.int32 if 4 * len(arena.out) + 8 < 1 << 31 else np.int64)

    def shortest(self, piece: Piece) -> tuple[Step, ...]:
        """A shortest closed walk with a fresh and a new edge, from its state nearest to the initial state."""
        judged, arena = self.judged, self.judged.arena
        graph = arena.graph.edges
        if len(self.came) < 4 * len(piece.states):
            self.came = arena.graph.zeros(4 * len(piece.states), self.came.dtype)
        edges = walk_kernels.shortest(
            piece.states, piece.number, piece.by_new, judged.mark, arena.states, arena.first, arena.out, graph.first,
            graph.crossing, self.scope - 1, judged.told, self.distance, self.done, self.came, self.local, LASSO_WORK)
        steps: list[Step] = []
        for e in np.asarray(edges).tolist():
            state, at = arena.edge(e)
            steps.append(Step(state, graph.edge(at)))
        first = min(range(len(steps)), key=lambda at: (self.distance[steps[at].state], steps[at].state, at))
        return tuple(steps[first:] + steps[:first])
