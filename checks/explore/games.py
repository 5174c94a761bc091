"""What can follow, as a game: who decides what, with what chances, and where it ends. When are two such games the same?

Two places are the same game if they are *bisimilar* (Milner; for who decides: alternating bisimulation, Alur and others 1998; for
chance: lumping, Larsen and Skou 1991): the same one decides between continuations that are the same games, down to the same leaves.
A step that nobody decides is not seen, nor is a choice between continuations that are all the same, nor one that is followed by another
choice of the same player (two dice that are thrown one after the other are one throw, too). Who goes round for ever comes to no leaf.
Everybody is taken to see everything.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm

from ...model.ir.flow import closure
from .owned_graph import CHANCE

FOREVER = "for ever"
"""The leaf of those that never come to another one."""
MOST_JOINED = 1_000
"""Options of choices that are taken together because the same one decides, at most. (With more they are told apart, which can only
keep equal games apart.)"""

MOST_REFINED = 2_000_000
"""Ways looked at to find out which loops are the same, at most; after that each place from which a loop can be come to is taken to be a game of its own."""

Entries = tuple[tuple[int, int], ...]
"""Where a choice leads, each once and ascending: a class and, of chance, its weight (the others have weight 1)."""


@dataclass
class Game:
    """Places, numbered from 0: `owner` of each (as in `owned_graph`), and the places it leads to. `leaf`: what those are that are looked
    at no further; equal things are one leaf. Of a leaf that is `unknown` it is not known what follows, or what it is. Every other place
    leads somewhere. `weights`: of a place of chance how likely each way is, if they are not all the same."""

    owner: list[int] = field(default_factory=list[int])
    ways: list[Sequence[int]] = field(default_factory=list[Sequence[int]])
    weights: dict[int, Sequence[int]] = field(default_factory=dict[int, Sequence[int]])
    leaf: dict[int, Hashable] = field(default_factory=dict[int, Hashable])
    unknown: set[Hashable] = field(default_factory=set[Hashable])

    def add(self, owner: int) -> int:
        """A place whose ways are not known yet."""
        self.owner.append(owner)
        self.ways.append(())
        return len(self.owner) - 1

    def add_leaf(self, what: Hashable, unknown: bool = False) -> int:
        k = self.add(-1)
        self.leaf[k] = what
        if unknown:
            self.unknown.add(what)
        return k


@dataclass
class Classes:
    """The places of a game, those that are the same game together. `of`: the class of each place. The first classes are the `leaves`;
    of each other one is known who decides and where that leads (`choice`). From `cyclic` on classes can come to themselves again; none before
    leads to one of these, and each before leads to lower numbers only."""

    of: list[int]
    leaves: list[Hashable]
    unknown: frozenset[int]
    choices: list[tuple[int, Entries]]
    cyclic: int

    def choice(self, c: int) -> tuple[int, Entries]:
        return self.choices[c - len(self.leaves)]


def classes_of(game: Game) -> Classes:
    """The classes: of what leads to no loop from the leaves on, of the others by refining a partition (Kanellakis and Smolka 1990). What
    is in one class is the same game. The other way round that holds where nothing goes round; a loop with a choice in it between continuations
    that are the same may be taken for another one than the loop without it, and so may any where there are very many. A number of steps in proportion to the ways; of those before a
    loop, times the rounds of refining."""
    return _Finding(game).classes()


class _Finding:
    """Finds the classes of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        numbers: dict[Hashable, int] = {FOREVER: 0}
        self.of = [-1] * len(game.owner)
        for v, what in game.leaf.items():
            self.of[v] = numbers.setdefault(what, len(numbers))
        self.leaves = list(numbers)
        self.choices: list[tuple[int, Entries]] = []
        self.known: dict[tuple[int, Entries], int] = {}
        self.work = 0

    def classes(self) -> Classes:
        self.from_leaves(self.sources())
        cyclic = self.refined([v for v, c in enumerate(self.of) if c < 0])
        unknown = frozenset(c for c, what in enumerate(self.leaves) if what in self.game.unknown)
        return Classes(self.of, self.leaves, unknown, self.choices, cyclic)

    # ------------------------------------------------------------ what leads to no loop
    def sources(self) -> list[list[int]]:
        """The places that lead to each place, once for each way."""
        into: list[list[int]] = [[] for _ in self.of]
        for v, ways in enumerate(self.game.ways):
            for w in ways:
                into[w].append(v)
        return into

    def from_leaves(self, into: Sequence[Sequence[int]]) -> None:
        """The classes of all places but those from which both a leaf and a loop can be come to."""
        done = [v for v, c in enumerate(self.of) if c >= 0]
        alive = closure(done, into.__getitem__)
        for v in range(len(self.of)):
            if v not in alive:
                self.of[v] = 0  # for ever
                done.append(v)
        of, all_ways = self.of, self.game.ways
        left = [len(ways) for ways in all_ways]
        while done:
            for v in into[done.pop()]:
                left[v] -= 1
                if not left[v] and of[v] < 0:
                    aims = [of[w] for w in all_ways[v]]
                    of[v] = (
                        aims[0]
                        if aims.count(aims[0]) == len(aims)
                        else self.class_of(self.game.owner[v], self.gathered(v, aims))
                    )
                    done.append(v)

    def class_of(self, owner: int, entries: Entries) -> int:
        """The class of whoever decides between these classes; what leads to one only is that one."""
        if len(entries) == 1:
            return entries[0][0]
        found = self.known.get((owner, entries))
        if found is None:
            found = self.known[owner, entries] = len(self.leaves) + len(self.choices)
            self.choices.append((owner, entries))
        return found

    def gathered(self, v: int, aims: Sequence[int]) -> Entries:
        """Where a choice leads, with the choices of the same one that follow at once."""
        owner = self.game.owner[v]
        if owner == CHANCE:
            return self.thrown(list(zip(aims, self.game.weights.get(v, (1,) * len(aims)), strict=True)))
        found = set[int]()
        for c in aims:
            found |= {x for x, _ in self.same_one(owner, c)} if owner >= 0 else {c}
        return tuple((c, 1) for c in sorted(found if len(found) <= MOST_JOINED else set(aims)))

    def thrown(self, ways: Iterable[tuple[int, int]]) -> Entries:
        """Where chance leads, and how likely: whole numbers without a common factor."""
        total: dict[int, int] = {}
        for c, weight in ways:
            total[c] = total.get(c, 0) + weight
        thrown = {c: self.same_one(CHANCE, c) for c in total}
        if sum(map(len, thrown.values())) <= MOST_JOINED:
            sums = {c: sum(weight for _, weight in entries) for c, entries in thrown.items()}
            unit, ways = lcm(*sums.values()), total.items()
            total = {}
            for c, weight in ways:
                for x, part in thrown[c]:
                    total[x] = total.get(x, 0) + weight * part * (unit // sums[c])
        factor = gcd(*total.values())
        return tuple((c, weight // factor) for c, weight in sorted(total.items()))

    def same_one(self, owner: int, c: int) -> Entries:
        """Where a class leads if it is a choice of this one; else the class itself."""
        if c >= len(self.leaves):
            who, entries = self.choices[c - len(self.leaves)]
            if who == owner:
                return entries
        return ((c, 1),)

    # ------------------------------------------------------------ what can go round
    def refined(self, rest: Sequence[int]) -> int:
        """The classes of the other places: as many at first as there are deciders, split until each leads from all of its places to the
        same classes. What then leads to one class only is that class, and it is begun again."""
        stands_for: dict[int, int] = {}

        def aim(w: int) -> int:
            """The class of a place if it is known, else a place (-1 - its number)."""
            while w in stands_for:
                w = stands_for[w]
            return self.of[w] if self.of[w] >= 0 else -1 - w

        while True:
            nodes = [v for v in rest if self.of[v] < 0 and v not in stands_for]
            aims = {v: [aim(w) for w in self.game.ways[v]] for v in nodes}
            forced = [v for v in nodes if len(set(aims[v])) == 1]
            for v in forced:
                to = aim(self.game.ways[v][0])
                if to >= 0:
                    self.of[v] = to
                else:
                    stands_for[v] = -1 - to
            if forced:
                continue
            block = self.partition(nodes, aims)
            signs = {block[v]: (v, self.sign(v, aims[v], block)) for v in reversed(nodes)}
            settled = {b: entries for b, (_, entries) in signs.items() if len(entries) == 1 or entries[0][0] >= 0}
            if not settled or self.work > MOST_REFINED:
                break
            for v in nodes:
                entries = settled.get(block[v])
                if entries is None:
                    continue
                if entries[0][0] >= 0:  # ascending: all are known
                    self.of[v] = self.class_of(self.game.owner[v], entries)
                else:
                    stands_for[v] = signs[-1 - entries[0][0]][0]
        cyclic = len(self.leaves) + len(self.choices)
        numbers = {b: cyclic + k for k, b in enumerate(sorted(signs))}
        for b in sorted(signs):
            v, entries = signs[b]
            self.choices.append(
                (self.game.owner[v], tuple(sorted((numbers[-1 - c] if c < 0 else c, w) for c, w in entries)))
            )
        for v in rest:
            to = aim(v)
            self.of[v] = to if to >= 0 else numbers[block[-1 - to]]
        return cyclic

    def partition(self, nodes: Sequence[int], aims: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """The coarsest blocks whose places have the same owner and lead to the same blocks and classes."""
        owners: dict[int, int] = {}
        block = {v: owners.setdefault(self.game.owner[v], len(owners)) for v in nodes}
        count = len(owners)
        ways = sum(map(len, aims.values()))
        while True:
            self.work += ways
            if self.work > MOST_REFINED:
                return {v: k for k, v in enumerate(nodes)}
            signs: dict[tuple[int, Entries], int] = {}
            block = {v: signs.setdefault((block[v], self.sign(v, aims[v], block)), len(signs)) for v in nodes}
            if len(signs) == count:
                return block
            count = len(signs)

    def sign(self, v: int, aims: Sequence[int], block: Mapping[int, int]) -> Entries:
        """Where a place leads: classes, and blocks (-1 - their numbers). Chance that comes back to its own block is thrown again."""
        owner = self.game.owner[v]
        to = [c if c >= 0 else -1 - block[-1 - c] for c in aims]
        if owner != CHANCE:
            return self.gathered(v, to)
        ways = list(zip(to, self.game.weights.get(v, (1,) * len(to)), strict=True))
        return self.thrown([x for x in ways if x[0] != -1 - block[v]] or ways)
