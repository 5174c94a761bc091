"""The status of each clause, computed anew each time from what the book's files say.

Where several apply, the first of these counts:

1. *modelled*: a statement or declaration of the rules (or of a card's text) carries its mark, and the rules compile (where the
   rules say `not_modelled` of a part of it, that is told beside it; where they say nothing else, it is *not modelled*);
2. *reading*: no rule cites it, but `readings.yaml` names it in an open question that is built in;
3. *without effect*: its kind says that it does nothing in play by itself: a heading, a definition, a statement;
4. *not modelled*: all else.

So a definition that a rule carries out is *modelled*, and a clause that is modelled under several readings is too; the
readings are listed beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from ...spec.book import Status as Built
from ...spec.readers import Clause, ClauseKind, Reading, Term
from ...spec.text import Text
from .books import BookFiles, Place


class Status(Enum):
    """What the model has of a clause."""

    MODELLED = "modelled"
    READING = "reading"
    WITHOUT_EFFECT = "without effect"
    NOT_MODELLED = "not modelled"


WITHOUT_EFFECT = frozenset({ClauseKind.HEADING, ClauseKind.DEFINITION, ClauseKind.NONE})
TO_WRITE = Text(ja="（要旨を書く）", en="(gist to be written)")
"""The gist of a clause that nobody has written yet."""


@dataclass(frozen=True)
class ClauseStatus:
    """A clause and what the book's files say about it. `wording` tells that its wording has changed since the rules
    that cite it were last changed or looked at."""

    clause: Clause
    chapter: str
    status: Status
    places: Sequence[Place]
    readings: Sequence[Reading]
    terms: Sequence[Term]
    wording: bool = False
    left_out: Sequence[str] = ()

    @property
    def id(self) -> str:
        """Its number."""
        return self.clause.id.value

    @property
    def to_write(self) -> bool:
        """Is its gist still to be written?"""
        return self.clause.gist == TO_WRITE


@dataclass(frozen=True)
class Chapter:
    """The clauses of a chapter, counted."""

    id: str
    title: Text
    counts: Mapping[Status, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.counts.values())


def statuses(book: BookFiles, wording: frozenset[str] = frozenset()) -> list[ClauseStatus]:
    """The status of every clause, in the book's order."""
    found: list[ClauseStatus] = []
    chapters = chapters_of(book.clauses.clauses)
    for clause in book.clauses.clauses:
        name = clause.id.value
        found.append(ClauseStatus(
            clause, chapters[name], status_of(book, clause), book.places.get(name, ()), book.read_by.get(name, ()),
            book.terms_of.get(name, ()), name in wording, book.left_out.get(name, ())))
    return found


def status_of(book: BookFiles, clause: Clause) -> Status:
    """The first that applies."""
    name = clause.id.value
    if any(not place.statement.strip().startswith("not_modelled(") for place in book.places.get(name, ())):
        return Status.MODELLED
    if name in book.left_out:
        return Status.NOT_MODELLED
    if any(one.status is Built.MODELLED for one in book.read_by.get(name, ())):
        return Status.READING
    return Status.WITHOUT_EFFECT if clause.kind in WITHOUT_EFFECT else Status.NOT_MODELLED


_TOP = re.compile(r"\d{1,2}|[IVXL]+|(?:追加)?§\d+|第\d+[章部編]|附則\d*")
_PART = re.compile(r"[・「.]|第\d+段落")


def chapters_of(clauses: Sequence[Clause]) -> dict[str, str]:
    """The chapter of each clause: what its number begins with, where that is a clause of its own; in a book without numbers, the
    heading above it (which may have a text of its own); else the chapter of the clause before it."""
    known = {c.id.value for c in clauses}
    numbered = any(_TOP.fullmatch(name) for name in known)
    found: dict[str, str] = {}
    current = ""
    for clause in clauses:
        name = clause.id.value
        chapter = _chapter(name, known)
        headed = not numbered and not _PART.search(name)
        current = name if headed else chapter or current or name
        found[name] = current
    return found


def _chapter(name: str, known: set[str]) -> str:
    if name in known and _TOP.fullmatch(name):
        return name
    if match := re.match(r"第\d+[章部編]|附則\d*", name):
        return match[0] if match[0] in known else ""
    match = re.match(r"([^\d・「.]{0,4}?)§?(\d+)", name)
    if match is None:
        return ""
    prefix, number = match[1], match[2]
    forms = [f"{prefix}§{number}", f"§{number}"] if prefix else [f"§{number}"]
    forms += [number[0]] if len(number) == 3 else []
    return next((form for form in [*forms, prefix + number] if form in known), "")


def by_chapter(found: Sequence[ClauseStatus], book: BookFiles) -> list[Chapter]:
    """The clauses counted by chapter, in the book's order."""
    counts: dict[str, Counter[Status]] = {}
    for one in found:
        counts.setdefault(one.chapter, Counter())[one.status] += 1
    return [Chapter(c, book.by_id[c].gist if c in book.by_id else Text.same(""), n) for c, n in counts.items()]
