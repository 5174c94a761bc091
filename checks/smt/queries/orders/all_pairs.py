"""All pairs of a card pool: of which does the order matter? A finding for each place where it does."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .....model.engine.library import load_book
from .....model.lang.world import CardDef
from .....spec.groups import grouped
from .....spec.text import Text
from ....findings.record import Assumption, CheckResult, Examined, Finding, Given, NotAsked, Unasked
from ....limits.ending import Part
from ...leaving import ranges_taken_as_given
from ...solving import Query
from ..asking import SECONDS
from ..report import Report
from .pair import Pair, PairAnswer
from .pairs import ASKED, BESIDE, DRAWING, PoolOrders
from .telling import pair_words, with_others

EACH = 5.0
"""Seconds for one question about a pair, at most: there are many."""
ALTOGETHER = 240.0
"""Seconds for all pairs of a pool; what is left then is not asked about, and this is said."""
SHARE = 0.6
"""Of the time that is left for a pair on average, so much is for positions drawn by lot."""
MOST_CARDS = 4 + BESIDE
"""Cards of a position: a copy of either card for each player, and those beside."""
LATE = Text(ja=f"{ALTOGETHER:g}秒の上限に達したので尋ねていない", en=f"not asked: {ALTOGETHER:g} s were over")
NAMED = 6
"""Pairs without an answer that are named, of those with one reason."""


@dataclass
class Orders(Report):
    """What came of all pairs of a pool: a finding for each place where an order matters."""

    answers: list[PairAnswer] = field(default_factory=list[PairAnswer])

    def examined(self, kinds: int) -> tuple[Examined, ...]:
        """How much was asked."""
        def count(*said: str) -> int:
            return sum(a.said in said for a in self.answers)
        return (
            Examined(Text(ja="待機することがある能力", en="abilities that can wait"), kinds, ""),
            Examined(
                Text(ja="順番を比べた能力の組", en="pairs of abilities whose orders were compared"),
                len(self.answers),
                "order",
            ),
            Examined(
                Text(
                    ja="うち、互いに関わりのない所だけを読み書きするもの",
                    en="of these, touching nothing that concerns the other",
                ),
                count("disjoint"),
                "",
            ),
            Examined(
                Text(
                    ja="うち、これらの世界では同時に待機しないもの", en="of these, not waiting together in these worlds"
                ),
                count("apart"),
                "",
            ),
            Examined(
                Text(
                    ja="うち、順番を問わないと示されたもの（誰が何を実現できるかも同じ）",
                    en="of these, shown to lead to the same in both orders, and that the same players can bring it about",
                ),
                count("commute"),
                "",
            ),
            Examined(
                Text(
                    ja="うち、行き着きうる結果が同じことだけが示されたもの",
                    en="of these, only shown to reach the same results in both orders",
                ),
                count("reached"),
                "",
            ),
            Examined(
                Text(ja="うち、順番で結果が変わるもの", en="of these, leading to different results"),
                count("differ", "hint"),
                "",
            ),
        )


def assumed(pool: PoolOrders) -> Iterator[Assumption]:
    """What the answers rest on."""
    yield Assumption(Given.CARDS, (str(MOST_CARDS),), tuple(dict.fromkeys(k.card.name for k in pool.kinds)))
    yield from ranges_taken_as_given([pool.whole], pool.book.vocabulary.of)
    yield Assumption(Given.ALONE, ("2",))
    yield Assumption(Given.READINGS, ("default",))


def orders_of(out: Orders, cards: Sequence[CardDef] | None = None) -> PoolOrders:
    """Ask about all pairs of a pool (the book's cards, unless others are given), under the default readings where nothing
    else is given. Raises BadInput."""
    pool = PoolOrders(
        out.loaded, list(out.loaded.cards.values()) if cards is None else cards, out.readings, out.seconds
    )
    until = time.monotonic() + ALTOGETHER
    said: dict[Pair, PairAnswer] = {}
    late: list[Pair] = []
    with Part() as part:
        for k, pair in enumerate(pool.by_world()):
            if out.is_over:
                break
            if time.monotonic() > until:
                late.append(pair)
                continue
            pool.drawing = min(DRAWING, SHARE * (until - time.monotonic()) / (len(pool.pairs) - k))
            said[pair] = pool.answer(pair, smallest=False, patient=False)
            if out.second:
                for which, expected in said[pair].evidence.items():
                    out.compare(pool.query(pair, which), expected == "unsat")
        pool.drawing = DRAWING
        for pair in [p for p, a in said.items() if a.left_for_later]:
            if time.monotonic() > until or out.is_over:
                break
            said[pair] = pool.answer(pair, smallest=False)
    left, called = [pair.name for pair in pool.pairs if pair not in said], out.loaded.vocabulary.of
    out.answers = [said[pair] for pair in pool.pairs if pair in said]
    out.unknown = [
        *left_open(out, "unknown"), *out.unknown, *((pair.in_words(called), LATE) for pair in late),
        *((Text.same(name), why) for name, why in pool.refused),
    ]
    out.end(part, left[0] if left else "order")
    places = grouped((a.pair.one.where, a) for a in out.answers if a.finding is not None)
    out.findings = [finding_at(pool, answers, out) for answers in places.values()]
    out.not_asked += (NotAsked(name, called(name), "", (), Unasked.KIND, "order") for name in pool.left_out)
    return pool


def ask(
    book: str,
    readings: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None,
    second: bool = False,
    cards: Sequence[str] = (),
) -> CheckResult:
    """Ask about all pairs of these cards (of all of the book's, if none are named), and say what came of it. Raises BadInput."""
    out = Orders(book, readings or {}, min(seconds, EACH), stop, second)
    known = out.loaded.cards
    pool = orders_of(out, [known[c] for c in dict.fromkeys(cards) if c in known] or None)
    half = [*left_open(out, "reached")]
    bounds = out.bounds(tuple(assumed(pool)), (ASKED, *in_short(half, REACHED), *in_short(out.unknown, UNDECIDED)))
    return out.result(replace(bounds, complete=bounds.complete and not half), out.examined(len(pool.kinds)))


def queries(
    book: str, readings: Mapping[str, str] | None = None, cards: Sequence[str] | None = None,
) -> Iterator[Query]:
    """What is asked about the orders of these cards (of all of the book's, if none are named), for any solver. Raises BadInput."""
    b = load_book(book)
    pool = list(b.cards.values()) if not cards else [b.cards[c] for c in cards if c in b.cards]
    yield from PoolOrders(b, pool, readings or {}).queries()


UNDECIDED = Text(ja="判定できず", en="not decided")
REACHED = Text(ja="どちらの順番でも同じ結果に行き着きうるが、誰が実現できるかは判定できず",
               en="the same results can be reached in both orders, but it is not decided who can bring them about")


def left_open(out: Orders, said: str) -> Iterator[tuple[Text, Text]]:
    """The pairs of which only this was found, and why."""
    called = out.loaded.vocabulary.of
    yield from ((a.pair.in_words(called), a.why) for a in out.answers if a.said == said and a.why is not None)


def in_short(questions: Sequence[tuple[Text, Text]], what: Text) -> Iterator[Text]:
    """Questions without an answer, by the reason: the first of them by name, each once."""
    reasons: dict[Text, dict[Text, None]] = {}
    for name, why in questions:
        reasons.setdefault(why, {})[name] = None
    for why, names in reasons.items():
        some, rest = [*names][:NAMED], len(names) - NAMED
        yield Text(
            ja=f"{what.ja}（{why.ja}）: {'、'.join(x.ja for x in some)}" + (f"、ほか{rest}組" if rest > 0 else ""),
            en=f"{what.en} ({why.en}): {', '.join(x.en for x in some)}" + (f" and {rest} more" if rest > 0 else ""))


def finding_at(pool: PoolOrders, answers: Sequence[PairAnswer], out: Orders) -> Finding:
    """One finding for all pairs at one place: the first one in full, in the smallest position if there is time for it, the others by name."""
    smallest = first = min(answers, key=lambda a: a.said == "hint")
    if not out.is_over:
        with Part():
            smallest = pool.answer(first.pair, smallest=True)
    finding = smallest.finding if smallest.said == first.said else first.finding
    assert finding is not None
    others = [pair_words(a.pair.one.words, a.pair.other.words) for a in answers if a is not first]
    return replace(finding, summary=with_others(finding.summary, others))
