"""The answers of a book to what its text leaves open (`questions.yaml`): looked at when they are read, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...spec.groups import grouped
from ...spec.text import Text
from ..findings.as_json import plain
from ..findings.layout import Block, Field, Heading, Para
from ..findings.steps import Say
from ..lint.model import Clause, Draft
from ..questions.answers import FILE, Answer, Kind, Known, clause_of, read_answers
from ..questions.asking import ask_file
from ..questions.catalogue import FAMILIES
from ..questions.command import OfBook
from ..questions.keeping import answered_as, kept
from ..questions.record import in_id
from . import words
from .books import BookFiles, open_book
from .quotes import pieces_of
from .status import Status, statuses


@dataclass(frozen=True)
class BookAnswers:
    """The answers of a book by the ids of the questions; `unasked`: what a draft of it asks and the file does not have (None: no
    draft was looked at); `stale`: answers whose question the draft no longer asks; `beyond`:
    clauses that are not modelled, by their names in ids."""

    answers: Mapping[str, Answer]
    unasked: Sequence[str] | None = None
    stale: Sequence[str] = ()
    beyond: Mapping[str, str] = field(default_factory=dict[str, str])
    counts: Counter[Kind] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", Counter(one.kind for one in self.answers.values()))

    @property
    def open(self) -> dict[str, Text]:
        """Those that nothing answers, and what is open."""
        return {name: one.said for name, one in self.answers.items() if one.kind is Kind.OPEN}

    @property
    def later(self) -> list[str]:
        """Those that are open in clauses that are not modelled: what they leave open is settled when they are."""
        return [name for name in self.open if clause_of(name.partition("@")[2], self.beyond)]

    @property
    def unanswered(self) -> int:
        """Questions without an answer in what is modelled."""
        return self.counts[Kind.OPEN] - len(self.later) + len(self.unasked or ())


def known_of(book: BookFiles) -> Known:
    """What the answers of a book can name."""
    return Known(frozenset(book.by_id), frozenset(r.id.value for r in book.readings), book.rule_names)


def answers_of(book: BookFiles, draft: Path | None = None) -> BookAnswers:
    """The answers of a book, and with its draft what they leave out. Raises BadInput for answers that name what there is not."""
    path, known = book.folder / FILE, known_of(book)
    answers = read_answers(path, known) if path.exists() else {}
    beyond = {in_id(one.id): one.id for one in statuses(book) if one.status is Status.NOT_MODELLED}
    if draft is None:
        return BookAnswers(answers, beyond=beyond)
    found = kept(ask_file(draft, FAMILIES, naming=naming_of(book)), answers, known)
    unasked = tuple(
        place.id for one in found.questions if not one.by_shape
        for place in one.places if answered_as(one, place, answers) not in answers
    )
    return BookAnswers(answers, unasked, found.stale, beyond)


def naming_of(book: BookFiles) -> Callable[[Draft], Callable[[Clause, int], str]]:
    """How the register calls what stands at a place of a draft."""

    def naming(draft: Draft) -> Callable[[Clause, int], str]:
        parts = grouped(
            (id(clause), (begin, end, piece.id)) for piece in pieces_of(draft, book.folder)
            for clause, begin, end in piece.parts)
        return lambda clause, at: next(
            (name for begin, end, name in parts.get(id(clause), ()) if begin <= at < max(end, begin + 1)),
            draft.placed(clause),
        )

    return naming


def of_book(target: str) -> OfBook:
    """What `questions --book` needs. Raises BadInput."""
    book = open_book(target)
    return OfBook(target, naming_of(book), known_of(book), book.folder / FILE)


# ---------------------------------------------------------------- told
def answers_page(found: BookAnswers, book: str, say: Say, most: int | None) -> list[Block]:
    """The answers counted, and what has none."""
    if not found.answers and found.unasked is None:
        return [Heading(say(words.ASKED)), Para(say(words.NO_ANSWERS, book=book))]
    rows: list[Block] = [Field(f"  {say(words.ANSWERED[kind])} {found.counts[kind]}", say(words.ANSWERED_BY[kind])) for kind in Kind]
    if found.later:
        rows.append(Field(f"    {say(words.LATER)} {len(found.later)}", say(words.LATER_OF)))
    if found.unasked is not None:
        rows.append(Field(f"  {say(words.UNASKED)} {len(found.unasked)}", say(words.UNASKED_OF)))
    left = [
        *((name, say(said)) for name, said in found.open.items()),
        *((name, say(words.UNASKED)) for name in found.unasked or ()),
        *((name, say(words.NO_LONGER)) for name in found.stale),
    ]
    rows += [Field(f"    {name}", said) for name, said in left[:most]]
    if most is not None and len(left) > most:
        rows.append(Para(say(words.MORE, count=len(left) - most, book=book)))
    return [Heading(say(words.ASKED)), *rows]


def answers_json(found: BookAnswers) -> dict[str, Any]:
    """The same for programs."""
    return {
        "counts": {kind.value: found.counts[kind] for kind in Kind},
        "unanswered": found.unanswered,
        "not_modelled": found.later,
        "open": [{"id": name, "what": plain(said)} for name, said in found.open.items()],
        "unasked": None if found.unasked is None else list(found.unasked),
        "stale": list(found.stale),
    }
