"""The standard questions about every position of the five books: z3's answers, their times, and (with cvc5) a second one.

    python -m tests.checks.smt.standard [--second-opinion]
"""
from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.checks.smt.queries import conflicts_and_gaps, norms
from rulewright.checks.smt.queries.asking import SECONDS, Answered
from rulewright.checks.smt.queries.loops.all_worlds import at
from rulewright.checks.smt.queries.loops.lassos import heads_to_ask, solved
from rulewright.checks.smt.queries.loops.pools import Pool, asker_of
from rulewright.checks.smt.queries.orders.pairs import PoolOrders
from rulewright.checks.smt.solving import Query, second_opinion
from rulewright.model.engine.library import book_names, load_book

LOOPS: Mapping[str, Sequence[tuple[tuple[str, str], str, int]]] = {
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
PATIENTLY = 600.0
"""How long cvc5 may take for one, in seconds: it has to answer each, though they were put so that z3 is quick."""


@dataclass(frozen=True)
class Standard:
    """A question, z3's answer (`found`, `none`, or `unknown` and why), and how long it took."""

    question: Query
    said: str
    seconds: float

    @property
    def name(self) -> str:
        return self.question.name


def of_answer(question: Callable[[Answered], Query], ask: Callable[[], Answered]) -> Standard:
    begun = time.monotonic()
    answer = ask()
    took = time.monotonic() - begun
    said = f"unknown: {answer.unknown.en}" if answer.unknown else "none" if answer.model is None else "found"
    return Standard(question(answer), said, took)


def about_clauses(book: str, seconds: float = SECONDS) -> Iterator[Standard]:
    """Those about conflicts and gaps."""
    for here in conflicts_and_gaps.prepared(book, seconds=seconds):
        for key in here.questions:
            yield of_answer(lambda answer, here=here, key=key: here.query(key, answer.plain),
                            lambda here=here, key=key: here.asker.possible(here.condition(key)))


def standard(book: str, seconds: float = SECONDS) -> Iterator[Standard]:
    """Each standard question about a book; one about clauses may take so many `seconds`."""
    yield from about_clauses(book, seconds)
    pairs = next(norms.prepared(book))
    for clash in pairs.clashes:
        yield of_answer(lambda _, clash=clash: pairs.query(clash), lambda clash=clash: pairs.asker.possible(clash.when))
    for cards, rule, labels in LOOPS.get(book, ()):
        asker = asker_of(book, Pool(cards), {})
        for head in (h for h in heads_to_ask(asker, True) if h[0].partition("[")[0] == rule):
            for named in at(asker, Pool(cards), head, True, ("lassos", "growing"), labels):
                begun = time.monotonic()
                reply = solved(named.question)
                took = time.monotonic() - begun
                said = f"unknown: {reply.unknown.en}" if reply.unknown else "none" if reply.lasso is None else "found"
                yield Standard(named.question.query(named.name), said, took)
    for names in ORDERS.get(book, ()):
        b = load_book(book)
        pool = PoolOrders(b, [c for c in b.cards.values() if any(a.id in names for a in c.abilities)], {})
        pair = next(p for p in pool.pairs if {p.one.ability, p.other.ability} == set(names))
        asker, conditions = pool.conditions(pair)
        yield of_answer(lambda _, pool=pool, pair=pair: pool.query(pair), lambda asker=asker, conditions=conditions: asker.possible(*conditions))


def main(second: bool) -> int:
    begun, wrong, count = time.monotonic(), 0, 0
    for book in book_names():
        for x in standard(book):
            count += 1
            other = {"sat": "found", "unsat": "none"}.get(second_opinion(x.question, PATIENTLY).verdict, "unknown") if second else ""
            differs = {x.said, other} == {"found", "none"}
            wrong += differs or x.said.startswith("unknown") or other == "unknown"
            print(f"{book:13} {x.seconds:6.2f} s  {x.said:8} {other:8} {x.name}{'  DISAGREE' if differs else ''}", flush=True)
    print(f"{count} questions, {wrong} unknown or disagreed on, {time.monotonic() - begun:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main("--second-opinion" in sys.argv[1:]))
