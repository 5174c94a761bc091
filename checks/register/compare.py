"""A registered draft and a new one, clause by clause: what is new, gone, moved, renumbered, reworded.

Clauses are matched by their words, then by likeness under the same number where none under another is clearly more alike, then by likeness under another one. A clause is
*renumbered* if it has another number, *moved* if it stands in another place among the clauses that stayed, and *reworded*
if its words differ; it can be all three. Words are compared without the numbers they refer to: references that follow a
renumbering do not count, references that do not follow are told."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .hashes import Hash, likeness
from .pieces import printed

SAME_PLACE, BETWEEN, OTHER_PLACE = 0.25, 0.3, 0.5
"""How alike two clauses must be to be matched: with the same number, between the same neighbours, anywhere. (Of clauses
that have nothing to do with each other one pair in a hundred reaches 0.3.)"""
CLEARLY = 0.2
"""So much more alike another clause must be for the one with the same number not to be matched."""


@dataclass(frozen=True)
class Reference:
    """A reference that changed: what it meant, what it now says, and what that is (empty: no clause)."""

    meant: str
    says: str
    now: str

    @property
    def stale(self) -> bool:
        """Does it still say the old number, though its clause has another one, or is gone?"""
        return self.says == self.meant


@dataclass(frozen=True)
class Pair:
    """A clause in both drafts."""

    old: Hash
    new: Hash
    moved: bool
    references: tuple[Reference, ...] = ()

    @property
    def renumbered(self) -> bool:
        """Has it another number in the book? (Not: another id, because more paragraphs stand before it.)"""
        return printed(self.old.id) != printed(self.new.id)

    @property
    def reworded(self) -> bool:
        """Has it other words?"""
        return self.old.words != self.new.words

    @property
    def replaced(self) -> bool:
        """Is there nothing left of the old words?"""
        return self.reworded and likeness(self.old.sketch, self.new.sketch) < SAME_PLACE

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
    order = [matched[i] for i in sorted(matched)]
    staying = _longest_rise(order)
    numbers = {old[i].id: new[j].id for i, j in matched.items()}
    pairs = [
        Pair(old[i], new[j], j not in staying, _references(old[i], new[j], numbers))
        for i, j in sorted(matched.items(), key=lambda ij: ij[1])
    ]
    taken = set(matched.values())
    return Comparison(tuple(pairs), tuple(h for j, h in enumerate(new) if j not in taken),
                      tuple(h for i, h in enumerate(old) if i not in matched), tuple(h.id for h in new))


def _matched(old: Sequence[Hash], new: Sequence[Hash]) -> dict[int, int]:
    """Places in the old draft to places in the new one."""
    pairs: dict[int, int] = {}
    at = {h.id: j for j, h in enumerate(new)}
    free = set(range(len(new)))

    def match(i: int, j: int) -> None:
        pairs[i] = j
        free.discard(j)

    for i, h in enumerate(old):  # the same words under the same number
        j = at.get(h.id)
        if j is not None and new[j].words == h.words:
            match(i, j)
    by_words: dict[str, list[int]] = {}
    for j in sorted(free, reverse=True):
        if not new[j].blank:
            by_words.setdefault(new[j].words, []).append(j)
    for i, h in enumerate(old):  # the same words under another number, in order
        if i not in pairs and by_words.get(h.words):
            match(i, by_words[h.words].pop())
    likely = _likely(old, new, [i for i in range(len(old)) if i not in pairs], free)
    of_old, of_new = dict[int, float](), dict[int, float]()
    for alike, i, j in likely:
        of_old[i], of_new[j] = max(alike, of_old.get(i, 0.0)), max(alike, of_new.get(j, 0.0))
    for i, h in enumerate(old):  # much the same words under the same number, and none that are clearly more alike elsewhere
        j = at.get(h.id)
        if i not in pairs and j in free and j is not None:
            alike = likeness(h.sketch, new[j].sketch)
            if alike >= SAME_PLACE and max(of_old.get(i, 0.0), of_new.get(j, 0.0)) <= alike + CLEARLY:
                match(i, j)
    for i, j in _between(old, new, pairs, free):  # alike, between the same neighbours
        match(i, j)
    for _, i, j in sorted(likely, key=lambda one: (-one[0], *one[1:])):  # much the same words under another number, the likeliest first
        if i not in pairs and j in free:
            match(i, j)
    before, after = -1, [len(new)]
    for i in reversed(range(len(old))):
        after.append(pairs.get(i, after[-1]))
    after.reverse()
    for i, h in enumerate(old):  # the same number, whatever it says, at the same place among the others
        j = at.get(h.id)
        if i not in pairs and j is not None and j in free and before < j < after[i + 1]:
            match(i, j)
        before = pairs.get(i, before)
    return pairs


def _likely(old: Sequence[Hash], new: Sequence[Hash], left: Sequence[int], free: set[int]) -> list[tuple[float, int, int]]:
    """Which clauses have much the same words, whatever their numbers, and how alike they are. Sketches that share no byte cannot be alike."""
    shared: dict[tuple[int, int], list[int]] = {}
    for j in free:
        for place, byte in enumerate(new[j].sketch):
            shared.setdefault((place, byte), []).append(j)
    likely: list[tuple[float, int, int]] = []
    for i in left:
        if old[i].blank:
            continue
        counts: dict[int, int] = {}
        for place, byte in enumerate(old[i].sketch):
            for j in shared.get((place, byte), ()):
                counts[j] = counts.get(j, 0) + 1
        likely += [(n / len(old[i].sketch), i, j) for j, n in counts.items() if n >= OTHER_PLACE * len(old[i].sketch) and not new[j].blank]
    return likely


def _between(old: Sequence[Hash], new: Sequence[Hash], pairs: Mapping[int, int], free: set[int]) -> list[tuple[int, int]]:
    """Clauses that were reworded and renumbered at once: in each gap between matched neighbours the most alike."""
    found: list[tuple[int, int]] = []
    left = [i for i in range(len(old)) if i not in pairs]
    gaps: dict[int, list[int]] = {}
    for i in left:
        before = i - 1
        while before >= 0 and before not in pairs:
            before -= 1
        gaps.setdefault(before, []).append(i)
    for before, some in gaps.items():
        first = pairs[before] + 1 if before >= 0 else 0
        others: list[int] = []
        while first < len(new) and first in free:
            others.append(first)
            first += 1
        likely = sorted((-likeness(old[i].sketch, new[j].sketch), i, j) for i in some for j in others[:50]
                        if not (old[i].blank or new[j].blank) and _is_above(old, i) == _is_above(new, j))
        done: set[int] = set()
        for alike, i, j in likely:
            if -alike >= BETWEEN and i not in done and -j - 1 not in done:
                found.append((i, j))
                done |= {i, -j - 1}
    return found


def _is_above(hashes: Sequence[Hash], at: int) -> bool:
    """Has it clauses of its own below it? A heading is not alike to a sentence that has its words."""
    name, after = hashes[at].id, hashes[at + 1].id if at + 1 < len(hashes) else ""
    return after.startswith(name) and not after[len(name)].isdigit()


def _longest_rise(order: Sequence[int]) -> set[int]:
    """The members of a longest rising subsequence: the clauses that stayed where they were among each other."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = [-1] * len(order)
    for k, value in enumerate(order):
        at = bisect_left(ends, value)
        before[k] = last[at - 1] if at else -1
        if at == len(ends):
            ends.append(value)
            last.append(k)
        else:
            ends[at], last[at] = value, k
    found: set[int] = set()
    k = last[-1] if last else -1
    while k >= 0:
        found.add(order[k])
        k = before[k]
    return found


def _references(old: Hash, new: Hash, numbers: Mapping[str, str]) -> tuple[Reference, ...]:
    """References that do not say what they said, the renumbering taken into account."""
    expected = [numbers.get(r, r if r.startswith("?") else f"?{r}") for r in old.refs]
    if len(old.refs) != len(new.refs):
        return () if old.words != new.words else tuple(
            Reference("", r.lstrip("?"), "" if r.startswith("?") else r) for r in new.refs if r not in expected)
    found: list[Reference] = []
    for was, wanted, now in zip(old.refs, expected, new.refs, strict=True):
        meant, says = was.lstrip("?"), now.lstrip("?")
        if wanted == now and (was in numbers or was.startswith("?")):
            continue
        found.append(Reference(meant, says, "" if now.startswith("?") else now))
    return tuple(found)
