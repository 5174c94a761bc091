"""What the checks after a search take, beside the search itself: seconds and memory for each million states.

`python benchmarks/loops.py` prints a table for a growing series of models. `--models` names others (files or
`book/scenario`), `--states N` explores so many states at most.

Each model runs in a process of its own, so that the peak of its memory is its own. The first run on a machine compiles
what the analysis needs; a small graph is judged first, so that this is not measured.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import resource
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from rulewright.checks.explore import arrays
from rulewright.checks.explore.loops import find_loops
from rulewright.checks.explore.owned_graph import OwnedGraph
from rulewright.checks.native import choice
from rulewright.checks.scenarios import checking
from rulewright.checks.scenarios.subjects import (
    limits_of,
    open_table,
    read_scenario,
    reading_sets,
    scenario_paths,
    subject_of,
)

MODELS = tuple(str(Path(__file__).parent / "models" / f"crystals-{n}.yaml") for n in (12, 16, 20, 24))
LEAST, MOST = 10_000, 100_000_000


@dataclass(frozen=True)
class Measured:
    """Of one model: seconds of the processor and MiB at the peak after the search, after the analysis of loops, after
    everything."""

    states: int
    edges: int
    findings: int
    cut: str
    search: tuple[float, float]
    loops: tuple[float, float]
    everything: tuple[float, float]


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compile_kernels() -> None:
    """Judge a graph of a few states with compiled code."""
    few, arrays.FEW = arrays.FEW, -1
    graph = OwnedGraph()
    for owner in (0, 1, -3, -5, -2):
        graph.add_state(owner)
    for source, target in ((0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (0, 4), (4, 0), (4, -1)):
        graph.add_edge(source, target)
    find_loops(graph)
    arrays.FEW = few


def measure(target: str, most: int | None, send: Connection) -> None:
    """Search and check one model."""
    compile_kernels()
    scenario = read_scenario(scenario_paths(target)[0])
    subject = subject_of(open_table(scenario, reading_sets(scenario, {})[0]), symmetry=True)
    limits = limits_of(scenario, most, None, None)
    begun = time.process_time()
    out = choice.explore(subject, limits, patience=0, means=replace(choice.USUAL, threads=1))
    search = time.process_time() - begun, peak()
    begun = time.process_time()
    find_loops(out.graph)
    loops = time.process_time() - begun, peak()
    begun = time.process_time()
    result = checking.check_explored(subject, limits, out)
    everything = time.process_time() - begun, peak()
    send.send(Measured(len(out.states), len(out.graph.target), len(result.findings), out.cut, search, loops, everything))


def main() -> None:
    parser = argparse.ArgumentParser(description="What the checks after a search take, beside the search itself.")
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--states", type=int)
    asked = parser.parse_args()
    if asked.states is not None and not LEAST <= asked.states <= MOST:
        parser.error(f"--states {asked.states}: from {LEAST} to {MOST}")
    print(f"{time.strftime('%Y-%m-%d')}, CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores\n")
    print("| model | states | edges | search | loops | all checks | loops, s a million states | loops : search | all checks : search "
          "| peak after the search | after all | B a state | findings |")
    print("|---|" + "---:|" * 12)
    for target in asked.models:
        receive, send = multiprocessing.Pipe(False)
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(target, asked.states, send))
        process.start()
        send.close()
        try:
            m: Measured = receive.recv()
        except EOFError:
            raise SystemExit(f"{target}: the process that measures ended without a result") from None
        process.join()
        million = m.states / 1e6
        print(f"| {Path(target).stem}{f' (cut: {m.cut})' if m.cut else ''} | {m.states:,} | {m.edges:,} | {m.search[0]:.1f} s "
              f"| {m.loops[0]:.1f} s | {m.everything[0]:.1f} s | {m.loops[0] / million:.2f} | {m.loops[0] / m.search[0]:.1f} "
              f"| {m.everything[0] / m.search[0]:.1f} | {m.search[1]:,.0f} MiB | {m.everything[1]:,.0f} MiB "
              f"| {m.everything[1] * 2**20 / m.states:.0f} | {m.findings} |", flush=True)


if __name__ == "__main__":
    main()
