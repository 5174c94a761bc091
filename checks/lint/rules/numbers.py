"""Numbers: skipped, repeated, out of order; clauses without text; identifiers and lists that do not add up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....spec.text import Text
from ..citations import Register
from ..document import part_of
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft, Style, dotted, letter, mixed
from ..numbering import CIRCLED, ROMANS

COUNTED = frozenset({Style.DOTTED, Style.DASHED, Style.PLAIN, Style.SECTION, Style.CHAPTER, Style.MIXED})


def _scopes(draft: Draft) -> Iterator[list[Clause]]:
    """Clauses whose numbers are counted together, in the order of the text."""
    chaptered = any(c.style is Style.CHAPTER for c in draft.numbered)
    scopes: dict[object, list[Clause]] = {}
    begun: dict[object, tuple[int, int]] = {}
    """Of articles: how often they began anew, and how many parts of the document had begun by the last of them."""
    parts = 0
    for clause in draft.clauses:
        if clause.style in (Style.HEADING, Style.APPENDIX) or (clause.style is Style.CHAPTER and not _is_article(clause)):
            parts += 1
        if clause.style not in COUNTED:
            continue
        if clause.style in (Style.SECTION, Style.CHAPTER):
            unit = clause.label.unit if clause.label and clause.style is Style.CHAPTER else "§"
            continued = unit in "条" or clause.parent is None
            key: object = (clause.book, unit, None if continued else id(clause.parent))
            if _is_article(clause):
                # After the heading of a chapter, or of supplementary provisions, they may begin anew.
                times, before = begun.get(key, (0, parts))
                last = scopes.get((key, times), [clause])[-1]
                times += before < parts and _parts(clause) == (1,) < _parts(last)
                begun[key] = times, parts
                key = (key, times)
        elif (
            clause.style is Style.DOTTED
            and clause.label
            and len(clause.label.parts) == 1
            and draft.styles.get(Style.PLAIN, 0) > 1
        ):
            key = (clause.book, "single")
        elif chaptered or (clause.chapter is not None and clause.chapter.style is Style.APPENDIX):
            key = (clause.book, id(clause.chapter), clause.style)
        else:
            key = (clause.book, clause.style if clause.style in (Style.DASHED, Style.MIXED) else Style.DOTTED)
        scopes.setdefault(key, []).append(clause)
    yield from scopes.values()


def _is_article(clause: Clause) -> bool:
    """`第3条`: counted through the chapters, as a rule."""
    return clause.style is Style.CHAPTER and clause.label is not None and clause.label.unit == "条"


def _parts(clause: Clause) -> tuple[int, ...]:
    return clause.label.parts if clause.label else ()


def _name(clause: Clause, parts: tuple[int, ...]) -> str:
    label = clause.label
    assert label is not None
    match label.style:
        case Style.SECTION:
            return f"§{parts[0]}"
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


def alternative(draft: Draft) -> list[Clause]:
    """Clauses that have number and title of one before: other wordings to choose from, where there are several."""
    seen: set[tuple[int, str, str]] = set()
    found: list[Clause] = []
    for clause in draft.numbered:
        key = clause.book, clause.name, clause.title.strip()
        if key in seen and clause.headlike:
            found.append(clause)
        seen.add(key)
    return found if len(found) >= ALTERNATIVES else []


ALTERNATIVES = 3
"""So many clauses with number and title of another are no slip."""


# ---------------------------------------------------------------- repeated
def repeated(draft: Draft, rule: Rule) -> Iterable[Found]:
    """Two clauses, or two items of a list, have the same number."""
    alternatives = {id(clause) for clause in alternative(draft)}
    for scope in _scopes(draft):
        seen: dict[tuple[int, ...], Clause] = {}
        for clause in scope:
            first = seen.setdefault(
                (*_parts(clause), -1) if clause.label and clause.label.lettered else _parts(clause), clause
            )
            if first is not clause and id(clause) not in alternatives:
                yield _twice(rule, clause, first)
    alone = any(line.item is not None and line.item.number is not None for line in draft.lines)
    for items in _lists(draft):
        same = sum(_parts(one)[-1] == _parts(other)[-1] == 1 for one, other in pairwise(items))
        if same and same * 2 > len(items) - 1 and (same > 1 or alone):
            continue  # `1.` on every item, to be counted by the reader
        for before, clause in pairwise(items):
            begins_anew = _parts(clause)[-1] == 1 and (before.children or len(before.blocks) > 1)
            if _parts(before) == _parts(clause) and not begins_anew:
                yield _twice(rule, clause, before)


def _certainty(rule: Rule, clause: Clause) -> Severity:
    """How sure a finding about the number of an item can be: which list it is in may be known by its number only."""
    if clause.unsure:
        return Severity.HINT
    read = clause.style in (Style.SINGLE, Style.LETTER, Style.ROMAN) and not clause.shown
    return Severity.WARNING if read and rule.severity is Severity.ERROR else rule.severity


def _twice(rule: Rule, clause: Clause, first: Clause) -> Found:
    written = clause.label.written if clause.label else ""
    return rule.on(
        clause,
        Text(
            ja=f"番号「{written}」は {first.line} 行目にもあります",
            en=f"the number {written} is also on line {first.line}",
        ),
        written,
        cited=excerpt(first.text, 60),
        severity=_certainty(rule, clause),
    )


# ---------------------------------------------------------------- skipped, out of order
def skipped(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number is left out."""
    avoided = _avoided(draft)
    left_out = Register(draft).left_out
    for scope in _scopes(draft):
        there = {_parts(clause)[:size] for clause in scope for size in range(1, len(_parts(clause)) + 1)}
        last: dict[tuple[int, ...], Clause] = {}
        for clause in scope:
            parts = _parts(clause)
            group = parts[:-1]
            before = last.get(group)
            last[group] = clause
            if clause.style is Style.PLAIN and (before is None or _new_hundred(before, clause)):
                continue
            if before is None and (len(parts) == 1 or parts[-1] > 3):
                # Where a draft begins with chapter 4, it is part of something larger.
                continue
            start = _parts(before)[-1] if before is not None else 0
            start = max(start, 1) if group and clause.style is Style.CHAPTER else start  # 第25条の2 follows 第25条
            gone = [n for n in range(start + 1, parts[-1]) if (*group, n) not in there]
            gone = [n for n in gone if not (_is_article(clause) and n in left_out)]
            if _is_lettered(clause) and {letter(n) for n in gone} <= avoided:
                continue
            if gone:
                yield _gone(rule, clause, group, gone, before)
        for clause, parts in _headless(scope):
            name = _name(clause, parts).rstrip("abcdefghijklmnopqrstuvwxyz")
            yield rule.on(
                clause,
                Text(
                    ja=f"{name} の行（見出し）がありません（同じ段のほかの番号にはあります）",
                    en=f"{name} has no line (heading) of its own, as the others of its level have",
                ),
                clause.label.written if clause.label else "",
            )
    for items in _lists(draft):
        numbers = {_parts(item) for item in items}
        for before, clause in zip([None, *items], items, strict=False):
            parts = _parts(clause)
            start = _parts(before)[-1] if before is not None and _parts(before)[:-1] == parts[:-1] else 0
            if before is None and (parts[-1] > 2 or len(items) < 2):
                continue
            gone = [n for n in range(start + 1, parts[-1]) if (*parts[:-1], n) not in numbers]
            if gone and len(gone) <= 3:
                yield _gone(rule, clause, parts[:-1], gone, before)


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
    own = {_parts(clause) for clause in scope}
    first: dict[tuple[int, ...], Clause] = {}
    for clause in scope:
        for size in range(1, len(_parts(clause))):
            first.setdefault(_parts(clause)[:size], clause)
    levels: dict[int, list[tuple[int, ...]]] = {}
    for parts in first:
        levels.setdefault(len(parts), []).append(parts)
    for size, sections in levels.items():
        gone = [parts for parts in sections if parts not in own and parts[-1] != 0]
        if sum(len(parts) == size for parts in own) >= max(3, 4 * len(gone)):
            yield from ((first[parts], parts) for parts in gone)


def _new_hundred(before: Clause, clause: Clause) -> bool:
    """100 … 103, then 200: another chapter."""
    return clause.parent is not before.parent or _parts(clause)[0] % 100 == 0


def _gone(rule: Rule, clause: Clause, group: tuple[int, ...], gone: list[int], before: Clause | None) -> Found:
    names = [_name(clause, (*group, n)) for n in gone]
    ja, en = "、".join(names[:5]), ", ".join(names[:5])
    own = _name(clause, _parts(clause))
    place = (
        Text(f"最初が {own} です", f"the first is {own}")
        if before is None
        else Text(
            f"{_name(before, _parts(before))} の次が {own} です", f"{own} follows {_name(before, _parts(before))}"
        )
    )
    return rule.on(
        clause,
        Text(ja=f"{ja} がありません（{place.ja}）", en=f"{en} missing: {place.en}"),
        clause.label.written if clause.label else "",
        severity=_certainty(rule, clause),
    )


def disordered(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number is smaller than the one before it."""
    for scope in _scopes(draft):
        before: Clause | None = None
        seen: set[tuple[int, ...]] = set()
        for index, clause in enumerate(scope):
            parts = _parts(clause)
            behind = [_parts(one) for one in scope[index + 1 : index + 3]]
            if before is not None and len(behind) == 2 and all(_parts(before) < one < parts for one in behind):
                continue  # this one number is wrong, and not all that follow
            if before is not None and parts < _parts(before) and parts not in seen:
                yield rule.on(
                    clause,
                    Text(
                        ja=f"{clause.name} が {before.name} より後にあります",
                        en=f"{clause.name} comes after {before.name}",
                    ),
                    clause.label.written if clause.label else "",
                )
                seen.add(parts)
                continue
            seen.add(parts)
            before = clause
    for items in _lists(draft):
        there: set[tuple[int, ...]] = set()
        for one, other in pairwise(items):
            there.add(_parts(one))
            # What was there already begins another list.
            if _parts(other) < _parts(one) and _parts(other) not in there:
                yield rule.on(
                    other,
                    Text(
                        ja=f"{_name(other, _parts(other))} が {_name(one, _parts(one))} より後にあります",
                        en=f"{_name(other, _parts(other))} comes after {_name(one, _parts(one))}",
                    ),
                    other.label.written if other.label else "",
                    severity=_certainty(rule, other),
                )


def _lists(draft: Draft) -> Iterator[list[Clause]]:
    """The lists of a draft: items of one style under one clause; a list ends where the numbers begin again."""
    for clause in draft.clauses:
        runs: dict[object, list[Clause]] = {}
        levels: dict[object, list[int]] = {}
        ahead = [child.label.parts[-1] if child.is_item and child.label is not None else 0 for child in clause.children]
        for index, child in enumerate(clause.children):
            if not child.is_item or child.label is None:
                continue
            key: object = (child.style, len(child.label.parts), re.sub(r"\w+", "", child.label.written), child.depth)
            key = key if child.series is None else child.series
            if child.series is None and not child.shown and not child.depth:
                key = (key, _level(levels.setdefault(key, []), child.label.parts[-1], ahead[index + 1 :]))
            run = runs.get(key)
            if run and child.series is None and child.label.parts[-1] == 1 != _parts(run[-1])[-1] and any(_parts(one)[-1] == 1 for one in run):
                yield run
                run = None
            if run is None:
                run = runs[key] = []
            run.append(child)
        yield from runs.values()


def _level(last: list[int], number: int, ahead: Sequence[int]) -> int:
    """How deep an item stands by its number alone, after those that are the last of each open list: `1. 1. 2. 2. 3.` is a list
    in a list, if what comes goes on with both."""
    if last and last[-1] + 1 != number and (outer := [k for k, one in enumerate(last) if one + 1 == number]):
        del last[outer[-1] + 1 :]
    elif number == 1 and last and (last[-1] > 1 or ahead[:20].count(2) > 1):
        last.append(0)
    last[-1:] = [number]
    return len(last)


# ---------------------------------------------------------------- empty
def empty(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A number with no text; a heading with nothing under it, where its like have text."""
    for clause in draft.clauses:
        if clause.children or clause.text.strip() or clause.label is None:
            continue
        yield rule.on(clause, Text(ja="番号だけで、本文がありません", en="a number and no text"), clause.label.written)
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
            severity=Severity.WARNING,
        )
    siblings: dict[int, list[Clause]] = {}
    for clause in draft.numbered:
        siblings.setdefault(id(clause.parent), []).append(clause)
    for group in siblings.values():
        full = [c for c in group if c.children or c.body]
        for clause in group:
            if (
                clause.headlike
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
                    severity=Severity.HINT if draft.file.lower().endswith(".pdf") else Severity.WARNING,
                )


def _labels(draft: Draft) -> int:
    return sum(clause.label is not None for clause in draft.clauses)


RULES = (
    Rule("number-repeated", Severity.ERROR, Text("番号の重複", "number used twice"), repeated, _labels),
    Rule("number-skipped", Severity.WARNING, Text("番号の欠け", "number left out"), skipped, _labels),
    Rule("number-order", Severity.ERROR, Text("番号の順序", "number out of order"), disordered, _labels),
    Rule("clause-empty", Severity.ERROR, Text("本文のない条文", "clause without text"), empty, _labels),
)
