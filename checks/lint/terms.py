"""The terms of a draft: what is defined, what is used, and how words are found in Japanese text.

Words are maximal runs of nouns (with the extra `ja`: sudachipy and its small dictionary), else runs of kanji, katakana
and Latin letters. Definitions are headings, `Xとは`, and names in brackets that are introduced (`「X」と呼ぶ`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...spec.schema import Fields, list_of, map_of, raw, read_file, record, text
from ...spec.text import Text
from .findings import times
from .model import Clause, Draft, Known, Located
from .numbering import same_width

RUN = re.compile(r"[一-龠々〆ヶァ-ヴーA-Za-z☆★＆&・]*[一-龠々ァ-ヴーA-Za-z]")
_KANJI = re.compile(r"[一-龠々ァ-ヴー]")
_DEFINED = (
    re.compile(r"(?:^|[。、\n])[‘「『“]?(?P<t>[^‘’「」『』“”。、\n（）()はがを]{2,20})[’」』”]?とは"),
    re.compile(
        r"[‘「『“《](?P<t>[^‘’「」『』“”《》\n]{2,20})[’」』”》](?:と呼|といい|という|と言|と称|と表記|とする|といった|と略|と定義)"
    ),
    re.compile(r"(?P<t>[一-龠々ァ-ヴーA-Za-z・]{2,20})(?:と呼[ぶびば]|といいます|と言います|と称[しす])"),
    re.compile(r"(?:^|\n)(?P<t>[^\s、。：:（）()]{2,20})[：:](?=[^\s:：/])"),
    re.compile(r"[（(]以[下後降]、?[「『‘]?(?P<t>[^（）()「」『』‘’、。\n]{2,20}?)[」』’]?(?:と[^（）()]{1,6})?[）)]"),
)
_ENUMERATED = re.compile(r"(?P<all>(?:[^\s、。・「」（）()はがをにで]{1,10}[・、]){1,20}[^\s、。・「」（）()はがをにで]{1,10}?)の\s*[\d一二三四五六七八九十]+つの(?P<head>[一-龠々ァ-ヴー]{2,10})")
_BRACKETED = re.compile(r"[‘「『“《〈<【](?P<t>[^‘’「」『』“”《》〈〉<>【】\n。、]{2,20})[’」』”》〉>】]")
_KANJI_OR_LATIN = re.compile(r"[一-龠々ァ-ヴーA-Za-z]")
_SCRIPTS = tuple(re.compile(kind) for kind in (r"[一-龠々]", r"[ァ-ヴー・]", r"[A-Za-z]"))
_VALUE = re.compile(r"は(?:原則|通常|常に)?(?:、)?[\d一二三四五六七八九十]+")


def _known(m: Fields) -> Known:
    if m.has("terms", "用語"):
        m.rest(raw)  # a book's own file of terms, where the draft lies in the book's folder: it says nothing of wording
        return Known()
    accepted = m.optional("accepted", list_of(text), "認める", default=())
    synonyms = m.optional("synonyms", map_of(list_of(text)), "同義語", default={})
    ignore = m.optional("ignore", list_of(text), "無視", default=())
    return Known(
        frozenset(accepted or ()),
        tuple(frozenset({name, *others.value}) for name, others in (synonyms or {}).items()),
        frozenset(ignore or ()),
    )


def read_known(path: Path) -> Known:
    """The writer's `terms.yaml`; of a book's file of that name, nothing. Raises BadInput."""
    return read_file(path, record(_known))


@dataclass
class Use:
    """Where a word stands."""

    clause: Clause
    offset: int


@dataclass(frozen=True)
class Standing:
    """How often a name stands in a draft, and how to say it."""

    count: int
    compound: bool
    """Does it stand in longer words too?"""
    lines: tuple[int, ...] = ()
    """Lines on which it stands after the first."""
    located: Located = field(default_factory=Located)

    @property
    def said(self) -> Text:
        """`3 回`, `3 回、複合語も含む`; `3 times`."""
        return Text(
            f"{self.count} 回{'、複合語も含む' if self.compound else ''}",
            times(self.count) + (", in compounds too" if self.compound else ""),
        )

    @property
    def listed(self) -> Text:
        """The same, with the other lines: `3 回、ほかに 7、9 行目`."""
        if not self.lines:
            return self.said
        there = self.located.on(*self.lines[:8], more=len(self.lines) > 8)
        return Text(f"{self.said.ja}、ほかに {there.ja}", f"{self.said.en}, also on {there.en}")


def other_lines(lines: Iterable[int]) -> tuple[int, ...]:
    """The lines after the first, each once."""
    return tuple(dict.fromkeys(lines))[1:]


@dataclass
class Terms:
    """The words of a draft."""

    analyser: str
    """`sudachi`, or `script` where words are runs of one script."""
    uses: dict[str, list[Use]] = field(default_factory=lambda: defaultdict(list))
    defined: set[str] = field(default_factory=set)
    bracketed: dict[str, list[Use]] = field(default_factory=lambda: defaultdict(list))
    pieces: dict[str, list[Use]] = field(default_factory=lambda: defaultdict(list))
    """The words, and the katakana words within longer ones."""
    known: Known = field(default_factory=Known)
    located: Located = field(default_factory=Located)
    written: list[Clause] = field(default_factory=list)
    """All that is counted: the entries of the contents and the clauses."""

    def count(self, name: str) -> int:
        """How often a word occurs."""
        return len(self.uses.get(name, ()))

    def standing(self, name: str, known: Iterable[Use] = ()) -> Standing:
        """Every place at which a name stands, in the contents too: not where it is a part of a longer run of its own
        script (`キャラ` in `キャラクター`), unless it is known to be a word there."""
        places: dict[tuple[int, int], bool] = {}
        words = {(id(use.clause), use.offset) for use in (*known, *self.uses.get(name, ()))}
        for clause in self.written:
            text = clause.text if clause.passage.starts else clause.title
            begin = text.find(name)
            while begin >= 0:
                before, after = text[max(0, begin - 1) : begin], text[begin + len(name) : begin + len(name) + 1]
                inside = same_script(before, name[0]) or same_script(name[-1], after)
                if not inside or (id(clause), begin) in words:
                    line = clause.passage.at(begin)[0] if clause.passage.starts else clause.line
                    places[line, begin] = bool(_KANJI_OR_LATIN.match(before) or _KANJI_OR_LATIN.match(after))
                begin = text.find(name, begin + 1)
        lines = [line for line, _ in sorted(places)]
        return Standing(len(places), any(places.values()), other_lines(lines), self.located)


FEW = 20
"""Names that are looked for one by one."""


def places_in(texts: Sequence[str], names: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
    """Where each name begins: in which of the texts, and at which place of it. All names of a length are looked for at once, so that the time grows
    with the texts."""
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    by_length: dict[int, list[str]] = defaultdict(list)
    for name in found:
        by_length[len(name)].append(name)
    for length, some in by_length.items():
        for number, whole in enumerate(texts):
            if len(some) <= FEW:
                for name in some:
                    begin = whole.find(name)
                    while begin >= 0:
                        found[name].append((number, begin))
                        begin = whole.find(name, begin + 1)
            else:
                for begin in range(len(whole) - length + 1):
                    if (places := found.get(whole[begin : begin + length])) is not None:
                        places.append((number, begin))
    return found


def collect(draft: Draft, known: Known, dictionary: bool = True) -> Terms:
    """All words of a draft."""
    tokenizer = sudachi() if dictionary else None
    listed = draft.contents.entries if draft.contents else []
    terms = Terms(
        "sudachi" if tokenizer else "script", known=known, located=draft.located, written=[*listed, *draft.clauses]
    )
    terms.defined = defined_in(draft)
    for clause in draft.clauses:
        text = clause.text
        for offset, word in noun_runs(text, tokenizer) if tokenizer else script_runs(text):
            terms.uses[word].append(Use(clause, offset))
        for match in _BRACKETED.finditer(text):
            terms.bracketed[match["t"].strip()].append(Use(clause, match.start("t")))
    return terms


def defined_in(draft: Draft) -> set[str]:
    """The names that a draft defines, as far as forms of words show it."""
    found: set[str] = set()
    for clause in draft.clauses:
        text = clause.text
        if clause.headlike:
            found.update(_heads(clause.title))
        if "つの" in text:
            found.update(one + m["head"] for m in _ENUMERATED.finditer(text) for one in re.split("[・、]", m["all"]))
        for pattern in _DEFINED:
            found.update(m["t"].strip("‘’「」『』 ") for m in pattern.finditer(text))
    return found


class Vocabulary:
    """The words of the draft that is being looked at; found once for all rules."""

    def __init__(self) -> None:
        self._draft: Draft | None = None
        self._terms: Terms | None = None

    def of(self, draft: Draft) -> Terms:
        """The words of a draft."""
        if self._draft is not draft or self._terms is None:
            self._draft, self._terms = draft, collect(draft, draft.known, draft.dictionary)
        return self._terms


vocabulary = Vocabulary()


def _heads(title: str) -> Iterator[str]:
    plain = re.sub(r"[（(].*?[)）]", "", title)
    yield plain.strip("「」『』<>〈〉《》【】 ")
    for run in RUN.findall(title):
        yield run
        yield from run.split("・")


def script_runs(text: str) -> Iterator[tuple[int, str]]:
    """Runs of kanji, katakana and Latin letters."""
    for match in RUN.finditer(text):
        word = match[0].lstrip("・ー")
        if len(word) >= 2 and _KANJI.search(word):
            yield match.start() + len(match[0]) - len(word), word


@cache
def sudachi() -> Any:
    """A tokenizer, where the extra `ja` is installed."""
    try:
        from sudachipy import Dictionary  # pyright: ignore[reportMissingImports]

        dictionary: Any = Dictionary(dict="small")
        return dictionary.tokenizer() if hasattr(dictionary, "tokenizer") else dictionary.create()
    except Exception:  # a broken installation of the extra must not end the linting
        return None


_NOUNS = frozenset({"名詞", "接頭辞", "接尾辞", "形状詞"})
_NOT_NOUNS = frozenset({"数詞", "助数詞", "助動詞語幹", "動詞的", "形容詞的"})


def noun_runs(text: str, tokenizer: Any) -> Iterator[tuple[int, str]]:
    """Maximal runs of nouns (and prefixes, suffixes, `・` between katakana)."""
    for begin in range(0, len(text), 8000):
        piece = text[begin : begin + 8000]
        start, end = -1, -1
        for morpheme in tokenizer.tokenize(piece):
            kind = morpheme.part_of_speech()
            surface = morpheme.surface()
            noun = kind[0] in _NOUNS and kind[1] not in _NOT_NOUNS
            noun = (noun and not re.fullmatch(r"[ぁ-ん]+|[\d０-９]+", surface)) or surface in ("・", "ー", "☆")
            if noun:
                start = morpheme.begin() if start < 0 else start
                end = morpheme.end()
            elif start >= 0:
                yield from _run(piece, start, end, begin)
                start = -1
        if start >= 0:
            yield from _run(piece, start, end, begin)


def _run(piece: str, start: int, end: int, begin: int) -> Iterator[tuple[int, str]]:
    word = piece[start:end]
    bare = word.strip("・－−")
    if len(bare) >= 2 and _KANJI.search(bare):
        yield begin + start + len(word) - len(word.lstrip("・")), bare


_KANA = str.maketrans("ァィゥェォッャュョヮヰヱ", "アイウエオツヤユヨワイエ")
"""Small and old kana, and what they are taken for."""


def spelled(name: str) -> str:
    """A name without what only its spelling adds: `・`, spaces, width, case, small kana, a long mark at the end."""
    plain = same_width(name).casefold()
    plain = re.sub(r"[・\s\-‐=＝]", "", plain).translate(_KANA)
    return re.sub(r"(?<=[ァ-ヴー]{3})ー$", "", plain)


def defined_value(draft: Draft, name: str) -> bool:
    """Is a value stated somewhere (`Xは7`)?"""
    return any(_VALUE.match(draft.text, m.end()) for m in re.finditer(re.escape(name), draft.text))


def same_script(one: str, other: str) -> bool:
    """Are both letters kanji, katakana, or Latin?"""
    return any(kind.match(one) and kind.match(other) for kind in _SCRIPTS)


def unique(names: Iterable[str]) -> list[str]:
    """Each once, in order."""
    return list(dict.fromkeys(names))
