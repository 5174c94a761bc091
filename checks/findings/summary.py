"""One answer for a whole book: what was examined in all its scenarios, each defect once, and what the book leaves open."""
from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from ...spec.groups import grouped
from ...spec.text import Text
from .claims import asked_only, looked_at, together
from .cut_off import cuts_of, is_begun, is_divided
from .names import Names
from .overview import by_default
from .record import (
    Certainty,
    CheckResult,
    ClauseVerdict,
    Condition,
    Decision,
    Finding,
    FindingClass,
    Origin,
    Severity,
    WhoCanStop,
)


@dataclass(frozen=True)
class Looked:
    """How often there was a chance to find something (`question`: as in `Examined`)."""

    question: str
    count: int


@dataclass(frozen=True)
class Cut:
    """Why runs were cut off (as of `Ending`; "bounds": values beyond their limits, more entries, deeper nesting or more options of a choice were not followed), and how many."""

    why: str
    runs: int


@dataclass(frozen=True)
class Defect:
    """A defect (or a question that the book leaves open), told once for all scenarios and readings that show it. What is told of it is told of the finding that shows it
    best, `id`: an undecided one before one that is decided, one under the default readings before others, then the gravest (of loops,
    one that nobody can stop), then the one in the smallest scenario (fewest positions, then the shortest play)."""

    id: str
    findings: tuple[str, ...]
    """The ids of all findings that are this defect: its forms."""
    settled: int
    """How many of them are known or decided."""
    scenarios: tuple[str, ...]
    """All that show it."""
    cls: FindingClass
    clauses: tuple[str, ...]
    """The decisive ones."""
    title: Text
    severity: Severity | None
    origin: Origin | None
    needs_texts: bool
    """Does it take the text of a card?"""
    certainty: Certainty
    scenario: str
    positions: int
    steps: int
    by_default: bool
    """Does it happen under the default readings?"""
    counts: bool
    """Is anything still to be done about it: is it neither known nor decided?"""
    decision: Decision | None
    known: bool
    keepers: WhoCanStop | None = None
    """Of a loop: who can stop it."""
    unmet: tuple[Condition, ...] = ()
    """Of a loop: the conditions for it to end that are not met."""
    verdicts: tuple[ClauseVerdict, ...] = ()
    """Of a loop: what the clauses about loops make of it."""


@dataclass(frozen=True)
class Chapter:
    """What a chapter leaves open: `readings` its questions with several answers, of which `parting` were shown to change play; `hints`
    what was found besides that need not be a mistake."""

    id: str
    title: Text | None
    readings: int
    parting: int
    hints: int


@dataclass(frozen=True)
class BookSummary:
    """One answer for a book. `runs`: scenarios are checked under several sets of readings; `positions` of all of them.
    `not_examined`: what was looked for and had no chance anywhere; `scripted`: the scenarios in which only scripted choices were
    followed; `never`: those that were not looked at at all; a run that was not begun, of a scenario that was, counts as cut off. `asked`: the same as `looked`, of questions about every position, with how
    many places were not asked about."""

    book: str
    title: Text | None
    scenarios: int
    runs: int
    positions: int
    looked: tuple[Looked, ...]
    not_examined: tuple[str, ...]
    cut: tuple[Cut, ...]
    cut_runs: int
    scripted: int
    never: tuple[str, ...]
    asked: tuple[Looked, ...]
    asked_cut: bool
    not_asked: int
    defects: tuple[Defect, ...]
    questions: tuple[Defect, ...]
    """What the book does not decide, as far as it was shown to change play; in the order of `defects`."""
    chapters: tuple[Chapter, ...]
    unexpected: tuple[str, ...]
    """Scenarios in which something is not as they expect."""
    divided: bool
    """Was a search divided, so that what has no count may not have been asked at all (as of `is_divided`)?"""


def summaries(results: Sequence[CheckResult], names: Names) -> list[BookSummary]:
    """One for each book, in order."""
    return [summary(several, names) for several in by_book(results)]


def by_book(results: Sequence[CheckResult]) -> list[list[CheckResult]]:
    """The results of each book together."""
    books = {book: n for n, book in enumerate(dict.fromkeys(one.book for one in results))}
    return [
        list(several)
        for _, several in groupby(sorted(results, key=lambda one: books[one.book]), key=lambda one: one.book)
    ]


def reasons_of(run: CheckResult) -> list[str]:
    """Why it was cut off (as of `Cut`). A hunt has no end that something could keep it from."""
    if run.bounds.complete or (not cuts_of(run) and [*looked_at([run])] == ["plays"]):
        return []
    return cuts_of(run) or ["bounds"]


def summary(results: Sequence[CheckResult], names: Names) -> BookSummary:
    """One answer from all results of a book."""
    book = results[0].book
    asked = [one for one in results if asked_only(one.bounds)]
    played = [one for one in results if one not in asked]
    begun = scenarios_of(one for one in played if is_begun(one))
    runs = [one for one in played if one.scenario in begun]
    cut = [reasons for one in runs if (reasons := reasons_of(one))]
    found = [f for one in results for f in one.findings]
    questions = defects([f for f in found if f.cls is FindingClass.READINGS], names)
    why = Counter(chain(*cut))
    looked, of_all = looked_at(played), looked_at(asked)
    return BookSummary(
        book,
        names.book(book),
        scenarios=len(begun),
        runs=len(runs),
        positions=sum(one.bounds.states for one in runs),
        looked=tuple(Looked(q, n) for q, n in looked.items()),
        not_examined=tuple(dict.fromkeys(q for q, n in (*looked.items(), *of_all.items()) if not n)),
        cut=tuple(Cut(word, runs) for word, runs in why.most_common()),
        cut_runs=len(cut),
        scripted=len(scenarios_of(one for one in runs if one.policies)),
        never=tuple(name for name in scenarios_of(played) if name not in begun),
        asked=tuple(Looked(q, n) for q, n in of_all.items()),
        asked_cut=not all(one.bounds.complete for one in asked),
        not_asked=len(together([one.bounds for one in asked])[1]),
        defects=tuple(defects([f for f in found if f.is_defect], names)),
        questions=tuple(questions),
        chapters=tuple(chapters(book, questions, [f for f in found if f.hint], names)),
        unexpected=tuple(scenarios_of(one for one in results if one.unexpected)),
        divided=is_divided(results),
    )


def scenarios_of(results: Iterable[CheckResult]) -> list[str]:
    """Their scenarios, each once."""
    return list(dict.fromkeys(one.scenario for one in results))


# ---------------------------------------------------------------- defects
def defects(findings: Sequence[Finding], names: Names) -> list[Defect]:
    """Each defect once: what is still to be done before what is decided, what happens under the default readings before the rest, and
    then the gravest first, in the order of the clauses."""
    found = grouped((told_as(finding), finding) for finding in findings)
    order = {clause: n for book in {f.book for f in findings} for n, clause in enumerate(names.chapters(book))}
    return sorted(
        (defect_of(several, names) for several in found.values()),
        key=lambda d: (
            not d.counts,
            not d.by_default,
            gravity(d.severity),
            list(Certainty).index(d.certainty),
            [order.get(c, len(order)) for c in d.clauses],
        ),
    )


def told_as(finding: Finding) -> Hashable:
    """What makes two findings one defect: the class, the decisive clauses, and what happens. Of clauses that contradict each other
    that is the same whomever it strikes, of a loop it is which part of play does not end, whoever can stop it."""
    if finding.cls is FindingClass.CONFLICT:
        return finding.cls, frozenset(finding.clauses)
    what = finding.scope if finding.cls is FindingClass.LOOP and finding.scope is not None else finding.title
    return finding.cls, decisive(finding), what.ja


def decisive(finding: Finding) -> tuple[str, ...]:
    """The clauses that make it happen; of a loop, those on the way are left out."""
    return finding.clauses[:1] if finding.cls is FindingClass.LOOP else finding.clauses


def defect_of(several: Sequence[Finding], names: Names) -> Defect:
    """Findings as one defect."""
    best = shown_best(several, names)
    loop = best.cls is FindingClass.LOOP
    return Defect(
        best.id,
        tuple(sorted({f.id for f in several})),
        len({f.id for f in several if not f.counts}),
        tuple(dict.fromkeys(f.scenario for f in several)),
        best.cls,
        decisive(best),
        best.title,
        best.severity,
        best.origin,
        bool(best.cards),
        best.certainty,
        best.scenario,
        best.bounds.states,
        steps_of(best),
        by_default(best, names),
        best.counts,
        best.decision,
        best.known,
        keepers=best.keepers if loop else None,
        unmet=tuple(c for c in best.conditions if not c.met) if loop else (),
        verdicts=best.clause_verdicts if loop else (),
    )


def shown_best(several: Sequence[Finding], names: Names) -> Finding:
    """Of findings that are one defect, that which shows it best (as of `Defect`)."""
    stops = [None, *WhoCanStop]
    return min(
        several,
        key=lambda f: (
            not f.counts,
            not by_default(f, names),
            gravity(f.severity),
            stops.index(f.keepers),
            f.growing,
            f.bounds.states,
            steps_of(f),
            f.id,
        ),
    )


def steps_of(finding: Finding) -> int:
    """How long its play is, with one round of what repeats."""
    return len(finding.play.stem) + len(finding.play.cycle)


def gravity(severity: Severity | None) -> int:
    """For sorting: the gravest first, mistakes of the encoding last."""
    return len(Severity) if severity is None else list(Severity).index(severity)


# ---------------------------------------------------------------- what is left open
def chapters(book: str, questions: Sequence[Defect], hints: Sequence[Finding], names: Names) -> list[Chapter]:
    """What each chapter leaves open, in the order of the chapters."""
    of = names.chapters(book)
    readings, parting, others = (
        Counter(of.get(clause, clause) for clause in clauses)
        for clauses in (
            names.questions(book),
            [q.clauses[0] for q in questions],
            {f.id: f.clauses[0] for f in hints if f.clauses}.values(),
        )
    )
    order = dict.fromkeys(
        c for c in (*of.values(), *readings, *parting, *others) if c in readings or c in parting or c in others
    )
    return [Chapter(c, names.clause(book, c), readings[c], parting[c], others[c]) for c in order]
