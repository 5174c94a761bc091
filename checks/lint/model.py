"""A draft as the rules of the linter see it: lines, and the clauses that were recognised in them.

Every piece of text keeps its places: a `Passage` is one string for searching, and knows for every offset the line and
column it came from. A clause's text runs on over the lines that follow its label, as far as the next label."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import pairwise

from ...spec.text import Text


@dataclass(frozen=True)
class Known:
    """What the writer says about terms: accepted ones, names of the same thing, words to leave alone."""

    accepted: frozenset[str] = frozenset()
    synonyms: tuple[frozenset[str], ...] = ()
    ignore: frozenset[str] = frozenset()

    def settled(self, *names: str) -> bool:
        """Is nothing to be said about these?"""
        known = self.accepted | self.ignore
        return any(n in known for n in names) or (
            len(names) > 1 and any(set(names) <= group for group in self.synonyms)
        )


@dataclass(frozen=True)
class ListItem:
    """What a Markdown list says of the line that begins one of its items: the lists it is in, the outermost first, and
    its number where the list is numbered by its reader (`1.` on every item; else none)."""

    lists: tuple[int, ...]
    number: int | None = None


@dataclass(frozen=True)
class Line:
    """A line of the draft. `number` counts from 1; `heading` is the level of a Markdown heading or a heading style
    (0: none); `start` is the offset at which the text proper begins. Where the text is not what stands in the file
    (marks of Markdown left out, wrapped lines joined), `cuts` says for offsets, in their order, at which line and
    column (from 1) the text goes on. `linked` lines are nothing but a link to a place in the document; `verbatim` ones
    are code."""

    number: int
    text: str
    heading: int = 0
    start: int = 0
    bullet: bool = False
    indent: int = 0
    cuts: tuple[tuple[int, int, int], ...] = ()
    item: ListItem | None = None
    linked: bool = False
    verbatim: bool = False

    @property
    def body(self) -> str:
        """The line without the marks in front of it."""
        return self.text[self.start :]

    @property
    def last(self) -> int:
        """The number of the last line that is joined in it."""
        return self.cuts[-1][1] if self.cuts else self.number

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        k = bisect.bisect_right(self.cuts, offset, key=lambda cut: cut[0]) - 1
        if k < 0:
            return self.number, offset + 1
        begin, number, column = self.cuts[k]
        return number, column + offset - begin

    def pieces(self, start: int, end: int) -> Iterator[tuple[str, int, int]]:
        """The text between two offsets, piece by piece, each with its line and column."""
        marks = [start, *(cut[0] for cut in self.cuts if start < cut[0] < end), end]
        for one, other in pairwise(marks):
            yield self.text[one:other], *self.at(one)


class Style(Enum):
    """The ways in which clauses are numbered."""

    CHAPTER = "chapter"
    SECTION = "section"
    DOTTED = "dotted"
    DASHED = "dashed"
    PLAIN = "plain"
    APPENDIX = "appendix"
    SINGLE = "single"
    PAREN = "paren"
    CIRCLED = "circled"
    ROMAN = "roman"
    LETTER = "letter"
    MIXED = "mixed"
    HEADING = "heading"


ITEMS = frozenset({Style.SINGLE, Style.PAREN, Style.CIRCLED, Style.ROMAN, Style.LETTER})
"""Styles that number the items of one list; they mean nothing outside it."""


UNITS = {"ar": "Article", "se": "Section", "ch": "Chapter", "pa": "Part", "ru": "Rule", "by": "Bylaw"}
"""The words that number the parts of a book, by their first letters."""


@dataclass(frozen=True)
class Label:
    """The number of a clause: how it is written, in which style, and its parts. `end` is where it ends in the line.
    A letter at the end (`4b`) is a part of its own, counted from 1 and marked by `lettered`."""

    style: Style
    written: str
    parts: tuple[int, ...]
    end: int
    lettered: bool = False
    stopped: bool = False

    @property
    def worded(self) -> bool:
        """Is it a word and a number: `ARTICLE IV`, `Sec. 2`?"""
        return self.style is Style.CHAPTER and self.written[:1].isascii()

    @property
    def unit(self) -> str:
        """What a chapter is called: `条` of `第25条の2`, `Article` of `ARTICLE IV`."""
        return UNITS[self.written[:2].casefold()] if self.worded else re.sub(r"の[\d０-９]+$", "", self.written)[-1:]

    @property
    def key(self) -> str:
        """The name, with the figures of chapters in one form: `第２条` is `第二条`, `ARTICLE IV` is `Article 4`."""
        if self.style is not Style.CHAPTER:
            return self.name
        if self.worded:
            return f"{self.unit} {self.parts[0]}"
        return f"第{self.parts[0]}{self.unit}" + "".join(f"の{n}" for n in self.parts[1:])

    @property
    def name(self) -> str:
        """The number in its plain form, the same however it was written."""
        parts = self.parts
        match self.style:
            case Style.CHAPTER:
                return self.written
            case Style.SECTION:
                return f"§{parts[0]}"
            case Style.APPENDIX:
                return self.written
            case Style.DASHED:
                return dotted(parts, self.lettered, "-")
            case Style.DOTTED | Style.PLAIN:
                return dotted(parts, self.lettered)
            case Style.MIXED:
                return mixed(parts)
            case _:
                return self.written


def dotted(parts: tuple[int, ...], lettered: bool, mark: str = ".") -> str:
    """`(215, 4, 2)` with a letter is `215.4b`."""
    if not lettered:
        return mark.join(map(str, parts))
    return mark.join(map(str, parts[:-1])) + letter(parts[-1])


def mixed(parts: tuple[int, ...]) -> str:
    """`(2, 5, 3)` is `2e3`."""
    capital = parts[0] > 1000
    first = chr(parts[0] - 1000) if capital else str(parts[0])
    return first + "".join(letter(n) if (k % 2 == 0) != capital else str(n) for k, n in enumerate(parts[1:]))


def letter(number: int) -> str:
    """1 is `a`."""
    return chr(96 + number) if 1 <= number <= 26 else f"?{number}"


@dataclass
class Passage:
    """Text put together from parts of lines."""

    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    size: int = 0
    """Characters of the text."""
    _parts: list[str] = field(default_factory=list)
    """What the text is put together from; only when it is asked for, since each putting together copies all of it."""

    @property
    def text(self) -> str:
        """All of it."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def add(self, text: str, line: int, column: int, glue: str = "") -> None:
        """Append a part that begins at a line and column (both from 1)."""
        glue = glue if self.size else ""
        self.starts.append(self.size + len(glue))
        self.places.append((line, column))
        self._parts += [glue, text]
        self.size += len(glue) + len(text)

    def take(self, line: Line, start: int, end: int, glue: str = "") -> None:
        """Append a part of a line."""
        if start >= end:
            self.add("", *line.at(start), glue)
        for text, number, column in line.pieces(start, end):
            self.add(text, number, column, glue)
            glue = ""

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        if not self.starts:
            return 1, 1
        part = max(bisect.bisect_right(self.starts, offset) - 1, 0)
        line, column = self.places[part]
        return line, column + offset - self.starts[part]


@dataclass(eq=False)
class Clause:
    """A clause, or an item of a list in one, or a heading without a number."""

    label: Label | None
    line: int
    column: int
    title: str
    """The text on the line of the label."""
    heading: int = 0
    parent: Clause | None = None
    children: list[Clause] = field(default_factory=list)
    passage: Passage = field(default_factory=Passage)
    bullets: list[int] = field(default_factory=list)
    """Offsets in the passage at which lines with a bullet begin."""
    book: int = 0
    chapter: Clause | None = None
    blocks: list[int] = field(default_factory=list)
    """Offsets in the passage at which lines begin."""
    depth: int = 0
    """Of an item: in how many numbered lists Markdown has it."""
    shown: bool = False
    """Of an item: does indentation, or Markdown, show which list it is in?"""

    @property
    def style(self) -> Style:
        """The style of its number."""
        return self.label.style if self.label else Style.HEADING

    @property
    def is_item(self) -> bool:
        """Is it an item of a list?"""
        return self.style in ITEMS

    @property
    def text(self) -> str:
        """Title and text."""
        return self.passage.text

    @property
    def body(self) -> str:
        """The text after the line of the label."""
        return self.passage.text[len(self.title) :].strip()

    @cached_property
    def name(self) -> str:
        """What a person would call it: `10.5.3.1`, `第3章 4.1`, `9-2-1 iii`."""
        if self.label is None:
            return self.title
        own = self.label.name
        if self.is_item and self.parent is not None:
            return f"{self.parent.name} {own}"
        if self.outer is not None:
            return f"{self.outer.name}, {own}" if self.label.worded else f"{self.outer.name} {own}"
        return own

    @property
    def outer(self) -> Clause | None:
        """What its number is counted anew in: of `Section 2`, the article; of `第2項`, that too; of `4.1`, the chapter."""
        within = self.label is not None and (
            self.label.worded or (self.style is Style.CHAPTER and self.label.unit in "節項")
        )
        around = self.parent if within else self.chapter
        return (
            around
            if around is not self and around is not None and around.label is not None and not self.is_item
            else None
        )

    def ancestors(self) -> Iterator[Clause]:
        """Parents, from the nearest."""
        at = self.parent
        while at is not None:
            yield at
            at = at.parent

    @property
    def below(self) -> Iterator[Clause]:
        """Everything below it, in the order of the text."""
        for child in self.children:
            yield child
            yield from child.below

    @cached_property
    def whole(self) -> str:
        """Its text and that of everything below it."""
        return "\n".join([self.text, *(child.whole for child in self.children)])

    @property
    def headlike(self) -> bool:
        """Does its line read as a heading, not as a sentence?"""
        title = self.title.strip()
        return (
            bool(title) and len(title) <= 40 and not title.endswith(("。", "．", ".", "、", "！")) and "。" not in title
        )


@dataclass
class Book:
    """Clauses whose numbers are counted together. Most drafts have one."""

    number: int
    title: str
    clauses: list[Clause] = field(default_factory=list)


@dataclass
class Contents:
    """A table of contents: the entries, and the lines it takes. `others` are links without a number of the book's."""

    entries: list[Clause]
    first: int
    last: int
    others: list[Clause] = field(default_factory=list)


@dataclass(frozen=True)
class Located:
    """How lines are named in what is said of them: by `names` where they are no lines of a text file (`p.3`, `Sheet1!5`)."""

    names: Mapping[int, str] = field(default_factory=dict[int, str])

    def name(self, line: int) -> str:
        """One line, without saying that it is one."""
        return self.names.get(line, str(line))

    def through(self, first: int, last: int) -> Text:
        """`3〜9 行目`; `lines 3-9`."""
        ends = self.name(first), self.name(last)
        return (
            Text("〜".join(ends), "-".join(ends))
            if self.names
            else Text(f"{ends[0]}〜{ends[1]} 行目", f"lines {ends[0]}-{ends[1]}")
        )

    def on(self, *lines: int, more: bool = False) -> Text:
        """`7、9 行目`; `lines 7, 9`. `more`: these are not all."""
        named = list(dict.fromkeys(map(self.name, lines)))
        unit = Text(" 行目", "line " if len(named) == 1 and not more else "lines ") if not self.names else Text("", "")
        return Text(f"{'、'.join(named)}{unit.ja}{' など' if more else ''}", f"{unit.en}{', '.join(named)}{' …' if more else ''}")


@dataclass(eq=False)
class Draft:
    """A draft as it was understood."""

    file: str
    lines: list[Line]
    clauses: list[Clause]
    """All of them, in the order of the text."""
    books: list[Book]
    contents: Contents | None
    unplaced: list[Line]
    """Lines that begin with what could be a number, and were not taken for clauses."""
    located: Located = field(default_factory=Located)
    known: Known = field(default_factory=Known)
    dictionary: bool = True
    changes: list[Line] = field(default_factory=list)
    """The lines of change logs. They are no rules, and are not looked through."""
    notes: list[Text] = field(default_factory=list)
    """What the writer should know of how it was read."""

    @cached_property
    def numbered(self) -> list[Clause]:
        """Clauses with a number that can be referred to from everywhere."""
        return [clause for clause in self.clauses if clause.label is not None and not clause.is_item]

    @cached_property
    def headings(self) -> list[Clause]:
        """Everything that reads as a heading."""
        return [clause for clause in self.clauses if clause.title and (clause.heading or clause.headlike)]

    @cached_property
    def text(self) -> str:
        """All text."""
        return "\n".join(clause.text for clause in self.clauses)

    def placed(self, clause: Clause) -> str:
        """What a clause is called: with its book, where several are in the document."""
        book = next((b for b in self.books if b.number == clause.book), None)
        return f"{book.title} {clause.name}" if book and book.title and len(self.books) > 1 else clause.name

    @cached_property
    def styles(self) -> dict[Style, int]:
        """How many clauses there are of each style."""
        counts: dict[Style, int] = {}
        for clause in self.clauses:
            counts[clause.style] = counts.get(clause.style, 0) + 1
        return counts


def sentences(clause: Clause) -> Iterator[tuple[int, str]]:
    """The sentences of a clause, each with its offset. Brackets are not looked into."""
    depth = 0
    start = 0
    text = clause.text
    for offset, c in enumerate(text):
        if c in "「『（([【《":
            depth += 1
        elif c in "」』）)]】》":
            depth = max(depth - 1, 0)
        elif c == "\n" or (c == "。" and depth == 0):
            piece = text[start : offset + (c == "。")]
            if piece.strip():
                yield start + len(piece) - len(piece.lstrip()), piece.strip()
            start = offset + 1
            depth = 0 if c == "\n" else depth
    if text[start:].strip():
        piece = text[start:]
        yield start + len(piece) - len(piece.lstrip()), piece.strip()
