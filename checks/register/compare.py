"""A registered draft and a new one, clause by clause: what is new, gone, moved, renumbered, reworded.

Clauses are matched by their words; then, between clauses that stayed, in their order, so that the whole is most alike, and a common
number counts for a little; then by likeness anywhere. What is alike is no more than chance where clauses that have nothing to do with it are as alike. A clause is
*renumbered* if it has another number, *moved* if it stands in another place among the clauses that stayed, and *reworded*
if its words differ; it can be all three. Words are compared without the numbers they refer to: references that follow a
renumbering are told apart from those that do not."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...spec.groups import grouped
from ..lint.numbering import whole
from .hashes import SKETCH, Hash, likeness
from .pieces import printed

REPLACED, BETWEEN, OTHER_PLACE, NEARLY = 0.25, 0.2, 0.5, 0.7
"""How alike two clauses are of which hardly a word is left; must be to be matched: between the same neighbours, anywhere; and are that are nearly the same."""
CLEARLY = 0.2
"""So much more alike another clause elsewhere must be for the one between the same neighbours not to be matched."""
NUMBER, LEAST = 0.15, 0.001
"""For how much likeness a common number counts; and what it weighs, whatever the clauses say."""
SAMPLE, RARE, MORE = 64, 3, 0.1
"""How many clauses show what chance does; how many of them may be more alike for other reasons; and by how much a clause must be more alike than that."""
BAND = 60
"""How far from each other, in a gap, clauses are compared: further off only by words that are much the same."""


@dataclass(frozen=True)
class Reference:
    """A reference that changed: what it meant, what it now says, and what that is (empty: no clause)."""

    meant: str
    says: str
    now: str

    @property
    def stale(self) -> bool:
        """Does it still say the old number, though its clause has another one, or is gone?"""
        return self.says in (self.meant, re.sub(r"[一二三四五六七八九十百]+", lambda m: str(whole(m[0])), self.meant))


@dataclass(frozen=True)
class Pair:
    """A clause in both drafts."""

    old: Hash
    new: Hash
    moved: bool
    references: tuple[Reference, ...] = ()
    followed: tuple[Reference, ...] = ()
    """References that say the new number of what they mean."""

    @property
    def renumbered(self) -> bool:
        """Has it another number in the book? (Not: another id, because more paragraphs stand before it.)"""
        return printed(self.old.id).lstrip(".") != printed(self.new.id).lstrip(".")

    @property
    def reworded(self) -> bool:
        """Has it other words?"""
        return self.old.words != self.new.words

    @property
    def replaced(self) -> bool:
        """Is there nothing left of the old words?"""
        return (
            self.reworded
            and self.old.words not in self.new.begins
            and likeness(self.old.sketch, self.new.sketch) < REPLACED
        )

    @property
    def same(self) -> bool:
        """Is there nothing to tell?"""
        return not (self.moved or self.renumbered or self.reworded or self.references)


@dataclass(frozen=True)
class Comparison:
    """What a new draft changes."""

    pairs: tuple[Pair, ...]
    new: tuple[Hash, ...]
    gone: tuple[Hash, ...]
    order: tuple[str, ...]
    """The clauses of the new draft."""

    @property
    def added(self) -> list[Hash]:
        """The new clauses; not an article that was there, and whose text has a number of its own now."""
        now = {p.old.id: p.new.id for p in self.pairs if p.old.id.endswith("条")}
        return [h for h in self.new if not _is_below(now.get(h.id, ""), h.id)]

    @property
    def changed(self) -> list[Pair]:
        """The clauses with something to tell, in the order of the new draft."""
        return [p for p in self.pairs if not p.same]

    @property
    def anything(self) -> bool:
        """Does the draft differ at all?"""
        return bool(self.new or self.gone or self.changed)

    @property
    def numbers(self) -> dict[str, str]:
        """The new id of every clause that has another one."""
        return {p.old.id: p.new.id for p in self.pairs if p.old.id != p.new.id}


def compare(old: Sequence[Hash], new: Sequence[Hash]) -> Comparison:
    """Match the clauses of two drafts."""
    matched = _matched(old, new)
    staying = _staying(old, new, matched)
    numbers = {old[i].id: new[j].id for i, j in matched.items()}
    pairs = [
        Pair(old[i], new[j], i not in staying, *_references(old[i], new[j], numbers))
        for i, j in sorted(matched.items(), key=lambda ij: ij[1])
    ]
    taken = set(matched.values())
    return Comparison(tuple(pairs), tuple(h for j, h in enumerate(new) if j not in taken),
                      tuple(h for i, h in enumerate(old) if i not in matched), tuple(h.id for h in new))


def _matched(old: Sequence[Hash], new: Sequence[Hash]) -> dict[int, int]:
    """Places in the old draft to places in the new one."""
    pairs: dict[int, int] = {}
    free = set(range(len(new)))

    def match(i: int, j: int) -> None:
        pairs[i] = j
        free.discard(j)

    counts = Counter(h.words for h in old), Counter(h.words for h in new)
    grown = [(one, j) for j, h in enumerate(new) if not counts[0][h.words] for one in h.begins]
    begun = Counter(one for one, _ in grown)
    words = {**dict(grown), **{h.words: j for j, h in enumerate(new)}}
    for i, h in enumerate(old):  # the same words, of which there are no others, or with a sentence behind them
        if not h.blank and counts[0][h.words] == (counts[1][h.words] or begun[h.words]) == 1 and words[h.words] in free:
            match(i, words[h.words])
    likely = sorted(
        _likely(
            old,
            new,
            [i for i, h in enumerate(old) if not (h.blank or counts[1][h.words])],
            [j for j, h in enumerate(new) if not (h.blank or counts[0][h.words])],
        ),
        key=lambda one: (-one[0], *one[1:]),
    )
    best_old, best_new = dict[int, float](), dict[int, float]()
    for alike, i, j in likely:
        best_old[i], best_new[j] = max(alike, best_old.get(i, 0.0)), max(alike, best_new.get(j, 0.0))
    chance = _chance(old, pairs)
    before, start = -1, 0
    for i, j in [*sorted(_staying(old, new, pairs).items()), (len(old), len(new))]:
        some, others = [k for k in range(before + 1, i) if k not in pairs], [k for k in range(start, j) if k in free]
        for one, other in _in_order(_aligned(old, new, some, others, chance, (best_old, best_new))).items():
            match(one, other)
        before, start = i, j + 1
    again = grouped((new[j].words, j) for j in sorted(free, reverse=True))
    for i, h in enumerate(old):  # the same words at another place, in order
        if i not in pairs and not h.blank and again.get(h.words):
            match(i, again[h.words].pop())
    for _, i, j in likely:  # much the same words under another number, the likeliest first
        if i not in pairs and j in free:
            match(i, j)
    left = {new[j].id: j for j in free if not new[j].blank}
    for i, h in enumerate(old):  # a number without words goes with what is below it; what has one number may be like
        j = pairs.get(i + 1, 0) - 1 if h.blank else left.get(h.id, -1)
        if (
            i not in pairs
            and j in free
            and h.blank == new[j].blank
            and likeness(h.sketch, new[j].sketch) + NUMBER
            > max(BETWEEN, chance(h.sketch) + MORE, chance(new[j].sketch) + MORE)
        ):
            match(i, j)
    at = {h.id: i for i, h in enumerate(old)}
    for i, j in [*pairs.items()]:  # each nearly the other, and not just the same crosswise: they have not changed places
        other = pairs.get(k := at.get(new[j].id, i), j)
        if (
            i < k
            and new[other].id == old[i].id
            and (old[i].words, old[k].words) != (new[j].words, new[other].words)
            and min(likeness(old[i].sketch, new[other].sketch), likeness(old[k].sketch, new[j].sketch)) >= NEARLY
        ):
            pairs[i], pairs[k] = other, j
    return pairs


def _likely(
    old: Sequence[Hash], new: Sequence[Hash], left: Sequence[int], free: Sequence[int]
) -> Iterator[tuple[float, int, int]]:
    """Which clauses have much the same words, whatever their numbers, and how alike they are."""
    table = _table([new[j] for j in free])
    for i in left:
        near = _alike(old[i].sketch, table)
        yield from ((float(near[k]), i, free[k]) for k in map(int, np.flatnonzero(near >= OTHER_PLACE)))


def _chance(old: Sequence[Hash], pairs: Mapping[int, int]) -> Callable[[bytes], float]:
    """How alike a clause is to others that have nothing to do with it. In some languages, and in some books, that is much."""
    known = [i for i in sorted(pairs) if not old[i].blank] or [*range(len(old))]
    table = _table([old[i] for i in known[:: len(known) // SAMPLE + 1]])

    @cache
    def of(sketch: bytes) -> float:
        alike = sorted((float(one) for one in _alike(sketch, table) if one < 1), reverse=True)
        return alike[min(RARE, len(alike) // 4)] if alike else 0.0

    return of


def _table(hashes: Sequence[Hash]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(h.sketch for h in hashes), dtype=np.uint8).reshape(-1, SKETCH)


def _alike(sketch: bytes, table: NDArray[np.uint8]) -> NDArray[np.float64]:
    return (table == np.frombuffer(sketch, dtype=np.uint8)).mean(axis=1)


def _aligned(
    old: Sequence[Hash],
    new: Sequence[Hash],
    some: Sequence[int],
    others: Sequence[int],
    chance: Callable[[bytes], float],
    best: tuple[Mapping[int, float], Mapping[int, float]],
) -> Iterator[tuple[int, int, float]]:
    """What of a gap between clauses that stayed is more alike than chance, and by how much, or has one number; the places in the new draft from behind."""
    table = _table([new[j] for j in others])
    at = {new[j].id: k for k, j in enumerate(others)}
    usual = np.array([chance(new[j].sketch) + MORE for j in others])
    bare, above = (np.array([said(j) for j in others]) for said in (lambda j: new[j].blank, lambda j: is_above(new, j)))
    nearest, known = np.array([best[1].get(j, 0.0) for j in others]), np.array(others)
    for k, i in enumerate(some if others else ()):
        own = at.get(old[i].id, -1)
        first = max((own if own >= 0 else k * len(others) // len(some)) - BAND, 0)
        near = _alike(old[i].sketch, table[first : first + 2 * BAND])
        here = slice(first, first + len(near))
        same = np.arange(here.start, here.stop) == own
        gain = (
            near
            + NUMBER * (same | (len(some) == len(others) == 1))
            - np.maximum(usual[here], max(BETWEEN, chance(old[i].sketch) + MORE))
        )
        gain[bare[here] | old[i].blank | (above[here] != is_above(old, i))] = 0.0
        places = np.flatnonzero(
            ((gain > 0) | same) & (np.maximum(nearest[here], best[0].get(i, 0.0)) <= near + CLEARLY)
        )[::-1]
        yield from zip(repeat(i), known[first + places].tolist(), np.maximum(gain[places], LEAST).tolist())


_BESIDE = re.compile(r"\d\d|.の\d|.~|[^\W\d_](?!第)[^\W\d_]")
"""What of an id, from the last sign of another on, shows that it is none below it: `第1条の2` of `第1条`, `12` of `1`."""


def is_above(hashes: Sequence[Hash], at: int) -> bool:
    """Has it clauses of its own below it? A heading is not alike to a sentence that has its words."""
    return at + 1 < len(hashes) and _is_below(hashes[at + 1].id, hashes[at].id)


def _is_below(name: str, above: str) -> bool:
    return name.startswith(above) and not _BESIDE.match(name, len(above) - 1)


def _in_order(steps: Iterable[tuple[int, int, float]]) -> dict[int, int]:
    """Of places in the old draft and the new one, with what each pair weighs: those of the heaviest chain that rises in both. They come by their
    places in the old draft; of one of these, by those in the new one from behind."""
    ends, totals = [-1], [0.0]
    chains: list[Any] = [None]
    """The heaviest chain up to each place in the new draft, the last pair first: further on only if it is heavier."""
    for i, j, weight in steps:
        place = bisect_left(ends, j)
        total, stop = totals[place - 1] + weight, place
        while stop < len(ends) and totals[stop] <= total:
            stop += 1
        if stop == place + 1:
            ends[place], totals[place], chains[place] = j, total, (i, j, chains[place - 1])
        elif stop > place or place == len(ends) or ends[place] > j:
            ends[place:stop], totals[place:stop], chains[place:stop] = [j], [total], [(i, j, chains[place - 1])]
    found: dict[int, int] = {}
    chain = chains[-1]
    while chain is not None:
        i, j, chain = chain
        found[i] = j
    return found


def _staying(old: Sequence[Hash], new: Sequence[Hash], pairs: Mapping[int, int]) -> dict[int, int]:
    """The matched clauses that stayed where they were among each other; where it is the same, those that kept their number."""
    return _in_order((i, pairs[i], 1 + (old[i].id == new[pairs[i]].id) / (len(pairs) + 1)) for i in sorted(pairs))


def _references(
    old: Hash, new: Hash, numbers: Mapping[str, str]
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    """References that do not say what they said, the renumbering taken into account; and those that follow it."""
    expected = [numbers.get(r, r if r.startswith("?") else f"?{r}") for r in old.refs]
    if len(old.refs) != len(new.refs):
        return () if old.words != new.words else tuple(
            Reference("", r.lstrip("?"), "" if r.startswith("?") else r) for r in new.refs if r not in expected), ()
    found: list[Reference] = []
    followed: list[Reference] = []
    for was, wanted, now in zip(old.refs, expected, new.refs, strict=True):
        one = Reference(was.lstrip("?"), now.lstrip("?"), "" if now.startswith("?") else now)
        if wanted != now or not (was in numbers or was.startswith("?")):
            found.append(one)
        elif printed(was) != printed(now):
            followed.append(one)
    return tuple(found), tuple(followed)
