"""A search divided among processes of a cluster, beside the same search in one process.

    python benchmarks/divided.py [MODEL.yaml ...] --parts 4 --runs 3     a cluster of Ray on this machine
    python benchmarks/divided.py [MODEL.yaml ...] --in-process           the parts one after the other, without Ray

Equal counts of states and transitions are demanded. Times are of the processor (user and system), because machines are shared: of
one process, from the loaded code to the last state; of the parts, of all workers together, and of everything else that Ray runs
meanwhile (the driver, the object store, its own processes). Bytes sent are those of the buffers. Medians of all runs.
"""
from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

MODELS = Path(__file__).parent / "models"
TICKS = os.sysconf("SC_CLK_TCK")


class Row(NamedTuple):
    """One divided run: processor seconds of one process, of the workers, of the rest; bytes sent; seconds of the clock; rounds."""

    one: float
    workers: float
    rest: float
    sent: int
    seconds: float
    rounds: int


def processor_of_all() -> float:
    """Processor seconds of this process and of all that descend from it and are there."""
    parents, used = dict[int, int](), dict[int, float]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)], used[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    ours = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(used.get(p, 0.0) for p in ours)


def measure(model: Path, parts: int, runs: int, ray: object | None) -> bool:
    """One process and the parts in turn; are the counts the same?"""
    from rulewright.checks.explore.explorer import Limits
    from rulewright.checks.native import divided
    from rulewright.checks.native.core import MORE_TIME
    from rulewright.checks.native.search import Search
    from rulewright.checks.runs.actors import Actors, native_of
    from rulewright.checks.scenarios.subjects import open_table, read_scenario, subject_of

    subject = subject_of(open_table(read_scenario(model), {}), symmetry=True)
    native, rows = native_of(subject), list[Row]()
    print(f"\n{model.stem}", flush=True)
    for run in range(runs + 1):  # the first loads the code
        limits = Limits(None if run else 1_000)
        search = Search(native, limits, graph=False)
        before = time.process_time()
        search.begin(divided.first_states(native, subject))
        while search.go() == MORE_TIME:
            pass
        one = time.process_time() - before
        if ray is None:
            team: divided.Team = divided.InProcess([divided.Share(native, subject, me, parts) for me in range(parts)])
        else:
            team = Actors(ray, parts) if run == 0 else team  # pyright: ignore[reportPossiblyUnboundVariable]
            team.begin(model.resolve(), {}, True, native.compiled.code)  # pyright: ignore[reportAttributeAccessIssue]
        was, everything = team.each("report"), processor_of_all()
        found = divided.explored(team, limits)
        now, everything = found.reports, processor_of_all() - everything
        if not run:
            continue
        workers = now[0].processor - was[0].processor if ray is None else sum(b.processor - a.processor for a, b in zip(was, now, strict=True))
        counts = sum(r.states for r in now), sum(r.transitions for r in now)
        print(f"  one: {search.count:,} states, {search.transitions:,} transitions, {one:.2f} s; "
              f"{parts} parts: {counts[0]:,}, {counts[1]:,}, {workers:.2f} s ({workers / one:.2f} : 1)", flush=True)
        if counts != (search.count, search.transitions):
            return False
        rows.append(Row(one, workers, everything - workers, 8 * sum(r.sent for r in now), found.seconds, found.rounds))
    one, workers, rest, sent, seconds, rounds = (statistics.median(x) for x in zip(*rows, strict=True))
    print(f"| {model.stem} | {search.count:,} | {search.transitions:,} | {1e9 * one / search.transitions:.0f} | "
          f"{1e9 * workers / search.transitions:.0f} | {workers / one:.2f} : 1 | {1e9 * rest / search.transitions:.0f} | "
          f"{sent / search.count:.1f} | {sent / search.transitions:.1f} | {rounds:.0f} | {seconds:.1f} |")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A divided search beside one process.")
    parser.add_argument("models", nargs="*", type=Path, default=[MODELS / "crystals-24.yaml"])
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--in-process", action="store_true")
    given = parser.parse_args(arguments)
    if given.in_process:
        return 0 if all(measure(model, given.parts, given.runs, None) for model in given.models) else 1
    from ray.cluster_utils import Cluster

    from rulewright.checks.runs.actors import connected

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": given.parts, "include_dashboard": False, "object_store_memory": 1 << 30})
    ray = connected(cluster.address, given.parts)
    try:
        return 0 if all(measure(model, given.parts, given.runs, ray) for model in given.models) else 1
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    sys.exit(main())
