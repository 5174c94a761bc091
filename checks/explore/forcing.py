"""What players can bring about in games that are not the same: is there something that somebody can force in one and not in another?

Compared are *sets of results* (leaves): for each player, and for all together, how likely the results are to be in the set at least, whatever
the others do (1 or 0 where nothing is left to chance; the value of a stochastic game otherwise, Condon 1992). A set can be left only to one
side, so who can prevent something is compared as well. Which sets: who wins (all ends of one kind together, and such kinds together), each
single result and all others but it, every set where there are few results, and the least sets that somebody can force. Where a choice is
nobody's, or what follows is not known, it is judged for and against (from `at_least` to `at_most`), and games differ only where they do in
either case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import chain, combinations
from typing import TypeVar

from ...model.ir.flow import closure
from .games import FOREVER, Classes
from .owned_graph import CHANCE

T = TypeVar("T")

HANDFUL = 5
"""Results, or kinds of results, of which every set is compared."""
LEAST_SETS = 32
"""Least sets that a player can force from a place, at most; with more not all of them are compared."""
MOST_WORK = 1_000_000
"""Ways of choices looked at to compare sets, at most."""
MOST_SWEEPS = 500
"""Rounds in which chances inside a loop are worked out."""
GRID = 1 << 40
"""Chances inside a loop are kept in so many parts, rounded to the safe side."""

Chance = Fraction | int
Players = tuple[int, ...]


class Verdict(Enum):
    """What comes of comparing games."""

    SAME = "the same game"
    FORCED = "different things can be forced"
    COURSE = "not shown to be the same game, though nothing that was compared is different"
    UNKNOWN = "what follows is not known well enough"


@dataclass(frozen=True)
class Witness:
    """Something that can be brought about more surely in one game than in another: who can (nobody: what chance does), what (of which
    results), and with which chance at least, and at most, in each game. `wins`: it is a matter of who wins."""

    who: Players
    what: frozenset[Hashable]
    results: frozenset[Hashable]
    chances: tuple[tuple[Chance, Chance], ...]
    wins: bool = False


@dataclass(frozen=True)
class Compared:
    """What came of it, how many sets of results were compared, and whether these were all that matter, exactly. `loops`: something goes round,
    so that the games may be the same after all (`classes_of`)."""

    verdict: Verdict
    witness: Witness | None = None
    sets: int = 0
    exhaustive: bool = True
    loops: bool = False
    work: int = 0


def compared(
    classes: Classes, roots: Sequence[int], kind: Callable[[Hashable], Hashable], ends_only: bool = False
) -> Compared:
    """Are these classes of places the same game, and if not, is there a difference in what can be forced? `kind`: of a result what kind
    of end it is (`("win", p)`: that player p wins). `ends_only`: only these kinds are looked at."""
    if len(set(roots)) == 1:
        return Compared(Verdict.SAME)
    return _Comparing(classes, roots, kind, ends_only).compared()


class TooMuch(Exception):
    """Working out what can be forced takes too long."""


class _Comparing:
    """Compares the games that begin at some classes."""

    def __init__(
        self, classes: Classes, roots: Sequence[int], kind: Callable[[Hashable], Hashable], ends_only: bool
    ) -> None:
        self.classes, self.roots, self.ends_only = classes, roots, ends_only
        seen = closure(roots, lambda c: [to for to, _ in classes.choice(c)[1]] if c >= len(classes.leaves) else ())
        self.results = sorted(c for c in seen if c < len(classes.leaves))
        self.inner = [(c, *classes.choice(c)) for c in sorted(seen) if c >= len(classes.leaves)]
        self.size = sum(len(entries) for _, _, entries in self.inner)
        self.owners = {owner for _, owner, _ in self.inner}
        self.players = sorted(p for p in self.owners if p >= 0)
        self.cyclic = [x for x in self.inner if x[0] >= classes.cyclic]
        self.vague = not classes.unknown.isdisjoint(self.results)
        self.doubtful = self.vague or any(owner < CHANCE for owner in self.owners)
        self.thrown_in_loops = any(owner == CHANCE for _, owner, _ in self.cyclic)
        self.known = [c for c in self.results if c not in classes.unknown]
        if self.cyclic and 0 not in self.known:
            self.known.insert(0, 0)
        self.kinds: dict[Hashable, list[int]] = {}
        for c in self.known:
            what = classes.leaves[c]
            self.kinds.setdefault(FOREVER if c == 0 else kind(what), []).append(c)
        self.work = 0
        self.complete = not self.doubtful
        """Are the sets that are compared all that matter?"""

    def compared(self) -> Compared:
        count, exact = 0, True
        for wins, results, who in self.questions():
            if self.work > MOST_WORK:
                self.complete = False
                break
            count += 1
            for players in who:
                try:
                    chances = self.chances(players, results)
                except TooMuch:
                    self.complete, count = False, count - 1
                    break
                if max(low for low, _ in chances) > min(high for _, high in chances):
                    what, among = (frozenset(self.classes.leaves[c] for c in some) for some in (results, self.known))
                    return Compared(
                        Verdict.FORCED,
                        Witness(players, what, among, chances, wins),
                        count,
                        False,
                        bool(self.cyclic),
                        self.work,
                    )
                exact = exact and all(low == high for low, high in chances)
        verdict = Verdict.UNKNOWN if self.vague else Verdict.COURSE
        return Compared(verdict, None, count, self.complete and exact, bool(self.cyclic), self.work)

    # ------------------------------------------------------------ what is compared
    def questions(self) -> Iterator[tuple[bool, frozenset[int], Sequence[Players]]]:
        """The sets that are compared, each once: is it a matter of who wins, the results, and who may be able to force them."""
        everybody = list(self.coalitions())
        seen: set[frozenset[int]] = set()

        def new(sets: Iterable[frozenset[int]]) -> Iterator[frozenset[int]]:
            for results in sets:
                if results not in seen:
                    seen.add(results)
                    yield results

        for kinds in subsets(list(self.kinds)):
            own = [p for p in self.players if kinds == (("win", p),)]
            for results in new([frozenset(chain.from_iterable(self.kinds[kind] for kind in kinds))]):
                yield True, results, sorted(everybody, key=lambda players: [*players] != own)
        if self.ends_only:
            self.complete = False
            return
        if len(self.known) > HANDFUL:
            least_sets = {players: self.least_sets(players) for players in everybody}
            for players, (sets, _) in least_sets.items():
                yield from ((False, results, [players]) for results in sets)
            if CHANCE not in self.owners and all(known for _, known in least_sets.values()):
                return
            self.complete = False
        yield from ((False, results, everybody) for results in new(map(frozenset, subsets(self.known))))

    def coalitions(self) -> Iterator[Players]:
        """Who may act together: each player, and all; where no player decides anything, nobody."""
        if not self.players:
            yield ()
        for size in range(1, len(self.players) + 1):
            yield from combinations(self.players, size)

    def least_sets(self, players: Players) -> tuple[list[frozenset[int]], bool]:
        """The least sets of results that these players can force from one of the roots, whatever all others and chance do; and whether
        these are all. From places before a loop only."""
        if self.cyclic or self.size * LEAST_SETS > MOST_WORK:
            return [], False
        bit = {c: 1 << k for k, c in enumerate(self.results)}
        sets: dict[int, list[int]] = {c: [b] for c, b in bit.items()}
        complete = True
        for c, owner, entries in self.inner:
            self.work += len(entries)
            found: set[int] = set()
            if owner in players:
                found = {x for to, _ in entries for x in sets[to]}
            else:
                for k, (to, _) in enumerate(entries):
                    found = {x | y for x in found for y in sets[to]} if k else set(sets[to])
                    if len(found) > LEAST_SETS:
                        found, complete = set(least(found)[:LEAST_SETS]), False
            kept = least(found)
            complete = complete and len(kept) <= LEAST_SETS
            sets[c] = kept[:LEAST_SETS]
        masks = dict.fromkeys(x for r in self.roots for x in sets[r])
        hidden = sum(bit[c] for c in self.results if c in self.classes.unknown)
        return [frozenset(c for c, b in bit.items() if x & b) for x in masks if not x & hidden], complete

    # ------------------------------------------------------------ how sure they are
    def chances(self, players: Players, results: frozenset[int]) -> tuple[tuple[Chance, Chance], ...]:
        """With what chance these players can bring one of the results about from each root: at least, and at most."""
        low = self.values(players, results, hopeful=False)
        high = self.values(players, results, hopeful=True) if self.doubtful or self.thrown_in_loops else low
        return tuple((low[r], high[r]) for r in self.roots)

    def values(self, players: Players, results: frozenset[int], hopeful: bool) -> dict[int, Chance]:
        """Of each class how likely these players can make the results; what is not known is for them if `hopeful`, and else against."""
        value: dict[int, Chance] = {
            c: int(c in results or (hopeful and c in self.classes.unknown)) for c in self.results
        }
        self.work += self.size
        for c, owner, entries in self.inner:
            if c < self.classes.cyclic:
                value[c] = self.taken(owner, entries, value, players, hopeful)
        if self.cyclic:
            self.in_loops(value, players, hopeful, endless=0 in results)
        return value

    def in_loops(self, value: dict[int, Chance], players: Players, hopeful: bool, endless: bool) -> None:
        """What can go round. Where chance has no part in it, from what going round for ever is worth, until nothing changes (the least or
        the greatest fixed point); else from below or above, as far as it comes, so that the truth is not beyond."""
        start = int(hopeful) if self.thrown_in_loops else int(endless)
        value.update((c, start) for c, _, _ in self.cyclic)
        for _ in range(MOST_SWEEPS) if self.thrown_in_loops else iter(int, 1):
            if self.work > 2 * MOST_WORK:
                raise TooMuch
            changed = False
            self.work += sum(len(entries) for _, _, entries in self.cyclic)
            for c, owner, entries in self.cyclic:
                new = self.taken(owner, entries, value, players, hopeful)
                if self.thrown_in_loops and not isinstance(new, int):
                    parts = new * GRID
                    whole = (
                        -(-parts.numerator // parts.denominator) if hopeful else parts.numerator // parts.denominator
                    )
                    new = Fraction(whole, GRID)
                if new != value[c]:
                    value[c], changed = new, True
            if not changed:
                break

    def taken(
        self,
        owner: int,
        entries: Sequence[tuple[int, int]],
        value: Mapping[int, Chance],
        players: Players,
        hopeful: bool,
    ) -> Chance:
        """What a choice is worth."""
        if owner == CHANCE:
            return Fraction(sum(value[to] * weight for to, weight in entries), sum(weight for _, weight in entries))
        best = owner in players if owner >= 0 else hopeful
        return (max if best else min)(value[to] for to, _ in entries)


def subsets(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Every set of some of them but not all, where there are few; else each one, and all but one."""
    if len(items) <= HANDFUL:
        for size in range(1, len(items)):
            yield from combinations(items, size)
        return
    for x in items:
        yield (x,)
    for k in range(len(items)):
        yield (*items[:k], *items[k + 1:])


def least(sets: set[int]) -> list[int]:
    """Those (as bits) that hold no other one of them, the smallest first."""
    kept: list[int] = []
    for x in sorted(sets, key=lambda x: (x.bit_count(), x)):
        if not any(y & x == y for y in kept):
            kept.append(x)
    return kept
