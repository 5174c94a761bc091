"""How fast compiled exploration is, side by side with SPIN on the same relation.

    python benchmarks/against_spin.py --grid [MODEL.yaml ...]     every way to build SPIN's verifier, once
    python benchmarks/against_spin.py [MODEL.yaml ...]            the fastest of a grid that was kept and ours in turn, medians of five
    python benchmarks/against_spin.py --series                    the same for a growing model, with one way of SPIN
    python benchmarks/against_spin.py --cores                     two threads of ours, two cores of SPIN's

Each model is exported, and equal counts of states are demanded (and of transitions, where SPIN counts them alike). It needs `spin` and
`gcc`. Times of one thread are of the processor (user and system), because machines are shared; of two threads, of the
clock. Ours is what a process takes from the loaded code to the last state, exact, with the state each was first found
from. Memory is the peak of resident bytes; of ours, without what the process is before.
`--keep FOLDER`: verifiers and runs are kept there, and what it has is not run again; `--minutes N`: stop after so long.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from spin_ways import TWO_CORES, Run, Spin, Way, grid

MODELS = Path(__file__).parent / "models"
DEFAULT = [MODELS / "crystals-24.yaml", MODELS / "cards-hanayome.yaml", MODELS / "cards-ts-fight.yaml"]
SERIES = sorted(MODELS.glob("crystals-*.yaml"))
OURS = "Rulewright"
PLAIN = Way(("-O3", "-march=native", "-DSAFETY", "-DNOBOUNDCHECK", "-DNOREDUCE"))


# ---------------------------------------------------------------- ours
def ours(model: Path, threads: int) -> Run:
    """In a process of its own."""
    command = [sys.executable, __file__, "--worker", str(model), "--threads", str(threads)]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    return Run(**json.loads(out.stdout))


def work(model: Path, threads: int) -> None:
    """What the process of its own does."""
    from rulewright.checks.explore.explorer import Limits
    from rulewright.checks.native.core import CUT_STATES, DONE
    from rulewright.checks.native.engine import Native
    from rulewright.checks.native.search import Search
    from rulewright.checks.scenarios.subjects import open_table, read_scenario

    table = open_table(read_scenario(model), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids)
    warm = Search(native, Limits(100 if threads == 1 else 30_000), graph=False, threads=threads)
    warm.begin(list(table.starts))
    warm.go()  # the core is loaded
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    warm.close()
    search = Search(native, Limits(None), graph=False, threads=threads)
    clock, processor = time.monotonic(), time.process_time()
    search.begin(list(table.starts))
    while search.go() not in (DONE, CUT_STATES):
        pass
    clock, processor = time.monotonic() - clock, time.process_time() - processor
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(asdict(Run(search.count, search.transitions, clock, processor, (after - before) * 1024))))


# ---------------------------------------------------------------- side by side
class Bench:
    """Runs, and what is kept of them."""

    def __init__(self, folder: Path, minutes: float | None) -> None:
        self.folder = folder
        self.file = folder / "runs.jsonl"
        self.until = None if minutes is None else time.monotonic() + 60 * minutes
        self.runs: dict[tuple[str, str], list[Run]] = {}
        if self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                model, who, run = json.loads(line)
                self.runs.setdefault((model, who), []).append(Run(**run))

    def all_of(self, model: Path, who: str) -> list[Run]:
        return self.runs.get((model.stem, who), [])

    def once(self, model: Path, who: str, way: Way | None, threads: int = 1) -> None:
        """One more run."""
        if self.until is not None and time.monotonic() > self.until:
            raise SystemExit("time is up; go on with --keep")
        if way is None:
            run = ours(model, threads)
        else:
            mine = self.first(model)
            run = Spin(model, self.folder / model.stem).run(way, mine.states)
            if not run.trouble and run.states != mine.states:
                raise SystemExit(f"{model.stem}: SPIN ({way}) has {run.states} states, Rulewright {mine.states}")
            if not run.trouble and not way.cores > 1 and run.transitions != mine.transitions:
                raise SystemExit(f"{model.stem}: SPIN ({way}) has {run.transitions} transitions, Rulewright {mine.transitions}")
        self.runs.setdefault((model.stem, who), []).append(run)
        with self.file.open("a", encoding="utf-8") as f:
            f.write(json.dumps([model.stem, who, asdict(run)]) + "\n")

    def first(self, model: Path) -> Run:
        """Our counts."""
        if not self.all_of(model, OURS):
            self.once(model, OURS, None)
        return self.all_of(model, OURS)[0]

    def fastest(self, model: Path, ways: Iterable[Way]) -> Way | None:
        """Of the ways that have been run on the model."""
        known = [(self.all_of(model, str(w))[0].processor, k, w) for k, w in enumerate(ways)
                 if self.all_of(model, str(w)) and not self.all_of(model, str(w))[0].trouble]
        return min(known)[2] if known else None

    def interleaved(self, model: Path, ways: Sequence[tuple[str, Way | None, int]], runs: int) -> None:
        for n in range(1, runs + 1):
            for who, way, threads in ways:
                done = self.all_of(model, who)
                if len(done) < n and not (done and done[0].trouble):
                    self.once(model, who, way, threads)

    def table(self, model: Path, names: Sequence[str], base: str = OURS, clock: bool = False) -> None:
        """Medians."""
        mine, edges = self.first(model), self.first(model).transitions
        print(f"\n{model.stem}: {mine.states:,} states, {edges:,} transitions\n")
        print("| | runs | states/s | transitions/s | bytes a state | seconds | to ours |")
        print("|---|---:|---:|---:|---:|---:|---:|")

        def seconds(who: str) -> float:
            return statistics.median(r.seconds if clock else r.processor for r in self.all_of(model, who))
        for who in names:
            done = self.all_of(model, who)
            if not done:
                continue
            if done[0].trouble:
                print(f"| {who} | {len(done)} | did not come to its end: {done[0].trouble} | | | | |")
                continue
            t, size = seconds(who), statistics.median(r.bytes for r in done)
            ratio = "" if who == base else f"{t / seconds(base):.1f} : 1"
            print(f"| {who} | {len(done)} | {mine.states / t:,.0f} | {edges / t:,.0f} | {size / mine.states:.1f} | {t:.2f} | {ratio} |", flush=True)


def run_grid(bench: Bench, model: Path) -> None:
    """Every way once; then other sizes of the table for the fastest."""
    ways = grid()
    bench.first(model)
    bench.interleaved(model, [(str(w), w, 1) for w in ways], 1)
    best = bench.fastest(model, ways)
    if best is not None:
        sizes = [Way(best.flags, more) for more in (-2, -1, 1, 2)]
        bench.interleaved(model, [(str(w), w, 1) for w in sizes], 1)
        ways += sizes
    bench.table(model, [OURS, *(str(w) for w in ways)])


def run_models(bench: Bench, model: Path, runs: int, ways: Sequence[Way]) -> None:
    bench.interleaved(model, [(OURS, None, 1), *((str(w), w, 1) for w in ways)], runs)
    bench.table(model, [OURS, *(str(w) for w in ways)])


def run_cores(bench: Bench, model: Path, runs: int) -> None:
    """Times of the clock."""
    two = f"{OURS}, 2 threads"
    ways: list[tuple[str, Way | None, int]] = [(OURS, None, 1), (two, None, 2), *((str(w), w, 1) for w in TWO_CORES)]
    bench.interleaved(model, ways, runs)
    bench.table(model, [w for w, _, _ in ways], two, clock=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--series", action="store_true")
    parser.add_argument("--cores", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker is not None:
        work(given.worker, given.threads)
        return
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is needed (Debian: apt-get install {tool})")
    versions = [subprocess.run([*c], capture_output=True, text=True).stdout.splitlines()[0] for c in (("spin", "-V"), ("gcc", "--version"))]
    print(f"{time.strftime('%Y-%m-%d')}, {', '.join(versions)}, CPython {platform.python_version()}, {platform.system()} "
          f"{platform.machine()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        bench = Bench(kept.resolve(), given.minutes)
        for model in given.models or (SERIES if given.series else DEFAULT[:1] if given.cores else DEFAULT):
            if given.grid:
                run_grid(bench, model)
            elif given.cores:
                run_cores(bench, model, given.runs)
            else:
                best = None if given.series else bench.fastest(model, grid())
                ways = [best or PLAIN]
                run_models(bench, model, given.runs, ways)


if __name__ == "__main__":
    main()
