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
def test_it_ends_where_nobody_needs_more() -> None:
    with ahead(PATHS, ready):
        pass
    assert programs() <= 2
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.skipif(not possible(), reason="no other process can be begun here")
def test_both_make_ready_until_the_scenario_whose_turn_it_is_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = dict(zip(PATHS, (0, 40, 30, 20, 10), strict=True))
    monkeypatch.setattr(ahead_module, "listed", sizes.__getitem__)
    here: list[Path] = []

    def slowly(path: Path) -> object:
        here.append(path)
        time.sleep(0.5 if path == PATHS[1] else 0)
        return ready(path)
    with ahead(PATHS, slowly) as turn_of:
        turn_of(2)
        assert PATHS[1] not in here[1:], "the other process began with it: it has most cards"
        assert here[1:] == [PATHS[4], PATHS[3]], "this one with those that have few; the caller makes its own"
        ready(PATHS[2])
        turn_of(1)
        assert programs() == len(PATHS)
        with pytest.raises(ChildProcessError):  # it ended with the last scenario
            os.waitpid(-1, 0)
            os.waitpid(-1, 0)


@pytest.mark.skipif(not possible(), reason="no other process can be begun here")
def test_what_the_other_process_could_not_do_is_done_here() -> None:
    parent = os.getpid()

    def dies(path: Path) -> object:
        if os.getpid() != parent:
            os._exit(1)
        return ready(path)
    with ahead(PATHS, dies) as turn_of:
        for number, path in enumerate(PATHS):
            turn_of(number)
            dies(path)
    assert programs() == len(PATHS)


def test_cards_that_a_position_lists_are_counted_by_its_text(tmp_path: Path) -> None:
    scenario = tmp_path / "some.yaml"
    scenario.write_text("id: some\nposition:\n  first:\n    hand: [A, B x3]\n    lane: {1: [C], 2: []}\n\n  second: {deck: [D x12 , E]}\nother: [F, G]\n")
    assert ahead_module.listed(scenario) == 1 + 3 + 1 + 12 + 1
    assert ahead_module.listed(tmp_path / "none.yaml") == 0


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
