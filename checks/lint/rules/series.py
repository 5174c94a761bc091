"""Identifiers in series (`NA-07-name-O-S-4`): those that break their pattern, ranges that cannot be, entries twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ....spec.text import Text
from ..findings import Found, Rule, Severity, times
from ..model import Clause, Draft

IDENTIFIER = re.compile(
    r"(?<![\w\-/])[A-Za-z]{1,6}\d{0,3}-[A-Za-z0-9/]+(?:-+[A-Za-z0-9/]+){1,8}(?![\w\-/])|(?<![\w\-/])[A-Z]{2,6}-?\d{2,4}(?![\w\-/])"
)
_QUOTED = r"[「『“\"](?P<{0}>[^「」『』“”\"\n]{{2,40}})[」』”\"]"
_RANGE = re.compile(_QUOTED.format("a") + r"(?:から|～|〜|~)" + r"(?=" + _QUOTED.format("b") + r")")
_BARE = re.compile(
    r"(?<![\w\-/])(?P<a>[A-Za-z][A-Za-z0-9/]*(?:-[A-Za-z0-9/]+)+)(?:から|～|〜|~)(?P<b>[A-Za-z][A-Za-z0-9/]*(?:-[A-Za-z0-9/]+)+)(?![\w\-/])"
)
_CHAIN = re.compile(
    r"(?:[「『“\"][^「」『』“”\"\n]{2,40}[」』”\"](?:から|～|〜|~)){2,}[「『“\"][^「」『』“”\"\n]{2,40}[」』”\"]"
)
"""`「A1」から「A3」から「A5」`."""
_LISTED = re.compile(r"[「『](?P<a>[^「」『』\n]{2,40})[」』][、,・ ]?(?=[「『](?P<b>[^「」『』\n]{2,40})[」』])")


def _identifiers(draft: Draft) -> Iterator[tuple[Clause, int, str]]:
    for clause in draft.clauses:
        if "-" in clause.text:
            for match in IDENTIFIER.finditer(clause.text):
                if any(c.isdigit() for c in match[0]):
                    yield clause, match.start(), match[0]


def prefixes(draft: Draft, rule: Rule) -> Iterable[Found]:
    """In every identifier a name goes with a number (`01-ann`, `02-bob`); here a name has the number of another."""
    found = [(clause, offset, text, text.split("-")) for clause, offset, text in _identifiers(draft)]
    families: dict[str, list[tuple[Clause, int, str, list[str]]]] = defaultdict(list)
    for one in found:
        if len(one[3]) >= 4:
            families[one[3][0]].append(one)
    for family in families.values():
        width = min(len(parts) for *_, parts in family)
        for i in range(1, width):
            for j in range(i + 1, width):
                yield from _broken(rule, family, i, j)


def _broken(rule: Rule, family: list[tuple[Clause, int, str, list[str]]], i: int, j: int) -> Iterable[Found]:
    numbers: dict[str, Counter[str]] = defaultdict(Counter)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for *_, parts in family:
        if parts[i].isdigit() and len(parts[j]) >= 3 and parts[j].isalpha():
            numbers[parts[j]][parts[i]] += 1
            names[parts[i]][parts[j]] += 1
    if len(numbers) < 3 or sum(len(c) == 1 for c in numbers.values()) < 0.7 * len(numbers):
        return
    per_line: dict[int, list[tuple[Clause, int, str, str, str]]] = defaultdict(list)
    for clause, offset, text, parts in family:
        name, number = parts[j], parts[i]
        if name not in numbers or len(numbers[name]) < 2:
            continue
        usual = numbers[name].most_common(1)[0][0]
        owner = names[number].most_common(1)[0][0] if names.get(number) else name
        if number != usual and owner != name and numbers[name][number] <= numbers[name][usual]:
            per_line[clause.passage.at(offset)[0]].append((clause, offset, text, usual, owner))
    for group in per_line.values():
        clause, offset, text, usual, owner = group[0]
        parts = text.split("-")
        right = "-".join([*parts[:i], usual, *parts[i + 1 :]])
        more = Text(
            f"（ほか {len(group) - 1} か所）" if len(group) > 1 else "",
            f" (and {len(group) - 1} more here)" if len(group) > 1 else "",
        )
        yield rule.at(
            clause,
            offset,
            Text(
                ja=f"「{parts[j]}」の番号は {usual} のはずですが、{owner} の {parts[i]} になっています{more.ja}",
                en=f"{parts[j]} has number {usual} elsewhere; {parts[i]} is that of {owner}{more.en}",
            ),
            text,
            suggestion=Text(ja=f"「{right}」のことですか", en=f"did you mean {right}?"),
        )


def ranges(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A range from a thing to itself, backwards, or between things of two series."""
    for clause in draft.clauses:
        text = clause.text
        chained: set[int] = set()
        for match in _CHAIN.finditer(text):
            ends = re.findall(r"[「『“\"]([^「」『』“”\"\n]+)[」』”\"]", match[0])
            if not any(c.isdigit() for c in match[0]):
                continue
            chained.update(range(match.start(), match.end()))
            second = match.start() + match[0].index(ends[1], len(ends[0]) + 2)
            said = Text("」から「".join(ends), " to ".join(ends))
            yield rule.at(
                clause,
                second,
                Text(
                    ja=f"「{said.ja}」と、「から」が {len(ends) - 1} 回続いています。範囲の両端が分かりません",
                    en=f"{said.en}: a range with {len(ends)} ends",
                ),
                ends[1],
            )
        for pattern in (_RANGE, _BARE):
            for match in pattern.finditer(text):
                if match.start() in chained:
                    continue
                trouble = _trouble(match["a"], match["b"])
                if trouble is not None:
                    yield rule.at(clause, match.start("a"), trouble, match["a"], cited=f"{match['a']} – {match['b']}")


def _trouble(a: str, b: str) -> Text | None:
    if not any(c.isdigit() for c in a + b):
        return None
    if a == b:
        return Text(ja=f"範囲の両端が同じ「{a}」です", en=f"a range from {a} to itself")
    one, other = re.split(r"(\d+)", a), re.split(r"(\d+)", b)
    if len(one) != len(other):
        return (
            None
            if not _series(a, b)
            else Text(
                ja=f"範囲の両端の形が違います（{a} と {b}）", en=f"the ends of the range differ in form: {a}, {b}"
            )
        )
    different = [k for k in range(len(one)) if one[k] != other[k]]
    if any(k % 2 == 0 for k in different) or len(different) > 1:
        return (
            Text(ja=f"範囲の両端が別の系列です（{a} と {b}）", en=f"the ends of the range are of two series: {a}, {b}")
            if _series(a, b)
            else None
        )
    k = different[0]
    if int(one[k]) > int(other[k]):
        return Text(ja=f"範囲の両端が逆です（{a} から {b}）", en=f"the range runs backwards: {a} to {b}")
    return None


def _series(a: str, b: str) -> bool:
    """Are these two identifiers, and not two words?"""
    return IDENTIFIER.fullmatch(a) is not None and IDENTIFIER.fullmatch(b) is not None


def twice(draft: Draft, rule: Rule) -> Iterable[Found]:
    """The same identifier twice in a row in a list."""
    for clause in draft.clauses:
        for match in _LISTED.finditer(clause.text):
            if match["a"] == match["b"] and any(c.isdigit() for c in match["a"]):
                yield rule.at(
                    clause,
                    match.start("b"),
                    Text(ja=f"「{match['a']}」が続けて二度並んでいます", en=f"{match['a']} is listed twice"),
                    match["a"],
                )


def gaps(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A list that counts on by one and leaves out an identifier which the draft has elsewhere; an identifier that is
    another with a zero in front of its number."""
    spellings: dict[str, dict[str, list[tuple[Clause, int]]]] = defaultdict(lambda: defaultdict(list))
    for clause, offset, text in _identifiers(draft):
        spellings[re.sub(r"(?<!\d)0+(?=[1-9])", "", text)][text].append((clause, offset))
    # A family (`AB-01-x-P-`) that is counted with zeros here and without there, told once.
    told: set[str] = set()
    for forms in spellings.values():
        if len(forms) < 2:
            continue
        main, *others = sorted(forms, key=lambda text: (-len(forms[text]), text))
        for other in others:
            family = re.sub(r"\d+$", "", other)
            if family in told:
                continue
            told.add(family)
            clause, offset = forms[other][0]
            yield rule.at(
                clause,
                offset,
                Text(
                    ja=f"「{other}」は、ほかでは「{main}」と書かれています（{len(forms[main])} 回）",
                    en=f"{other} is written {main} elsewhere ({times(len(forms[main]))})",
                ),
                other,
                suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
            )
    known = {text for forms in spellings.values() for text in forms}
    for clause in draft.clauses:
        for run in re.finditer(r"(?:[「『][^「」『』\n]{2,40}[」』][、,・ ]?){4,}", clause.text):
            yield from _left_out(rule, clause, run, known)


def _left_out(rule: Rule, clause: Clause, run: re.Match[str], known: set[str]) -> Iterable[Found]:
    entries = [(m["t"], run.start() + m.start("t")) for m in re.finditer(r"[「『](?P<t>[^「」『』]+)[」』]", run[0])]
    counted = [(re.match(r"(?P<head>.*\D)(?P<n>\d+)$", text), text, offset) for text, offset in entries]
    for index in range(2, len(counted) - 1):
        last = [match for match, _, _ in counted[index - 2 : index + 2]]
        if any(match is None for match in last):
            continue
        heads = {match["head"] for match in last if match}
        numbers = [int(match["n"]) for match in last if match]
        if len(heads) != 1 or [n - numbers[0] for n in numbers] != [0, 1, 2, 4]:
            continue
        gone = f"{heads.pop()}{numbers[2] + 1}"
        if gone in known:
            _, text, offset = counted[index + 1]
            yield rule.at(
                clause,
                offset,
                Text(
                    ja=f"「{gone}」が抜けているか、「{text}」が「{gone}」の誤りと思われます",
                    en=f"{gone} seems to be left out, or {text} to stand for it",
                ),
                text,
            )


RULES = (
    Rule("series-prefix", Severity.ERROR, Text("番号の系列の乱れ", "identifier that breaks its series"), prefixes, signs=2),
    Rule("series-range", Severity.ERROR, Text("範囲の誤り", "range that cannot be"), ranges, signs=2),
    Rule("series-gap", Severity.WARNING, Text("系列の抜け・書き方の違い", "gap in a series"), gaps, signs=1),
    Rule("series-twice", Severity.ERROR, Text("列挙の重複", "listed twice"), twice, signs=2),
)
