"""Orders that lead to the same results: is it the same game, whichever comes first?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...model.engine.state import End
from ...spec.groups import grouped
from ..findings.record import Stake
from .explorer import Exploration
from .forcing import Compared, Verdict, compared
from .game_kernels import FRESH, game_classes
from .games import Game, classes_of
from .outcomes import stake_among
from .owned_graph import CHANCE
from .subject import Subject

GAME_WORK = 500_000
"""Ways on from states that are looked at to compare games that are not shown to be the same at once. Where that is not enough, how many
places were compared is said."""
KERNEL_WORK = 1_000_000_000
"""Ways on from states that are looked at to show at once that games are the same."""
MANY = 50_000
"""States with which that is worth being compiled."""
MOST_AT_ONCE = 256
"""Ways of choices that are taken together for that, at most."""


AT_FIRST, MORE = 64, 4
"""So many places are looked at together at first, so many times as many after each time: where the same thing waits as in a place in
which the order matters, nothing has to be compared."""


@dataclass
class OrderGames:
    """What came of comparing games: of each group of places the first in which different things can be forced (`forced`), and the
    first in which at least the course is another (`courses`); in how many places it is not `known` because play goes on beyond what was
    looked at; how many were `left` because it takes too long."""

    forced: dict[int, tuple[int, Compared]] = field(default_factory=dict[int, tuple[int, Compared]])
    courses: dict[int, tuple[int, Compared]] = field(default_factory=dict[int, tuple[int, Compared]])
    unknown: int = 0
    left: int = 0

    def note(self, group: int, k: int, said: Compared) -> None:
        """What came of state k."""
        self.unknown += said.verdict is Verdict.UNKNOWN
        first = {Verdict.FORCED: self.forced, Verdict.COURSE: self.courses}.get(said.verdict)
        if first is not None and (group not in first or k < first[group][0]):
            first[group] = k, said


def compare_games(subject: Subject, out: Exploration, asked: Sequence[int], groups: Sequence[int]) -> OrderGames:
    """Compare the games that follow when each of the options is taken first, in each of these states (`asked`, ascending; of those with
    the same number in `groups` only the first that differs is of interest)."""
    join = out.surveyed(subject.engine).places.join
    found, work, at = OrderGames(), 0, np.array(asked, np.int64)
    same = shown_same(subject, out, at, join[at])
    todo = [x for k, x in enumerate(zip(asked, groups, strict=True)) if not same[k]]
    some = AT_FIRST
    while todo:
        by_depth = grouped((int(join[k]), (k, group)) for k, group in todo[:some])
        for depth, places in by_depth.items():
            work += compare_some(subject, out, depth, places, found, GAME_WORK - work)
        todo = [(k, group) for k, group in todo[some:] if group not in found.forced]
        some *= MORE
    return found


def shown_same(subject: Subject, out: Exploration, asked: np.ndarray, join: np.ndarray) -> np.ndarray:
    """Of each of these states: is it shown at once that the same game follows, whichever option is taken first, until play has returned to so
    many frames (`join` of each)? Not where a loop can be come to, for one."""
    same = np.zeros(len(asked), np.bool_)
    places, edges, owner = out.surveyed(subject.engine).places, out.graph.edges, out.graph.owner
    weighed, wanting, weights = np.full(len(owner), -1, np.int64), np.zeros(len(owner), np.bool_), np.zeros(0, np.int64)
    for depth in np.unique(join).tolist():
        here = np.flatnonzero(join == depth)
        while True:
            cls = np.full(len(owner), FRESH, np.int32)
            done = (game_classes if len(owner) > MANY else game_classes.in_python)(
                asked[here],
                depth,
                owner,
                places.code < 0,
                places.depth,
                edges.first,
                edges.target,
                weighed,
                weights,
                wanting,
                cls,
                MOST_AT_ONCE,
                KERNEL_WORK,
            )
            wanted = np.flatnonzero(wanting)
            if not wanted.size:
                break
            wanting[wanted] = False
            counts = edges.first[wanted + 1] - edges.first[wanted]
            weighed[wanted] = len(weights) + np.cumsum(counts) - counts
            weights = np.concatenate([weights, out.surveyed(subject.engine).weights(wanted, counts)])
        for x in here[:done].tolist():
            first, last = edges.first[asked[x]], edges.first[asked[x] + 1]
            to = edges.target[first:last]
            same[x] = bool((to >= 0).all()) and bool((cls[to] == cls[to[0]]).all()) and cls[to[0]] >= 0
    return same


def compare_some(
    subject: Subject, out: Exploration, depth: int, asked: Sequence[tuple[int, int]], found: OrderGames, most: int,
) -> int:
    """Compare the games in these states with their groups, from which play returns to the same depth: they share what follows. Gives how
    much work it was."""
    continued = Continued(subject, out, depth)
    begun: list[tuple[int, int, list[int]]] = []
    for k, group in asked:
        if continued.work > most:
            break
        begun.append((k, group, continued.after(k)))
    work, classes = continued.work, classes_of(continued.game)
    for k, group, roots in begun:
        if work > most:
            found.left += 1
            continue
        said = compared(classes, [classes.of[v] for v in roots], continued.kind_of)
        work += said.work
        found.note(group, k, said)
    found.left += len(asked) - len(begun)
    return work


def stake_at(subject: Subject, out: Exploration, k: int) -> Stake:
    """What depends on which way is taken in a state: the winner, if other ends can be come to, or somebody can bring about others."""
    among = stake_among(subject, out, out.graph.targets(k))
    return Stake.WINNER if among is Stake.WINNER or decides_the_end(subject, out, k) else Stake.RESULT


def decides_the_end(subject: Subject, out: Exploration, k: int) -> bool:
    """Can somebody force an end of play, say to win, if one option of a state is taken, that cannot be forced if another one is?"""
    continued = Continued(subject, out, TO_THE_END, AHEAD)
    roots = continued.after(k)
    classes = classes_of(continued.game)
    return (
        compared(classes, [classes.of[v] for v in roots], continued.kind_of, ends_only=True).verdict is Verdict.FORCED
    )


TO_THE_END = -1
"""The depth to which play returns when it has ended only."""
AHEAD = 20_000
"""Ways on from states that are looked at to tell what can be forced at the end of play; what lies beyond is not known then."""


class Continued:
    """What follows after some places, as one game: until play has ended or has returned to a depth; at most so many ways are looked at. A leaf
    is a state of the exploration."""

    def __init__(self, subject: Subject, out: Exploration, depth: int, most: int | None = None) -> None:
        self.subject, self.out, self.until, self.most = subject, out, depth, most
        places, edges = out.surveyed(subject.engine).places, out.graph.edges
        self.code, self.depth, self.ends, self.owner = (
            places.code.data,
            places.depth.data,
            places.ends,
            out.graph.owner.data,
        )
        self.first, self.target = edges.first.data, edges.target.data
        self.game, self.number = Game(), dict[int, int]()
        self.work = 0

    def after(self, k: int) -> list[int]:
        """The places of the game that the options of a state lead to."""
        return [self.place(w) for w in self.ways(k)]

    def ways(self, k: int) -> list[int]:
        return self.target[self.first[k]:self.first[k + 1]].tolist()

    def place(self, state: int) -> int:
        """The place of a state, with all that follows."""
        todo: list[int] = []
        found = self.entered(state, todo)
        while todo:
            k = todo.pop()
            v, ways = self.number[k], self.ways(k)
            self.work += len(ways)
            self.game.ways[v] = [self.entered(w, todo) for w in ways]
            if self.game.owner[v] == CHANCE:
                at = self.subject.engine.point(self.out.states[k])
                assert at is not None
                self.game.weights[v] = at.weights
        return found

    def entered(self, state: int, todo: list[int]) -> int:
        """The place of a state; what follows is to be done. Beyond a bound nothing is known, whatever else leads there."""
        if state < 0:
            return self.game.add_leaf(("beyond", len(self.game.owner)), unknown=True)
        if state not in self.number:
            if self.code[state] < 0 or self.depth[state] <= self.until:
                self.number[state] = self.game.add_leaf(state)
            elif self.first[state] == self.first[state + 1] or (self.most is not None and self.work > self.most):
                self.number[state] = self.game.add_leaf(state, unknown=True)
            else:
                self.number[state] = self.game.add(self.owner[state])
                todo.append(state)
        return self.number[state]

    def kind_of(self, leaf: Hashable) -> Hashable:
        """How play has ended in a state; None where it goes on."""
        assert isinstance(leaf, int)
        return kind_of_end(self.ends[-1 - self.code[leaf]]) if self.code[leaf] < 0 else None


def kind_of_end(end: End) -> Hashable:
    """Ends of one kind: won by one player, drawn, or not decided in one way, for whatever reason."""
    return end[:2]
