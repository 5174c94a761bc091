"""What can be seen in a single sentence: brackets, negations that break off, slips of the pen."""

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
                        Text(ja=f"「{text[begin]}」が「{c}」で閉じられています", en=f"{text[begin]} is closed by {c}"),
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
        Text(ja=f"「{mark}」に対応する開き括弧がありません", en=f"{mark} closes nothing")
        if closed
        else Text(ja=f"「{mark}」が閉じられていません", en=f"{mark} is not closed")
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
                    ja=f"「{match['head']}」と打ち消したあと「{match['tail']}」で終わっています",
                    en=f"begins with a negation ({match['head']}) and ends without one ({match['tail']})",
                ),
                match["tail"],
                cited=excerpt(match[0], 70),
                suggestion=Text(ja="「ありません」のことですか", en="did you mean ありません?"),
            )


_DOUBLED = re.compile(
    r"(?P<p>を)を(?!こ)|(?<=[一-龠ァ-ヴー])(?P<q>が)が(?=[一-龠ァ-ヴー、])|(?<=[一-龠ァ-ヴー])(?P<r>に)に(?=[一-龠ァ-ヴー、])"
    r"|(?<=[一-龠ァ-ヴー])(?P<s>は)は(?=[一-龠ァ-ヴー、])|(?<=[一-龠ァ-ヴー])(?P<t>の)の(?=[一-龠ァ-ヴー])|(?P<u>。)。|(?P<v>、)、"
)
_SLIPS = (
    (
        re.compile(r"(?<=[いえきぎちにびみりけせてねめれ])しし?(?P<x>しま[すし])"),
        Text("「し」が余分です", "one し too many"),
    ),
    (re.compile(r"繰り返しします"), Text("「繰り返します」の誤りです", "for 繰り返します")),
    (
        re.compile(r"(?<![一-龠ァ-ヴー])(?:実行|使用|解決|適用|宣言|移動|選択|公開|開始|終了|発生|破棄|除外)ます"),
        Text("「し」が抜けています", "a し is missing"),
    ),
    (re.compile(r"なけれ?ばありません"), Text("「なければなりません」の誤りです", "for なければなりません")),
    (
        re.compile(r"なくている|なくてる(?!の)"),
        Text("「なくなっている」などの脱字と思われます", "something is missing here"),
    ),
    (re.compile(r"先行(?:・|/)?後攻|先攻(?:・|/)?後行"), Text("「先攻後攻」の誤りです", "for 先攻後攻")),
    (
        re.compile(r"いくつが(?=あり)|いずれが(?=\d|[一１]つ)|(?<=[^かはが])がそうでないか(?=の|を|が|で)"),
        Text("「が」は「か」の誤りです", "が for か"),
    ),
    (re.compile(r"[1一１]体[1一１](?=[でのに])"), Text("「1対1」の誤りです", "for 1対1")),
    (re.compile(r"(?<=[一-龠])不肖(?=の|で)"), Text("「不詳」の誤りです", "for 不詳")),
    (re.compile(r"見に[付着つ](?=け)"), Text("「身に」の誤りです", "for 身に")),
    (re.compile(r"対戦様(?=の|ト|カ|ゲ)"), Text("「対戦用」の誤りです", "for 対戦用")),
    (re.compile(r"(?<=く)なて(?=い|る|お)"), Text("「なって」の「っ」が抜けています", "っ is missing")),
    (re.compile(r"」と風に"), Text("「という風に」の「いう」が抜けています", "いう is missing")),
    (
        re.compile(r"(?<=[>＞〉」』】》])ヘ(?=[一-龠ァ-ヴ])"),
        Text("カタカナの「ヘ」です（助詞は「へ」）", "katakana ヘ for へ"),
    ),
    (
        re.compile(r"(?<![A-Za-z0-9])[OＯ](?=以上|以下|未満|枚|個|点|回|で始)"),
        Text("数字の 0 が英字の O になっています", "the letter O for 0"),
    ),
)
_FORMS = dict(zip("值强对应选时动领场组费效胜单击发", "値強対応選時動領場組費効勝単撃発", strict=True))
"""Letters of other scripts that look like Japanese ones, and these."""
_FOREIGN = re.compile(f"[{''.join(_FORMS)}]")


def slips(draft: Draft, rule: Rule) -> Iterable[Found]:
    """Doubled particles, letters left out."""
    for clause in draft.clauses:
        text = clause.text
        for match in _DOUBLED.finditer(text):
            one = next(group for group in match.groups() if group)
            yield rule.at(
                clause,
                match.start(),
                Text(ja=f"「{one}」が二つ続いています", en=f"{one} twice in a row"),
                match[0],
                suggestion=Text.same(one),
                replace=one,
                cited=excerpt(text[max(0, match.start() - 12) : match.end() + 8]),
            )
        for match in _FOREIGN.finditer(text):
            right = _FORMS[match[0]]
            yield rule.at(
                clause,
                match.start(),
                Text(ja=f"「{match[0]}」は日本語では使わない字体です", en=f"{match[0]} is no Japanese letter"),
                match[0],
                suggestion=Text(ja=f"「{right}」のことですか", en=f"did you mean {right}?"),
                replace=right,
            )
        for pattern, message in _SLIPS:
            for match in pattern.finditer(text):
                yield rule.at(
                    clause,
                    match.start(),
                    message,
                    match[0],
                    cited=excerpt(text[max(0, match.start() - 14) : match.end() + 6]),
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
    Rule("slip", Severity.WARNING, Text("誤字・脱字", "slip of the pen"), slips),
    Rule("sentence-unended", Severity.HINT, Text("句点の抜け", "no full stop"), unended),
)
