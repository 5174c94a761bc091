"""Norms that contradict each other: an action that must be taken and cannot, or may be taken and cannot, where no clause
ranks the two kinds.

`--only conflicts` asks where play is stopped by two verdicts. Norms stop nothing: an action that is forbidden is simply not
done, and that another clause demanded it goes unnoticed.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ....model.engine.library import load_book
from ....model.engine.state import State
from ....model.ir.program import NormInfo, Program
from ....spec.text import Text
from ...explore.subject import Subject
from ...findings.record import (
    Bounds,
    CheckResult,
    Examined,
    Finding,
    FindingClass,
    NotAsked,
    Play,
    PlayStep,
    Stake,
    Unasked,
)
from ...findings.severity import graded
from ...limits.ending import Part
from .. import numbers as n
from .. import truths as t
from ..numbers import Beyond, Val
from ..solving import Query, query
from ..symbolic import evaluated, local_variables
from ..truths import Truth
from ..worlds import MOST_ENTRIES, open_world, plainest, worlds_of_all_cards
from .asking import SECONDS, Asker, assumed_by_each
from .position import position_of
from .report import Report
from .telling import Disagreement, drawn, subject_of
from .unasked import located

CARDS = 12
"""Cards that a state may have, unless told otherwise."""
SAYS = {
    "requires": Text(ja="しなければならない", en="must be taken"),
    "permits": Text(ja="してよい", en="may be taken"),
    "forbids": Text(ja="してはならない", en="must not be taken"),
}
AGAINST = (("requires", "forbids"), ("permits", "forbids"))
"""Kinds of norms that contradict each other."""


@dataclass(frozen=True)
class Clash:
    """Two rules that contradict each other for some arguments, under a condition."""

    about: str
    first: str
    second: str
    kinds: tuple[str, str]
    args: tuple[Val, ...]
    when: Truth

    @property
    def name(self) -> str:
        return f"norms: {self.about}: {self.first} {self.second}"


@dataclass
class Clashing:
    """A book's questions about norms, ready to be asked. `ranked`: pairs that a clause ranks; `looked`: pairs altogether."""

    asker: Asker
    clashes: list[Clash]
    refused: dict[str, Text]
    ranked: int
    looked: int

    def query(self, clash: Clash) -> Query:
        return query(clash.name, [*self.asker.assumed, clash.when])


def prepared(
    book: str, readings: Mapping[str, str] | None = None, cards: int = CARDS, seconds: float = SECONDS,
) -> Iterator[Clashing]:
    """A book's questions: of the plainest cards, then of the others, since norms may ask what is printed. Raises BadInput."""
    b = load_book(book)
    for some in worlds_of_all_cards(b, plainest(list(b.cards.values()), cards), cards):
        yield clashing(Asker(open_world(b, some, readings or {}), seconds))


def clashing(asker: Asker) -> Clashing:
    """The questions of a world."""
    out = Clashing(asker, [], {}, 0, 0)
    for one, other in pairs_of_norms(asker.program):
        out.looked += 1
        if other.kind in one.outranks or one.kind in other.outranks:
            out.ranked += 1
            continue
        fn = asker.program.functions[one.function]
        args = tuple(local_variables(one.act, fn.locals[:fn.arity]))
        try:
            holds = [asker.symbolic.evaluate(x.function, asker.state, args).holds for x in (one, other)]
        except Beyond as e:
            out.refused[f"{one.function} {other.function}"] = e.why
            continue
        exist = [asker.refers(x.type, v) for x, v in zip(fn.locals, args, strict=False)]
        told = [
            t.both(n.in_bounds(v), n.between(v, x.type.lo, x.type.hi))  # a card, not that there is none
            for x, v in zip(fn.locals, args, strict=False)
            if isinstance(v, n.Num)
        ]
        when = t.every([*holds, *exist, *told])
        out.clashes.append(Clash(one.act, one.function, other.function, (one.kind, other.kind), args, when))
    return out


def pairs_of_norms(program: Program) -> Iterator[tuple[NormInfo, NormInfo]]:
    """Norms about one action that can contradict each other, the stricter one last."""
    for a, b in AGAINST:
        for one in program.norms:
            for other in program.norms:
                if (one.kind, other.kind) == (a, b) and one.act == other.act:
                    yield one, other


def left_open(asker: Asker, function: str, reason: Unasked, *values: str) -> NotAsked:
    """A verdict or norm of which nothing is said."""
    fn = asker.program.functions[function]
    clauses = tuple(dict.fromkeys(c for i in fn.code for c in i.at.clauses))
    at = located(fn.at.file, fn.at.line) if fn.at.line else ""
    return NotAsked(fn.rule, asker.free.book.vocabulary.rule(fn.rule), at, clauses, reason, "norms", (), values)


def ask(
    book: str, readings: Mapping[str, str] | None = None, cards: int = CARDS, seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None, states: int | None = None, second: bool = False,
) -> CheckResult:
    """Ask a book's questions about norms. Readings that are not given may be any. Raises BadInput."""
    out = Report(book, readings or {}, seconds, stop, second)
    worlds: list[Clashing] = []
    found, left = set[str](), dict[str, Text]()
    with Part() as part:
        for here in prepared(book, readings, cards, seconds):
            worlds.append(here)
            left |= here.refused
            for clash in here.clashes:
                if out.is_over:
                    break
                if clash.name in found:
                    continue
                answer = here.asker.smallest(clash.when, more=clash.args)
                if answer.unknown:
                    left[clash.name] = answer.unknown
                elif second:
                    out.compare(here.query(clash), answer.model is None)
                if answer.model is None:
                    continue
                found.add(clash.name)
                try:
                    state = here.asker.symbolic.concrete(answer.model, here.asker.state)
                    position, moved = position_of(here.asker.free, state)
                    old, new = (x.functions[clash.first].locals for x in (here.asker.program, position.program))
                    args = [moved.value(x.type, y.type, evaluated(answer.model, v))
                            for x, y, v in zip(old, new, clash.args, strict=False)]
                    bounds = Bounds(True, 0, 0, 0, assumptions=tuple(here.asker.assumptions()))
                    out.findings.append(norm_finding(subject_of(here.asker.free.book, position), clash, args, bounds))
                except (Beyond, Disagreement) as e:
                    out.leave(clash.name, e.why)
            if out.is_over or all(clash.name in found for clash in here.clashes):
                break
    for name, why in left.items():
        if name not in found:
            out.leave(name, why)
    none = set[str]() if part or out.is_over else {c.name for w in worlds for c in w.clashes} - found - left.keys()
    if not part:
        with part:
            out.not_asked += in_larger_worlds(worlds[0], none, out)
    out.end(part, "norms")
    given = assumed_by_each([w.asker for w in worlds]) if len(worlds) > 1 else worlds[0].asker.assumptions()
    return out.result(out.bounds(tuple(given)), (
        Examined(Text(ja="食い違いうる規範の組", en="pairs of norms that might contradict each other"),
                 max(w.looked for w in worlds), "norms"),
        Examined(Text(ja="うち、条文が優先を定めるもの", en="of these, ranked by a clause"), max(w.ranked for w in worlds), ""),
        Examined(Text(ja="うち、書いてある札では食い違う局面がないと示されたもの", en="of these, shown to have no position in which they do with the cards that are named"),
                 len(none), ""),
    ), states)


def norm_finding(subject: Subject, clash: Clash, args: Sequence[int], bounds: Bounds) -> Finding:
    """The finding, when the interpreter says the same of the position. Raises Disagreement."""
    state = State(tuple(subject.positions[0]), ())
    said = [subject.engine.evaluate(name, state, args) for name in (clash.first, clash.second)]
    d = subject.describer
    functions = [subject.program.functions[name] for name in (clash.first, clash.second)]
    clauses = [tuple(dict.fromkeys(c for i in fn.code for c in i.at.clauses)) for fn in functions]
    names = [Text(ja="・".join(c) or d.words.rule(fn.rule).ja, en=", ".join(c) or d.words.rule(fn.rule).en)
             for c, fn in zip(clauses, functions, strict=True)]
    every = tuple(dict.fromkeys(c for one in clauses for c in one))
    if said != [1, 1]:
        raise Disagreement(
            f"{clash.first} と {clash.second} の成否は {said}", f"{clash.first} and {clash.second} hold as {said}"
        )
    act = d.words.of(clash.about)
    says = [SAYS[k] for k in clash.kinds]
    title = Text(ja=f"「{act.ja}」を{says[0].ja}のに{says[1].ja}", en=f"“{act.en}” {says[0].en} and {says[1].en}")
    whom = [d.value(x.type, v) for x, v in zip(functions[0].locals, args, strict=False)]
    for_ = Text(ja="・".join(x.ja for x in whom), en=", ".join(x.en for x in whom))
    what = Text(ja=f"「{act.ja}」（{for_.ja}）は、{names[0].ja} では{says[0].ja}、{names[1].ja} では{says[1].ja}",
                en=f"“{act.en}” ({for_.en}) {says[0].en} by {names[0].en} and {says[1].en} by {names[1].en}")
    summary = Text(ja=f"この局面で、{what.ja}とされています。どちらが優先するかを定める条文はありません。",
                   en=f"In this position {what.en}. No clause says which counts.")
    step = PlayStep(0, None, None, (), every, ())
    found = subject.finding(FindingClass.CONFLICT, title, summary, every, Play((step,)), bounds)
    return graded(replace(
        found, position=drawn(subject), cards=(), invented_cards=False, stake=Stake.RESULT,
        question=Text(ja=f"{names[0].ja} と {names[1].ja} のどちらを優先しますか。",
                      en=f"Which of {names[0].en} and {names[1].en} counts?")), subject.origin)


def in_larger_worlds(here: Clashing, none: Set[str], out: Report) -> Iterator[NotAsked]:
    """Of what was shown not to contradict itself (`none`), what might if there were more cards wherever cards are counted."""
    if not none or out.is_over:
        return
    loose = clashing(Asker(replace(here.asker.free, loose=True), here.asker.seconds))
    for clash in loose.clashes:
        if clash.name in none and ((answer := loose.asker.possible(clash.when)).model is not None or answer.unknown):
            yield left_open(
                here.asker, clash.first, Unasked.MORE_CARDS, str(loose.asker.layout.card_count), str(MOST_ENTRIES)
            )
