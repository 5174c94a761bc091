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

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations
from typing import NamedTuple

from .owned_graph import (
    EXIT,
    OPEN,
    READING,
    Arena,
    Cause,
    OwnedGraph,
    Scope,
    maximal_end_components,
    strongly_connected_components,
)

__all__ = ["Cause", "Loop", "Step", "Verdict", "find_loops", "group"]

Coalition = tuple[int, ...]
"""A set of players, in increasing order."""
Judgement = tuple[Coalition, bool]
"""A set of players, and whether the unknown is judged in favour of their keeping play going."""

LASSO_WORK = 2_000_000
"""Edges looked at for the shortest cycle of one loop; beyond it the shortest one found so far is shown."""
CAUSE_WORK = 100_000
"""Edges looked at to find what matters to one loop; beyond it the nearest unknown things are listed, needed
or not."""
ALL_CAUSES_WORK = 3_000_000
"""The same for all loops of a scope together; beyond it CAUSE_WORK is 2,000."""


class Verdict(Enum):
    """Who can stop a loop; see the module."""

    NOBODY_CAN_STOP = "nobody can stop it"
    ONLY_ONE_CAN_STOP = "only one player can stop it"
    ONLY_TOGETHER = "only several players together can stop it"
    EITHER_CAN_STOP = "each of several players can stop it"
    UNKNOWN = "unknown"


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
    """

    verdict: Verdict
    keepers: tuple[Coalition, ...]
    possible: tuple[Coalition, ...]
    scope: Scope
    states: tuple[int, ...]
    stem: tuple[Step, ...]
    cycle: tuple[Step, ...]
    causes: tuple[Cause, ...] = ()
    count: int = 1


def find_loops(graph: OwnedGraph, players: Sequence[int] = (0, 1)) -> list[Loop]:
    """All loops of a graph that can be reached, narrowest scope first, then by verdict and states.

    The work grows with the number of sets of players, so more than four players are refused. Raises
    ValueError for that, for a reachable state whose owner is not among the players, for a READING state on a
    cycle (its answer is not in the state), and like `OwnedGraph.check`.
    """
    graph.check()
    if len(set(players)) > 4:
        raise ValueError(f"{len(set(players))} players: loops are judged for at most four")
    distance, arriving = graph.breadth_first()
    states = [state for state, far in enumerate(distance) if far >= 0]
    _check_states(graph, states, players)
    everyone = tuple(sorted(set(players)))
    found: list[Loop] = []
    for scope in sorted(Scope, reverse=True):
        if not _has_fresh_edge(graph, states, scope):
            continue
        arena = Arena(graph, states, scope)
        judged = _Judged(arena, everyone)
        for piece in judged.pieces():
            walk = _Walk(graph, scope, piece, arena.states)
            if walk.shows_something_new:
                verdict, keepers, possible = judged.verdict(piece)
                members = tuple(sorted(arena.states[v] for v in piece.states))
                causes = judged.causes(graph, scope, piece) if verdict is Verdict.UNKNOWN else ()
                cycle = walk.shortest(distance)
                found.append(Loop(verdict, keepers, possible, scope, members,
                                  _stem(graph, arriving, cycle[0].state), cycle, causes))
        states = sorted(arena.states[v] for part in judged.parts[everyone, True] for v in part)
    rank = {verdict: place for place, verdict in enumerate(Verdict)}
    return sorted(found, key=lambda loop: (loop.scope, rank[loop.verdict], loop.keepers, loop.states))


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


def _check_states(graph: OwnedGraph, states: list[int], players: Collection[int]) -> None:
    readings = False
    for state in states:
        owner = graph.owner[state]
        readings = readings or owner == READING
        if owner >= 0 and owner not in players:
            raise ValueError(f"state {state} belongs to player {owner}, who is not among the players "
                             f"{list(players)}")
    if readings:
        out = [[graph.target[edge] for edge in graph.out_edges(state)] for state in range(len(graph))]
        for part in strongly_connected_components(states, out, [0] * len(graph), 0):
            for state in part:
                if graph.owner[state] == READING and (len(part) > 1 or state in out[state]):
                    raise ValueError(f"state {state} chooses a reading and lies on a cycle: "
                                     f"the reading chosen must be kept in the state")


def _has_fresh_edge(graph: OwnedGraph, states: Iterable[int], scope: Scope) -> bool:
    crossing = graph.crossing
    return any(crossing[edge] == scope - 1 for state in states for edge in graph.out_edges(state))


class _Piece(NamedTuple):
    """States that make one loop: a strongly connected part in which some end components meet.

    states   in an arena
    inside   of each judgement whose components contain all of it, which one
    smaller  of each other judgement, the smaller pieces within: of each of their states, the number of its
             piece
    """

    states: list[int]
    inside: dict[Judgement, int]
    smaller: list[dict[int, int]]


class _Judged:
    """The maximal end components of every set of players, for and against, and the pieces that they make."""

    def __init__(self, arena: Arena, everyone: Coalition) -> None:
        self.arena = arena
        self.everyone = everyone
        self.parts: dict[Judgement, list[list[int]]] = {}
        self.label: dict[Judgement, list[int]] = {}
        self.vague: dict[Judgement, list[bool]] = {}
        self._mark, self._number = [0] * (arena.size + 1), 0
        self._causes_work = ALL_CAUSES_WORK
        coalitions = [c for size in range(len(everyone), -1, -1) for c in combinations(everyone, size)]
        for players in coalitions:
            wider = [c for c in coalitions if len(c) == len(players) + 1 and set(players) < set(c)]
            within = self.parts[wider[0], True] if wider else [list(range(arena.size))]
            self._keep((players, True), maximal_end_components(arena, players, True, within))
        for players in coalitions:
            settled, unsettled = [], []
            for part, vague in zip(self.parts[players, True], self.vague[players, True], strict=True):
                doubtful = vague or any(v in arena.doubts for v in part)
                (unsettled if doubtful else settled).append(part)
            judged_again = maximal_end_components(arena, players, False, unsettled)
            self._keep((players, False), settled + judged_again)

    def _keep(self, judgement: Judgement, found: list[list[int]]) -> None:
        unknown = self.arena.size
        self.vague[judgement] = [part[-1] == unknown for part in found]
        self.parts[judgement] = [part[:-1] if part[-1] == unknown else part for part in found]
        self.label[judgement] = label = [-1] * unknown
        for number, part in enumerate(self.parts[judgement]):
            for v in part:
                label[v] = number

    def _connected(self, groups: Iterable[list[int]]) -> Iterator[list[int]]:
        """The strongly connected components of each group that have an edge, by explored edges alone."""
        out = self.arena.out
        for states in groups:
            self._number += 1
            for v in states:
                self._mark[v] = self._number
            for part in strongly_connected_components(states, out, self._mark, self._number):
                if len(part) > 1 or part[0] in out[part[0]]:
                    yield part

    def pieces(self) -> Iterator[_Piece]:
        """Every loop's states, once: the parts in which components meet, down to the smallest."""
        todo = list(self._connected(self.parts[self.everyone, True]))
        seen: set[frozenset[int]] = set()
        while todo:
            states = todo.pop()
            key = frozenset(states)
            if key in seen:
                continue
            seen.add(key)
            piece = _Piece(states, {}, [])
            for judgement, label in self.label.items():
                groups: dict[int, list[int]] = {}
                for v in states:
                    groups.setdefault(label[v], []).append(v)
                outside = groups.pop(-1, None)
                if outside is None and len(groups) == 1:
                    piece.inside[judgement] = label[states[0]]
                    continue
                number_of: dict[int, int] = {}
                for number, part in enumerate(self._connected(groups.values())):
                    number_of.update(dict.fromkeys(part, number))
                    todo.append(part)
                if number_of:
                    piece.smaller.append(number_of)
            yield piece

    # ---- verdicts

    def verdict(self, piece: _Piece) -> tuple[Verdict, tuple[Coalition, ...], tuple[Coalition, ...]]:
        """Who can stop it, who certainly keeps it going, who perhaps does."""
        certain = [players for players, hopeful in piece.inside if not hopeful]
        perhaps = [players for players, hopeful in piece.inside if hopeful]
        keepers = tuple(sorted(k for k in certain if not any(self._rather(m, k, piece) for m in certain)))
        if keepers and self._settled(keepers, perhaps, piece):
            alone = [Verdict.NOBODY_CAN_STOP, Verdict.ONLY_ONE_CAN_STOP, Verdict.EITHER_CAN_STOP]
            first, *more = keepers
            return Verdict.ONLY_TOGETHER if more else alone[min(len(first), 2)], keepers, keepers
        return Verdict.UNKNOWN, _smallest(certain), _smallest(perhaps)

    def _within(self, small: Judgement, large: Judgement, piece: _Piece) -> bool:
        label, number = self.label[large], piece.inside[large]
        return all(label[v] == number for v in self.parts[small][piece.inside[small]])

    def _rather(self, one: Coalition, other: Coalition, piece: _Piece) -> bool:
        """Whether one set's component judges the piece rather than the other's (pessimistically)."""
        if not self._within((one, False), (other, False), piece):
            return False
        return set(one) < set(other) or not self._within((other, False), (one, False), piece)

    def _settled(self, keepers: tuple[Coalition, ...], perhaps: list[Coalition], piece: _Piece) -> bool:
        """Whether these are the keepers however the unknown turns out. May say no where it is yes, never the
        reverse.

        The components against are contained in the real ones, those in the components in favour. So a set
        that perhaps keeps play going must be larger than a keeper, or its component must be around a keeper's
        in any case; and the keepers' own components must stay clear of being inside each other.
        """
        for players in perhaps:
            if players in keepers or any(set(k) < set(players) for k in keepers):
                continue
            if not any(not set(players) < set(k) and self._surely_inside(k, players, piece) for k in keepers):
                return False
        return not any(self._within((one, False), (other, True), piece)
                       for one in keepers for other in keepers if one != other)

    def _surely_inside(self, keeper: Coalition, players: Coalition, piece: _Piece) -> bool:
        """Whether the keeper's component D is inside the other's, M, whenever that exists.

        It is if the gates of D, those states of others from which play may leave D, are in M: then D and M
        together are an end component. A gate is in M if it is in the component against, or if the other
        players cannot keep play inside D away from it.
        """
        number = piece.inside[keeper, True]
        if self.vague[keeper, True][number]:
            return False
        owner, out, label = self.arena.owner, self.arena.out, self.label[keeper, True]
        part = self.parts[keeper, True][number]
        leaving = [v for v in part if any(w == EXIT or label[w] != number for w in out[v])]
        against = piece.inside.get((players, False))
        gates = [v for v in leaving if owner[v] not in players
                 and (against is None or self.label[players, False][v] != against)]
        if gates and (any(owner[v] == OPEN or owner[v] in players for v in leaving)
                      or len(gates) * len(part) > CAUSE_WORK):
            return False
        return not any(self._avoidable(gate, part, players) for gate in gates)

    def _avoidable(self, gate: int, part: list[int], players: Coalition) -> bool:
        """Whether the players can keep away from a state for ever while play stays inside a part.

        They can outside the state's attractor, from which the others or chance may bring play to it.
        """
        owner, within = self.arena.owner, set(part)
        options = {v: sum([w in within for w in self.arena.out[v]]) for v in part}
        attracted, queue = {gate}, [gate]
        for w in queue:
            for v in self.arena.into[w]:
                if v in within and v not in attracted:
                    options[v] -= 1
                    if not options[v] or (owner[v] not in players and owner[v] != OPEN):
                        attracted.add(v)
                        queue.append(v)
        return len(attracted) < len(part)

    # ---- reasons

    def causes(self, graph: OwnedGraph, scope: Scope, piece: _Piece) -> tuple[Cause, ...]:
        """What matters to a verdict that is not definite; see `Loop`.

        For each set of players that perhaps keeps play going but not certainly: unknown things which let it
        if they alone turn out in favour, and of which none can be spared. If there is no such set, only the
        extent of the components is unknown; then everything unknown about them.
        """
        perhaps = [players for players, hopeful in piece.inside if hopeful]
        unsure = [players for players in perhaps if (players, False) not in piece.inside]
        chosen: set[Cause] = set()
        for players in unsure or perhaps:
            allowed = min(CAUSE_WORK, max(2_000, self._causes_work))
            around, work = self._around(players, piece, allowed)
            nearest = [cause for v in around for cause in self.arena.doubts.get(v, ())]
            known = list(dict.fromkeys(nearest))
            if unsure:
                known, work = self._needed(graph, scope, piece, players, around, known, work, allowed)
            self._causes_work -= work
            chosen.update(known)
        return tuple(sorted(chosen, key=lambda cause: (cause.state, cause.doubt.name)))

    def _around(self, players: Coalition, piece: _Piece, allowed: int) -> tuple[list[int], int]:
        """The states of a component in favour, nearest to the piece first, and the edges looked at for
        that."""
        label, number = self.label[players, True], piece.inside[players, True]
        reached, queue, work = set(piece.states), list(piece.states), 0
        for v in queue:
            work += len(self.arena.out[v])
            if work > allowed:
                break
            for w in self.arena.out[v]:
                if 0 <= w < self.arena.size and label[w] == number and w not in reached:
                    reached.add(w)
                    queue.append(w)
        return queue, work

    def _needed(
        self, graph: OwnedGraph, scope: Scope, piece: _Piece, players: Coalition, around: list[int],
        known: list[Cause], work: int, allowed: int,
    ) -> tuple[list[Cause], int]:
        """Drop causes, farthest first, many at a time and then singly, while the rest lets the players go
        on."""
        cost, where = work, [self.arena.states[v] for v in around]
        states = {self.arena.states[v] for v in piece.states}
        step = max(1, len(known) // 2)
        while step:
            at = len(known)
            while at > 0 and work <= allowed:
                fewer = known[:max(0, at - step)] + known[at:]
                arena = Arena(graph, where, scope, set(fewer))
                found = maximal_end_components(arena, players, True, [list(range(arena.size))])
                if any(states <= {arena.states[v] for v in part if v < arena.size} for part in found):
                    known = fewer
                at -= step
                work += cost
            step //= 2
        return known, work


def _smallest(coalitions: list[Coalition]) -> tuple[Coalition, ...]:
    return tuple(sorted(c for c in coalitions if not any(set(other) < set(c) for other in coalitions)))


# ---- lassos

FRESH = 1
NEW = 2


class _Walk:
    """The edges inside a piece, in the graph's numbers, and which of them make it a loop of its own."""

    def __init__(self, graph: OwnedGraph, scope: Scope, piece: _Piece, numbers: list[int]) -> None:
        local = {numbers[v]: v for v in piece.states}
        self.arrows: dict[int, list[tuple[int, int, int]]] = {}
        self.sources: dict[int, set[int]] = {FRESH: set(), NEW: set()}
        for state, v in local.items():
            self.arrows[state] = arrows = []
            for edge in graph.out_edges(state):
                target = graph.target[edge]
                w = local.get(target)
                if w is None or graph.crossing[edge] >= scope:
                    continue
                told = any(v in number_of and number_of[v] == number_of.get(w) for number_of in piece.smaller)
                kind = (FRESH if graph.crossing[edge] == scope - 1 else 0) | (0 if told else NEW)
                arrows.append((edge, target, kind))
                for flag, sources in self.sources.items():
                    if kind & flag:
                        sources.add(state)
        self.shows_something_new = all(self.sources.values())

    def shortest(self, distance: Sequence[int]) -> tuple[Step, ...]:
        """A shortest closed walk with a fresh and a new edge, from its state nearest to the initial state."""
        best: list[Step] = []
        done: set[int] = set()
        work = 0
        roots = min(self.sources.values(), key=len)
        for root in sorted(roots, key=lambda state: (distance[state], state)):
            if best and work > LASSO_WORK:
                break
            cycle, looked = self._shortest_through(root, done, len(best), LASSO_WORK - work)
            work += looked
            best = cycle or best
            done.add(root)
        first = min(range(len(best)), key=lambda at: (distance[best[at].state], best[at].state, at))
        return tuple(best[first:] + best[:first])

    def _shortest_through(self, root: int, done: set[int], below: int, budget: int) -> tuple[list[Step], int]:
        """A shortest such walk through a state, around states that are done and shorter than a limit, if any.

        Breadth first over pairs of a state and the kinds of edges used so far. Also says how many edges were
        looked at; stops early beyond the budget, but not if there is no limit to go by yet.
        """
        goal = root * 4 + (FRESH | NEW)
        came: dict[int, tuple[int, int]] = {}
        layer, looked, length = [root * 4], 0, 1
        while layer and (not below or (length < below and looked <= budget)):
            following: list[int] = []
            for place in layer:
                for edge, target, kind in self.arrows[place // 4]:
                    looked += 1
                    reached = target * 4 | place % 4 | kind
                    if reached in came or target in done:
                        continue
                    came[reached] = place, edge
                    if reached == goal:
                        return self._back(came, root * 4, goal), looked
                    following.append(reached)
            layer, length = following, length + 1
        return [], looked

    @staticmethod
    def _back(came: dict[int, tuple[int, int]], start: int, goal: int) -> list[Step]:
        steps: list[Step] = []
        place = goal
        while not steps or place != start:
            place, edge = came[place]
            steps.append(Step(place // 4, edge))
        return steps[::-1]


def _stem(graph: OwnedGraph, arriving: list[int], state: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while arriving[state] >= 0:
        edge = arriving[state]
        state = graph.source[edge]
        steps.append(Step(state, edge))
    return tuple(reversed(steps))
