"""The standard questions about a book, asked of every state that satisfies the invariants, without a scenario."""
from __future__ import annotations

import re
import time
from ast import AsyncFunctionDef
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from ....model.engine.library import Book, load_book
from ....model.ir.program import Program
from ....model.lang.world import CardDef
from ....spec.diagnostics import BadInput, Diagnostic, did_you_mean
from ....spec.text import Text
from ...findings.identity import told_apart
from ...findings.record import Bounds, CheckResult, Examined, Finding
from ...words import CLAUSE_QUESTIONS as QUESTIONS
from .. import numbers as n
from .. import truths as t
from ..numbers import Beyond
from ..solving import Query, opinion_on_standard, query, second_opinion
from ..symbolic import evaluated
from ..truths import Truth
from ..worlds import MOST_ENTRIES, FreeWorld, free_world
from .asking import SECONDS, Answered, Asker, summed
from .position import position_of
from .reaching import reached
from .stops import Stop, endings_together, stops_of
from .telling import ANYWHERE, TITLE, Disagreement, finding_of, replayed, replayed_under_way, subject_of
from .underway import gaps_under_way, position_under_way

CARDS = 12
"""Cards that a state may have, unless told otherwise: enough for five in each of two places."""
CONFLICTS, GAPS = QUESTIONS[:2]
KINDS = {CONFLICTS: "conflict", GAPS: "gap"}
PLAIN = 4
"""Cards that are there at least beside those that bring rules along."""
WORD = re.compile(r"\w+")


@dataclass
class Asked:
    """Answers so far: findings, and questions without one (which, and why)."""

    findings: list[Finding] = field(default_factory=list[Finding])
    unknown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    agreed: int = 0
    """Questions that another solver answers alike."""


@dataclass
class Asking:
    """A book's questions, ready to be asked: the ways to stop, by what tells findings apart."""

    asker: Asker
    questions: dict[tuple[str, ...], list[Stop]]
    rules: int
    refused: list[tuple[str, str]]

    def conditions(self, key: tuple[str, ...]) -> Truth:
        """Play stops like this, and had not ended before."""
        return t.some(t.both(s.when, t.no(s.late)) for s in self.questions[key])

    def query(self, key: tuple[str, ...], plain: Sequence[Truth] = ()) -> Query:
        """The question, for any solver; `plain`: as it was asked of the plainest states."""
        return query(name_of(key), plain or [*self.asker.assumed, self.conditions(key)])


def name_of(key: tuple[str, ...]) -> str:
    """What a question is called."""
    return " ".join(word for word in key if word)


def prepared(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS,
) -> Asking:
    """A book's questions. Raises BadInput."""
    return asked_in(Asker(world_of(load_book(book), readings or {}, cards), seconds), only)


def all_prepared(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS,
) -> Iterator[Asking]:
    """A book's questions; then those of rules that need other cards to be there. Raises BadInput."""
    first = prepared(book, only, readings, cards, seconds)
    yield first
    b = load_book(book)
    if more := bringing_the_rest(b, first.asker.program, cards):
        asker = Asker(free_with(b, more, readings or {}), seconds)
        second = asked_in(asker, only, first.asker.program.functions.keys())
        second.questions = {k: stops for k, stops in second.questions.items() if k not in first.questions and k[1]}
        yield second


def asked_in(asker: Asker, only: Sequence[str], but: Set[str] = frozenset()) -> Asking:
    """The questions of a world's rules, `but` for these rules."""
    stops, refused, rules = stops_of(asker.symbolic, asker.state, [KINDS[question] for question in only], but)
    together, endings = endings_together(asker.symbolic, asker.state) if CONFLICTS in only else ([], 0)
    questions: dict[tuple[str, ...], list[Stop]] = {}
    for s in (*stops, *together):
        questions.setdefault(s.key, []).append(s)
    pieces = 0
    if GAPS in only:
        more, beyond, pieces = gaps_under_way(asker, set(questions), but)
        refused += beyond
        for s in more:
            questions.setdefault(s.key, []).append(s)
    return Asking(asker, questions, rules + endings + pieces, [(r.rule, r.why) for r in refused])


def ask(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
) -> CheckResult:
    """Ask a book's questions. Readings that are not given may be any: a finding says which it needs, and is one under
    the default readings where there is such a state. `states`: look for a play from preparation in so many positions
    of each scenario; `second`: ask cvc5 too."""
    begun = time.monotonic()
    asked, all_asked = Asked(), list[Asking]()
    for asking in all_prepared(book, only, readings, cards, seconds):
        all_asked.append(asking)
        asked.unknown += asking.refused
        answer_all(asking, asked, stop, second)
    findings = told_apart(asked.findings)
    if states is not None:
        findings = reached(book, findings, states, seconds, stop)
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds_of(all_asked[0].asker, asked), tuple(findings),
        examined(all_asked, asked, second), {}, False, seconds=time.monotonic() - begun)


def answer_all(asking: Asking, asked: Asked, stop: Callable[[], bool] | None, second: bool) -> None:
    """Answer the questions of one world."""
    for key in asking.questions:
        if stop is not None and stop():
            asked.unknown.append((name_of(key), "interrupted"))
            break
        found = answer(asking, key, asked)
        if second and not found.unknown:
            other = second_opinion(asking.query(key, found.plain), asking.asker.seconds)
            if other.verdict != ("unsat" if found.model is None else "sat"):
                asked.unknown.append((name_of(key), f"z3 and cvc5 do not agree: cvc5 says {other.verdict} {other.reason}"))
            asked.agreed += other.verdict == ("unsat" if found.model is None else "sat")


def world_of(book: Book, readings: Mapping[str, str], cards: int) -> FreeWorld:
    """The book with its plainest cards, under these readings and any of the others."""
    checked(book, readings)
    return free_with(book, plainest(list(book.cards.values()), cards), readings)


def free_with(book: Book, cards: Sequence[tuple[str, int]], readings: Mapping[str, str]) -> FreeWorld:
    """The book with these cards, under these readings and any of the others."""
    open_ones = [name for name, r in book.readings.items() if isinstance(r.answers, tuple) and name not in readings]
    return free_world(book.name, cards, readings=readings, branching=open_ones)


def bringing_the_rest(book: Book, program: Program, count: int) -> list[tuple[str, int]]:
    """Cards whose texts use procedures that no play of this program comes to, first those that use most of them; and the
    plainest cards beside them. None, if there are no such cards."""
    named = {x.name for source in book.rulebook.sources for x in source.tree.body if isinstance(x, AsyncFunctionDef)}
    left = named - {name.partition("[")[0] for name in program.functions}
    uses = {c.id: words(c) & left for c in book.cards.values()}
    chosen: list[str] = []
    while len(chosen) < count - PLAIN and (best := max(uses, key=lambda c: len(uses[c] & left), default=None)) and uses[best] & left:
        chosen.append(best)
        left -= uses[best]
    if not chosen:
        return []
    return [*((c, k % 2) for k, c in enumerate(chosen)), *plainest(list(book.cards.values()), count - len(chosen))]


def words(card: CardDef) -> set[str]:
    """The words of a card's scripts, names of rules among them."""
    return {w for a in card.abilities for script in a.scripts.values() for w in WORD.findall(script.text)}


def checked(book: Book, readings: Mapping[str, str]) -> None:
    """Are these readings of the book, with answers that it allows? Raises BadInput."""
    wrong: list[Diagnostic] = []
    for name, answer_ in readings.items():
        r = book.readings.get(name)
        if r is None:
            said = Text(ja=f"解釈 `{name}` はありません", en=f"there is no reading `{name}`")
            wrong.append(Diagnostic(None, "unknown-reading", said, did_you_mean(name, list(book.readings)), name))
        elif not r.allows(answer_):
            said = Text(ja=f"「{answer_}」は解釈 `{name}` の答えにありません", en=f"`{answer_}` is not an answer of the reading `{name}`")
            known = [a.id.value for a in r.answers] if isinstance(r.answers, tuple) else []
            wrong.append(Diagnostic(None, "not-an-answer", said, did_you_mean(answer_, known), answer_))
    if wrong:
        raise BadInput(wrong)


def plainest(cards: Sequence[CardDef], count: int) -> list[tuple[str, int]]:
    """So many cards, the two players' alternately: of each kind in turn the one with the fewest abilities."""
    def kind(c: CardDef) -> str:
        first = next(iter(c.attributes.values()), ())
        return " ".join(w.text for w in (first if isinstance(first, tuple) else (first,)))

    kinds: dict[str, list[CardDef]] = {}
    for c in sorted(cards, key=lambda c: len(c.abilities)):
        kinds.setdefault(kind(c), []).append(c)
    rows = [of[k] for k in range(max(map(len, kinds.values()), default=0)) for of in kinds.values() if k < len(of)]
    rows = rows or list(cards)
    chosen = [rows[k % len(rows)] for k in range((count + 1) // 2)] if rows else []
    return [(c.id, owner) for c in chosen for owner in (0, 1)][:count]


def answer(asking: Asking, key: tuple[str, ...], asked: Asked) -> Answered:
    """Ask for the smallest state in which play stops like this, and tell it."""
    asker, ways = asking.asker, asking.questions[key]
    crowd = summed([n.choose(s.when, s.crowd, 0) for s in ways])
    found = asker.smallest(asking.conditions(key), before=[crowd], more=[v for s in ways for v in s.args])
    if found.unknown:
        asked.unknown.append((name_of(key), found.unknown))
    if found.model is None:
        return found
    try:
        s = next(s for s in ways if evaluated(found.model, n.truth(t.both(s.when, t.no(s.late)))) == 1)
        if s.underway is not None:
            state = asker.symbolic.concrete(found.model, s.underway.state)
            subject = subject_of(asker.free.book, position_under_way(asker, list(state.slots)))
            option = tuple(evaluated(found.model, v) for v in s.underway.option)
            happened = replayed_under_way(subject, s.underway.begin, state, option, key)
        else:
            subject = subject_of(asker.free.book, position_of(asker.free, asker.symbolic.concrete(found.model, asker.state))[0])
            happened = replayed(subject, s.rule, [evaluated(found.model, v) for v in s.args], key)
    except (Beyond, Disagreement) as e:
        asked.unknown.append((name_of(key), str(e)))
        return found
    finding = finding_of(subject, happened, bounds_of(asker, asked, found.smallest))
    if all((f.cls, set(f.clauses)) != (finding.cls, set(finding.clauses)) for f in asked.findings):
        asked.findings.append(finding)
    return found


def bounds_of(asker: Asker, asked: Asked, smallest: bool = True) -> Bounds:
    """Which states were asked about."""
    count = asker.layout.card_count
    notes = [Text(
        ja=f"カードが{count}枚まで、待機中の物などがそれぞれ{MOST_ENTRIES}件までの、守られるべき条件を満たすすべての局面について調べました",
        en=f"Asked was every position with up to {count} cards and up to {MOST_ENTRIES} of whatever waits, that satisfies the "
           "conditions that must always hold")]
    if not smallest:
        notes.append(Text(ja="これより小さい局面があるかは、時間内に分かりませんでした",
                          en="Whether there is a smaller position was not known in time"))
    notes += [
        Text(ja=f"判定できず: {what}（{why}）", en=f"not decided: {what} ({why})") for what, why in asked.unknown]
    return Bounds(not asked.unknown, 0, 0, 0, tuple(notes))


def published(book: str, second: bool = False, seconds: float = SECONDS) -> Iterator[tuple[str, str, float, str]]:
    """Each standard question about a book, with the answer (`found`, `none` or `unknown` and why), how long it took, and
    what cvc5 says (`second`)."""
    for asking in all_prepared(book, seconds=seconds):
        for key in asking.questions:
            one = asking.asker.possible(asking.conditions(key))
            said = f"unknown: {one.unknown}" if one.unknown else "none" if one.model is None else "found"
            yield name_of(key), said, one.seconds, opinion_on_standard(asking.query(key, one.plain)) if second else ""


def examined(all_asked: Sequence[Asking], asked: Asked, second: bool) -> tuple[Examined, ...]:
    """How much was asked."""
    more = (Examined(Text(ja="cvc5 も同じ答えを出した問い", en="questions that cvc5 answers alike"), asked.agreed),) if second else ()
    return (
        Examined(Text(ja="調べた規則、同時に起こりうる決着、途中の手続き", en="rules, endings and pieces of procedures looked at"), sum(a.rules for a in all_asked)),
        Examined(Text(ja="それらが止まりうる場所（問い）", en="places where they can stop (questions)"), sum(len(a.questions) for a in all_asked)),
        Examined(Text(ja="うち、そうなる局面がないと示されたもの", en="of these, shown to have no such position"),
                 sum(a.asker.answers["none"] for a in all_asked)),
        *more,
    )
