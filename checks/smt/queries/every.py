"""All that can be asked about every position of a book: each question by what answers it."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from ....model.engine.library import load_book
from ....spec.groups import grouped
from ...findings.cut_off import not_all_told, nothing_found
from ...findings.identity import each_once
from ...findings.record import Assumption, CheckResult
from ...findings.words import ANYWHERE, ANYWHERE_TITLE, CLAUSE_QUESTIONS, DEAD, LOOP_QUESTIONS, NORMS, ORDER
from ...limits.ending import Part, reason
from ..solving import Query
from . import conflicts_and_gaps, norms
from .asking import SECONDS
from .dead import all_clauses as dead
from .loops import all_worlds as loops
from .orders import all_pairs as orders
from .report import check_readings


def queries(book: str, cards: Sequence[str] | None, readings: Mapping[str, str]) -> Iterator[Query]:
    """What is asked about a book, for other solvers; of a scenario's cards: what is asked about loops and orders. Raises BadInput."""
    check_readings(load_book(book), readings)
    if cards is not None:
        yield from loops.queries(book, cards, readings)
    else:
        for stops in conflicts_and_gaps.prepared(book, readings=readings):
            yield from map(stops.query, stops.questions)
        for pairs in norms.prepared(book, readings):
            yield from map(pairs.query, pairs.clashes)
    yield from orders.queries(book, readings, cards)


def ask(
    book: str, only: Sequence[str], readings: Mapping[str, str] | None = None, cards: Sequence[str] | None = None,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
    keep: Callable[[list[CheckResult]], None] | None = None,
) -> CheckResult:
    """Ask these questions about a book (those about loops and orders: with these cards only, if any are named). `keep` is given what
    was found so far, whenever there is more. Raises BadInput."""
    about: list[tuple[Sequence[str], Callable[[Sequence[str]], CheckResult]]] = [
        (
            CLAUSE_QUESTIONS,
            lambda mine: conflicts_and_gaps.ask(
                book, mine, readings, seconds=seconds, stop=stop, states=states, second=second
            ),
        ),
        (LOOP_QUESTIONS, lambda mine: loops.ask(book, mine, readings, cards, seconds, stop, states, second)),
        ((NORMS,), lambda mine: norms.ask(book, readings, seconds=seconds, stop=stop, states=states, second=second)),
        ((DEAD,), lambda mine: dead.ask(book, readings, seconds=seconds, stop=stop)),
        ((ORDER,), lambda mine: orders.ask(book, readings, seconds, stop, second, cards or ())),
    ]
    results: list[tuple[Sequence[str], CheckResult]] = []
    for questions, put in about:
        if mine := [q for q in questions if q in only]:
            results.append((mine, within(stop, book, readings, lambda mine=mine, put=put: put(mine))))
            if keep is not None:
                keep([in_all(results)])
    return in_all(results)


def within(
    stop: Callable[[], bool] | None, book: str, readings: Mapping[str, str] | None, put: Callable[[], CheckResult],
) -> CheckResult:
    """What comes of questions; if they were cut off, the result says so."""
    result, cut = None, reason(stop)
    if not cut:
        with Part() as part:
            result = put()
        cut = part.why or reason(stop)
    if result is None:
        return nothing_found(book, ANYWHERE, ANYWHERE_TITLE, readings or {}, cut)
    return not_all_told(result, cut) if cut else result


def in_all(results: Sequence[tuple[Sequence[str], CheckResult]]) -> CheckResult:
    """What came of several kinds of questions, as one: what each takes as given is said to be so of its questions."""
    several = [result if len(results) == 1 else replace(result, bounds=replace(result.bounds, assumptions=tuple(
        replace(a, questions=tuple(questions)) for a in result.bounds.assumptions))) for questions, result in results]
    done = reduce(together, several)
    return replace(done, bounds=replace(done.bounds, assumptions=shared(done.bounds.assumptions, len(results))))


def shared(assumptions: Sequence[Assumption], results: int) -> tuple[Assumption, ...]:
    """What several questions take as given, said once of them all: of no question in particular where it is all that were asked."""
    out = grouped((replace(a, questions=()), a.questions) for a in assumptions)
    return tuple(
        replace(a, questions=() if len(asked) == results else tuple(q for questions in asked for q in questions))
        for a, asked in out.items()
    )


def together(a: CheckResult, b: CheckResult) -> CheckResult:
    """Both results as one."""
    bounds = replace(
        a.bounds,
        complete=a.bounds.complete and b.bounds.complete,
        notes=(*a.bounds.notes, *b.bounds.notes),
        assumptions=(*a.bounds.assumptions, *b.bounds.assumptions),
        not_asked=(*a.bounds.not_asked, *b.bounds.not_asked),
    )
    return replace(
        a, bounds=bounds, findings=tuple(each_once([*a.findings, *b.findings])), examined=(*a.examined, *b.examined),
        seconds=a.seconds + b.seconds)
