"""What is found by the parts that sentences play together: a condition and its other branch, a person and who was named before, the
places of a game and who may see into them, a result and what else may come at the same time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from ..page import Page, Said, Sentence, flat, said
from ..record import Raised, at
from . import language as to


def structure(page: Page) -> Iterator[tuple[str, Raised]]:
    """What the parts of sentences leave open together, by family."""
    roles = _roles(page)
    clauses = [[*group] for _, group in groupby(page.sentences, attrgetter("clause"))]
    for clause in clauses:
        yield from _one_branch(clause)
        yield from _nobody_named(roles, clause)
    yield from _unseen(page, clauses)
    yield from _at_the_same_time(page)
    yield from _one_case(page)


# ---------------------------------------------------------------- the other branch
_OUTCOME = said(r"めく|示す|表に|公開|振|ふ[るり]|比べ|くらべ|見て|見る|調べ|か(?:否|どうか|を選|を決)|申し|提案|宣言|当て|賭|引き、|確か", r"\b(?:turns?|reveals?|flips?|offers?|examine[sd]?|compares?|rolls?|looks?|guess\w*|names?|bids?|checks?|tests?|decides?|chooses?|draws?|calls?|counts?)\b")
"""What comes of it is not known beforehand."""
_BRANCH = said(r"(?P<what>[一-龠ァ-ヴー]+)[^、。一-龠ァ-ヴー]{0,4}(?:なら(?:ば)?|[たっだ](?:とき|時|場合)(?:は|に|、)|[えけせてねべめれげ]ば|[たっだ]ら|(?:い|る|の)(?:とき|場合)(?:は|に|、))、?", r"(?:^|[.;:] |, |and )if (?P<what>[^,;]{3,60}),")
_NO_BRANCH = said(r"聞かれ|全員|双方|同時|終わ|超え|より多|いくつも|何人も|無い|ない|なけれ|ず(?:に|、)|尽き|空|足り|ぬ", r"\b(?:runs? out|more than|third|would|several|both|equal|must|no|not|none|neither|nobody|cannot|can['’]t|empty|otherwise|fewer|\w+n['’]t|unless)\b")
_ELSE = said(r"そうでな|それ以外|以外|ほか|他の|もう一方|残り|外れ|でなければ|しなければ|どちらで", r"\botherwise\b|\belse\b|\bif (?:not|it fails)\b|\bany other\b|\bwhether or not\b|\beither way\b")


def _one_branch(clause: list[Sentence]) -> Iterator[tuple[str, Raised]]:
    """A condition on what was just found out, after which the clause says nothing of the other outcome."""
    for k, one in enumerate(clause):
        match = _BRANCH.search(one.flat, one.tongue)
        before = " ".join(two.flat for two in clause[:k]) + one.flat[: match.start() if match else 0]
        if match is None or _NO_BRANCH.search(match[0], one.tongue) or not _OUTCOME.search(before, one.tongue):
            continue
        after = " ".join((one.flat[match.end() :], *(two.flat for two in clause[k + 1 :])))
        others = [two["what"] for two in _every(_BRANCH, after, one.tongue)]
        told = any(_alike(match["what"], two) for two in others) if one.tongue == "ja" else any("empty" not in two for two in others)
        negated = one.tongue == "ja" and re.search(rf"{re.escape(match['what'][-1])}[^。、一-龠]{{0,3}}な(?:い|けれ|か)", after)
        if not told and not negated and not _ELSE.search(after, one.tongue) and not _ELSE.search(one.flat, one.tongue):
            yield "no-otherwise", at(one, match.start(), match.end(), "")
        return


def _alike(one: str, two: str) -> bool:
    return bool({*one} & {*two})


def _every(what: Said, text: str, tongue: str) -> list[re.Match[str]]:
    pattern = what.ja if tongue == "ja" else what.en
    return [*pattern.finditer(text)]


# ---------------------------------------------------------------- who is meant
_ROLE = said(r"(?:一名の|各|相手の|手番の|当該の|その|勝った|負けた|ある|どの|ほかの|他の|先の)(?P<role>[一-龠ァ-ヴー]{2,6})(?=[がはのをに、])|(?P<role2>[一-龠ァ-ヴー]{1,6})(?:の勝ち|[がは]、?(?:勝|敗|負))", r"\b(?:each|another|opposing|other|active|that|every|neither|no) (?P<role>[a-z]+?)s?\b(?=[ ,'’.])|\b(?P<role2>[a-z]+?)s? (?:wins?|loses?|may)\b")


def _roles(page: Page) -> dict[str, str]:
    """What a draft calls its players, by language: the word that most often stands with 'each', 'that', 'the opposing'."""
    found: dict[str, Counter[str]] = {"ja": Counter(), "en": Counter()}
    for one in page.sentences:
        for match in _every(_ROLE, one.flat, one.tongue):
            found[one.tongue].update(word for word in match.groups() if word)
    return {tongue: "|".join(re.escape(word) for word, n in words.most_common(1) if n > 1) or "プレイヤー|player" for tongue, words in found.items()}


_SOMEBODY = r"(?:人|者|プレイヤー|相手|だれ|誰|全員|みんな|あなた|親|双方|各自|持ち主|側)"
_SOMEBODY_EN = r"\b(?:you|your|who|whose|its? (?:owner|controller|taker)|an? (?:owner|controller))\b"


def _nobody_named(roles: dict[str, str], clause: list[Sentence]) -> Iterator[tuple[str, Raised]]:
    """“The player”, or 自分, of whom nothing was said before in the clause."""
    before = ""
    for one in clause:
        role = roles[one.tongue]
        bare = re.search(rf"(?:(?<=[らば]、)|(?<=[き時合際後]は、)|(?<=[後時]、))(?:(?:当該の|該当する)?(?:{role})[はがの]|自分[はがの]|自らの)[^、。]{{0,14}}" if one.tongue == "ja"
                         else rf"\b[Tt]he (?:{role})(?:['’]s)?\b(?! (?:who|whose|with|to|on|in|that|of|and|at|having|\w+ing)\b)[^.,;]{{0,24}}", one.flat)
        known = rf"{role}|{_SOMEBODY}" if one.tongue == "ja" else rf"\b(?:{role})s?\b|{_SOMEBODY_EN}"
        if bare is not None and not re.search(known, before + one.flat[: bare.start()], re.IGNORECASE):
            yield "who-is-meant", at(one, *bare.span(), "")
        before += one.flat


# ---------------------------------------------------------------- who may see into a place
_PLACES = said(r"[^。]*(?:持つ|場所|区域|置き場|置場|領域|エリア|ゾーン)[^。]*", r"[^.]*\b(?:has|have|shares?|zones?|places?|areas?)\b[^.]*,[^.]*,[^.]*")
_PLACE = said(r"(?:、|は|と|および|及び|：|:|^)(?P<place>(?:お)?[一-龠ァ-ヴー]+(?:の[一-龠]+|がら)?)(?=[、(（。]|と|および|及び|を|です|の五つ)|「(?P<place2>[^」]{2,6})」", r"(?:\b(?:an?|the|one|and|his|her|their)\b |, )(?P<place>[a-z]{3,12})(?=,| \(| and\b|\.|$| for\b)(?P<place2>)")
_SEES = said(r"見|確かめ|公開|表向き|のぞ|知", r"\bopen\b|\bshow\w*|\blook\w*|\bsees?\b|\bseen\b|\bface[- ]up\b|\bpublic|\bexamine|\bknow|\bhidden|\bsecret|\binspect|\bread\b")



def _unseen(page: Page, clauses: list[list[Sentence]]) -> Iterator[tuple[str, Raised]]:
    """A place among those that the draft lists, of which no sentence says who sees what lies in it, where it says so of others."""
    lists = [{match["place"] or match["place2"]: one for one in group for match in _every(_PLACE, one.flat, one.tongue)}
             for group in clauses if any(_PLACES.search(one.flat, one.tongue) for one in group)]
    listed = max(lists, key=len, default={})
    seeing = [one for one in page.sentences if one not in listed.values() and _SEES.search(one.flat, one.tongue)]
    told = [(sum(place in one.flat.casefold() for place in listed), one) for one in seeing]
    most, where = max(told, key=lambda one: one[0], default=(0, None))
    spread = Counter(place for place in listed for one in page.sentences if place in one.flat.casefold())
    if where is not None and most > 2:
        for place in listed:
            if spread[place] > 2 and not any(place in one.flat.casefold() for one in seeing):
                yield "seen-by-whom", at(where, 0, len(where.text), "", listed[place].clause)
    for one in page.sentences:
        hidden = _HIDES.search(one.flat, one.tongue)
        inside = _OUT_OF.sub("", one.flat.casefold())
        if hidden and one not in seeing and one not in listed.values() and not _SEES.search(flat(one.clause.text), one.tongue) and not any(
            place in inside and place in two.flat.casefold() for place in listed for two in seeing
        ):
            yield "seen-by-whom", at(one, *hidden.span(), "")


_HIDES = said(r"[^、。]{0,16}(?:裏(?:向き|返し)|伏せ)(?:で|に|て)[^。底下前]{0,16}(?:置(?!か)|しま|入れ|隠|差し)[^、。]{0,6}", r"\b(?:puts?|places?|lays?|hides?|keeps?|slips?|stash\w*)\b[^.;]{0,30}\bface[- ]down\b (?!on the bottom)[^.,;]{0,24}|\bfrom (?:\w+ )?hand (?:under|beneath|beside|below|behind)\b[^.,;]{0,20}|\binto\b[^.;]{0,30}\bwithout showing\b[^.,;]{0,20}")
_OUT_OF = re.compile(r"[一-龠ァ-ヴーぁ-ん]{1,4}(?:の(?:札|カード)|から)|\bfrom (?:\w+ )?\w+")


# ---------------------------------------------------------------- two things at one time
_MOMENT = said(r"(?P<when>[一-龠ァ-ヴー]{1,6}の(?:はじめ|始め|初め|終わり|おわり|最後|開始時?|終了時?))(?=に|、|は|で)", r"\bat the (?P<when>(?:start|beginning|end|close) of (?:the |each |every |his or her |her |your |their )*[a-z]+(?: phase| step)?)")
_SEQUENCE = said(r"順|先|あと|後|前|すませ|済ま|次|つぎ|つづ|続|まず|最後に|代わり", r"\bthen\b|\bfirst\b|\blast\b|\bafter\b|\bbefore\b|\bnext\b|\border\b|\binstead\b|\buntil\b")


def _at_the_same_time(page: Page) -> Iterator[tuple[str, Raised]]:
    """Something is done at a moment at which another clause has something done, and neither says which is first."""
    seen: dict[str, Sentence] = {}
    for one in page.sentences:
        match = _MOMENT.search(one.flat, one.tongue)
        if match is None:
            continue
        other = seen.setdefault(match["when"].casefold(), one)
        if other.clause is not one.clause and not any(_SEQUENCE.anywhere(two.clause.text) for two in (one, other)):
            yield "order-at-once", at(one, *match.span(), "", other.clause)


# ---------------------------------------------------------------- a word that is defined for one case
_DEFINED = said(r"「(?P<word>[^」]{1,8})」(?:とは|とあ|という)[^。]*(?:(?<!こと)をいう|です|指す|指します)|を、?「(?P<word3>[^」]{1,8})」と(?:いう|いいます|言う|呼[ぶび]|よ[ぶび])|(?:^|、)(?P<word2>[^、。「」はがを]{2,8})とは、[^。]*(?<!こと)をいう", r"^\W*(?:An? |The |On [^,]*, )?[“\"]?(?P<word>(?:[a-z]+ )?[a-z]+)[”\"]? (?:is|means) (?:an? |the |one |any )[^.]*\b(?:that|which|who|whose|of the kind)\b[^.]*")
_CASES = said(r"問わず|どこ|または|場合|もしくは|あるいは|なら|[^、。]か、|および|すべて|いずれ", r"\bor\b|\band\b|\beither\b|\bany\b|\banywhere\b|,")

_CASE_MORE = said(r"なら|なけれ|のこと|指", r"\bwithout\b|\bwhere no\b|\bor\b")


def _one_case(page: Page) -> Iterator[tuple[str, Raised]]:
    """A definition by one case only, of a word that other chapters use."""
    for one in page.sentences:
        match = _DEFINED.search(one.flat, one.tongue)
        if match is None or _CASES.search(match[0], one.tongue) or _CASE_MORE.search(flat(one.clause.text[one.offset + len(one.text) :]), one.tongue):
            continue
        word = next(found for found in match.groups() if found).casefold()
        use = next((two for two in page.sentences if two.clause is not one.clause and word in two.flat.casefold()), None)
        if use is not None:
            yield "used-wider", at(one, *match.span(), "", use.clause)


# ---------------------------------------------------------------- results that come together
_ENDS = said(r"(?P<win>勝(?!負|敗)|優勝)|(?P<lose>敗れ|敗北|負け|脱落|抜け(?:る|ます))", r"(?P<win>\bwins?\b|\bwinner\b|\bvictor)|(?P<lose>\bloses? (?:the|at once|immediately)\b|\bloses?(?=[.,;]| and\b)|\blose\b(?! \w+ (?:card|coin|point))|\beliminated\b|\bbanished\b|\bout of the game\b|\bdefeated\b)")
_BOTH = said(r"双方|両|ともに|全員|みんな|何人も|同時|いっぺん|並", r"\bboth\b|\ball\b|\bevery|\bseveral\b|\btogether\b|\bsame (?:time|moment|check|inspection|reckoning)|\bin one \w+\b|\btie[sd]?\b|\bshare\b|\bmore than one\b|\btwo or more\b")
_REFERS = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")


def results(page: Page) -> Iterator[tuple[str, Raised]]:
    """Of two that win, two that lose and one that does both at once, what no sentence speaks of, where one speaks of another of these."""
    first = {page.name(one.clause, 0).split()[-1]: kind for one in reversed(page.sentences) if (kind := _kinds(one, {})[:1])}
    told: dict[str, Sentence] = {}
    for one in page.sentences:
        kinds = _kinds(one, first)
        together = _BOTH.search(one.flat, one.tongue) is not None
        if len({*kinds}) > 1 and (together or _FIRST.search(one.flat, one.tongue)):
            told.setdefault("win-and-lose", one)
        elif kinds and together:
            told.setdefault("both-lose" if "lose" in kinds or _NOBODY_WINS.search(one.flat, one.tongue) else "both-win", one)
    ends = {kind for one in page.sentences for kind in _kinds(one, {})}
    for family, needs in (("win-and-lose", {"win", "lose"}), ("both-win", {"win"}), ("both-lose", {"lose"})):
        if family not in told and needs <= ends and told:
            last = [*told.values()][-1]
            yield family, at(last, 0, len(last.text), "")


_FIRST = said(r"先|優先|ても", r"\bfirst\b|\beven\b|\bhowever\b|\bcan['’]t win\b|\bcannot win\b|\binstead of")
_NOBODY_WINS = said(r"勝者(?:は)?な|優勝者(?:は)?な|誰も勝|だれも勝", r"\bnobody wins|\bno one wins|\bno winner|\blast\b")


def _kinds(one: Sentence, of: dict[str, list[str]]) -> list[str]:
    """What a sentence says of winning and losing, in its order; where it says nothing itself, what the clauses say that it names."""
    named = [kind for name in _REFERS.findall(one.flat) for kind in of.get(name, ())]
    found = [match.lastgroup or "" for match in _every(_ENDS, one.flat, one.tongue)]
    return named if len({*named}) > 1 else found or named
