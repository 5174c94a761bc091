"""How fast the reference engine is, as figures and as ratios to a search written by hand in plain Python.

`python benchmarks/interpreter.py` prints a table; `--runs N` takes the best of N runs (3 unless told). Figures depend on
the machine; ratios much less, because both are measured in the same run.
"""
from __future__ import annotations

import argparse
import os
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.explore.playouts import conservation, playout
from rulewright.checks.explore.symmetry import Symmetry, interchangeable
from rulewright.checks.subjects import scenario_paths
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.readers import read_scenario

TOKENS, PLACES = 12, 6
SCENARIOS = (
    ("hanayome/episode-left-behind", {}),
    ("hanayome/hand-over-limit", {"hand-limit-reduction": "discard"}),
)
BIG = "hanayome/full-game"
BIG_STATES = 2_000
PLAYS = 20


@dataclass(frozen=True)
class Figure:
    """Something measured: how many a second. `size` says how much was done. Comparable ones are states a second."""

    name: str
    size: str
    unit: str
    rate: float
    comparable: bool = True


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


def search_by_hand() -> int:
    """Breadth-first, with tuples and a dictionary: what one writes in Python for one small game."""
    first = (TOKENS,) + (0,) * (PLACES - 1)
    number = {first: 0}
    todo = [first]
    for state in todo:
        for after in moves(state):
            if after not in number:
                number[after] = len(number)
                todo.append(after)
    return len(number)


# ---------------------------------------------------------------- what is measured
def timed(work: Callable[[], int], runs: int) -> tuple[int, float]:
    """How much was done, and how many a second in the best run."""
    best = 0.0
    done = 0
    for _ in range(runs):
        began = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - began))
    return done, best


def opened(target: str, readings: dict[str, str] | None = None) -> Table:
    """A shipped scenario, ready to run."""
    table = open_table(read_scenario(scenario_paths(target)[0]), readings or {})
    assert table.starts
    return table


def slots(table: Table) -> str:
    """How large its states are."""
    return f"{len(table.program.layout.slots):,} numbers"


def exploration(table: Table, symmetry: bool, states: int | None = None) -> int:
    """How many states a search finds."""
    merged = Symmetry(table.program, interchangeable(table.world.cards)) if symmetry else None
    return len(explore(table.engine, table.starts, Limits(states), merged).states)


def plays(table: Table, counted: str, checked: bool) -> int:
    """Decisions or transitions of some random plays."""
    look = conservation(table.program) if checked else None
    done = [playout(table.engine, table.starts[0], random.Random(seed), look=look) for seed in range(PLAYS)]
    return sum(p.decisions if counted == "decisions" else p.steps for p in done)


def measure(runs: int) -> Iterator[Figure]:
    """All figures, the yardstick first."""
    n, rate = timed(search_by_hand, runs)
    yield Figure("search written by hand", f"{n:,} states of {PLACES} numbers", "states/s", rate)
    for target, readings in SCENARIOS:
        table = opened(target, readings)
        n, rate = timed(lambda table=table: exploration(table, False), runs)
        yield Figure(f"explore {table.scenario.id.value}", f"{n:,} states of {slots(table)}", "states/s", rate)
    table = opened(BIG)
    for symmetry, name in ((False, "explore full-game"), (True, "the same, equal cards being one")):
        n, rate = timed(lambda symmetry=symmetry: exploration(table, symmetry, BIG_STATES), runs)
        yield Figure(name, f"{n:,} states of {slots(table)}", "states/s", rate)
    n, rate = timed(lambda: plays(table, "steps", False), runs)
    yield Figure("random plays of full-game", f"{PLAYS} plays, {n:,} transitions", "transitions/s", rate)
    n, rate = timed(lambda: plays(table, "decisions", False), runs)
    yield Figure("the same", f"{n:,} decisions", "decisions/s", rate, comparable=False)
    n, rate = timed(lambda: plays(table, "decisions", True), runs)
    yield Figure("the same, every card counted", f"{n:,} decisions", "decisions/s", rate, comparable=False)
    n, rate = timed(lambda: len(opened(BIG).program.functions), runs)
    yield Figure("compile hanayome for full-game", f"{n} functions", "functions/s", rate, comparable=False)


# ---------------------------------------------------------------- the table
def rows(figures: Iterable[Figure]) -> Iterator[str]:
    """The figures as a table in Markdown, each as soon as it is there."""
    yield "| what | size | | a second | by hand : this |"
    yield "|---|---|---|---:|---:|"
    yardstick: float | None = None
    for f in figures:
        yardstick = f.rate if yardstick is None else yardstick
        ratio = f"{yardstick / f.rate:.0f} : 1" if f.comparable else ""
        yield f"| {f.name} | {f.size} | {f.unit} | {f.rate:,.0f} | {ratio} |"


def machine() -> str:
    """Where this was measured."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{time.strftime('%Y-%m-%d')}, {python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast the reference engine is.")
    parser.add_argument("--runs", type=int, default=3, help="take the best of so many runs")
    asked = parser.parse_args()
    print(machine(), end="\n\n")
    for row in rows(measure(asked.runs)):
        print(row, flush=True)


if __name__ == "__main__":
    main()
