"""Where rules stop because clauses contradict each other or are silent: asked of every state that satisfies the invariants, without a scenario."""
from __future__ import annotations

from ast import AsyncFunctionDef
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from ....model.engine.library import Book, load_book
from ....model.ir.flow import functions_used
from ....spec.text import Text
from ...findings.record import Bounds, CheckResult, Examined, NotAsked, Unasked
from ...findings.words import CLAUSE_QUESTIONS
from ...limits.ending import Part, why
from .. import numbers as n
from .. import truths as t
from ..expressions import total
from ..numbers import Beyond
from ..solving import Query, query
from ..symbolic import evaluated
from ..truths import Truth
from ..worlds import MOST_ENTRIES, bringing_the_rest, open_world, plainest, words_of_scripts
from .asking import SECONDS, Answered, Asker, assumed_by
from .position import position_of
from .report import NOT_SMALLEST, Report
from .stops import Stop, endings_together, stops_of
from .telling import Disagreement, finding_of, replayed, replayed_under_way, subject_of
from .unasked import Places, located, not_asked
from .underway import position_under_way, silences, stops_under_way

CARDS = 12
"""Cards that a state may have, unless told otherwise: enough for five in each of two places."""
CONFLICTS, GAPS = CLAUSE_QUESTIONS
KINDS = {CONFLICTS: "conflict", GAPS: "gap"}
Key = tuple[str, ...]
BRIEF = 5.0
"""Seconds for a question of which only that there is no such state would be said."""


@dataclass
class Stops:
    """How the rules of a world stop, by what tells findings apart."""

    asker: Asker
    questions: dict[Key, list[Stop]]
    rules: int
    refused: list[tuple[str, Text]]
    further: dict[Key, list[Stop]] = field(default_factory=dict[Key, "list[Stop]"])
    """The same in the middle of procedures, where there is none when the rule is carried out by itself."""
    doubtful: dict[Key, list[Stop]] = field(default_factory=dict[Key, "list[Stop]"])
    """Ways to stop of which a model would not say that play stops so: that there is none can be shown."""
    there: Places | None = None
    """The places that procedures under way may stop at, where all of them were looked at."""
    none: set[Key] = field(default_factory=set[Key])
    """What has been shown not to come about."""

    def condition(self, key: Key) -> Truth:
        """Play stops like this, and had not ended before."""
        return met(self.questions[key])

    def query(self, key: Key, plain: Sequence[Truth] = ()) -> Query:
        """The question, for any solver; `plain`: as it was asked of the plainest states."""
        return query(name_of(key), plain or [*self.asker.assumed, self.condition(key)])

    def all_ways(self) -> dict[Key, list[Stop]]:
        """All ways to stop, by their keys."""
        keys = dict.fromkeys((*self.questions, *self.further, *self.doubtful))
        return {k: [*self.questions.get(k, ()), *self.further.get(k, ()), *self.doubtful.get(k, ())] for k in keys}

    def is_excluded(self, ways: Iterable[Stop]) -> bool:
        """Is it shown that there is no such state? It is asked in bit vectors only, and not for long."""
        answer = self.asker.briefly(met(ways), BRIEF)
        return answer.model is None and not answer.unknown

    def places_of(self, key: Key, rule: str, sizes: tuple[int, int] | None = None) -> Iterator[NotAsked]:
        """The places of which nothing is said, since they may be come to: by this rule."""
        assert self.there is not None
        return not_asked(self.asker.free.book.vocabulary, self.there, key, rule, sizes)


def met(ways: Iterable[Stop]) -> Truth:
    """Play stops in one of these ways, and had not ended before."""
    return t.some(t.both(s.when, t.no(s.late)) for s in ways)


def name_of(key: Key) -> str:
    """What a question is called."""
    return " ".join(word for word in key if word)


def prepared(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS, whole: bool = False,
) -> Iterator[Stops]:
    """A book's questions; then those of rules that need other cards to be there. `whole`: with all places at which procedures under way
    may stop, those too of which a model would say nothing. Raises BadInput."""
    b = load_book(book)
    first = stops_in(
        Asker(open_world(b, plainest(list(b.cards.values()), cards), readings or {}), seconds), only, whole=whole
    )
    yield first
    if more := bringing_the_rest(b, first.asker.program, cards):
        asker = Asker(open_world(b, more, readings or {}), seconds)
        second = stops_in(asker, only, first.asker.program.functions.keys(), whole)
        second.questions = {k: stops for k, stops in second.questions.items() if k not in first.questions and k[1]}
        yield second


def stops_in(
    asker: Asker,
    only: Sequence[str],
    but: Set[str] = frozenset(),
    whole: bool = False,
    without: Set[Key] = frozenset(),
) -> Stops:
    """The questions of a world's rules, `but` for these rules; `whole` as above, `without` these."""
    stops, refused, rules = stops_of(asker.symbolic, asker.state, [KINDS[question] for question in only], but)
    together, endings = endings_together(asker.symbolic, asker.state) if CONFLICTS in only else ([], 0)
    out = Stops(asker, {}, rules + endings, refused)
    for s in (*stops, *together):
        out.questions.setdefault(s.key, []).append(s)
    if GAPS in only or whole:
        kinds = {KINDS[question] for question in only}
        found = silences(asker.program)
        places = [x for x in found.places if x.key[0] in kinds]
        alone = set(out.questions)
        told = {key for key in found.told if key[0] in kinds}
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
            doubted = s.key not in told or (s.underway is not None and s.key in found.doubted[s.underway.begin])
            to = out.doubtful if doubted else out.further if s.key in alone else out.questions
            to.setdefault(s.key, []).append(s)
    return out


def ask(
    book: str, only: Sequence[str] = (CONFLICTS, GAPS), readings: Mapping[str, str] | None = None, cards: int = CARDS,
    seconds: float = SECONDS, stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
) -> CheckResult:
    """Ask a book's questions. Readings that are not given may be any: a finding says which it needs, and is one under
    the default readings where there is such a state. `states`: look for a play from preparation in so many positions
    of each scenario; `second`: ask cvc5 too. Raises BadInput."""
    out = Report(book, readings or {}, seconds, stop, second)
    worlds, open_ = list[Stops](), set[Key]()
    with Part() as part:
        for here in prepared(book, only, readings, cards, seconds, True):
            worlds.append(here)
            for name, why_not in here.refused:
                out.leave(name, why_not)
            answer_all(here, out, open_)
            doubts(here, out, open_)
            larger_worlds(here, only, out, open_, set().union(*(x.asker.program.functions for x in worlds[:-1])))
            if out.is_over:
                break
        out.not_asked += unused(out.loaded, worlds)
    out.end(part, ", ".join(only))
    return out.result(
        out.bounds(assumed_by([x.asker for x in worlds])),
        (
            Examined(
                Text(
                    ja="調べた規則、同時に起こりうる決着、途中の手続き",
                    en="rules, endings and pieces of procedures looked at",
                ),
                sum(x.rules for x in worlds),
                "",
            ),
            Examined(
                Text(ja="それらが止まりうる場所（問い）", en="places where they can stop (questions)"),
                sum(len(x.questions) for x in worlds),
                "stops",
            ),
            Examined(
                Text(ja="うち、そうなる局面がないと示されたもの", en="of these, shown to have no such position"),
                sum(len(x.questions.keys() & x.none) for x in worlds),
                "",
            ),
        ),
        states,
    )


def answer_all(here: Stops, out: Report, open_: set[Key]) -> None:
    """Answer the questions of one world. `open_`: what comes about, or may; of that more cards would tell no more."""
    for key in (*here.questions, *here.further):
        if out.is_over:
            out.leave(name_of(key), why(out.stop))
            break
        by_itself = key in here.questions
        if not by_itself and key not in here.none:
            continue
        found = answer(here, key, out, by_itself)
        if found.model is None and not found.unknown:
            here.none.add(key)
        else:
            here.none.discard(key)
            open_.add(key)
        if out.second and by_itself and not found.unknown:
            out.compare(here.query(key, found.plain), found.model is None)


def doubts(here: Stops, out: Report, open_: set[Key]) -> None:
    """Show of what a model would not say that it comes about that it does not; what cannot be shown is named, unless it was told otherwise."""
    for key, ways in here.doubtful.items():
        if key in here.questions and key in open_:
            continue
        if out.is_over:
            out.leave(name_of(key), why(out.stop))
            break
        if not here.is_excluded(ways):
            out.not_asked += here.places_of(key, ways[0].rule)
            here.none.discard(key)
            open_.add(key)
        elif key not in here.questions:
            here.none.add(key)


def larger_worlds(here: Stops, only: Sequence[str], out: Report, open_: set[Key], but: Set[str]) -> None:
    """Name what was shown not to come about, and might if there were more cards than this world has: each is asked about again as if
    there could be more wherever cards are counted (`loosened.py`)."""
    if out.is_over:
        return
    loose = stops_in(Asker(replace(here.asker.free, loose=True), here.asker.seconds), only, but, True, open_)
    might = {
        key: ways[0].rule for key, ways in loose.all_ways().items() if key not in open_ and not loose.is_excluded(ways)
    }
    for rule, _ in loose.refused:  # too large to be carried out so: nothing is known of what it may come to
        within = functions_used(here.asker.program, [rule])
        assert here.there is not None
        might |= {key: rule for key, ways in here.all_ways().items() if any(s.rule == rule for s in ways)}
        known = {key[:2] for key in here.all_ways()}
        might |= {x.key: rule for x in here.there.places if x.function in within and x.key not in known}
    for key in sorted(might.keys() - open_):
        out.not_asked += here.places_of(key, might[key], (loose.asker.layout.card_count, MOST_ENTRIES))
    open_ |= might.keys()


def unused(book: Book, worlds: Sequence[Stops]) -> Iterator[NotAsked]:
    """The rules that no card of these worlds uses."""
    there = {name.partition("[")[0] for x in worlds for name in x.asker.program.functions}
    words = {w for c in book.cards.values() for w in words_of_scripts(c)}
    for source in book.rulebook.sources:
        for x in source.tree.body:
            if isinstance(x, AsyncFunctionDef) and x.name in words - there:
                yield NotAsked(x.name, book.vocabulary.rule(x.name), located(source.file, x.lineno), (), Unasked.UNUSED)


def answer(here: Stops, key: Key, out: Report, by_itself: bool) -> Answered:
    """Ask for the smallest state in which play stops like this (when a rule is carried out by itself, or in the middle of a procedure), and
    tell it."""
    asker, ways = here.asker, here.questions[key] if by_itself else here.further[key]
    crowd = total([n.choose(s.when, s.crowd, 0) for s in ways])
    found = asker.smallest(met(ways), before=[crowd], more=[v for s in ways for v in s.args])
    if found.unknown:
        out.leave(name_of(key), found.unknown)
    if found.model is None:
        return found
    try:
        s = next(s for s in ways if evaluated(found.model, n.truth(t.both(s.when, t.no(s.late)))) == 1)
        if s.underway is not None:
            state = asker.symbolic.concrete(found.model, s.underway.state)
            position = position_under_way(asker, list(state.slots))
            subject = subject_of(asker.free.book, position)
            option = tuple(evaluated(found.model, v) for v in s.underway.option)
            happened = replayed_under_way(subject, s.underway.begin, state, option, key)
        else:
            subject = subject_of(
                asker.free.book, position_of(asker.free, asker.symbolic.concrete(found.model, asker.state))[0]
            )
            happened = replayed(subject, s.rule, [evaluated(found.model, v) for v in s.args], key)
    except (Beyond, Disagreement) as e:
        out.leave(name_of(key), e.why)
        return found
    bounds = Bounds(True, 0, 0, 0, () if found.smallest else (NOT_SMALLEST,), assumptions=assumed_by([asker]))
    finding = finding_of(subject, happened, bounds)
    if all((f.cls, set(f.clauses)) != (finding.cls, set(finding.clauses)) for f in out.findings):
        out.findings.append(finding)
    return found
