"""A search whose arrays lie in files: what it takes, beside the same search in memory.

`python benchmarks/disk.py FOLDER [MODEL.yaml ...]` searches each model (with its graph) in memory, then with files in FOLDER, each
run in a process of its own, and demands equal counts. `--only-files`: not in memory. `--checks`: what `check` does after a search
is done too.

Memory is anonymous memory at its peak, of what files are mapped nothing counts; without what the process is before. To see
what becomes of it where files do not fit into memory, start it in a memory cgroup with a limit.
"""
from __future__ import annotations

import argparse
import multiprocessing
import threading
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from loops import compile_kernels

from rulewright.checks.limits import ending
from rulewright.checks.native import choice
from rulewright.checks.scenarios.checking import check_explored
from rulewright.checks.scenarios.subjects import limits_of, open_table, read_scenario, subject_of

MODELS = [Path(__file__).parent / "models" / f"crystals-{n}.yaml" for n in (24, 28)]


def measure(model: Path, folder: Path | None, checks: bool, send: Connection) -> None:
    """One run."""
    compile_kernels()
    ending.leave_out_files()
    scenario = read_scenario(model)
    subject = subject_of(open_table(scenario, {}), symmetry=True)
    means = replace(choice.USUAL, threads=1, folder=folder)
    choice.explore(subject, replace(limits_of(scenario, 30_000, None, None)), patience=0, means=means)  # the core is loaded
    before, peak, done = ending.measured_mib(), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            peak[0] = max(peak[0], ending.memory_mib())  # which takes at most a twentieth of the time
    threading.Thread(target=watch, daemon=True).start()
    limits = limits_of(scenario, None, None, None)
    begun, processor = time.monotonic(), time.process_time()
    out = choice.explore(subject, limits, patience=0, means=means)
    if checks:
        check_explored(subject, limits, out)
    clock, processor = time.monotonic() - begun, time.process_time() - processor
    done.set()
    arenas = out.survey.search.arenas.values() if folder is not None else ()  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    files = sum(a.array.nbytes for a in arenas if a.folder is not None)
    memory = max(peak[0], ending.measured_mib()) - before
    send.send((len(out.states), out.transitions, clock, processor, memory * 2**20, files))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--only-files", action="store_true")
    parser.add_argument("--checks", action="store_true")
    given = parser.parse_args()
    print("| model | positions | transitions | where | seconds | of the processor | positions/s | B a position in memory | in files, after the search |")
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|")
    for model in given.models or MODELS:
        counts = set[tuple[int, int]]()
        for folder in (given.folder,) if given.only_files else (None, given.folder):
            receive, send = multiprocessing.Pipe(False)
            process = multiprocessing.get_context("spawn").Process(target=measure, args=(model, folder, given.checks, send))
            process.start()
            send.close()
            states, edges, clock, processor, memory, files = receive.recv()
            process.join()
            counts.add((states, edges))
            print(f"| {model.stem} | {states:,} | {edges:,} | {'memory' if folder is None else 'files'} | {clock:.0f} | {processor:.0f} "
                  f"| {states / clock:,.0f} | {memory / states:.1f} | {files / states:.1f} |", flush=True)
        if len(counts) > 1:
            raise SystemExit(f"{model.stem}: different counts: {sorted(counts)}")


if __name__ == "__main__":
    main()
