"""How fast the reference engine is, as figures and as ratios to a search written by hand in plain Python.

`python benchmarks/interpreter.py` prints a table; `--runs N` takes the best of N runs (3 unless told). Figures depend on
the machine; ratios much less, because both are measured in the same run.
"""
from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.explore.symmetry import Symmetry, interchangeable
from rulewright.checks.scenarios.subjects import scenario_paths
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.readers import read_scenario

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.by_lot import conservation, playout

TOKENS, PLACES = 12, 6
SCENARIOS: tuple[tuple[str, dict[str, str]], ...] = (
    ("hanayome/episode-left-behind", {}),
    ("hanayome/hand-over-limit", {"hand-limit-reduction": "discard"}),
)
BIG = "hanayome/full-game"
BIG_STATES = 2_000
PLAYS = 20


@dataclass(frozen=True)
class Work:
    """What was done: states found (0: they were not kept), transitions made, decisions taken (0: not counted)."""

    transitions: int
    states: int = 0
    decisions: int = 0


@dataclass(frozen=True)
class Figure:
    """Something measured: the best of several runs. `size`: how many numbers make up a state."""

    name: str
    size: int
    work: Work
    seconds: float


# ---------------------------------------------------------------- the yardstick
def moves(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """One token goes from a place to a neighbour: the ways on from a state."""
    for k, n in enumerate(state):
        if n:
            for to in (k - 1, k + 1):
                if 0 <= to < PLACES:
                    after = list(state)
                    after[k] -= 1
                    after[to] += 1
                    yield tuple(after)


def search_by_hand() -> Work:
    """Breadth-first, with tuples and a dictionary: what one writes in Python for one small game."""
    todo: list[tuple[int, ...]] = [(TOKENS, *[0] * (PLACES - 1))]
    number = {todo[0]: 0}
    transitions = 0
    for state in todo:
        for after in moves(state):
            transitions += 1
            if after not in number:
                number[after] = len(number)
                todo.append(after)
    return Work(transitions, len(number))


# ---------------------------------------------------------------- what is measured
def opened(target: str, readings: dict[str, str] | None = None) -> Table:
    """A shipped scenario, ready to run."""
    table = open_table(read_scenario(scenario_paths(target)[0]), readings or {})
    assert table.starts
    return table


def exploration(table: Table, symmetry: bool, states: int | None = None) -> Work:
    """A search, breadth first."""
    merged = Symmetry(table.program, interchangeable(table.world.cards)) if symmetry else None
    found = explore(table.engine, table.starts, Limits(states), merged)
    return Work(found.transitions, len(found.states))


def plays(table: Table, checked: bool) -> Work:
    """Random plays from the preparation to the end, with every card counted at every label or not."""
    look = conservation(table.program) if checked else None
    done = [playout(table.engine, table.starts[0], random.Random(seed), look=look) for seed in range(PLAYS)]
    return Work(sum(p.steps for p in done), decisions=sum(p.decisions for p in done))


def tasks() -> Iterator[tuple[str, int, Callable[[], Work]]]:
    """What is measured: its name, how large a state is, and how it is done."""
    yield "a search written by hand", PLACES, search_by_hand
    for target, readings in SCENARIOS:
        table = opened(target, readings)
        yield f"explore {target.split('/')[1]}", size(table), lambda table=table: exploration(table, False)
    big = opened(BIG)
    yield "explore full-game", size(big), lambda: exploration(big, False, BIG_STATES)
    yield "the same, equal cards being one", size(big), lambda: exploration(big, True, BIG_STATES)
    yield f"{PLAYS} random plays of full-game", size(big), lambda: plays(big, False)
    yield "the same, every card counted", size(big), lambda: plays(big, True)


def size(table: Table) -> int:
    """How many numbers make up a state, frames aside."""
    return len(table.program.layout.slots)


def measured(runs: int) -> Iterator[Figure]:
    """Each task done several times, the best of them."""
    for name, numbers, do in tasks():
        best, work = float("inf"), Work(0)
        for _ in range(runs):
            began = time.perf_counter()
            work = do()
            best = min(best, time.perf_counter() - began)
        yield Figure(name, numbers, work, best)


def compiling(runs: int) -> float:
    """Seconds from a scenario file to its first state; the rule book has been read before."""
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        opened(BIG)
        best = min(best, time.perf_counter() - began)
    return best


# ---------------------------------------------------------------- the table
def rows(figures: Iterable[Figure]) -> Iterator[str]:
    """The figures as a table in Markdown, each as soon as it is there. The ratio is that of transitions a second."""
    yield "| what | numbers in a state | states | transitions | states/s | transitions/s | decisions/s | by hand : this |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    yardstick: float | None = None
    for f in figures:
        w = f.work
        rate = w.transitions / f.seconds
        yardstick = rate if yardstick is None else yardstick
        cells = (
            f.name, f"{f.size:,}", shown(w.states), shown(w.transitions), shown(w.states / f.seconds), shown(rate),
            shown(w.decisions / f.seconds), f"{yardstick / rate:.0f} : 1",
        )
        yield f"| {' | '.join(cells)} |"


def shown(number: float) -> str:
    """A number, or nothing where nothing was counted."""
    return f"{number:,.0f}" if number else ""


def machine() -> str:
    """Where this was measured."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{time.strftime('%Y-%m-%d')}, {python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast the reference engine is.")
    parser.add_argument("--runs", type=int, default=3, help="take the best of so many runs")
    runs = parser.parse_args().runs
    print(machine(), end="\n\n")
    for row in rows(measured(runs)):
        print(row, flush=True)
    print(f"\nFrom the scenario to its first state (full-game): {compiling(runs):.2f} s.")


if __name__ == "__main__":
    main()
