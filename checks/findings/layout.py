"""Blocks of text laid out in lines of a terminal: Japanese and English, wide characters counted as two cells."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text as Line

from ...spec.diagnostics import width as cells

Fit = Callable[[str], str]
"""What replaces characters that the console cannot show; applied before anything is measured."""


@dataclass(frozen=True)
class Title:
    """The head of a page."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Short facts beside each other on a line."""

    text: str


@dataclass(frozen=True)
class Field:
    """`name: text`, continued under the text."""

    name: str
    text: str


@dataclass(frozen=True)
class Heading:
    """Begins a section; `aside` says something about it on the same line."""

    text: str
    aside: str = ""


@dataclass(frozen=True)
class Para:
    """Sentences."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows under a header. A row of a single cell runs across all columns."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Items:
    """A numbered list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Verbatim:
    """Lines that stand as they are (commands to type, a drawn position)."""

    text: str


Block = Title | Facts | Field | Heading | Para | Table | Items | Verbatim

INDENT = 2
SEPARATOR = 2
NARROWEST = 8
"""No column of a table is made narrower than this many cells."""

# No line begins with a mark that closes, none ends with one that opens: the Japanese line-breaking rules, in short.
_OPENS = re.escape("「『（(［[【〈《“‘")
_CLOSES = re.escape("、。，．」』）)］]】〉》”’！？!?：；:;・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々％｜")
_WORD = r"[!-~\u00a1-\u24ff\uff61-\uffdc]"
_CHUNK = re.compile(rf"\s+|[{_OPENS}]*(?:{_WORD}+|\S)[{_CLOSES}]*|\S")


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells; at least one line, each without spaces at its end."""
    return [line for paragraph in text.split("\n") for line in _wrap_line(paragraph, width)]


def _wrap_line(text: str, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for chunk in _CHUNK.findall(text):
        if cells(line) + cells(chunk.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = ""
            chunk = chunk.lstrip()
        line += chunk
        while cells(line.rstrip()) > width:
            head = _head(line, width)
            lines.append(head)
            line = line[len(head):]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _head(text: str, width: int) -> str:
    """As many characters as fit, at least one."""
    end = 1
    while end < len(text) and cells(text[: end + 1]) <= width:
        end += 1
    return text[:end]


def pad(text: str, width: int) -> str:
    """The text with spaces after it, up to `width` cells."""
    return text + " " * (width - cells(text))


def layout(blocks: Iterable[Block], width: int, fit: Fit = str) -> list[Line]:
    """The lines of a page, each at most `width` cells where that is possible at all, an empty one before each
    heading."""
    lines: list[Line] = []
    for block in blocks:
        if isinstance(block, Title | Heading) and lines:
            lines.append(Line())
        lines += _lines(block, width, fit)
    return lines


def _lines(block: Block, width: int, fit: Fit) -> list[Line]:
    match block:
        case Title(text):
            return [Line(line, "bold") for line in wrap(fit(text.replace("\n", " ")), width)]
        case Facts(text):
            return [Line(line) for line in wrap(fit(text), width)]
        case Field(name, text):
            return _hanging(fit(f"{name}: "), fit(text), width, style="dim")
        case Heading(text, aside):
            line = Line(fit(text.replace("\n", " ")), "bold cyan")
            if aside:
                line.append(fit(f"  {aside}"), "not bold")
            return _fold(line, width)
        case Para(text):
            return [Line(" " * INDENT + line) for line in wrap(fit(text), width - INDENT)]
        case Table(header, rows):
            return _table([fit(cell) for cell in header], [[fit(cell) for cell in row] for row in rows], width)
        case Items(items):
            number = len(str(len(items)))
            return [
                line
                for i, item in enumerate(items, 1)
                for line in _hanging(f"{' ' * INDENT}{i:>{number}}. ", fit(item), width)
            ]
        case Verbatim(text):
            return [Line(" " * INDENT + line) for line in fit(text).split("\n")]


def _hanging(lead: str, text: str, width: int, style: str = "") -> list[Line]:
    indent = cells(lead)
    first, *rest = wrap(text, max(width - indent, NARROWEST))
    return [Line.assemble((lead, style), first), *(Line(" " * indent + line) for line in rest)]


def _fold(line: Line, width: int) -> list[Line]:
    if cells(line.plain) <= width:
        return [line]
    return [Line(part, line.style) for part in wrap(line.plain, width)]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Line]:
    across = [row for row in rows if len(row) == 1 and len(header) > 1]
    grid = [header, *(row for row in rows if row not in across)]
    natural = [max(_widest(row[column]) for row in grid) for column in range(len(header))]
    columns = _squeeze(natural, width - INDENT - SEPARATOR * (len(header) - 1))
    lines = [*_row(header, columns, "dim"), Line(" " * INDENT + "-" * _total(columns), "dim")]
    for row in rows:
        if row in across:
            lines += [Line(" " * INDENT + line, "dim") for line in wrap(row[0], width - INDENT)]
        else:
            lines += _row(row, columns)
    return lines


def _widest(cell: str) -> int:
    return max(cells(line) for line in cell.split("\n"))


def _total(columns: Sequence[int]) -> int:
    return sum(columns) + SEPARATOR * (len(columns) - 1)


def _squeeze(natural: Sequence[int], room: int) -> list[int]:
    """Column widths: as wide as the content, the widest ones reduced until all fit."""
    columns = list(natural)
    while sum(columns) > room and max(columns) > NARROWEST:
        columns[columns.index(max(columns))] -= 1
    return columns


def _row(row: Sequence[str], columns: Sequence[int], style: str = "") -> list[Line]:
    wrapped = [wrap(cell, column) for cell, column in zip(row, columns, strict=True)]
    height = max(len(lines) for lines in wrapped)
    return [
        Line(
            (" " * INDENT + (" " * SEPARATOR).join(
                pad(lines[i] if i < len(lines) else "", column)
                for lines, column in zip(wrapped, columns, strict=True)
            )).rstrip(),
            style,
        )
        for i in range(height)
    ]
