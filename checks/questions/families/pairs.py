"""Two sentences that speak of the same thing: one allows and one forbids it, or both say when it comes. That they speak of the same is told
by the words they share, the rarer in the draft the heavier."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from math import log

from ..page import Page, Said, Sentence, said
from ..record import Raised, at
from . import language as to

COVERED = 0.55
"""So much of the words of one has to be said by the other."""
_ALLOWS = said(rf"(?:{to.MAY}|{to.CAN})(?![一-龠ァ-ヴ])|(?:{to.ABLE}|(?:でも|から|まで)[^、。]{{0,12}}られ(?:る|ます))(?=よ|ね|。|$)", rf"\b(?:{to.MAY_EN}|free action)\b(?! not| never)")
_FORBIDS = said(rf"(?:{to.MUST_NOT}|(?:[えけせべめげれ]|られ)(?:ない|ません))(?=[。、がしのと]|$)|ナシ|禁止|きんし", rf"(?<!\bit )(?<!\bthat )(?<!\bwhich )(?<!\bwho )\b(?:{to.MUST_NOT_EN}|no \w+ (?:may|can|shall)|never)\b")
_EXCEPTS = said(r"を除[きいく]|例外|でない(?:限り|かぎり)|以外", r"\bunless\b|\bexcept\b|\bother than\b")
# A prohibition that names its exceptions itself leaves to none which of the two holds.
_EVENTS = (
    said(r"(?P<event>[^、。]{1,60}?[るうくすつぶむぐぬ])(?:とき|時|際|たび)(?!まで)", r"(?:\bas|\bwould) (?P<event>[^,;.]+)"),
    said(r"(?P<event>[^、。]{1,60}?[ただ])(?:とき|時|ら|瞬間|際|場合)(?!まで|、?次)", r"\b(?:when(?:ever)?|as soon as|upon|each time|every time|the moment)\b (?P<event>[^,;.]+)"),
    said(r"(?P<event>[^、。]{1,60}?[ただてで])(?:あと|後|直後|のち|から)", r"(?:\bafter|\bonce) (?!each|every|any)(?P<event>[^,;.]+)|(?P<event2>[^,;.]*\bhaving\b[^,;.]*)"),
)
# Of a time before something happens, when it does, and after it.
_Part = tuple[Sentence, frozenset[str]]
# What is said in a sentence, or in a part of it, as words.


class _Compared:
    """The parts of a draft's sentences, and how much of one another says: the rarer a word, the more it tells."""

    def __init__(self, page: Page) -> None:
        self._sentences = page.sentences
        spread = Counter(word for one in page.sentences for word in words_of(one.flat))
        self._tells = defaultdict(float, {word: log(1 + len(page.sentences) / n) for word, n in spread.items()})

    def parts(self, what: Said, unless: Said | None = None) -> list[_Part]:
        """What is said in such a way, but for sentences that say the other."""
        return [(one, words_of(next((part for part in match.groups() if part), one.flat)))
                for one in self._sentences if unless is None or unless.search(one.flat, one.tongue) is None
                for match in what.every(one.flat, one.tongue)]

    def covered(self, one: _Part, by: _Part) -> float:
        """How much of what one is about the other says, from 0 to 1."""
        both = one[1] & by[1]
        tells = self._tells.__getitem__
        return sum(map(tells, both)) / sum(map(tells, one[1])) if len(both) > 1 else 0


_compared = lru_cache(maxsize=1)(_Compared)
"""Of the draft that is asked about: both families go through the same words."""


def opposed(page: Page) -> Iterator[Raised]:
    """One sentence allows what another forbids."""
    by = _compared(page)
    for no, may in product(by.parts(_FORBIDS, _EXCEPTS), by.parts(_ALLOWS, _FORBIDS)):
        share = by.covered(no, may) or float(no[1] == may[1])
        apart = no[0].clause is not may[0].clause
        if (apart and share >= COVERED) or (
            share and (apart or _KEYWORD.match(may[0].flat)) and _same_verb(no[0], may[0])
        ):
            yield _later(no, may)


def same_event(page: Page) -> Iterator[Raised]:
    """Two sentences speak of one event, one of the time before or when it happens, the other of after it."""
    by = _compared(page)
    for now, then in combinations([by.parts(one) for one in _EVENTS], 2):
        for one, two in product(now, then):
            if one[0] is not two[0] and min(by.covered(one, two), by.covered(two, one)) >= COVERED:
                yield _later(one, two)


def _later(*parts: _Part) -> Raised:
    first, second = sorted((part[0] for part in parts), key=lambda one: (one.clause.line, one.offset))
    return at(second, 0, len(second.text), "", first.clause)


def _same_verb(no: Sentence, may: Sentence) -> bool:
    # One allows, or forbids, whatever else holds, what the other speaks of.
    verbs = [match and next(found for found in match.groups() if found)
             for match in (_NO_VERB.search(no.flat, no.tongue), _MAY_VERB.search(may.flat, may.tongue))]
    shared = {*_NOUN.findall(no.flat.casefold())} & {*_NOUN.findall(may.flat.casefold())}
    return (verbs[0] is not None and verbs[0] == verbs[1] and _HOWEVER.anywhere(f"{no.flat} {may.flat}") is not None
            and bool(shared - _COMMON - _ANY_BOOK))


_NO_VERB = said(rf"(?P<verb>[一-龠])[ぁ-ん]{{0,3}}?(?:{to.MUST_NOT}|ません|ない(?=。|$))", r"\b(?:cannot|can['’]t|may not|must not) (?:have \w+ )?(?P<verb>[a-z]{3,}?)(?:e|ed)?\b")
_MAY_VERB = said(rf"(?P<verb>[一-龠])[ぁ-ん]{{0,3}}?(?:{to.MAY}|{to.CAN})", r"\b(?:can|may) (?P<verb>[a-z]{3,}?)(?:e|ed)?\b")
_KEYWORD = re.compile(r"[「“\"]|[A-Z]\w+: ")
_NOUN = re.compile(r"[一-龠]+(?=を)|[一-龠]{2,}|[ァ-ヴー]{2,}|[a-z]{4,}")
_ANY_BOOK = {"カード", "プレイヤー", "使用"}
# Of whichever book: that they share these does not make two sentences speak of the same.
_HOWEVER = said(r"何があっ|いかなる|どの[^。]*でも|誰でも|いつでも|たとえ", r"\beven\b|\bany\b|\bevery\b|\balways\b|\bno matter")


def words_of(text: str) -> frozenset[str]:
    """What a text is about: of Japanese its kanji, its katakana and the verbs in kana behind a particle; of English its words, without
    plurals and the ends of verbs."""
    return frozenset(re.sub(r"(?:ing|ed|es|s|e)$", "", to.BASES.get(word) or word)
                     for word in _WORD.findall(text.casefold()) if word not in _COMMON) - _COMMON


_WORD = re.compile(r"[一-龠]|[ァ-ヴー]{2,}|(?<=[をにがはへと])(?!なら|いけ|なり|でき|あ[るっり]|い[るま]|する|し[てま]|な[るっい]|こと|よい)[ぁ-ん]{2}|[a-z]{3,}")
_COMMON = frozenset("枚一二三四五六七八九十時場合事") | frozenset(
    ["the", "and", "any", "may", "not", "never", "must", "can", "one", "even", "with", "that", "their", "for",
     "are", "who", "has", "its", "this", "from", "have", "his", "her", "two", "all", "them", "they", "other",
     "each", "which", "when", "after", "until", "player", "card", "would", "there", "then", "than", "only",
     "once", "also", "was", "were", "had", "been", "into", "out", "but", "some", "such", "more", "most", "nor",
     "be"])
