"""References: to clauses that do not exist, and to a clause that is about something else."""

from __future__ import annotations

import difflib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain, islice, pairwise

from ....spec.groups import grouped
from ....spec.text import Text
from ..citations import BEFORE_IT, CUE_BEFORE, Citation, Register, register_of
from ..counting import is_article, stands_between
from ..findings import AGAINST, Found, Rule, Severity, excerpt, plain
from ..model import Book, Clause, Draft, Style
from ..numbering import FULL, same_width, whole

_QUOTED_TITLE = re.compile(r"[.．]?[ 　]?(?P<title>[^「」『』\n]{2,30}?)[」’']")
_NAMED_BEFORE = re.compile(r"(?P<noun>[一-龠々ァ-ヴーA-Za-z0-9＆&・☆]{2,20})(?:能力|カード|処理)?(?:[(（])$")
_TITLE_AFTER = re.compile(
    r"(?:[ 　](?P<spaced>[一-龠々ァ-ヴー《<「【][^\n。、]{1,24})|(?P<tight>[《<「【][^\n。、]{1,24}))"
)


# ---------------------------------------------------------------- targets that do not exist
def missing(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A reference names a clause that is nowhere in the draft."""
    register = register_of(draft)
    yield from _beyond(draft, register, rule)
    known: Counter[tuple[Style, str]] = Counter()
    unknown: list[Citation] = []
    bare = {m[0] for c in draft.clauses if c.label is None and c.heading and (m := re.match(r"\d{1,3}条", c.title))}
    for citation in register.citations:
        article = citation.style is Style.CHAPTER and citation.written.endswith("条")
        if article and (citation.parts[0] in register.left_out or citation.name[1:] in bare):
            continue
        if register.targets(citation) or register.implied(citation):
            known[_called(citation)] += 1
        elif citation.sure and not register.not_ours(citation):
            unknown.append(citation)
    lost = Counter(_called(citation) for citation in unknown)
    for citation in unknown:
        # Where many lead nowhere they may be those of another document.
        called = _called(citation)
        ours = known[called] >= max(3, 5 * lost[called])
        otherwise = bool(called[1]) and not known[called] and any(known.values())
        meant, by_title = likeliest(citation, register)
        suggestion = None
        replace = None
        if meant is not None and meant.label is not None:
            name = meant.label.name
            suggestion = Text(
                ja=f"「{name}」{_titled(meant, 'ja')}のことですか", en=f"did you mean {name}{_titled(meant, 'en')}?"
            )
            replace = name if by_title else None
        yield rule.at(
            citation.clause,
            citation.offset,
            Text(ja=f"「{citation.written}」という条文はありません", en=f"there is no clause {citation.written}"),
            citation.written,
            suggestion=suggestion,
            replace=replace,
            signs=0 if otherwise else _signs(citation, register, by_title, ours),
        )


_WORD = re.compile(r"\b(rule|regulation|section|article|clause|paragraph|chapter)s? $", re.IGNORECASE)


def _called(citation: Citation) -> tuple[Style, str]:
    """How a clause is cited: a book that has rules cites the sections of others."""
    word = _WORD.search(citation.before[-20:])
    return citation.style, word[1].casefold() if word else ""


_OTHERS = re.compile(r"(?:,? [Ss]ections? \w{1,4})?(?:\(\w{1,4}\))*,? of (?:the |its )?[A-Z]")
"""Behind a number of another document: `Section 4.3 of the Patent Policy`."""


def _signs(citation: Citation, register: Register, by_title: bool, ours: bool) -> int:
    """Of two signs: the draft's own numbers are cited so; the clause of the title that is cited, or all that stand where it
    would, are known. None where another document is named, or a line begins with the number."""
    ahead = BEFORE_IT.sub("", citation.before) if citation.unit else ""
    own = citation.unit in register.restarted and ahead == citation.before and register.around(citation)[0]
    if (not own and _OTHERS.match(citation.after)) or (citation.unit and _OF_A_DOCUMENT.search(ahead)):
        return AGAINST
    elsewhere = any((book.number, citation.name) in register.by_name for book in register.draft.books)
    if not elsewhere and stands_between(register.draft, 0, sys.maxsize, citation.name):
        return 0
    return ours + (by_title or _counted_out(citation, register))


def _counted_out(citation: Citation, register: Register) -> bool:
    """Are the numbers among which the cited one would stand, or the first of its parts that is nowhere, without a gap?"""
    if citation.unit:
        book = register.draft.books[citation.clause.book]
        there = {c.label.parts[0] for c in register.akin(citation, book) if c.label and c.label.unit == citation.unit}
        return bool(there) and max(there) == len(there)
    for size, part in enumerate(citation.parts):
        there, gapless = register.counted.get(
            (citation.clause.book, citation.style, citation.parts[:size]), ((), False)
        )
        if part not in there:
            return gapless
    return False


_WITHIN = re.compile(r"第?(?P<n>\d{1,2}|[一二三四五六七八九十]{1,3})(?P<unit>[項号])")
_LED = re.compile(r"^[(]?(?P<n>\d{1,2}|[一二三四五六七八九十]{1,3})[).、 \u3000]", re.MULTILINE)


def _beyond(draft: Draft, register: Register, rule: Rule) -> Iterable[Found]:
    """`第3条第5項`, where 第3条 has three by their numbers and by its lines; 前条 in the first article."""
    first = next((clause for clause in draft.numbered if is_article(clause)), None)
    for clause in draft.clauses if first is not None else ():
        if (at := clause.text.find("前条")) >= 0 and first in (clause, *clause.ancestors()):
            yield rule.at(
                clause,
                at,
                Text(ja="最初の条に「前条」があります", en="前条 (the article before) in the first article"),
                "前条",
                signs=2,
            )
    counted: dict[tuple[Clause, str], tuple[int, int]] = {}
    """Of an article and 項 or 号: how many there can be, and how many have numbers."""
    for citation in register.citations if first is not None else ():
        said = _WITHIN.match(citation.after.translate(FULL)) if citation.written.endswith("条") else None
        meant = register.targets(citation) if said and not register.not_ours(citation) else []
        if said is None or len(meant) != 1:
            continue
        article, unit = meant[0], said["unit"]
        if (article, unit) not in counted:
            below = article.children if unit == "項" else list(article.below)
            numbers = {c.label.parts[-1] for c in below if c.label is not None} | {
                whole(m["n"]) for m in _LED.finditer(article.text.translate(FULL))
            }
            counted[article, unit] = (
                max(len(article.blocks) - article.headlike + (len(below) if unit == "号" else 0), *numbers, 1),
                len(numbers),
            )
        last, several = counted[article, unit]
        if whole(said["n"]) > last:
            yield rule.at(
                citation.clause,
                citation.offset,
                Text(ja=f"「{article.name}」に{said[0]}はありません", en=f"{article.name} has no {said[0]}"),
                citation.written + said[0],
                signs=1 + (several > 1),
            )


def _titled(clause: Clause, lang: str) -> str:
    if not clause.headlike:
        return ""
    return f"（{excerpt(clause.title, 20)}）" if lang == "ja" else f" ({excerpt(clause.title, 20)})"


_OF_A_DOCUMENT = re.compile(r"(?<![A-Za-z])(?!Pursuant |Under |Subject |Notwithstanding )[A-Z][a-z’']{3,},? ?\(?$|^\s*$|[.;:]\s+$")
"""In front of what is cited with a word: the name of a document (`Constitution Article V`), or nothing: the number of a clause that begins within a line."""


def likeliest(citation: Citation, register: Register) -> tuple[Clause | None, bool]:
    """The clause that was probably meant, and whether its title says so: the one whose title is cited; else the one whose heading
    the sentence has; else one whose number is alike, if the words around tell it from the others."""
    book = register.named_book(citation) or register.draft.books[citation.clause.book]
    quoted = _QUOTED_TITLE.match(citation.after)
    if quoted and citation.before.endswith(("「", "‘", "『", "'")):
        known = register.within(
            citation, book, [c for c in register.draft.numbered if c.book == book.number and c.label is not None]
        )
        same = [c for c in known if _bare(c.title) == _bare(quoted["title"])]
        if len(same) == 1:
            return same[0], True
    return _headed(citation, register, book) or _slipped(citation, register, book), False


def _headed(citation: Citation, register: Register, book: Book) -> Clause | None:
    """The one clause whose heading is a word of the sentence in front of a bracket (`ルールチェックを行います（9.4.3を参照）`),
    the longest such heading; not one in which the reference itself stands."""
    if not citation.before.endswith(("（", "(")):
        return None
    sentence = re.split(r"[。．\n]", citation.before)[-1]
    within = (citation.clause, *citation.clause.ancestors())
    known = [c for c in register.draft.numbered if c.book == book.number and c.heading and c not in within]
    there = [c for c in register.within(citation, book, known) if len(c.title) >= 4 and c.title in sentence]
    named = sorted(there, key=lambda c: -len(c.title))
    return named[0] if named and all(c.title != named[0].title for c in named[1:]) else None


def _slipped(citation: Citation, register: Register, book: Book) -> Clause | None:
    """The clause whose number is this one but for a digit more, fewer, other, or swapped with its neighbour, a level left
    out, or one part; of several the one that says most of the words around the reference. None if that does not tell
    them apart."""
    name = citation.name
    places = [k for k, c in enumerate(name) if c.isdigit()]
    variants = {name[:k] + digit + name[k + 1 :] for k in places for digit in "0123456789"}
    variants |= {name[:k] + name[k + 1 :] for k in places}
    variants |= {name[:k] + digit + name[k:] for k in (*places, len(name)) for digit in "0123456789"}
    variants |= {name[:k] + name[k + 1] + name[k] + name[k + 2 :] for k in places if k + 1 in places}
    mark = "-" if citation.style is Style.DASHED else "."
    parts = name.split(mark)
    variants |= {mark.join([*parts[:k], str(n), *parts[k:]]) for k in range(1, len(parts)) for n in range(1, 21)}
    variants |= {name[:k] + mark + name[k:] for k in places if k and k - 1 in places}
    near = register.within(
        citation, book, [c for v in sorted(variants - {name}) for c in register.by_name.get((book.number, v), [])[:1]]
    )
    found = list(dict.fromkeys([*near, *register.akin(citation, book)[:200]]))
    found = [clause for clause in found if clause is not citation.clause]
    around = re.split(r"[。.．\n]\s", citation.before)[-1] + re.split(r"[。.．\n]", citation.after)[0]
    said = _words(around)
    about = [said & _words(clause.text[:2000]) for clause in found]
    shared = Counter(word for words in about for word in words)
    own = citation.clause.label.parts if citation.clause.label else ()

    def likelihood(k: int) -> float:
        parts = found[k].label.parts if found[k].label else ()  # type: ignore[union-attr]
        likely = sum(1 / shared[word] for word in about[k]) + 0.5 * (found[k] in near)
        return likely + (parts[-1:] == citation.parts[-1:]) + 0.3 * _common(parts, own)

    told = sorted(((likelihood(k), k) for k in range(len(found))), reverse=True)
    if len(told) == 1 or (told and told[0][0] > told[1][0] + 0.1):
        return found[told[0][1]]
    return None


def _words(text: str) -> set[str]:
    """The words of a text, English ones without their ends."""
    return {word[:6] for word in re.findall(r"[a-z]{4,}|[一-龠々]{2,}|[ァ-ヴー]{2,}", text.casefold())}


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _bare(text: str) -> str:
    """A text without spaces, widths and brackets."""
    return re.sub(r"[\s・「」『』《》<>.]", "", same_width(text))


class Titles:
    """The headings of a draft by their words, and what stands below a clause: each without spaces, widths and brackets, worked out once."""

    MANY, NEAR = 300, 50
    """Where there are more headings, so many are compared with what is cited, at most: those that have the rarest of its letters in common."""

    def __init__(self, draft: Draft) -> None:
        self.headed: dict[str, list[Clause]] = defaultdict(list)
        for clause in draft.numbered:
            if clause.headlike:
                self.headed[_bare(clause.title)].append(clause)
        self.with_pair: dict[str, dict[str, None]] = defaultdict(dict)
        for title in self.headed:
            for pair in pairwise(title):
                self.with_pair["".join(pair)][title] = None
        self.wholes: dict[int, str] = {}
        self.ranks: dict[str, list[tuple[str, float]]] = {}

    def whole(self, clause: Clause) -> str:
        """Its text and that of everything below it."""
        if id(clause) not in self.wholes:
            self.wholes[id(clause)] = _bare(clause.whole)
        return self.wholes[id(clause)]

    def like(self, wanted: str) -> list[tuple[str, float]]:
        """The headings that are like what is cited, and how much, the likest first."""
        if wanted not in self.ranks:
            found = [(title, _likeness(wanted, title)) for title in self.near(wanted) if len(title) >= 2]
            self.ranks[wanted] = sorted((one for one in found if one[1] > 0.6), key=lambda one: -one[1])
        return self.ranks[wanted]

    def near(self, wanted: str) -> Iterable[str]:
        """The headings to compare with it."""
        if len(self.headed) <= self.MANY:
            return self.headed
        shared = sorted((self.with_pair.get("".join(pair), {}) for pair in pairwise(wanted)), key=len)
        return dict.fromkeys(islice(chain.from_iterable(shared), self.NEAR))


def _likeness(wanted: str, title: str) -> float:
    if wanted.startswith(title):
        return 0.9 + len(title) / 1000
    if title.endswith(wanted) or title.startswith(wanted):
        return 0.7
    return difflib.SequenceMatcher(None, wanted, title).ratio()


# ---------------------------------------------------------------- targets about something else
def contradicted(draft: Draft, rule: Rule) -> Iterable[Found]:
    """The words around a reference name one thing, the clause it points to is about another."""
    register = register_of(draft)
    words = Titles(draft)
    titles = grouped((_key(clause.title), clause) for clause in draft.numbered if clause.headlike)
    for citation in register.citations:
        targets = register.targets(citation)
        if not targets or citation.style is Style.CHAPTER:
            continue
        yield from _titled_otherwise(citation, targets[0], titles, rule)
        said = _said(citation)
        if not said:
            continue
        agrees = any(_agrees(said, target, _quoted(citation), words) for target in targets)
        agrees = agrees and not _is_title_of_another(said, targets[0], words)
        if agrees and not _elsewhere(said, targets[0], register, citation):
            continue
        target = targets[0]
        better = _titled_so(said, words, citation)
        suggestion = None
        if better is not None and better.label is not None:
            book = draft.books[better.book].title if better.book != citation.clause.book else ""
            name = f"{book} {better.name}".strip()
            suggestion = Text(
                ja=f"「{name}」（{excerpt(better.title, 20)}）のことですか",
                en=f"did you mean {name} ({excerpt(better.title, 20)})?",
            )
        elif not _quoted(citation):
            continue
        shown = excerpt(said.partition("$")[0] or plain(said), 20)
        yield rule.at(
            citation.clause,
            citation.offset,
            Text(
                ja=f"「{shown}」として {citation.written} を参照していますが、"
                f"{draft.placed(target)} は「{excerpt(target.title, 24)}」です",
                en=f"cited as {shown!r}, but {draft.placed(target)} is about {excerpt(target.title, 24)!r}",
            ),
            citation.written,
            suggestion=suggestion,
            cited=excerpt(target.text, 80),
            signs=int(better is not None),
        )


_ENGLISH_TITLE = re.compile(r",? [“\"](?P<title>[^“”\"\n]{2,60}?)[.,;:]?[”\"]")


def _key(title: str) -> str:
    return re.sub(r"[\W_]+", " ", title.casefold()).strip()


def _titled_otherwise(
    citation: Citation, target: Clause, titles: dict[str, list[Clause]], rule: Rule
) -> Iterable[Found]:
    """`rule 5.3, “Damage”`, where 5.3 has another title and another clause has this one."""
    said = _ENGLISH_TITLE.match(citation.after)
    if said is None or not CUE_BEFORE.search(citation.before):
        return
    meant = titles.get(_key(said["title"]), [])
    near = [target, *target.ancestors()]
    if not meant or any(clause in near for clause in meant) or any(target in clause.ancestors() for clause in meant):
        return
    if any(_key(said["title"]) in _key(clause.title) for clause in near):
        return
    name = meant[0].name
    yield rule.at(
        citation.clause,
        citation.offset,
        Text(
            ja=f"「{said['title']}」として {citation.written} を参照していますが、その題は {name} のものです",
            en=f"cited as {said['title']!r}, which is the title of {name}, not of {citation.written}",
        ),
        citation.written,
        suggestion=Text(ja=f"「{name}」のことですか", en=f"did you mean {name} ({excerpt(meant[0].title, 20)})?"),
        cited=excerpt(target.text, 80),
        signs=1,
    )


def _is_title_of_another(said: str, target: Clause, words: Titles) -> bool:
    """Is there a section of just this name, and the target is not in it, around it, and does not speak of it?"""
    name = _bare(said)
    if len(name) < 2 or name in words.whole(target):
        return False
    near = {id(target), *map(id, target.ancestors())}
    namesakes = words.headed.get(name, [])
    return bool(namesakes) and not any(id(c) in near or any(a is target for a in c.ancestors()) for c in namesakes)


def _elsewhere(said: str, target: Clause, register: Register, citation: Citation) -> bool:
    """In a draft of several books: does the same number in another book have the cited title, and not in this one?"""
    if register.named_book(citation) or len(register.draft.books) < 2 or citation.before.endswith(("(", "（")):
        return False
    if any(pair in _bare(target.title) for pair in _pairs(said)) or not target.headlike:
        return False
    return any(
        _bare(c.title) and _bare(c.title) in _bare(said)
        for b in register.draft.books
        for c in register.by_name.get((b.number, citation.name), [])
        if c is not target
    )


def _quoted(citation: Citation) -> bool:
    return citation.before.endswith(("「", "‘", "『", "'"))


def _said(citation: Citation) -> str | None:
    """The title that is cited with the number, or the noun in front of `(4.2.2)`."""
    if _quoted(citation):
        match = _QUOTED_TITLE.match(citation.after)
        return match["title"].strip() if match else None
    before = _NAMED_BEFORE.search(citation.before)
    if before and citation.after.startswith((")", "）")):
        return before["noun"]
    inside = re.match(r"[(（](?P<noun>[一-龠々ァ-ヴー][^\n。、()（）]{1,20})[)）]", citation.after)
    if inside:
        return inside["noun"]
    after = _TITLE_AFTER.match(citation.after)
    if after and citation.style is Style.DASHED and (len(citation.parts) > 2 or citation.sure or after["tight"]):
        return after["spaced"] or after["tight"]
    return None


def _agrees(said: str, target: Clause, titled: bool, known: Titles) -> bool:
    """Does half of what is said occur where the reference points to? A quoted title must be that of the target."""
    above = "" if titled and target.headlike else _bare("".join(a.title for a in target.ancestors()))
    about = _bare(target.title) if titled and target.headlike else known.whole(target) + above
    words = _pairs(said)
    if not words:
        return True
    title = _bare(target.title)
    head = _bare(said)
    if title and (title in head or head in title):
        return True
    hits = sum(pair in about for pair in words)
    return hits * 2 >= len(words)


def _pairs(text: str) -> list[str]:
    runs = re.findall(r"[一-龠々]{2,}|[ァ-ヴー]{3,}", _bare(text))
    pairs = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
    return pairs or re.findall(r"[一-龠々]", _bare(text))


def _titled_so(said: str, words: Titles, citation: Citation) -> Clause | None:
    for title, _ in words.like(_bare(said)):
        other = next((clause for clause in words.headed[title] if clause is not citation.clause), None)
        if other is not None:
            return other
    return None


def _cited(draft: Draft) -> int:
    return len(register_of(draft).citations)


RULES = (
    Rule(
        "reference-missing",
        Severity.ERROR,
        Text("存在しない条文への参照", "reference to a clause that does not exist"),
        missing,
        _cited,
        of_clauses=True,
    ),
    Rule(
        "reference-heading",
        Severity.WARNING,
        Text("参照先が文脈と合わない", "reference to a clause that is about something else"),
        contradicted,
        _cited,
        of_clauses=True,
    ),
)
