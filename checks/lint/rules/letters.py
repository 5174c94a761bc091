"""One letter too few, too many, or swapped with its neighbour, in a word that the draft has right elsewhere.

That a rare word is no word of the language is asked of a dictionary (the extras `ja` and `en`); without one, nothing is
said: `through` and `though`, `ボール` and `ポール` are both meant."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from ....spec.text import Text
from ..findings import Found, Rule, Severity, times
from ..model import Draft
from ..terms import Use, sudachi

_KATAKANA = re.compile(r"(?<![ァ-ヴー])[ァ-ヴ][ァ-ヴー]{2,}")
_LATIN = re.compile(r"(?<![A-Za-z\ufb00-\ufb060-9_’'/.@#\\-])[A-Za-z][a-z]{4,}(?![A-Za-z\ufb00-\ufb060-9_’'/@\-]|\.[a-z])")


def misspelt(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A word that stands once or twice, is none of the language, and is a frequent one but for a letter."""
    yield from _among(draft, rule, _KATAKANA, 3, _unknown_katakana(draft))
    yield from _among(draft, rule, _LATIN, 3, _unknown_english(draft))


BLANKS = 4
"""So many words that are two without a blank are nobody's slip."""
LONGEST = 64
"""Letters of a word: a longer run of them is none, and looking for its neighbours takes the square of its length."""
Unknown = Callable[[str, str], bool] | None


def _among(draft: Draft, rule: Rule, form: re.Pattern[str], often: int, unknown: Unknown) -> Iterator[Found]:
    if unknown is None:
        return
    uses: dict[str, list[Use]] = defaultdict(list)
    for clause in draft.clauses:
        for match in form.finditer(clause.text):
            if len(match[0]) <= LONGEST:
                uses[match[0].casefold()].append(Use(clause, match.start()))
    usual = {word for word, places in uses.items() if len(places) >= often}
    near: dict[str, list[str]] = defaultdict(list)
    for word in usual:
        for k in range(len(word)):
            near[word[:k] + word[k + 1 :]].append(word)
    slips: list[tuple[str, str]] = []
    for word, places in uses.items():
        if len(places) <= 2 and not draft.known.settled(word):
            meant = next((one for one in _alike(word, near, usual) if len(uses[one]) >= often * len(places)), None)
            if meant is not None and unknown(word, meant):
                slips.append((word, meant))
    glued = {word for word, _ in slips if _two_words(word, uses)}
    for word, meant in slips:
        if len(glued) > BLANKS and word in glued:
            continue  # blanks were lost in the reading
        places = uses[word]
        first = places[0]
        if first.clause.text[first.offset].isupper() or _cut_by_a_line(first, word, meant):
            continue  # a name, or one word of a title; a word in two lines
        shown = first.clause.text[first.offset : first.offset + len(word)]
        yield rule.at(
            first.clause,
            first.offset,
            Text(
                ja=f"「{shown}」は「{meant}」（{len(uses[meant])} 回）の誤りと思われます",
                en=f"{shown} probably is {meant} ({times(len(uses[meant]))})",
            ),
            shown,
            suggestion=Text(ja=f"「{meant}」のことですか", en=f"did you mean {meant}?"),
            signs=not word.isascii() or _among_english(first.clause.text, first.offset),
        )


AROUND = 100
"""Letters on each side of a word that tell the language."""


def _among_english(text: str, offset: int) -> bool:
    """Are the words around a place those of English?"""
    checker = _english()
    words = {word.casefold() for word in _LATIN.findall(text[max(0, offset - AROUND) : offset + AROUND])}
    return checker is not None and 2 * len(checker.unknown(words)) <= len(words) + 1


_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "if",
        "in",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "so",
        "the",
        "to",
        "up",
        "was",
        "you",
    ]
)


def _two_words(word: str, words: Container[str]) -> bool:
    checker = _english() if word.isascii() else None

    def is_word(part: str) -> bool:
        known = checker is not None and len(part) >= 3 and bool(checker.known([part]))
        return part in _SMALL or part in words or known

    return any(is_word(word[:k]) and is_word(word[k:]) for k in range(1, len(word)))


def _cut_by_a_line(use: Use, word: str, meant: str) -> bool:
    """Does the rest of the word stand at the end of the line before, or the beginning of the next?"""
    text, end = use.clause.text, use.offset + len(word)
    before, after = text[: use.offset].rstrip(), text[end:].lstrip()
    gone = len(meant) - len(word)
    if gone <= 0:
        return False
    behind = len(before) < use.offset and before.casefold().endswith(meant[:gone]) and meant.endswith(word)
    ahead = len(after) < len(text) - end and after.casefold().startswith(meant[-gone:]) and meant.startswith(word)
    return behind or ahead


def _alike(word: str, near: dict[str, list[str]], usual: set[str]) -> Sequence[str]:
    """The usual words that differ in one letter: one more, one fewer, another, two neighbours swapped. First the longest."""
    found = {one for one in near.get(word, ()) if len(one) >= 5}
    for k in range(len(word)):
        shorter = word[:k] + word[k + 1 :]
        if shorter in usual and len(shorter) >= 4:
            found.add(shorter)
        found.update(one for one in near.get(shorter, ()) if len(one) >= 5 and _one_place(one, word))
    found.discard(word)
    return sorted((one for one in found if not _inflected(one, word)), key=lambda one: (-len(one), one))


def _one_place(one: str, other: str) -> bool:
    """Do two words of one length differ in one letter, or in two neighbours that are swapped?"""
    different = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(different) == 1:
        # Game words are made from others (`scries`): of short English ones, another letter makes another word.
        return _look_alike(one[different[0]], other[different[0]]) if not one.isascii() else len(one) >= 8
    return len(different) == 2 and different[1] == different[0] + 1


_SIMILAR = ("ソン", "シツ", "ニ二", "カヵ", "ワウ", "クタ", "ラヲ", "コユ", "マム", "ノメ", "ヌス", "アマ", "チテ")


def _look_alike(one: str, other: str) -> bool:
    """Kana that are written alike: with and without marks, small and large, or of a similar form."""
    plain = [unicodedata.normalize("NFD", c)[0].translate(_SMALL_KANA) for c in (one, other)]
    return plain[0] == plain[1] or any(set(plain) == set(pair) for pair in _SIMILAR)


_SMALL_KANA = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ")


def _inflected(one: str, other: str) -> bool:
    """Do they differ in their last letters only (`card`, `cards`; `プレイヤ`, `プレイヤー`)?"""
    shorter, longer = sorted((one, other), key=len)
    if longer[1:] == shorter and longer == other and longer.isascii():
        return longer[0] != "a"  # `xinput` is another word, `amajority` two
    if longer == f"{shorter[:-1]}アー":
        return True  # who does it: `レビュー`, `レビュアー`
    return longer.startswith(shorter) or (shorter[:-1] == longer[:-1] and len(one) == len(other) and one.isascii())


def _unknown_katakana(draft: Draft) -> Unknown:
    tokenizer = sudachi() if draft.dictionary else None
    if tokenizer is None:
        return None

    def unknown(word: str, meant: str) -> bool:
        pieces = tokenizer.tokenize(word)
        if not any(piece.is_oov() for piece in pieces):
            # A word, or made of words: a slip if it is the same word in another spelling, or put together where what is
            # meant is one word.
            if [piece.normalized_form() for piece in pieces] == [
                p.normalized_form() for p in tokenizer.tokenize(meant)
            ]:
                return True
            return len(pieces) > 1 and len(word) < len(meant) and len(tokenizer.tokenize(meant)) == 1
        return True

    return unknown


def _unknown_english(draft: Draft) -> Unknown:
    """Nothing is unknown where the words of the draft are those of another language. The dictionary is loaded when a word is asked for."""

    @cache
    def foreign() -> bool:
        words = {word.casefold() for word in _LATIN.findall(draft.text)}
        return _english() is None or len(_english().unknown(words)) * 2 > len(words)

    return lambda word, meant: not foreign() and not _english().known([word])


@cache
def _english() -> Any:
    """The words of English, where the extra `en` is installed."""
    try:
        from spellchecker import SpellChecker  # pyright: ignore[reportMissingImports]

        return SpellChecker(language="en")
    except Exception:  # a broken installation of the extra must not end the linting
        return None


RULES = (
    Rule(
        "word-misspelt", Severity.WARNING, Text("語の綴りの誤り", "word that lacks a letter, or has another"), misspelt
    ),
)
