"""Scenarios run as the rules are, and as they would be without a statement."""
from __future__ import annotations

import ast
import hashlib
import os
import pickle
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rulewright.checks.audit.places import Rule, gives_options, with_lines, with_module
from rulewright.checks.explore.explorer import Exploration
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import CheckResult
from rulewright.checks.register.executed import Recorder
from rulewright.checks.scenarios.checking import check_explored, explored
from rulewright.checks.scenarios.expectation import barred, says
from rulewright.checks.scenarios.subjects import limits_of, reading_sets, subject_of
from rulewright.model.engine import table as tables
from rulewright.model.engine.library import Book, load_book
from rulewright.model.engine.state import End
from rulewright.model.engine.table import open_table
from rulewright.model.lang.compile import compile_book
from rulewright.model.lang.source import Source
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.readers import Scenario, read_scenario

from ..ends import MOST_STATES, MOST_TURNS
from .places import Place
from .weaker import weakened

SECONDS = 60
"""A mutant may take so long for one scenario."""
MOST_RUNS = 150
"""A mutant that so many runs do not tell apart is taken to go unnoticed."""
PACKAGE = Path(tables.__file__).parents[2]
CODE = ("model/lang", "model/ir", "model/engine", "model/kernel", "checks/explore", "checks/findings", "checks/scenarios", "checks/readings")
"""The folders whose modules decide what a scenario gives, besides those of the book."""


def mutated(source: Source, place: Place, instead: str) -> Source | None:
    """The module with the statement replaced; all other lines stay where they are."""
    lines = instead.splitlines()
    return with_lines(source, place.first, place.last, [" " * place.indent + lines[0], *lines[1:]])


@dataclass(frozen=True)
class Run:
    """One scenario under one reading set, as the rules are: what exploring it counts, what is found, which lines are
    executed, and how long it takes."""

    path: str
    number: int
    counts: object
    found: object
    executed: frozenset[tuple[str, int]]
    states: int
    seconds: float

    @property
    def name(self) -> str:
        return f"{Path(self.path).stem} #{self.number}"


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: "result", "refused", "executed only" or "never executed"; `by` says which run told it
    apart, `how` with what instead of the statement."""

    outcome: str
    by: str = ""
    how: str = ""


# ---------------------------------------------------------------- what a result depends on
def key_of(files: Iterable[Path]) -> str:
    """A hash of what these files contain."""
    h = hashlib.sha256()
    for file in files:
        h.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return h.hexdigest()


@cache
def rules_key(name: str) -> str:
    """A hash of all that decides what a scenario of the book gives, the scenario aside."""
    book = load_book(name)
    code = [Path(__file__), *(f for folder in CODE for f in sorted((PACKAGE / folder).glob("*.py")))]
    return key_of([*code, *sorted((PACKAGE / "model" / "games" / name).glob("*.py")), *sorted(book.folder.glob("*.yaml"))])


def cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "rulewright" / "mutation"


# ---------------------------------------------------------------- running
@cache
def scenario_of(path: str) -> Scenario:
    return read_scenario(Path(path))


@contextmanager
def rules_of(book: Book) -> Iterator[None]:
    """Meanwhile, tables are opened with the rules of this book in the place of the one of its name."""
    real, kept = tables.load_book, tables.compiled
    tables.load_book = lambda name: book if name == book.name else real(name)
    if book is not real(book.name):
        tables.compiled = compile_book  # nobody asks for a mutant's programs again
    try:
        yield
    finally:
        tables.load_book, tables.compiled = real, kept


def opened(book: Book, path: str, number: int, recording: bool = False) -> Subject:
    """A scenario under one of its reading sets, with the book's rules. Raises BadInput if they are refused."""
    scenario = scenario_of(path)
    readings = reading_sets(scenario, {})[number]
    table = open_table(scenario, readings, rules=None if book is load_book(book.name) else book)
    if recording:
        engine = table.engine = Recorder(table.engine)
        table.starts = [engine.start(p) for p in table.positions]  # a start that was kept executes nothing
    return subject_of(table, symmetry=True)


def counted(subject: Subject, out: Exploration, at_start: End | None) -> object:
    """What the exploration alone gives: the numbers, which kinds of ends, and in small situations the ends themselves, by
    what differs from the beginning (`tests/ends.py` pins that). What a mutant merely does not keep is no difference."""
    kinds = sorted({s.end.kind for s in (out.states[k] for k in out.ends()) if s.end is not None})
    told = [out.states[k] for k in out.ends() if out.turns[k] <= MOST_TURNS] if len(out.states) <= MOST_STATES else []
    names = [s.name for s in subject.engine.program.layout.slots]
    first = subject.starts[0].state.slots
    changes = [([(n, now) for n, was, now in zip(names, first, s.slots, strict=True) if now != was], str(s.end)) for s in told]
    ends = hashlib.sha256(repr(sorted(changes)).encode()).hexdigest()
    return len(out.states), out.transitions, kinds, ends, out.cut, len(out.bound_edges), at_start


def told(result: CheckResult) -> object:
    """What is found: scenarios pin of a finding what it is, and of a loop what each clause says of it."""
    return sorted((f.id, f.hint, f.title.en, sorted(says(f).items()), sorted(barred(f)[1])) for f in result.findings)


def baseline(name: str, path: str) -> list[Run]:
    """The rules as they are, under each reading set of a scenario. Kept on disk, for every copy of the project."""
    kept = cache_folder() / f"{name}-{Path(path).stem}-{rules_key(name)[:16]}{key_of([Path(path)])[:16]}.pickle"
    try:
        return [replace(run, path=path) for run in pickle.loads(kept.read_bytes())]
    except (OSError, pickle.PickleError, EOFError, AttributeError):
        pass
    runs: list[Run] = []
    for number in range(len(reading_sets(scenario_of(path), {}))):
        begun = time.process_time()
        subject = opened(load_book(name), path, number, recording=True)
        limits = limits_of(scenario_of(path), None, None, None)
        out, at_start = explored(subject, limits, None, "interpreter", None)
        result = check_explored(subject, limits, out, at_start)
        assert isinstance(subject.engine, Recorder)
        lines = frozenset((m.file, m.line) for m in subject.engine.seen.values())
        runs.append(Run(
            path, number, counted(subject, out, at_start), told(result), lines,
            len(out.states), time.process_time() - begun))
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(f".{os.getpid()}.tmp")
    fresh.write_bytes(pickle.dumps(runs))
    fresh.replace(kept)
    return runs


def differs(book: Book, run: Run) -> bool:
    """Does the book give something else here? Raises BadInput if its rules are refused.

    One state more than there were, and it does: so the search never goes further.
    """
    subject = opened(book, run.path, run.number)
    limits = limits_of(scenario_of(run.path), None, None, None)
    within = replace(limits, states=min(limits.states or run.states + 1, run.states + 1), seconds=SECONDS)
    out, at_start = explored(subject, within, None, "interpreter", None)
    if counted(subject, out, at_start) != run.counts:
        return True
    result = check_explored(subject, limits, out, at_start)
    return told(result) != run.found


def in_turn(runs: Sequence[Run], before: str) -> list[Run]:
    """The order in which runs are tried: the one that told the mutant apart the last time; one run of each scenario, the
    cheapest first; then what the scenarios give under other reading sets, which mostly differs less."""
    seen: Counter[str] = Counter()
    ranked: list[tuple[bool, int, Run]] = []
    for run in sorted(runs, key=lambda r: r.seconds):
        ranked.append((run.name != before, seen[run.path], run))
        seen[run.path] += 1
    return [run for *_, run in sorted(ranked, key=lambda one: one[:2])][:MOST_RUNS]


def judge(name: str, place: Place, runs: Sequence[Run], before: str = "") -> Verdict:
    """Does any result change without the statement? Only runs that execute it can tell. Where none does, the front end may
    still have used it, to work out what is the same in every state: so all are tried."""
    book = load_book(name)
    source = next(s for s in book.rulebook.sources if s.file == place.file)
    rule = next(r for r in source.tree.body if isinstance(r, Rule) and r.name == place.rule)
    unknown = gives_options(source, rule)
    touching = [r for r in runs if unknown or any(place.covers(*at) for at in r.executed)]
    accepted = False
    for instead in weakened(place):
        made = mutated(source, place, instead)
        if made is None:
            continue
        mutant = with_module(book, source, made)
        said = instead.splitlines()[0]
        try:
            for run in in_turn(touching or (runs if isinstance(rule, ast.FunctionDef) else runs[:1]), before):
                try:
                    other = differs(mutant, run)
                except (AssertionError, RecursionError, KeyError, IndexError) as e:
                    return Verdict("result", run.name, f"{said}: {type(e).__name__}")
                accepted = True
                if other:
                    return Verdict("result", run.name, said)
        except BadInput:
            continue
        break
    if not accepted:
        return Verdict("refused")
    return Verdict("executed only" if touching else "never executed")
