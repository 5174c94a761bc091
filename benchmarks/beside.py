"""How fast compiled exploration is, side by side with three others on the same model, all in one run.

    python benchmarks/beside.py [MODEL.yaml ...] [--runs N] [--tlc 'FOLDER/*']

SPIN takes what `export --to promela` writes; `models/crystals.m` (Murphi, for rumur) and `models/crystals.tla` (TLA+, for TLC) are the game of
the `crystals-*.yaml` written by hand: a model's numbers are put into them. Equal counts of states and of transitions are demanded
in every run. Runs take turns; each has one thread (TLC one worker), seconds are of the processor, all that its process took (TLC: Java's compiler
and collector too). None has anything to be symmetrical in. Memory is the peak of resident bytes: of ours without what the process
is before, as in `against_spin.py`; rumur is told not to keep what a way back to a state needs (ours and TLC's keep it). TLC keeps fingerprints
of 64 bits, the others whole states.

It needs `spin`, `rumur` and `gcc`; `--tlc` is the class path of TLC (needs `java`). Who is not there is left out, and that is said.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from against_spin import MODELS, OURS, PLAIN, ours
from ruamel.yaml import YAML
from spin_ways import Run, Spin

DEFAULT = [MODELS / f"crystals-{n}.yaml" for n in (16, 20, 24)]
FLAGS = ("--threads", "1", "--symmetry-reduction", "off", "--deadlock-detection", "off", "--counterexample-trace", "off")
JAVA = ("java", "-XX:+UseParallelGC", "-Dtlc2.tool.fp.FPSet.impl=tlc2.tool.fp.OffHeapDiskFPSet")
"""As TLC's own manual has it."""
Runner = Callable[[int], Run]
"""One run of a model that has so many states."""


def numbers(model: Path) -> dict[str, int]:
    """What a model begins with, by the names in the models written by hand."""
    position: dict[str, Any] = YAML(typ="safe").load(model)["position"]
    found = {name.upper(): position[name] for name in ("crystals", "distance", "dust")}
    for side, player in enumerate(("first", "second")):
        found |= {f"{name.upper()}_{side}": position[player][name] for name in ("life", "aura")}
    return found


def process(command: Sequence[str | Path], folder: Path, counts: str, first: int = 0) -> Run:
    """One run of a program that says how many states and transitions it met; `first`: the first state counts as a transition."""
    begun = time.monotonic()
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    assert running.stdout is not None
    said = running.stdout.read()
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = status
    found = re.search(counts, said)
    if status or found is None:
        raise SystemExit(f"{command[0]}: {said}")
    return Run(int(found["states"]), int(found["edges"]) - first, time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def rumur(model: Path, folder: Path, options: Sequence[str] = ()) -> Runner:
    """A verifier that rumur makes of the model in Murphi."""
    values = numbers(model)
    text = (MODELS / "crystals.m").read_text(encoding="utf-8")
    source, code, program = folder / "model.m", folder / "model.c", folder / "model"
    source.write_text(re.sub(r"\b[A-Z]+(_[01])?\b(?=;)", lambda m: str(values[m[0]]), text), encoding="utf-8")
    subprocess.run(["rumur", *FLAGS, *options, "-o", code, source], check=True)
    subprocess.run(["gcc", "-O3", "-march=native", "-mcx16", "-o", program, code, "-lpthread"], check=True)
    return lambda _: process([program], folder, r"(?P<states>\d+) states, (?P<edges>\d+) rules fired")


def tlc(model: Path, folder: Path, classes: str) -> Runner:
    """TLC on the model in TLA+."""
    shutil.copy(MODELS / "crystals.tla", folder)
    constants = " ".join(f"{name} = {value}" for name, value in numbers(model).items() if name != "CRYSTALS")
    (folder / "crystals.cfg").write_text(f"INIT Init\nNEXT Next\nCONSTANTS {constants}\n", encoding="utf-8")
    command = [*JAVA, "-cp", classes, "tlc2.TLC", "-workers", "1", "-deadlock", "-checkpoint", "0", "-noGenerateSpecTE", "-metadir", "met", "crystals.tla"]
    return lambda _: process(command, folder, r"\n(?P<edges>\d+) states generated, (?P<states>\d+) distinct states found, 0 states left", first=1)


def spin(model: Path, folder: Path) -> Runner:
    """SPIN's verifier of the export, in its fastest way on these models (`against_spin.py --grid`)."""
    built = Spin(model, folder)
    return lambda states: built.run(PLAIN, states)


def others(classes: str | None) -> dict[str, Callable[[Path, Path], Runner]]:
    """Who is there to be beside."""
    def has(*tools: str) -> bool:
        missing = [tool for tool in tools if shutil.which(tool) is None]
        if missing:
            print(f"left out, not installed: {', '.join(missing)}")
        return not missing
    found: dict[str, Callable[[Path, Path], Runner]] = {}
    if has("spin", "gcc"):
        found[f"SPIN {PLAIN}"] = spin
    if has("rumur", "gcc"):
        found["rumur"] = rumur
        found["rumur --pack-state off"] = lambda model, folder: rumur(model, folder, ("--pack-state", "off"))
    if classes is None:
        print("left out: TLC (--tlc)")
    elif has("java"):
        found["TLC -workers 1"] = lambda model, folder: tlc(model, folder, classes)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tlc", metavar="CLASSPATH")
    given = parser.parse_args()
    makers = others(given.tlc)
    print("| model | states | transitions | | states/s | bytes a state | seconds | to ours |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    for model in given.models or DEFAULT:
        with tempfile.TemporaryDirectory() as place:
            runners: dict[str, Runner] = {OURS: lambda _, model=model: ours(model, 1)}
            for name, maker in makers.items():
                folder = Path(place) / str(len(runners))
                folder.mkdir()
                runners[name] = maker(model, folder)
            done: dict[str, list[Run]] = {name: [] for name in runners}
            for _ in range(given.runs):
                for name, runner in runners.items():
                    done[name].append(runner(done[OURS][0].states if done[OURS] else 0))
        counts = {(one.states, one.transitions, one.trouble) for runs in done.values() for one in runs}
        if len(counts) > 1:
            raise SystemExit(f"{model.stem}: different counts: {sorted(counts)}")
        states, edges, _ = counts.pop()
        mine = statistics.median(one.processor for one in done[OURS])
        for name, runs in done.items():
            seconds, size = (statistics.median(x) for x in ([one.processor for one in runs], [one.bytes for one in runs]))
            ratio = "" if name == OURS else f"{seconds / mine:.1f} : 1"
            print(f"| {model.stem} | {states:,} | {edges:,} | {name} | {states / seconds:,.0f} | {size / states:.1f} | {seconds:.2f} | {ratio} |",
                  flush=True)


if __name__ == "__main__":
    main()
