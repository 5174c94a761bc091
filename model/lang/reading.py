"""Readings: the answers that a scenario gives; what one is worth in a rule."""

from __future__ import annotations

import ast

from ...spec.diagnostics import Collector, Diagnostic, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from .book import Rulebook
from .scope import Scope
from .source import Reporter
from .world import ReadingDef, World


def check_readings(book: Rulebook, world: World, report: Collector) -> None:
    """The readings that a scenario names exist, and have the answers that it gives."""
    for name in sorted({*world.branching, *world.readings}):
        r = book.readings.get(name)
        if r is None:
            near = nearest(name, book.readings)
            report.add(
                Diagnostic(
                    None,
                    "unknown-reading",
                    Text(ja=f"解釈 `{name}` はありません", en=f"there is no reading `{name}`"),
                    None if near is None else Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?"),
                    name,
                )
            )
            continue
        if name in world.branching and r.numbers is not None:
            report.add(
                Diagnostic(
                    None,
                    "numeric-reading",
                    Text(
                        ja=f"解釈 `{name}` は数なので、すべてを試すことはできません",
                        en=f"the reading `{name}` is a number: it cannot be branched over",
                    ),
                    Text(ja="調べたい数を一つ選んでください", en="choose one number"),
                    name,
                )
            )
        answer = world.readings.get(name)
        if answer is not None and answer not in r.alternatives and not fits_numbers(answer, r):
            near = nearest(answer, r.alternatives)
            known = "、".join(r.alternatives) if r.numbers is None else f"{r.numbers[0]}..{r.numbers[1]}"
            report.add(
                Diagnostic(
                    None,
                    "no-such-alternative",
                    Text(
                        ja=f"解釈 `{name}` に選択肢 `{answer}` はありません",
                        en=f"the reading `{name}` has no alternative `{answer}`",
                    ),
                    Text(
                        ja=f"`{near}` ではありませんか" if near else f"あるのは: {known}",
                        en=f"did you mean `{near}`?" if near else f"known: {known}",
                    ),
                    answer,
                )
            )


def reading_value(scope: Scope, name: str, node: ast.AST, at: Reporter) -> tuple[t.Type, ir.Expr]:
    """Type and value of a reading: its answer where it is fixed, else from its slot. From now on it is consulted."""
    r = scope.book.readings.get(name)
    if r is None:
        near = nearest(name, list(scope.book.readings))
        raise at.refuse(
            node,
            "unknown-reading",
            f"there is no reading `{name}`",
            f"解釈 `{name}` は readings.yaml にありません",
            (f"did you mean `{near}`?", f"`{near}` ではありませんか")
            if near
            else ("register it in readings.yaml", "readings.yaml に登録してください"),
        )
    scope.consulted.add(name)
    of = t.ReadingType(name, len(r.alternatives), r.alternatives) if r.numbers is None else t.Int(*r.numbers)
    if name in scope.branching:
        return of, ir.Load(scope.branching[name], at=at.mark(node))
    return of, ir.Answer(name, of.lo, of.hi, at=at.mark(node))


def answers_of(book: Rulebook, world: World) -> dict[str, int]:
    """The answers to the readings of a book in a world: an alternative's number, or a number."""
    return {name: answer_of(r, world.readings.get(name, r.default)) for name, r in book.readings.items()}


def answer_of(r: ReadingDef, answer: str) -> int:
    """An answer to a reading as a number; the first there is where nobody has given one."""
    if r.numbers is not None:
        return int(answer) if fits_numbers(answer, r) else r.numbers[0]
    return r.alternatives.index(answer) if answer in r.alternatives else 0


def fits_numbers(answer: str, r: ReadingDef) -> bool:
    """Is the answer one of the numbers that a numeric reading allows?"""
    if r.numbers is None or not answer.isascii() or not answer.removeprefix("-").isdigit():
        return False
    return r.numbers[0] <= int(answer) <= r.numbers[1]
