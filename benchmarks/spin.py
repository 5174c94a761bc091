"""Side by side with SPIN: the same exported relation, explored by SPIN at its best flags and by the native explorer.

    python benchmarks/spin.py [MODEL…] [--runs N] [--grid quick|full] [--memory MIB]

A model is `book/scenario` or a file. For each, SPIN's model is exported and compiled with every set of flags of the grid;
the fastest of one run each is SPIN's best. Then both explore N times in turn, one thread each; the medians are printed
with their ratio. Both must count the same states, or the run ends with an error. Time is that of the search, without
compilation on either side; memory is the peak of the whole process, divided by the states.
"""
from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

MODELS = ("benchmarks/models/crystals-24.yaml",)
BASE = ("-w", "-DSAFETY")
OPTIMISED = (("-O2", "-march=native"), ("-O3", "-march=native"))
SWITCHES = {"quick": (("-DNOREDUCE",),), "full": ((), ("-DNOREDUCE",), ("-DNOREDUCE", "-DNOBOUNDCHECK"))}
STORES = {"quick": ((), ("-DCOLLAPSE",)), "full": ((), ("-DCOLLAPSE",), ("-DBFS",))}


@dataclass(frozen=True)
class Run:
    """One exploration: states and transitions, seconds of search, peak resident memory in bytes."""

    states: int
    transitions: int
    seconds: float
    bytes: int


# ---------------------------------------------------------------- SPIN
def export(model: str, folder: Path) -> str:
    """Write SPIN's model, and give its name. The frames of a state get as much room as they need."""
    for frame_bytes in (24, 48, 96, 192, 400, 1_000):
        subprocess.run(
            [sys.executable, "-m", "rulewright.checks", "export", model, "--to", "promela", "-o", str(folder),
             "--frame-bytes", str(frame_bytes), "--ways", "32"],
            check=True, capture_output=True)
        name = next(folder.glob("*.pml")).stem
        binary = spin_binary(folder, name, (*BASE, "-O1", "-DNOREDUCE"))
        said = subprocess.run([binary, "-m100000", "-w16"], cwd=folder, capture_output=True, text=True, check=False, timeout=20) \
            if frame_bytes < 1_000 else None
        if said is None or "more room for frames" not in said.stdout:
            return name
    raise SystemExit(f"{model}: a state has more frames than SPIN's model can hold")


def spin_binary(folder: Path, name: str, flags: Sequence[str]) -> str:
    """Compile a verifier."""
    out = folder / f"pan{abs(hash(tuple(flags)))}"
    if not out.exists():
        subprocess.run(["spin", "-a", f"{name}.pml"], cwd=folder, check=True, capture_output=True)
        size = re.search(r"unsigned char st\[(\d+)\]", (folder / f"{name}.pml").read_text(encoding="utf-8"))
        assert size is not None
        subprocess.run(
            ["gcc", *flags, f"-DVECTORSZ={int(size[1]) + 64}", "-DMEMLIM=20000", "-o", out.name, "pan.c", f"{name}.c"],
            cwd=folder, check=True, capture_output=True)
    return str(out)


def spin(folder: Path, binary: str, depth: int, hash_bits: int) -> Run:
    """One run of a verifier. Raises SystemExit where it did not look at everything."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = subprocess.run([binary, f"-m{depth}", f"-w{hash_bits}"], cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    peak = max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, before)
    if "errors: 0" not in said or "max search depth too small" in said or "error in the model" in said or "out of memory" in said:
        raise SystemExit(f"SPIN did not finish: {said[-600:]}")
    states, transitions = re.search(r"(\d+) states, stored", said), re.search(r"(\d+) transitions", said)
    elapsed, memory = re.search(r"elapsed time ([\d.e+]+) sec", said), re.search(r"([\d.]+)\s+total actual memory usage", said)
    assert states is not None and transitions is not None and elapsed is not None
    used = int(float(memory[1]) * 2**20) if memory is not None else peak * 1024
    return Run(int(states[1]) - 1, int(transitions[1]) - 2, max(float(elapsed[1]), 0.01), used)


def grid(kind: str) -> list[tuple[str, ...]]:
    """The sets of flags."""
    return [(*BASE, *o, *s, *c) for o, s, c in product(OPTIMISED, SWITCHES[kind], STORES[kind])]


# ---------------------------------------------------------------- ours
def ours(model: str) -> Run:
    """One run of the native explorer, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--one", model], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the native explorer did not finish: {done.stderr[-600:]}")
    return Run(**json.loads(done.stdout))


def one(model: str) -> None:
    """Explore, and print what was counted."""
    from rulewright.checks import session
    from rulewright.checks.explore.explorer import Limits
    from rulewright.checks.native.core import DONE, TRANSITIONS
    from rulewright.checks.native.engine import Native
    from rulewright.checks.native.explorer import Search
    from rulewright.checks.subjects import open_table
    from rulewright.spec.readers import read_scenario

    (path,) = session.resolve(model)
    table = open_table(read_scenario(path), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids)
    Search(native, Limits(states=10), graph=False).add(table.starts[0])
    search = Search(native, Limits(), graph=False)
    search.add(table.starts[0])
    begun = time.perf_counter()
    while search.go() != DONE:
        pass
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"states": search.count, "transitions": int(search.run[TRANSITIONS]), "seconds": seconds, "bytes": peak}))


# ---------------------------------------------------------------- side by side
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--grid", choices=sorted(STORES), default="full")
    parser.add_argument("--depth", type=int, default=40_000_000, help="SPIN's stack")
    parser.add_argument("--one", metavar="MODEL", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one)
        return 0
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is not installed: nothing to compare with")
    for model in given.models:
        side_by_side(model, given.runs, given.grid, given.depth)
    return 0


def side_by_side(model: str, runs: int, kind: str, depth: int) -> None:
    """Print one comparison."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        first = ours(model)
        bits = max(16, (2 * first.states).bit_length())
        name = export(model, folder)
        tried: dict[tuple[str, ...], Run] = {}
        for flags in grid(kind):
            deep = 10_000 if "-DBFS" in flags else min(depth, max(10_000, 2 * first.states))
            tried[flags] = spin(folder, spin_binary(folder, name, flags), deep, bits)
            print(f"  SPIN {' '.join(flags[2:])}: {tried[flags].states / tried[flags].seconds:,.0f} states/s", flush=True)
        best = min(tried, key=lambda flags: tried[flags].seconds)
        deep = 10_000 if "-DBFS" in best else min(depth, max(10_000, 2 * first.states))
        pairs = [(spin(folder, spin_binary(folder, name, best), deep, bits), ours(model)) for _ in range(runs)]
    theirs, mine = [a for a, _ in pairs], [b for _, b in pairs]
    if {r.states for r in theirs} != {r.states for r in mine}:
        raise SystemExit(f"{model}: SPIN counts {theirs[0].states} states, the native explorer {mine[0].states}")
    print(f"{model}: {mine[0].states:,} states, {mine[0].transitions:,} transitions ({theirs[0].transitions:,} in SPIN)")
    print(f"  SPIN's best flags: {' '.join(best[2:])}")
    slow, fast = (median(r.states / r.seconds for r in side) for side in (theirs, mine))
    large, small = (median(r.bytes / r.states for r in side) for side in (theirs, mine))
    print(f"  SPIN {slow:,.0f} states/s, {large:.1f} bytes a state; native {fast:,.0f} states/s, {small:.1f} bytes a state")
    print(f"  native : SPIN  {fast / slow:.2f} in speed, {small / large:.2f} in memory (medians of {runs})")


if __name__ == "__main__":
    sys.exit(main())
