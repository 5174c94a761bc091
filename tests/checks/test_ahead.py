"""Another process makes later scenarios ready meanwhile: it leaves them in the cache, and nothing else."""
from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rulewright.checks import ahead as ahead_module
from rulewright.checks.ahead import ahead, possible
from rulewright.checks.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine import compiled
from rulewright.spec.kept import cache_folder

PATHS = scenario_paths("ts_fight")[:5]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(ahead_module, "cores", lambda: 2)
    compiled.last.clear()


def ready(path: Path) -> object:
    scenario = read_scenario(path)
    return open_table(scenario, reading_sets(scenario, {})[0]).starts


def programs() -> int:
    return len([p for p in cache_folder("programs").iterdir() if not p.suffix])


@pytest.mark.skipif(not possible(), reason="no other process can be begun here")
def test_what_the_other_process_made_is_found() -> None:
    before = compiled.count()
    with ahead(PATHS, ready) as turn_of:
        turn_of(0)
        until = time.monotonic() + 60
        while programs() < len(PATHS) and time.monotonic() < until:
            time.sleep(0.05)
        for path in PATHS:
            ready(path)
    assert compiled.count() - before == 1, "only the first was compiled here"


@pytest.mark.skipif(not possible(), reason="no other process can be begun here")
def test_it_ends_where_the_two_meet() -> None:
    with ahead(PATHS, ready) as turn_of:
        turn_of(len(PATHS))
    assert programs() <= 2
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_there_is_none_where_all_was_made_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in PATHS:
        ready(path)
    compiled.last.clear()
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("there is nothing to be done"))
    with ahead(PATHS, ready) as turn_of:
        turn_of(0)


def test_mistakes_are_left_to_be_told_when_their_turn_comes(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("book: ts_fight\nnonsense: 1\n")
    with ahead([bad, *PATHS], ready) as turn_of:
        turn_of(0)


def test_without_a_cache_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("not a folder")
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("nobody would find what it makes"))
    with ahead(PATHS, ready) as turn_of:
        turn_of(0)
