"""From a draft to its questions: what raises them, what answers them, and which are one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..lint.linting import refuse_unrecognised
from ..lint.model import Clause, Draft, sentences
from ..lint.outline import outline
from ..lint.reading import Source, read
from .evidence import is_begun, is_sure
from .families.shapes import by_shape
from .page import Page, flat
from .record import Family, Place, Question, Raised, place_id

SHOWN = 70
"""Letters of a phrase that are shown."""
NEARBY = 24
"""Letters around a phrase in which a mark is looked for, to show it whole."""


@dataclass(frozen=True)
class Settled:
    """A family's question that a clause of the draft answers: at one place, or (`where` none) everywhere."""

    family: Family
    by: str
    places: int
    where: str | None = None


@dataclass(frozen=True)
class Asked:
    """What a draft leaves open, and what was not asked because it answers it. `checklist`: what sentences of such a shape may leave
    open beside that."""

    source: Source
    draft: Draft
    questions: tuple[Question, ...]
    settled: tuple[Settled, ...]
    families: tuple[Family, ...]
    checklist: tuple[Question, ...] = ()

    @property
    def all(self) -> tuple[Question, ...]:
        """All that can be asked, the gravest first."""
        return tuple(sorted((*self.questions, *self.checklist), key=lambda one: one.family.stake))


Naming = Callable[[Draft], Callable[[Clause, int], str]]
"""What the clauses of a draft are called; the number is a place in the clause's text."""


def ask_file(
    path: Path, families: Sequence[Family], encoding: str | None = None, naming: Naming | None = None
) -> Asked:
    """The questions of a file. Raises BadInput where it cannot be read, or where nothing was recognised in it."""
    return ask(read(path, encoding), families, naming)


def ask(source: Source, families: Sequence[Family], naming: Naming | None = None) -> Asked:
    """The questions of what was read."""
    draft = outline(source.file, source.lines, source.places)
    refuse_unrecognised(draft)
    page = Page(draft, naming(draft) if naming is not None else lambda clause, _: draft.placed(clause))
    open_: list[tuple[Family, list[Raised]]] = []
    settled: list[Settled] = []
    shaped = by_shape(page, families)
    more: list[tuple[Family, list[Raised]]] = []
    for family in families:
        groups, closed = _of(page, family)
        open_ += [(family, group) for group in groups]
        settled += closed
        asked = {one.where(page) for group in groups for one in group}
        further = [one for one in shaped.get(family.id, ()) if one.where(page) not in asked]
        if further:
            more.append((family, further))
    begun = is_begun(page, sum(one.where is None for one in settled))
    questions = tuple(
        Question(
            family,
            tuple(_place(page, family, one) for one in group),
            is_sure(page, family, [one.clause for one in group], begun),
        )
        for family, group in open_
    )
    checklist = tuple(
        Question(family, tuple(_place(page, family, one) for one in group), sure=False, by_shape=True)
        for family, group in more
    )
    return Asked(source, draft, questions, tuple(settled), tuple(families), checklist)


def _of(page: Page, family: Family) -> tuple[list[list[Raised]], list[Settled]]:
    if family.needs is not None and page.says(family.needs) is None:
        return [], []
    first: dict[tuple[int, str], Raised] = {}
    for raised in family.found(page):
        first.setdefault(raised.where(page), raised)
    answer = _general(page, family) if first else None
    meet = any(one.other is not None for one in first.values())  # what meets may both be rules of the game
    if answer is not None and not (
        meet and family.general is not None and page.tells(family.general, keywords=True) is False
    ):
        return [], [Settled(family, page.name(answer, 0), len(first))]
    settled: list[Settled] = []
    groups: dict[str, list[Raised]] = {}
    for raised in first.values():
        by = answer if answer is not None and page.of_card(raised.clause) else _answered_near(page, family, raised)
        if by is not None:
            settled.append(Settled(family, page.name(by, 0), 1, page.name(raised.clause, raised.start)))
        else:
            groups.setdefault("" if family.once else raised.about, []).append(raised)
    return [*groups.values()], settled


def _general(page: Page, family: Family) -> Clause | None:
    """The clause that answers a family's question for the whole draft."""
    return None if family.general is None else page.says(family.general)


def _answered_near(page: Page, family: Family, raised: Raised) -> Clause | None:
    if family.near is None:
        return None
    return next((one for one in page.near(raised.clause) if family.near.anywhere(flat(one.text))), None)


def _place(page: Page, family: Family, raised: Raised) -> Place:
    clause = raised.clause
    begin, text = next(
        ((offset, text) for offset, text in sentences(clause) if offset <= raised.start < offset + len(text)),
        (raised.start, clause.text[raised.start : raised.end]),
    )
    start, end = _widened(text, raised.start - begin, raised.end - begin)
    line, column = clause.passage.at(begin + start) if clause.passage.starts else (clause.line, clause.column)
    phrase = " ".join(text[start:end].split()).rstrip("*_")
    name = page.name(clause, raised.start)
    return Place(
        place_id(family.id, name, phrase),
        name,
        line,
        column,
        phrase if len(phrase) <= SHOWN else phrase[:SHOWN] + "…",
        None if raised.other is None else page.name(raised.other, 0),
    )


_EDGE = re.compile(r"[、。，,.;:：；「」『』（）()\n]")


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A phrase up to the marks around it, where they are near; else to whole words."""
    before = [mark.end() for mark in _EDGE.finditer(text, max(0, start - NEARBY), start)]
    after = _EDGE.search(text, end, end + NEARBY)
    if before:
        start = before[-1]
    elif start <= NEARBY:
        start = 0
    else:
        while text[start - 1].isascii() and text[start - 1].isalnum():
            start -= 1
    if after is not None:
        end = after.start()
    elif end + NEARBY >= len(text):
        end = len(text)
    else:
        while end < len(text) and text[end].isascii() and text[end].isalnum():
            end += 1
    bare = text[start:end]
    return start + len(bare) - len(bare.lstrip(" \u3000*_・-※")), end
