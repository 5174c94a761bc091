"""What can be seen in a single sentence: brackets, quotation marks, negations that break off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ....spec.text import Text
from ..document import ENDED
from ..findings import AGAINST, Found, Rule, Severity, excerpt
from ..model import Clause, Draft

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
    alone = [(k, *one) for k, clause in enumerate(draft.clauses) for one in _without_partner(clause.text)]
    ended = {k: ENDED.search(draft.clauses[k].text.rstrip()) is not None for k in {k for k, _, _ in alone}}
    paired, together = PAIRED * len(alone) <= _paired(draft), _across_clauses(draft, alone)
    for k, offset, closes in alone:
        yield _unpaired(
            rule, draft.clauses[k], offset, closes, AGAINST if (k, offset) in together else paired + ended[k]
        )


def _across_clauses(draft: Draft, alone: Iterable[tuple[int, int, bool]]) -> set[tuple[int, int]]:
    """Those brackets without a partner in their clause that have one in another: `[(6) …` until `…]` below (7), a sentence cut in two."""
    open_: dict[str, list[tuple[int, int]]] = {}
    together: set[tuple[int, int]] = set()
    for k, offset, closes in alone:
        c = draft.clauses[k].text[offset]
        if not closes:
            open_.setdefault(_SAME.get(c, c), []).append((k, offset))
        elif before := open_.get(CLOSERS[c]):
            together |= {before.pop(), (k, offset)}
    return together


PAIRED = 20
"""So many brackets for each that is alone: the draft pairs them, and they were read as they stand."""


def _without_partner(text: str) -> Iterator[tuple[int, bool]]:
    """Brackets without a partner: where, and whether it closes."""
    if not any(c in PAIRS or c in CLOSERS for c in text) or _FACE.search(text):
        return
    open_: list[tuple[str, int]] = []
    of_kind: Counter[str] = Counter()

    def closed() -> tuple[str, int]:
        of_kind[open_[-1][0]] -= 1
        return open_.pop()

    for offset, c in enumerate(text):
        if c in PAIRS and not (c == "(" and _EMOTICON.search(text[max(0, offset - 4) : offset + 1])):
            open_.append((_SAME.get(c, c), offset))
            of_kind[open_[-1][0]] += 1
        elif c in CLOSERS:
            if of_kind[CLOSERS[c]]:
                while (last := closed())[0] != CLOSERS[c]:
                    yield last[1], False
            elif open_ and open_[-1][0] in "[【《" and c in "」』】]》":
                yield closed()[1], False
            elif (
                not _counts(text, offset)
                and not _is_ruled(text, offset)
                and not _EMOTICON.search(text[max(0, offset - 4) : offset + 1])
            ):
                yield offset, True
    yield from ((offset, False) for _, offset in open_)


_FACE = re.compile(r"(?:^|\s)[:;=]['’]?-?[()](?=\s*\))")
"""`:) )`: which of the two closes the bracket?"""
_EMOTICON = re.compile(r"(?:^|\s)[:;=]['’]?-?[()]$")
"""`;)`"""


def _is_ruled(text: str, offset: int) -> bool:
    """`STATE OF OHIO    )`: it stands by itself, and draws the edge of a column."""
    return offset > 0 and text[offset - 1].isspace() and text[offset + 1 : offset + 2].strip() == ""


def _counts(text: str, offset: int) -> bool:
    """`4)`: the bracket belongs to the number of an item."""
    return (
        text[offset] in ")）"
        and re.search(
            r"(?:^|[^\dA-Za-z])(?:\d{1,3}(?:[-.]\d{1,2})*[a-z]?|[A-Za-z](?:\d{0,2}|\.)|[ivxIVX]{1,5}|例\d?|注\d?|※\d?|備考)$"
            r"|(?:^|[^ァ-ヴー])[イロハニホヘトチリヌルヲ]$"
            r"|(?:^|\n)[ \t\u3000・•*-]*(?:[A-Za-z0-9]{1,6}|[^\s、。(（「『]{1,3})$",
            text[max(0, offset - 12) : offset],
        )
        is not None
    )


def _unpaired(rule: Rule, clause: Clause, offset: int, closed: bool, signs: int) -> Found:
    mark = clause.text[offset]
    around = excerpt(clause.text[max(0, offset - 12) : offset + 16], 40)
    message = (
        Text(ja=f"閉じ括弧 {mark} に対応する開き括弧がありません", en=f"{mark} closes nothing")
        if closed
        else Text(ja=f"開き括弧 {mark} が閉じられていません", en=f"{mark} is not closed")
    )
    return rule.at(clause, offset, message, mark, cited=around, signs=signs)


_APOSTROPHE = re.compile(r"(?<=[A-Za-z])['’](?=[A-Za-z])|(?<=s)['’](?= )")


def _quotes(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A quotation mark whose partner is missing: `‘…` without `’`, an odd number of `'`. Only where the draft pairs
    them as a rule."""
    pairs = [(c, _alone(c.text)) for c in draft.clauses if "“" in c.text or "”" in c.text]
    odd = [(c, alone) for c, alone in pairs if alone is not None]
    if any("“" in c.text for c, _ in pairs) and (10 * len(odd) <= len(pairs) or len(odd) == 1 <= len(pairs) - 3):
        for clause, (offset, missing) in odd:
            yield _quote(rule, clause, offset, missing)
    # A single mark that closes is an apostrophe as well: only one that opens can be without its partner.
    opened = [(c, c.text) for c in draft.clauses if "‘" in c.text]
    odd = [(c, text) for c, text in opened if text.count("‘") > text.count("’")]
    if 10 * len(odd) <= len(opened):
        for clause, text in odd:
            yield _quote(rule, clause, text.rindex("‘"), "’")
    straight = [(c, _APOSTROPHE.sub(" ", c.text)) for c in draft.clauses if "'" in c.text]
    broken = [(c, list(_unmatched(text))) for c, text in straight]
    broken = [(c, faults) for c, faults in broken if faults]
    if len(straight) >= 3 and 2 * len(broken) <= len(straight) and not re.search("[A-Za-z]'[A-Za-z]", draft.text):
        for clause, faults in broken:
            for begin, offset, opened in faults:
                yield _straight(rule, clause, begin, offset, opened)


def _alone(text: str) -> tuple[int, str] | None:
    """The first of the marks “ and ” that is alone, and what it lacks. Of two that open in a row, the second is the one
    that should close if a space stands behind it; a paragraph within what somebody says opens once more; `33”` is inches."""
    open_ = -1
    for offset, c in enumerate(text):
        if c == "“" and open_ >= 0 and text[offset - 1] != "\n":
            return (open_ if text[offset + 1 : offset + 2].strip() else offset), "”"
        if c == "”" and open_ < 0 and not text[offset - 1 : offset].isdigit():
            return offset, "“"
        open_ = offset if c == "“" else -1 if c == "”" else open_
    return (open_, "”") if open_ >= 0 else None


_AFTER_CLOSED = re.compile(r"[とをがはのにや、。]|また|[）)」]")
_BEFORE_OPENED = re.compile(r"(?:^|[はをがにとでや、。(（「\s])$")


def _unmatched(text: str) -> Iterable[tuple[int, int, bool]]:
    """Straight quotation marks without a partner: where the text in question begins, the mark, and whether it opens.
    A mark that can only close (`る'と`) has nothing to close unless one is open; one that can only open (`は'札`) leaves
    the one before it open."""
    marks = [m.start() for m in re.finditer("'", text)]
    begin, at, faults = 0, -1, 0
    for mark in marks:
        opens = _BEFORE_OPENED.search(text[max(0, mark - 1) : mark]) is not None
        closes = _AFTER_CLOSED.match(text, mark + 1) is not None
        if at < 0 and closes and not opens:
            yield begin, mark, False
            faults += 1
            begin = mark + 1
        elif at < 0:
            at = mark
        elif opens and not closes and not text[mark + 1 : mark + 2].isspace():
            yield begin, at, True
            faults += 1
            at = mark
        else:
            at, begin = -1, mark + 1
    if at >= 0 and not faults:
        yield begin, at, True


def _straight(rule: Rule, clause: Clause, begin: int, mark: int, opened: bool) -> Found:
    """A straight mark without its partner; where the opening one is missing, the place where it seems to belong: behind
    the topic, before an icon if there is one."""
    text = clause.text
    if opened:
        at = mark
        message = Text(ja="引用符「'」が閉じられていません", en="' is not closed")
    else:
        before = text[begin:mark]
        place = re.search(r"(?:は|と|や|、|または)[ 　]*(?=\*\*)", before) or re.search(r"は[、 　]*", before)
        at = begin + (place.end() if place else len(before) - len(before.lstrip()))
        ahead = excerpt(text[at:mark].replace("**", ""), 8)
        message = Text(
            ja=f"終わりの引用符「'」に対する始めの引用符がありません。「{ahead}」の前に入ると思われます",
            en=f"a closing ' without an opening one, which probably belongs before {ahead!r}",
        )
    cited = excerpt(text[max(0, mark - 20) : mark + 20], 44)
    return rule.at(clause, at, message, text[at], cited=cited, signs=1)


def _quote(rule: Rule, clause: Clause, offset: int, missing: str) -> Found:
    mark = clause.text[offset]
    said = Text(ja=f"引用符「{mark}」に対応する「{missing}」がありません", en=f"{mark} has no {missing}")
    return rule.at(
        clause,
        offset,
        said,
        mark,
        cited=excerpt(clause.text[max(0, offset - 20) : offset + 20], 44),
        signs=1,
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


def _paired(draft: Draft) -> int:
    """How many brackets and quotation marks open."""
    return sum(c in PAIRS or c in "“‘'" for clause in draft.clauses for c in clause.text)


RULES = (
    Rule(
        "bracket-unclosed",
        Severity.ERROR,
        Text("括弧の不対応", "bracket without its partner"),
        brackets,
        _paired,
        of_clauses=True,
    ),
    Rule("bracket-mistaken", Severity.ERROR, Text("括弧の誤字", "letter instead of a bracket"), mistaken, signs=2),
    Rule("negation-broken", Severity.WARNING, Text("途切れた打ち消し", "negation that breaks off"), negations),
)
