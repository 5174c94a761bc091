"""Steps: an item of a list that is sent to, named with a clause, or counted up, and is not there or not the one meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ....spec.groups import grouped
from ....spec.text import Text
from ..citations import register_of, step_citations
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft, Style
from ..numbering import ROMANS
from .texts import folded

_BEHIND = re.compile(
    r"[ 　]?(?:における|の手順の?|の|[ 　]|[ 　]?\$\\sigma\$[ 　]?)[ 　]?(?P<n>[ivx]{1,5}(?![A-Za-z])|[(（]?\d{1,2}[)）](?!\d))"
)
_TITLED = re.compile(
    r"「(?P<title>[^「」\n]{2,30})」(?:において|で|に)(?:定義|規定|示|定め)[^。、]{0,8}手順[^。]{0,6}?"
    r"(?P<n>[ivx]{1,5}(?![A-Za-z])|\d{1,2}[.)])"
)
_SERIES = re.compile(r"(?<![A-Za-z])[ivx]{1,5}(?:[、,][ ]?[ivx]{1,5}(?![A-Za-z])){2,}")
_PAIR = re.compile(
    r"(?<![一-龠\d.\-])(?P<a>[(（]\d{1,2}[)）])(?:と|から|～|〜)(?P<b>[(（]\d{1,2}[)）])を(?:繰り?返|くりかえ)"
)


def steps(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A step that its list does not have, or that is counted up twice."""
    for clause in draft.clauses:
        if clause.is_item and clause.parent is not None:
            yield from _sent_to(clause, rule)
        for match in _SERIES.finditer(clause.text):
            yield from _counted_twice(clause, match, rule)
    yield from _of_another(draft, rule)


def _sent_to(clause: Clause, rule: Rule) -> Iterator[Found]:
    """`viiへと進む` in a list of four."""
    chain = [clause, *(c for c in clause.ancestors() if c.is_item)]
    for step in step_citations(clause):
        lists = [c.parent.children for c in chain if c.parent is not None and c.style is step.style]
        if lists and not any(
            c.label is not None and c.style is step.style and c.label.parts[0] == step.number
            for one in lists
            for c in one
        ):
            yield rule.at(
                clause,
                step.offset,
                Text(ja=f"この手順に「{step.written}」はありません", en=f"this list has no step {step.written}"),
                step.written,
                signs=all(_in_order(one) for one in lists),
            )


def _in_order(items: Sequence[Clause]) -> bool:
    """Are the items of a list counted on without a gap?"""
    numbers = [c.label.parts[-1] for c in items if c.is_item and c.label is not None]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _counted_twice(clause: Clause, match: re.Match[str], rule: Rule) -> Iterator[Found]:
    """`i、ii、ii、ivを順に`: ii twice."""
    written = re.split(r"[、,][ ]?", match[0])
    if any(one not in ROMANS for one in written):
        return
    numbers = [ROMANS.index(one) + 1 for one in written]
    twice = next((n for n in numbers if numbers.count(n) > 1), None)
    if twice is None or numbers != sorted(numbers):
        return
    name = ROMANS[twice - 1]
    meant = next((ROMANS[n - 1] for n in range(numbers[0], numbers[-1]) if n not in numbers), None)
    yield rule.at(
        clause,
        match.start(),
        Text(ja=f"「{match[0]}」に「{name}」が二度あります", en=f"{name} stands twice in {match[0]}"),
        match[0],
        suggestion=Text(ja=f"一つは「{meant}」のことですか", en=f"is one of them {meant}?") if meant else None,
        signs=int(meant is not None),
    )


def _of_another(draft: Draft, rule: Rule) -> Iterator[Found]:
    """`9-2-1 における iii`, `「費用の支払い」において定義された手順の ii`, where the clause of that number or title has none."""
    register = register_of(draft)
    said: list[tuple[Clause, int, str, str, list[Clause], bool]] = []
    """Where, which step, of what, and the clauses that are meant; and whether a list of steps is named."""
    for citation in register.citations:
        if (match := _BEHIND.match(citation.after)) and (meant := register.targets(citation)):
            said.append((citation.clause, citation.offset, match["n"], citation.written, meant, False))
    titles = grouped((folded(clause.title), clause) for clause in draft.numbered if clause.headlike)
    for clause in draft.clauses:
        for match in _TITLED.finditer(clause.text):
            if meant := [c for c in titles.get(folded(match["title"]), []) if c not in (clause, *clause.ancestors())]:
                said.append((clause, match.start("n"), match["n"], f"{draft.placed(meant[0])}「{excerpt(meant[0].title, 24)}」", meant, True))
    for clause, offset, written, name, meant, listed in said:
        style, number = _step(written)
        there = [item for one in meant for item in one.below if item.is_item and item.style is style]
        if (there or listed) and not any(item.label and item.label.parts[0] == number for item in there):
            yield rule.at(
                clause,
                offset,
                Text(ja=f"{name} の手順に「{written}」はありません", en=f"{name.replace('「', ' (').replace('」', ')')} has no step {written}"),
                written,
                signs=_in_order(there),
            )


def _step(written: str) -> tuple[Style, int]:
    if written in ROMANS:
        return Style.ROMAN, ROMANS.index(written) + 1
    digits = int(re.sub(r"\D", "", written) or 0)
    return (Style.SINGLE if written.endswith(".") else Style.PAREN), digits


# ---------------------------------------------------------------- a step that exists, and is not the one meant
def mistaken(draft: Draft, rule: Rule) -> Iterable[Found]:
    """`(6)と(7)を繰り返す`, where (7) and (8) are the two turns, and (6) is not like them: a number was put in before."""
    for clause in draft.clauses:
        if clause.parent is None or not clause.is_item:
            continue
        for match in _PAIR.finditer(clause.text):
            items = {
                c.label.parts[0]: c for c in clause.parent.children if c.label is not None and c.style is clause.style
            }
            first, last = (_step(match[k])[1] for k in ("a", "b"))
            if last != first + 1 or not {first, last, last + 1} <= set(items) or clause.style is not Style.PAREN:
                continue
            before, one, other = (items[n].title for n in (first, last, last + 1))
            if _parallel(one, other) and not _parallel(before, one):
                meant = f"({last})と({last + 1})"
                yield rule.at(
                    clause,
                    match.start("a"),
                    Text(
                        ja=f"「{match['a']}と{match['b']}」は「{before}」と「{one}」です。"
                        f"対になるのは「{one}」と「{other}」です",
                        en=f"{match['a']} and {match['b']} are {before!r} and {one!r}; the pair is {one!r} and {other!r}",
                    ),
                    f"{match['a']}と{match['b']}",
                    suggestion=Text(ja=f"「{meant}」のことですか", en=f"did you mean ({last}) and ({last + 1})?"),
                )


def _parallel(one: str, other: str) -> bool:
    """Do two titles differ in one letter only (`先手の番`, `後手の番`)?"""
    return len(one) == len(other) >= 4 and sum(a != b for a, b in zip(one, other, strict=True)) == 1


RULES = (
    Rule(
        "reference-step",
        Severity.ERROR,
        Text("存在しない手順への参照", "reference to a step that does not exist"),
        steps,
        signs=1,
        of_clauses=True,
    ),
    Rule(
        "reference-shifted",
        Severity.WARNING,
        Text("番号のずれた参照", "reference that seems to be off by one"),
        mistaken,
        signs=1,
        of_clauses=True,
    ),
)
