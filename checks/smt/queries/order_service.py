"""All pairs of a card pool: of which does the order matter? A finding for each place where it does."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....model.engine.library import load_book
from ....model.lang.world import CardDef
from ....spec.text import Text
from ...findings.identity import told_apart
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Finding, Given, NotAsked, Unasked
from ...limits.ending import Part, reason, why
from ..leaving import ranges_taken_as_given
from ..solving import Query, opinion_on_standard, second_opinion
from .asking import SECONDS
from .order_pairs import ASKED, BESIDE, DRAWING, Answer, Pair, PoolOrders
from .order_telling import pair_words, with_others
from .service import checked
from .telling import ANYWHERE, TITLE

EACH = 5.0
"""Seconds for one question about a pair, at most: there are many."""
ALTOGETHER = 240.0
"""Seconds for all pairs of a pool; what is left then is not asked about, and this is said."""
SHARE = 0.6
"""Of the time that is left for a pair on average, so much is for positions drawn by lot."""
MOST_CARDS = 4 + BESIDE
"""Cards of a position: a copy of either card for each player, and those beside."""
NAMED = 6
"""Pairs without an answer that are named, of those with one reason."""


@dataclass
class PoolAnswers:
    """What came of all pairs of a pool: a finding for each place where an order matters."""

    findings: list[Finding] = field(default_factory=list[Finding])
    unknown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    answers: list[Answer] = field(default_factory=list[Answer])
    agreed: int = 0

    def examined(self, kinds: int, second: bool) -> tuple[Examined, ...]:
        """How much was asked."""
        def count(*said: str) -> int:
            return sum(a.said in said for a in self.answers)
        more = (Examined(Text(ja="cvc5 も同じ答えを出した順番の問い", en="questions about orders that cvc5 answers alike"), self.agreed, ""),)
        return (
            Examined(Text(ja="待機することがある能力", en="abilities that can wait"), kinds, ""),
            Examined(Text(ja="順番を比べた能力の組", en="pairs of abilities whose orders were compared"), len(self.answers), "order"),
            Examined(Text(ja="うち、互いに関わりのない所だけを読み書きするもの",
                          en="of these, touching nothing that concerns the other"), count("disjoint"), ""),
            Examined(Text(ja="うち、これらの世界では同時に待機しないもの", en="of these, not waiting together in these worlds"), count("apart"), ""),
            Examined(Text(ja="うち、順番を問わないと示されたもの（誰が何を実現できるかも同じ）",
                          en="of these, shown to lead to the same in both orders, and that the same players can bring it about"), count("commute"), ""),
            Examined(Text(ja="うち、行き着きうる結果が同じことだけが示されたもの", en="of these, only shown to reach the same results in both orders"),
                     count("reached"), ""),
            Examined(Text(ja="うち、順番で結果が変わるもの", en="of these, leading to different results"), count("differ", "hint"), ""),
            *(more if second else ()))


def assumed(pool: PoolOrders) -> Iterator[Assumption]:
    """What the answers rest on."""
    yield Assumption(Given.CARDS, (str(MOST_CARDS),), tuple(dict.fromkeys(k.card.name for k in pool.kinds)))
    yield from ranges_taken_as_given([pool.whole], pool.book.vocabulary.of)
    yield Assumption(Given.ALONE, ("2",))
    yield Assumption(Given.READINGS, ("default",))


def left_open(pool: PoolOrders) -> tuple[NotAsked, ...]:
    """What waits and was not asked about: what it is is told elsewhere."""
    called = pool.book.vocabulary.of
    return tuple(NotAsked(name, called(name), "", (), Unasked.KIND, "order") for name in pool.left_out)


def orders_of(
    book: str, readings: Mapping[str, str] | None = None, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
    second: bool = False, cards: Sequence[CardDef] | None = None,
) -> tuple[PoolOrders, PoolAnswers]:
    """Ask about all pairs of a pool (the book's cards, unless others are given), under the default readings where nothing
    else is given. Raises BadInput."""
    b = load_book(book)
    checked(b, readings or {})
    pool = PoolOrders(b, list(b.cards.values()) if cards is None else cards, readings or {}, seconds)
    out = PoolAnswers()
    until = time.monotonic() + ALTOGETHER
    said: dict[Pair, Answer] = {}
    with Part() as part:
        for k, pair in enumerate(pool.by_world()):
            if stop is not None and stop():
                break
            if time.monotonic() > until:
                out.unknown.append((pair.name, f"not asked: {ALTOGETHER:g} s were over"))
                continue
            pool.drawing = min(DRAWING, SHARE * (until - time.monotonic()) / (len(pool.pairs) - k))
            said[pair] = pool.answer(pair, smallest=False, patient=False)
            if second:
                compare(pool, said[pair], out)
        pool.drawing = DRAWING
        for pair in [p for p, a in said.items() if a.left_for_later]:
            if time.monotonic() > until or (stop is not None and stop()):
                break
            said[pair] = pool.answer(pair, smallest=False)
    if part or reason(stop):
        left = [pair.name for pair in pool.pairs if pair not in said]
        out.unknown.append((left[0] if left else "order", why(stop)))
    out.answers = [said[pair] for pair in pool.pairs if pair in said]
    out.unknown = [(a.pair.name, a.why) for a in out.answers if a.said == "unknown"] + out.unknown + pool.refused
    places: dict[tuple[str, str, str], list[Answer]] = {}
    for a in out.answers:
        if a.finding is not None:
            places.setdefault(a.pair.one.where, []).append(a)
    out.findings = [told(pool, answers, stop) for answers in places.values()]
    return pool, out


def ask_orders(
    book: str, readings: Mapping[str, str] | None = None, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
    second: bool = False, cards: Sequence[str] = (),
) -> CheckResult:
    """Ask about all pairs of these cards (of all of the book's, if none are named), and say what came of it. Raises BadInput."""
    begun = time.monotonic()
    known = load_book(book).cards
    named = [known[c] for c in dict.fromkeys(cards) if c in known]
    pool, out = orders_of(book, readings, min(seconds, EACH), stop, second, named or None)
    half = [(a.pair.name, a.why) for a in out.answers if a.said == "reached"]
    left = left_open(pool)
    bounds = Bounds(
        not out.unknown and not half and not left, 0, 0, 0, (ASKED, *undecided(half, REACHED), *undecided(out.unknown)), assumptions=tuple(assumed(pool)),
        not_asked=left)
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(told_apart(out.findings)),
        out.examined(len(pool.kinds), second), {}, False, seconds=time.monotonic() - begun)


def order_queries(
    book: str, readings: Mapping[str, str] | None = None, cards: Sequence[str] | None = None,
) -> Iterator[Query]:
    """What is asked about the orders of these cards (of all of the book's, if none are named), for any solver. Raises BadInput."""
    b = load_book(book)
    pool = list(b.cards.values()) if not cards else [b.cards[c] for c in cards if c in b.cards]
    yield from PoolOrders(b, pool, readings or {}).queries()


def published(
    book: str, pairs: Sequence[tuple[str, str]], seconds: float = SECONDS, second: bool = False,
) -> Iterator[tuple[str, str, float, str]]:
    """Whether the order of these pairs of abilities matters (that of ordered zones included): the answer, how long it took, and what
    cvc5 says (`second`)."""
    b = load_book(book)
    for names in pairs:
        cards = [c for c in b.cards.values() if any(a.id in names for a in c.abilities)]
        pool = PoolOrders(b, cards, {}, seconds)
        pair = next(p for p in pool.pairs if {p.one.ability, p.other.ability} == set(names))
        asker, conditions = pool.conditions(pair)
        one = asker.possible(*conditions)
        said = f"unknown: {one.unknown}" if one.unknown else "none" if one.model is None else "found"
        yield pair.name, said, one.seconds, opinion_on_standard(pool.query(pair)) if second else ""


UNDECIDED = Text(ja="判定できず", en="not decided")
REACHED = Text(ja="どちらの順番でも同じ結果に行き着きうるが、誰が実現できるかは判定できず",
               en="the same results can be reached in both orders, but it is not decided who can bring them about")


def undecided(questions: Sequence[tuple[str, str]], what: Text = UNDECIDED) -> Iterator[Text]:
    """Questions without an answer, by the reason: the first of them by name."""
    reasons: dict[str, list[str]] = {}
    for name, said in questions:
        reasons.setdefault(said, []).append(name)
    for said, all_ in reasons.items():
        some = ", ".join(all_[:NAMED])
        rest = len(all_) - NAMED
        yield Text(
            ja=f"{what.ja}（{said}）: {some}" + (f"、ほか{rest}組" if rest > 0 else ""),
            en=f"{what.en} ({said}): {some}" + (f" and {rest} more" if rest > 0 else ""))


def told(pool: PoolOrders, answers: Sequence[Answer], stop: Callable[[], bool] | None) -> Finding:
    """One finding for all pairs at one place: the first one in full, in the smallest position if there is time for it, the others by name."""
    smallest = first = min(answers, key=lambda a: a.said == "hint")
    if not reason(stop):
        with Part():
            smallest = pool.answer(first.pair, smallest=True)
    finding = smallest.finding if smallest.said == first.said else first.finding
    assert finding is not None
    others = [pair_words(a.pair.one.words, a.pair.other.words) for a in answers if a is not first]
    return replace(finding, summary=with_others(finding.summary, others))


def compare(pool: PoolOrders, said: Answer, out: PoolAnswers) -> None:
    """What cvc5 says of the same questions; a disagreement is a defect of ours."""
    for which, expected in said.evidence.items():
        other = second_opinion(pool.query(said.pair, which), pool.seconds)
        out.agreed += other.verdict == expected
        if other.verdict != expected:
            out.unknown.append((said.pair.name, f"z3 and cvc5 do not agree: cvc5 says {other.verdict} {other.reason}"))
