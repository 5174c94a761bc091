"""Work done in processes of its own, one or several at a time, so that limits are kept and what was found is never lost: a process that does not end when
it has to is ended, and what it had told by then counts. What is found is what one process finds.
"""
from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import wait
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from ...model.engine.library import load_book
from ...spec.diagnostics import BadInput
from ...spec.groups import grouped
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..explore.machine_sources import is_ready
from ..findings import words
from ..findings.cut_off import CUTS, not_all_told, nothing_found
from ..findings.record import CheckResult, Finding
from ..findings.summary import shown_best
from ..limits.ending import MEMORY_FULL, memory_mib
from ..native.cluster import is_lost, processors
from ..native.team import cores
from ..readings.branching import Branches
from ..readings.trials import Trial
from ..scenarios.options import CheckOptions
from ..stored import finding_store
from . import asking, hunts, session
from .names import names
from .on_ray import Hired, OnRay
from .worker import Desk, Work, Worker

START = "fork" if sys.platform == "linux" else "spawn"
BETWEEN = 0.1
"""Seconds between two looks at the time."""
GRACE = 0.9
"""Seconds that a process has for coming to an end when it has to; then it is ended."""
LEAST = 300
"""MiB that a process has to have at least for several to be worth it."""

R = TypeVar("R")
W = TypeVar("W", str, Path)


@dataclass
class Outcome(Generic[R]):
    """What came of one piece of work. `found`: all that there is, or what there was when it was ended; None: nothing. `said`: what the
    user should know of how. `cut`: why it was ended from outside, or never begun (as `Ending.reason`; "lost": nobody knows why its process ended)."""

    found: R | None = None
    said: list[Text] = field(default_factory=list[Text])
    cut: str = ""
    begun: bool = False
    done: bool = False
    error: BaseException | None = None


def processes_for(pieces: int, options: CheckOptions) -> int:
    """How many processes do so many pieces of work: as many as there may be threads, or as a cluster has processors. A search that is kept in
    a folder keeps them for itself, and each needs some memory."""
    if options.cluster is not None:
        most = processors(options.cluster)
        return max(1, min(pieces, most, options.threads or most))
    if options.checkpoint is not None or options.disk is not None or not pieces:
        return 1
    return processes_within(min(pieces, options.threads or cores()), options.max_memory_mib)


def processes_within(processes: int, memory: int | None) -> int:
    """As many of them as have room in so many MiB."""
    return processes if memory is None else min(processes, max(1, memory // LEAST))


# ---------------------------------------------------------------- the process that starts others
class Here:
    """Workers on this machine."""

    def __init__(self, works: Sequence[Work[Any]], until: float | None, share: float | None) -> None:
        self.works, self.until, self.share = works, until, share

    def hire(self) -> Worker:
        return Worker(multiprocessing.get_context(START), self.works, self.until, self.share)

    def room(self) -> int:
        """How many there may be just now."""
        return sys.maxsize


def done_together(
    works: Sequence[Work[R]],
    processes: int,
    until: float | None = None,
    memory: int | None = None,
    told: Callable[[object], None] = lambda now: None,
    stopped: Callable[[], bool] = lambda: False,
    alike: bool = False,
    cluster: str | None = None,
) -> list[Outcome[R]]:
    """Do all of this, so many pieces at a time, until a time (of `time.monotonic`), with so many MiB in all processes. `told` is told how
    far the only piece has come and what it has found (or the first, if all are `alike`), or else how many are done. `cluster`: the address
    of a Ray cluster whose machines do it; there each worker may take so many MiB, and what a lost one was at is done again. Raises BadInput
    about the first that cannot be done."""
    alike |= len(works) == 1
    share = None if memory is None else max(1.0, (memory - memory_mib()) / processes)
    crew = Here(works, until, share) if cluster is None else OnRay(cluster, works, until, memory)
    lost = Counter[int]()
    out: list[Outcome[R]] = [Outcome() for _ in works]
    todo = list(range(len(works)))
    workers: list[Worker | Hired] = []
    kill_at: float | None = None
    cut = ""
    try:
        while True:
            now = time.monotonic()
            if not cut and (stopped() or (until is not None and now >= until)):
                cut = "user" if stopped() else "seconds"
                kill_at = now + GRACE
                for worker in workers if cut == "user" else ():
                    worker.ask_to_end()
            if cut or any(one.error is not None for one in out):
                todo = []
            if not cut and cluster is not None and is_lost():
                cut, kill_at = "lost", now
            for worker in [w for w in workers if w.at is None and (w.heavy or not todo)]:
                workers.remove(worker)
                worker.end()
            while todo and (
                idle := next((w for w in workers if w.at is None), None) or len(workers) < min(processes, crew.room())
            ):
                if idle is True:
                    workers.append(idle := crew.hire())
                out[todo[0]].begun = True
                idle.give(todo.pop(0))
            # one process would not have come to what is after something wrong
            wrong = next((k for k, one in enumerate(out) if one.error is not None), len(out))
            if not any(w.at is not None and w.at < wrong for w in workers):
                break
            if kill_at is not None and now >= kill_at:
                for worker in workers:
                    if worker.at is not None:
                        out[worker.at].cut = cut
                break
            for pipe in wait([w.pipe for w in workers], BETWEEN):
                worker = next(w for w in workers if w.pipe is pipe)
                at = worker.at
                listen(worker, out, told, alike)
                if at is not None and out[at].cut == "lost" and lost[at] < worker.again:
                    lost[at] += 1
                    out[at] = Outcome()  # what it told is not told twice
                    todo.insert(0, at)
            workers = [w for w in workers if not w.pipe.closed]
    finally:
        for worker in workers:
            if not worker.pipe.closed:
                worker.end()
    for one in out:
        if one.error is not None:
            raise one.error
        if not one.begun:
            one.cut = cut
    return out


def all_done(
    what: Sequence[W], work: Callable[[W, CheckOptions, Desk], R], options: CheckOptions, until: float | None,
    told: Callable[[Any], None], stopped: Callable[[], bool],
) -> list[Outcome[R]]:
    """The work on each of these, and what it found; where it was ended, that that is so."""
    processes = processes_for(len(what), options)
    threads = options.threads if processes == 1 and options.cluster is None else 1
    each = replace(options, threads=threads, stop=None, remembered=False, cluster=None)
    out = done_together(
        [partial(work, one, each) for one in what],
        processes,
        until,
        options.max_memory_mib,
        told,
        stopped,
        cluster=options.cluster,
    )
    end: Callable[..., Told] = ENDED[work.func if isinstance(work, partial) else work]
    finding_store.remember_all(
        [end(one, outcome, options) for one, outcome in zip(what, out, strict=True)], told_of(what)
    )
    return out


def told_of(what: Sequence[object]) -> Callable[[Sequence[Finding]], Finding]:
    """Of findings with one id, which the page tells: of one scenario that of the first run, of several what shows it best."""
    return itemgetter(0) if len(what) == 1 else partial(shown_best, names=names())


def all_hunted(
    what: Sequence[Path], work: Callable[..., list[CheckResult]], options: CheckOptions, until: float | None,
    told: Callable[[Any], None], stopped: Callable[[], bool], seed: int = 0,
) -> list[Outcome[list[CheckResult]]]:
    """The same of hunts. Where there are more processors than scenarios, several hunt in each, with lots of their own, and what they find is
    told as one result."""
    from ..hunt.results import gathered

    hunters = hunters_for(len(what), options)
    each = replace(options, threads=1, stop=None, remembered=False, cluster=None)
    works = [partial(work, path, each, part=part) for path in what for part in range(hunters)]
    pieces = done_together(
        works,
        processes_for(len(works), options),
        until,
        options.max_memory_mib,
        told,
        stopped,
        len(what) == 1,
        options.cluster,
    )
    out: list[Outcome[list[CheckResult]]] = []
    for k, path in enumerate(what):
        mine = pieces[k * hunters:(k + 1) * hunters]
        results = grouped(
            (repr(sorted(result.readings.items())), result)
            for result in (result for piece in mine for result in checked_one(path, piece, options)[1]))
        out.append(
            Outcome(
                [gathered(same, seed) for same in results.values()],
                list(dict.fromkeys(text for one in mine for text in one.said)),
                next((one.cut for one in mine if one.cut), ""),
                any(one.begun for one in mine),
                all(one.done for one in mine),
            )
        )
    finding_store.remember_all([(path, one.found or []) for path, one in zip(what, out, strict=True)], told_of(what))
    return out


def make_ready(path: Path, options: CheckOptions, tell: Callable[[], None], stopped: Callable[[], bool]) -> bool:
    """Compile what every hunt needs, if that was not done on this machine before. Gives whether it was done now; `tell` is called before."""
    if is_ready():
        return False
    tell()
    done_together([partial(ready_one, path, options)], 1, None, options.max_memory_mib, lambda _: None, stopped)
    return True


def hunters_for(scenarios: int, options: CheckOptions) -> int:
    """How many processes hunt in each of so many scenarios."""
    most = cores() if options.cluster is None else processors(options.cluster)
    return max(1, processes_for(most, options) // max(1, scenarios))


def listen(worker: Worker | Hired, out: list[Outcome[R]], told: Callable[[object], None], alike: bool) -> None:
    """Take what a worker says just now."""
    telling = alike and worker.at == 0
    one = Outcome[R]() if worker.at is None else out[worker.at]
    try:
        word, what = worker.pipe.recv()
    except (EOFError, OSError):  # its process is gone, and took nothing along but what it had not told
        worker.end()
        one.cut = "memory" if worker.exit_code == MEMORY_FULL else "lost"
        return
    if word == "progress" and telling:
        told(what)
    elif word == "said":
        one.said.append(what)
    elif word == "found":
        one.found = what
        if telling:
            told(what)
    elif word == "wrong":
        one.error = what
        worker.at = None
    elif word == "done":
        one.found, one.cut, worker.heavy = what
        one.done = True
        worker.at = None
        if not alike:
            told(sum(o.done for o in out))


# ---------------------------------------------------------------- what there is to do
def at(options: CheckOptions, desk: Desk) -> CheckOptions:
    """The options of work that is done at this desk."""
    return replace(
        options,
        stop=desk.stop,
        keep=desk.keep,
        max_memory_mib=None if desk.stop.memory_mib is None else int(desk.stop.memory_mib),
    )


def check_one(path: Path, options: CheckOptions, desk: Desk) -> list[CheckResult]:
    """One scenario."""
    return session.check(path, at(options, desk), desk.progress, desk.note)


def all_readings_of_one(path: Path, options: CheckOptions, desk: Desk) -> Branches:
    """One scenario under every answer to every reading."""
    return session.check_all_readings(path, at(options, desk), desk.progress, desk.note)


def try_one(path: Path, options: CheckOptions, desk: Desk, answers: Mapping[str, str]) -> list[Trial]:
    """One scenario without and with these answers."""
    return session.try_readings(path, at(options, desk), answers, desk.progress, desk.note)


def divided_one(
    path: Path, options: CheckOptions, desk: Desk, parts: int, cluster: str, memory: int | None
) -> list[CheckResult]:
    """One scenario, divided among so many workers of a cluster, each with so many MiB."""
    from .dividing import check_divided

    return check_divided(
        path, replace(at(options, desk), max_memory_mib=memory), parts, cluster, desk.progress, desk.note
    )


def ask_one(target: str, options: CheckOptions, desk: Desk, asked: Sequence[str], second: bool) -> list[CheckResult]:
    """Questions about a book, or the cards of a scenario."""
    return asking.ask([target], asked, at(options, desk), second, desk.progress)


def ready_one(path: Path, options: CheckOptions, desk: Desk) -> bool:
    """What every hunt needs, compiled."""
    return hunts.make_ready(path, at(options, desk))


def hunt_one(
    path: Path, options: CheckOptions, desk: Desk, seconds: float, seed: int, part: int = 0
) -> list[CheckResult]:
    """One scenario that is too large to be looked at as a whole."""
    return session.hunt(path, at(options, desk), seconds, seed, desk.progress, desk.note, part)


Told = tuple[Path, Sequence[CheckResult]]
"""Results, and the file that they are kept under for `explain`."""


def checked_one(path: Path, outcome: Outcome[list[CheckResult]], options: CheckOptions) -> Told:
    """What was found, and that the rest was not looked at."""
    found = outcome.found or ()
    more = not_looked_at(path, outcome.cut, len(found), options)
    outcome.found = [*found, *more] if more or not outcome.cut else [not_all_told(one, outcome.cut) for one in found]
    return path, outcome.found


def all_readings_ended(path: Path, outcome: Outcome[Branches], options: CheckOptions) -> Told:
    """The same under all readings."""
    found = outcome.found or Branches((), (), 0)
    outcome.found = replace(found, results=(*found.results, *not_looked_at(path, outcome.cut, 0, options)))
    return path, outcome.found.results


def tried_one(path: Path, outcome: Outcome[list[Trial]], options: CheckOptions) -> Told:
    """The same of trials."""
    if outcome.cut:
        outcome.said.append(CUTS[outcome.cut])
    return path, [result for trial in outcome.found or () for result in (trial.before, trial.after)]


def asked_one(target: str, outcome: Outcome[list[CheckResult]], options: CheckOptions) -> Told:
    """The same of questions."""
    book = target if target in session.books() else session.book_of(session.resolve(target)[0])
    more = (
        [nothing_found(book, words.ANYWHERE, words.ANYWHERE_TITLE, options.readings, outcome.cut)]
        if outcome.cut
        else []
    )
    outcome.found = [*(outcome.found or ()), *more]
    return load_book(book).folder / "clauses.yaml", outcome.found


def results_in(found: Branches | Sequence[CheckResult | Trial]) -> Sequence[CheckResult]:
    """The results in what work has found so far."""
    return (
        found.results
        if isinstance(found, Branches)
        else [one.after if isinstance(one, Trial) else one for one in found]
    )


def not_looked_at(path: Path, cut: str, done: int, options: CheckOptions) -> list[CheckResult]:
    """What is told of the reading sets of a scenario under which nothing was looked at: once, where that is all of them; nothing if it was not cut
    off. `done`: under how many something was."""
    if not cut:
        return []
    try:
        scenario = read_scenario(path)
        left = session.sets_of(scenario, options)[done:] if done else [options.readings]
        return [session.not_looked_at(scenario, cut, readings) for readings in left]
    except BadInput:  # nobody came to say what is wrong with it
        return [nothing_found("", path.stem, Text.same(path.name), {}, cut)]


ENDED = {
    check_one: checked_one,
    divided_one: checked_one,
    all_readings_of_one: all_readings_ended,
    try_one: tried_one,
    ask_one: asked_one,
}
"""For each kind of work, what is done with what came of it."""
