"""Does a file made by lot take down what reads it? `python -m tests.fuzz.files .docx .xlsx .pdf text --count 500 --seed 1`

What is told: the seeds of those that ended in something else than being read or refused, that took longer than 10 seconds, or
more than 500 MiB for each MiB of the file (and 500 for less). Each document is read in a process of its own, texts by the hundred.
"""
from __future__ import annotations

import argparse
import contextlib
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from json import dumps, loads
from pathlib import Path
from typing import Any

from lsprotocol.types import Position
from pygls.exceptions import JsonRpcInvalidParams
from pygls.workspace import PositionCodec

from rulewright.checks.combos.pool import pool_of
from rulewright.checks.lint import baseline
from rulewright.checks.lint.editor import Opened
from rulewright.checks.lint.linting import Options, lint
from rulewright.checks.lint.reading import read
from rulewright.checks.questions.answers import read_answers
from rulewright.checks.questions.asking import ask_file
from rulewright.checks.questions.catalogue import FAMILIES
from rulewright.checks.register.hashes import read_hashes
from rulewright.checks.scenarios.saved_plays import after, along, read_play
from rulewright.checks.scenarios.subjects import subject_of
from rulewright.checks.stored.cases import read_case
from rulewright.checks.stored.decisions import baseline_rows, checked_in, known_abouts, read_decisions
from rulewright.model.engine.library import load_book, read_words
from rulewright.model.engine.table import open_table
from rulewright.model.lang.source import marked_lines, read_module
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.phrases import read_phrases
from rulewright.spec.readers import read_cards, read_clauses, read_readings, read_scenario, read_terms
from rulewright.spec.tables import read_card_table

from .documents import MAKERS, hostile
from .growth import begun
from .texts import changed

SECONDS, MEBIBYTES, STUCK = 10, 500, 60
TOGETHER = 100
OPENED = 20
"""One scenario in so many is also made ready for play."""
READ, REFUSED, FELL = "read", "refused", "fell"


@dataclass(frozen=True)
class Outcome:
    """What came of reading a file; `mebibytes`: the most memory that it or a process it started had."""

    seed: int
    how: str
    size: int
    end: str = FELL
    seconds: float = 0.0
    mebibytes: float = 0.0
    said: str = ""

    @property
    def bad(self) -> bool:
        return self.end == FELL or self.seconds > SECONDS or self.mebibytes > MEBIBYTES * max(1, self.size / 2**20)


def scenario(path: Path, seed: int) -> None:
    read_scenario(path)
    if seed % OPENED == 0:
        open_table(read_scenario(path))


def edited(path: Path, seed: int) -> None:
    """What an editor asks of a draft: all that is found, its clauses, and what stands at some places."""
    text = path.read_bytes().decode("utf-8", "replace")
    draft = Opened(path.as_uri(), text, PositionCodec(), Options(hints=True))
    draft.diagnostics("ja")
    draft.outline()
    lot = random.Random(seed)
    for _ in range(20):
        at = Position(lot.randrange(len(draft.lines) + 2), lot.randrange(40))
        draft.hover(at, "ja")
        draft.definition(at)
        draft.uses(at, True)
        with contextlib.suppress(JsonRpcInvalidParams):
            draft.renamed(at, lot.choice(["1.1", "2.10", "9-9-9", "x", "第3条", ""]), "ja")


def played(path: Path, seed: int) -> None:
    """What replay, check, minimise and export read of a saved play."""
    record = read_play(path)
    subject = subject_of(open_table(read_scenario(record.scenario)), True)
    along(subject, record.log, path)
    after(subject, record)


def rules(path: Path, seed: int) -> None:
    """A module of rules, taken apart, with the clauses that its lines are marked with."""
    report = Collector()
    source = read_module(str(path), path.read_bytes().decode("utf-8", "replace"), report)
    if source is not None:
        marked_lines(source)
    report.raise_if_any()


READERS: dict[str, Callable[[Path, int], Any]] = {
    "scenario": scenario, "clauses": lambda p, _: read_clauses(p), "readings": lambda p, _: read_readings(p), "terms": lambda p, _: read_terms(p),
    "words": lambda p, _: read_words(p), "cards": lambda p, _: read_cards(p), "phrases": lambda p, _: read_phrases(p), "case": lambda p, _: read_case(p),
    "hashes": lambda p, _: read_hashes(p), "decisions": lambda p, _: read_decisions(p), "baseline": lambda p, _: (known_abouts(baseline_rows(p)), checked_in(p)),
    "lint baseline": lambda p, _: baseline.read_baseline(p), "record": played, "new": lambda p, _: begun(p), "rules": rules,
    "draft": lambda p, _: (lint(p, Options()), ask_file(p, FAMILIES)), "edited": edited, "answers": lambda p, _: read_answers(p),
    "pool": lambda p, _: pool_of(load_book("hanayome"), p), "table": lambda p, _: read_card_table(p),
    ".docx": lambda p, _: read(p), ".pdf": lambda p, _: read(p), ".xlsx": lambda p, seed: read_card_table(p) if seed % 2 else read(p),
}
ENDINGS = {"table": ".csv", "pool": ".csv", "draft": ".txt", "edited": ".md", "baseline": ".json", "lint baseline": ".json", "record": ".json",
    "new": ".md", "rules": ".py", **{kind: kind for kind in MAKERS}}


def made(kind: str, seed: int) -> tuple[str, str, bytes]:
    """The kind of a file, how it was made, and what is in it."""
    if kind in MAKERS:
        return kind, *hostile(kind, seed)
    kind, data = changed(seed)
    return kind, kind, data


def most_memory() -> float:
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def one(kind: str, seed: int, folder: Path) -> Outcome:
    """Read one file in this process."""
    kind, how, data = made(kind, seed)
    path = folder / f"{seed}{ENDINGS.get(kind, '.yaml')}"
    path.write_bytes(data)
    before, begin = most_memory(), time.monotonic()
    end, said = READ, ""
    signal.alarm(STUCK)
    try:
        READERS[kind](path, seed)
    except BadInput as error:
        end = REFUSED
        with contextlib.suppress(UnicodeEncodeError):
            said = error.render("ja").split("\n")[0]
            error.render("en").encode()
    except Exception:
        end, said = FELL, traceback.format_exc()
    signal.alarm(0)
    after = most_memory()
    path.unlink()
    return Outcome(seed, how, len(data), end, time.monotonic() - begin, after if after > before else 0.0, said)


def tried(kind: str, seeds: Sequence[int], folder: Path) -> Iterator[Outcome]:
    """Read them in a process of their own; one that ends it is told as that, and the others are read in the next."""
    rest = [*seeds]
    told = folder / "told.txt"
    while rest:
        told.write_text("")
        if not (child := os.fork()):
            with told.open("a") as out:
                for seed in rest:
                    out.write(dumps(asdict(one(kind, seed, folder))) + "\n")
                    out.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        done = [Outcome(**loads(line)) for line in told.read_text().splitlines()]
        yield from done
        rest = rest[len(done) :]
        if rest and status:
            yield Outcome(rest[0], "?", 0, said=f"the process ended: {os.waitstatus_to_exitcode(status)}")
            rest = rest[1:]


def run(seed: int, seconds: float) -> list[str]:
    """What took down what reads it, of files of all kinds made with seeds from this one on. How long each took says little on a machine that does
    other things meanwhile, so that only a process that is stuck is told."""
    problems: list[str] = []
    end, first = time.monotonic() + seconds, seed * 1_000
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            for kind, many in (("text", 20), *((kind, 1) for kind in MAKERS)):
                if time.monotonic() < end:
                    problems += [f"{kind} {one.seed} {one.how}: {one.said}" for one in tried(kind, range(first, first + many), Path(folder)) if one.end == FELL]
            first += 20
    return problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=[*MAKERS, "text"])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--full", action="store_true", help="tell of every file")
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kinds:
            seeds = range(given.seed, given.seed + given.count)
            size = TOGETHER if kind == "text" else 1
            counts: Counter[str] = Counter()
            slowest, largest = 0.0, 0.0
            for begin in range(0, len(seeds), size):
                for found in tried(kind, seeds[begin : begin + size], Path(folder)):
                    counts[found.end] += 1
                    slowest, largest = max(slowest, found.seconds), max(largest, found.mebibytes)
                    wrong += found.bad
                    if found.bad or given.full:
                        print(f"{kind} {found.seed} {found.how}: {found.end}, {found.seconds:.1f} s, {found.mebibytes:.0f} MiB, {found.size} bytes: {found.said}",
                              flush=True)
            print(f"{kind} from {given.seed}: {dict(counts)}, slowest {slowest:.1f} s, most memory {largest:.0f} MiB", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
