"""Ctrl-C at moments drawn by lot, in commands drawn by lot, with and without anything kept from before; then limits on time and memory:
`python -m tests.fuzz.interrupts [--count 40] [--seed 0] [--limits]`.

An interrupted command has to end within two seconds with exit code 130, say so, and show no traceback; one that was done by
then has its usual code. A limit on time has to be kept within two seconds or a tenth, a limit on memory (of all processes together, each
with its share of what they have in common) within a tenth. It is not part of the tests: on a busy machine everything takes longer.
"""
from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .growth import DRAFTS

INTERRUPTED = 130
WITHIN = 2.0
FIRST = 0.5
"""Seconds before the signal, at least (or a tenth of it): before that Python itself is starting, and ends in its own way."""
LEAVING = 0.5
"""Seconds that a process takes to end when its work is done."""
LONGEST = 12.0
"""Seconds before the signal, at most."""
PATIENCE = 120.0
COMMANDS = (
    "check hanayome", "check sakura", "check hanayome/full-game", "check hanayome --only conflicts", "check sakura --only gaps",
    "check hanayome --only order", "check ts_fight --only dead", "check hanayome --only lassos", "check harem_master --only norms",
    "check sakura --only invariants", "check ts_fight/full-game --readings all", "check hanayome --max-time 5 --json",
    "coverage hanayome --executed", "verify counterexamples/hanayome", "export hanayome --to smt2 -o OUT",
    "hunt hanayome/full-game", "hunt shinso", "combos hanayome", "combos hanayome --json", "questions DRAFT", "lint DRAFT", "register DRAFT -o OUT",
    "language-server", "watch hanayome", "check hanayome --changed", "check hanayome --only ends", "check harem_master --only norms", "audit harem_master",
    "new OUT --from DRAFT --yes", "validate hanayome", "check sakura/full-game --disk OUT", "check sakura --cluster auto",
)
TIMED = (
    ("check hanayome", 1), ("check hanayome", 5), ("check sakura", 1), ("check hanayome/full-game", 3), ("check hanayome/full-game --readings all", 3),
    ("check hanayome --only conflicts", 1), ("check sakura --only gaps", 5), ("check hanayome --only order", 20), ("check ts_fight --only dead", 5),
    ("check hanayome --only lassos", 5), ("check harem_master --only norms", 5), ("check sakura --only invariants", 1), ("check sakura --only invariants", 20),
    ("hunt hanayome/full-game", 2), ("hunt hanayome/full-game", 10), ("hunt shinso", 5), ("combos hanayome", 2), ("combos hanayome", 15),
    ("check ts_fight --only norms", 2), ("check hanayome --only ends", 3), ("audit harem_master", 3), ("check hanayome --changed", 2),
    ("check sakura/full-game --disk OUT", 5),
)
BOUNDED = (
    ("check hanayome --max-time 60", 200), ("check hanayome --max-time 60", 400), ("check sakura --only invariants --max-time 60", 200),
    ("check hanayome --only order --max-time 60", 300), ("check hanayome --only conflicts --max-time 60", 250),
    ("check hanayome/full-game --max-states 5000000 --max-time 60", 400), ("hunt hanayome/full-game --max-time 20", 300), ("hunt sakura --max-time 20", 700),
    ("combos hanayome --max-time 30", 350), ("combos hanayome --max-time 30", 800),
)


@dataclass
class Ran:
    """How a command ended: how long it took, and after the signal; how much memory it took at most, in MiB."""

    code: int
    seconds: float
    after: float
    memory: float
    out: str
    err: str

    @property
    def last(self) -> str:
        return next((line for line in reversed(self.out.splitlines()) if line.strip()), "-")


def ran(command: str, cache: Path, signals: Sequence[float] = (), addresses: int | None = None, patience: float = PATIENCE) -> Ran:
    """Run a command in a group of its own, with a signal to all of the group after so many seconds each."""
    def begin() -> None:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # this may have been started where it is ignored
        if addresses is not None:
            resource.setrlimit(resource.RLIMIT_AS, (addresses << 20, addresses << 20))
    draft = cache / "draft.md"
    if "DRAFT" in command and not draft.exists():
        draft.write_text(DRAFTS["clauses"](300_000), encoding="utf-8")
    said_as = command.replace("OUT", str(cache / "out")).replace("DRAFT", str(draft))
    arguments = [sys.executable, "-m", "rulewright.checks", *said_as.split(), "--lang", "en"]
    asked, theirs = os.pipe()  # somebody who says nothing
    began, sent = time.monotonic(), 0.0
    run = subprocess.Popen(arguments, stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=begin,
                           env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1"})
    over, most = threading.Event(), [0.0]
    watcher = threading.Thread(target=watch, args=(run.pid, over, most))
    watcher.start()
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(run.communicate()))
    reader.start()
    try:
        for after in signals:
            time.sleep(max(0.0, began + after - time.monotonic()))
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGINT)
                sent = sent or time.monotonic()
        reader.join(patience)
        if reader.is_alive():
            os.killpg(run.pid, signal.SIGKILL)
            reader.join()
    finally:
        ended = time.monotonic()
        over.set()
        watcher.join()
        os.close(asked)
        os.close(theirs)
    return Ran(run.returncode, ended - began, ended - sent if sent else 0.0, most[0], *said)


def watch(group: int, over: threading.Event, most: list[float]) -> None:
    """Note how much memory the processes of a group take together."""
    while not over.wait(0.1):
        total = 0.0
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if os.getpgid(int(folder.name)) == group:
                    total += next(int(line.split()[1]) for line in (folder / "smaps_rollup").read_text().splitlines() if line.startswith("Pss:"))
            except (OSError, StopIteration):
                continue
        most[0] = max(most[0], total / 1024)


def interrupts(count: int, seed: int, tell: Callable[[str], None]) -> int:
    """So many commands interrupted; how many did not end as they have to."""
    rng, wrong, slowest = random.Random(seed), 0, 0.0
    with tempfile.TemporaryDirectory() as warm:
        for number in range(count):
            command, after, cold = rng.choice(COMMANDS), rng.uniform(FIRST, LONGEST) * rng.choice((0.1, 1)), rng.random() < 0.5
            with tempfile.TemporaryDirectory() as fresh:
                one = ran(command, Path(fresh if cold else warm), (after,))
            done = not one.after or (one.code in (0, 1) and one.after <= LEAVING)  # all was shown: Python was taking itself down
            good = "Traceback" not in one.err + one.out and (done or (one.code == INTERRUPTED and one.after <= WITHIN))
            wrong += not good
            slowest = max(slowest, one.after)
            tell(f"{'ok   ' if good else 'WRONG'} {number:3} {'cold' if cold else 'warm'} {command}: signal after {after:.1f} s, "
                 + ("it was done" if done else f"ended {one.after:.2f} s later") + f", exit {one.code}; {one.last[:60]}")
            if not good:
                tell(one.err[-2000:])
    tell(f"seed {seed}: {count} interrupts, {wrong} wrong, the slowest ended after {slowest:.2f} s")
    return wrong


def limits(tell: Callable[[str], None]) -> int:
    """Commands with limits; how many did not keep them."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, seconds in TIMED:
            one = ran(f"{command} --max-time {seconds}", Path(folder))
            good = one.seconds <= seconds + max(WITHIN, seconds / 10) and one.code in (0, 1)
            wrong += not good
            tell(f"{'ok   ' if good else 'WRONG'} {command} --max-time {seconds}: {one.seconds:.1f} s, {one.memory:.0f} MiB, exit {one.code}; {one.last[:60]}")
        for command, mib in BOUNDED:
            one = ran(f"{command} --max-memory {mib}", Path(folder))
            good = one.memory <= 1.1 * mib and one.code in (0, 1)
            wrong += not good
            tell(f"{'ok   ' if good else 'WRONG'} {command} --max-memory {mib}: {one.seconds:.1f} s, {one.memory:.0f} MiB, exit {one.code}; {one.last[:60]}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limits", action="store_true", help="limits on time and memory instead")
    given = parser.parse_args()

    def tell(line: str) -> None:
        print(line, flush=True)
    return 1 if (limits(tell) if given.limits else interrupts(given.count, given.seed, tell)) else 0


if __name__ == "__main__":
    sys.exit(main())
