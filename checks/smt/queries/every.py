"""All that can be asked about every position of a book: each question by what answers it."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from ...findings.identity import told_apart
from ...findings.record import CheckResult
from ...words import CLAUSE_QUESTIONS, DEAD, LOOP_QUESTIONS, NORMS, ORDER
from . import dead, loops, norms, order_service, service
from .asking import SECONDS


def ask(
    book: str, only: Sequence[str], readings: Mapping[str, str] | None = None, cards: Sequence[str] = (),
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
) -> CheckResult:
    """Ask these questions about a book (those about loops and orders: with these cards only, if any are named). Raises BadInput."""
    results: list[CheckResult] = []
    if mine := [q for q in CLAUSE_QUESTIONS if q in only]:
        results.append(service.ask(book, mine, readings, seconds=seconds, stop=stop, states=states, second=second))
    if mine := [q for q in LOOP_QUESTIONS if q in only]:
        results.append(loops.ask(book, mine, readings, cards, seconds, stop, states, second))
    if NORMS in only:
        results.append(norms.ask(book, readings, seconds=seconds, stop=stop, states=states, second=second))
    if DEAD in only:
        results.append(dead.ask(book, readings, seconds=seconds, stop=stop))
    if ORDER in only:
        results.append(order_service.ask_orders(book, readings, seconds, stop, second, cards))
    return reduce(together, results)


def together(a: CheckResult, b: CheckResult) -> CheckResult:
    """Both results as one."""
    bounds = replace(a.bounds, complete=a.bounds.complete and b.bounds.complete, notes=(*a.bounds.notes, *b.bounds.notes))
    return replace(
        a, bounds=bounds, findings=tuple(told_apart([*a.findings, *b.findings])), examined=(*a.examined, *b.examined),
        seconds=a.seconds + b.seconds)
