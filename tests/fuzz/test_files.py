"""The runner itself: a few files of each kind; and what falls, takes long or ends the process is told."""
from __future__ import annotations

import os
import resource
import time
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from . import files
from .documents import MAKERS, hostile
from .texts import KINDS, bases, changed

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


@pytest.fixture(autouse=True)
def without_what_the_tests_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that reads is a copy of this one, which other tests have made large: that memory is not what reading takes."""
    said = Path("/proc/self/statm")  # where it is not told, nothing is left out
    _, resident, of_files, *_ = map(int, said.read_text().split()) if said.exists() else (0, 0, 0)
    most, before = files.most_memory, (resident - of_files) * resource.getpagesize() / 2**20
    monkeypatch.setattr(files, "most_memory", lambda: most() - before)


def test_what_the_tests_have_is_not_taken_for_what_reading_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MEBIBYTES", 50)
    monkeypatch.setitem(files.READERS, ".pdf", lambda path, seed: b"x" * (80 << 20 if seed else 1 << 20))
    assert [f.bad for f in files.tried(".pdf", [0, 1], tmp_path)] == [False, True]


@pytest.mark.parametrize("kind", [*MAKERS, "text"])
def test_a_few_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    found = [*files.tried(kind, range(4), tmp_path)]
    assert [f.seed for f in found] == [0, 1, 2, 3] and not [f for f in found if f.end == files.FELL]


def falling(path: Path, seed: int) -> Any:
    if seed == 1:
        raise IndexError("no")
    if seed == 2:
        os._exit(9)


def test_what_falls_or_ends_the_process_is_told_and_the_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in KINDS:
        monkeypatch.setitem(files.READERS, kind, falling)
    found = [*files.tried("text", range(4), tmp_path)]
    assert [(f.seed, f.end, f.bad) for f in found] == [(0, "read", False), (1, "fell", True), (2, "fell", True), (3, "read", False)]
    assert "IndexError: no" in found[1].said and found[2].said == "the process ended: 9"


def test_what_takes_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SECONDS", 0.05)
    monkeypatch.setitem(files.READERS, ".pdf", lambda path, seed: time.sleep(0.1))
    assert [f.bad for f in files.tried(".pdf", [0], tmp_path)] == [True]


def test_the_same_seed_makes_the_same_file() -> None:
    assert changed(7) == changed(7) != changed(8) and all(map(bases, KINDS))


@pytest.mark.parametrize("kind", MAKERS)
def test_the_same_seed_makes_the_same_document_at_another_time(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = [seed for seed, make in enumerate(MAKERS[kind]) if make.__name__.startswith(("good", "word_entities", "sheet_far", "pdf_loops"))]
    before = [hostile(kind, seed) for seed in seeds]
    monkeypatch.setattr(time, "localtime", lambda *now: time.gmtime(2e9))
    monkeypatch.setattr("openpyxl.writer.excel.datetime.datetime", Later)
    assert len(seeds) == 5 - (kind == ".pdf") and [hostile(kind, seed) for seed in seeds] == before


class Later(datetime):
    """In 2033."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Later:
        return cls.fromtimestamp(2e9, tz)
