"""A draft cut into registered clauses: each piece of text with the id under which the register knows it.

The linter says what is a clause. The register of a book decides how finely it is cut: whether the items of lists,
bullets and paragraphs are clauses of their own (`Cut`). What is not a clause of its own belongs to the clause before it.

Ids are the numbers as printed: `7.5.3`, `306.5m`; `第5章5.4` where numbers begin again in every chapter; `追加9-4` in a
second book of the same draft; `9-4.i`, `5.1(2)`, `4-1.5-1` for items; `戦闘・2` for a bullet, `戦闘第2段落` for a
paragraph, `10-5「風神ゲージ」` for a heading without a number. What is printed twice is `…の2` the second time (`第3条~2`, since
`第3条の2` is a number of its own). What stands outside of all clauses is `前文` and `後文`."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from ...spec.diagnostics import INVISIBLE
from ...spec.scalars import half_width
from ..lint.citations import Citation, chapters, register_of
from ..lint.document import ENDED
from ..lint.model import UNITS, Clause, Draft, Style
from ..lint.numbering import FULL, candidates
from .card_tables import is_only_cards

BULLET, PARAGRAPH, OUTSIDE = "bullet", "paragraph", "outside"
BEFORE, BEHIND = "前文", "後文"
"""The ids of what stands before the first clause, the title of the draft too, and behind the last."""
Cut = frozenset[str]
"""Which sorts of text are clauses of their own: values of `Style`, `bullet`, `paragraph`, `outside`."""
ALWAYS: Cut = frozenset(s.value for s in (
    Style.CHAPTER, Style.SECTION, Style.DOTTED, Style.DASHED, Style.PLAIN, Style.APPENDIX, Style.MIXED,
))
"""Numbers that can be referred to from everywhere are clauses in every book."""
ITEMS: Cut = frozenset(s.value for s in (Style.SINGLE, Style.PAREN, Style.CIRCLED, Style.ROMAN, Style.LETTER))
FEW = 4
"""A draft with fewer numbers than this is divided by its headings."""
_UNUSABLE = re.compile(r"[\s#,、，:：\[\]{}\"'*`]+")
_MADE = re.compile(
    r"^.*「[^「」]*(?:」|$)|^(?![IVXL]+\b)[^\d§第]{2,}?(?=[.(・]|第\d+段落|$)|第\d+段落|・\d+|~\d+|(?<![章部編節条項号])の\d+")
"""What of an id stands in no book: titles, the place of a paragraph or bullet, which of several with one number it is."""
_BREAK = re.compile(r"(?:[-*_][ \t]*){3,}")
_FIGURES = r"[\d〇一二三四五六七八九十元]"
_DATED = (
    rf"(?:(?:平成|令和|昭和|大正|西暦)?\s*(?:{_FIGURES}{{1,4}}\s*年\s*){{1,2}}{_FIGURES}{{1,3}}\s*月"
    rf"(?:\s*{_FIGURES}{{1,3}}\s*日)?|[12]\d{{3}}[-/.]\d{{1,2}}[-/.]\d{{1,2}})"
)
_CLOSES = re.compile(
    rf"[\W_]*(?:以\s*上[\W_]*|[^\d\s。、]{{0,8}}[\W_]*{_DATED}[^。、]{{0,32}}|(?:Last |First )?(?i:adopted|approved|amended"
    r"|revised|ratified|updated|modified|effective|enacted|signed|dated|revision|version|copyright|©)\b[^.;]{0,60}\d{4}\b.{0,40})"
)
"""A line that is nothing but when the book was made or changed, or that it ends."""
_TITLED = re.compile(r"(?P<base>.*)「(?P<title>[^「」]+)」(?:・.*)?(?:の\d+)?")


@dataclass
class Piece:
    """A clause of a draft: its id, where it begins, and its text in parts: (clause of the linter, from, to).
    `within` is the id of the clause that it is a part of."""

    id: str
    line: int
    column: int
    sort: str
    parts: list[tuple[Clause, int, int]] = field(default_factory=list[tuple[Clause, int, int]])
    within: str = ""
    heading: bool = False

    @cached_property
    def text(self) -> str:
        """The words of the clause, without its number; asked for when all its parts are there."""
        return "\n".join(words for c, a, b in self.parts if (words := c.text[a:b].strip()))


def cut_of(ids: Iterable[str], draft: Draft) -> Cut:
    """How finely the draft must be cut to give clauses with these ids."""
    known, all_ = set(ids), ALWAYS | ITEMS | {Style.HEADING.value, BULLET, PARAGRAPH, OUTSIDE}
    everything = cut(draft, all_, known, given=unusual(draft, all_, known))
    return ALWAYS | {piece.sort for piece in everything if piece.id in known}


def unusual(draft: Draft, how: Cut, ids: Collection[str], merged: Collection[str] = ()) -> set[str]:
    """Those of the ids that no clause would have if nobody had given it."""
    return set(ids).difference(p.id for p in cut(draft, how, merged=merged))


def usual_cut(draft: Draft) -> Cut:
    """How finely a draft is cut for a new register: its numbers and lists; where it is divided by headings, bullets and
    paragraphs too, because nothing smaller could be referred to otherwise."""
    fine = ALWAYS | ITEMS | {Style.HEADING.value, OUTSIDE}
    return fine | {BULLET, PARAGRAPH} if len(draft.numbered) < FEW else fine


def cut(
    draft: Draft, how: Cut, known: Collection[str] = (), merged: Collection[str] = (), given: Collection[str] = ()
) -> list[Piece]:
    """The draft's clauses in order. `known` are the ids of the register, `given` those of them that it gave to clauses that would be called
    otherwise; what would get one of the ids in `merged` is no clause of its own."""
    return _Cutter(draft, how, frozenset(known), frozenset(given), frozenset(merged)).pieces()


def printed(name: str) -> str:
    """What of an id is printed in the book: the number."""
    return _MADE.sub("", name)


@dataclass(frozen=True)
class _Block:
    """Lines of a clause that belong together: the first, a bullet, a paragraph, or what follows a known title."""

    sort: str
    begin: int
    end: int
    title: str = ""


class _Cutter:
    def __init__(
        self, draft: Draft, how: Cut, known: frozenset[str], given: frozenset[str], merged: frozenset[str]
    ) -> None:
        self.draft = draft
        self.how = how
        self.known = known
        self.given = given
        self.merged = merged
        self.titles: dict[str, set[str]] = {}
        for one in known:
            if match := _TITLED.fullmatch(one):
                self.titles.setdefault(match["base"], set()).add(match["title"])
        self.found: list[Piece] = []
        self.seen: Counter[str] = Counter()
        self.ids: dict[Clause, str] = {}
        self.bullets: Counter[str] = Counter()
        self.paragraphs: Counter[str] = Counter()
        self.open: Piece | None = None
        self.above: list[tuple[int, str]] = []
        self.heading = ""

    def pieces(self) -> list[Piece]:
        self._contents()
        for clause in self.draft.clauses:
            self._clause(clause)
        return sorted(self.found, key=lambda p: (p.line, p.column))

    # ------------------------------------------------------------ clauses
    def _clause(self, clause: Clause) -> None:
        sort = clause.style.value
        if clause is self.draft.clauses[0] and self._is_outside(clause):
            if OUTSIDE in self.how:
                self._new(BEFORE, clause, OUTSIDE, "", clause.line, clause.column)
                self._merge(clause)
        elif not clause.title and clause.label is None:
            self._merge(clause)
        elif self._is_no_clause(clause) and not {*map(usable_id, self._names(clause))} & self.known:
            self.open = None
        elif sort in self.how and (chosen := self._chosen(list(self._names(clause)))):
            within = self.ids.get(clause.parent, "") if clause.parent else ""
            self._new(chosen, clause, sort, within, clause.line, clause.column)
            self.ids[clause] = self.found[-1].id
            if clause.label is None and (self.ids[clause] in self.titles or not self.heading):
                self.heading = self.ids[clause]
            self._blocks(clause)
        else:
            self.ids[clause] = self.ids.get(clause.parent, "") if clause.parent else ""
            self._merge(clause)

    def _is_outside(self, clause: Clause) -> bool:
        """Of the first: is it no clause, but text in front of all, or the title of the whole draft?"""
        if clause.label is not None or usable_id(clause.title) in self.known:
            return False
        others = self.draft.clauses[1:]
        return not clause.title or (
            bool(clause.heading)
            and len(self.draft.numbered) >= FEW
            and clause.text.strip() == clause.title.strip()
            and all(not c.heading or c.heading > clause.heading for c in others)
            and any(c.heading and c.label is not None for c in others)
        )

    def _is_no_clause(self, clause: Clause) -> bool:
        """Among numbered clauses: is it a table of cards under a heading without a number?"""
        return (
            clause.label is None
            and bool(clause.heading)
            and len(self.draft.numbered) >= FEW
            and is_only_cards(clause.text)
        )

    def _new(self, name: str, clause: Clause, sort: str, within: str, line: int, column: int) -> Piece:
        self.seen[name] += 1
        name = self._once_more(name, self.seen[name])
        self.open = Piece(name, line, column, sort, within=within, heading=clause.headlike and sort not in (
            BULLET, PARAGRAPH))
        self.found.append(self.open)
        return self.open

    @staticmethod
    def _once_more(name: str, count: int) -> str:
        return name if count == 1 else f"{name}{'~' if name.endswith(tuple('章部編節条項号')) else 'の'}{count}"

    def _merge(self, clause: Clause) -> None:
        if self.open is not None:
            self.open.parts.append((clause, 0, len(clause.text)))

    def _chosen(self, names: Sequence[str]) -> str:
        """The likeliest, if the register knows it and it has not been met yet; else one that the register has given it; else the likeliest,
        or nothing where that is no clause of its own."""
        usable = list(dict.fromkeys(usable_id(name) for name in names))
        name, count = usable[0], self.seen[usable[0]]
        if name in self.known and not count:
            return name
        if other := next((n for n in usable[1:] if n in self.given and not self.seen[n]), None):
            return other
        if self._once_more(name, count + 1) in self.merged:
            self.seen[name] += 1
            return ""
        return name

    def _names(self, clause: Clause) -> Iterator[str]:
        """What the clause can be called, the likeliest first."""
        label, parent = clause.label, clause.parent
        base = self.ids.get(parent, "") if parent else ""
        if label is None:
            while self.above and self.above[-1][0] >= clause.heading:
                self.above.pop()
            title = clause.title.strip("「」")
            owner = self.above[-1][1] if self.above else ""
            self.above.append((clause.heading, clause.title))
            if len(self.draft.numbered) < FEW:
                yield clause.title
            if base:
                yield f"{base}「{title}」"
            for above in (owner, self.heading):
                if above:
                    yield f"{usable_id(above)}「{title}」"
            yield clause.title
        elif clause.is_item:
            if len(label.parts) == 2 and parent is not None and parent.is_item and parent.style is label.style:
                base = self.ids.get(parent.parent, "") if parent.parent else ""
            mark = mark_of(unicodedata.normalize("NFKC", label.written).strip(), label.style)
            yield base + mark
            for above in clause.ancestors():
                if above in self.ids:
                    yield self.ids[above] + mark
        else:
            self.above = []
            name = label.name if clause.style is not Style.CHAPTER else unicodedata.normalize("NFKC", label.name)
            name = re.split(r"[. ]+", name)[-1] if label.worded else name
            if outer := clause.outer:
                mark = "." if outer.label and outer.label.worded else ""
                name = f"{self.ids.get(outer) or outer.name}{mark}{name}"
            if clause.book:
                title = self.draft.books[clause.book].title
                yield (re.sub(r"(?:ルール|規則|[Rr]ules?)$", "", title) or f"{clause.book + 1}/") + name
            yield name

    # ------------------------------------------------------------ what is smaller than a clause
    def _blocks(self, clause: Clause) -> None:
        assert self.open is not None
        owner = self.open
        section = next(
            (self.ids[c] for c in (clause, *clause.ancestors()) if not c.is_item and c in self.ids), owner.id
        )
        blocks = list(self._cut_blocks(clause, self.titles.get(section, set())))
        paragraphs = [b for b in blocks if b.sort == PARAGRAPH]
        base, target = owner.id, owner
        for block in blocks:
            if block.title:
                base = f"{section}「{block.title}」"
                target = self._part(clause, block, base, Style.HEADING.value, section)
                continue
            name = BEHIND if block.sort == OUTSIDE else ""
            if block.sort == BULLET and BULLET in self.how:
                self.bullets[base] += 1
                name = usable_id(f"{base}・{self.bullets[base]}")
            elif block.sort == PARAGRAPH and PARAGRAPH in self.how and len(paragraphs) > 1 and not clause.is_item:
                self.paragraphs[base] += 1
                name = usable_id(f"{base}第{self.paragraphs[base]}段落")
            if name and name not in self.merged:
                target = self._part(clause, block, name, block.sort, base)
            else:
                target.parts.append((clause, block.begin, block.end))
        self.open = target

    def _part(self, clause: Clause, block: _Block, name: str, sort: str, within: str) -> Piece:
        line, column = clause.passage.at(block.begin)
        piece = self._new(usable_id(name), clause, sort, within, line, column)
        piece.parts.append((clause, block.begin, block.end))
        return piece

    def _cut_blocks(self, clause: Clause, titles: set[str]) -> Iterator[_Block]:
        """The first line (with a heading nothing more), then bullets, paragraphs, and what known titles begin."""
        text, starts = clause.text, sorted({*clause.blocks}) or [0]
        bullets = set(clause.bullets)
        sort, begin, title, before = "first", 0, "", clause.line
        last = OUTSIDE in self.how and clause is self.draft.clauses[-1]
        for start, end in pairwise([*starts, len(text)]):
            line = clause.passage.at(start)[0]
            shown = _plain(text[start:end])
            known = next((t for t in titles if _plain(t) == shown), "") if titles and start else ""
            new = ""
            if sort == OUTSIDE:
                continue
            if (
                start
                and last
                and (_BREAK.fullmatch(text[start:end].strip()) or self._ends(clause, start, text[start:end].strip()))
            ):
                new = OUTSIDE
            elif start and known:
                new = "title"
            elif start in bullets:
                new = BULLET if start or clause.label is not None else ""
            elif start and sort != "title" and ((sort == "first" and clause.heading) or line > before + 1):
                new = PARAGRAPH
            if new:
                yield _Block(sort, begin, start, title)
                sort, begin, title = new, start, known
            before = line
        yield _Block(sort, begin, len(text), title)

    @staticmethod
    def _ends(clause: Clause, start: int, line: str) -> bool:
        """Of the last clause: does a line behind it say when the book was made; or stand apart, and is no sentence?"""
        if clause.label is None or (clause.headlike and start == next(at for at in clause.blocks if at)):
            return False  # it is all that the clause says
        apart = clause.passage.at(start)[0] > clause.passage.at(start - 1)[0] + 1
        return bool(_CLOSES.fullmatch(line)) or (
            apart and not ENDED.search(line) and start not in clause.bullets and not line.startswith("|")
        )

    def _contents(self) -> None:
        """The heading of the table of contents, where it has a number."""
        contents = self.draft.contents
        line = next((n for n in self.draft.lines if contents and n.number == contents.first), None)
        label = next(iter(candidates(line)), None) if line else None
        if line is None or label is None or label.style is not Style.CHAPTER:
            return
        clause = Clause(label, line.number, line.start + 1, line.body[label.end :].strip())
        clause.passage.add(clause.title, line.number, line.start + label.end + 1)
        piece = self._new(usable_id(label.name), clause, Style.CHAPTER.value, "", line.number, line.start + 1)
        piece.parts.append((clause, 0, len(clause.text)))
        self.open = None


def mark_of(written: str, style: Style) -> str:
    """How an item is marked in an id: `(2)` stays, `2)`, `2.`, `ii:` become `.2`, `.ii`; `②` stays."""
    if style is Style.CIRCLED or (written.startswith("(") and written.endswith(")")):
        return written
    return "." + written.strip("().:： ")


def usable_id(name: str) -> str:
    """A name without what an id cannot contain, in half width as ids are written."""
    return _UNUSABLE.sub("", half_width(INVISIBLE.sub("", name)))[:80] or "?"


def _plain(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text)).strip("「」")


# ---------------------------------------------------------------- what the pieces refer to
_DOTTED = re.compile(r"(?<![A-Za-z0-9_.\-/])(?P<n>\d{1,3}(?:\.\d{1,3})+)\.?(?P<letter>[a-z](?![A-Za-z0-9]))?(?![\d/]|\.\d|[%％])")
_DASHED = re.compile(r"(?<![A-Za-z0-9_.\-/])(?P<n>\d{1,3}(?:-\d{1,3})+)(?P<letter>[a-z](?![A-Za-z0-9]))?(?![\d\-/A-Za-z])")


_UNITS = frozenset({*UNITS.values(), *"章節条"})


def numbers_in(draft: Draft) -> Iterator[Citation]:
    """Everything in the text that looks like the number of a clause. What it is does not depend on which clauses there
    are: else a clause would seem reworded when another one goes."""
    forms = [(style, form) for style, form in ((Style.DOTTED, _DOTTED), (Style.DASHED, _DASHED))
             if draft.styles.get(style, 0) > 1]
    for clause in draft.clauses:
        text = clause.text.translate(FULL).replace("\n", " ")  # `Article` may stand at the end of a line
        for style, form in forms:
            for m in form.finditer(text):
                parts = tuple(map(int, re.split(r"[.\-]", m["n"])))
                parts = (*parts, ord(m["letter"]) - 96) if m["letter"] else parts
                yield Citation(clause, m.start(), clause.text[m.start() : m.end()].rstrip("."), style, parts,
                               bool(m["letter"]), True)
        yield from chapters(clause, text, _UNITS)
    yield from register_of(draft).by_word


def references(draft: Draft, pieces: Sequence[Piece]) -> dict[str, list[tuple[Citation, str]]]:
    """For each piece that names clauses: each number, and the id of the piece that it means (empty: of none)."""
    register = register_of(draft)
    by_clause: dict[Clause, list[tuple[int, int, str]]] = {}
    first: dict[Clause, str] = {}
    for piece in pieces:
        for clause, begin, end in piece.parts:
            by_clause.setdefault(clause, []).append((begin, end, piece.id))
            first.setdefault(clause, piece.id)
    found: dict[str, list[tuple[Citation, str]]] = {}
    for citation in numbers_in(draft):
        parts = by_clause.get(citation.clause, [])
        behind = bisect_left(parts, (citation.offset,))
        at = next(
            (p for a, b, p in parts[max(behind - 1, 0) : behind + 1] if a <= citation.offset < max(b, a + 1)), None
        )
        if at is None:
            continue
        target = next((first[c] for c in (() if citation.of_another else register.targets(citation)) if c in first), "")
        found.setdefault(at, []).append((citation, target))
    for several in found.values():
        several.sort(key=lambda one: one[0].offset)
    return found
