"""References in the text of a draft: `10.5.3.1`, `306.5nまで`, `コアルール 9-4-1`, `§9`, `第3章`, `3.へと進む`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .model import UNITS, Book, Clause, Draft, Label, Style
from .numbering import FULL, ROMANS, turns, whole

_DOTTED = re.compile(
    r"(?<![A-Za-z0-9_.\-/・§$])(?<!第)(?P<n>\d{1,3}(?:\.\d{1,3}){1,19})(?:\.?(?P<letter>[a-z](?![A-Za-z0-9])))?(?![\d/]|\.\d|-[\dA-Za-z]|[%％])"
)
_DASHED = re.compile(
    r"(?<![A-Za-z0-9\-/.+~−$])(?P<n>\d{1,3}(?:-\d{1,3}){1,19})(?P<letter>[a-z](?![A-Za-z0-9]))?(?![\d\-/A-Za-z])"
)
_SECTION = re.compile(r"§[ ]?(?P<n>\d{1,3})(?![\d.\-])")
_CHAPTER = re.compile(r"(?<![『「])第(?P<n>\d{1,3}|[一二三四五六七八九十]{1,4})(?P<unit>章|節|条)(?:の(?P<sub>\d{1,2}))?(?!』)")
_WORDED = re.compile(
    r"\b(?P<unit>(?i:articles?|art\.|sections?|sect?\.|chapters?|parts?|rules?|by-?laws?))[ \u3000]+"
    r"(?P<n>\d{1,2}|[IVXL]{1,7}|[A-H])(?![\w%]|[.\-–—:/][\w]|,\d)"
)
"""`Article IV`, `section 2`; longer numbers are those of laws."""
BEFORE_IT = re.compile(rf"{_WORDED.pattern}[*_”\"']*,? (?:and |at )?$")
_BEHIND_IT = re.compile(r"(?:\([\w]{1,4}\))*[\d, ]{0,20}(?:(?:and|or|through|to|&) \d{1,2})?(?:\([\w]{1,4}\))*,?(?: (?:of|in|under) (?:(?P<own>this)\b|the |these |said |our )?| )")
"""Between `Section 2` and the article that it is of: `Sections 2 and 3 of Article IV`."""
_TOGETHER = re.compile(
    r"^[\s\u3000]*第(?P<a>\d{1,3}|[一二三四五六七八九十百]{1,5})条?(?:から|及び|[〜～~–ー-])第?(?P<b>\d{1,3}|[一二三四五六七八九十百]{1,5})条", re.MULTILINE
)
_PLAIN = re.compile(
    r"(?<![\w.\-/])(?P<n>\d{2,4})(?=(?:項)?(?:に(?:戻|進|従|示|定)|へ(?:進|戻)|で(?:規定|定|示)|を参照))"
)
_DIGIT = re.compile(r"\d")
_COUNTERS = re.compile(
    r"[ ]?(?:倍|枚|点|個|人|回|体|秒|cm|mm|度|版|円|歳|ポイント|時間|以上|以下|未満|km|kg|ver)(?![一-龠ァ-ヴ])",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?:ver|version|v|バージョン|版数?|第)[.．]?[ ]?$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:[Rr]ules?|[Ss]ections?|[Aa]rticles?|[Cc]lauses?|[Cc]hapters?) (?P<n>\d{1,4})(?![\d\w%-]|[.,]\d|\s?(?:and|or|of) \d|[–—])"
)
"""`rule 704`, not `rules 101–116`."""
_MIXED = re.compile(
    r"(?:[Rr]egulations?|[Rr]ules?|[Ss]ections?|[Aa]rticles?|[Cc]lauses?|規則|条項|項) ?"
    r"(?P<n>\d{1,3}[a-z](?:\d{1,2}(?:[a-z]\d{0,2})?)?|[A-Z]\d{1,2}(?:[a-z](?:\d{1,2}[a-z]?)?)?)(?![\w+])"
)
CUE_BEFORE = re.compile(
    r"(?:\b(?:[Rr]ules?|[Ss]ee|[Ss]ections?|[Cc]lauses?|[Aa]rticles?|[Pp]aragraphs?) |"
    r"ルール|規則|条|項|章|節|上記|前記|下記|前述|後述|以下)の?[ 　]?[「‘(（]?$"
)
CUE_AFTER = re.compile(
    r"[ 　]?[)）]?[ 　]?(?:の手順|の規定|に従|に示|に定|に記|に規|に戻|に進|へ進|へ戻|へと進"
    r"|[をも]?参照|で定|で規定|で示|で説明|によって参照|における|を実行|の処理)"
)
_STEP = re.compile(
    r"(?<![\w.\-(（])(?P<n>[ivx]{1,5}|\d{1,2}\.|[(（]\d{1,2}[)）]|\d{1,2}\)|[①-⑳])[ ]?(?=へと?(?:進|戻)|に(?:進|戻))"
)


_UNIT = r"第[\d一二三四五六七八九十百]{1,5}[章節条項号](?:の[\d一二三四五六七八九十]{1,3})?"
_OF_ANOTHER = re.compile(
    r"(?P<name>[一-龠ァ-ヴーA-Za-z]*)(?:法|令|条例|憲章|会則|規則|規程|規定|規約|細則|約款|定款|契約書?|要[項領綱])[`」』]?"
    rf"(?:[（(][^（()）]{{0,60}}[)）])?(?:の|、)?[`「]?(?:{_UNIT}|[、・，]|及び|および|又は|または|並びに|若しくは|から|ないし|乃至|同|[~〜～])*$"
)
"""In front of an article of another document: `労働基準法第89条`, `著作権法第27条及び`; not `本規約第3条`, `この規約第3条`."""
_CODE = re.compile(r"(?<![A-Za-z])(?:[A-Z]{2,6}|[A-Z]\.(?:[A-Z]\.)+) (?:§ ?)?$")
"""In front of a number of another body of rules: `RCW 64.38.035`."""
_OF_AN_ACT = re.compile(
    r"\b[A-Z][A-Za-z]+ (?:Act|Code|Law|Ordinance|Regulations?|Statutes?)\b[*_”\"'’]{0,3},?(?: (?:of )?(?:18|19|20)\d\d)?,? (?:[Ss]ections? |[Aa]rticles? |ss?\. ?|§+ ?)?$"
)
"""In front of a number of an act: `*University Act* Section 35.1`."""
_OF_A_PART = re.compile(
    r"\b(?:By-?law|Article|Chapter|Part|Schedule|Appendix) (?:\d{1,3}|[IVXLC]+|[A-Z])\b[^.;:()\n]{0,60}\b(?:[Ss]ections?|[Cc]lauses?|[Pp]aragraphs?) $")
"""In front of a number that counts within a part: `Bylaw 5, “Elections,” section 1.3`."""


NEAR = 200
"""Characters around a reference that may say what it is: with all of them, a long line would be read again for each."""


def before(text: str, offset: int) -> str:
    """What stands in front of a place, as far as it may say what is there."""
    return text[max(0, offset - NEAR) : offset]


@dataclass(frozen=True)
class Citation:
    """A reference: the clause it stands in, where, how it is written, what it names. `sure` says that it can be nothing
    else; `after` is the text behind it."""

    clause: Clause
    offset: int
    written: str
    style: Style
    parts: tuple[int, ...]
    lettered: bool
    sure: bool

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.offset + len(self.written)

    @property
    def name(self) -> str:
        """The number in its plain form."""
        label = Label(self.style, self.written, self.parts, 0, self.lettered)
        return label.key

    @property
    def unit(self) -> str:
        """The word that it is cited with, of `Section 2`; else none."""
        return (
            Label(self.style, self.written, self.parts, 0).unit
            if self.style is Style.CHAPTER and self.written[:1].isascii()
            else ""
        )

    @cached_property
    def of_another(self) -> bool:
        """Is it a number of a law, or of another document, that is named in front of it?"""
        if self.style is not Style.CHAPTER or self.unit:
            return bool(_CODE.search(self.before) or _OF_AN_ACT.search(self.before))
        match = _OF_ANOTHER.search(self.before)
        if match is None or match["name"] in ("本", "当"):
            return False
        return bool(match["name"]) or not self.before[: match.start()].endswith(("この", "本", "当"))

    @property
    def before(self) -> str:
        """The text just in front of it."""
        return before(self.clause.text, self.offset)

    @property
    def after(self) -> str:
        """The text just behind it."""
        return self.clause.text[self.end : self.end + NEAR]


class Register:
    """What can be referred to, and in which book and chapter; and what is."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.by_name: dict[tuple[int, str], list[Clause]] = {}
        """By book and number; sections also by the article that they are in (its identity) and number."""
        self.prefixes: set[tuple[int, str]] = set()
        for clause in draft.numbered:
            assert clause.label is not None
            name = clause.label.key.lstrip("§") if clause.label.style is Style.DOTTED else clause.label.key
            self.by_name.setdefault((clause.book, name), []).append(clause)
            if clause.outer is not None and clause.label.worded:
                self.by_name.setdefault((id(clause.outer), name), []).append(clause)
            if clause.label.style in (Style.DOTTED, Style.DASHED, Style.PLAIN):
                mark = "-" if clause.label.style is Style.DASHED else "."
                parts = clause.label.parts[:-1]
                self.prefixes.update(
                    (clause.book, mark.join(map(str, parts[:size])))
                    for size in range(1, len(parts) + 1))
            if clause.label.style is Style.SECTION:
                self.by_name.setdefault((clause.book, str(clause.label.parts[0])), []).append(clause)

    @cached_property
    def _by_part(self) -> dict[tuple[int, Style, int | tuple[int, ...]], dict[int, Clause]]:
        """Clauses by book, style and the last part of their number, or the first parts of it; each with its place in the draft."""
        found: dict[tuple[int, Style, int | tuple[int, ...]], dict[int, Clause]] = {}
        for k, clause in enumerate(self.draft.numbered):
            if clause.label is not None:
                parts = clause.label.parts
                for key in (parts[-1], *(parts[:size] for size in range(len(parts) + 1))):
                    found.setdefault((clause.book, clause.label.style, key), {})[k] = clause
        return found

    @cached_property
    def _chapters(self) -> dict[int, Clause]:
        """The first of each number."""
        return {c.label.parts[0]: c for c in reversed(self.draft.numbered) if c.style is Style.CHAPTER and c.label}

    @cached_property
    def _listed(self) -> dict[tuple[Clause, bool, int], Clause]:
        """The first item right below a clause that has a letter, or none, and a number."""
        return {
            (
                clause,
                child.style is Style.LETTER or child.label.written.strip("()").isalpha(),
                child.label.parts[0],
            ): child
            for clause in self.draft.clauses
            for child in reversed(clause.children)
            if child.is_item and child.label is not None
        }

    @cached_property
    def with_chapter(self) -> frozenset[tuple[int, int]]:
        """The books and chapters (by identity; none, too) that have clauses."""
        return frozenset((c.book, id(c.chapter)) for c in self.draft.numbered if c.label is not None)

    def akin(self, citation: Citation, book: Book) -> list[Clause]:
        """The clauses of a book whose numbers end as this one does, or differ from it in the last part only, in the order of the draft."""
        if citation.unit in self.restarted and (scope := self.around(citation)[1]):
            return self.within(citation, book, scope.children)
        parts = citation.parts
        found = {
            **self._by_part.get((book.number, citation.style, parts[-1]), {}),
            **self._by_part.get((book.number, citation.style, parts[:-1]), {}),
        }
        return self.within(citation, book, [found[k] for k in sorted(found)])

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Every reference to a numbered clause, in the styles of number that the draft has."""
        return tuple(_citations(self.draft))

    @property
    def by_word(self) -> Iterator[Citation]:
        """The references that only what stands around them, or a sign, shows to be some: `rule 704`, `regulation 2e3`, `§9`."""
        return _citations(self.draft, {Style.PLAIN, Style.MIXED, Style.SECTION})

    @cached_property
    def counted(self) -> dict[tuple[int, Style, tuple[int, ...]], tuple[set[int], bool]]:
        """How the clauses right below a number, or at the top, are counted, by book, style and number; and whether that is without a gap."""
        found: dict[tuple[int, Style, tuple[int, ...]], set[int]] = {}
        for clause in self.draft.numbered:
            if clause.label is not None:
                for size, part in enumerate(clause.label.parts):
                    found.setdefault((clause.book, clause.label.style, clause.label.parts[:size]), set()).add(part)
        return {key: (parts, max(parts) - min(parts) + 1 == len(parts)) for key, parts in found.items()}

    @cached_property
    def chaptered(self) -> bool:
        """Do numbers begin again in every chapter?"""
        return any(c.style is Style.CHAPTER for c in self.draft.numbered) and any(
            c.style is Style.DOTTED and c.outer is not None for c in self.draft.numbered
        )

    @cached_property
    def restarted(self) -> dict[str, str]:
        """The words whose numbers begin again (`Section`), and in what (`Article`)."""
        return {c.label.unit: c.outer.label.unit for same in self.by_name.values() for c in same[1:]
                if c.label and c.outer and c.outer.label and c.label.worded and c.outer is not same[0].outer}

    def around(self, citation: Citation) -> tuple[bool, Clause | None]:
        """The article that `Section 2` is in, named in front (`Article IV, Section 2`) or behind it, else the one it is cited in;
        and whether it is named. No clause, where what is named is none of the draft's, or it is cited outside of all."""
        unit = self.restarted[citation.unit]
        behind = _BEHIND_IT.match(citation.after)
        named = BEFORE_IT.search(citation.before) or (behind and _WORDED.match(citation.after, behind.end()))
        if (
            named
            and (found := _number(citation.clause, named, Style.CHAPTER, (whole(named["n"]),), named["unit"])).unit
            == unit
        ):
            return True, next(iter(self.by_name.get((citation.clause.book, found.name), [])), None)
        own = (
            c
            for c in (citation.clause, *citation.clause.ancestors())
            if c.label is not None and c.label.worded and c.label.unit == unit
        )
        return bool(behind and behind["own"]), next(own, None)

    def targets(self, citation: Citation) -> list[Clause]:
        """The clauses that the citation can mean, nearest first: of the book it names, else of its own, else of any;
        where numbers begin again in every chapter, of its own chapter unless it names another."""
        name = citation.name
        named = self.named_book(citation)
        order = [named] if named else sorted(self.draft.books, key=lambda b: b.number != citation.clause.book)
        for book in order:
            scope = self.around(citation)[1] if citation.unit in self.restarted else None
            found = (
                self.by_name.get((id(scope), name), [])
                if scope
                else self.within(citation, book, self.by_name.get((book.number, name), []))
            )
            if found:
                return found
            if item := self._item(book, citation):
                return [item]
        return []

    def within(self, citation: Citation, book: Book, clauses: Sequence[Clause]) -> list[Clause]:
        """Those that the citation can mean, where numbers begin again in every chapter."""
        if citation.unit in self.restarted:
            scope = self.around(citation)[1]
            return [
                c
                for c in clauses
                if scope is None or (c.outer is scope and c.label is not None and c.label.unit == citation.unit)
            ]
        if not self.chaptered or citation.style is not Style.DOTTED:
            return [*clauses]
        scope = self.named_chapter(citation) or citation.clause.chapter
        return [c for c in clauses if c.chapter is scope or (book.number, id(scope)) not in self.with_chapter]

    def not_ours(self, citation: Citation) -> bool:
        """A number that may be a rate, or belong to another document."""
        if citation.unit in self.restarted and self.around(citation) == (True, None):
            return True  # of an article that there is not, which is told
        if citation.style is Style.CHAPTER and not citation.unit:
            return citation.of_another or bool(re.search(r"[『「]$", citation.before))
        if citation.style is Style.DOTTED and len(citation.parts) - citation.lettered == 2 and citation.parts[0] == 0:
            return True
        if citation.lettered and not CUE_BEFORE.search(citation.before) and not self.lettered(citation):
            return True  # `1.5t`
        if citation.of_another or (not citation.unit and _OF_A_PART.search(citation.before)):
            return True
        return bool(re.search(r"(?:公式|フロア|大会|イベント|別紙|他社)[^。、]{0,12}$", citation.before))

    def _item(self, book: Book, citation: Citation) -> Clause | None:
        """`4.2c`, `4.2.3` where 4.2 has a list with items c and 3."""
        numbers = list(citation.parts)
        mark = "-" if citation.style is Style.DASHED else "."
        for size in range(len(numbers) - 1, 0, -1):
            clauses = self.by_name.get((book.number, mark.join(map(str, numbers[:size]))), [])
            for at in clauses[:1]:
                clause: Clause | None = at
                for k in range(size, len(numbers)):
                    letters = citation.lettered and k == len(numbers) - 1
                    clause = clause and self._listed.get((clause, letters, numbers[k]))
                if clause is not None:
                    return clause
        return None

    def lettered(self, citation: Citation) -> bool:
        """Has the clause without the letter any that are counted with letters?"""
        numbers = citation.parts[:-1]
        return any(
            found
            for book in self.draft.books
            for clause in self.by_name.get(
                (book.number, ("-" if citation.style is Style.DASHED else ".").join(map(str, numbers))), []
            )
            for found in clause.children
        ) or any(
            label.lettered and label.parts[:-1] == numbers for label in (c.label for c in self.draft.numbered) if label
        )

    def implied(self, citation: Citation) -> bool:
        """Is it the number of a group that has clauses, though no line of its own?"""
        return not self.chaptered and any((b.number, citation.name) in self.prefixes for b in self.draft.books)

    @cached_property
    def left_out(self) -> frozenset[int]:
        """The articles that a line names together in place of each: `第8条から第11条まで　削除`."""
        found: set[int] = set()
        for clause in self.draft.clauses:
            for match in _TOGETHER.finditer(clause.text.translate(FULL)):
                found.update(range(whole(match["a"]), min(whole(match["b"]), whole(match["a"]) + 99) + 1))
        return frozenset(found)

    def named_book(self, citation: Citation) -> Book | None:
        """The book whose title stands right in front: `コアルール 9-4-1`."""
        if len(self.draft.books) < 2:
            return None
        ahead = citation.before.rstrip(" 　の「(（")
        return next((b for b in self.draft.books if b.title and ahead.endswith(b.title)), None)

    def named_chapter(self, citation: Citation) -> Clause | None:
        """The chapter that stands right in front: `第3章 4.1`."""
        match = re.search(r"第([\d一二三四五六七八九十]+)章[の 　「]*$", citation.before)
        if not match:
            return None
        return self._chapters.get(whole(match[1]))


@lru_cache(maxsize=1)
def register_of(draft: Draft) -> Register:
    """That of the draft that is being looked at, made once for all rules."""
    return Register(draft)


def _citations(draft: Draft, wanted: Container[Style] = frozenset(Style)) -> Iterator[Citation]:
    """The references in some styles, of those in which the draft has more than one number."""
    several = {style for style, count in draft.styles.items() if count > 1}
    there = {style for style in several if style in wanted}
    lettered = any(
        c.style is Style.LETTER or (c.label and (c.label.lettered or c.label.written[:2].strip("()").isalpha()))
        for c in draft.clauses
    )
    units = {c.label.unit for c in draft.numbered if c.label and c.style is Style.CHAPTER}
    words = units & {*UNITS.values()}
    for clause in draft.clauses:
        text = clause.text.translate(FULL)
        if not words and not _DIGIT.search(text) and "第" not in text:
            continue
        if Style.DOTTED in there:
            yield from _dotted(clause, text, lettered)
        if Style.PLAIN in there and Style.DOTTED in several:
            yield from (_cited(clause, m, Style.PLAIN, (int(m["n"]),)) for m in _PLAIN.finditer(text))
            yield from (_number(clause, m) for m in _NUMBERED.finditer(text) if len(m["n"]) >= 3)
        if Style.DASHED in there:
            yield from _dashed(clause, text)
        if Style.MIXED in there:
            yield from (_number(clause, m, Style.MIXED, turns(m["n"])) for m in _MIXED.finditer(text))
        if Style.SECTION in there:
            yield from (_cited(clause, m, Style.SECTION, (int(m["n"]),)) for m in _SECTION.finditer(text))
        if Style.CHAPTER in wanted:
            yield from chapters(clause, text, units)


def chapters(clause: Clause, text: str, units: Container[str]) -> Iterator[Citation]:
    """References with one of these words: `第3条`, `Article IV`."""
    yield from (_number(clause, m, Style.CHAPTER, (whole(m["n"]),), m["unit"]) for m in _WORDED.finditer(text)
                if UNITS[m["unit"][:2].casefold()] in units and whole(m["n"]))
    for m in _CHAPTER.finditer(text):
        if m["unit"] in units and not (m.start() == 0 and clause.style is Style.HEADING):
            yield _cited(clause, m, Style.CHAPTER, (whole(m["n"]), *((int(m["sub"]),) if m["sub"] else ())))


def _cited(clause: Clause, m: re.Match[str], style: Style, parts: tuple[int, ...], sure: bool = True) -> Citation:
    lettered = "letter" in m.re.groupindex and m["letter"] is not None
    if lettered:
        parts = (*parts, ord(m["letter"]) - 96)
    return Citation(clause, m.start(), clause.text[m.start() : m.end()], style, parts, lettered, sure)


def _number(
    clause: Clause, m: re.Match[str], style: Style = Style.PLAIN, parts: tuple[int, ...] = (), word: str = ""
) -> Citation:
    """A number behind a word that says what it is, and with a word that is part of it."""
    start = m.start("unit") if word else m.start("n")
    return Citation(clause, start, m.string[start : m.end("n")], style, parts or (int(m["n"]),), False, True)


def _dotted(clause: Clause, text: str, letters: bool) -> Iterator[Citation]:
    for m in _DOTTED.finditer(text):
        if m["letter"] and not letters:
            continue  # `2.7m`
        if _COUNTERS.match(text, m.end()) or _VERSION.search(before(text, m.start())):
            continue
        parts = tuple(map(int, m["n"].split(".")))
        deep = len(parts) + (m["letter"] is not None) > 2
        yield _cited(clause, m, Style.DOTTED, parts, sure=deep or _cued(text, m.start(), m.end()))


def _dashed(clause: Clause, text: str) -> Iterator[Citation]:
    for m in _DASHED.finditer(text):
        # `2-1)` is an item of a list, unless it stands in brackets itself: `(5-1、5-2)`.
        is_label = text[m.end() : m.end() + 1] == ")" and text[m.start() - 1 : m.start()] not in ("(", "、", ",")
        if is_label or _COUNTERS.match(text, m.end()):
            continue
        parts = tuple(map(int, m["n"].split("-")))
        deep = len(parts) + (m["letter"] is not None) > 2
        distance = not deep and _DISTANCE.search(before(text, m.start())) is not None
        sure = deep or (_cued(text, m.start(), m.end()) and not distance)
        yield _cited(clause, m, Style.DASHED, parts, sure)


_DISTANCE = re.compile(r"(?:適正距離|間合)[:： ]*$")
"""`適正距離 3-4`: from three to four."""


_PICTURE = re.compile(r"(?:図表?|表|写真)[ 　]*$")
"""In front of a number that pictures and tables have: `図6.4を参照`."""


def _cued(text: str, start: int, end: int) -> bool:
    ahead = before(text, start)
    if _PICTURE.search(ahead):
        return False
    bracketed = ahead.endswith("(") and text[end : end + 1] in (")", "、", ",")
    bracketed = bracketed or (ahead.endswith("、") and text[end : end + 1] == ")")
    quoted = ahead.endswith(("「", "‘", "『")) and text[end : end + 2].strip(". ") not in ("", "」", "」'")
    return bracketed or quoted or bool(CUE_BEFORE.search(ahead)) or bool(CUE_AFTER.match(text, end))


@dataclass(frozen=True)
class StepCitation:
    """A reference to an item of the list it stands in: `iiへと進む`, `3.に戻る`."""

    clause: Clause
    offset: int
    written: str
    style: Style
    number: int


def step_citations(clause: Clause) -> Iterator[StepCitation]:
    """References to items of a list, in one of its items."""
    for m in _STEP.finditer(clause.text.translate(FULL)):
        n = m["n"]
        if n in ROMANS:
            style, number = Style.ROMAN, ROMANS.index(n) + 1
        elif n.endswith("."):
            style, number = Style.SINGLE, int(n[:-1])
        elif n.endswith(")"):
            style, number = Style.PAREN, int(n.strip("()"))
        elif n[0].isdigit() or n[0].isascii():
            continue
        else:
            style, number = Style.CIRCLED, ord(n) - ord("①") + 1
        yield StepCitation(clause, m.start(), clause.text[m.start() : m.end()].rstrip(), style, number)
