"""What is found by the parts that sentences play together: a condition and its other branch, a person and who was named before, a
word and its definition, a result and what else may come at the same time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from ..page import Page, Sentence, flat, said
from ..record import Raised, at


def structure(page: Page) -> Iterator[tuple[str, Raised]]:
    """What the parts of sentences leave open together, by family."""
    roles = _roles(page)
    for _, group in groupby(page.sentences, attrgetter("clause")):
        clause = [*group]
        yield from _one_branch(clause)
        yield from _nobody_named(roles, clause)
    yield from _one_case(page)


# ---------------------------------------------------------------- the other branch
_OUTCOME = said(r"めく|示す|表に|公開|振|ふ[るり]|比べ|くらべ|見て|見る|調べ|か(?:否|どうか|を選|を決)|申し|提案|宣言|当て|賭|引き、|確か", r"\b(?:turns?|reveals?|flips?|offers?|examine[sd]?|compares?|rolls?|looks?|guess\w*|names?|bids?|checks?|tests?|decides?|chooses?|draws?|calls?|counts?)\b")
# What comes of it is not known beforehand.
_BRANCH = said(r"(?P<what>[一-龠ァ-ヴー]+)[^、。一-龠ァ-ヴー]{0,4}(?:なら(?:ば)?|[たっだ](?:とき|時|場合)(?:は|に|、)|[えけせてねべめれげ]ば|[たっだ]ら|(?:い|る|の)(?:とき|場合)(?:は|に|、))、?", r"(?:^|[.;:] |, |and )if (?P<what>[^,;]{3,60}),")
_NO_BRANCH = said(r"聞かれ|全員|双方|同時|終わ|超え|より多|いくつも|何人も|無い|ない|なけれ|ず(?:に|、)|尽き|空|足り|ぬ", r"\b(?:runs? out|more than|third|would|several|both|equal|must|no|not|none|neither|nobody|cannot|can['’]t|empty|otherwise|fewer|\w+n['’]t|unless)\b")
_ELSE = said(r"そうでな|それ以外|以外|ほか|他の|もう一方|残り|外れ|でなければ|しなければ|どちらで", r"\botherwise\b|\belse\b|\bif (?:not|it fails)\b|\bany other\b|\bwhether or not\b|\beither way\b")


def _one_branch(clause: list[Sentence]) -> Iterator[tuple[str, Raised]]:
    # A condition on what was just found out, after which the clause says nothing of the other outcome.
    for k, one in enumerate(clause):
        match = _BRANCH.search(one.flat, one.tongue)
        before = " ".join(two.flat for two in clause[:k]) + one.flat[: match.start() if match else 0]
        if match is None or _NO_BRANCH.search(match[0], one.tongue) or not _OUTCOME.search(before, one.tongue):
            continue
        after = " ".join((one.flat[match.end() :], *(two.flat for two in clause[k + 1 :])))
        others = [two["what"] for two in _BRANCH.every(after, one.tongue)]
        told = (any({*match["what"]} & {*two} for two in others) if one.tongue == "ja"
                else any("empty" not in two for two in others))
        negated = one.tongue == "ja" and re.search(rf"{re.escape(match['what'][-1])}[^。、一-龠]{{0,3}}な(?:い|けれ|か)", after)
        if not told and not negated and not _ELSE.search(after, one.tongue) and not _ELSE.search(one.flat, one.tongue):
            yield "no-otherwise", at(one, match.start(), match.end(), "")
        return


# ---------------------------------------------------------------- who is meant
_ROLE = said(r"(?:一名の|各|相手の|手番の|当該の|その|勝った|負けた|ある|どの|ほかの|他の|先の)(?P<role>[一-龠ァ-ヴー]{2,6})(?=[がはのをに、])|(?P<role2>[一-龠ァ-ヴー]{1,6})(?:の勝ち|[がは]、?(?:勝|敗|負))", r"\b(?:each|another|opposing|other|active|that|every|neither|no) (?P<role>[a-z]+?)s?\b(?=[ ,'’.])|\b(?P<role2>[a-z]+?)s? (?:wins?|loses?|may)\b")


def _roles(page: Page) -> dict[str, str]:
    # What a draft calls its players, by language: the word that most often stands with 'each', 'that', 'the opposing'.
    found: dict[str, Counter[str]] = {"ja": Counter(), "en": Counter()}
    for one in page.sentences:
        for match in _ROLE.every(one.flat, one.tongue):
            found[one.tongue].update(word for word in match.groups() if word)
    return {tongue: "|".join(re.escape(word) for word, n in words.most_common(1) if n > 1) or "プレイヤー|player"
            for tongue, words in found.items()}


def _nobody_named(roles: dict[str, str], clause: list[Sentence]) -> Iterator[tuple[str, Raised]]:
    # “The player”, or 自分, of whom nothing was said before in the clause.
    before = ""
    for one in clause:
        role = roles[one.tongue]
        bare = re.search(rf"(?:(?<=[らば]、)|(?<=[き時合際後]は、)|(?<=[後時]、))(?:(?:当該の|該当する)?(?:{role})[はがの]|自分[はがの]|自らの)[^、。]{{0,14}}" if one.tongue == "ja"
                         else rf"\b[Tt]he (?:{role})(?:['’]s)?\b(?! (?:who|whose|with|to|on|in|that|of|and|at|having|\w+ing)\b)[^.,;]{{0,24}}", one.flat)
        known = rf"{role}|(?:人|者|プレイヤー|相手|だれ|誰|全員|みんな|あなた|親|双方|各自|持ち主|側)" if one.tongue == "ja" else rf"\b(?:{role})s?\b|\b(?:you|your|who|whose|its? (?:owner|controller|taker)|an? (?:owner|controller))\b"
        if bare is not None and not re.search(known, before + one.flat[: bare.start()], re.IGNORECASE):
            yield "who-is-meant", at(one, *bare.span(), "")
        before += one.flat


# ---------------------------------------------------------------- a word that is defined for one case
_DEFINED = said(r"「(?P<word>[^」]{1,8})」(?:とは|とあ|という)[^。]*(?:(?<!こと)をいう|です|指す|指します)|を、?「(?P<word3>[^」]{1,8})」と(?:いう|いいます|言う|呼[ぶび]|よ[ぶび])|(?:^|、)(?P<word2>[^、。「」はがを]{2,8})とは、[^。]*(?<!こと)をいう", r"^\W*(?:An? |The |On [^,]*, )?[“\"]?(?P<word>(?:[a-z]+ )?[a-z]+)[”\"]? (?:is|means) (?:an? |the |one |any )[^.]*\b(?:that|which|who|whose|of the kind)\b[^.]*")
_CASES = said(r"問わず|どこ|または|場合|もしくは|あるいは|なら|[^、。]か、|および|すべて|いずれ", r"\bor\b|\band\b|\beither\b|\bany\b|\banywhere\b|,")

_CASE_MORE = said(r"なら|なけれ|のこと|指", r"\bwithout\b|\bwhere no\b|\bor\b")


def _one_case(page: Page) -> Iterator[tuple[str, Raised]]:
    # A definition by one case only, of a word that other chapters use.
    for one in page.sentences:
        match = _DEFINED.search(one.flat, one.tongue)
        if match is None or _CASES.search(match[0], one.tongue) or _CASE_MORE.search(
            flat(one.clause.text[one.offset + len(one.text) :]), one.tongue
        ):
            continue
        word = next(found for found in match.groups() if found).casefold()
        use = next((two for two in page.sentences
                    if two.clause is not one.clause and word in two.flat.casefold()), None)
        if use is not None:
            yield "used-wider", at(one, *match.span(), "", use.clause)


# ---------------------------------------------------------------- results that come together
_ENDS = said(r"(?P<win>勝(?!負|敗)|優勝)|(?P<lose>敗れ|敗北|負け|脱落|抜け(?:る|ます))", r"(?P<win>\bwins?\b|\bwinner\b|\bvictor)|(?P<lose>\bloses? (?:the|at once|immediately)\b|\bloses?(?=[.,;]| and\b)|\blose\b(?! \w+ (?:card|coin|point))|\beliminated\b|\bbanished\b|\bout of the game\b|\bdefeated\b)")
_BOTH = said(r"双方|両|ともに|全員|みんな|何人も|同時|いっぺん|並", r"\bboth\b|\ball\b|\bevery|\bseveral\b|\btogether\b|\bsame (?:time|moment|check|inspection|reckoning)|\bin one \w+\b|\btie[sd]?\b|\bshare\b|\bmore than one\b|\btwo or more\b")
_REFERS = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")


def results(page: Page) -> Iterator[tuple[str, Raised]]:
    """Of two that win, two that lose and one that does both at once, what no sentence speaks of, where one speaks of another of these."""
    first = {page.name(one.clause, 0).rpartition(" ")[2]: kind for one in reversed(page.sentences)
             if (kind := _kinds(one, {})[:1])}
    told: dict[str, Sentence] = {}
    for one in page.sentences:
        kinds = _kinds(one, first)
        together = _BOTH.search(one.flat, one.tongue) is not None
        if len({*kinds}) > 1 and (together or _FIRST.search(one.flat, one.tongue)):
            told.setdefault("win-and-lose", one)
        elif kinds and together:
            told.setdefault(
                "both-lose" if "lose" in kinds or _NOBODY_WINS.search(one.flat, one.tongue) else "both-win", one
            )
    ends = {kind for one in page.sentences for kind in _kinds(one, {})}
    for family, needs in (("win-and-lose", {"win", "lose"}), ("both-win", {"win"}), ("both-lose", {"lose"})):
        if family not in told and needs <= ends and told:
            last = [*told.values()][-1]
            yield family, at(last, 0, len(last.text), "")


_FIRST = said(r"先|優先|ても", r"\bfirst\b|\beven\b|\bhowever\b|\bcan['’]t win\b|\bcannot win\b|\binstead of")
_NOBODY_WINS = said(r"勝者(?:は)?な|優勝者(?:は)?な|誰も勝|だれも勝", r"\bnobody wins|\bno one wins|\bno winner|\blast\b")


def _kinds(one: Sentence, of: dict[str, list[str]]) -> list[str]:
    # What a sentence says of winning and losing, in its order; where it says nothing itself, what the clauses say that it names.
    named = [kind for name in _REFERS.findall(one.flat) for kind in of.get(name, ())]
    found = [match.lastgroup or "" for match in _ENDS.every(one.flat, one.tongue)]
    return named if len({*named}) > 1 else found or named
