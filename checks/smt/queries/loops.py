"""Lassos and growing loops of a book, asked of every position of small worlds, without exploring."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ....model.engine.library import load_book
from ....spec.text import Text
from ...findings.identity import told_apart
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Finding, Given
from ...findings.words import LOOP_QUESTIONS
from ...limits.ending import Part, reason, why
from ..numbers import Beyond
from ..solving import Query, opinion_on_standard, second_opinion
from .asking import SECONDS, Asker
from .growing import ENOUGH, GrowingQuestion
from .lassos import LABELS, Lasso, LassoQuestion, Reply, asked, heads_to_ask
from .pools import Pool, asker_of, pools
from .reaching import reached
from .rounds import Head, rounds
from .service import assumed_by, checked
from .telling import ANYWHERE, TITLE
from .told_loops import told

LASSOS, GROWING = LOOP_QUESTIONS
ON_CARDS = Text(ja="能力の印のほか、カードの上に置かれるもの", en="what is on cards, marks on abilities aside")
SHORT = 2
"""Steps that are tried first: most loops are short, and what is found need not be looked for further on."""
TOTAL = 900.0
"""Seconds for all cards of a book together; what is left then is not asked, and the result says so."""
KINDS: Mapping[str, type[LassoQuestion]] = {LASSOS: LassoQuestion, GROWING: GrowingQuestion}


@dataclass(frozen=True)
class Named:
    """A question, and what it is called."""

    name: str
    only: str
    question: LassoQuestion


@dataclass
class Answers:
    """What came of the questions so far."""

    worlds: int = 0
    asked: int = 0
    none: int = 0
    agreed: int = 0
    findings: list[Finding] = field(default_factory=list[Finding])
    unknown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    askers: list[Asker] = field(default_factory=list[Asker])


def questions(asker: Asker, pool: Pool, texts: bool, only: Sequence[str], labels: int = LABELS) -> Iterator[Named]:
    """The questions about a world. Raises Beyond."""
    for head in heads_to_ask(asker, texts):
        yield from at(asker, pool, head, texts, only, labels)


def at(asker: Asker, pool: Pool, head: Head, texts: bool, only: Sequence[str], labels: int) -> Iterator[Named]:
    """The questions about a head. Raises Beyond."""
    there = rounds(asker, head, labels)
    for one in only:
        yield Named(f"{one}: {pool.name or 'no card'}: {head[0]}: {labels} steps", one, KINDS[one](asker, there, texts))


def ask(
    book: str, only: Sequence[str] = LOOP_QUESTIONS, readings: Mapping[str, str] | None = None, cards: Sequence[str] | None = None,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
    labels: int = LABELS,
) -> CheckResult:
    """Look for loops of a book, or only with these cards, under these readings or else the defaults. `states`: look for a
    play from preparation in so many positions of each scenario; `second`: ask cvc5 too. Raises BadInput."""
    begun, b, out = time.monotonic(), load_book(book), Answers()
    checked(b, readings or {})
    for pool in pools(b, cards):
        late = time.monotonic() - begun > TOTAL
        if late or (stop is not None and stop()):
            said = f"not asked within {TOTAL:g} s: this and all cards after it" if late else why(stop)
            out.unknown.append((pool.name or "no card", said))
            break
        texts = any(b.cards[c].abilities for c in pool.cards)
        try:
            with Part() as part:
                asker = asker_of(book, pool, readings or {}, seconds)
                out.worlds += 1
                out.askers.append(asker)
                for head in heads_to_ask(asker, texts):
                    left = list(only)
                    for steps in (SHORT, labels):
                        answers = [(n.only, answer(n, out, second, steps == labels)) for n in at(asker, pool, head, texts, left, steps)]
                        left = [one for one, reply in answers if reply.lasso is None]
                    if reason(stop):
                        break
            if part or reason(stop):
                out.unknown.append((pool.name or "no card", why(stop)))
                break
        except Beyond as e:
            out.unknown.append((pool.name, str(e)))
    findings = told_apart(out.findings)
    if states is not None:
        with Part():
            findings = reached(book, findings, states, seconds, stop)
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds_of(out, labels), tuple(findings), examined(out, second), {}, False, seconds=time.monotonic() - begun)


def answer(named: Named, out: Answers, second: bool, last: bool) -> Reply:
    """Ask one question, and tell what is found. Not the last about a head: without an answer it is asked again, with more
    steps."""
    reply = asked(named.question)
    if reply.lasso is None and not last:
        return reply
    out.asked += 1
    if second and not reply.unknown:
        said = second_opinion(named.question.query(named.name), named.question.asker.seconds).verdict
        agrees = said == ("unsat" if reply.lasso is None else "sat")
        out.agreed += agrees
        if not agrees:
            out.unknown.append((named.name, f"z3 and cvc5 do not agree: cvc5 says {said}"))
    if reply.unknown:
        out.unknown.append((named.name, reply.unknown))
    elif reply.lasso is None:
        out.none += 1
    else:
        told_one(named, reply.lasso, out)
    return reply


def told_one(named: Named, lasso: Lasso, out: Answers) -> None:
    """The findings about a loop, if they are not there yet."""
    growing = named.only == GROWING
    try:
        found = told(named.question.asker, lasso, Bounds(True, 0, 0, 0, tuple(notes(growing))), growing)
    except Beyond as e:
        out.unknown.append((named.name, str(e)))
        return
    if not found:
        out.unknown.append((named.name, "play that begins with the position does not come to the loop"))
    known = {f.id for f in out.findings}
    out.findings += [f for f in found if f.id not in known]


def notes(growing: bool) -> Iterator[Text]:
    """How a loop was found."""
    yield Text(ja="状況を調べずに z3 で見つけ、参照エンジンで再生して確かめました",
               en="found by z3 without exploring, and replayed in the interpreter")
    if growing:
        yield Text(
            ja=f"何度でも繰り返せます: 増えた後の値がこれより大きくても（{ENOUGH:,} まで）同じ手順がそのまま続くことを、帰納法で示しました",
            en=f"it repeats any number of times: by induction, the same steps follow with every larger value (up to {ENOUGH:,})")


def bounds_of(out: Answers, labels: int) -> Bounds:
    """Which positions were asked about."""
    left = tuple(Text(ja=f"判定できず: {what}（{why}）", en=f"not decided: {what} ({why})") for what, why in out.unknown)
    return Bounds(not out.unknown, 0, 0, 0, left, assumptions=tuple(assumed(out, labels)))


def assumed(out: Answers, labels: int) -> Iterator[Assumption]:
    """What the answers rest on."""
    given = assumed_by(out.askers)
    most = max((a.layout.card_count for a in out.askers), default=0)
    cards = dict.fromkeys(name for a in given if a.kind is Given.CARDS for name in a.what)
    yield Assumption(Given.CARDS, (str(most), str(out.worlds)), tuple(cards))
    yield from (a for a in given if a.kind is not Given.CARDS)
    yield Assumption(Given.STEPS, (str(labels),))
    yield Assumption(Given.FIELDS, (), (ON_CARDS,))
    yield Assumption(Given.ALONE, ("1",))


def examined(out: Answers, second: bool) -> tuple[Examined, ...]:
    """How much was asked."""
    more = (Examined(Text(ja="cvc5 も同じ答えを出した問い", en="questions that cvc5 answers alike"), out.agreed, ""),) if second else ()
    return (
        Examined(Text(ja="カード2枚ずつの世界", en="worlds of two cards"), out.worlds, ""),
        Examined(Text(ja="そこでの繰り返しの入口（問い）", en="heads of loops in them (questions)"), out.asked, "loops"),
        Examined(Text(ja="うち、元へ戻る手順がないと示されたもの", en="of these, shown to have no way back to the beginning"), out.none, ""),
        *more,
    )


def published(
    book: str, loops: Sequence[tuple[tuple[str, str], str, int]], only: Sequence[str] = LOOP_QUESTIONS, second: bool = False,
) -> Iterator[tuple[str, str, float, str]]:
    """Each standard question about loops: with two cards, at the head of a rule, in so many steps. The answer, how long it
    took, and what cvc5 says."""
    for cards, rule, labels in loops:
        pool, asker = Pool(cards), asker_of(book, Pool(cards), {})
        there = [h for h in heads_to_ask(asker, True) if h[0].partition("[")[0] == rule]
        for named in (n for h in there for n in at(asker, pool, h, True, only, labels)):
            reply = asked(named.question)
            said = f"unknown: {reply.unknown}" if reply.unknown else "none" if reply.lasso is None else "found"
            yield named.name, said, reply.seconds, opinion_on_standard(named.question.query(named.name)) if second else ""


def exported(book: str, cards: Sequence[str] | None, readings: Mapping[str, str]) -> Iterator[Query]:
    """The questions about loops with these cards, for other solvers."""
    b = load_book(book)
    checked(b, readings)
    for pool in pools(b, cards):
        texts = any(b.cards[c].abilities for c in pool.cards)
        for named in questions(asker_of(book, pool, readings), pool, texts, LOOP_QUESTIONS):
            yield named.question.query(named.name)


__all__ = ["ask", "exported", "published"]
