"""Which numbers are counted together, and how well they count on: what a finding about a number rests on."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from ...spec.groups import grouped
from .document import follows
from .model import Clause, Draft, Style

COUNTED = frozenset({Style.DOTTED, Style.DASHED, Style.PLAIN, Style.SECTION, Style.CHAPTER, Style.MIXED})


@lru_cache(maxsize=1)
def scopes(draft: Draft) -> list[list[Clause]]:
    """Clauses whose numbers are counted together, in the order of the text."""
    chaptered = any(c.style is Style.CHAPTER for c in draft.numbered)
    scopes: dict[object, list[Clause]] = {}
    begun: dict[object, tuple[int, int]] = {}
    """Of articles: how often they began anew, and how many parts of the document had begun by the last of them."""
    parts = 0
    for clause in draft.clauses:
        if clause.style in (Style.HEADING, Style.APPENDIX) or (
            clause.style is Style.CHAPTER and not is_article(clause)
        ):
            parts += 1
        if clause.style not in COUNTED:
            continue
        if clause.style in (Style.SECTION, Style.CHAPTER):
            unit = clause.label.unit if clause.label and clause.style is Style.CHAPTER else "§"
            continued = unit in "条" or clause.parent is None
            key: object = (clause.book, unit, None if continued else id(clause.parent))
            if is_article(clause) or (clause.label and clause.label.worded):
                # After the heading of a chapter, or of supplementary provisions, they may begin anew.
                times, before = begun.get(key, (0, parts))
                last = scopes.get((key, times), [clause])[-1]
                parted = before < parts or not is_article(clause)
                times += parted and parts_of(clause) == (1,) < parts_of(last)
                begun[key] = times, parts
                key = (key, times)
        elif (
            clause.style is Style.DOTTED
            and clause.label
            and len(clause.label.parts) == 1
            and draft.styles.get(Style.PLAIN, 0) > 1
        ):
            key = (clause.book, "single")
        elif chaptered or (clause.chapter is not None and clause.chapter.style is Style.APPENDIX):
            key = (clause.book, id(clause.chapter), clause.style)
        else:
            key = (clause.book, clause.style if clause.style in (Style.DASHED, Style.MIXED) else Style.DOTTED)
        scopes.setdefault(key, []).append(clause)
    return [*scopes.values()]


def lists(draft: Draft) -> Iterator[list[Clause]]:
    """The lists of a draft: items of one style under one clause; a list ends where the numbers begin again."""
    for clause in draft.clauses:
        runs: dict[object, list[Clause]] = {}
        levels: dict[object, list[int]] = {}
        ahead = [child.label.parts[-1] if child.is_item and child.label is not None else 0 for child in clause.children]
        for index, child in enumerate(clause.children):
            if not child.is_item or child.label is None:
                continue
            key: object = (child.style, len(child.label.parts), re.sub(r"\w+", "", child.label.written), child.depth)
            if not child.shown and not child.depth:
                key = (key, _level(levels.setdefault(key, []), child.label.parts[-1], ahead[index + 1 :]))
            run = runs.get(key)
            if (
                run
                and child.label.parts[-1] == 1 != parts_of(run[-1])[-1]
                and any(parts_of(one)[-1] == 1 for one in run)
            ):
                yield run
                run = None
            if run is None:
                run = runs[key] = []
            run.append(child)
        yield from runs.values()


def _level(last: list[int], number: int, ahead: Sequence[int]) -> int:
    """How deep an item stands by its number alone, after those that are the last of each open list: `1. 1. 2. 2. 3.` is a list
    in a list, if what comes goes on with both."""
    if last and last[-1] + 1 != number and (outer := [k for k, one in enumerate(last) if one + 1 == number]):
        del last[outer[-1] + 1 :]
    elif number == 1 and last and (last[-1] > 1 or ahead[:20].count(2) > 1):
        last.append(0)
    last[-1:] = [number]
    return len(last)


def is_article(clause: Clause) -> bool:
    """`第3条`: counted through the chapters, as a rule."""
    return clause.style is Style.CHAPTER and clause.label is not None and clause.label.unit == "条"


def parts_of(clause: Clause) -> tuple[int, ...]:
    """The parts of its number; none without one."""
    return clause.label.parts if clause.label else ()


# ---------------------------------------------------------------- how well they count on
MEANINGFUL, FITS, OWN = 6, 0.05, 2
"""So many numbers in succession say something. Where no larger share of them is out of step, besides those of one mistake, the
numbering was understood: of 30 books this share was under 5 %, of the three that were misread over 8 %."""
MOST_UNPLACED = 20


class Numbering:
    """How well the numbers of a draft count on: in each style, and around each clause."""

    def __init__(self, draft: Draft) -> None:
        self._runs: dict[int, tuple[list[int], int]] = {}
        self._pairs: Counter[Style] = Counter()
        self._broken: Counter[Style] = Counter()
        self._put_in: set[int] = set()
        """The clauses without which the numbers around them count on, and whose number is that of another: lines of a
        sentence or a table, taken for clauses."""
        for together in chain(scopes(draft), lists(draft)):
            groups: dict[tuple[tuple[int, ...], int, object], list[Clause]] = {}
            seen = Counter(parts_of(clause) for clause in together)
            for before, clause, after in zip(together, together[1:], together[2:], strict=False):
                one, own, other = before.label, clause.label, after.label
                apart = one and own and one.parts[: len(own.parts) - 1] != own.parts[:-1]
                if (
                    one
                    and own
                    and other
                    and apart
                    and seen[own.parts] > 1
                    and follows(other, one)
                    and not follows(own, one)
                ):
                    self._put_in.add(id(clause))
            for clause in together:
                parts = parts_of(clause)
                hundred = parts[0] // 100 if clause.style is Style.PLAIN else 0
                groups.setdefault((parts[:-1], hundred, clause.label and clause.label.lettered), []).append(clause)
            for (above, *_), run in groups.items():
                start = [0] if above and not run[0].is_item else []
                numbers = start + [parts_of(clause)[-1] for clause in run]
                self._runs |= {id(clause): (numbers, k) for k, clause in enumerate(run, len(start))}
                self._pairs[run[0].style] += len(numbers) - 1
                self._broken[run[0].style] += sum(other != one + 1 for one, other in pairwise(numbers))
        strange = self._broken.total() - OWN > FITS * self._pairs.total()
        self.understood = not strange and len(draft.unplaced) <= max(MOST_UNPLACED, len(draft.numbered))
        """Is it known where the clauses of the draft begin?"""

    def stands(self, clause: Clause) -> int:
        """How many of two signs say that a clause's number is one: it is counted in its style; those around it count on."""
        numbers, at = self._runs.get(id(clause), ([], 0))
        return (self._pairs[clause.style] >= MEANINGFUL) + (
            len(numbers) > 2 and _count_on(numbers[max(at - 1, 0) : at + 2])
        )

    def again(self, clause: Clause) -> bool:
        """Does its number stand right behind the same one?"""
        numbers, at = self._runs.get(id(clause), ([], 0))
        return at > 0 and numbers[at - 1] == numbers[at]

    def signs(self, clause: Clause) -> int:
        """How many of two signs say that a clause's number is a slip: the numbers of its style count on elsewhere, and
        most of its own list; those around it do, but for one change. No more than one of an item whose list is known by
        its number only."""
        if id(clause) not in self._runs or self._broken[clause.style] - OWN > FITS * self._pairs[clause.style]:
            return 0
        numbers, at = self._runs[id(clause)]
        steps = [other == one + 1 for one, other in pairwise(numbers)]
        if id(clause) in self._put_in or (all(steps) and len(steps) > 1):
            return 0
        found = (self._pairs[clause.style] >= MEANINGFUL and 2 * sum(steps) >= len(steps) > 0) + one_slip(numbers, at)
        read = clause.style in (Style.SINGLE, Style.LETTER, Style.ROMAN) and not clause.shown
        return min(found, 1) if read else found


@lru_cache(maxsize=1)
def numbering(draft: Draft) -> Numbering:
    """How well the numbers of a draft count on."""
    return Numbering(draft)


_BEGINS = re.compile(r"[^\w]*(?P<number>第[^\W_]{1,5}?[章節条項]|(?i:(?:art|sec|ch|par|rule|by)[a-z.\-]*[ ]+[\da-z]+)|\d+(?:[.\-]\d+)*(?:[a-z](?![A-Za-z]))?|[A-Za-z]{1,5}(?![A-Za-z]))")


@lru_cache(maxsize=1)
def _beginnings(draft: Draft) -> dict[str, list[int]]:
    """The lines that begin with a number, whatever it was taken for."""
    return grouped(
        (match["number"].casefold(), line.number) for line in draft.lines if (match := _BEGINS.match(line.text)))


def stands_between(draft: Draft, first: int, last: int, number: str) -> bool:
    """Does a line between two others begin with this number, whatever it was taken for?"""
    lines = _beginnings(draft).get(number.strip("()（）.．:：§ ").casefold(), [])
    return bisect.bisect_left(lines, last) > bisect.bisect_right(lines, first)


def one_slip(numbers: Sequence[int], at: int) -> bool:
    """Do the numbers before and after a place count on, but for one change there: one number another, one put in, two
    swapped? Not where they count on as they stand."""
    if at + 1 == len(numbers) or _count_on(numbers[max(at - 1, 0) : at + 2]):
        return False
    for before in (3, 2, 1):
        near = list(numbers[max(at - before, 0) : at + 3])
        k = min(at, before)
        last, own = near[k - 1] if k else near[k] - 1, near[k]
        mended = [[*near[:k], last + 1, *near[k + 1 :]], [*near[:k], last + 1, *near[k:]]]
        if k > 1 or k == at:  # what stands before the last number is known
            mended += [
                [*near[: max(k - 1, 0)], own - 1, *near[k:]],
                [*near[: max(k - 1, 0)], own, last, *near[k + 1 :]],
            ]
        if any(len(one) >= 4 and _count_on(one) and one[0] >= min(1, numbers[0]) for one in mended):
            return True
    return False


def _count_on(numbers: Sequence[int]) -> bool:
    return all(other == one + 1 for one, other in pairwise(numbers))
