"""From lines to clauses: which numbers are clauses, which are items of a list, what belongs to what.

The numbering is recognised by what the whole draft shows. `1.` is a section where `1.1` follows, or where chapters are
divided so; else it is an item. `301` is a clause where `301.1` and its like are. A number that begins again at the top
begins another book. A table of contents is set aside."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from . import document
from .model import ITEMS, Clause, Contents, Draft, Label, Line, Located, Style
from .numbering import candidates
from .tree import Builder, Row, Traits, level_of

CONTENTS = re.compile(r"[\s\u3000]*(?:目[\s\u3000]*次|もくじ|Contents|Table of contents)(?![ぁ-ん])", re.IGNORECASE)
_NUMBERLIKE = re.compile(
    r"[(（]?[0-9０-９]{1,4}(?:[.．\-－][0-9０-９]{1,3})*[.．)）:：、][ 　]*\S|§|"
    r"第[0-9０-９一二三四五六七八九十]+[章節条]|"
    r"\|\s*[0-9０-９]{1,4}(?:[.．\-－][0-9０-９]{1,3})+[.．]?\s*\|\s*[^\s|]"  # in the first cell of a table
)
_SUPPLEMENT = re.compile(r"\s*[【［\[(（]?[附付][\s\u3000]*則[】］\])）]?(?:[\s\u3000]*[（(][^（()）]{1,40}[)）])?\s*")
"""The line that supplementary provisions begin with; their articles count anew."""
_GOES_ON = re.compile(r"\b(?:rules?|sections?|articles?|clauses?|chapters?|see|to|of|in|by|the|than|with)$", re.IGNORECASE)
"""How a line ends whose sentence goes on in the next one; `and` and `or` may stand between the items of a list."""
_CHAPTERS = re.compile(r"第[\d０-９一二三四五六七八九十]{1,3}[章部編]")
_PAGE = re.compile(r"(?:(?:[ ]{0,3}[.·]){4,}[ ]*|(?<!\s)(?:\s{2,}|[\t\u3000])|(?<![.…・‥])[.…・‥]{2,}\s*)\d{1,4}\s*$")


def outline(file: str, lines: Sequence[Line], places: Mapping[int, str] | None = None) -> Draft:
    """Recognise the clauses of a draft. `places` names lines that are no lines of a text file."""
    rows = [Row(line, next(iter(candidates(line)), None)) for line in document.unwrapped(lines) if line.text.strip()]
    units: dict[str, float] = {}
    below = 0.0
    for label in (row.label for row in rows if row.label is not None):
        if label.worded:
            units.setdefault(label.unit, below + len(units) / 10)
        elif label.style is Style.DOTTED and len(label.parts) > 1:
            below = 5.0
    rows = _titled_below(rows, units)
    for row in rows:
        if not row.line.heading and _SUPPLEMENT.fullmatch(row.line.text):
            row.line = replace(row.line, heading=1)
    _captioned(rows)
    _lettered(rows)
    _within_sentences(rows)
    _values(rows)
    span = _contents_span(rows, units)
    entries, body = rows[span[0] : span[1]], rows[: span[0]] + rows[span[1] :]
    body, changes = _apart(body)
    traits = _traits(body, units)
    for row in body:
        row.label = _decide(row, traits)
    named = [(row.label.parts, _title(row)) for row in entries if row.label is not None]
    listed = {*named, *((parts, re.sub(r"\d+$", "", title)) for parts, title in named)}
    _settle_plains(body)
    _settle_singles(body, traits, listed)
    unplaced = [row.line for row in body if row.label is None and not row.line.heading
                and _NUMBERLIKE.match(row.line.body) and not re.match(r"\d{4}[./年-]", row.line.body)]
    _unmarked(body)
    builder = Builder(traits)
    for row in body:
        builder.take(row)
    contents = _contents(entries, traits) if entries else None
    return Draft(
        file, list(lines), builder.clauses, builder.books, contents, unplaced, Located(places or {}), changes=changes
    )


def _titled_below(rows: Sequence[Row], units: dict[str, float]) -> list[Row]:
    """The rows, those joined where the title of an article stands in the line below its number."""
    kept: list[Row] = []
    for row, after in zip(rows, [*rows[1:], None], strict=False):
        own, above = row.line, kept[-1] if kept else None
        alone = row.label is None and (after is None or after.label is not None or after.line.number > own.last + 1
                                       or own.heading or own.body.isupper())
        if (above and alone and above.label and units.get(above.label.unit) == 0.0
            and not above.line.body[above.label.end :].strip()
            and (len(own.body) <= 60 and not document.ENDED.search(own.text.rstrip()))):
            line = document.join(above.line, replace(own, text=own.body), frozenset())
            kept[-1] = Row(line, replace(above.label, end=len(line.body) - len(own.body)))
        else:
            kept.append(row)
    return kept


def _unmarked(rows: Sequence[Row]) -> None:
    """In a draft without any number or heading: short lines behind an empty one, with text below, are its headings, if there are several."""
    if any(row.label is not None or row.line.heading for row in rows):
        return
    titles = [
        row for before, row, after in zip([None, *rows], rows, rows[1:], strict=False)
        if (before is None or before.line.last < row.line.number - 1)
        and len(text := row.line.text.strip()) <= 30 and len(text.split()) <= 6
        and not row.line.bullet and not document.ENDED.search(text) and not text[0].islower() and text[-1].isalnum()
        and len(after.line.text.strip()) > len(text)
    ]
    if len(titles) > 1:
        for row in titles:
            row.line = replace(row.line, heading=1)


_CAPTION = re.compile(r"[\s\u3000]*[（(【［\[][^（()）\[\]［］【】]{1,40}[)）】］\]][\s\u3000]*")


def _captioned(rows: list[Row]) -> None:
    """Of a book whose articles mostly have a title in brackets in the line above: the titles, put where other books have them."""
    articles = [k for k, row in enumerate(rows)
                if row.label is not None and row.label.style is Style.CHAPTER and row.label.unit == "条"]
    titled = [k for k in articles if k and rows[k - 1].label is None and not rows[k - 1].line.heading
              and _CAPTION.fullmatch(rows[k - 1].line.text)]
    if len(titled) < 2 or 2 * len(titled) <= len(articles):
        return
    for k in titled:
        rows[k].caption = rows[k - 1].line
    for k in reversed(titled):
        del rows[k - 1]


def _lettered(rows: Sequence[Row]) -> None:
    """`(i)` behind `(h)` is a letter, unless `(ii)` follows."""
    last = 0
    items = [
        row for row in rows
        if row.label is not None and (row.label.style in (Style.LETTER, Style.ROMAN) or row.label.style not in ITEMS)
    ]
    for row, after in zip(items, [*items[1:], None], strict=False):
        label, next_ = row.label, after and after.label
        if label is None or label.style not in ITEMS:
            last = 0
        elif label.style is Style.LETTER:
            last = label.parts[0]
        elif label.written.strip("()") == chr(97 + last) and label.written.endswith(")") and not (
            next_ and next_.style is Style.ROMAN and next_.parts[0] == label.parts[0] + 1
        ):
            last += 1
            row.label = replace(label, style=Style.LETTER, parts=(last,))


def _within_sentences(rows: Sequence[Row]) -> None:
    """`… is reduced by / 1. Whoever …`: behind a line that goes on, a number that is not counted up to, and from which nothing
    is counted on, is part of the sentence; so is what closes a bracket of the line before (`see (Appendix / N) and …`)."""
    items: dict[Style, int] = {}
    for before, row in pairwise(rows):
        text, label = before.line.text, row.label
        if label is None:
            continue
        closes = re.fullmatch(r"\w+\)", label.written) and text.count("(") > text.count(")")
        if closes and label.parts[0] not in (1, items.get(label.style, 0) + 1):
            row.label = None
        else:
            items[label.style] = label.parts[-1]
    singles = [k for k, row in enumerate(rows) if row.label is not None and row.label.style is Style.SINGLE]
    numbers = [rows[k].label.parts[0] for k in singles]  # type: ignore[union-attr]
    last: dict[str, Label] = {}
    """The last number, of each word that numbers are counted with."""
    for before, row, after in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        label = row.label
        if label is None or not (label.worded or label.style is Style.DOTTED) or row.line.heading:
            continue
        own = label.unit if label.worded else ""
        text = before.line.text.rstrip() if before is not None and before.line.last == row.line.number - 1 else ""
        goes_on = bool(text) and not document.ENDED.search(text)
        first = re.match(r"\W*(\w?)", row.line.body[label.end :])[1]  # type: ignore[index]
        counted = (document.follows(label, last[own]) if own in last else not own) or (own and label.parts == (1,))
        again = (after is not None and after.label is not None
                 and (after.label.style, after.label.parts) == (label.style, label.parts))
        if ((not counted and not first and not own and not label.stopped)
            or (goes_on and not counted and (not first or first.islower())) or (goes_on and not first and again)
            or (own and len(text) >= 60 and _GOES_ON.search(text))):
            row.label = None
        else:
            last[own] = label
    for at, k in enumerate(singles):
        before, own = rows[k - 1].line if k else None, rows[k].line
        counted = numbers[at] - 1 in numbers[max(at - 1, 0) : at] or numbers[at] + 1 in numbers[at + 1 : at + 2]
        if (before is not None and not counted and before.last == own.number - 1
            and _GOES_ON.search(before.text.rstrip())):
            rows[k].label = None


def _values(rows: Sequence[Row]) -> None:
    """A line that is nothing but a number which does not count on is a value of a table."""
    lists = any(row.line.item is not None for row in rows)
    singles = [row for row in rows if row.label is not None and row.label.style is Style.SINGLE]
    for before, row, after in zip([None, *singles], singles, [*singles[1:], None], strict=False):
        own = row.label.parts[0] if row.label is not None else 0
        goes_on = before is not None and before.label is not None and before.label.parts[0] == own - 1
        begins = after is not None and after.label is not None and after.label.parts[0] == own + 1
        counted = goes_on or (begins and (not lists or row.line.item is not None or row.line.heading))
        if row.label is not None and not row.line.body[row.label.end :].strip() and not counted:
            row.label = None


def _apart(rows: Sequence[Row]) -> tuple[list[Row], list[Line]]:
    """The rows without change logs, those of a glossary without numbers; and the lines of change logs."""
    parts = document.parts([(row.line, row.label) for row in rows])
    kept: list[Row] = []
    for index, row in enumerate(rows):
        part, _ = parts.get(index, (None, 0))
        begins = parts.get(index + 1, (None, -1)) == (document.Part.GLOSSARY, index) and row.label is None
        if part is document.Part.GLOSSARY or begins:
            item = row.label if row.label is not None and row.label.style in ITEMS else None
            kept.append(Row(row.line, item, glossary=True))
        elif part is None:
            kept.append(row)
    return kept, [row.line for k, row in enumerate(rows) if parts.get(k, (None, 0))[0] is document.Part.CHANGES]


# ---------------------------------------------------------------- what is a clause
def _traits(rows: Sequence[Row], units: dict[str, float]) -> Traits:
    families: Counter[int] = Counter()
    plains: set[int] = set()
    lettered: set[int] = set()
    dashes: set[tuple[int, ...]] = set()
    chapters = numbered = mixed = anew = 0
    seen: dict[tuple[int, ...], Label | None] = {}
    word: Label | None = None
    for row in rows:
        label = row.label
        if label is None:
            continue
        match label.style:
            case Style.DOTTED:
                anew += seen.setdefault(label.parts, word) is not word
                families[label.parts[0]] += 1
                numbered += 1
                if label.lettered and len(label.parts) == 2 and label.parts[1] == 1:
                    lettered.add(label.parts[0])
            case Style.CHAPTER:
                word = label if label.worded else word
                chapters += label.written.endswith(("章", "部", "編"))
                numbered += 1
            case Style.DASHED:
                dashes.add(label.parts)
            case Style.MIXED:
                mixed += 1
            case Style.PLAIN:
                plains.add(label.parts[0])
            case Style.SINGLE if _of_three(label):
                plains.add(label.parts[0])
            case Style.SECTION:
                numbered += 1
            case _:
                pass
    plain = len(plains & set(families)) >= 2
    bare = [_begins(row) for row in rows if row.label and row.label.style is Style.DOTTED and not row.label.stopped]
    large = (len(bare) >= 10 and 10 * sum(one.islower() for one in bare) <= len(bare)
             and sum(one.isupper() for one in bare) * 2 > len(bare))
    dashed = frozenset(parts[:-1] for parts in dashes if parts[-1] <= 1 or (*parts[:-1], parts[-1] - 1) in dashes)
    counted = sum(parts[:-1] in dashed for parts in dashes)
    return Traits(chapters > 1, families, dashed if counted > 1 else frozenset(), plain, numbered + counted + mixed,
                  mixed, frozenset(lettered), large, anew > 1, units)


def _begins(row: Row) -> str:
    """The first letter of what stands behind the number."""
    return row.line.body[row.label.end : row.label.end + 1] if row.label else ""


def _of_three(label: Label) -> bool:
    """`301.`, `000.`: not the number of an item."""
    return len(re.match(r"[0-9０-９]*", label.written)[0]) >= 3  # type: ignore[index]


def _decide(row: Row, traits: Traits) -> Label | None:
    label = row.label
    if label is None:
        return None
    text = row.line.body[label.end :]
    match label.style:
        case Style.PLAIN:
            return label if traits.plain and not row.line.bullet else None
        case Style.DOTTED if traits.large and not label.stopped and _begins(row).islower() and not row.line.heading:
            return None  # `2.2 is referred to by 3.1`
        case Style.DASHED:
            return label if label.parts[:-1] in traits.dashed or row.line.heading else None
        case Style.MIXED:
            return label if traits.mixed >= 5 else None
        case Style.DOTTED if label.lettered and len(label.parts) == 2:
            return label if traits.plain and label.parts[0] in traits.lettered else None
        case Style.SINGLE if traits.plain and _of_three(label):
            return replace(label, style=Style.PLAIN)
        case Style.CHAPTER if len(_CHAPTERS.findall(text)) >= 2:
            return None  # the chapters, in one line
        case Style.CHAPTER | Style.SECTION:
            return label if len(text) < 60 or not label.written.endswith(("章", "部", "編")) else None
        case Style.PAREN | Style.LETTER if not text.strip():
            return None
        case _:
            return label


@dataclass
class _Ahead:
    """What comes after a row: does its own number before the next chapter, the next label, the next with a number like its own?"""

    family: bool
    label: Label | None
    numbered: Label | None


def _ahead(rows: Sequence[Row]) -> dict[int, _Ahead]:
    """What comes after each row with a single number; looked at from the end backwards."""
    found: dict[int, _Ahead] = {}
    families: set[int] = set()
    next_: Label | None = None
    numbered: Label | None = None
    for index in range(len(rows) - 1, -1, -1):
        label = rows[index].label
        if label is None:
            continue
        if label.style is Style.SINGLE:
            found[index] = _Ahead(label.parts[0] in families, next_, numbered)
        elif label.style in (Style.CHAPTER, Style.SECTION, Style.APPENDIX):
            families.clear()
        elif label.style in (Style.DOTTED, Style.DASHED):
            families.add(label.parts[0])
        next_ = label
        if label.style in (Style.DOTTED, Style.SINGLE):
            numbered = label
    return found


def _settle_plains(rows: Sequence[Row]) -> None:
    """`3 Cards` is a section where `3.1` follows, or after section 2; else it counts cards."""
    family: int | None = None
    followed: set[int] = set()
    """The rows behind which the first dotted number is one of theirs."""
    for index in range(len(rows) - 1, -1, -1):
        label = rows[index].label
        if label is not None and label.style is Style.DOTTED:
            family = label.parts[0]
        elif label is not None and label.style is Style.PLAIN and label.parts[0] == family:
            followed.add(index)
    last = 0
    below = min(
        (r.line.heading for r in rows
         if r.line.heading and r.label is not None and r.label.style is Style.DOTTED and len(r.label.parts) > 1),
        default=9,
    )
    for index, row in enumerate(rows):
        label = row.label
        if label is None or label.style is not Style.PLAIN or _of_three(label) or 0 < row.line.heading <= below:
            continue
        if index in followed or 1 < label.parts[0] == last + 1:
            last = label.parts[0]
        else:
            row.label = None


def _settle_singles(rows: Sequence[Row], traits: Traits, listed: Container[tuple[tuple[int, ...], str]]) -> None:
    """`1.` is a section or an item: sections become dotted labels with one part. What the contents list is a section."""
    ahead = _ahead(rows)
    last_top: set[int] = set()
    before: Label | None = None
    """The last dotted label."""
    counted = 0
    """The last number that was an item's."""
    headings = {row.label.style for row in rows if row.line.heading and row.label is not None}
    clauses = [row.line.heading for row in rows
               if row.line.heading and row.label is not None and row.label.style is Style.DOTTED]
    deep = min(clauses, default=9)
    for index, row in enumerate(rows):
        label = row.label
        if label is None:
            continue
        if label.style is Style.DOTTED:
            before = label
        if label.style in (Style.DOTTED, Style.DASHED) and not traits.chapters:
            last_top.add(label.parts[0])
        if label.style is not Style.SINGLE or row.glossary:
            continue
        number = label.parts[0]
        text = row.line.body[label.end :].strip()
        short = bool(text) and len(text) <= 40 and "。" not in text and not row.line.bullet
        after = ahead[index]
        in_line = re.search(rf"[.;] {number + 1}\. ", text) is not None
        if in_line or row.line.heading > deep:
            continue  # a list in one line; a step within a clause
        if row.line.item is not None and (headings & {Style.SINGLE, Style.DOTTED} or (headings and not after.family)):
            continue  # sections are headings here, and this is a list
        if traits.plain:
            section = (
                short and after.label is not None and after.label.style is Style.PLAIN and _of_three(after.label)
            )
        elif traits.chapters:
            section = short and (not row.line.indent or bool(row.line.heading))
        else:
            section = after.family and number not in last_top and (short or bool(row.line.heading))
            section = section or (bool(row.line.heading) and bool(traits.families))
            section = section or (short and not row.line.indent and _between(before, number, after.numbered, traits))
            section = section or (short and (label.parts, _title(row)) in listed)
            next_section = before is not None and number == before.parts[0] + 1 and counted != number - 1
            section = section or (short and not row.line.indent and bool(traits.families) and next_section)
        counted = 0 if section else number
        if section:
            row.label = before = replace(label, style=Style.DOTTED)


def _between(before: Label | None, number: int, after: Label | None, traits: Traits) -> bool:
    """Is `n.` between the families n-1 and n+1? Then it is a section that has no clauses of its own."""
    return bool(before and before.parts[0] == number - 1 and traits.families[number - 1]
                and (after is None or after.parts[0] == number + 1))


# ---------------------------------------------------------------- the table of contents
def _contents_span(rows: Sequence[Row], units: dict[str, float]) -> tuple[int, int]:
    """Which rows are the table of contents: from its heading to the row that begins the first entry again."""
    begin = next((i for i, row in enumerate(rows) if _is_contents_heading(row)), None)
    formed = document.entries([(row.line, row.label) for row in rows])
    if formed[1] and (begin is None or begin < formed[0] <= begin + document.BETWEEN + 1):
        return formed[0] if begin is None else begin, formed[1]
    if begin is None:
        return 0, 0
    seen: dict[str, str] = {}
    """Titles of the entries, by chapter and number."""
    titles: set[str] = set()
    above: list[Label] = []
    for index in range(begin + 1, len(rows)):
        row = rows[index]
        label = row.label
        text = row.line.body[label.end if label else 0 :]
        if label is None and (len(text) > 60 or "。" in text):
            break
        if label is None:
            continue
        if label.style in (Style.CHAPTER, Style.SECTION):
            above = [*(one for one in above if label.worded and level_of(one, units) < level_of(label, units)), label]
        key = " ".join(one.name.rstrip(".") for one in (*above, label))
        title = _title(row)
        if key in seen and (_alike(title, seen[key]) or _is_followed_by_text(rows, index)):
            # A heading without a number that introduces the body belongs to the body.
            return begin, index
        if key not in seen and len(seen) >= 3 and title in titles and _is_followed_by_text(rows, index):
            # Its chapter is not listed: the body begins with the chapter.
            chapter = rows[index - 1].label
            return begin, index - (chapter is not None and chapter.style in (Style.CHAPTER, Style.SECTION))
        if len(text) > 60 or "。" in text:
            break
        titles.add(seen.setdefault(key, title))
    return begin, begin


def _title(row: Row) -> str:
    return re.sub(r"\s", "", _PAGE.sub("", row.line.body[row.label.end if row.label else 0 :]))


def _alike(one: str, other: str) -> bool:
    """Are two titles one title, perhaps with a word changed?"""
    return one == other or difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.5


def _is_followed_by_text(rows: Sequence[Row], index: int) -> bool:
    """Is there running text in one of the next two lines? Within a table of contents there is none."""
    return any("。" in row.line.body for row in rows[index + 1 : index + 3])


def _is_contents_heading(row: Row) -> bool:
    text = row.line.body[row.label.end if row.label else 0 :]
    return CONTENTS.match(text) is not None and len(text.strip()) <= 24


def _contents(rows: Sequence[Row], traits: Traits) -> Contents:
    entries: list[Clause] = []
    others: list[Clause] = []
    chapters: list[Clause] = []
    for row in rows[1:] if _is_contents_heading(rows[0]) else rows:
        label = row.label
        if row.line.linked and (label is None or label.style in (Style.LETTER, Style.ROMAN)):
            title = row.line.body[label.end if label else 0 :].strip().strip("*").strip()
            others.append(Clause(label, *row.line.at(row.line.start), title))
        if label is None:
            continue
        if label.style is Style.SINGLE:
            label = replace(label, style=Style.DOTTED)
        title = _PAGE.sub("", row.line.body[label.end :]).strip().removesuffix("**")
        title = (title if row.line.linked or _PAGE.search(row.line.body)
                 else re.sub(r"(?<=[^\d\s.])[\s*]+\d{1,3}[\s*]*$|\**$", "", title))
        clause = Clause(label, row.line.number, row.line.start + 1, title)
        if label.style is Style.CHAPTER:
            around = [
                one for one in chapters
                if one.label and label.worded and level_of(one.label, traits.units) < level_of(label, traits.units)
            ]
            clause.parent, chapters = around[-1] if around else None, [*around, clause]
        else:
            clause.parent = chapters[-1] if chapters else None
        clause.chapter = next(
            (c for c in reversed(chapters) if c is clause or traits.anew or not (c.label and c.label.worded)), None
        )
        entries.append(clause)
    return Contents(entries, rows[0].line.number, rows[-1].line.number, others)
