"""Another process makes later scenarios ready meanwhile: it leaves them in the cache, and nothing else."""
from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rulewright.checks import ahead as ahead_module
from rulewright.checks.ahead import DONE, FIRST, OTHER, Shares, ahead, possible
from rulewright.checks.session import sort_of
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
    with ahead(PATHS, ready, sort_of) as turn_of:
        turn_of(0)
        until = time.monotonic() + 60
        while programs() < len(PATHS) and time.monotonic() < until:
            time.sleep(0.05)
        for path in PATHS:
            ready(path)
    assert compiled.count() - before == 1, "only the first was compiled here"


@pytest.mark.skipif(not possible(), reason="no other process can be begun here")
def test_it_ends_when_nothing_more_is_wanted() -> None:
    with ahead(PATHS, ready, sort_of) as turn_of:
        turn_of(0)
    assert programs() <= 3
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_there_is_none_where_all_was_made_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in PATHS:
        ready(path)
    compiled.last.clear()
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("there is nothing to be done"))
    with ahead(PATHS, ready, sort_of) as turn_of:
        turn_of(0)


def test_mistakes_are_left_to_be_told_when_their_turn_comes(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("book: ts_fight\nnonsense: 1\n")
    with ahead([bad, *PATHS], ready, sort_of) as turn_of:
        turn_of(0)


def test_without_a_cache_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("not a folder")
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("nobody would find what it makes"))
    with ahead(PATHS, ready, sort_of) as turn_of:
        turn_of(0)


def sorts(paths: list[Path], made: list[Path]) -> Shares:
    """Scenarios whose sort is the first letter of their names."""
    return Shares(paths, made.append, lambda path: ord(path.name[0]))


def test_each_process_makes_the_sorts_that_it_comes_to_first() -> None:
    paths = [Path(x) for x in ("a1", "b1", "a2", "b2", "c1", "a3")]
    made: list[Path] = []
    shares = sorts(paths, made)
    shares.owner(0, FIRST)
    shares.make(0)
    taken: dict[int, list[str]] = {FIRST: [], OTHER: []}
    for me in (OTHER, FIRST, OTHER, OTHER):
        k = shares.next(me)
        assert k is not None
        taken[me].append(paths[k].name)
        shares.make(k)
    assert taken == {OTHER: ["b1", "b2", "c1"], FIRST: ["a2"]}
    k = shares.next(OTHER)
    assert k is not None and paths[k].name == "a3", "nothing of its own is left, so it takes from the other's"


def test_what_the_other_is_at_is_waited_for_with_something_to_do() -> None:
    paths = [Path(x) for x in ("a1", "b1", "a2", "a3", "a4")]
    made: list[Path] = []
    shares = sorts(paths, made)
    shares.owner(0, FIRST)
    shares.states[0] = DONE
    shares.owner(1, OTHER)
    looks: list[int] = []

    def other_lives() -> bool:
        looks.append(1)
        if len(looks) == 2:
            shares.make(1)
        return True
    shares.turn(1, other_lives)
    assert [p.name for p in made] == ["a2", "b1", "a3"]


def test_what_a_process_that_is_gone_was_at_is_made_in_the_ordinary_way() -> None:
    made: list[Path] = []
    shares = sorts([Path("a1"), Path("b1")], made)
    shares.owner(1, OTHER)
    shares.states[1] = 1
    shares.turn(1, lambda: False)
    assert not made, "the caller does it"
