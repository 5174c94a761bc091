"""Two sentences that speak of the same thing: one allows and one forbids it, both say when it comes, both limit it, or one says what a
word means that the other uses. That they speak of the same is told by the words they share, the rarer in the draft the heavier."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from ..page import Page, Said, Sentence, said
from ..record import Raised, at
from . import language as to

COVERED = 0.55
"""So much of the words of one has to be said by the other."""
TOUCHED = 0.4
"""The same, where both are limits: these are said again in other words."""
_ALLOWS = said(rf"{to.MAY}|{to.CAN}|[えけせてねべめれげ](?:る|ます)(?:よ|ね)?(?=。|$)", rf"\b(?:{to.MAY_EN}|free action|choice)\b(?! not| never)")
_FORBIDS = said(rf"{to.MUST_NOT}|ない(?:よ|もの)?(?=。|$)|ません(?=。|$)|ナシ|禁止|きんし", rf"\b(?:{to.MUST_NOT_EN}|no \w+ (?:may|can|shall)|neither|never)\b")
_AT = said(r"(?P<event>[^、。]{2,60}?)(?:た(?:とき|時|ら|瞬間|際|場合)|[るうくすつぶむぐぬ](?:とき|時|際|たび))(?!まで)", r"\b(?:when(?:ever)?|as soon as|upon|each time|every time|the moment)\b (?P<event>[^,;.]+)")
_AFTER = said(r"(?P<event>[^、。]{2,60}?)(?:た(?:あと|後|直後|のち)|[てで]から)", r"(?:\bafter|\bonce) (?P<event>[^,;.]+)|(?P<event2>[^,;.]*\bhaving\b[^,;.]*)")
_LIMITS = said(r"まで|だけ|のみ|限り|超え|以下|以内|[1１一]\s*(?:度|回)|しか", r"\b(?:no|only|at most|more than|once|limit|maximum|single|never|one)\b")
_MEANS = said(r"[「『](?P<word>[^」』]{1,10})[」』](?:と(?:は|い|言|呼|よ|す|あ))|(?:を|は)、?(?P<word2>[^、。「」をは]{1,8})と(?:いう|いいます|言う|呼|よ[ぶび])",
              r"\b(?:call(?:s|ed)?|known as|are|is called)\b (?:the |them |it |this |a |an )?[“\"'](?P<word>[A-Za-z -]{3,20})[”\"',]|[“\"](?P<word2>[A-Za-z -]{3,20})[”\"] (?:denotes?|means?|is|refers)|\bis an? (?P<word3>[a-z]+)$|\b(?:is|are) called (?P<word4>[a-z]+)\b|^\W*An? (?P<word5>[a-z]+) is an?\b|^\W*(?P<word6>[A-Za-z]+) means\b")


@dataclass(frozen=True)
class _Part:
    """What is said in a sentence, or in a part of it, as words."""

    at: Sentence
    words: frozenset[str]


def pairs(page: Page) -> Iterator[tuple[str, Raised]]:
    """The later of two sentences that meet, with the clause of the other, by family."""
    sentences = page.sentences
    spread = Counter(word for one in sentences for word in words_of(one.flat))
    tells = {word: log(len(sentences) / n) for word, n in spread.items()}

    def covered(one: _Part, by: _Part) -> float:
        """How much of what one is about the other says, from 0 to 1."""
        both = one.words & by.words
        return sum(tells.get(word, 0) for word in both) / (sum(tells.get(word, 0) for word in one.words) or 1) if len(both) > 1 else 0

    def parts(what: Said, unless: Said | None = None) -> list[_Part]:
        return [_Part(one, words_of(found)) for one in sentences if unless is None or unless.search(one.flat, one.tongue) is None
                for found in _told(what, one)]

    forbidden, allowed = parts(_FORBIDS), parts(_ALLOWS, _FORBIDS)
    now, then = parts(_AT), parts(_AFTER)
    met = [("may-and-must-not", no, may) for no in forbidden for may in allowed
           if (no.at.clause is not may.at.clause and covered(no, may) >= COVERED) or (covered(no, may) and _same_verb(no.at, may.at))]
    met += [("when-and-after", one, two) for one in now for two in then
            if one.at is not two.at and min(covered(one, two), covered(two, one)) >= COVERED]
    for family, one, two in met:
        first, second = sorted((one.at, two.at), key=lambda part: (part.clause.line, part.offset))
        yield family, at(second, 0, len(second.text), "", first.clause)


def _same_verb(no: Sentence, may: Sentence) -> bool:
    """Does one allow, or forbid, whatever else holds, just what the other speaks of?"""
    verbs = [match and next(found for found in match.groups() if found)
             for match in (_NO_VERB.search(no.flat, no.tongue), _MAY_VERB.search(may.flat, may.tongue))]
    return verbs[0] is not None and verbs[0] == verbs[1] and _HOWEVER.anywhere(f"{no.flat} {may.flat}") is not None


_NO_VERB = said(rf"(?P<verb>[一-龠])[ぁ-ん]{{0,3}}?(?:{to.MUST_NOT}|ません|ない(?=。|$))", r"\b(?:cannot|can['’]t|may not|must not) (?:have \w+ )?(?P<verb>[a-z]{3,}?)(?:ed)?\b")
_MAY_VERB = said(rf"(?P<verb>[一-龠])[ぁ-ん]{{0,3}}?(?:{to.MAY}|{to.CAN})", r"\b(?:can|may) (?P<verb>[a-z]{3,}?)(?:ed)?\b")
_HOWEVER = said(r"いかなる|どの[^。]*でも|誰でも|いつでも|たとえ", r"\beven\b|\bany\b|\bevery\b|\balways\b|\bno matter")


def words_of(text: str) -> frozenset[str]:
    """What a text is about: of Japanese its kanji, its katakana and the verbs in kana behind a particle; of English its words, without
    plurals and the ends of verbs."""
    return frozenset(re.sub(r"(?:ing|ed|es|s|e)$", "", to.BASES.get(word, word)) for word in _WORD.findall(text.casefold()) if word not in _COMMON) - {""}


def _told(what: Said, one: Sentence) -> list[str]:
    """What a sentence says in such a way: the part that is named, or all of it."""
    pattern = what.ja if one.tongue == "ja" else what.en
    found = [] if pattern is None else [*pattern.finditer(one.flat)]
    return [next(part for part in match.groups() if part) for match in found] if pattern and pattern.groups else [one.flat] * bool(found)


_WORD = re.compile(r"[一-龠]|[ァ-ヴー]{2,}|(?<=[をにがはへと])[ぁ-ん]{2}|[a-z]{3,}")
_COMMON = frozenset("枚一二三四五六七八九十時場合事") | frozenset(
    "the and any may not never must can one even with that their for are who has its this from have his her two all them they other each "
    "which when after until player card would there then than only once also was were had been into out but some such more most nor be".split())
