"""Nodes of a YAML file, which know where they stand; for texts, where every character of them stands."""
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from .diagnostics import Position


class Style(Enum):
    """How a scalar was written. `REFUSED` stands where something was that has been reported already."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"
    REFUSED = "refused"


@dataclass(frozen=True)
class Origin:
    """Where a scalar was read: the lines of its file, its first and last place there (they count from 0)."""

    lines: Sequence[str]
    begin: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True)
class TextNode:
    """A scalar: its text, where it begins (a quotation mark or `|` included), and how it was written."""

    text: str
    position: Position
    style: Style = Style.PLAIN
    origin: Origin | None = field(default=None, repr=False, compare=False)

    @property
    def missing(self) -> bool:
        """Nothing was written where a value belongs (`key:` and no more)."""
        return self.style is Style.PLAIN and not self.text

    @property
    def refused(self) -> bool:
        """Something stood here that has been reported already."""
        return self.style is Style.REFUSED

    @property
    def lines(self) -> int:
        """How many lines of the file it takes."""
        return 1 if self.origin is None else self.origin.end[0] - self.origin.begin[0] + 1

    @property
    def content(self) -> Position:
        """Where the text itself begins: behind the quotation mark, or on the first line below `|`."""
        return self.position_in(1, 1)

    @property
    def indentation(self) -> int:
        """Characters before each line of a block scalar that do not belong to its text; else 0."""
        return self._indentation if self.style is Style.LITERAL else 0

    def position_in(self, line: int, column: int) -> Position:
        """Where a place of the text stands in the file. Line and column count from 1, columns in
        characters."""
        return Position(self.position.file, *self.place(line, column))

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The same as line and column. Places outside the text are mapped to the nearest one beside it."""
        if self.origin is None:
            return self.position.line, self.position.column
        line, column = max(line, 1), max(column, 1)
        if self.style is Style.LITERAL:
            lines = self.text.count("\n") + (not self.text.endswith("\n"))
            return self.origin.begin[0] + 1 + min(line, lines), self._indentation + column
        starts = self._starts
        if line > len(starts):
            return self._trace[-1]
        ends = starts[line] - 1 if line < len(starts) else len(self.text)
        at = starts[line - 1] + column - 1
        found = self._trace[min(at, ends)]
        return found[0], found[1] + max(at - ends, 0)

    @cached_property
    def _indentation(self) -> int:
        assert self.origin is not None
        first = self.origin.begin[0] + 1
        for number, line in enumerate(self.text.split("\n")):
            if line.strip(" ") and first + number < len(self.origin.lines):
                return max(0, len(self.origin.lines[first + number]) - len(line))
        return 0

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line of the text begins."""
        return [0, *(at + 1 for at, c in enumerate(self.text) if c == "\n")]

    @cached_property
    def _trace(self) -> list[tuple[int, int]]:
        """Line and column in the file of each character of the text, and of its end; not for literal
        blocks."""
        assert self.origin is not None
        (first, column), (last, _) = self.origin.begin, self.origin.end
        lines = self.origin.lines[first : last + 1]
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        source = "\n".join(lines)
        offsets = _offsets(self.text, source, column, self.style)
        out: list[tuple[int, int]] = []
        for offset in offsets:
            row = bisect_right(starts, offset, hi=len(lines)) - 1
            out.append((first + row + 1, offset - starts[row] + 1))
        return out


_BLANKS = re.compile(r"[ \t\n]*")
_ESCAPES = {"x": 4, "u": 6, "U": 10}


def _offsets(text: str, source: str, at: int, style: Style) -> Iterator[int]:
    """For each character of a scalar's text, and for its end, the offset in the source that it comes
    from."""
    if style in (Style.SINGLE, Style.DOUBLE):
        at += 1
    elif style is Style.FOLDED:
        at = source.find("\n", at) + 1
    i = 0
    while i < len(text):
        if style is Style.DOUBLE and source[at : at + 1] == "\\":
            if source[at + 1 : at + 2] == "\n":
                at = _end_of_blanks(source, at + 1)
                continue
            yield min(at, len(source))
            at += _ESCAPES.get(source[at + 1 : at + 2], 2)
            i += 1
            continue
        blanks = _end_of_blanks(source, at) - at
        if text[i] not in " \t\n":
            at += blanks
            yield min(at, len(source))
            at += 2 if style is Style.SINGLE and source[at : at + 1] == "'" else 1
            i += 1
            continue
        run = _end_of_blanks(text, i) - i
        breaks = source.count("\n", at, at + blanks)
        if breaks and style is not Style.FOLDED:
            run = min(run, max(breaks - 1, 1))
        elif not breaks:
            run = min(run, max(blanks, 1))
        for k in range(run):
            yield min(at if breaks else at + k, len(source))
        at += blanks
        i += run
    yield min(at, len(source))


def _end_of_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


@dataclass(frozen=True)
class ListNode:
    """A list. `flow` says that it was written as `[…]`."""

    items: tuple[Node, ...]
    position: Position
    flow: bool = False


@dataclass(frozen=True)
class Entry:
    """A key and its value."""

    key: TextNode
    value: Node


@dataclass(frozen=True)
class MapNode:
    """A map, in the order written. `flow` says that it was written as `{…}`; `complete` is false if entries
    were left out because something about them has been reported already."""

    entries: tuple[Entry, ...]
    position: Position
    flow: bool = False
    complete: bool = True

    def get(self, key: str) -> Node | None:
        """The value of a key."""
        return next((e.value for e in self.entries if e.key.text == key), None)


Node: TypeAlias = TextNode | ListNode | MapNode
