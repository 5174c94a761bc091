"""What can be seen in a single sentence: brackets, quotation marks, negations that break off."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....spec.text import Text
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft
from ..outline import sentences

PAIRS = {
    "「": "」",
    "『": "』",
    "（": "）",
    "(": ")",
    "【": "】",
    "《": "》",
    "［": "］",
    "[": "]",
    "〔": "〕",
    "≪": "≫",
}
CLOSERS = {
    "」": "「",
    "』": "『",
    "）": "(",
    ")": "(",
    "】": "【",
    "》": "《",
    "］": "[",
    "]": "[",
    "〕": "〔",
    "≫": "≪",
}
_SAME = {"（": "(", "［": "["}


# ---------------------------------------------------------------- brackets
def brackets(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A bracket that is not closed, or not opened; a quotation mark without its partner."""
    yield from _quotes(draft, rule)
    for clause in draft.clauses:
        text = clause.text
        if not any(c in PAIRS or c in CLOSERS for c in text):
            continue
        open_: list[tuple[str, int]] = []
        for offset, c in enumerate(text):
            if c in PAIRS:
                open_.append((_SAME.get(c, c), offset))
            elif c in CLOSERS:
                if open_ and open_[-1][0] == CLOSERS[c]:
                    open_.pop()
                elif any(kind == CLOSERS[c] for kind, _ in open_):
                    while open_[-1][0] != CLOSERS[c]:
                        yield _unpaired(rule, clause, open_.pop()[1], closed=False)
                    open_.pop()
                elif open_ and open_[-1][0] in "[【《" and c in "」』】]》":
                    begin = open_.pop()[1]
                    yield rule.at(
                        clause,
                        begin,
                        Text(
                            ja=f"開き括弧 {text[begin]} が {c} で閉じられています", en=f"{text[begin]} is closed by {c}"
                        ),
                        text[begin],
                        cited=excerpt(text[begin : offset + 1]),
                    )
                elif not _counts(text, offset):
                    yield _unpaired(rule, clause, offset, closed=True)
        for _, offset in open_:
            yield _unpaired(rule, clause, offset, closed=False)


def _counts(text: str, offset: int) -> bool:
    """`4)`: the bracket belongs to the number of an item."""
    return (
        text[offset] in ")）"
        and re.search(
            r"(?:^|[^\dA-Za-z])(?:\d{1,2}(?:-\d{1,2})?|[a-zA-Z]|[ivx]{1,5}|例|注|※|備考)$",
            text[max(0, offset - 6) : offset],
        )
        is not None
    )


def _unpaired(rule: Rule, clause: Clause, offset: int, closed: bool) -> Found:
    mark = clause.text[offset]
    around = excerpt(clause.text[max(0, offset - 12) : offset + 16], 40)
    message = (
        Text(ja=f"閉じ括弧 {mark} に対応する開き括弧がありません", en=f"{mark} closes nothing")
        if closed
        else Text(ja=f"開き括弧 {mark} が閉じられていません", en=f"{mark} is not closed")
    )
    return rule.at(clause, offset, message, mark, cited=around)


_APOSTROPHE = re.compile(r"(?<=[A-Za-z])['’](?=[A-Za-z])|(?<=s)['’](?= )")


def _quotes(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A quotation mark whose partner is missing: `‘…` without `’`, an odd number of `'`. Only where the draft pairs
    them as a rule."""
    for begin, end in (("‘", "’"), ("“", "”")):
        pairs = [(c, _APOSTROPHE.sub(" ", c.text)) for c in draft.clauses if begin in c.text or end in c.text]
        odd = [(c, text) for c, text in pairs if text.count(begin) != text.count(end)]
        if any(begin in text for _, text in pairs) and 10 * len(odd) <= len(pairs):
            for clause, text in odd:
                missing = begin if text.count(begin) < text.count(end) else end
                yield _quote(rule, clause, text.index(end if missing == begin else begin), missing)
    straight = [(c, _APOSTROPHE.sub(" ", c.text)) for c in draft.clauses if "'" in c.text]
    odd = [(c, text) for c, text in straight if text.count("'") % 2]
    if len(straight) >= 3 and 2 * len(odd) <= len(straight) and not re.search("[A-Za-z]'[A-Za-z]", draft.text):
        for clause, text in odd:
            yield _quote(rule, clause, text.index("'"), "'")


def _quote(rule: Rule, clause: Clause, offset: int, missing: str) -> Found:
    mark = clause.text[offset]
    said = (
        Text(ja=f"引用符「{mark}」の数が奇数です。一つ抜けています", en=f"an odd number of {mark}: one is missing")
        if mark == missing
        else Text(ja=f"引用符「{mark}」に対応する「{missing}」がありません", en=f"{mark} has no {missing}")
    )
    return rule.at(
        clause,
        offset,
        said,
        mark,
        cited=excerpt(clause.text[max(0, offset - 20) : offset + 20], 44),
        severity=Severity.WARNING,
    )


_KU = re.compile(r"く(?P<name>[^<>＜＞〈〉\sく]{1,8})[>＞〉]")


def mistaken(draft: Draft, rule: Rule) -> Iterable[Found]:
    """`く` where `<` is meant."""
    for clause in draft.clauses:
        for match in _KU.finditer(clause.text):
            for opening, closing in (("<", ">"), ("〈", "〉"), ("＜", "＞")):
                name = f"{opening}{match['name']}{closing}"
                if name in draft.text:
                    yield rule.at(
                        clause,
                        match.start(),
                        Text(ja=f"「く」は「{opening}」の誤りです", en=f"く stands where {opening} is meant"),
                        match[0],
                        suggestion=Text.same(name),
                        replace=name,
                    )
                    break


# ---------------------------------------------------------------- sentences
_BROKEN = re.compile(
    r"(?P<head>(?:こと|もの|とき|必要|義務)も(?:なく|ありません(?:し|が)?|ないし))、(?P<mid>[^。]{2,60}?)(?:こと|もの|とき|必要|義務)も(?P<tail>あります|ある|あり得ます)(?=。|$)"
)


def negations(draft: Draft, rule: Rule) -> Iterable[Found]:
    """`…こともなく、…こともあります`: the second part probably is meant to be negated like the first."""
    for clause in draft.clauses:
        if "も" not in clause.text:
            continue
        for match in _BROKEN.finditer(clause.text):
            yield rule.at(
                clause,
                match.start("tail"),
                Text(
                    ja=f"「…{match['head']}」と打ち消していますが、文は「{match['tail']}」で終わっています",
                    en=f"begins with a negation ({match['head']}) and ends without one ({match['tail']})",
                ),
                match["tail"],
                cited=excerpt(match[0], 70),
                suggestion=Text(ja="「ありません」のことですか", en="did you mean ありません?"),
            )


def unended(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A paragraph without a full stop, where the others have one."""
    for clause in draft.numbered:
        found = [s for _, s in sentences(clause)]
        if (
            len(found) > 1
            and not clause.children
            and re.search(r"(?:ます|です|る)$", found[-1])
            and found[-2].endswith("。")
        ):
            yield rule.on(clause, Text(ja="文末に「。」がありません", en="no full stop at the end"), excerpt(found[-1]))


RULES = (
    Rule("bracket-unclosed", Severity.ERROR, Text("括弧の不対応", "bracket without its partner"), brackets),
    Rule("bracket-mistaken", Severity.ERROR, Text("括弧の誤字", "letter instead of a bracket"), mistaken),
    Rule("negation-broken", Severity.WARNING, Text("途切れた打ち消し", "negation that breaks off"), negations),
    Rule("sentence-unended", Severity.HINT, Text("句点の抜け", "no full stop"), unended),
)
