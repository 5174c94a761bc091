"""Lassos and growing loops of a book, asked of every position of small worlds, without exploring."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

from .....model.engine.library import Book, load_book
from .....spec.text import Text
from ....findings.record import Assumption, Bounds, CheckResult, Examined, Given
from ....findings.words import LOOP_QUESTIONS
from ....limits.ending import Part, why
from ...numbers import Beyond
from ...solving import Query
from ..asking import SECONDS, Asker, assumed_by_each
from ..report import Report, undecided
from .growing import ENOUGH, GrowingQuestion
from .lassos import LABELS, Lasso, LassoAnswer, LassoQuestion, heads_to_ask, solved
from .pools import Pool, asker_of, in_decks, pools
from .rounds import Head, rounds
from .telling import findings_at

LASSOS, GROWING = LOOP_QUESTIONS
ON_CARDS = Text(ja="能力の印のほか、カードの上に置かれるもの", en="what is on cards, marks on abilities aside")
IN_DECKS = Text(ja="各山札のカード1枚（そこにあるまま）", en="one card in each deck (it lies there)")
REPLAYED = Text(
    ja="状況を調べずに z3 で見つけ、参照エンジンで再生して確かめました", en="found by z3 without exploring, and replayed in the interpreter")
FOR_EVER = Text(
    ja=f"何度でも繰り返せます: 増えた後の値がこれより大きくても（{ENOUGH:,} まで）同じ手順がそのまま続くことを、帰納法で示しました",
    en=f"it repeats any number of times: by induction, the same steps follow with every larger value (up to {ENOUGH:,})")
SHORT = 2
"""Steps that are tried first: most loops are short, and what is found need not be looked for further on."""
TOTAL = 900.0
"""Seconds for all cards of a book together; what is left then is not asked, and the result says so."""
LATE = Text(
    ja=f"{TOTAL:g}秒以内に尋ねられなかった（これと、この後のカード）",
    en=f"not asked within {TOTAL:g} s: this card and those after it",
)
NOT_COME_TO = Text(
    ja="その局面から始まる対戦は、この繰り返しに来ない", en="play that begins with the position does not come to the loop"
)
KINDS: Mapping[str, type[LassoQuestion]] = {LASSOS: LassoQuestion, GROWING: GrowingQuestion}


@dataclass(frozen=True)
class Named:
    """A question, and what it is called."""

    name: str
    only: str
    question: LassoQuestion


@dataclass
class Loops(Report):
    """What came of the questions so far: `asked`, and how many of them have no lasso."""

    asked: int = 0
    none: int = 0
    askers: list[Asker] = field(default_factory=list[Asker])


def at(asker: Asker, pool: Pool, head: Head, texts: bool, only: Sequence[str], labels: int) -> Iterator[Named]:
    """The questions about a head. Raises Beyond."""
    there = rounds(asker, head, labels)
    for one in only:
        yield Named(f"{one}: {pool.called}: {head[0]}: {labels} steps", one, KINDS[one](asker, there, texts))


def ask(
    book: str,
    only: Sequence[str] = LOOP_QUESTIONS,
    readings: Mapping[str, str] | None = None,
    cards: Sequence[str] | None = None,
    seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None,
    states: int | None = None,
    second: bool = False,
    labels: int = LABELS,
) -> CheckResult:
    """Look for loops of a book, or only with these cards, under these readings or else the defaults. `states`: look for a
    play from preparation in so many positions of each scenario; `second`: ask cvc5 too. Raises BadInput."""
    out = Loops(book, readings or {}, seconds, stop, second)
    for pool in pools(out.loaded, cards):
        late = time.monotonic() - out.begun > TOTAL
        if late or out.is_over:
            out.leave(pool.called, LATE if late else why(stop))
            break
        texts = any(out.loaded.cards[c].abilities for c in pool.cards)
        try:
            with Part() as part:
                asker = asker_of(book, pool, out.readings, seconds)
                out.askers.append(asker)
                for head in heads_to_ask(asker, texts):
                    left = list(only)
                    for steps in (SHORT, labels):
                        answers = [
                            (q.only, answer(q, out, steps == labels)) for q in at(asker, pool, head, texts, left, steps)
                        ]
                        left = [one for one, reply in answers if reply.lasso is None]
                    if out.is_over:
                        break
            if part or out.is_over:
                out.end(part, pool.called)
                break
        except Beyond as e:
            out.leave(pool.name, e.why)
    given = (
        *assumed_by_each(out.askers),
        Assumption(Given.STEPS, (str(labels),)),
        Assumption(Given.FIELDS, (), (*([IN_DECKS] if in_decks(out.loaded) else []), ON_CARDS)),
        Assumption(Given.ALONE, ("1",)),
    )
    return out.result(out.bounds(given, [*undecided(out.unknown), *pairs_left(out.loaded, cards)]), (
        Examined(Text(ja="カード2枚ずつの世界", en="worlds of two cards"), len(out.askers), ""),
        Examined(Text(ja="そこでの繰り返しの入口（問い）", en="heads of loops in them (questions)"), out.asked, "loops"),
        Examined(Text(ja="うち、元へ戻る手順がないと示されたもの", en="of these, shown to have no way back to the beginning"), out.none, ""),
    ), states)


def pairs_left(book: Book, cards: Sequence[str] | None) -> Iterator[Text]:
    """How many pairs of different cards with a text there are: of no world that is asked about."""
    count = sum(bool(c.abilities) and (cards is None or c.id in cards) for c in book.cards.values())
    if count > 1:
        many = f"{comb(count, 2):,}"
        yield Text(
            ja=f"文章のあるカード2種類が揃って起こる繰り返し（{many}組）は、ここでは調べていません。状況の `check` と `combos` が調べます",
            en=f"Loops that take two different cards with a text (pairs: {many}) were not asked about: `check` of a situation and `combos` look for those")


def answer(named: Named, out: Loops, last: bool) -> LassoAnswer:
    """Ask one question, and tell what is found. Not the last about a head: without an answer it is asked again, with more
    steps."""
    reply = solved(named.question)
    if reply.lasso is None and not last:
        return reply
    out.asked += 1
    if out.second and not reply.unknown:
        out.compare(named.question.query(named.name), reply.lasso is None)
    if reply.unknown:
        out.leave(named.name, reply.unknown)
    elif reply.lasso is None:
        out.none += 1
    else:
        tell(named, reply.lasso, out)
    return reply


def tell(named: Named, lasso: Lasso, out: Loops) -> None:
    """The findings about a loop, if they are not there yet."""
    growing = named.only == GROWING
    try:
        found = findings_at(
            named.question.asker,
            lasso,
            Bounds(True, 0, 0, 0, (REPLAYED, FOR_EVER) if growing else (REPLAYED,)),
            growing,
        )
    except Beyond as e:
        out.leave(named.name, e.why)
        return
    if not found:
        out.leave(named.name, NOT_COME_TO)
    known = {f.id for f in out.findings}
    out.findings += [f for f in found if f.id not in known]


def queries(book: str, cards: Sequence[str] | None, readings: Mapping[str, str]) -> Iterator[Query]:
    """The questions about loops with these cards, for other solvers."""
    b = load_book(book)
    for pool in pools(b, cards):
        texts = any(b.cards[c].abilities for c in pool.cards)
        asker = asker_of(book, pool, readings)
        for head in heads_to_ask(asker, texts):
            yield from (
                named.question.query(named.name) for named in at(asker, pool, head, texts, LOOP_QUESTIONS, LABELS)
            )
