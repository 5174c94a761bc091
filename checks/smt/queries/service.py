"""The standard questions about a book, asked of every state that satisfies the invariants, without a scenario."""
from __future__ import annotations

import re
import time
from ast import AsyncFunctionDef
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from ....model.engine.library import Book, load_book
from ....model.ir.program import Program
from ....model.lang.world import CardDef
from ....spec.diagnostics import BadInput, Diagnostic, did_you_mean
from ....spec.text import Text
from ...findings.identity import told_apart
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Finding, NotAsked, Unasked
from ...findings.words import CLAUSE_QUESTIONS as QUESTIONS
from ...limits.ending import Part, reason, why
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
from .unasked import Places, each_once, located, not_asked
from .underway import position_under_way, reach, silences, stops_under_way, told_by_a_model

CARDS = 12
"""Cards that a state may have, unless told otherwise: enough for five in each of two places."""
CONFLICTS, GAPS = QUESTIONS[:2]
KINDS = {CONFLICTS: "conflict", GAPS: "gap"}
Key = tuple[str, ...]
BRIEF = 5.0
"""Seconds for a question of which only that there is no such state would be said."""
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
    not_asked: list[NotAsked] = field(default_factory=list[NotAsked])
    """Places of which nothing is said."""
    open: set[Key] = field(default_factory=set[Key])
    """What comes about, or may: of that more cards would tell no more."""


@dataclass
class Asking:
    """A book's questions, ready to be asked: the ways to stop, by what tells findings apart."""

    asker: Asker
    questions: dict[Key, list[Stop]]
    rules: int
    refused: list[tuple[str, str]]
    further: dict[Key, list[Stop]] = field(default_factory=dict[Key, "list[Stop]"])
    """The same in the middle of procedures, where there is none when the rule is carried out by itself."""
    doubtful: dict[Key, list[Stop]] = field(default_factory=dict[Key, "list[Stop]"])
    """Ways to stop of which a model would not say that play stops so: that there is none can be shown."""
    there: Places | None = None
    """The places that procedures under way may stop at, where all of them were looked at."""
    none: set[Key] = field(default_factory=set[Key])
    """What has been shown not to come about."""

    def conditions(self, key: Key) -> Truth:
        """Play stops like this, and had not ended before."""
        return met(self.questions[key])

    def query(self, key: Key, plain: Sequence[Truth] = ()) -> Query:
        """The question, for any solver; `plain`: as it was asked of the plainest states."""
        return query(name_of(key), plain or [*self.asker.assumed, self.conditions(key)])

    def all_ways(self) -> dict[Key, list[Stop]]:
        """All ways to stop, by their keys."""
        keys = dict.fromkeys((*self.questions, *self.further, *self.doubtful))
        return {k: [*self.questions.get(k, ()), *self.further.get(k, ()), *self.doubtful.get(k, ())] for k in keys}


def met(ways: Iterable[Stop]) -> Truth:
    """Play stops in one of these ways, and had not ended before."""
    return t.some(t.both(s.when, t.no(s.late)) for s in ways)


def name_of(key: Key) -> str:
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
    seconds: float = SECONDS, whole: bool = False,
) -> Iterator[Asking]:
    """A book's questions; then those of rules that need other cards to be there. `whole`: with all places at which procedures under way
    may stop, those too of which a model would say nothing. Raises BadInput."""
    b = load_book(book)
    first = asked_in(Asker(world_of(b, readings or {}, cards), seconds), only, whole=whole)
    yield first
    if more := bringing_the_rest(b, first.asker.program, cards):
        asker = Asker(free_with(b, more, readings or {}), seconds)
        second = asked_in(asker, only, first.asker.program.functions.keys(), whole)
        second.questions = {k: stops for k, stops in second.questions.items() if k not in first.questions and k[1]}
        yield second


def asked_in(
    asker: Asker, only: Sequence[str], but: Set[str] = frozenset(), whole: bool = False, without: Set[Key] = frozenset(),
) -> Asking:
    """The questions of a world's rules, `but` for these rules; `whole` as above, `without` these."""
    stops, refused, rules = stops_of(asker.symbolic, asker.state, [KINDS[question] for question in only], but)
    together, endings = endings_together(asker.symbolic, asker.state) if CONFLICTS in only else ([], 0)
    out = Asking(asker, {}, rules + endings, [])
    for s in (*stops, *together):
        out.questions.setdefault(s.key, []).append(s)
    if GAPS in only or whole:
        kinds = {KINDS[question] for question in only}
        places = [x for x in silences(asker.program) if x.key[0] in kinds]
        told = told_by_a_model(asker.program, places)
        alone = set(out.questions)
        wanted = told - alone
        if whole:
            out.there = Places.of(asker.program, places)
            wanted |= out.there.open_keys() - without
        more, beyond, pieces = stops_under_way(asker, places, wanted, but)
        refused += beyond
        out.rules += pieces
        covered = set() if out.there is None else out.there.keys() - out.there.open_keys()
        for s in more:
            if s.key in covered:
                continue  # rules that come to it are asked about by themselves
            to = out.doubtful if s.key not in told else out.further if s.key in alone else out.questions
            to.setdefault(s.key, []).append(s)
    out.refused = [(r.rule, r.why) for r in refused]
    return out


def ask(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
) -> CheckResult:
    """Ask a book's questions. Readings that are not given may be any: a finding says which it needs, and is one under
    the default readings where there is such a state. `states`: look for a play from preparation in so many positions
    of each scenario; `second`: ask cvc5 too."""
    begun = time.monotonic()
    asked, all_asked = Asked(), list[Asking]()
    with Part() as part:
        for asking in all_prepared(book, only, readings, cards, seconds, True):
            all_asked.append(asking)
            asked.unknown += asking.refused
            answer_all(asking, asked, stop, second)
            doubts(asking, asked, stop)
            larger_worlds(asking, only, asked, set().union(*(a.asker.program.functions for a in all_asked[:-1])), stop)
            if stop is not None and stop():
                break
        asked.not_asked += unused(load_book(book), all_asked)
    if part or reason(stop):
        asked.unknown.append((", ".join(only), why(stop)))
    findings = told_apart(asked.findings)
    if states is not None:
        with Part():
            findings = reached(book, findings, states, seconds, stop)
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds_of([a.asker for a in all_asked], asked), tuple(findings),
        examined(all_asked, asked, second), {}, False, seconds=time.monotonic() - begun)


def answer_all(asking: Asking, asked: Asked, stop: Callable[[], bool] | None, second: bool) -> None:
    """Answer the questions of one world."""
    for key in (*asking.questions, *asking.further):
        if stop is not None and stop():
            asked.unknown.append((name_of(key), why(stop)))
            break
        by_itself = key in asking.questions
        if not by_itself and key not in asking.none:
            continue
        found = answer(asking, key, asked, by_itself)
        if found.model is None and not found.unknown:
            asking.none.add(key)
        else:
            asking.none.discard(key)
            asked.open.add(key)
        if second and by_itself and not found.unknown:
            other = second_opinion(asking.query(key, found.plain), asking.asker.seconds)
            if other.verdict != ("unsat" if found.model is None else "sat"):
                asked.unknown.append((name_of(key), f"z3 and cvc5 do not agree: cvc5 says {other.verdict} {other.reason}"))
            asked.agreed += other.verdict == ("unsat" if found.model is None else "sat")


def doubts(asking: Asking, asked: Asked, stop: Callable[[], bool] | None) -> None:
    """Show of what a model would not say that it comes about that it does not; what cannot be shown is named."""
    for key, ways in asking.doubtful.items():
        if stop is not None and stop():
            asked.unknown.append((name_of(key), why(stop)))
            break
        if not shown(briefly(asking.asker, met(ways))):
            asked.not_asked += places_of(asking, key, ways[0].rule)
            asking.none.discard(key)
            asked.open.add(key)
        elif key not in asking.questions:
            asking.none.add(key)


def briefly(asker: Asker, condition: Truth) -> Answered:
    """Is there such a state? Where the answer is wanted only if there is none, it is asked in bit vectors only, and not for long."""
    begun = time.monotonic()
    with asker.given([condition]):
        return asker.counted(asker.in_bits(begun + min(asker.seconds, BRIEF)), begun)


def larger_worlds(asking: Asking, only: Sequence[str], asked: Asked, but: Set[str], stop: Callable[[], bool] | None) -> None:
    """Name what was shown not to come about, and might if there were more cards than this world has: each is asked about again as if
    there could be more wherever cards are counted (`loosened.py`)."""
    if stop is not None and stop():
        return
    loose = Asker(replace(asking.asker.free, loose=True), asking.asker.seconds)
    again = asked_in(loose, only, but, True, asked.open)
    sizes = loose.layout.card_count, MOST_ENTRIES
    might = {key: ways[0].rule for key, ways in again.all_ways().items() if key not in asked.open and not shown(briefly(loose, met(ways)))}
    for rule, _ in again.refused:  # too large to be carried out so: nothing is known of what it may come to
        within = reach(asking.asker.program, rule)
        assert asking.there is not None
        might |= {key: rule for key, ways in asking.all_ways().items() if any(s.rule == rule for s in ways)}
        known = {key[:2] for key in asking.all_ways()}
        might |= {x.key: rule for x in asking.there.places if x.function in within and x.key not in known}
    for key in sorted(might.keys() - asked.open):
        asked.not_asked += places_of(asking, key, might[key], sizes)
    asked.open |= might.keys()


def shown(answer: Answered) -> bool:
    """Is it shown that there is no such state?"""
    return answer.model is None and not answer.unknown


def places_of(asking: Asking, key: Key, rule: str, sizes: tuple[int, int] | None = None) -> Iterator[NotAsked]:
    """The places of which nothing is said, since they may be come to: by this rule."""
    assert asking.there is not None
    return not_asked(asking.asker.free.book.vocabulary, asking.there, key, rule, sizes)


def unused(book: Book, asked: Sequence[Asking]) -> Iterator[NotAsked]:
    """The rules that no card of these worlds uses."""
    there = {name.partition("[")[0] for a in asked for name in a.asker.program.functions}
    words_ = {w for c in book.cards.values() for w in words(c)}
    for source in book.rulebook.sources:
        for x in source.tree.body:
            if isinstance(x, AsyncFunctionDef) and x.name in words_ - there:
                yield NotAsked(x.name, book.vocabulary.of(x.name), located(source.file, x.lineno), (), Unasked.UNUSED)


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


def answer(asking: Asking, key: Key, asked: Asked, by_itself: bool = True) -> Answered:
    """Ask for the smallest state in which play stops like this (when a rule is carried out by itself, or in the middle of a procedure), and
    tell it."""
    asker, ways = asking.asker, asking.questions[key] if by_itself else asking.further[key]
    crowd = summed([n.choose(s.when, s.crowd, 0) for s in ways])
    found = asker.smallest(met(ways), before=[crowd], more=[v for s in ways for v in s.args])
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
    finding = finding_of(subject, happened, bounds_of([asker], Asked(), found.smallest))
    if all((f.cls, set(f.clauses)) != (finding.cls, set(finding.clauses)) for f in asked.findings):
        asked.findings.append(finding)
    return found


def bounds_of(askers: Sequence[Asker], asked: Asked, smallest: bool = True) -> Bounds:
    """Which states were asked about, and what not."""
    notes: list[Text] = []
    if not smallest:
        notes.append(Text(ja="これより小さい局面があるかは、時間内に分かりませんでした",
                          en="Whether there is a smaller position was not known in time"))
    notes += [
        Text(ja=f"判定できず: {what}（{why}）", en=f"not decided: {what} ({why})") for what, why in asked.unknown]
    left = each_once(asked.not_asked)
    return Bounds(not asked.unknown and not left, 0, 0, 0, tuple(notes), assumptions=assumed_by(askers), not_asked=left)


def assumed_by(askers: Sequence[Asker]) -> tuple[Assumption, ...]:
    """What answers about the states of these worlds rest on; the cards of all of them together."""
    out: list[Assumption] = []
    for a in (a for asker in askers for a in asker.assumptions()):
        known = next((k for k, b in enumerate(out) if (a.kind, a.values) == (b.kind, b.values)), None)
        if known is None:
            out.append(a)
        else:
            out[known] = replace(out[known], what=tuple(dict.fromkeys((*out[known].what, *a.what))))
    return tuple(out)


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
    more = (Examined(Text(ja="cvc5 も同じ答えを出した問い", en="questions that cvc5 answers alike"), asked.agreed, ""),) if second else ()
    return (
        Examined(Text(ja="調べた規則、同時に起こりうる決着、途中の手続き", en="rules, endings and pieces of procedures looked at"), sum(a.rules for a in all_asked), ""),
        Examined(Text(ja="それらが止まりうる場所（問い）", en="places where they can stop (questions)"), sum(len(a.questions) for a in all_asked), "stops"),
        Examined(Text(ja="うち、そうなる局面がないと示されたもの", en="of these, shown to have no such position"),
                 sum(a.asker.answers["none"] for a in all_asked), ""),
        *more,
    )
