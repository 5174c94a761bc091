"""Does a file made by lot take down what reads it? `python -m tests.fuzz.run .docx .xlsx .pdf --count 500 --seed 1`

Each file is read in a process of its own; what is told: the seeds of those that ended in something else than being read or
refused, that took longer than 10 seconds, or more than 500 MiB for each MiB of the file (and 500 for less).
"""
from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rulewright.checks.lint.reading import read
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.tables import read_card_table

from .documents import hostile

SECONDS, MEBIBYTES = 10, 500
READ, REFUSED, FELL = 0, 2, 3


@dataclass(frozen=True)
class Outcome:
    """What came of reading a file."""

    how: str
    code: int
    seconds: float
    mebibytes: float
    size: int
    said: str = ""

    @property
    def bad(self) -> bool:
        return self.code not in (READ, REFUSED) or self.seconds > SECONDS or self.mebibytes > MEBIBYTES * max(1, self.size / 2**20)


def read_it(path: Path, seed: int) -> None:
    """What a command reads of such a file: a draft, or a table of cards where it can be one."""
    if path.suffix == ".xlsx" and seed % 2:
        read_card_table(path)
    else:
        read(path)


def tried(kind: str, seed: int, folder: Path) -> Outcome:
    """Read one in a process of its own."""
    how, data = hostile(kind, seed)
    path = folder / f"{seed}{kind}"
    path.write_bytes(data)
    told = folder / f"{seed}.txt"
    begin = time.monotonic()
    child = os.fork()
    if not child:
        code = FELL
        try:
            read_it(path, seed)
            code = READ
        except BadInput as error:
            told.write_text(str(error).split("\n")[0], encoding="utf-8")
            code = REFUSED
        except BaseException:
            told.write_text(traceback.format_exc(), encoding="utf-8")
        os._exit(code)
    _, status, used = os.wait4(child, 0)
    took = time.monotonic() - begin
    said = told.read_text(encoding="utf-8") if told.exists() else ""
    path.unlink()
    told.unlink(missing_ok=True)
    return Outcome(how, os.waitstatus_to_exitcode(status), took, used.ru_maxrss / 1024, len(data), said)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=[".docx", ".xlsx", ".pdf"])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--full", action="store_true", help="tell of every file")
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kinds:
            counts: Counter[str] = Counter()
            slowest, largest = 0.0, 0.0
            for seed in range(given.seed, given.seed + given.count):
                found = tried(kind, seed, Path(folder))
                counts[{READ: "read", REFUSED: "refused"}.get(found.code, "fell")] += 1
                slowest, largest = max(slowest, found.seconds), max(largest, found.mebibytes)
                wrong += found.bad
                if found.bad or given.full:
                    print(f"{kind} {seed} {found.how}: exit {found.code}, {found.seconds:.1f} s, {found.mebibytes:.0f} MiB, {found.size} bytes: {found.said}", flush=True)
            print(f"{kind}: {dict(counts)}, slowest {slowest:.1f} s, most memory {largest:.0f} MiB", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
