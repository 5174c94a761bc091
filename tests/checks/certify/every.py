"""Has everything that shipped scenarios and stored cases tell a certificate, and does the checker accept it?

`python -m tests.checks.certify.every` goes through all books (`make certificates`), `… sakura --jobs 2` through one, `--sample 40 --seed 3`
through scenarios drawn by lot. Each scenario is checked under each of its reading sets as `rulewright check --certify` does; besides, of its
stored cases each finding has to have a certificate under the readings that are stored. Exit code 1 if anything is refused, has no
certificate, or is not found as the scenario pins it.
"""
from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from rulewright.checks.evidence.told import certified
from rulewright.checks.explore.explorer import Exploration, explore
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import CheckResult
from rulewright.checks.runs import session
from rulewright.checks.scenarios.checking import check_explored
from rulewright.checks.scenarios.subjects import limits_of, read_scenario
from rulewright.checks.stored.cases import Case, read_case
from rulewright.checks.stored.finding_store import case_files, stored_cases
from rulewright.checks.stored.replaying import subject_for
from rulewright.model.engine.library import load_book

CASE = re.compile(r"\d+-(?P<scenario>.+)-\w{4}")
"""What the file of a stored case is called."""
FEW = 12
"""Runs that are told by name of which something was not shown."""


@dataclass(frozen=True)
class Task:
    """A scenario of a book, and the stored cases of it."""

    book: str
    path: Path
    cases: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.book}/{self.path.stem}"


@dataclass(frozen=True)
class Done:
    """What came of a scenario: runs (one for each reading set, and for each under which cases are stored), certificates of how
    many things told were accepted, what is wrong, what was not shown and of which run, and the processor's seconds."""

    task: Task
    runs: int
    cases: int
    accepted: int
    wrong: tuple[str, ...]
    left: tuple[tuple[str, str], ...]
    seconds: float


def tasks(books: Sequence[str] = ()) -> list[Task]:
    """Every shipped scenario of these books, or of all."""
    of: dict[tuple[str, str], list[Path]] = {(book, path.stem): [] for book in session.books() for path in session.scenarios_of(book)}
    for path in case_files(stored_cases()):
        named = CASE.fullmatch(path.stem)
        assert named is not None, path
        of[path.parent.name, named["scenario"]].append(path)
    return [Task(book, path, tuple(of[book, path.stem])) for book in books or session.books() for path in session.scenarios_of(book)]


def judged(task: Task) -> Done:
    """A scenario checked, and all that is told of it certified."""
    begun = time.process_time()
    results = session.check(task.path, session.CheckOptions(certify=True, threads=1))
    stored = sorted(map(read_case, task.cases), key=readings_of)
    results += [of_cases(list(cases)) for _, cases in groupby(stored, readings_of)]
    every = [(result, one) for result in results for one in result.certificates or ()]
    wrong = [f"{name(task, result)} {said.en}" for result in results for said in result.unexpected]
    wrong += [f"{name(task, result)} {'refused: ' + one.refused.en if one.refused else 'without evidence'} {one.about}"
              for result, one in every if not one.accepted]
    wrong += [f"{name(task, result)} without evidence {finding.id}" for result in results for finding in result.findings
              if finding.id not in {one.about for one in result.certificates or ()}]
    left = [(re.sub(r"[\d,]*\d", "…", text.en), name(task, result)) for result, one in every for text in one.not_shown]
    accepted = sum(one.accepted for _, one in every)
    return Done(task, len(results), len(stored), accepted, tuple(wrong), tuple(left), time.process_time() - begun)


def readings_of(case: Case) -> list[tuple[str, str]]:
    """Under which answers it is stored."""
    return sorted(case.finding.readings.items())


def name(task: Task, result: CheckResult) -> str:
    """A run in words, with the answers that are not the book's own."""
    own = load_book(task.book).readings
    return " ".join([str(task), *(f"{k}={v}" for k, v in sorted(result.readings.items()) if v != own[k].default.value)])


def of_cases(cases: Sequence[Case]) -> CheckResult:
    """What is stored of a scenario under the same readings, with its certificates."""
    subject, limits = subject_for(cases[0]), limits_of(read_scenario(cases[0].scenario_file), None, None, None)
    seen: list[tuple[Subject, Exploration]] = []
    result = check_explored(subject, limits, explore(subject.engine, subject.starts, limits), seen=lambda *of: seen.append(of))
    findings = {finding.id: finding for finding in (*result.findings, *(case.finding for case in cases))}
    result = replace(result, findings=tuple(findings.values()))
    return replace(result, certificates=certified(*seen[0], limits, result))


def told(book: str, done: Sequence[Done]) -> str:
    """What came of a book."""
    wrong = [line for one in done for line in one.wrong]
    left: dict[str, list[str]] = {}
    for what, where in (pair for one in done for pair in one.left):
        left.setdefault(what, []).append(where)
    return "\n".join([
        f"{book}: {len(done)} scenarios, {sum(d.runs for d in done)} runs ({sum(d.cases for d in done)} stored cases); "
        f"{sum(d.accepted for d in done)} certificates accepted, {len(wrong)} wrong; {sum(d.seconds for d in done):.0f} s of processor",
        *(f"  WRONG {line}" for line in wrong),
        *(f"  not shown {len(runs):4} times: {what}{', of ' + ', '.join(dict.fromkeys(runs)) if len(runs) <= FEW else ''}"
          for what, runs in sorted(left.items(), key=lambda one: -len(one[1])))])


def main(arguments: Sequence[str] | None = None) -> int:
    """Go through books, or what is drawn of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", metavar="BOOK")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    of, begun = tasks(given.books), time.monotonic()
    if given.sample is not None:
        of = random.Random(given.seed).sample(of, min(given.sample, len(of)))
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(given.jobs, initializer=apart, initargs=(folder,)) as pool:
        done = list(pool.map(judged, of))
    for book in dict.fromkeys(task.book for task in of):
        print(told(book, [one for one in done if one.task.book == book]))
    print(f"{time.monotonic() - begun:.0f} s on {given.jobs} processes; slowest: "
          + ", ".join(f"{one.task} {one.seconds:.0f} s" for one in sorted(done, key=lambda one: -one.seconds)[:5]))
    return any(one.wrong for one in done)


def apart(folder: str) -> None:
    """Keep what these runs find out of what the user's own runs remember."""
    os.environ["XDG_CACHE_HOME"] = folder


if __name__ == "__main__":
    sys.exit(main())
