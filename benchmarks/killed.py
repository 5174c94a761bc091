"""A search that is killed again and again at random, and resumed, gives the counts of one that is left in peace.

`python benchmarks/killed.py [MODEL.yaml] --kills 10` runs the model once undisturbed, then once with so many kills
(SIGKILL, at a random moment between the first checkpoint and the time an undisturbed run takes), and compares states,
transitions and a checksum over all arrays. Exit code 1 if anything differs.
"""
from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def work(model: Path, folder: Path | None, every: float, share: int, graph: bool) -> None:
    """One run, in a process of its own: from the beginning, or from the checkpoint in the folder."""
    from rulewright.checks.explore.explorer import Limits
    from rulewright.checks.native import checkpoint as c
    from rulewright.checks.native.engine import Native
    from rulewright.checks.native.explorer import carry_on, kept_search
    from rulewright.checks.native.search import Search
    from rulewright.checks.scenarios.subjects import open_table, read_scenario

    c.SHARE = share
    table = open_table(read_scenario(model), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids)
    search = Search(native, Limits(None), graph)
    print("ready", flush=True)
    if folder is None:
        search.begin(table.starts)
        carry_on(search, search.limits, None)
    else:
        checkpoint = c.Checkpoint(c.Plan(folder, (folder / c.MANIFEST).exists(), every), search.identity(table.starts))
        checkpoint.open()
        kept_search(search, table.starts, checkpoint, None, None)
    sums = {name: hashlib.sha256(array.tobytes()).hexdigest()[:16] for name, array in search.saved()[0].items()}
    print(search.count, search.transitions, *(f"{name}={s}" for name, s in sorted(sums.items())))


def started(model: Path, folder: Path | None, given: argparse.Namespace) -> subprocess.Popen[str]:
    """A worker that is about to search."""
    command = [sys.executable, __file__, str(model), "--worker", "--every", str(given.every), "--share", str(given.share)]
    if folder is not None:
        command += ["--folder", str(folder)]
    if given.graph:
        command.append("--graph")
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    if worker.stdout.readline() != "ready\n":
        raise SystemExit("the worker did not start")
    return worker


def compare(model: Path, given: argparse.Namespace) -> bool:
    """Both runs; are they the same?"""
    worker = started(model, None, given)
    begun = time.monotonic()
    calm, _ = worker.communicate()
    took = time.monotonic() - begun
    print(f"undisturbed ({took:.1f} s): {calm.strip()}", flush=True)
    chance = random.Random(given.seed)
    kills, early = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "search"
        while True:
            worker = started(model, folder, given)
            try:
                wait = None if kills == given.kills else chance.uniform(0.02, 1.5 * took / given.kills)
                out, _ = worker.communicate(timeout=wait)
                if worker.returncode:
                    print(f"the worker came back with {worker.returncode}")
                    return False
                if kills == given.kills:
                    break
                early += 1  # it was done before it could be killed: once more from the beginning, with less patience
                took *= 0.7
                if early > 20:
                    print("the worker is done too soon to be killed")
                    return False
                for file in folder.iterdir():
                    file.unlink()
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
                kills += 1
    print(f"killed {kills} times: {out.strip()}")
    return out == calm


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Kill and resume.")
    parser.add_argument("model", nargs="?", type=Path, default=HERE / "models" / "crystals-24.yaml")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two checkpoints")
    parser.add_argument("--share", type=int, default=3, help="writing takes one part in so many of the time")
    parser.add_argument("--graph", action="store_true", help="keep edges, owners, depths and turns")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker:
        work(given.model, given.folder, given.every, given.share, given.graph)
        return 0
    return 0 if compare(given.model, given) else 1


if __name__ == "__main__":
    sys.exit(main())
