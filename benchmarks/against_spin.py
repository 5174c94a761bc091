"""How fast compiled exploration is, side by side with SPIN on the same relation.

`python benchmarks/against_spin.py [MODEL.yaml ...]` exports each model, builds SPIN's verifier in several ways, runs each
of them and ours in turn, demands equal counts, and prints medians. It needs `spin` and `gcc`. `--runs N`: so many turns
(5 unless told). Times are of the processor (user and system), because machines are shared; ours is what a fresh process
takes from the loaded code to the last state, one thread, exact, with the state each state was first found from.
"""
from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-DSAFETY", "-DNOREDUCE", "-DNOBOUNDCHECK")
WAYS = {"depth first": (), "depth first, COLLAPSE": ("-DCOLLAPSE",), "breadth first": ("-DBFS",)}


@dataclass(frozen=True)
class Run:
    """One run: states, transitions, seconds of the processor, peak resident bytes (without what the process is before)."""

    states: int
    transitions: int
    seconds: float
    bytes: int


# ---------------------------------------------------------------- ours
def ours(model: Path) -> Run:
    """In a process of its own."""
    out = subprocess.run([sys.executable, __file__, "--worker", str(model)], capture_output=True, text=True, check=True)
    states, transitions, seconds, size = out.stdout.split()
    return Run(int(states), int(transitions), float(seconds), int(size))


def work(model: Path) -> None:
    """What the process of its own does."""
    from rulewright.checks.explore.explorer import Limits
    from rulewright.checks.native.engine import Native
    from rulewright.checks.native.explorer import CUT_STATES, DONE, Search
    from rulewright.checks.subjects import open_table, read_scenario

    table = open_table(read_scenario(model), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids)
    warm = Search(native, Limits(100), graph=False)
    warm.add(table.starts[0])
    warm.go()  # the core is loaded
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    search = Search(native, Limits(None), graph=False)
    begun = time.process_time()
    search.add(table.starts[0])
    while search.go() not in (DONE, CUT_STATES):
        pass
    seconds = time.process_time() - begun
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(search.count, search.transitions, seconds, (after - before) * 1024)


# ---------------------------------------------------------------- SPIN
class Spin:
    """The verifiers of a model."""

    def __init__(self, model: Path, folder: Path, frame_bytes: int, ways: Sequence[str]) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "rulewright.checks", "export", str(model), "--to", "promela", "-o", str(folder),
                   "--frame-bytes", str(frame_bytes), "--lang", "en"]
        subprocess.run(command, check=True, capture_output=True)
        (pml,) = folder.glob("*.pml")
        vector = re.search(r"VECTORSZ=(\d+)", pml.read_text(encoding="utf-8"))
        assert vector is not None
        subprocess.run(["spin", "-a", pml.name], cwd=folder, check=True, capture_output=True)
        for name in ways:
            subprocess.run(["gcc", *FLAGS, *WAYS[name], f"-DVECTORSZ={vector[1]}", "-o", exe(name), "pan.c", f"{pml.stem}.c"],
                           cwd=folder, check=True, capture_output=True)

    def run(self, way: str, states: int) -> Run | None:
        """Run one of them; None if it does not come to its end (the memory is not enough, say). SPIN counts one state
        and one transition more (before play)."""
        bits = max(18, states.bit_length())
        done = subprocess.Popen([f"./{exe(way)}", f"-m{states + 1000}", f"-w{bits}"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        assert done.stdout is not None
        text = done.stdout.read()
        _, status, used = os.wait4(done.pid, 0)
        done.returncode = status
        if status or "errors: 0" not in text or "search depth too small" in text:
            print(f"SPIN ({way}) did not come to its end: status {status}\n{text[-2000:]}", file=sys.stderr)
            return None
        stored, transitions = (int(re.search(p, text)[1]) for p in (r"(\d+) states, stored", r"(\d+) transitions"))  # type: ignore[index]
        return Run(stored - 1, transitions - 2, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def exe(way: str) -> str:
    return "pan_" + re.sub(r"\W+", "_", way)


# ---------------------------------------------------------------- side by side
def measure(model: Path, runs: int, frame_bytes: int, ways: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        spin = Spin(model, Path(folder), frame_bytes, ways)
        done: dict[str, list[Run]] = {"Rulewright": [], **{w: [] for w in ways}}
        for _ in range(runs):
            mine = ours(model)
            done["Rulewright"].append(mine)
            for way in ways:
                its = spin.run(way, mine.states)
                if its is None:
                    continue
                if its.states != mine.states:
                    raise SystemExit(f"{model.stem}: SPIN ({way}) has {its.states} states, Rulewright {mine.states}")
                done[way].append(its)
    print(f"\n{model.stem}: {done['Rulewright'][0].states:,} states, {done['Rulewright'][0].transitions:,} transitions; median of {runs}\n")
    print("| | states/s | transitions/s | bytes a state | seconds | Rulewright is |")
    print("|---|---:|---:|---:|---:|---:|")
    base = statistics.median(r.seconds for r in done["Rulewright"])
    for name, each in done.items():
        if not each:
            print(f"| SPIN, {name} | did not come to its end | | | | |")
            continue
        seconds, size = statistics.median(r.seconds for r in each), statistics.median(r.bytes for r in each)
        n, edges = each[0].states, done["Rulewright"][0].transitions
        ratio = "" if name == "Rulewright" else f"{seconds / base:.1f} times as fast"
        print(f"| {name if name == 'Rulewright' else 'SPIN, ' + name} | {n / seconds:,.0f} | {edges / seconds:,.0f} | "
              f"{size / n:.1f} | {seconds:.2f} | {ratio} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Compiled exploration and SPIN, side by side.")
    parser.add_argument("models", nargs="*", type=Path, default=[HERE / "models" / "crystals-24.yaml"])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--frame-bytes", type=int, default=48, help="room for frames in SPIN's states; smaller is faster")
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS), help="how SPIN searches")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker is not None:
        work(given.worker)
        return
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is needed (Debian: apt-get install {tool})")
    version = subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout.strip()
    print(f"{time.strftime('%Y-%m-%d')}, {version}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    for model in given.models:
        measure(model, given.runs, given.frame_bytes, given.ways)


if __name__ == "__main__":
    main()
