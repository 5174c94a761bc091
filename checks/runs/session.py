"""What the command line asks of books, scenarios and findings: one function for each thing a user does.

Nothing here prints. What a user got wrong is raised as `BadInput`, with everything that is wrong at once.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from ...model.engine.library import book_names, load_book
from ...model.engine.policies import FIRST, Wish
from ...model.engine.table import open_table
from ...model.lang.world import CardDef
from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import Scenario, read_scenario
from ...spec.schema import Located
from ...spec.text import Text
from ..explore.explorer import Exploration, Limits
from ..explore.explorer import Progress as ExplorerProgress
from ..explore.parting import left_by
from ..explore.subject import Subject
from ..findings.cut_off import cut_short, cuts_of, nothing_found
from ..findings.record import CheckResult, Examined, Finding
from ..hunt.results import with_hunted, work_beyond
from ..limits.ending import SHARE, Part, reason, time_left
from ..native.choice import Means
from ..readings.branching import Branches, branches, parted
from ..readings.consulting import told_causes, with_readings
from ..readings.settlements import with_settlements
from ..readings.trials import Trial, all_tried, trials
from ..register.exercised import exercised
from ..scenarios.checking import check_subject
from ..scenarios.expectation import (
    check_control,
    check_expected,
    control_of,
    differences,
    expectation_for,
    told_control,
)
from ..scenarios.kept_results import kept_or_found
from ..scenarios.made_up import MOST_STATES, with_made_up
from ..scenarios.minimise import Minimised, decisions, minimised
from ..scenarios.mistakes import told_at_once
from ..scenarios.options import CheckOptions
from ..scenarios.saved_plays import SavedPlay, after, way_of
from ..scenarios.subjects import limits_of, reading_sets, scenario_paths, subject_of
from ..stored.finding_store import remember
from .hunts import hunted_or_why_not


@dataclass(frozen=True)
class Progress:
    """How far a search has come: positions known, of these not yet looked at, steps from the beginning, seconds,
    positions a second, MiB of memory."""

    states: int
    frontier: int
    depth: int
    seconds: float
    rate: float
    memory_mib: float = 0.0


def books() -> list[str]:
    """The rule books that are shipped."""
    return book_names()


def scenarios_of(book: str) -> list[Path]:
    """The scenarios shipped for a book, in order."""
    return load_book(book).scenarios


def book_of(path: Path) -> str:
    """The book that a scenario file names."""
    return read_scenario(path).book.value


def resolve(target: str) -> list[Path]:
    """The scenarios meant by a book's name, by `book/scenario`, or by the path of a YAML file."""
    return scenario_paths(target)


def of_play(options: CheckOptions, record: SavedPlay) -> CheckOptions:
    """The options of a check that begins where a saved play ends: under its readings, and of nothing that is said of its scenario as a whole."""
    return replace(
        options, after=record, readings=record.log.readings, defaults_only=True, exercised=False, hunt=False, settle=0
    )


@told_at_once
def check(path: Path, options: CheckOptions, progress: Callable[[Progress | Text], None] | None = None,
          note: Callable[[Text], None] | None = None) -> list[CheckResult]:
    """Check one scenario: a result for each reading set it pins, or for the one asked for; where two of them differ
    in one reading, the smallest play on which they part. `note` is told why a slower engine had to be used."""
    results = kept_or_found(path, options, note, lambda tell: found(path, options, progress, tell))
    if options.remembered:
        remember(path, results)
    return results


def found(path: Path, options: CheckOptions, progress: Callable[[Progress | Text], None] | None,
          note: Callable[[Text], None] | None) -> list[CheckResult]:
    """What `check` gives, looked for."""
    scenario, limits, run = prepared(path, options, progress, note)
    results: list[CheckResult] = []
    done: list[tuple[Subject, CheckResult]] = []

    def compared(subject: Subject, result: CheckResult, readings: Mapping[str, Located[str] | str]) -> CheckResult:
        cuts: list[int] = []
        parting = parted(done[0], (subject, result), limits, cuts.append) if done else None
        if options.certify and parting is not None:
            from ..evidence.told import certified_parting

            result = replace(
                result,
                certificates=(*(result.certificates or ()), certified_parting(done[0][0], subject, limits, parting)),
            )
        result = replace(result, findings=(*result.findings, *(() if parting is None else (parting,))),
                         examined=(*result.examined, *(Examined(COMPARED, pairs, "") for pairs in cuts)))
        want = None if options.after is not None else expectation_for(scenario, readings)
        return result if want is None else replace(result, unexpected=differences(result, want))
    sets = sets_of(scenario, options)
    for k, readings in enumerate(sets):
        why = reason(options.stop)
        if not why:
            with Part() as part:
                subject, result = run(readings, 1 / (len(sets) - k))
                results.append(result)
                if not reason(options.stop):
                    results[-1] = compared(subject, result, readings)
                    done.append((subject, result))
            why = part.why
            if part and len(results) > k:
                results[-1] = cut_short(results[-1], why)
        if len(results) <= k:
            results.append(not_looked_at(scenario, why, readings))
        if options.keep is not None:
            options.keep(list(results))
    results = gone_on(results, with_settlements, options.stop)
    if options.settle != 0:
        results = gone_on(
            results, lambda r: all_tried(r, settling(path, options, progress, note), options.settle), options.stop
        )
    results = gone_on(results, told_causes, options.stop)
    return hunted_beyond(path, results, options, progress, note) if options.hunt else results


WITHIN_LIMITS = frozenset({"states", "depth"})
"""By what a search is cut off beyond which it is hunted: time and memory are over, a user has had enough, and so many turns are what was asked about."""


def hunted_beyond(
    path: Path, results: list[CheckResult], options: CheckOptions, progress: Callable[[Progress | Text], None] | None,
    note: Callable[[Text], None] | None,
) -> list[CheckResult]:
    """The results, each that a limit on positions cut off with what a hunt finds beyond it."""
    scenario = read_scenario(path)
    out = list(results)
    for k, (readings, result) in enumerate(zip(sets_of(scenario, options), results, strict=True)):
        if not WITHIN_LIMITS & set(cuts_of(result)) or reason(options.stop):
            continue
        with Part() as part:
            left = time_left(options.stop)
            subject = subject_of(open_table(scenario, readings), options.symmetry)
            hunt = hunted_or_why_not(
                subject, left and SHARE * left, 0, options.stop, progress or silent, note or silent, work_beyond(result)
            )
            out[k] = with_hunted(result, hunt)
        if part:
            out[k] = cut_short(result, part.why)
    return out


def silent(said: Text) -> None:
    """Nobody is told."""


def gone_on(
    results: list[CheckResult], step: Callable[[list[CheckResult]], list[CheckResult]], stop: Callable[[], bool] | None,
) -> list[CheckResult]:
    """What a further step makes of the results; what it was, where there is no time for that any more."""
    why = reason(stop)
    if not why:
        with Part() as part:
            return step(results)
        why = part.why
    return [cut_short(result, why) for result in results]


def not_looked_at(
    scenario: Scenario, why: str, readings: Mapping[str, Located[str] | str] | None = None
) -> CheckResult:
    """The result of a scenario that nobody came to look at (`why`: as of `Ending`)."""
    return nothing_found(scenario.book.value, scenario.id.value, scenario.title, plain_readings(readings or {}), why)


def check_again(
    path: Path, options: CheckOptions, every_reading: bool, chosen: Callable[[Sequence[CheckResult]], Collection[str]],
) -> list[CheckResult]:
    """What `check` (or `check_all_readings`) finds, as far as it bears on some findings: of these the settlements are checked.
    `chosen`: their ids, by what is found. Nothing is remembered, and reading sets are not compared. Raises BadInput."""
    scenario, limits, run = prepared(path, options, None, None, every_reading=every_reading)
    if every_reading:
        done = branches(scenario, options.readings, limits, options.symmetry, run)
        return told_causes(with_settlements(done.results))
    results = with_settlements([run(readings)[1] for readings in sets_of(scenario, options)])
    if options.settle != 0:
        results = all_tried(results, settling(path, options, None, None), options.settle, chosen(results))
    return told_causes(results)


FEW = 600
"""Positions of a trial of a scripted play, at most, before one choice in each is followed."""


def settling(
    path: Path, options: CheckOptions, progress: Callable[[Progress], None] | None, note: Callable[[Text], None] | None,
) -> Callable[[Mapping[str, str]], CheckResult]:
    """How a settlement is checked. Where a play is scripted and an answer brings choices that the script says nothing of, more
    than can be looked at, what comes first is chosen in each."""
    plain = replace(options, exercised=False, show=1, certify=False)
    scenario = read_scenario(path)
    if not scenario.policy:
        run = prepared(path, plain, progress, note, trial=True)[2]
        return lambda readings: run(readings)[1]
    few = plain if options.settle is None else replace(
        plain, max_states=min(FEW, options.max_states or FEW), checkpoint=None)
    run, first = (prepared(path, o, progress, note, first, trial=True)[2] for o, first in ((few, False), (plain, True)))

    def settle(readings: Mapping[str, str]) -> CheckResult:
        result = run(readings)[1]
        return result if result.bounds.complete else first(readings)[1]
    return settle


@told_at_once
def hunt(path: Path, options: CheckOptions, seconds: float, seed: int, progress: Callable[[Text], None],
         note: Callable[[Text], None], part: int = 0) -> list[CheckResult]:
    """Hunt in a scenario that is too large to be looked at as a whole, for so many seconds: a result for each reading set. `part`: of several hunts
    with this seed. Raises BadInput."""
    scenario = read_scenario(path)
    sets = sets_of(scenario, options)
    results: list[CheckResult] = []
    latest: list[CheckResult] = []

    def kept(so_far: CheckResult) -> None:
        latest[:] = [so_far]
        if options.keep is not None:
            options.keep([*results, so_far])
    for k, readings in enumerate(sets):
        why = reason(options.stop)
        latest.clear()
        if not why:
            with Part() as whole:
                begun = time.monotonic()
                subject = subject_of(open_table(scenario, readings), options.symmetry)
                left = time_left(options.stop)
                share = (seconds if left is None else min(seconds, left)) / (len(sets) - k)
                results.append(
                    hunted_or_why_not(subject, share, seed, options.stop, progress, note, part=part, keep=kept)
                )
                seconds -= time.monotonic() - begun
            why = whole.why
        if len(results) <= k:
            results += latest or [not_looked_at(scenario, why, readings)]
        if options.keep is not None:
            options.keep(list(results))
    if options.remembered:
        remember(path, results)
    return results


def means_of(options: CheckOptions, subject: Subject, first: bool = False) -> Means:
    """How compiled code is to search; each scenario under each reading set has a folder of its own for checkpoints, and another where what
    comes `first` is chosen."""
    if options.checkpoint is None:
        return Means(threads=options.threads, fingerprints=options.fingerprints, folder=options.disk)
    from ..native.checkpoint import BETWEEN, Plan

    what = [dict(subject.readings), options.symmetry, *([FIRST[0]] if first else [])]
    which = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:8]
    every = BETWEEN if options.checkpoint_seconds is None else options.checkpoint_seconds
    plan = Plan(options.checkpoint, options.resume, every, f"{subject.book}-{subject.scenario}-{which}")
    return Means(plan, options.threads, options.fingerprints, options.disk)


@told_at_once
def check_all_readings(path: Path, options: CheckOptions, progress: Callable[[Progress], None] | None = None,
                       note: Callable[[Text], None] | None = None) -> Branches:
    """Check one scenario under every answer to every reading that play asks for, each alone."""
    scenario, limits, run = prepared(path, options, progress, note, every_reading=True)
    done = branches(scenario, options.readings, limits, options.symmetry, run, options.keep)
    results = gone_on(list(done.results), lambda results: told_causes(with_settlements(results)), options.stop)
    done = replace(done, results=tuple(results))
    if options.remembered:
        remember(path, done.results)
    return done


@told_at_once
def try_readings(
    path: Path, options: CheckOptions, tried: Mapping[str, str], progress: Callable[[Progress], None] | None = None,
    note: Callable[[Text], None] | None = None,
) -> list[Trial]:
    """Check one scenario without and with these answers, under each of its reading sets."""
    scenario, _, run = prepared(path, options, progress, note)
    open_table(scenario, {**options.readings, **tried})  # refuses answers that there are not
    sets = [plain_readings(s) for s in sets_of(scenario, options)]
    done = trials(sets, tried, lambda readings: run(readings)[1], options.stop, options.keep)
    if options.remembered:
        remember(path, [result for trial in done for result in (trial.before, trial.after)])
    return done


@told_at_once
def minimise(path: Path, wanted: str | None, options: CheckOptions) -> Minimised:
    """The scenario without what one of its findings does not need. Raises BadInput where there is no such finding, or
    several and none is named."""
    finding = the_finding(path, wanted, options)
    played: list[Text] = []
    if options.after is not None:
        subject = subject_of(open_table(read_scenario(path), options.readings), options.symmetry)
        played = decisions(subject.tell_all(way_of(options.after, subject)[0])[0])
    done = minimised(path, finding, played=played)
    if done is None:
        problem = Text(ja=f"{finding.id} は、もう一度調べると見つかりません", en=f"{finding.id} is not found when looked for again")
        raise BadInput([Diagnostic(None, "not-found-again", problem, None, finding.id)])
    return done


def the_finding(path: Path, wanted: str | None, options: CheckOptions) -> Finding:
    """The finding of a scenario with this id (or its last four characters), or its only one. Raises BadInput."""
    found = {f.id: f for r in check(path, options) for f in r.findings if f.is_defect or wanted is not None}
    asked = [f for f in found.values() if wanted is None or wanted.upper() in (f.id, f.id.rsplit("-", 1)[-1])]
    if len(asked) == 1:
        return asked[0]
    ja, en, hint, named = "、".join(found) or "なし", ", ".join(found) or "-", None, "" if wanted is None else f" {wanted}"
    problem = Text(ja=f"{path} を調べた範囲では、指摘{named and f'{named} '}は見つかりません（見つかったもの: {ja}）", en=f"{path} has no finding{named} (found: {en})")
    if asked:
        problem = Text(ja=f"{path} の指摘は一つではありません（見つかったもの: {ja}）", en=f"{path} has several findings (found: {en})")
        hint = Text(ja="指摘の番号を付けてください", en="name one by its id")
    raise BadInput([Diagnostic(None, "which-finding", problem, hint, wanted or str(path))])


def sets_of(scenario: Scenario, options: CheckOptions) -> Sequence[Mapping[str, Located[str] | str]]:
    """The reading sets to check a scenario under."""
    return [dict(options.readings)] if options.defaults_only else reading_sets(scenario, options.readings)


def plain_readings(readings: Mapping[str, Located[str] | str]) -> dict[str, str]:
    """Readings without the places where they are written."""
    return {name: answer if isinstance(answer, str) else answer.value for name, answer in readings.items()}


class Run(Protocol):
    """Checks a scenario under readings, in this share of the time that is left."""

    def __call__(
        self, readings: Mapping[str, Located[str] | str], share: float = 1.0, /
    ) -> tuple[Subject, CheckResult]: ...


def prepared(
    path: Path, options: CheckOptions, progress: Callable[[Progress], None] | None, note: Callable[[Text], None] | None,
    first: bool = False, trial: bool = False, every_reading: bool = False,
) -> tuple[Scenario, Limits, Run]:
    """A scenario read, the limits it is checked within, and how to check it. `first`: players whose choices are scripted choose
    what comes first where the script says nothing. `every_reading`: more reading sets than those that are asked for are compared. `trial`: it is only looked at which defects there are and how play ends, so
    nothing is told of a finding that takes another run (its control, the readings it hangs on, made-up cards)."""
    scenario = read_scenario(path)
    limits = replace(
        limits_of(scenario, options.max_states, options.max_seconds, options.max_memory_mib), stop=options.stop
    )
    check_control(scenario, path)
    check_expected(scenario)
    control = control_of(scenario, path)
    several = every_reading or len(sets_of(scenario, options)) > 1

    def tell(p: ExplorerProgress) -> None:
        if progress is not None:
            progress(Progress(p.states, p.frontier, p.depth, p.seconds, p.rate, p.memory_mib))

    def run(readings: Mapping[str, Located[str] | str], share: float = 1.0, /) -> tuple[Subject, CheckResult]:
        within = limits
        if (left := time_left(options.stop)) is not None:  # what was found has to be judged, too
            within = replace(limits, seconds=min(SHARE * share * left, limits.seconds or left))
        table = open_table(scenario, readings)
        if first:
            table = replace(table, scripts={who: (*wishes, Wish(FIRST[0])) for who, wishes in table.scripts.items()})
        subject = replace(subject_of(table, options.symmetry), show=options.show)
        if options.after is not None:
            subject = after(subject, options.after)
        judged: list[tuple[Subject, Exploration]] = []
        result = check_subject(
            subject, within, tell, options.engine, note, means_of(options, subject, first),
            lambda *of: judged.append(of))
        if trial or options.after is not None or not judged:
            return subject, result
        if several:
            result = replace(result, left=left_by(*judged[0]))

        def beside(cards: Mapping[str, CardDef]) -> CheckResult:
            other = subject_of(open_table(scenario, readings, instead=cards), options.symmetry)
            return check_subject(
                other, replace(limits, states=min(limits.states or MOST_STATES, MOST_STATES)), None, options.engine
            )

        def controlled(result: CheckResult) -> CheckResult:
            if control is None:
                return result
            told = told_control(control, readings)
            return replace(result, findings=tuple(f if f.hint else replace(f, control=told) for f in result.findings))

        def certified_too(result: CheckResult) -> CheckResult:
            from ..evidence.told import certified

            return replace(result, certificates=certified(*judged[0], limits, result))
        steps: list[Callable[[CheckResult], CheckResult]] = [
            lambda result: with_made_up(result, table, beside), controlled,
            lambda result: with_readings(result, scenario, readings, subject)
        ]
        if options.exercised:
            steps.append(lambda result: replace(result, exercised=exercised(table, *judged[0])))
        if options.certify:
            steps.append(certified_too)
        for step in steps:
            result, = gone_on([result], lambda results, step=step: [step(results[0])], options.stop)
        return subject, result

    return scenario, limits, run


def departs_from_defaults(result: CheckResult) -> int:
    """How many of the result's readings are not the book's defaults."""
    known = load_book(result.book).readings if result.book in book_names() else {}
    return sum(1 for r, answer in result.readings.items() if r in known and known[r].default.value != answer)


COMPARED = Text(ja="解釈によって進行が分かれないか見比べた局面の組（そこで打ち切りました）",
                en="pairs of positions compared for where readings part (stopped there)")


def has_second_opinion() -> bool:
    """Is there a second solver?"""
    from ..smt.solving import has_cvc5

    return has_cvc5()
