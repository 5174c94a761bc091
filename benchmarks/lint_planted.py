"""How many mistakes planted in rule books the linter finds: `python benchmarks/lint_planted.py BOOK …`.

Twenty in each book, one at a time, drawn with a seed among all places where a kind can be planted; every kind in turn.
Books are read as the linter reads them and planted in as text, so that a PDF can be used as well. A mistake counts as
found if there is a finding that was not there before, within three lines of the place or at what the mistake broke
(the clause whose number is now missing or used twice)."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rulewright.checks.lint.citations import register_of
from rulewright.checks.lint.findings import Found, Severity
from rulewright.checks.lint.linting import Options, chosen_rules, lint_source
from rulewright.checks.lint.model import Clause, Known, Style
from rulewright.checks.lint.numbering import FULL
from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.reading import from_text, read
from rulewright.checks.lint.rules import counts, lists

PER_BOOK, SEED = 20, 7
ANYWHERE = {
    "reference-missing",
    "number-skipped",
    "number-repeated",
    "contents-differ",
    "term-spelling",
    "number-order",
    "reference-step",
}
"""Rules that tell of a mistake at the place that it breaks."""


@dataclass(frozen=True)
class Planted:
    """A text with one mistake, on this line."""

    kind: str
    line: int
    lines: tuple[str, ...]
    was: str
    now: str


class Book:
    """A book as lines of text, and as the linter understands it."""

    def __init__(self, path: Path) -> None:
        source = read(path)
        self.markdown = path.suffix in (".md", ".markdown")
        self.name = "book.md" if self.markdown else "book.txt"
        self.lines = (source.text or "\n".join(line.text for line in source.lines)).splitlines()
        self.draft = outline(self.name, from_text(self.name, "\n".join(self.lines)).lines)
        contents = self.draft.contents
        self.first, self.last = (contents.first, contents.last) if contents else (0, 0)

    def found(self, lines: list[str] | tuple[str, ...]) -> list[Found]:
        options = Options()
        return lint_source(from_text(self.name, "\n".join(lines)), options, chosen_rules(options), Known()).found

    def at(self, kind: str, clause: Clause, offset: int, old: str, new: str) -> Iterator[Planted]:
        line, column = clause.passage.at(offset)
        text = self.lines[line - 1]
        if text[column - 1 : column - 1 + len(old)] == old and not self.first <= line <= self.last:
            changed = text[: column - 1] + new + text[column - 1 + len(old) :]
            yield Planted(kind, line, (*self.lines[: line - 1], changed, *self.lines[line:]), old, new)


def dangling(book: Book) -> Iterator[Planted]:
    """A reference to a clause that does not exist."""
    register = register_of(book.draft)
    for cited in register_of(book.draft).citations:
        if cited.sure and register.targets(cited) and (found := re.search(r"\d+(?=[章節条]?$)", cited.written)):
            yield from book.at(
                "dangling",
                cited.clause,
                cited.offset,
                cited.written,
                cited.written[: found.start()] + str(int(found[0]) + 57) + cited.written[found.end() :],
            )


def wrong_title(book: Book) -> Iterator[Planted]:
    """A reference to another clause than the one whose title stands beside it."""
    register = register_of(book.draft)
    numbers = [c for c in book.draft.numbered if c.headlike and c.label]
    for k, cited in enumerate(register_of(book.draft).citations):
        target = register.targets(cited)[:1]
        title = target[0].title.strip() if target and target[0].headlike else ""
        near = cited.after[: len(title) + 6] + cited.before[-len(title) - 4 :]
        others = [
            c
            for c in numbers
            if c.style is cited.style
            and target
            and c not in (target[0], *target[0].ancestors())
            and c.label
            and len(c.label.parts) == len(cited.parts)
        ]
        if len(title) >= 3 and title.casefold() in near.casefold() and others and re.search(r"[“「『(（]", near):
            other = others[k * 7 % len(others)]
            if other.label is not None and other.title[:2] != title[:2]:
                yield from book.at("wrong title", cited.clause, cited.offset, cited.written, other.label.name)


def _numbered(book: Book) -> Iterator[tuple[Clause, Clause]]:
    """Two clauses in succession whose numbers differ by one."""
    numbered = [c for c in book.draft.clauses if c.label and not c.is_item]
    for one, other in pairwise(numbered):
        a, b = one.label, other.label
        if (
            a
            and b
            and a.style is b.style
            and a.parts[:-1] == b.parts[:-1]
            and b.parts[-1] == a.parts[-1] + 1
            and (len(b.parts) > 1 or b.unit == "条")
        ):
            yield one, other


def repeated(book: Book) -> Iterator[Planted]:
    """The number of the clause before, again."""
    for one, other in _numbered(book):
        assert one.label and other.label
        text = book.lines[other.line - 1]
        if other.label.written in text and other.line != one.line and not book.first <= other.line <= book.last:
            changed = text.replace(other.label.written, one.label.written, 1)
            yield Planted(
                "repeated",
                other.line,
                (*book.lines[: other.line - 1], changed, *book.lines[other.line :]),
                other.label.written,
                one.label.written,
            )


def removed(book: Book) -> Iterator[Planted]:
    """A clause left out, between others."""
    pairs = list(_numbered(book))
    for (_, one), (two, _) in pairwise(pairs):
        if one is two and not one.children and len(one.blocks) == 1:
            yield Planted("removed", one.line, (*book.lines[: one.line - 1], "", *book.lines[one.line :]), one.name, "")


def swapped(book: Book) -> Iterator[Planted]:
    """Two clauses in the wrong order."""
    for one, other in _numbered(book):
        if (
            len(one.blocks) == 1
            and not one.children
            and not other.children
            and len(other.blocks) == 1
            and one.line < other.line
        ):
            lines = list(book.lines)
            lines[one.line - 1], lines[other.line - 1] = lines[other.line - 1], lines[one.line - 1]
            yield Planted("swapped", one.line, tuple(lines), one.name, other.name)


def emptied(book: Book) -> Iterator[Planted]:
    """A clause without text."""
    for clause in book.draft.numbered:
        text = book.lines[clause.line - 1]
        if (
            clause.label
            and not clause.children
            and len(clause.blocks) == 1
            and len(clause.title) > 30
            and clause.title in text
        ):
            yield Planted(
                "emptied",
                clause.line,
                (*book.lines[: clause.line - 1], text.replace(clause.title, ""), *book.lines[clause.line :]),
                clause.name,
                "",
            )


def bracket(book: Book) -> Iterator[Planted]:
    """A bracket that is not closed."""
    for clause in book.draft.clauses:
        for match in re.finditer(r"[」』】》）)\]”]", clause.text):
            if clause.text.count(match[0]) == 1 and re.search(r"[「『【《（(\[“]", clause.text[: match.start()]):
                yield from book.at("bracket", clause, match.start(), match[0], "")


def letter(book: Book) -> Iterator[Planted]:
    """A letter left out of a long word that the book has often."""
    words = Counter(re.findall(r"[ァ-ヴー]{5,}|(?<![A-Za-z])[a-z]{7,}(?![A-Za-z])", book.draft.text))
    for clause in book.draft.clauses:
        for match in re.finditer(
            r"(?<![ァ-ヴー])[ァ-ヴー]{5,}(?![ァ-ヴー])|(?<![A-Za-z’'\-])[a-z]{7,}(?![A-Za-z\-])", clause.text
        ):
            if words[match[0]] >= 5:
                gone = match.start() + len(match[0]) // 2
                if clause.text[gone] != clause.text[gone - 1] and clause.text[gone] not in "ーッ":
                    yield from book.at("letter", clause, gone, clause.text[gone], "")


def twice(book: Book) -> Iterator[Planted]:
    """A particle, or a small word, twice."""
    for clause in book.draft.clauses:
        for match in re.finditer(
            r"(?<=[一-龠ァ-ヴー])[をがに](?=[一-龠ァ-ヴー])|(?<= )(?:the|of|to|and)(?= )", clause.text
        ):
            yield from book.at(
                "twice", clause, match.start(), match[0], match[0] + (" " if match[0].isascii() else "") + match[0]
            )


def count(book: Book) -> Iterator[Planted]:
    """A number that its list, in one sentence, does not have."""
    for clause in book.draft.clauses:
        text = clause.text.translate(FULL)
        found = [
            (m, counts._japanese(m["list"], m.re is counts._BEHIND))
            for form in (counts._BEHIND, counts._BRACKETED)
            for m in form.finditer(text)
        ]  # pyright: ignore[reportPrivateUsage]
        found += [(m, counts._english(m["list"])) for m in counts._ENGLISH.finditer(text)]  # pyright: ignore[reportPrivateUsage]
        for match, names in found:
            said = match["n"]
            if len(names) >= 2:
                yield from book.at(
                    "count",
                    clause,
                    match.start("n"),
                    said,
                    {"two": "three", "three": "four", "four": "five", "five": "six", "six": "five"}.get(
                        said.casefold(), str(len(names) + 1)
                    ),
                )


def announced(book: Book) -> Iterator[Planted]:
    """A number of entries that are announced, and not there."""
    for clause in book.draft.clauses:
        text = clause.text.translate(FULL)
        for match in (*lists._ANNOUNCED.finditer(text), *lists._FOLLOWING.finditer(text)):  # pyright: ignore[reportPrivateUsage]
            if match["n"]:
                now = {"two": "three", "three": "four", "four": "five", "five": "six", "six": "five"}.get(
                    match["n"].casefold(), "9"
                )
                yield from book.at(
                    "announced", clause, match.start("n"), clause.text[match.start("n") : match.end("n")], now
                )


def open_place(book: Book) -> Iterator[Planted]:
    """A number that was to be filled in."""
    for cited in register_of(book.draft).citations:
        if cited.sure:
            yield from book.at(
                "placeholder",
                cited.clause,
                cited.offset,
                cited.written,
                "XX" if cited.style is Style.MIXED else re.sub(r"\d+", "X", cited.written).replace("X", "XX", 1),
            )
    for clause in book.draft.clauses:
        if len(clause.text) > 60:
            yield from book.at("placeholder", clause, 0, clause.text[:1], "TODO " + clause.text[:1])


def title(book: Book) -> Iterator[Planted]:
    """Another title in the contents than in the text."""
    for entry in book.draft.contents.entries if book.draft.contents else ():
        if len(entry.title) >= 5 and entry.title in book.lines[entry.line - 1]:
            text = book.lines[entry.line - 1].replace(entry.title, entry.title[:-2] + entry.title[-1], 1)
            if entry.title in book.draft.text:
                yield Planted(
                    "contents",
                    entry.line,
                    (*book.lines[: entry.line - 1], text, *book.lines[entry.line :]),
                    entry.title,
                    entry.title[:-2] + entry.title[-1],
                )


def sentence(book: Book) -> Iterator[Planted]:
    """A sentence twice."""
    for clause in book.draft.clauses:
        for match in re.finditer(r"(?:(?<=。)|^)[^。\n]{18,80}。|(?<=\. )[A-Z][^.\n]{30,120}\. (?=[A-Z])", clause.text):
            yield from book.at("sentence", clause, match.start(), match[0], match[0] + match[0])


def variant(book: Book) -> Iterator[Planted]:
    """A small kana or a long mark less, in a word that the book has often."""
    words = Counter(re.findall(r"[ァ-ヴー]{5,}", book.draft.text))
    for clause in book.draft.clauses:
        for match in re.finditer(r"(?<![ァ-ヴー])[ァ-ヴー]{5,}(?![ァ-ヴー])", clause.text):
            word = match[0]
            if words[word] >= 4:
                for small, large in (("ェ", "エ"), ("ィ", "イ"), ("ャ", "ヤ"), ("ョ", "ヨ")):
                    if small in word:
                        yield from book.at("variant", clause, match.start(), word, word.replace(small, large, 1))
                if word.endswith("ー"):
                    yield from book.at("variant", clause, match.start(), word, word[:-1])


KINDS: tuple[Callable[[Book], Iterator[Planted]], ...] = (
    dangling, wrong_title, repeated, removed, swapped, emptied, bracket, letter, twice, count, announced, open_place, title, sentence, variant,
)  # fmt: skip


def planted(book: Book, number: int, seed: int) -> list[Planted]:
    """So many mistakes: the kinds in turn, places by lot."""
    rng = random.Random(seed)
    pools = [list(kind(book)) for kind in KINDS]
    for pool in pools:
        rng.shuffle(pool)
    chosen: list[Planted] = []
    while len(chosen) < number and any(pools):
        for pool in pools:
            if pool and len(chosen) < number:
                chosen.append(pool.pop())
    return chosen


def is_found(one: Planted, new: list[Found]) -> bool:
    return any(abs(f.line - one.line) <= 3 or f.rule in ANYWHERE for f in new)


def main(paths: list[str]) -> int:
    """Plant, look, print what was missed and a line for each book."""
    total: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    serious: Counter[str] = Counter()
    for path in paths:
        book = Book(Path(path))
        before = Counter((f.rule, f.clause, f.shown, f.message.en) for f in book.found(book.lines))
        chosen = planted(book, PER_BOOK, SEED)
        found = 0
        for one in chosen:
            there = book.found(one.lines)
            new = [f for f in there if before[f.rule, f.clause, f.shown, f.message.en] == 0]
            total[one.kind] += 1
            good = is_found(one, new)
            serious[one.kind] += is_found(one, [f for f in new if f.severity is not Severity.HINT])
            hit[one.kind] += good
            found += good
            if not good:
                print(f"  missed: {Path(path).name}:{one.line} {one.kind}: {one.was[:40]!r} -> {one.now[:40]!r}")
        print(f"{Path(path).name}: {found} of {len(chosen)}")
    print(", ".join(f"{kind} {hit[kind]}/{total[kind]} ({serious[kind]})" for kind in total))
    print(f"all: {hit.total()} of {total.total()}, as errors or warnings {serious.total()} (seed {SEED})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
