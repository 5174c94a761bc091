"""Shared by all tests: frozen output, renewed with `pytest --update-frozen`; which tests are slow; a part of the tests, drawn by lot."""
from __future__ import annotations

import ctypes
import gc
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.cli import RARELY
from rulewright.checks.explore import machine_code
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.stored import cases
from rulewright.spec.own_folder import cache_folder

from . import tables
from .toys.harness import toy

gc.set_threshold(*RARELY)  # as the command does: to look more often would take a fifth of the time that compiling takes


MOST = 700 << 20
"""So many bytes a process may grow to before it looks for garbage."""
given_back = 0
"""What it took after the last time."""


def resident() -> int:
    """The memory of this process, in bytes; 0 where it is not known."""
    about = Path("/proc/self/statm")
    return int(about.read_text().split()[1]) << 12 if about.exists() else 0


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """What tests leave is given back: a command does not look for garbage in circles, and what threads gave up stays with the process."""
    global given_back
    if resident() > max(MOST, given_back + MOST // 4):
        gc.collect()
        if sys.platform == "linux":
            ctypes.CDLL(None).malloc_trim(0)
        given_back = resident()


SLOW = Path(__file__).parent / "slow.txt"
"""Tests that are slow as measured, not by their kind: one id a line."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-frozen", action="store_true", help="write the frozen files anew instead of comparing")
    parser.addoption("--lot", metavar="SHARE:SEED", help="of the tests only so large a share, drawn by lot: 0.4:20261123")
    parser.addoption("--note-slow", metavar="SECONDS", type=float, help="write tests that take longer into slow.txt: from then on they are slow ones")


def pytest_configure(config: pytest.Config) -> None:
    if (most := config.getoption("--note-slow")) is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SlowNoted(most))


def slow_ids() -> set[str]:
    """The tests that were noted."""
    return set(SLOW.read_text(encoding="utf-8").splitlines())


class SlowNoted:
    """How long each test takes, with what is prepared for it."""

    def __init__(self, most: float) -> None:
        self.most, self.seconds = most, Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        slow = slow_ids() | {name for name, seconds in self.seconds.items() if seconds > self.most}
        SLOW.write_text("".join(f"{name}\n" for name in sorted(slow)), encoding="utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = slow_ids()
    for item in items:
        if item.nodeid in slow:
            item.add_marker("slow")
            item.add_marker("noted")
    if (lot := config.getoption("--lot")) is None:
        return
    share, _, seed = lot.partition(":")
    drawn = float(share)  # of seeds that follow each other, each draws others, until all have been
    kept = [item for item in items if (random.Random(item.nodeid).random() + drawn * int(seed)) % 1 < drawn]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture(scope="session")
def cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that is not the user's, for tests that do not mind what others left there: with an empty one for each, books would be
    compiled again and again. What numba makes of the search is there from the beginning: that takes it twelve seconds."""
    lamp = toy("lamp")
    explore(Native(lamp.program, lamp.engine.policies, card_ids=lamp.engine.card_ids, level=0), lamp.engine, lamp.starts, Limits(10))
    cache = tmp_path_factory.mktemp("cache")
    shutil.copytree(cache_folder(machine_code.KIND), cache / "rulewright" / machine_code.KIND)
    return cache


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of one scenario tries no other answers to readings: for tests of something else, since that is most of what such a check does."""
    monkeypatch.setattr(cases, "USUAL", replace(cases.USUAL, settle=0))


@pytest.fixture
def frozen(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`frozen(name, text)`: the text must be that of the file `frozen/name` beside the test."""

    def compare(name: str, text: str) -> None:
        path = Path(request.path).parent / "frozen" / name
        if request.config.getoption("--update-frozen"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no frozen file {name}: make it with pytest --update-frozen, and read it"
        assert text == path.read_text(encoding="utf-8"), f"{name} differs: look, then pytest --update-frozen"

    return compare


@pytest.fixture
def section(request: pytest.FixtureRequest) -> Callable[[str, str, str], None]:
    """`section(file, name, text)`: the text must be that of the section of this name in `frozen/file` beside the test."""

    def compare(file: str, name: str, text: str) -> None:
        path = Path(request.path).parent / "frozen" / file
        if request.config.getoption("--update-frozen"):
            tables.put(path, name, text)
        known = tables.sections(path)
        assert name in known, f"nothing is frozen of {name} in {path}: make it with pytest --update-frozen, and read it"
        assert text == known[name], f"{name} in {path} differs: look, then pytest --update-frozen"

    return compare
