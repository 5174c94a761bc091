"""Errors put into clean drafts by script: each kind knows where it can be put, and which rules should see it.

A place is an edit of the text; which of the possible places is taken is drawn with a seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

REFERENCE = re.compile(r"(?<![\w.\-「」<])(?P<n>\d{1,3}(?:[.-]\d{1,2})+[a-z]?)(?=に|へ|の順|で規定|[）)]|から)")
LABEL = re.compile(
    r"^(?P<lead>[ #\-]*)(?P<label>(?:\d{1,3}[.\-])*\d{1,3}[.a-z]?|\(\d\)|\d\)|[ivx]+:)(?P<rest>[ ]?\S.*)$"
)
MISSING = {"reference-missing", "reference-step", "reference-heading"}


@dataclass(frozen=True)
class Seeded:
    """A draft with one error in it: the text, the line of the error, the rules that may report it."""

    kind: str
    text: str
    line: int
    rules: frozenset[str]


Edit = tuple[int, str]
"""The line (from 1), and the text with the error."""
Kind = Callable[[str], Iterator[Edit]]


def _replace(text: str, start: int, end: int, new: str) -> Edit:
    return text.count("\n", 0, start) + 1, text[:start] + new + text[end:]


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _body(text: str) -> int:
    """Where the body begins: behind the table of contents."""
    for mark in ("\n本文\n", "\n第1章 "):
        if mark in text:
            return text.rindex(mark)
    return 0


def dangling(text: str) -> Iterator[Edit]:
    """A reference to a clause that does not exist."""
    for match in REFERENCE.finditer(text, _body(text)):
        parts = re.split(r"([.-])", match["n"])
        parts[0] = str(int(parts[0]) + 60)
        yield _replace(text, match.start("n"), match.end("n"), "".join(parts))


def dangling_end(text: str) -> Iterator[Edit]:
    """A reference whose last number is too large."""
    for match in REFERENCE.finditer(text, _body(text)):
        if match["n"][-1].isdigit() and len(re.split(r"[.-]", match["n"])) > 1:
            yield _replace(text, match.end("n") - 1, match.end("n"), "9")


def wrong_step(text: str) -> Iterator[Edit]:
    """An item that sends to a step that is not there."""
    for match in re.finditer(r"(?P<n>iv|i)(?=へと進む)", text):
        yield _replace(text, match.start(), match.end(), "vii")


def wrong_title(text: str) -> Iterator[Edit]:
    """A number and a title that do not belong together."""
    for match in re.finditer(r"「(?P<n>\d\.\d)\.(?P<title>[^」]+)」", text):
        yield _replace(text, match.start("n"), match.end("n"), "2.3" if match["n"] != "2.3" else "2.1")


def emptied(text: str) -> Iterator[Edit]:
    """A clause without text."""
    lines = _lines(text)
    for index, line in enumerate(lines):
        match = LABEL.match(line)
        if match and match["rest"].endswith("。") and re.search(r"[.\-]\d", match["label"]):
            follows = lines[index + 1] if index + 1 < len(lines) else ""
            own = re.match(re.escape(match["label"].rstrip(".")) + r"[.\-a-z]", follows.lstrip(" -#"))
            if not own and text.index(line) > _body(text):
                new = [*lines[:index], f"{match['lead']}{match['label']}", *lines[index + 1 :]]
                yield index + 1, "\n".join(new)


def _siblings(text: str) -> Iterator[tuple[int, re.Match[str], re.Match[str]]]:
    """Two clauses in succession, on lines one after the other, that differ in the last part of their numbers only."""
    lines = _lines(text)
    start = text.count("\n", 0, _body(text)) + 1
    for index in range(start, len(lines) - 1):
        one, other = LABEL.match(lines[index]), LABEL.match(lines[index + 1])
        if one and other and one["lead"] == other["lead"] and one["rest"].endswith("。"):
            a, b = re.findall(r"\d+|[a-z]", one["label"]), re.findall(r"\d+|[a-z]", other["label"])
            if a[:-1] == b[:-1] and a != b:
                yield index, one, other


def renumbered(text: str) -> Iterator[Edit]:
    """The number of the clause before, again."""
    lines = _lines(text)
    for index, one, other in _siblings(text):
        line = f"{other['lead']}{one['label']}{other['rest']}"
        yield index + 2, "\n".join([*lines[: index + 1], line, *lines[index + 2 :]])


def swapped(text: str) -> Iterator[Edit]:
    """Two clauses in the wrong order."""
    lines = _lines(text)
    for index, _, _ in _siblings(text):
        yield index + 1, "\n".join([*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]])


def removed(text: str) -> Iterator[Edit]:
    """A clause left out, between others."""
    lines = _lines(text)
    for index, one, other in _siblings(text):
        number = re.findall(r"\d+|[a-z]", one["label"])
        cited = one["label"].rstrip(".") in text.replace(lines[index], "")
        if number[-1] not in ("1", "a") or not cited:
            del other
            yield index + 1, "\n".join([*lines[:index], *lines[index + 1 :]])


def retitled(text: str) -> Iterator[Edit]:
    """An entry of the table of contents with another title."""
    body = _body(text)
    for match in re.finditer(r"^ {0,2}(?:第?\d+[.章] ?)(?P<title>[^\t\n]{2,})", text[:body], re.MULTILINE):
        yield _replace(text, match.end("title") - 1, match.end("title"), "案内")


def doubled_sentence(text: str) -> Iterator[Edit]:
    """A sentence twice in a clause."""
    for match in re.finditer(r"(?<=[ 。\n])(?P<s>[^。\n「」]{18,}。)", text):
        if match.start() > _body(text) and not re.match(r"[ ]*(?:\d|-|[ivx]+:)", match["s"]):
            yield _replace(text, match.start("s"), match.end("s"), match["s"] * 2)


def unclosed(text: str) -> Iterator[Edit]:
    """A bracket that is not closed."""
    for match in re.finditer(r"[「『（【][^「」『』（）【】\n]+(?P<c>[」』）】])", text):
        if match.start() > _body(text):
            yield _replace(text, match.start("c"), match.end("c"), "")


def list_gone(text: str) -> Iterator[Edit]:
    """A list that is announced, and its entries left out."""
    lines = _lines(text)
    for index, line in enumerate(lines):
        if re.search(r"(?:以下|次)の.*。$", line) and not re.match(r".*【", line):
            end = index + 1
            while end < len(lines) and re.match(
                r"$| - \d|- <|[ivx]+:|\d\) |\d+\.\d+[a-d] |\d\.\d\.|\(\d\)", lines[end]
            ):
                end += 1
            while end < len(lines) and lines[end].startswith(" ") and not lines[end].startswith(" -"):
                end += 1
            if end - index > 2 and LABEL.match(lines[min(index + 2, len(lines) - 1)]):
                yield index + 1, "\n".join([*lines[: index + 1], "", *lines[end:]])


def miscounted(text: str) -> Iterator[Edit]:
    """A list with another number of entries than announced."""
    for match in re.finditer(r"(?:以下|次)の(?P<n>\d)(?=つ|種)", text):
        yield _replace(text, match.start("n"), match.end("n"), str(int(match["n"]) + 2))


def broken_negation(text: str) -> Iterator[Edit]:
    """`…こともなく、…こともありません` without its second negation."""
    for match in re.finditer(r"こともなく、[^。]*ことも(?P<t>ありません|ない)(?=。)", text):
        yield _replace(text, match.start("t"), match.end("t"), "あります" if match["t"] == "ありません" else "ある")


def respelt(text: str) -> Iterator[Edit]:
    """A name without its `・`."""
    for match in re.finditer(r"[ァ-ヴー]{2,}(?P<dot>・)[ァ-ヴー]{2,}", text):
        yield _replace(text, match.start("dot"), match.end("dot"), "")


def renamed_zone(text: str) -> Iterator[Edit]:
    """A zone under a name that exists nowhere else."""
    for match in re.finditer(r"(?P<name>[一-龠]{1,3})(?=(?:ゾーン|エリア)(?:の|から|に|を))", text):
        if match.start() > _body(text) and text[match.start() - 1] not in "0123456789. -":
            yield _replace(text, match.start("name"), match.end("name"), "仮宿")


def other_subject(text: str) -> Iterator[Edit]:
    """A clause whose subject is that of another section."""
    zones = re.findall(r"(?<=[ .])([一-龠]{1,3}(?:ゾーン|エリア))は(?:公開|非公開)", text)
    for match in re.finditer(r"(?<=[ .])(?P<zone>[一-龠]{1,3}(?:ゾーン|エリア))は(?:公開|非公開)", text):
        others = [zone for zone in zones if zone != match["zone"]]
        if others:
            yield _replace(text, match.start("zone"), match.end("zone"), others[-1])


def other_prefix(text: str) -> Iterator[Edit]:
    """An identifier with the number of another."""
    for match in re.finditer(r"SZ-(?P<n>\d\d)-(?:berta|karla)-A1", text):
        yield _replace(text, match.start("n"), match.end("n"), "01")


def degenerate(text: str) -> Iterator[Edit]:
    """A range from a thing to itself, or backwards."""
    for match in re.finditer(r"「(?P<a>SZ[^」]+)」から「(?P<b>SZ[^」]+)」", text):
        yield _replace(text, match.start("b"), match.end("b"), match["a"])


def mixed(text: str) -> Iterator[Edit]:
    """A range between two series."""
    for match in re.finditer(r"「SZ[^」]+-(?P<k>[NS])-\d」から「SZ[^」]+」", text):
        yield _replace(text, match.start("k"), match.end("k"), "P")


def double_particle(text: str) -> Iterator[Edit]:
    """A particle written twice."""
    for match in re.finditer(r"(?<=[一-龠ァ-ヴー])(?P<p>を)(?=[一-龠\d])", text):
        if match.start() > _body(text):
            yield _replace(text, match.start("p"), match.end("p"), "をを")


def unstated_limit(text: str) -> Iterator[Edit]:
    """The clause that states a limit, left out."""
    for match in re.finditer(r"(?:- 1\.1\.3\. 手札の枚数上限は7枚です。\n|集中力上限は3である。)", text):
        yield _replace(text, match.start(), match.end(), "")


def heading_gone(text: str) -> Iterator[Edit]:
    """A numbered heading left out; its clauses are still there."""
    lines = _lines(text)
    for index, line in enumerate(lines):
        match = re.match(r"^[# ]*(?P<n>\d{1,3}(?:[.\-]\d{1,3})*)\.? ?[^\s。]{1,16}$", line)
        below = next((other for other in lines[index + 1 :] if other.strip()), "")
        own = match and re.match(rf"[ #\-]*{re.escape(match['n'])}[.\-]\d", below)
        if own and text.index(line) > _body(text):
            yield index + 1, "\n".join([*lines[:index], *lines[index + 1 :]])


def wrong_parent(text: str) -> Iterator[Edit]:
    """A clause that carries the number of another section."""
    for match in re.finditer(r"^[ #\-]*\d{1,2}[.\-](?P<n>\d)(?=[.\-]\d)", text, re.MULTILINE):
        if match.start() > _body(text):
            yield _replace(text, match.start("n"), match.end("n"), str(int(match["n"]) + 3))


def wrong_target(text: str) -> Iterator[Edit]:
    """A name, and in brackets behind it the number of its neighbour."""
    for match in re.finditer(r"(?P<name>[一-龠ァ-ヴ]{2,})（\d{1,3}\.(?P<n>\d)）", text):
        if re.search(rf"^\d\.\d\. (?:.+の|.*く)?{match['name']}$", text, re.MULTILINE):
            yield _replace(text, match.start("n"), match.end("n"), "2" if match["n"] == "1" else "1")


def entry_gone(text: str) -> Iterator[Edit]:
    """An entry of the table of contents left out."""
    body = _body(text)
    for match in re.finditer(r"^ {0,2}第?\d+[.章][^\n]+\n", text[:body], re.MULTILINE):
        yield _replace(text, match.start(), match.end(), "")


def other_brackets(text: str) -> Iterator[Edit]:
    """A name in brackets that only look like those it has elsewhere."""
    for match in re.finditer(r"<(?P<name>[一-龠]+)>", text):
        yield _replace(text, match.start(), match.end(), f"〈{match['name']}〉")


def renamed_phase(text: str) -> Iterator[Edit]:
    """A phase under a name that exists nowhere else, in a sentence."""
    for match in re.finditer(
        r"(?<=、)(?P<name>[一-龠]{2})(?=フェイズ)|(?P<zone>[一-龠]{2})(?=デッキ(?:から|が空))", text
    ):
        group = "name" if match["name"] else "zone"
        yield _replace(text, match.start(group), match.end(group), "仮宿")


KINDS: dict[str, tuple[Kind, set[str]]] = {
    "dangling": (dangling, MISSING),
    "dangling-end": (dangling_end, MISSING),
    "wrong-step": (wrong_step, {"reference-step"}),
    "wrong-title": (wrong_title, MISSING),
    "emptied": (emptied, {"clause-empty"}),
    "renumbered": (renumbered, {"number-repeated"}),
    "swapped": (swapped, {"number-order"}),
    "removed": (removed, {"number-skipped", "reference-missing", "reference-step"}),
    "retitled": (retitled, {"contents-differ"}),
    "doubled-sentence": (doubled_sentence, {"text-repeated"}),
    "unclosed": (unclosed, {"bracket-unclosed"}),
    "list-gone": (list_gone, {"list-missing"}),
    "miscounted": (miscounted, {"list-missing"}),
    "broken-negation": (broken_negation, {"negation-broken"}),
    "respelt": (respelt, {"term-spelling"}),
    "renamed-zone": (renamed_zone, {"term-undefined"}),
    "other-subject": (other_subject, {"subject-other"}),
    "other-prefix": (other_prefix, {"series-prefix"}),
    "degenerate": (degenerate, {"series-range"}),
    "mixed": (mixed, {"series-range"}),
    "double-particle": (double_particle, {"slip"}),
    "unstated-limit": (unstated_limit, {"limit-undefined", "number-skipped"}),
    "heading-gone": (heading_gone, {"number-skipped", "reference-missing", "contents-differ"}),
    "wrong-parent": (wrong_parent, {"number-order", "number-skipped", "number-repeated", "reference-missing"}),
    "wrong-target": (wrong_target, MISSING),
    "entry-gone": (entry_gone, {"contents-differ"}),
    "other-brackets": (other_brackets, {"term-spelling"}),
    "renamed-phase": (renamed_phase, {"term-undefined"}),
}


def seeded(texts: dict[str, str], count: int, seed: int) -> list[tuple[str, Seeded]]:
    """So many errors, each in a copy of a draft: all kinds and all drafts in turn, the places drawn."""
    rng = Random(seed)
    made: list[tuple[str, Seeded]] = []
    seen: set[str] = set()
    while len(made) < count:
        for number, (kind, (places, rules)) in enumerate(KINDS.items()):
            names = sorted(texts)
            rng.shuffle(names)
            for name in names[number % 2 :] + names[: number % 2]:
                edits = [edit for edit in places(texts[name]) if edit[1] not in seen and edit[1] != texts[name]]
                if edits:
                    line, text = rng.choice(edits)
                    seen.add(text)
                    made.append((name, Seeded(kind, text, line, frozenset(rules))))
                    break
            if len(made) == count:
                break
    return made
