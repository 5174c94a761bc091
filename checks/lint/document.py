"""What all rules share of a document before its clauses are looked for: wrapped lines joined, and which lines are a table
of contents, a glossary, a change log.

All of it is decided by what the whole document shows. Places stay those of the file: a joined line knows of every letter
where it stands (`Line.cuts`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum

from ...spec.diagnostics import width as cells
from .model import Label, Line, Style
from .numbering import candidates

ENDED = re.compile(r"[。．.!?！？:：;；」』）)\]】》…|]['\"”’*]*$|[。．.][」』）)\"”’*]*$")
_OPEN = re.compile(
    r"(?:\b(?:rules?|sections?|articles?|clauses?|chapters?|see|(?<![;,] )(?:and|or)|to|of|in|by|the|than|with)|[,、(（「])$", re.IGNORECASE
)
"""How a line ends that goes on, whatever the next begins with; `; or` and `, and` stand between the items of a list."""
_SPLIT_WORD = re.compile(r"([A-Za-z]{2,})-$")
WIDEST = 140
"""Cells of a page: lines of a document that is not wrapped are longer than any page is wide."""


# ---------------------------------------------------------------- wrapped lines
def unwrapped(lines: Sequence[Line]) -> list[Line]:
    """The lines of a document, those joined that were broken by the width of the page; all as they are where the document
    is not wrapped."""
    page = _width(lines)
    if page is None:
        return list(lines)
    words = frozenset(word.casefold() for line in lines for word in re.findall(r"[A-Za-z]{5,}", line.text))
    joined: list[Line] = []
    last: Label | None = None
    full = False
    for line in lines:
        if not line.text.strip():
            joined.append(line)
            full = False
            continue
        label = next(iter(candidates(line)), None)
        goes_on = full and not line.heading and not line.bullet
        if goes_on and (label is None or not _may_begin(label, last) or _OPEN.search(joined[-1].text.rstrip())):
            joined[-1] = join(joined[-1], line, words)
        else:
            joined.append(line)
            last = label if label is not None and _counted(label) else last
        full = _full(line, page) and not joined[-1].heading and not ENDED.search(line.text.rstrip())
        full = full and not _LEADER.search(line.text)
    return joined


def _width(lines: Sequence[Line]) -> int | None:
    """How wide the page is, in cells, where lines were broken to fit one: a good part of them end near one width without
    ending a sentence, and none is much longer."""
    sizes = sorted(cells(line.text.rstrip()) for line in lines if line.text.strip() and not line.verbatim)
    if len(sizes) < 15:
        return None
    page = sizes[int(len(sizes) * 0.96)]
    if not 40 <= page <= WIDEST or sizes[-1] > 2 * page:
        return None
    near = [line.text.rstrip() for line in lines if _full(line, page)]
    open_ = sum(not ENDED.search(text) for text in near)
    return page if len(near) >= max(8, len(sizes) // 12) and open_ * 2 >= len(near) else None


def _full(line: Line, page: int) -> bool:
    """Would a few letters more (a word, in English) not have fitted? Text on a page does not end in one column."""
    text = line.text.rstrip()
    room = page // 8 if re.search(r"[A-Za-z,;]$", text) else page // 14
    return cells(text) >= page - max(room, 4)


def _counted(label: Label) -> bool:
    return label.style in (Style.DOTTED, Style.DASHED, Style.PLAIN, Style.SECTION, Style.CHAPTER, Style.MIXED)


def _may_begin(label: Label, last: Label | None) -> bool:
    """May a line begin with this number, after the last one of the document?"""
    return not _counted(label) or label.style is Style.CHAPTER or last is None or follows(label, last)


def follows(label: Label, last: Label) -> bool:
    """Is a number the last one counted on, at its own level or one above, or begun below it?"""
    one, other = last.parts, label.parts
    return other in ((*one, 0), (*one, 1)) or any(other == (*one[:size], one[size] + 1) for size in range(len(one)))


def join(one: Line, other: Line, words: frozenset[str]) -> Line:
    """Two lines as one, which knows where each stands; a word of `words` that was parted at the end of the first is whole again."""
    text, more = one.text.rstrip(), other.text.lstrip(" \t\u3000")
    lost = len(other.text) - len(more)
    split = _SPLIT_WORD.search(text)
    first = re.match(r"[a-z]+", more)
    if split and first and (split[1] + first[0]).casefold() in words:
        text, glue = text[:-1], ""
    elif split and first:
        glue = ""
    else:
        glue = " " if text[-1:].isascii() and more[:1].isascii() else ""
    start = len(text) + len(glue)
    cuts = one.cuts or ((0, one.number, 1),)
    cuts = tuple(cut for cut in cuts if cut[0] < start)
    moved = [
        (max(begin - lost, 0) + start, number, column + max(lost - begin, 0)) for begin, number, column in other.cuts
    ]
    if not moved or moved[0][0] > start:
        moved.insert(0, (start, other.number, lost + 1))
    return replace(
        one, text=text + glue + more, cuts=(*cuts, *{cut[0]: cut for cut in moved}.values()), linked=False
    )  # of cuts at one offset, the last


# ---------------------------------------------------------------- parts
class Part(Enum):
    """What a part of a document is, where it is not rules."""

    GLOSSARY = "glossary"
    CHANGES = "changes"


_TITLES = {
    Part.GLOSSARY: re.compile(
        r"(?:Glossary|Definitions|Definition of terms|Index|用語集|用語解説|用語一覧|索引)(?:of terms)?", re.IGNORECASE
    ),
    Part.CHANGES: re.compile(
        r"(?:改[版訂]|更新|変更)(?:履歴|記録|内容|点一覧)|変更点"
        r"|(?:Change ?log|Changes|(?:Revision|Version|Change|Update|Document) (?:history|log)|Record of changes|Release notes)"
        r"(?: (?:since|from|for|in|of|to)? ?[\w.\- ]{1,40}| \d{4}.{0,20})?",
        re.IGNORECASE,
    ),
}
_AROUND = re.compile(r"^(?:Appendix|Annex|附則|付録|別表)[ ]?[A-Z0-9]{0,3}[ .:：]*|[\s:：*]+$|^[\s*]+", re.IGNORECASE)
_ENDS = re.compile(r"(?:Credits|Acknowledge?ments|奥付|Copyright\b.*)", re.IGNORECASE)


def part_of(title: str) -> Part | None:
    """Which part a line begins, if it is nothing but the title of one."""
    bare = _AROUND.sub("", _AROUND.sub("", title.strip()))
    return next((part for part, form in _TITLES.items() if form.fullmatch(bare)), None)


def parts(rows: Sequence[tuple[Line, Label | None]]) -> dict[int, tuple[Part, int]]:
    """For every row of a part that is not rules (but for its title): which part, and the row of its title. A part ends
    where its title's equal comes: a heading of its level, the number after its own; in plain text, the next such title."""
    found: dict[int, tuple[Part, int]] = {}
    strong = [
        k
        for k, (_, label) in enumerate(rows)
        if label is not None and _counted(label) and (len(label.parts) > 1 or label.worded)
    ]
    last_rule = strong[-1] if strong else -1
    index = 0
    while index < len(rows):
        line, label = rows[index]
        part = part_of(line.body[label.end if label else 0 :]) if len(line.body) <= 60 else None
        end = _end(rows, index, part, last_rule) if part else index
        if part and 2 * sum(index < k < end for k in strong) > len(strong):
            end = index  # the rules follow it, and nothing says where they begin
        for k in range(index + 1, end):
            found[k] = (part, index) if part else found[k]
        index = max(end, index + 1)
    return found


def _end(rows: Sequence[tuple[Line, Label | None]], begin: int, part: Part, last_rule: int) -> int:
    line, label = rows[begin]
    if label is None and not line.heading and begin < last_rule and part is Part.GLOSSARY:
        # Rules follow it: in plain text nothing says where they begin.
        return begin
    for index in range(begin + 1, len(rows)):
        other, next_ = rows[index]
        title = other.body[next_.end if next_ else 0 :]
        if line.heading and other.heading and other.heading <= line.heading:
            return index
        if (
            label is not None
            and next_ is not None
            and label.worded
            and (next_.style is Style.DOTTED or (next_.worded and next_.unit != label.unit))
        ):
            return begin
        if label is not None and next_ is not None and next_.style is label.style:
            if part is Part.GLOSSARY and next_.parts[: len(label.parts)] == label.parts:
                # Its entries are clauses of the book.
                return begin
            if len(next_.parts) <= len(label.parts) and next_.parts[:-1] == label.parts[: len(next_.parts) - 1]:
                return index
        if label is None and not line.heading:
            if part_of(title) not in (None, part) or _ENDS.fullmatch(title.strip()) or _is_top(other, next_):
                return index
            if part is Part.CHANGES and re.fullmatch(
                r"\s*(?:目\s*次|もくじ|(?:Table of )?Contents)\s*", title, re.IGNORECASE
            ):
                return index
        if (
            re.match(r"\s*(?:Appendix|附則|付録)\b", other.text, re.IGNORECASE)
            and len(other.text) <= 60
            and not other.heading
        ):
            return index
    return len(rows)


def _is_top(line: Line, label: Label | None) -> bool:
    return label is not None and (label.style in (Style.CHAPTER, Style.SECTION, Style.APPENDIX) or bool(line.heading))


def entries(rows: Sequence[tuple[Line, Label | None]]) -> tuple[int, int]:
    """The rows that form a table of contents by themselves, with no heading that says so: links into the document, or
    titles with dots and a page number, in a row."""
    best = (0, 0)
    paged = [_PAGED.search(line.text, line.start + (label.end if label else 0)) for line, label in rows]
    titles = [
        re.sub(r"[\W_]", "", line.text[: page.start() if page else None]).casefold()
        for (line, _), page in zip(rows, paged, strict=True)
    ]
    last: dict[object, int] = {title: k for k, title in enumerate(titles)}
    last |= {
        (label.style, label.parts): k
        for k, (_, label) in enumerate(rows)
        if label is not None and _counted(label) and not label.worded
    }
    again = [
        max(last[titles[k]], last.get(label and (label.style, label.parts), 0)) > k for k, (_, label) in enumerate(rows)
    ]
    marks = [
        line.linked or bool(_LEADER.search(line.text) or (again[k] and paged[k])) for k, (line, _) in enumerate(rows)
    ]
    # What has no page can be an entry too: number and title, and no sentence.
    bare = [
        label is not None
        and not line.heading
        and len(line.body) <= 40
        and "。" not in line.body
        and not line.body.endswith(".")
        for line, label in rows
    ]
    for begin, end in _runs(marks, bare):
        if end - begin >= max(4, best[1] - best[0] + 1):
            best = begin, end
    begin, end = best
    return begin, end


_LEADER = re.compile(r"(?:[.…・‥·_]{4,}|(?:[ ]{1,3}[.·]){4,})\s*\d{1,4}\s*$")
_PAGED = re.compile(r"(?<=[^\s\d.])[.…\s\u3000]{1,200}\d{1,4}\s*$")
"""A title and a page; it is an entry of the contents if title or number come again."""
BETWEEN = 3
"""Rows in a table of contents that do not look like it: its chapters, perhaps."""


def _runs(marks: Sequence[bool], entries: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of marked rows with few others between them, entries not counted."""
    begin = end = -1
    for index, mark in enumerate(marks):
        if not mark:
            continue
        if begin >= 0 and index - end - sum(entries[end:index]) <= BETWEEN:
            end = index + 1
            continue
        if begin >= 0:
            yield begin, end
        begin, end = index, index + 1
    if begin >= 0:
        yield begin, end
