"""A number and the list it counts, in one sentence: 「赤、青、緑の3色」, "three colors: red, blue, and green"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ....spec.text import Text
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft
from ..numbering import FULL, whole

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER = rf"\d{{1,2}}|{'|'.join(_NUMBERS)}"
_COUNT = r"(?P<n>\d{1,2}|[二三四五六七八九十])[ ]?(?P<unit>種類|種|つ|個|色|項目|段階|箇所|か所|通り|要素|属性)"
_BEHIND = re.compile(rf"(?P<list>[^。\n（）():：]{{3,120}}?)の(?:以下の)?{_COUNT}(?!以[上下]|目|ずつ|まで|めの)")
_BRACKETED = re.compile(rf"{_COUNT}(?:の[^。、\n（）()]{{1,16}})?[（(](?P<list>[^（）()\n。]{{3,120}})[）)]")
_NAMED = re.compile(r"(?:[「『【《〈<][^「」『』【】《》〈〉<>\n]{1,24}[」』】》〉>][、,・と]?){2,}$")
_MORE = re.compile(r"など|等$|ほか|他$|…|・・・|etc")
_TOPIC = re.compile(r"(?:[はがでにもへを]|から|まで|より|して|とき|場合|なお|また|ただし)$")
_ENGLISH = re.compile(
    rf"(?<![\w.-])(?<!\bper )(?<!\bevery )(?<!\beach )(?P<n>{NUMBER})(?: [a-z][\w-]*){{1,4}}(?P<mark>:| \(| ?— ?)\s?(?P<list>[^.:;()\n—]{{5,160}}?)(?=[.;)\n]|$)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:if|when|where|which|that|who|must|may|can|is|are|has|have|each|with|such|including|e\.g|i\.e)\b",
    re.IGNORECASE,
)


def counts(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A sentence gives a number and names another number of things."""
    for clause in draft.clauses:
        text = clause.text.translate(FULL)
        for match in (*_BEHIND.finditer(text), *_BRACKETED.finditer(text)):
            yield from _told(rule, clause, match, _japanese(match["list"], match.re is _BEHIND), whole(match["n"]))
        for match in _ENGLISH.finditer(text):
            yield from _told(rule, clause, match, _english(match["list"]), english(match["n"]))


def english(number: str) -> int:
    """`three` is 3."""
    return int(number) if number.isdigit() else _NUMBERS.index(number.casefold()) + 2


def _told(rule: Rule, clause: Clause, match: re.Match[str], names: list[str], said: int) -> Iterator[Found]:
    # Many more or fewer: what is named is not what is counted.
    if len(names) < 2 or len(names) == said or abs(len(names) - said) > 2 or said < 2:
        return
    yield rule.at(
        clause,
        match.start("n"),
        Text(
            ja=f"{said} とありますが、{len(names)} 挙げられています（{'、'.join(names)}）",
            en=f"{said} announced, {len(names)} named ({', '.join(names)})",
        ),
        match["n"],
        cited=excerpt(match[0], 60),
    )


def _japanese(said: str, ahead: bool) -> list[str]:
    """The names in a list; none where it cannot be told."""
    if _MORE.search(said):
        return []
    if named := _NAMED.search(said):
        return re.findall(r"[「『【《〈<]([^「」『』【】《》〈〉<>]+)[」』】》〉>]", named[0])
    if re.search(r"[「」『』【】]", said):
        return []
    parts = [part.strip() for part in re.split(r"[、,，/／]|(?<=[^、])(?:および|及び|または|又は|もしくは)", said)]
    if ahead:
        # What the sentence is about stands in front: 「この本では、赤、青、緑の3色」.
        topics = [k for k, part in enumerate(parts) if _TOPIC.search(part) or len(part) > 12]
        parts = parts[topics[-1] + 1 :] if topics else parts
        parts[:1] = [re.split(r"[はが]、?|には", parts[0])[-1]] if parts else []
    if len(parts) == 1 and "・" in parts[0]:
        parts = parts[0].split("・")
        if any(len(part) > 8 for part in parts):
            return []
    last = parts[-1] if parts else ""
    if len(parts) > 1 and last.count("と") == 1 and not last.endswith("と"):
        parts[-1:] = last.split("と")
    elif len(parts) == 1 and last.count("と") == 1 and len(last) <= 16:
        parts = last.split("と")
    good = all(0 < len(part) <= 12 and not re.search(r"[をがはで]|ます|です|する", part) for part in parts)
    return parts if good and len(parts) > 1 else []


def _english(said: str) -> list[str]:
    if not re.search(r",.*\b(?:and|or)\b|\band\b", said) or _PART.search(said) or re.search(r"\betc\b|\.\.\.|…", said):
        return []
    parts = [part.strip() for part in said.split(",") if part.strip()]
    last = re.sub(r"^(?:and|or)\s+", "", parts[-1])
    closed = last != parts[-1]
    parts[-1] = last
    if not closed:
        pair = re.split(r"\s+(?:and|or)\s+", last)
        if len(pair) != 2:
            return []
        parts[-1:] = pair
    elif any(re.search(r"\b(?:and|or)\b", part) for part in parts):
        return []
    if all("/" in part for part in parts):
        return []
    return parts if all(1 <= len(part.split()) <= 4 for part in parts) else []


RULES = (Rule("count-differs", Severity.WARNING, Text("数と列挙の違い", "number and list differ"), counts),)
