"""How long until the scenarios of a book are ready to be explored: read, compiled, equal cards known, played to their first
choice. `python benchmarks/ready.py [BOOK]` (hanayome if none is named) says so, import included, where there is no bytecode of Python's own either, of no library
(`bare`); for an empty cache without bytecode of Rulewright (`cold`: pip writes that of libraries when it installs them); and for a warm one.
It does for the first reading set of each scenario, and for all that it pins; and how long if all
that the first choice leads to is looked at as well. Seconds are those of the clock. `--native BOOK …` compiles each scenario to
machine code instead, and says why where that cannot be done. `--edited BOOK/SCENARIO` says how long a user waits for `check` of that scenario, and of
the whole book, where nothing was edited and where one line of a rule module was (what it leaves as it was is not compiled to machine code again;
`all code anew`: everything is), process start included; and when the first finding is told."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from shutil import copytree, rmtree

import rulewright.checks

OWN = Path(rulewright.checks.__file__).resolve().parents[1]
"""Where Rulewright lies."""
SO_FAR = b"Found so far"
OPEN = """
import gc, os, sys
from rulewright.checks.runs import session
from rulewright.checks.cli import RARELY
gc.set_threshold(*RARELY)

options = session.CheckOptions()
def ready(path):
    scenario = session.read_scenario(path)
    sets = session.sets_of(scenario, options)[:1 if sys.argv[2] == "first" else None]
    return [session.subject_of(session.open_table(scenario, readings), options.symmetry) for readings in sets]

paths, count = session.scenarios_of(sys.argv[1]), 0
for path in paths:
    for subject in ready(path):
        count += len(subject.starts) > 0
        if sys.argv[3] == "step":
            for start in subject.starts[:1]:
                at = subject.engine.point(start.state)
                for option in at.options if at is not None else ():
                    after = subject.engine.apply(start.state, option).state
                    if subject.symmetry is not None:
                        subject.symmetry.canonical(after)
print(count, flush=True)
os._exit(0)  # ready: what a process that ends still gives back is not counted
"""


def where_bytecode_is_kept(**settings: str) -> dict[str, str]:
    """The environment, as a user has it, with these settings."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | settings


def opened(book: str, which: str, cache: str, then: str = "") -> tuple[int, float, float]:
    """How many reading sets were made ready; seconds by the clock, and of the processor."""
    environment = where_bytecode_is_kept(XDG_CACHE_HOME=cache, PYTHONPYCACHEPREFIX=f"{cache}/python")
    begun, before = time.monotonic(), os.times()
    done = subprocess.run([sys.executable, "-c", OPEN, book, which, then], env=environment, capture_output=True, text=True, check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return int(done.stdout), time.monotonic() - begun, spent


def ready(book: str) -> None:
    """Print the table."""
    print(f"{book} | reading sets | cache | seconds | of the processor")
    for which, then in (("first", ""), ("first", "step"), ("all", "")):
        with tempfile.TemporaryDirectory() as cache:
            for state in ("bare", "cold", "warm"):
                if state == "cold":
                    rmtree(Path(cache, "rulewright"))
                    rmtree(Path(f"{cache}/python{OWN}"))
                tries = [opened(book, which, cache, then) for _ in range(3 if state == "warm" else 1)]
                count, clock, spent = min(tries, key=lambda x: x[1])
                said = f"{which} of each{', and a step' if then else ''}"
                print(f"{said} | {count} | {state} | {clock:.2f} | {spent:.2f}", flush=True)


def edited(asked: str) -> None:
    """Print how long `check` takes, before and after a line of the rules was edited; in a copy of Rulewright."""
    book = asked.partition("/")[0]
    print("check | rules | first finding | seconds | of the processor")
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder, "rulewright")
        for part in ("spec", "model", "checks", "counterexamples"):
            copytree(OWN / part, own / part)
        rules = max((own / "model/games" / book).glob("*.py"), key=lambda p: p.stat().st_size)
        for times, state in enumerate(("nothing kept", "as before", "as before", "edited", "not asked before", "edited", "edited, all code anew", "as before")):
            if state.startswith("edited"):
                rules.write_text(rules.read_text(encoding="utf-8") + f"# edited {times}\n", encoding="utf-8")
            if state.endswith("anew"):
                rmtree(Path(folder, "cache/rulewright/native"))  # so it is where the rule that was edited is in every program
            what = book if times > 3 else asked
            first, clock, spent = checked(what, folder)
            print(f"{what} | {state} | {'–' if first is None else f'{first:.2f}'} | {clock:.2f} | {spent:.2f}", flush=True)


def checked(what: str, folder: str) -> tuple[float | None, float, float]:
    """Check with the copy of Rulewright in a folder; seconds by the clock until the first finding is told (None: it never is, before all are),
    until the end, and of the processor."""
    environment = where_bytecode_is_kept(XDG_CACHE_HOME=f"{folder}/cache", PYTHONPATH=folder)
    ours, theirs = pty.openpty()  # what is found on the way is told on terminals only
    begun, before, first, said = time.monotonic(), os.times(), None, b""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright.checks", "check", what, "--lang", "en"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    with suppress(OSError):  # so a terminal ends
        while more := os.read(ours, 65536):
            said += more
            if first is None and SO_FAR in said:
                first = time.monotonic() - begun
    os.close(ours)
    assert process.wait() in (0, 1), said.decode(errors="replace")
    after = os.times()
    return first, time.monotonic() - begun, after.children_user + after.children_system - before.children_user - before.children_system


def native(books: list[str]) -> bool:
    """Compile every scenario; false if the interpreter has to take over for one."""
    from rulewright.checks.native.engine import Native
    from rulewright.checks.native.memory import Unsupported
    from rulewright.checks.runs import session
    from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, subject_of

    done, failed = 0, 0
    for book in books or session.books():
        for path in session.scenarios_of(book):
            scenario = read_scenario(path)
            for readings in reading_sets(scenario, {}):
                s = subject_of(open_table(scenario, readings), symmetry=True)
                try:
                    Native(s.program, s.engine.policies, card_ids=s.engine.card_ids, level=0, symmetry=s.symmetry)
                    done += 1
                except Unsupported as e:
                    failed += 1
                    print(f"{book}/{path.stem}: {e.why}")
    print(f"{done} compiled, {failed} left to the interpreter")
    return not failed


if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked[:1] == ["--native"]:
        sys.exit(0 if native(asked[1:]) else 1)
    if asked[:1] == ["--edited"]:
        sys.exit(edited(asked[1] if asked[1:] else "hanayome/swap"))
    ready(asked[0] if asked else "hanayome")
