"""The registers hold every clause of their rule books, and no other.

The books' texts are not part of the project. Where they lie beside it, the numbers are taken from them and
compared; elsewhere these tests are skipped, and say so.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright import spec
from rulewright.spec.readers import ClauseKind, read_clauses, read_terms

from ..texts import ABSENT, TEXTS

REGISTERS = {path.parent.name: path for folder in spec.__path__ for path in Path(folder).glob("*/clauses.yaml")}


def unique(ids: Iterator[str]) -> list[str]:
    """A number that is printed twice is told apart: the second time it is `…の2`."""
    seen: Counter[str] = Counter()
    told: list[str] = []
    for number in ids:
        seen[number] += 1
        told.append(number if seen[number] == 1 else f"{number}の{seen[number]}")
    return told


# ---------------------------------------------------------------- one book each
def hanayome(text: str) -> Iterator[str]:
    """The numbers as printed: chapters `2.`, clauses `2.10.1.`, the table of contents aside."""
    for line in text.partition("総合ルール本文")[2].splitlines():
        if found := re.match(r"[\s-]*(\d+(?:\.\d+)*)\.(?:\s|$)", line):
            yield found[1]


def harem_master(text: str) -> Iterator[str]:
    """The numbers as printed: chapters `1`, rules `102`, `102.3`, `306.5m`."""
    for line in text.splitlines():
        if found := re.match(r"(\d{3}(?:\.\d+[a-z]?)?)(?=[ .])|(\d)\.(?=\D)", line):
            yield found[1] or found[2]


def ts_fight(text: str) -> Iterator[str]:
    """The numbers start again in every chapter. Paragraphs are indented; what is not and has no number is a title."""
    chapter = section = item = ""
    bullets = 0
    for line in text.splitlines():
        if found := re.match(r"第(\d+)章", line):
            chapter = section = item = found[0]
        elif not chapter or chapter == "第0章":
            continue
        elif found := re.match(r"(\d+(?:\.\d+)?)\.", line):
            section = item = chapter + found[1]
        elif found := re.match(r"\(\d+\)", line):
            item = section + found[0]
        elif re.match(r"\s*・", line):
            bullets += 1
            yield f"{item}・{bullets}"
            continue
        elif line.startswith("※"):
            item = chapter + "※"
        elif re.match(r"[^\s].*[^。]$", line) and not line.startswith("玄関へ"):
            item = f"{section}「{line}」"
        else:
            continue
        bullets = 0
        yield item


def shinso(text: str) -> Iterator[str]:
    """Nothing is numbered but the items of some lists: headings, list items, and paragraphs where a heading has
    more than one."""
    for part in re.split(r"^#+ ", re.sub(r"```.*?```|!\[.*?\)", "", text, flags=re.DOTALL), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        name = re.sub(r"\s", "", title)
        yield name
        paragraphs: list[str] = []
        items: list[str] = []
        within, bullets, nested, new = "", 0, 0, True
        for line in body.splitlines():
            if found := re.match(r"\s*(\d+)\. ", line):
                within, nested = f".{found[1]}", 0
                items.append(name + within)
            elif re.match(r"\s+\* ", line) and within:
                nested += 1
                items.append(f"{name}{within}・{nested}")
            elif re.match(r"\s*\* ", line):
                bullets += 1
                items.append(f"{name}・{bullets}")
            elif line.strip():
                if new:
                    paragraphs.append(f"{name}第{len(paragraphs) + 1}段落")
                new = False
                continue
            new = True
        yield from paragraphs if len(paragraphs) > 1 else []
        yield from items


_STEP = re.compile(
    r"(?:- )?(?:(\d+(?:-\d+)?|[ab])\)|(\d)\. |((?:i{1,3}|iv|v|vi{1,3})(?:-[AB])?)\s*(?:[:)]| (?=その)))")


def sakura(text: str) -> Iterator[str]:
    """Core rules, add-on rules and appendices each start again. Numbered lines are headings, marked or not."""
    parts = iter(["", "core", "追加"])
    part = name = ""
    for line in text.splitlines():
        line = line.strip().replace("**", "")
        title = re.sub(r"^#+ *", "", line)
        marked, numbered, prefix = title != line, part in ("core", "追加"), "追加" if part == "追加" else ""
        if re.match(r"# 『新幕 *桜降る代に決闘を』", line):
            part = next(parts)
        elif marked and title in (["はじめに"] if not part else ["コアルール", "追加ルール"] if numbered else []):
            part = name = part or title
            if not numbered:
                yield name
        elif marked and (found := re.match(r"附則 ?(\d)", title)):
            part = name = f"附則{found[1]}"
            yield name
        elif numbered and (found := (re.match(r"§\d+", title) if marked else None) or (
                re.match(r"\d+(?:-\d+)+(?=\D)(?!\))", title) if marked else re.fullmatch(r"(\d+-\d+-\d+)\s\S+", line))):
            name = prefix + found[found.re.groups]
            yield name
        elif marked and (found := re.match(r"([AB])\. ", title)):
            yield f"{name}.{found[1]}"
        elif marked and part and not (title.startswith("「") and not title.endswith("」")):
            yield f"{part if not numbered else name}「{title.strip('「」')}」"
        elif found := _STEP.match(title):
            yield f"{name}.{found[1] or found[2] or found[3]}"


BOOKS: dict[str, tuple[str, Callable[[str], Iterator[str]]]] = {
    "hanayome": ("000", hanayome),
    "harem_master": ("001", harem_master),
    "sakura": ("002", sakura),
    "ts_fight": ("003", ts_fight),
    "shinso": ("004", shinso),
}


def text_of(book: str) -> str:
    """The text of a rule book, which lies beside the project or nowhere."""
    found = sorted(TEXTS.glob(f"{BOOKS[book][0]}_*.txt"))
    if not found:
        pytest.skip(ABSENT)
    return found[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_of_the_text_is_registered_once_and_in_order(book: str) -> None:
    printed = unique(BOOKS[book][1](text_of(book)))
    registered = [clause.id.value for clause in read_clauses(REGISTERS[book]).clauses]
    assert [number for number in printed if number not in registered] == [], "not registered"
    assert [number for number in registered if number not in printed] == [], "not in the text"
    assert registered == printed


@pytest.mark.parametrize("book", BOOKS)
def test_no_gist_is_a_sentence_of_the_book(book: str) -> None:
    def bare(text: str) -> str:
        return re.sub(r"[\s、。,.・「」『』()（）]", "", text)

    sentences = {bare(part) for part in re.split(r"[。\n]", text_of(book))}
    gists = [clause for clause in read_clauses(REGISTERS[book]).clauses if clause.kind is not ClauseKind.HEADING]
    said = [(clause.id.value, bare(part)) for clause in gists for part in clause.gist.ja.split("。")]
    assert [(number, part) for number, part in said if len(part) >= 15 and part in sentences] == []


@pytest.mark.parametrize("book", REGISTERS)
def test_every_gist_is_one_line_and_every_term_has_its_own_name(book: str) -> None:
    clauses = read_clauses(REGISTERS[book])
    assert all("\n" not in clause.gist.ja + clause.gist.en for clause in clauses.clauses)
    terms = read_terms(REGISTERS[book].with_name("terms.yaml"), clauses.ids).terms
    for names in ([term.name.ja for term in terms], [term.name.en for term in terms]):
        assert [name for name, count in Counter(names).items() if count > 1] == []
