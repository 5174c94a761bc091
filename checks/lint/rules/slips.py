"""Slips of the pen: a letter doubled, left out, or another than was meant. Each is shown with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ....spec.text import Text
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft

_DOUBLED = re.compile(
    r"(?P<p>を)を(?!こ)|(?<=[一-龠ァ-ヴー])(?P<q>が)が(?=[一-龠ァ-ヴー、])|(?<=[一-龠ァ-ヴー])(?P<r>に)に(?=[一-龠ァ-ヴー、])"
    r"|(?<=[一-龠ァ-ヴー])(?P<s>は)は(?=[一-龠ァ-ヴー、])|(?<=[一-龠ァ-ヴー])(?P<t>の)の(?=[一-龠ァ-ヴー])|(?<!。)(?P<u>。)。(?!。)|(?<!、)(?P<v>、)、(?!、)"
)
_VERBS = "実行|使用|解決|適用|宣言|移動|選択|公開|開始|終了|発生|破棄|除外"


@dataclass(frozen=True)
class _Slip:
    """What is wrong (as a pattern), and what to write instead (as `re` expands it). `sure` ones can be fixed by
    themselves."""

    wrong: re.Pattern[str]
    right: str
    sure: bool = False
    said: Text | None = None
    """What is wrong in words, where the two look alike."""


def _slip(wrong: str, right: str, sure: bool = False, said: Text | None = None) -> _Slip:
    return _Slip(re.compile(wrong), right, sure, said)


_HE = Text("片仮名の「ヘ」が平仮名の「へ」の代わりに書かれています", "katakana ヘ (U+30D8) for hiragana へ (U+3078)")
_ZERO = Text("英字の「O」（オー）が数字の「0」の代わりに書かれています", "the letter O for the digit 0")


_SLIPS = (
    # A letter too many, or too few.
    _slip(r"繰り返しします", "繰り返します", sure=True),
    _slip(rf"(?<![一-龠ァ-ヴー])(?P<v>{_VERBS})ます", r"\g<v>します"),
    _slip(r"なけれ?ばありません", "なければなりません"),
    _slip(r"なくている|なくてる(?!の)", "なくなっている"),
    _slip(r"(?<=く)なて(?=い|る|お)", "なって"),
    _slip(r"」と風に", "」という風に"),
    # One letter for another.
    _slip(r"いくつが(?=あり)", "いくつか"),
    _slip(r"いずれが(?=\d|[一１]つ)", "いずれか"),
    _slip(r"(?<=[^かはが])がそうでないか(?=の|を|が|で)", "かそうでないか"),
    _slip(r"(?<=[>＞〉」』】》])ヘ(?=[一-龠ァ-ヴ])", "へ", sure=True, said=_HE),
    _slip(r"(?<![A-Za-z0-9])[OＯ](?=以上|以下|未満|枚|個|点|回|で始)", "0", sure=True, said=_ZERO),
    # Wrong conversions that need no dictionary.
    _slip(r"先行(?P<m>[・/]?)後攻|先攻(?P<n>[・/]?)後行", "先攻後攻"),
    _slip(r"[1一１]体[1一１](?=[でのに])", "1対1"),
    _slip(r"(?<=[一-龠])不肖(?=の|で)", "不詳"),
    _slip(r"見に(?P<v>[付着つ])(?=け)", r"身に\g<v>"),
    _slip(r"対戦様(?=の|ト|カ|ゲ)", "対戦用"),
)
_DASH = re.compile(r"(?<=[数値])(?:または|もしくは|又は|か|、)「(?P<wrong>[一ーｰ])」")
"""A value that is a number or a dash, and the dash is another letter that looks like it."""
_VALUE = re.compile(r"[数値](?:または|もしくは|又は|か|、)「([-－−—―‐])」")
_FORMS = dict(zip("值强对应选时动领场组费效胜单击发", "値強対応選時動領場組費効勝単撃発", strict=True))
"""Letters of other scripts that look like Japanese ones, and these."""
_FOREIGN = re.compile(f"[{''.join(_FORMS)}]")


def slips(draft: Draft, rule: Rule) -> Iterable[Found]:
    """Doubled particles, letters left out, letters for others."""
    dashes = _VALUE.findall(draft.text)
    dash = dashes[0] if dashes else ""
    for clause in draft.clauses:
        text = clause.text
        for match in _DOUBLED.finditer(text):
            one = next(group for group in match.groups() if group)
            message = Text(ja=f"「{one}」が二つ続いています", en=f"{one} twice in a row")
            yield _found(rule, clause, match, one, message, sure=True)
        for match in _DASH.finditer(text) if dash else ():
            message = Text(
                ja=f"「{match['wrong']}」は、ほかで値として書かれている「{dash}」の誤りと思われます",
                en=f"{match['wrong']} probably is {dash}, which stands for a value elsewhere",
            )
            yield _found(rule, clause, match, f"「{dash}」", message, sure=False, said=True)
        for match in _FOREIGN.finditer(text):
            right = _FORMS[match[0]]
            message = Text(
                ja=f"「{match[0]}」（U+{ord(match[0]):04X}）は日本語では使わない字体で、"
                f"「{right}」（U+{ord(right):04X}）の誤りと思われます",
                en=f"{match[0]} (U+{ord(match[0]):04X}) is not used in Japanese: probably {right} (U+{ord(right):04X})",
            )
            yield _found(rule, clause, match, right, message, sure=True, said=True)
        for slip in _SLIPS:
            for match in slip.wrong.finditer(text):
                right = match.expand(slip.right)
                wrong, meant = _in_context(text, match, right)
                why = slip.said or Text.same("")
                message = Text(
                    ja=f"「{wrong}」は「{meant}」の誤りと思われます{f'（{why.ja}）' if why.ja else ''}",
                    en=f"{wrong}: probably {meant}{f' ({why.en})' if why.en else ''}",
                )
                yield _found(rule, clause, match, right, message, slip.sure, said=True)


def _found(
    rule: Rule, clause: Clause, match: re.Match[str], right: str, message: Text, sure: bool, said: bool = False
) -> Found:
    """A finding; what is right is suggested unless the message has said it."""
    return rule.at(
        clause,
        match.start(),
        message,
        match[0],
        suggestion=None if said else Text.same(right),
        replace=right if sure else None,
        cited=excerpt(_line(clause.text, match.start(), match.end())),
    )


def _line(text: str, start: int, end: int) -> str:
    """Some letters around a place, of the same line."""
    return text[max(0, start - 14) : start].rpartition("\n")[2] + text[start : end + 8].partition("\n")[0]


def _in_context(text: str, match: re.Match[str], right: str) -> tuple[str, str]:
    """What is wrong and what is right, with a few letters around them where they are short."""
    before = "".join(_near(reversed(text[max(0, match.start() - 4) : match.start()])))[::-1]
    after = "".join(_near(text[match.end() : match.end() + 3]))
    if len(match[0]) >= 5:
        before, after = "", ""
    return before + match[0] + after, before + right + after


def _near(letters: Iterable[str]) -> Iterator[str]:
    for letter in letters:
        if letter in "。、\n「」『』（）()<>:：・":
            return
        yield letter


RULES = (Rule("slip", Severity.WARNING, Text("誤字・脱字", "slip of the pen"), slips, signs=1),)
