"""A draft as the families of questions read it: sentences, each in its language, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..lint.model import Clause, Draft, sentences

Tongue = Literal["ja", "en"]
NEAR = 3000
"""Letters of a section that are looked at as a whole around a clause; of a longer one, only what is next to the clause."""
FEW_WORDS = 3
"""So many words and no more are a heading, or a cell, in English."""
_KANA = re.compile(r"[ぁ-んァ-ヶ]")
_FULL_STOP = re.compile(r"(?<=[a-z0-9)\]”\"][.!?])\s+(?=[A-Z“\"(])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|No|Fig|Sec|approx|max|min)\.$")
_EXAMPLE = re.compile(r"^[\s*_>（(\[［※・-]*(?:\||例|（例|例えば|たとえば|具体例|Example|Ex[.:]|E\.g\.|For example|For instance|Q(?:uestion)?\s*[:：.0-9]|(?:Added|Changed|Removed|Clarified|Updated|Fixed)\b)|`[^`]*(?:\w\(|(?-i:[a-z][A-Z]))[^`]*`|[?？]\s*(?:\([^()]*\))?$", re.IGNORECASE)

_EXAMPLE_LINE = re.compile(r"[\s*_>（(\[［※・-]*(?:例|具体例|Example)\s*[：:]")
"""What goes on to be an example to the end of its line."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a clause: where it begins in the clause's text, and in which language it is."""

    clause: Clause
    offset: int
    text: str

    @cached_property
    def tongue(self) -> Tongue:
        """Its language."""
        return "ja" if _KANA.search(self.text) else "en"

    @cached_property
    def flat(self) -> str:
        """Its text in one line."""
        return flat(self.text)


@dataclass(frozen=True)
class Said:
    """How something is said, in both languages."""

    ja: re.Pattern[str] | None
    en: re.Pattern[str] | None

    def search(self, text: str, tongue: Tongue) -> re.Match[str] | None:
        """Where it is said first."""
        pattern = self.ja if tongue == "ja" else self.en
        return None if pattern is None else pattern.search(text)

    def every(self, text: str, tongue: Tongue) -> list[re.Match[str]]:
        """All places where it is said."""
        pattern = self.ja if tongue == "ja" else self.en
        return [] if pattern is None else [*pattern.finditer(text)]

    def anywhere(self, text: str) -> re.Match[str] | None:
        """The same in a text that may be in either."""
        return self.search(text, "ja") or self.search(text, "en")


_BROKEN = re.compile(r"(?<=[ぁ-んァ-ヶー一-龠]) (?=[ぁ-んァ-ヶー一-龠0-9０-９])|(?<=[0-9０-９]) (?=[ぁ-んァ-ヶー一-龠])")


def flat(text: str) -> str:
    """A text in one line. Japanese has no blanks between its words: where a line ends, a word may go on; some set numbers apart."""
    return _BROKEN.sub("", " ".join(text.split()))


def said(ja: str = "", en: str = "") -> Said:
    """Patterns; one that is empty is never said."""
    return Said(re.compile(ja) if ja else None, re.compile(en, re.IGNORECASE) if en else None)


GAME = said(r"カード|札|効果|能力|駒|コマ|サイコロ|ダイス|牌", r"\bcards?\b|\btokens?\b|\bdice\b|\btiles?\b|\bmeeples?\b|\bpawns?\b|\babilit(?:y|ies)\b")
"""What is played with, where a text is the rules of a game on a table."""
_ADVICE = said(r"ヒント|コツ|攻略|戦略|変更履歴|更新履歴|実装", r"\b(?:tips?|strateg(?:y|ies)|hints?|comments|change ?log|revision history|implementation)\b")
"""Headings of what is no rule: advice, what was changed, programs."""

_OF_CARDS = said(r"(?:札|カード)(?:の(?:効果|文|記載)|どうし|に(?:記|書|出|「))|効果(?:が|で|に|の)|能力(?:が|で|に|の)|指示", r"\bcards? (?:text|effects?|abilit)|text of (?:a|the) card|\b(?:two|one|other|on) cards?\b|\beffects?\b|\bkeywords?\b")
"""Of what is written on cards."""
_KEYWORD = re.compile(r"[「『“\"]|[A-Z][\w ]{0,20}: ")
"""How a clause begins that says what one word means: it answers nothing for others."""
_ON_ONE = said(r"を持つ", r"\bthis (?:card|robot|plant|unit|creature|character) ")


class Page:
    """The draft, cut into sentences once for all families."""

    def __init__(self, draft: Draft, name: Callable[[Clause, int], str]) -> None:
        self.draft = draft
        self.name = name

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All that are rules: no headings, no examples, no program, no advice."""
        return [
            one
            for clause in self.draft.clauses
            if not self.under(clause, _ADVICE)
            for one in _of(clause)
            if not _EXAMPLE.search(one.text)
            and not _EXAMPLE_LINE.match(clause.text[clause.text.rfind("\n", 0, one.offset) + 1 :])
            and (one.tongue == "ja" or one.text.count(" ") >= FEW_WORDS)
        ]

    @cached_property
    def flat(self) -> list[tuple[Clause, str]]:
        """Every clause with its text in one line."""
        return [(clause, flat(clause.text)) for clause in self.draft.clauses]

    def under(self, clause: Clause, what: Said) -> bool:
        """Does the clause stand under a heading, or is it one, that says something?"""
        return any(what.anywhere(one.title) for one in (clause, *clause.ancestors()) if one.heading or one.headlike)

    def says(self, what: Said) -> Clause | None:
        """The first clause that says something."""
        return next((clause for clause, text in self.flat if what.anywhere(text)), None)

    def tells(self, what: Said, keywords: bool) -> bool | None:
        """Is something said of the game as a whole? Not, if only of what is written on cards; none, if not at all, or only of what one of the
        `keywords` means, if these do not count."""
        return max((not _OF_CARDS.anywhere(text) and not self.of_card(clause) for clause, text in self.flat
                    if what.anywhere(text) and (keywords or not _KEYWORD.match(text))), default=None)

    def of_card(self, clause: Clause) -> bool:
        """Is what a clause says written on a card?"""
        return any((self.under(clause, _OF_CARDS), _KEYWORD.match(clause.text), _ON_ONE.anywhere(clause.text)))

    def near(self, clause: Clause) -> Iterator[Clause]:
        """The clause, what is below it, and what stands around it in its section. Beside a clause that is itself the heading of a section
        are other sections."""
        yield from _tree(clause)
        yield from clause.ancestors()
        parent = clause.parent
        if parent is None or clause.heading:
            return
        beside = parent.children
        if self._is_long(parent):
            at = self._ranks[id(clause)]
            beside = beside[max(0, at - 2) : at + 3]
        for one in beside:
            if one is not clause:
                yield from _tree(one)

    def _is_long(self, parent: Clause) -> bool:
        """Is what stands under a clause too much to be looked at as a whole?"""
        size = 0
        for one in parent.children:
            size += len(one.whole)
            if size > NEAR:
                return True
        return False

    @cached_property
    def _ranks(self) -> dict[int, int]:
        """Of every clause, which child of its parent it is."""
        return {id(child): k for clause in self.draft.clauses for k, child in enumerate(clause.children)}


def _tree(clause: Clause) -> Iterator[Clause]:
    yield clause
    for child in clause.children:
        yield from _tree(child)


def _of(clause: Clause) -> Iterator[Sentence]:
    for offset, text in sentences(clause):
        if offset < len(clause.title) and (clause.heading or clause.headlike) and text == clause.title.strip():
            continue
        if _KANA.search(text):
            yield Sentence(clause, offset, text)
            continue
        begin = 0
        for stop in _FULL_STOP.finditer(text):
            if not _ABBREVIATION.search(text[begin : stop.start()]):
                yield Sentence(clause, offset + begin, text[begin : stop.start()])
                begin = stop.end()
        yield Sentence(clause, offset + begin, text[begin:])
