"""What a family of questions is, and what a question is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from ...spec.text import Text
from ..lint.model import Clause
from .page import Page, Said, Sentence


class Stake(IntEnum):
    """What hangs on the answer; the gravest first."""

    RESULT = 1
    ENDLESS = 2
    ORDER = 3
    WHO = 4
    NUMBER = 5
    WORDING = 6


@dataclass(frozen=True)
class Raised:
    """A phrase that raises a question: where it begins and ends in the clause's text. `about`: what the question is about;
    what is asked of the same thing in several clauses is one question. `other`: a second clause that takes part."""

    clause: Clause
    start: int
    end: int
    about: str
    other: Clause | None = None

    def where(self, page: Page) -> tuple[int, str]:
        """Where a family asks once: the clause, and what it is called there."""
        return id(self.clause), page.name(self.clause, self.start)


@dataclass(frozen=True)
class Example:
    """A draft in which `{}` stands for what raises the question, or for the nearest that does not."""

    raises: str
    quiet: str
    draft: str

    def of(self, here: str) -> str:
        """The draft with this in its place."""
        return self.draft.replace("{}", here)


JA = "1. 進行\n1.1. 番は交互に行います。\n1.2. {}\n"
EN = "1. Play\n1.1. Players take turns.\n1.2. {}\n"


def ja(raises: str, quiet: str, draft: str = JA) -> Example:
    """An example in Japanese."""
    return Example(raises, quiet, draft)


def en(raises: str, quiet: str, draft: str = EN) -> Example:
    """An example in English."""
    return Example(raises, quiet, draft)


Find = Callable[[Page], Iterable[Raised]]


@dataclass(frozen=True)
class Family:
    """A family of questions. `asks` may name the phrase as `{phrase}` and the clause that it meets as `{other}`; `alone` is asked instead where it
    meets none. Where a sentence says `raised` and not `unless` (or one of
    `also`, other ways to say it, each with what keeps it quiet), or where `find` finds it, the question is asked; not where the clauses around say `near`, nor anywhere if one clause of the
    draft says `general`, nor if none says `needs`, nor under a heading that says `not_under`. `once`: it is one question for the whole draft. `sure`: it asks of what
    every book has to say (see `evidence`). `named`: it is told only where the
    user names the family or wants all."""

    id: str
    stake: Stake
    title: Text
    asks: Text
    matters: Text
    usual: Text
    examples: tuple[Example, ...]
    raised: Said | None = None
    unless: Said | None = None
    near: Said | None = None
    general: Said | None = None
    needs: Said | None = None
    not_under: Said | None = None
    once: bool = False
    named: bool = False
    sure: bool = False
    also: tuple[tuple[Said, Said | None], ...] = ()
    find: Find | None = None
    alone: Text | None = None

    @property
    def only_by_shape(self) -> bool:
        """Is it asked for nothing but the shape of sentences (`families/shapes.py`)?"""
        return self.raised is None and self.find is None

    def found(self, page: Page) -> Iterable[Raised]:
        """The phrases that raise it, whatever other clauses say."""
        yield from self._said(page)
        yield from self.find(page) if self.find is not None else ()

    def _said(self, page: Page) -> Iterable[Raised]:
        ways = (*(() if self.raised is None else ((self.raised, self.unless),)), *self.also)
        for one in page.sentences if ways else ():
            match = next((m for raised, unless in ways if (m := raised.search(one.text, one.tongue))
                          and not (unless is not None and unless.search(one.text, one.tongue))), None)
            if match is None:
                continue
            if self.not_under is not None and page.under(one.clause, self.not_under):
                continue
            key = match.groupdict().get("key") or match[0]
            yield at(one, match.start(), match.end(), "" if self.once else plain(key))


def at(sentence: Sentence, start: int, end: int, about: str, other: Clause | None = None) -> Raised:
    """A phrase of a sentence."""
    return Raised(sentence.clause, sentence.offset + start, sentence.offset + end, about, other)


def plain(text: str) -> str:
    """A phrase as it is compared: no blanks, no marks, small letters."""
    return re.sub(r"[\s*_`、，,]+", "", text).casefold()


@dataclass(frozen=True)
class Place:
    """Where a question is raised: clause, line and column (from 1), the phrase, and the clause's other half, if it has one."""

    id: str
    clause: str
    line: int
    column: int
    phrase: str
    other: str | None = None


@dataclass(frozen=True)
class Question:
    """A question with the places that raise it. `sure`: it is told without being asked for; `by_shape`: only what sentences look like
    raises it (`families/shapes.py`)."""

    family: Family
    places: tuple[Place, ...]
    sure: bool
    by_shape: bool = False

    @property
    def id(self) -> str:
        """That of its first place."""
        return self.places[0].id

    @property
    def words(self) -> Text:
        """The question."""
        first = self.places[0]
        asks = self.family.asks if first.other is not None else self.family.alone or self.family.asks
        values = {"phrase": first.phrase, "clause": first.clause, "other": first.other or ""}
        return Text(asks.ja.format(**values), asks.en.format(**values))

    @property
    def clauses(self) -> tuple[str, ...]:
        """All clauses that it is about."""
        return tuple(dict.fromkeys(name for one in self.places for name in (one.clause, one.other) if name))


_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def place_id(family: str, clause: str, phrase: str) -> str:
    """`fewer-there@4.3-7KQ2`: stays the same while the clause keeps its name and the phrase its words. The mark is the phrase's, so that
    the id of a clause that is renumbered can follow it."""
    number = int.from_bytes(hashlib.sha256(f"{family}|{plain(phrase)}".encode()).digest()[:8], "big")
    mark = "".join(_LETTERS[number >> 5 * k & 31] for k in range(4))
    return f"{family}@{in_id(clause)}-{mark}"


def in_id(clause: str) -> str:
    """The name of a clause as ids have it: without what YAML or a shell would take for something else."""
    return re.sub(r"[^\w.()-]+", "_", clause).strip("_") or "?"
