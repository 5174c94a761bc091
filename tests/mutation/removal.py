"""Would anybody notice if a rule were missing? Each clause-marked statement of a book is taken away, one at a time.

    python tests/mutation/removal.py sakura [--sample N] [--jobs N] [--seed N] [--survivors]

A statement whose removal the front end refuses (a function without its result, a name that nothing sets) is weakened
instead, where that is possible: a result becomes a constant, a condition always or never holds. What is left is counted
as *refused*. Each mutant is checked with every shipped scenario and reading set that executes the statement, until one
gives another result than the rules as they are: other findings, states, transitions or ends. A mutant that no result
tells apart is *executed only* (a test of coverage would miss it, no pinned result does) or *never executed*.
"""
from __future__ import annotations

import argparse
import ast
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rulewright.checks.checking import check_subject
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.subjects import limits_of, reading_sets, subject_of
from rulewright.model.engine import table as tables
from rulewright.model.engine.library import Book, load_book
from rulewright.model.engine.table import open_table
from rulewright.model.ir.nodes import Mark
from rulewright.model.lang.source import Source, attach_clauses, read_source
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.readers import Scenario, read_scenario

Rule = ast.FunctionDef | ast.AsyncFunctionDef
SECONDS = 60
"""A mutant may run so much longer than the rules as they are."""


@dataclass(frozen=True)
class Place:
    """A clause-marked statement: lines from `first` to `last` of a module, indented by `indent`."""

    file: str
    rule: str
    first: int
    last: int
    indent: int
    clauses: tuple[str, ...]
    text: str

    def covers(self, mark: Mark) -> bool:
        """Does the instruction come from the statement?"""
        return mark.file == self.file and self.first <= mark.line <= self.last


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: "result", "refused", "executed only" or "never executed"; `how` says by what."""

    place: Place
    outcome: str
    how: str


@dataclass(frozen=True)
class Run:
    """One scenario under one reading set, as the rules are: what it gives, and what it executes."""

    path: str
    number: int
    result: object
    executed: frozenset[Mark]
    states: int


# ---------------------------------------------------------------- the places
def places(book: Book) -> list[Place]:
    """Every clause-marked statement of the book's own modules, in order."""
    return [p for source in book.rulebook.sources for p in places_in(source)]


def places_in(source: Source) -> Iterator[Place]:
    """The clause-marked statements of a module."""
    for rule in source.tree.body:
        if not isinstance(rule, Rule):
            continue
        clauses = attach_clauses(source, rule)
        for node in ast.walk(rule):
            if isinstance(node, ast.stmt) and node is not rule and id(node) in clauses:
                last = node.end_lineno or node.lineno
                yield Place(
                    source.file, rule.name, node.lineno, last, node.col_offset, clauses[id(node)],
                    ast.get_source_segment(source.text, node) or "",
                )


def weakened(place: Place) -> Iterator[str]:
    """The statement taken away; then, should that be refused, what says as little as possible instead."""
    yield "pass"
    node = ast.parse(place.text).body[0] if not place.text.startswith(("async", "await")) else None
    match node:
        case ast.Return(value=ast.expr() as value):
            for constant in ("False", "True", "None", "set()", "0"):
                if ast.unparse(value) != constant:
                    yield f"return {constant}"
        case ast.If(test=test) | ast.While(test=test):
            head = ast.get_source_segment(place.text, test) or ""
            for constant in ("False", "True"):
                yield place.text.replace(head, constant, 1)
        case _:
            return


def mutated(source: Source, place: Place, instead: str) -> Source | None:
    """The module with the statement replaced; all other lines stay where they are."""
    lines = source.text.splitlines()
    new = instead.splitlines()
    new += [""] * (place.last - place.first + 1 - len(new))
    new[0] = " " * place.indent + new[0]
    if len(new) > place.last - place.first + 1:
        return None
    text = "\n".join([*lines[: place.first - 1], *new, *lines[place.last :]]) + "\n"
    report = Collector()
    made = read_source(source.file, text, report)
    return None if report.diagnostics else made


# ---------------------------------------------------------------- running
@cache
def scenario_of(path: str) -> Scenario:
    return read_scenario(Path(path))


def run(book: Book, path: str, number: int, most: int | None = None) -> tuple[object, frozenset[Mark], int]:
    """What the checks give for a scenario under one of its reading sets. Raises BadInput if the rules are refused."""
    scenario = scenario_of(path)
    readings = reading_sets(scenario, {})[number]
    real = tables.load_book
    tables.load_book = lambda name: book if name == book.name else real(name)
    try:
        opened = open_table(scenario, readings)
    finally:
        tables.load_book = real
    subject = subject_of(opened, symmetry=True)
    subject.engine.executed = set()
    for position in subject.positions:
        subject.engine.start(position)
    limits = limits_of(scenario, None, None, None)
    if most is not None:
        limits = Limits(min(limits.states or most, most), limits.depth, limits.turns, SECONDS, limits.memory_mib)
    result = check_subject(subject, limits)
    told = (
        sorted((f.id, f.hint, f.title.en) for f in result.findings), result.bounds.states, result.bounds.transitions,
        sorted(result.outcomes.items()), [note.en for note in result.bounds.notes],
    )
    return told, frozenset(subject.engine.executed), result.bounds.states


def baseline(name: str, path: str) -> list[Run]:
    """The rules as they are, under each reading set of a scenario."""
    out: list[Run] = []
    for number in range(len(reading_sets(scenario_of(path), {}))):
        told, executed, states = run(load_book(name), path, number)
        out.append(Run(path, number, told, executed, states))
    return out


def judge(name: str, place: Place, runs: Sequence[Run]) -> Verdict:
    """Does any result change without the statement?"""
    book = load_book(name)
    source = next(s for s in book.rulebook.sources if s.file == place.file)
    touching = sorted((r for r in runs if touches(r, place, source)), key=lambda r: r.states)
    accepted = False
    for instead in weakened(place):
        made = mutated(source, place, instead)
        if made is None:
            continue
        others = [made if s is source else s for s in book.rulebook.sources]
        mutant = replace(book, rulebook=replace(book.rulebook, sources=tuple(others)))
        try:
            for one in touching or runs[:1]:
                told, _, _ = run(mutant, one.path, one.number, 3 * one.states + 1_000)
                accepted = True
                if told != one.result:
                    return Verdict(place, "result", f"{Path(one.path).stem} #{one.number}: {instead.splitlines()[0]}")
        except BadInput:
            continue
        except (AssertionError, RecursionError, KeyError, IndexError) as e:
            return Verdict(place, "result", f"{type(e).__name__}")
        break
    if not accepted:
        return Verdict(place, "refused", "")
    return Verdict(place, "executed only" if touching else "never executed", "")


def touches(run: Run, place: Place, source: Source) -> bool:
    """Did the run execute the statement? Rules that give records are put in place of their calls, and have no
    instructions of their own: of those it is not known."""
    rule = next(r for r in source.tree.body if isinstance(r, Rule) and r.name == place.rule)
    if isinstance(rule, ast.FunctionDef) and len(rule.body) <= 2 and gives_options(source, rule):
        return True
    return any(place.covers(m) for m in run.executed)


def gives_options(source: Source, rule: ast.FunctionDef) -> bool:
    """Is the result a record, or a set of them?"""
    name = ast.unparse(rule.returns).removeprefix("Set[").rstrip("]") if rule.returns is not None else ""
    return name not in ("bool", "int", "Card", "Player", "Option[Player", "Option[Obj", "Zone", "Lane", "None") and any(
        "class " + name + "(" in line or line.startswith(name + " =") for line in source.lines
    )


# ---------------------------------------------------------------- the report
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if more than one statement in ten could be missing without anything noticing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book")
    parser.add_argument("--sample", type=int, help="look at so many statements, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--survivors", action="store_true", help="list what no result notices")
    parser.add_argument("--leave-out", nargs="*", default=["full-game"], help="scenarios that are too large")
    given = parser.parse_args(arguments)
    book = load_book(given.book)
    paths = [str(p) for p in book.scenarios if p.stem not in given.leave_out]
    chosen = places(book)
    if given.sample is not None and given.sample < len(chosen):
        chosen = sorted(random.Random(given.seed).sample(chosen, given.sample), key=lambda p: (p.file, p.first))
    with ProcessPoolExecutor(given.jobs) as pool:
        runs = [r for several in pool.map(baseline, [given.book] * len(paths), paths) for r in several]
        print(f"{given.book}: {len(chosen)} statements, {len(runs)} runs of {len(paths)} scenarios", flush=True)
        verdicts: list[Verdict] = []
        for verdict in pool.map(judge, [given.book] * len(chosen), chosen, [runs] * len(chosen), chunksize=4):
            verdicts.append(verdict)
            if given.survivors and verdict.outcome in ("executed only", "never executed"):
                p = verdict.place
                print(f"{verdict.outcome}: {p.file}:{p.first} {p.rule} [{' '.join(p.clauses)}] {p.text.splitlines()[0]}", flush=True)
    counts = Counter(v.outcome for v in verdicts)
    print(", ".join(f"{outcome} {count}" for outcome, count in counts.most_common()))
    noticed = counts["result"] + counts["refused"]
    compiled = len(verdicts) - counts["refused"]
    print(f"noticed by a result or refused: {noticed} of {len(verdicts)} ({noticed / max(1, len(verdicts)):.0%}); "
          f"of those that compile, by a result: {counts['result']} of {compiled} ({counts['result'] / max(1, compiled):.0%})")
    return 0 if (noticed + counts["executed only"]) * 10 >= 9 * len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
