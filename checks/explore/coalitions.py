"""Which players keep a loop going: their end components compared, and what matters where it is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...spec.findings import WhoCanStop
from . import kernels
from .end_components import Arena, Cause, Family, Parts, connected, family, maximal_end_components
from .owned_graph import OPEN

Coalition = tuple[int, ...]
"""A set of players, in increasing order."""
Judgement = tuple[Coalition, bool]
"""A set of players, and whether the unknown is judged in favour of their keeping play going."""

CAUSE_WORK = 100_000
"""Edges looked at to find what matters to one loop; beyond it the nearest unknown things are listed, needed
or not."""
ALL_CAUSES_WORK = 3_000_000
"""The same for all loops of a scope together; beyond it CAUSE_WORK is 2,000."""


class Piece(NamedTuple):
    """States that make one loop: a strongly connected part in which some end components meet, with edges of its own.

    states   in an arena, increasing
    inside   of each judgement whose components contain all of it, which one
    number   with which its states are marked in `Coalitions.mark`
    by_new   whether fewer states have an edge that no smaller piece contains than have a fresh one
    """

    states: np.ndarray
    inside: Mapping[Judgement, int]
    number: int
    by_new: bool


class Coalitions:
    """The maximal end components of every set of players, for and against, and the pieces that they make."""

    def __init__(self, arena: Arena, everyone: Coalition, top: Parts) -> None:
        """`top`: the components of everyone, in favour."""
        self.arena = arena
        self.everyone = everyone
        self.parts: dict[Judgement, Parts] = {(everyone, True): top}
        self.mark, self.told = arena.graph.zeros(arena.size + 1, np.int32), arena.graph.zeros(len(arena.out), np.bool_)
        self._causes_work = ALL_CAUSES_WORK
        self._inside: dict[tuple[Judgement, Judgement], np.ndarray] = {}
        self._said: dict[
            tuple[tuple[Judgement, int], ...], tuple[WhoCanStop, tuple[Coalition, ...], tuple[Coalition, ...]]
        ] = {}
        self._sure: dict[tuple[Coalition, int, Coalition, int | None], bool] = {}
        self._room: tuple[np.ndarray, np.ndarray] | None = None
        coalitions = [c for size in range(len(everyone), -1, -1) for c in combinations(everyone, size)]
        for players in coalitions[1:]:
            wider = next(c for c in coalitions if len(c) == len(players) + 1 and set(players) < set(c))
            self.parts[players, True] = maximal_end_components(arena, players, True, self.parts[wider, True].family)
        for players in coalitions:
            self.parts[players, False] = self._against(players, self.parts[players, True])

    def _against(self, players: Coalition, hopeful: Parts) -> Parts:
        """The components if the unknown turns out against them; the same where nothing is unknown."""
        doubtful = hopeful.vague.copy()
        doubtful[hopeful.label[(self.arena.doubtful != 0) & (hopeful.label >= 0)]] = True
        if not doubtful.any():
            return hopeful
        again = maximal_end_components(self.arena, players, False, hopeful.family.only(doubtful))
        label = np.where((hopeful.label >= 0) & ~doubtful[hopeful.label], hopeful.label + again.count, again.label)
        fresh = np.full(hopeful.count + again.count, -1, np.int32)
        count = int(kernels.renumber(label, fresh))
        return Parts(label, np.zeros(count, np.bool_))

    # ---- pieces

    def pieces(self, fresh: int) -> Iterator[Piece]:
        """Every loop's states, once: the parts in which components meet, down to the smallest; of those only
        the ones with an edge that crosses exactly `fresh`, and one that lies in no smaller part.

        While a piece is out, `mark` and `told` (edges that lie in smaller parts) are as it needs them.
        """
        arena = self.arena
        first, out, states, edges = arena.first, arena.out, arena.states, arena.graph.edges
        top = self.parts[self.everyone, True]
        todo = [connected(arena, top.family) if top.vague.any() else top.family]
        seen: set[bytes] = set()
        while todo:
            sets = _unseen(todo.pop(), seen)
            kernels.marks(sets.nodes, sets.starts, self.mark)
            counts = np.zeros(len(sets), np.int32), np.zeros(len(sets), np.int32)
            self.told[:] = False

            def count(sets: Family, counts: tuple[np.ndarray, np.ndarray]) -> None:
                kernels.arrows(
                    sets.nodes,
                    sets.starts,
                    self.mark,
                    states,
                    first,
                    out,
                    edges.first,
                    edges.crossing,
                    fresh,
                    self.told,
                    *counts,
                )
            count(sets, counts)
            if not counts[0].all():  # no smaller one has a fresh edge either
                kernels.clear(sets.nodes, self.mark)
                sets = sets.only(counts[0] > 0)
                kernels.marks(sets.nodes, sets.starts, self.mark)
                counts = counts[0][:len(sets)], counts[1][:len(sets)]
            inside: dict[Judgement, np.ndarray] = {}
            for judgement, parts in self.parts.items():
                answer = np.empty(len(sets), np.int32)
                kernels.uniform(sets.nodes, sets.starts, parts.label, answer)
                inside[judgement] = answer
                if (answer == -1).any() and (judgement[1] or parts is not self.parts[judgement[0], True]):
                    todo.append(self._smaller(sets.only(answer == -1), parts))
            count(sets, counts)
            for k in np.flatnonzero((counts[0] > 0) & (counts[1] > 0)).tolist():
                here = {j: int(answer[k]) for j, answer in inside.items() if answer[k] >= 0}
                yield Piece(sets.member(k), here, k + 1, bool(counts[1][k] < counts[0][k]))
            kernels.clear(sets.nodes, self.mark)

    def _smaller(self, sets: Family, parts: Parts) -> Family:
        """The connected parts in which some components meet sets that they do not contain; their edges are told."""
        arena = self.arena
        labels = parts.label[sets.nodes].astype(np.int64)
        key = np.repeat(np.arange(len(sets)) * parts.count, np.diff(sets.starts)) + labels
        key, nodes = key[labels >= 0], sets.nodes[labels >= 0]
        order = np.argsort(key, kind="stable")
        key, nodes = key[order], nodes[order]
        ends = np.flatnonzero(np.append(key[1:] != key[:-1], True)[:len(key)]) + 1
        found = connected(arena, family(nodes, np.diff(ends, prepend=0)))
        mark = arena.scratch.mark
        kernels.marks(found.nodes, found.starts, mark)
        kernels.tell(found.nodes, mark, arena.first, arena.out, self.told)
        kernels.clear(found.nodes, mark)
        return found

    # ---- verdicts

    def verdict(self, piece: Piece) -> tuple[WhoCanStop, tuple[Coalition, ...], tuple[Coalition, ...]]:
        """Who can stop it, who certainly keeps it going, who perhaps does."""
        key = tuple(piece.inside.items())
        if key not in self._said:
            self._said[key] = self._verdict(piece)
        return self._said[key]

    def _verdict(self, piece: Piece) -> tuple[WhoCanStop, tuple[Coalition, ...], tuple[Coalition, ...]]:
        certain = [players for players, hopeful in piece.inside if not hopeful]
        perhaps = [players for players, hopeful in piece.inside if hopeful]
        keepers = tuple(sorted(k for k in certain if not any(self._rather(m, k, piece) for m in certain)))
        if keepers and self._settled(keepers, perhaps, piece):
            alone = [WhoCanStop.NOBODY, WhoCanStop.ONE, WhoCanStop.EITHER]
            first, *more = keepers
            return WhoCanStop.TOGETHER if more else alone[min(len(first), 2)], keepers, keepers
        return WhoCanStop.UNKNOWN, smallest(certain), smallest(perhaps)

    def _within(self, small: Judgement, large: Judgement, piece: Piece) -> bool:
        if (small, large) not in self._inside:
            parts = self.parts[small]
            self._inside[small, large] = answer = np.full(parts.count, -2, np.int32)
            kernels.common(parts.label, self.parts[large].label, answer)
        return bool(self._inside[small, large][piece.inside[small]] == piece.inside[large])

    def _rather(self, one: Coalition, other: Coalition, piece: Piece) -> bool:
        """Whether one set's component judges the piece rather than the other's (pessimistically)."""
        if not self._within((one, False), (other, False), piece):
            return False
        return set(one) < set(other) or not self._within((other, False), (one, False), piece)

    def _settled(self, keepers: tuple[Coalition, ...], perhaps: list[Coalition], piece: Piece) -> bool:
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

    def _surely_inside(self, keeper: Coalition, players: Coalition, piece: Piece) -> bool:
        """Whether the keeper's component D is inside the other's, M, whenever that exists.

        It is if the gates of D, those states of others from which play may leave D, are in M: then D and M
        together are an end component. A gate is in M if it is in the component against, or if the other
        players cannot keep play inside D away from it.
        """
        key = keeper, piece.inside[keeper, True], players, piece.inside.get((players, False))
        if key not in self._sure:
            self._sure[key] = self._gates_are_inside(*key)
        return self._sure[key]

    def _gates_are_inside(self, keeper: Coalition, number: int, players: Coalition, against: int | None) -> bool:
        parts = self.parts[keeper, True]
        if parts.vague[number]:
            return False
        arena, part = self.arena, parts.family.member(number)
        leaves = np.zeros(len(part), np.bool_)
        kernels.leaving(part, parts.label, arena.first, arena.out, leaves)
        leaving = part[leaves]
        owner = arena.owner[leaving]
        gates = leaving[~np.isin(owner, players)]
        if against is not None:
            gates = gates[self.parts[players, False].label[gates] != against]
        if len(gates) and (np.isin(owner, [OPEN, *players]).any() or len(gates) * len(part) > CAUSE_WORK):
            return False
        return not any(self._avoidable(gate, part, players) for gate in gates.tolist())

    def _avoidable(self, gate: int, part: np.ndarray, players: Coalition) -> bool:
        """Whether the players can keep away from a state for ever while play stays inside a part.

        They can outside the state's attractor, from which the others or chance may bring play to it.
        """
        arena, within = self.arena, set(part.tolist())
        options = {v: sum([w in within for w in arena.followers(v)]) for v in within}
        attracted, queue = {gate}, [gate]
        for w in queue:
            for v in arena.sources(w):
                if v in within and v not in attracted:
                    options[v] -= 1
                    if not options[v] or (arena.owner[v] not in players and arena.owner[v] != OPEN):
                        attracted.add(v)
                        queue.append(v)
        return len(attracted) < len(part)

    # ---- reasons

    def causes(self, piece: Piece) -> tuple[Cause, ...]:
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
            known = list(dict.fromkeys(cause for v in around for cause in self.arena.doubts(v)))
            if unsure:
                known, work = self._needed(piece, players, around, known, work, allowed)
            self._causes_work -= work
            chosen.update(known)
        return tuple(sorted(chosen, key=lambda cause: (cause.state, cause.doubt.name)))

    def _around(self, players: Coalition, piece: Piece, allowed: int) -> tuple[list[int], int]:
        """The states of a component in favour, nearest to the piece first, and the edges looked at for
        that."""
        arena, label, number = self.arena, self.parts[players, True].label, piece.inside[players, True]
        queue, work = piece.states.tolist(), 0
        reached = set(queue)
        for v in queue:
            followers = arena.followers(v)
            work += len(followers)
            if work > allowed:
                break
            for w in followers:
                if 0 <= w < arena.size and w not in reached and label[w] == number:
                    reached.add(w)
                    queue.append(w)
        return queue, work

    def _needed(
        self, piece: Piece, players: Coalition, around: list[int], known: list[Cause], work: int, allowed: int,
    ) -> tuple[list[Cause], int]:
        """Drop causes, farthest first, many at a time and then singly, while the rest lets the players go
        on."""
        arena, cost = self.arena, work
        where = np.sort(arena.states[np.array(around, np.int64)])
        states = arena.states[piece.states]
        if self._room is None:
            self._room = np.full(len(arena.graph), -1, np.int32), np.zeros(len(arena.graph), np.uint8)
        step = max(1, len(known) // 2)
        while step:
            at = len(known)
            while at > 0 and work <= allowed:
                fewer = known[:max(0, at - step)] + known[at:]
                smaller = Arena(arena.graph, where, arena.scope, set(fewer), self._room)
                label = maximal_end_components(smaller, players, True, smaller.everything()).label
                there = label[np.searchsorted(smaller.states, states)]
                if there[0] >= 0 and (there == there[0]).all():
                    known = fewer
                at -= step
                work += cost
            step //= 2
        return known, work


def _unseen(sets: Family, seen: set[bytes]) -> Family:
    """The sets that have not been seen yet."""
    new = np.zeros(len(sets), np.bool_)
    for k in range(len(sets)):
        content = sets.member(k).tobytes()
        if content not in seen:
            seen.add(content)
            new[k] = True
    return sets.only(new)


def smallest(coalitions: list[Coalition]) -> tuple[Coalition, ...]:
    """Those of which none contains another."""
    return tuple(sorted(c for c in coalitions if not any(set(other) < set(c) for other in coalitions)))
