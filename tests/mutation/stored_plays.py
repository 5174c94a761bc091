"""Is it told where a rule changes a stored play? Stored cases are verified with rules of which one statement is taken away.

    python -m tests.mutation.stored_plays [BOOK ...] [--each N] [--seed N] [--jobs N] [--keep FILE]

Of each book so many statements are drawn from those that some stored play carries out (as `tests.mutation.removal` takes them away or
weakens them). The play of every case is then gone through by the reference engine, with the rules as they are and without the
statement, by what was chosen: it is *changed* if anywhere in it somebody else decides, something else can be chosen, a field of the
state holds something else, other clauses are carried out, it ends otherwise, or it cannot be gone on with. Of each case whose play is
changed `verify` has to say so. It is asked as a user asks it, of a copy of the book, only where the replay alone says nothing.

A play is *changed within* if all that differs are fields that nobody is told of; these are counted apart.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path

from rulewright.checks.audit.places import Rule, with_module
from rulewright.checks.explore.subject import Subject
from rulewright.checks.register.executed import Recorder
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import Case, read_case
from rulewright.checks.stored.replaying import find_option, replay, subject_for
from rulewright.model.engine.interpreter import Traced
from rulewright.model.engine.library import Book, load_book
from rulewright.model.engine.state import State
from rulewright.spec.diagnostics import BadInput

from .places import Place, places
from .planted import copied
from .runs import mutated, rules_of
from .weaker import weakened

BOOKS = ("harem_master", "sakura", "shinso")
EACH = 20
SECONDS = 900
"""For one command, by the clock."""
GIVE_UP = (AssertionError, RecursionError, KeyError, IndexError)
"""What the tool stumbles over with rules that nobody would write; that is no silence."""


@dataclass(frozen=True)
class Moment:
    """Where a play stands before a step, or at its end: who decides what, what the fields hold, the clauses of the step that led here,
    how it ended. `untold`: the fields that no page tells of."""

    asks: tuple[object, ...]
    fields: Mapping[str, int]
    clauses: tuple[str, ...]
    end: str
    untold: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the cases whose plays are changed, only within, and of these those of which nothing was said."""

    place: str
    how: str
    changed: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    by_replay: int = 0
    refused: bool = False


# ---------------------------------------------------------------- plays
@cache
def cases_of(book: str) -> Mapping[str, Case]:
    """The stored cases of a book."""
    return {c.path.stem: c for c in map(read_case, finding_store.case_files(finding_store.stored_cases() / book))}


def course(case: Case, subject: Subject) -> list[Moment]:
    """How a stored play goes, as far as it can be gone on with."""
    play, trace = case.finding.play, list[Traced]()
    opened = subject.opening() is not None
    state = subject.engine.start(list(subject.positions[0]), trace).state
    moments = [moment(subject, state, trace)]
    for step in (*play.stem[opened:], *play.cycle):
        option = None if subject.engine.point(state) is None else find_option(subject, state, step)
        if option is None:
            break
        trace = list[Traced]()
        state = subject.engine.apply(state, option, trace).state
        moments.append(moment(subject, state, trace))
    return moments


def moment(subject: Subject, state: State, trace: Iterable[Traced]) -> Moment:
    """A moment of a play."""
    at, told = subject.engine.point(state), subject.describer.told_slots
    named = [(k in told, slot.name, value) for k, (slot, value) in enumerate(zip(subject.program.layout.slots, state.slots, strict=False))]
    asks = () if at is None else (at.owner, at.clause, *(subject.describer.taken(state, at, o).en for o in at.options))
    return Moment(asks, {name: v for shown, name, v in named if shown}, tuple(dict.fromkeys(c for m in trace for c in m.at.clauses)),
                  "" if state.end is None else str(state.end), {name: v for shown, name, v in named if not shown})


@cache
def usual(book: str, stem: str) -> list[Moment]:
    """How a stored play goes by the rules as they are."""
    case = cases_of(book)[stem]
    return course(case, subject_for(case))


@cache
def carried_out(book: str) -> frozenset[tuple[str, int]]:
    """The lines of the rules that some stored play carries out."""
    lines: set[tuple[str, int]] = set()
    for case in cases_of(book).values():
        subject = subject_for(case)
        subject.engine = Recorder(subject.engine)
        course(case, subject)
        lines |= {(m.file, m.line) for m in subject.engine.seen.values()}
    return frozenset(lines)


# ---------------------------------------------------------------- mutants
def chosen(book: str, each: int, seed: int) -> list[Place]:
    """So many statements that stored plays carry out, by lot."""
    among = [p for p in places(load_book(book)) if any(p.covers(*at) for at in carried_out(book))]
    return sorted(random.Random(f"{book} {seed}").sample(among, min(each, len(among))), key=lambda p: (p.file, p.first))


def without(book: Book, place: Place) -> Iterable[tuple[str, str, Book]]:
    """The book without a statement, or with less of it: what stands instead, the text of the module, the book."""
    source = next(s for s in book.rulebook.sources if s.file == place.file)
    assert any(isinstance(r, Rule) and r.name == place.rule for r in source.tree.body)
    for instead in weakened(place):
        made = mutated(source, place, instead)
        if made is not None:
            yield instead.splitlines()[0], made.text, with_module(book, source, made)


def judged(name: str, place: Place) -> Verdict:
    """What becomes of the stored plays of a book without a statement."""
    book = load_book(name)
    for instead, text, mutant in without(book, place):
        changed, within, quiet, accepted = list[str](), list[str](), list[str](), False
        for stem, case in cases_of(name).items():
            before = usual(name, stem)
            with rules_of(mutant):
                try:
                    now = course(case, subject_for(case))
                    accepted = True
                    differ = [(a, b) for a, b in zip_longest(before, now) if a != b]
                    if differ and all(a and b and replace(a, untold={}) == replace(b, untold={}) for a, b in differ):
                        within.append(stem)
                    elif differ:
                        changed.append(stem)
                    if differ and not replay(case).differences:
                        quiet.append(stem)
                except BadInput:
                    break  # the front end refuses it: for every case
                except GIVE_UP:
                    changed.append(stem)
                    accepted = True
        if accepted:
            silent = verified(name, place, text, [cases_of(name)[stem].path for stem in quiet]) if quiet else ()
            return Verdict(str(place), instead, tuple(changed), tuple(within), silent, len(changed) + len(within) - len(quiet))
    return Verdict(str(place), "", refused=True)


def verified(name: str, place: Place, text: str, files: Sequence[Path]) -> tuple[str, ...]:
    """The cases of which `verify` says nothing with these rules."""
    with tempfile.TemporaryDirectory() as folder:
        copied(name, Path(folder), None)
        (Path(folder) / name / "rules" / Path(place.file).name).write_text(text, encoding="utf-8")
        stored = Path(folder) / "cases" / name
        stored.mkdir(parents=True)
        for file in files:
            shutil.copy(file, stored)
        command = [sys.executable, "-m", "rulewright.checks", "verify", str(stored), "--books", folder, "--json", "--jobs", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": folder})
    if done.returncode not in (0, 1):
        print(f"{place}: {done.stderr.strip()[-300:]}", flush=True)
        return ()  # it stops with an error: no silence
    return tuple(Path(c["path"]).stem for c in json.loads(done.stdout)["cases"] if c["reproduced"])


# ---------------------------------------------------------------- the report
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a play that is changed was not told of."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", default=BOOKS)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="verdicts are kept here, and what it has is not asked again")
    given = parser.parse_args(arguments)
    known: dict[str, Verdict] = {}
    if given.keep is not None and given.keep.exists():
        for line in given.keep.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            known[said["place"]] = Verdict(**{k: tuple(v) if isinstance(v, list) else v for k, v in said.items()})
    counts, silent = Counter[str](), 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for book in given.books:
            drawn = chosen(book, given.each, given.seed)
            left = [p for p in drawn if str(p) not in known]
            for verdict in pool.map(judged, [book] * len(left), left):
                known[verdict.place] = verdict
                if given.keep is not None:
                    with given.keep.open("a", encoding="utf-8") as out:
                        out.write(json.dumps(asdict(verdict), ensure_ascii=False) + "\n")
            for verdict in (known[str(p)] for p in drawn):
                plays = len(verdict.changed) + len(verdict.within)
                unsaid = [stem for stem in verdict.changed if stem in verdict.silent]
                what = "refused" if verdict.refused else "changes no play" if not plays else "SILENT" if unsaid else "told"
                if what == "told" and not verdict.changed:
                    what = "changed within only"
                counts[what] += 1
                silent += len(unsaid)
                print(f"{what}: {verdict.place} -> {verdict.how}: plays changed {len(verdict.changed)}, within only {len(verdict.within)}, "
                      f"told by the replay {verdict.by_replay}, silent {', '.join(verdict.silent) or '-'}", flush=True)
    print(", ".join(f"{what} {count}" for what, count in counts.most_common()))
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
