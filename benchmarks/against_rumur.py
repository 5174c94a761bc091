"""How fast compiled exploration is, side by side with a verifier that rumur makes of a model in Murphi.

    python benchmarks/against_rumur.py [MODEL.yaml ...] [--runs N]

`models/crystals.m` is the game of the `crystals-*.yaml`, written by hand in Murphi: a model's numbers are put into it. Equal counts
of states and of transitions are demanded in every run. It needs `rumur` and `gcc`. Runs take turns; seconds are of the
processor, of one thread. Neither has anything to be symmetrical in. Memory is the peak of resident bytes: of ours without what the process
is before, as in `against_spin.py`; rumur is told not to keep what a way back to a state needs (ours keeps it).
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from against_spin import MODELS, ours
from ruamel.yaml import YAML
from spin_ways import Run

DEFAULT = [MODELS / f"crystals-{n}.yaml" for n in (16, 20, 24)]
WAYS: Mapping[str, tuple[str, ...]] = {"rumur": (), "rumur --pack-state off": ("--pack-state", "off")}
FLAGS = ("--threads", "1", "--symmetry-reduction", "off", "--deadlock-detection", "off", "--counterexample-trace", "off")


def verifier(model: Path, options: tuple[str, ...], folder: Path) -> Path:
    """The program for one model."""
    position: dict[str, Any] = YAML(typ="safe").load(model)["position"]
    numbers = {name.upper(): position[name] for name in ("crystals", "distance", "dust")}
    for side, player in enumerate(("first", "second")):
        numbers |= {f"{name.upper()}_{side}": position[player][name] for name in ("life", "aura")}
    text = (MODELS / "crystals.m").read_text(encoding="utf-8")
    source, code, program = folder / "model.m", folder / "model.c", folder / "model"
    source.write_text(re.sub(r"\b[A-Z]+(_[01])?\b(?=;)", lambda m: str(numbers[m[0]]), text), encoding="utf-8")
    subprocess.run(["rumur", *FLAGS, *options, "-o", code, source], check=True)
    subprocess.run(["gcc", "-O3", "-march=native", "-mcx16", "-o", program, code, "-lpthread"], check=True)
    return program


def run(program: Path) -> Run:
    """One run of it."""
    process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    counts = re.search(r"(\d+) states, (\d+) rules fired", said)
    if status or counts is None:
        raise SystemExit(f"{program}: {said}")
    return Run(int(counts[1]), int(counts[2]), 0.0, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    for tool in ("rumur", "gcc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is needed (Debian: apt-get install {tool})")
    print("| model | states | transitions | | states/s | bytes a state | seconds | to ours |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    for model in given.models or DEFAULT:
        with tempfile.TemporaryDirectory() as folder:
            programs = dict[str, Path]()
            for name, options in WAYS.items():
                place = Path(folder) / str(len(programs))
                place.mkdir()
                programs[name] = verifier(model, options, place)
            done: dict[str, list[Run]] = {"Rulewright": [], **{name: [] for name in programs}}
            for _ in range(given.runs):
                for name, runs in done.items():
                    runs.append(run(programs[name]) if name in programs else ours(model, 1))
        counts = {(one.states, one.transitions) for runs in done.values() for one in runs}
        if len(counts) > 1:
            raise SystemExit(f"{model.stem}: different counts: {sorted(counts)}")
        states, edges = counts.pop()
        mine = statistics.median(one.processor for one in done["Rulewright"])
        for name, runs in done.items():
            seconds, size = (statistics.median(x) for x in ([one.processor for one in runs], [one.bytes for one in runs]))
            ratio = "" if name not in programs else f"{seconds / mine:.1f} : 1"
            print(f"| {model.stem} | {states:,} | {edges:,} | {name} | {states / seconds:,.0f} | {size / states:.1f} | {seconds:.2f} | {ratio} |",
                  flush=True)


if __name__ == "__main__":
    main()
