"""Searches whose arrays lie in files: the same exploration; nothing stays; a full disk is a bound, not the end."""
from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rulewright.checks.cli import main
from rulewright.checks.commands import request
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.findings.cut_off import cuts_of
from rulewright.checks.limits import ending
from rulewright.checks.native import arena, choice, layout, search
from rulewright.checks.native.checkpoint import Plan
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.native.hashing import hash_of, low_bits, place_of, tag_of
from rulewright.checks.native.state_table import look_up
from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.scenarios.subjects import open_table, read_scenario, subject_of
from rulewright.model.engine.table import Table
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

from .crystals import duel
from .test_checkpoint import command
from .test_explorer import native_of, own_cache, same, subject  # noqa: F401  (the fixture is used)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="never: refused there")


@pytest.fixture(autouse=True)
def files_are_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "counted", ending.counted)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(read_scenario(duel(tmp_path)), {})


@pytest.fixture
def native(table: Table) -> Native:
    return Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "place"


def mapped(folder: Path) -> int:
    """Files of the folder that are mapped in this process."""
    gc.collect()
    return Path("/proc/self/maps").read_text().count(str(folder))


# ---------------------------------------------------------------- the same
@pytest.mark.parametrize(("target", "fingerprints"), [
    ("sakura/full-game", False), ("sakura/crystals-conserved", False), ("sakura/full-game", True), ("sakura/crystals-conserved", True),
    pytest.param("hanayome/full-game", False, marks=pytest.mark.slow), pytest.param("hanayome/full-game", True, marks=pytest.mark.slow)])
def test_the_exploration_is_the_same(target: str, fingerprints: bool, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "STEP", 1 << 14)
    s = subject(target)
    native = native_of(s)
    for limits, threads in ((Limits(6_000), 1), (Limits(900, depth=9), 2)):
        same(explore(native, s.engine, s.starts, limits),
             explore(native, s.engine, s.starts, limits, threads=threads, fingerprints=fingerprints, folder=place))
    assert list(place.iterdir()) == []


def test_from_several_beginnings_too(place: Path) -> None:
    s = subject("hanayome/episode-left-behind")
    after = explore(native := native_of(s), s.engine, s.starts, Limits(40))
    starts = [s.starts[0]._replace(state=after.states[k], crossing=0) for k in (0, 5, 9, 5)]
    same(explore(native, s.engine, starts, Limits(9_000)), explore(native, s.engine, starts, Limits(9_000), folder=place))


def test_what_is_found_is_the_same(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "PATIENCE", 0)
    monkeypatch.setattr(arena, "LARGE", 1)
    s = subject("sakura/mutual-nesting")
    exact, found = (check_subject(s, Limits(3_000), means=choice.Means(folder=folder)) for folder in (None, place))
    assert [replace(f, bounds=exact.bounds) for f in found.findings] == [replace(f, bounds=exact.bounds) for f in exact.findings] != []
    assert found.bounds == exact.bounds


def test_a_checkpoint_made_in_memory_goes_on_in_files_and_back(native: Native, table: Table, place: Path, tmp_path: Path) -> None:
    for most, folder in ((2_000, None), (4_000, place), (None, None)):
        out = explore(native, table.engine, table.starts, Limits(most), None, Plan(tmp_path / "kept", most != 2_000), folder=folder)
    same(explore(native, table.engine, table.starts, Limits(None)), out)  # pyright: ignore[reportPossiblyUnboundVariable]


@pytest.mark.parametrize("other", [False, True])
def test_equal_hashes_of_different_keys_do_not_make_them_one_state(native: Native, table: Table, place: Path, other: bool) -> None:
    s = search.Search(native, Limits(3_000), folder=place)
    s.begin(table.starts)
    s.go()
    known, batch, size = s.arrays(), s.batch, len(s.key(7))
    key = np.array([*s.key(7)], np.uint64) ^ np.uint64(other)
    h = hash_of(key)
    at = int(place_of(h, known.table.size))
    known.table[:] = 0
    known.table[at] = np.uint32(7 + 1) | tag_of(h, low_bits(s.run[layout.TAG_BITS]))
    known.prints[7] = h
    batch.records[:3], batch.records[3:3 + size] = (size, 0, 0), key
    batch.hashes[0], batch.found[0], batch.where[0], batch.blocks[0, layout.SLOTS] = h, 0, layout.HEAD_WORDS, 1
    assert look_up(s.run, known, batch, 1, 0)
    assert batch.found[0] == (layout.FRESH if other else 7)


# ---------------------------------------------------------------- nothing stays
def test_files_are_gone_with_what_was_found(native: Native, table: Table, place: Path) -> None:
    out = explore(native, table.engine, table.starts, Limits(3_000), folder=place)
    assert mapped(place) > 5 and list(place.iterdir()) == []
    assert len(out.states) == 3_000
    del out
    assert mapped(place) == 0


def test_files_are_gone_after_an_exception(native: Native, table: Table, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(search.Search, "go", interrupted)
    with pytest.raises(KeyboardInterrupt):
        explore(native, table.engine, table.starts, Limits(None), folder=place)
    assert mapped(place) == 0 and list(place.iterdir()) == []


def test_control_c_leaves_what_was_found_and_no_file(tmp_path: Path, place: Path) -> None:
    run = command(str(duel(tmp_path, 20, 6, 4, 3, 2)), "--full", "--disk", str(place), "--no-hunt", ready=True)
    try:
        assert run.stderr is not None
        assert run.stderr.readline() == "searching\n"
        while not place.exists() and run.poll() is None:
            pass
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=200)
    finally:
        run.kill()
    assert run.returncode == 130, err
    assert "Stopped because the user interrupted it" in out
    assert list(place.iterdir()) == []


# ---------------------------------------------------------------- room
def test_where_the_disk_is_full_the_search_ends_and_what_it_found_is_judged(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "PATIENCE", 0)
    monkeypatch.setattr(arena, "LARGE", 5_000)
    left, allocate = [60_000], os.posix_fallocate

    def rationed(file: int, offset: int, size: int) -> None:
        left[0] -= size
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        allocate(file, offset, size)
    monkeypatch.setattr(arena.os, "posix_fallocate", rationed)
    s = subject_of(open_table(read_scenario(duel(tmp_path, 12, 4, 2, 2, 1)), {}), symmetry=True)
    with pytest.raises(BadInput, match="the disk is full"):  # before the search began
        check_subject(s, Limits(3_000), means=choice.Means(folder=place))
    left[0] = 4_500_000
    result = check_subject(s, Limits(None), means=choice.Means(threads=1, folder=place))
    assert cuts_of(result) == ["disk"] and not result.bounds.complete
    assert 5_000 < result.bounds.states < 80_000
    same_far = check_subject(s, Limits(result.bounds.states))
    assert [f.id for f in result.findings] == [f.id for f in same_far.findings] != []


def test_a_disk_that_is_really_full_does_not_end_the_process(native: Native, table: Table, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=640k", "none", str(small)], capture_output=True).returncode:
        pytest.skip("not allowed to mount")
    try:
        out = explore(native, table.engine, table.starts, Limits(None), folder=small)
        whole = explore(native, table.engine, table.starts, Limits(len(out.states)))
        assert out.cut == "disk" and len(out.states) > 0
        assert list(out.graph.target[:1_000]) == list(whole.graph.target[:1_000])
        del out
        assert mapped(small) == 0
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_what_is_in_memory_of_files_does_not_count(native: Native, table: Table, place: Path) -> None:
    array = arena.zeros_in(place)(1 << 25, np.uint8)
    array[:] = 1
    before = ending.measured_mib()
    explore(native, table.engine, table.starts, Limits(100), folder=place)
    assert ending.measured_mib() < before - 31
    assert array[-1] == 1


def test_the_interpreter_says_that_it_keeps_all_in_memory(place: Path) -> None:
    told: list[Text] = []
    choice.explore(subject("hanayome/swap"), Limits(50), None, "interpreter", told.append, means=choice.Means(folder=place))
    assert [t.en for t in told] == ["The reference engine looks, so positions are kept in memory."]


# ---------------------------------------------------------------- options
@pytest.mark.parametrize(("arguments", "said"), [
    (("--disk", "/dev/null/of-it"), "cannot write to /dev/null/of-it/positions"),
    (("--disk", "a", "--checkpoint", "b/../a"), "--disk and --checkpoint name the same folder, 'a'; name two."),
])
def test_a_folder_that_cannot_be_is_refused_before_the_search(arguments: tuple[str, ...], said: str) -> None:
    run = command("hanayome/swap", *arguments, ready=True)
    _, err = run.communicate()
    assert run.returncode == 2
    assert said in err and "searching" not in err


def test_elsewhere_it_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(request.sys, "platform", "darwin")
    assert main(["check", "hanayome/swap", "--disk", str(place), "--lang", "en"]) == 2
    assert "--disk cannot be used on this system, only on Linux." in capsys.readouterr().err
