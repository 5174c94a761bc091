"""All that can be asked about every position of a book: each question by what answers it."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from ...findings.cut_off import cut_while_asking, nothing_found
from ...findings.identity import told_apart
from ...findings.record import Assumption, CheckResult
from ...findings.words import ANYWHERE, ANYWHERE_TITLE, CLAUSE_QUESTIONS, DEAD, LOOP_QUESTIONS, NORMS, ORDER
from ...limits.ending import Part, reason
from ..solving import Query
from . import dead, loops, norms, order_service, service
from .asking import SECONDS

STANDARD: Mapping[str, Sequence[tuple[tuple[str, str], str, int]]] = {
    "hanayome": (
        (("C-SWAPPER", "C-MORNING"), "check_timing", 2),
        (("C-SWAPPER", "BLANK"), "check_timing", 2),
        (("V-RECALL-MAIN", "V-RECALL-MAIN"), "main_phase", 3),
        (("V-RECALL-MAIN", "BLANK"), "main_phase", 3),
        (("V-RECALL-APPROACH", "V-RECALL-APPROACH"), "alternate", 7),
        (("C-LONELY", "C-MORNING"), "check_timing", 1),
    ),
}
"""The loops that are among the standard questions: two cards, the rule that goes round, and how many steps."""

ORDERS: Mapping[str, Sequence[tuple[str, str]]] = {
    "harem_master": (("G-VISITOR/go-home", "G-SHY/run"), ("M-HOST/welcome", "M-LOSER/grudge")),
    "sakura": (("E-SPRING/up", "E-FUNNEL/on"), ("E-SIEVE/down", "E-COMPOSURE/calm")),
    "ts_fight": (
        ("RUNNER/practice", "RUNNER/practice"), ("PARTY/party", "PARTY/party"), ("PARTY/party", "EARLY-BED/rest"),
        ("EARLY-BED/rest", "EARLY-BED/rest"),
    ),
}
"""The orders that are among the standard questions: pairs of abilities that can wait together."""


def standard(book: str, second: bool = False, seconds: float = SECONDS) -> Iterator[tuple[str, str, float, str]]:
    """Each standard question about a book, with the answer, how long it took, and what cvc5 says (`second`). A question about
    clauses may take so many `seconds`."""
    yield from service.published(book, second, seconds)
    yield from norms.published(book, second)
    yield from loops.published(book, STANDARD.get(book, ()), second=second)
    yield from order_service.published(book, ORDERS.get(book, ()), second=second)


def queries(book: str, cards: Sequence[str] | None, readings: Mapping[str, str]) -> Iterator[Query]:
    """What is asked about a book, for other solvers; of a scenario's cards: what is asked about loops. Raises BadInput."""
    if cards is not None:
        yield from loops.exported(book, cards, readings)
        return
    for stops in service.all_prepared(book, readings=readings):
        yield from (stops.query(key) for key in stops.questions)
    pairs = norms.prepared(book, readings)
    yield from (pairs.query(clash) for clash in pairs.clashes)
    yield from order_service.order_queries(book, readings)


def ask(
    book: str, only: Sequence[str], readings: Mapping[str, str] | None = None, cards: Sequence[str] | None = None,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
    keep: Callable[[list[CheckResult]], None] | None = None,
) -> CheckResult:
    """Ask these questions about a book (those about loops and orders: with these cards only, if any are named). `keep` is given what
    was found so far, whenever there is more. Raises BadInput."""
    about: list[tuple[Sequence[str], Callable[[Sequence[str]], CheckResult]]] = [
        (CLAUSE_QUESTIONS, lambda mine: service.ask(book, mine, readings, seconds=seconds, stop=stop, states=states, second=second)),
        (LOOP_QUESTIONS, lambda mine: loops.ask(book, mine, readings, cards, seconds, stop, states, second)),
        ((NORMS,), lambda mine: norms.ask(book, readings, seconds=seconds, stop=stop, states=states, second=second)),
        ((DEAD,), lambda mine: dead.ask(book, readings, seconds=seconds, stop=stop)),
        ((ORDER,), lambda mine: order_service.ask_orders(book, readings, seconds, stop, second, cards or ())),
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
    return cut_while_asking(result, cut) if cut else result


def in_all(results: Sequence[tuple[Sequence[str], CheckResult]]) -> CheckResult:
    """What came of several kinds of questions, as one."""
    several = [asked_by(questions, result) for questions, result in results] if len(results) > 1 else [result for _, result in results]
    done = reduce(together, several)
    return replace(done, bounds=replace(done.bounds, assumptions=shared(done.bounds.assumptions, len(results))))


def asked_by(questions: Sequence[str], result: CheckResult) -> CheckResult:
    """The result, with what it takes as given said to be so of these questions."""
    given = tuple(replace(a, questions=tuple(questions)) for a in result.bounds.assumptions)
    return replace(result, bounds=replace(result.bounds, assumptions=given))


def shared(assumptions: Sequence[Assumption], results: int) -> tuple[Assumption, ...]:
    """What several questions take as given, said once of them all: of no question in particular where it is all that were asked."""
    out: dict[Assumption, list[tuple[str, ...]]] = {}
    for a in assumptions:
        out.setdefault(replace(a, questions=()), []).append(a.questions)
    return tuple(
        replace(a, questions=() if len(asked) == results else tuple(q for questions in asked for q in questions)) for a, asked in out.items())


def together(a: CheckResult, b: CheckResult) -> CheckResult:
    """Both results as one."""
    bounds = replace(
        a.bounds, complete=a.bounds.complete and b.bounds.complete, notes=(*a.bounds.notes, *b.bounds.notes),
        assumptions=(*a.bounds.assumptions, *b.bounds.assumptions), not_asked=(*a.bounds.not_asked, *b.bounds.not_asked))
    return replace(
        a, bounds=bounds, findings=tuple(told_apart([*a.findings, *b.findings])), examined=(*a.examined, *b.examined),
        seconds=a.seconds + b.seconds)
