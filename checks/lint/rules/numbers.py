"""Numbers: skipped, repeated, out of order; clauses without text; identifiers and lists that do not add up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....spec.groups import grouped
from ....spec.text import Text
from ..citations import register_of
from ..counting import is_article, lists, numbering, parts_of, scopes, stands_between
from ..document import part_of
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft, Style, dotted, letter, mixed
from ..numbering import CIRCLED, ROMANS


def _name(clause: Clause, parts: tuple[int, ...]) -> str:
    label = clause.label
    assert label is not None
    match label.style:
        case Style.SECTION:
            return f"§{parts[0]}"
        case Style.CHAPTER if label.worded:
            word, _, number = label.written.rpartition(" ")
            return f"{word} {parts[0] if number[-1:].isdigit() or parts[0] > len(ROMANS) else ROMANS[parts[0] - 1].upper()}"
        case Style.CHAPTER:
            return f"第{parts[0]}{label.unit}" + "".join(f"の{n}" for n in parts[1:])
        case Style.DASHED:
            return dotted(parts, label.lettered, "-")
        case Style.MIXED:
            return mixed(parts)
        case Style.CIRCLED:
            return CIRCLED[parts[0] - 1] if 0 < parts[0] <= len(CIRCLED) else str(parts[0])
        case Style.ROMAN:
            roman = ROMANS[parts[0] - 1] if 0 < parts[0] <= len(ROMANS) else str(parts[0])
            return roman if len(parts) == 1 else f"{roman}-{letter(parts[1]).upper()}"
        case Style.LETTER:
            return re.sub(r"[A-Za-z]+", letter(parts[0]), label.written)
        case Style.SINGLE | Style.PAREN if not re.search(r"[A-Za-z]", label.written):
            return re.sub(r"[\d０-９\-]+", "-".join(map(str, parts)), label.written)
        case _:
            return dotted(parts, label.lettered)


# ---------------------------------------------------------------- repeated
def repeated(draft: Draft, rule: Rule) -> Iterable[Found]:
    """Two clauses, or two items of a list, have the same number."""
    for scope in scopes(draft):
        seen: dict[tuple[int, ...], Clause] = {}
        for clause in scope:
            first = seen.setdefault(
                (*parts_of(clause), -1) if clause.label and clause.label.lettered else parts_of(clause), clause
            )
            if first is not clause:
                yield _twice(draft, rule, clause, first)
    for items in lists(draft):
        for before, clause in pairwise(items):
            begins_anew = parts_of(clause)[-1] == 1 and (before.children or len(before.blocks) > 1)
            if parts_of(before) == parts_of(clause) and not begins_anew:
                yield _twice(draft, rule, clause, before)


def _twice(draft: Draft, rule: Rule, clause: Clause, first: Clause) -> Found:
    written, there = clause.label.written if clause.label else "", draft.located.on(first.line)
    return rule.on(
        clause,
        Text(
            ja=f"番号「{written}」は {there.ja}にもあります",
            en=f"the number {written} is also on {there.en}",
        ),
        written,
        cited=excerpt(first.text, 60),
        signs=_signs(draft, clause, first.line) + numbering(draft).again(clause),
    )


def _signs(draft: Draft, clause: Clause, since: int) -> int:
    """The signs that a number which was there before, or is too small, is a slip: none where the one before it, or the one
    that it is a part of, stands in between, so that it is counted on from there."""
    parts = parts_of(clause)
    last = (
        _name(clause, (*parts[:-1], parts[-1] - 1) if parts[-1] > 1 else parts[:-1])
        if parts[-1] > 1 or parts[1:]
        else ""
    )
    return 0 if last and stands_between(draft, since, clause.line, last) else numbering(draft).signs(clause)


# ---------------------------------------------------------------- skipped, out of order
def skipped(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number is left out."""
    avoided = _avoided(draft)
    left_out = register_of(draft).left_out
    for scope in scopes(draft):
        there = {parts_of(clause)[:size] for clause in scope for size in range(1, len(parts_of(clause)) + 1)}
        last: dict[tuple[int, ...], Clause] = {}
        for clause in scope:
            parts = parts_of(clause)
            group = parts[:-1]
            before = last.get(group)
            last[group] = clause
            if clause.style is Style.PLAIN and (
                before is None or clause.parent is not before.parent or parts[0] % 100 == 0
            ):
                continue  # 100 … 103, then 200: another chapter
            if before is None and (len(parts) == 1 or parts[-1] > 3):
                # Where a draft begins with chapter 4, it is part of something larger.
                continue
            start = parts_of(before)[-1] if before is not None else 0
            start = max(start, 1) if group and clause.style is Style.CHAPTER else start  # 第25条の2 follows 第25条
            gone = [n for n in range(start + 1, parts[-1]) if (*group, n) not in there]
            gone = [n for n in gone if not (is_article(clause) and n in left_out)]
            if _is_lettered(clause) and {letter(n) for n in gone} <= avoided:
                continue
            if gone:
                yield _gone(draft, rule, clause, group, gone, before)
        for clause, parts in _headless(scope):
            name = _name(clause, parts).rstrip("abcdefghijklmnopqrstuvwxyz")
            yield rule.on(
                clause,
                Text(
                    ja=f"{name} の行（見出し）がありません（同じ段のほかの番号にはあります）",
                    en=f"{name} has no line (heading) of its own, as the others of its level have",
                ),
                clause.label.written if clause.label else "",
                signs=1,
            )
    for items in lists(draft):
        numbers = {parts_of(item) for item in items}
        for before, clause in zip([None, *items], items, strict=False):
            parts = parts_of(clause)
            start = parts_of(before)[-1] if before is not None and parts_of(before)[:-1] == parts[:-1] else 0
            if before is None and (parts[-1] > 2 or len(items) < 2):
                continue
            gone = [n for n in range(start + 1, parts[-1]) if (*parts[:-1], n) not in numbers]
            if gone and len(gone) <= 3:
                yield _gone(draft, rule, clause, parts[:-1], gone, before)


def _is_lettered(clause: Clause) -> bool:
    label = clause.label
    if label is None:
        return False
    return label.lettered or (label.style is Style.MIXED and (len(label.parts) % 2 == 0) != (label.parts[0] > 1000))


def _avoided(draft: Draft) -> frozenset[str]:
    """The letters among l, o, i and q, which are taken for figures or each other, that this draft never counts with though
    it counts beyond them."""
    groups: dict[tuple[object, ...], set[int]] = {}
    for clause in draft.numbered:
        if clause.label is not None and _is_lettered(clause):
            groups.setdefault((clause.book, *clause.label.parts[:-1]), set()).add(clause.label.parts[-1])
    used = {n for group in groups.values() for n in group}
    beyond = max(used, default=0)
    return frozenset(one for one in "iloq" if ord(one) - 96 not in used and ord(one) - 96 < beyond)


def _headless(scope: Sequence[Clause]) -> Iterator[tuple[Clause, tuple[int, ...]]]:
    """Sections (and their first clause) that have no line of their own, where nearly all of their like have one."""
    own = {parts_of(clause) for clause in scope}
    first: dict[tuple[int, ...], Clause] = {}
    for clause in scope:
        for size in range(1, len(parts_of(clause))):
            first.setdefault(parts_of(clause)[:size], clause)
    levels = grouped((len(parts), parts) for parts in first)
    for size, sections in levels.items():
        gone = [parts for parts in sections if parts not in own and parts[-1] != 0]
        if sum(len(parts) == size for parts in own) >= max(3, 4 * len(gone)):
            yield from ((first[parts], parts) for parts in gone)


def _gone(
    draft: Draft, rule: Rule, clause: Clause, group: tuple[int, ...], gone: list[int], before: Clause | None
) -> Found:
    names = [_name(clause, (*group, n)) for n in gone]
    ja, en = "、".join(names[:5]), ", ".join(names[:5])
    own = _name(clause, parts_of(clause))
    since = before.line if before is not None else 0  # what begins later than at 1 may go on from a list anywhere before
    there = any(stands_between(draft, since, clause.line, name) for name in names)
    place = (
        Text(f"最初が {own} です", f"the first is {own}")
        if before is None
        else Text(
            f"{_name(before, parts_of(before))} の次が {own} です", f"{own} follows {_name(before, parts_of(before))}"
        )
    )
    return rule.on(
        clause,
        Text(ja=f"{ja} がありません（{place.ja}）", en=f"{en} missing: {place.en}"),
        clause.label.written if clause.label else "",
        signs=0 if there else numbering(draft).signs(clause),
    )


def disordered(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number is smaller than the one before it."""
    for scope in scopes(draft):
        before: Clause | None = None
        seen: set[tuple[int, ...]] = set()
        fallen: tuple[int, ...] = ()
        """The last number that was too small: those that count on from it are not told too."""
        for index, clause in enumerate(scope):
            parts = parts_of(clause)
            behind = [parts_of(one) for one in scope[index + 1 : index + 3]]
            if before is not None and len(behind) == 2 and all(parts_of(before) < one < parts for one in behind):
                continue  # this one number is wrong, and not all that follow
            if before is not None and parts < parts_of(before) and parts not in seen:
                if not fallen or parts < fallen:
                    yield rule.on(
                        clause,
                        Text(
                            ja=f"{clause.name} が {before.name} より後にあります",
                            en=f"{clause.name} comes after {before.name}",
                        ),
                        clause.label.written if clause.label else "",
                        signs=_signs(draft, clause, before.line),
                    )
                seen.add(parts)
                fallen = parts
                continue
            seen.add(parts)
            before, fallen = clause, ()
    for items in lists(draft):
        there: set[tuple[int, ...]] = set()
        for one, other in pairwise(items):
            there.add(parts_of(one))
            # What was there already begins another list.
            if parts_of(other) < parts_of(one) and parts_of(other) not in there:
                yield rule.on(
                    other,
                    Text(
                        ja=f"{_name(other, parts_of(other))} が {_name(one, parts_of(one))} より後にあります",
                        en=f"{_name(other, parts_of(other))} comes after {_name(one, parts_of(one))}",
                    ),
                    other.label.written if other.label else "",
                    signs=_signs(draft, other, one.line)
                    if parts_of(other)[-1] > 1
                    else 0,  # from 1 on another list is counted
                )


# ---------------------------------------------------------------- empty
def empty(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number with no text; a heading with nothing under it, where its like have text."""
    for clause in draft.clauses:
        if clause.children or clause.text.strip() or clause.label is None:
            continue
        yield rule.on(
            clause,
            Text(ja="番号だけで、本文がありません", en="a number and no text"),
            clause.label.written,
            signs=1 + numbering(draft).stands(clause),
        )
    last = draft.clauses[-1] if draft.clauses else None
    logged = last is not None and any(line.number > last.line for line in draft.changes)  # a change log stands under it
    if (
        last is not None
        and last.label is None
        and last.heading
        and not last.body
        and last.parent is not None
        and not logged
    ):
        yield rule.on(
            last,
            Text(
                ja=f"最後の見出し「{excerpt(last.title, 20)}」の下に本文がありません",
                en=f"nothing under the last heading ({excerpt(last.title, 20)})",
            ),
            last.title,
        )
    siblings = grouped((id(clause.parent), clause) for clause in draft.numbered)
    for group in siblings.values():
        full = [c for c in group if c.children or c.body]
        for clause in group:
            if (
                clause.headlike
                and not re.fullmatch(r"[\[(（].*[\])）]", clause.title)  # `[Repealed]`
                and part_of(clause.title) is None
                and (clause.label is None or clause.label.parts[-1] != 0)
                and not clause.children
                and not clause.body
                and len(full) >= max(2, 0.8 * (len(group) - 1))
            ):
                yield rule.on(
                    clause,
                    Text(
                        ja=f"{clause.name}「{excerpt(clause.title, 20)}」に見出しだけがあり、本文がありません",
                        en=f"{clause.name} ({excerpt(clause.title, 20)}) is a heading with nothing under it",
                    ),
                    clause.title,
                    # Of a PDF the pictures are not seen.
                    signs=int(len(full) >= max(4, len(group) - 1) and not draft.file.lower().endswith(".pdf")),
                )


def _labels(draft: Draft) -> int:
    return sum(clause.label is not None for clause in draft.clauses)


RULES = (
    Rule(
        "number-repeated",
        Severity.ERROR,
        Text("番号の重複", "number used twice"),
        repeated,
        _labels,
        of_clauses=True,
        doubted=True,
    ),
    Rule("number-skipped", Severity.WARNING, Text("番号の欠け", "number left out"), skipped, _labels, of_clauses=True),
    Rule(
        "number-order", Severity.ERROR, Text("番号の順序", "number out of order"), disordered, _labels, of_clauses=True
    ),
    Rule(
        "clause-empty",
        Severity.ERROR,
        Text("本文のない条文", "clause without text"),
        empty,
        _labels,
        of_clauses=True,
        doubted=True,
    ),
)
