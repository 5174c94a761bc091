"""Searches that are kept on disk: killed and resumed they come out the same; damaged or foreign ones are refused."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rulewright.checks.explore.explorer import Exploration, Limits
from rulewright.checks.native import checkpoint as checkpoints
from rulewright.checks.native import choice, explorer
from rulewright.checks.native.checkpoint import Plan
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.scenarios.subjects import open_table, read_scenario, subject_of
from rulewright.model.engine.table import Table
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

from .crystals import duel

KILLED = Path(__file__).parents[2] / "benchmarks" / "killed.py"


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return open_table(read_scenario(duel(tmp_path_factory.mktemp("duel"))), {})


@pytest.fixture(scope="module")
def native(table: Table, cache_of_tests: Path) -> Native:
    return Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, cache=cache_of_tests, level=1)


def run(native: Native, table: Table, limits: Limits, plan: Plan | None = None) -> Exploration:
    return explore(native, table.engine, table.starts, limits, None, plan)


def counts(out: Exploration) -> tuple[object, ...]:
    return (len(out.states), out.transitions, out.cut, list(out.graph.target), list(out.graph.owner), list(out.depth),
            [out.states[k] for k in (0, 1, len(out.states) // 2, -1)])


# ---------------------------------------------------------------- killed and resumed
def test_killed_at_random_and_resumed_it_gives_what_an_undisturbed_run_gives(tmp_path: Path) -> None:
    model = duel(tmp_path, 14, 4, 2, 2, 2)
    done = subprocess.run(
        [sys.executable, str(KILLED), str(model), "--kills", "3", "--every", "0", "--share", "0", "--graph"],
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 377018 733458 " in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1].startswith("killed 3 times: 377018 733458 ")


@pytest.mark.slow
def test_ten_kills_on_fifteen_million_positions(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(KILLED), "--kills", "10"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[1].startswith("killed 10 times: 15783618 34143439 ")


def test_a_search_stopped_by_a_limit_goes_on_with_a_larger_one(native: Native, table: Table, tmp_path: Path) -> None:
    for most in (500, 9_000):
        assert run(native, table, Limits(most), Plan(tmp_path, resume=most > 500)).cut == "states"
    resumed = run(native, table, Limits(None), Plan(tmp_path, resume=True))
    assert counts(resumed) == counts(run(native, table, Limits(None)))
    assert counts(run(native, table, Limits(None), Plan(tmp_path, resume=True))) == counts(resumed)  # nothing left to do


@pytest.mark.parametrize(("most", "kept"), [(50, True), (None, False)])
def test_a_search_that_comes_to_its_limit_at_once_is_kept_and_one_that_is_done_need_not_be(table: Table, tmp_path: Path, most: int | None, kept: bool) -> None:
    plan = Plan(tmp_path / "kept")
    out = choice.explore(subject_of(table, symmetry=False), Limits(most), patience=600.0, means=choice.Means(checkpoints=plan))
    assert (out.cut, plan.exists) == ("states" if kept else "", kept)


def test_an_unfinished_piece_behind_the_manifest_is_overwritten(native: Native, table: Table, tmp_path: Path) -> None:
    run(native, table, Limits(2_000), Plan(tmp_path))
    for file in tmp_path.glob("*.bin"):
        with file.open("ab") as f:
            f.write(b"half a piece")
    assert counts(run(native, table, Limits(None), Plan(tmp_path, resume=True))) == counts(run(native, table, Limits(None)))


# ---------------------------------------------------------------- refused
@pytest.fixture
def kept(native: Native, table: Table, tmp_path: Path) -> Callable[[], str]:
    """A checkpoint in `tmp_path`; the function resumes it and says how it is refused."""
    run(native, table, Limits(2_000), Plan(tmp_path))

    def refused() -> str:
        with pytest.raises(BadInput) as caught:
            run(native, table, Limits(None), Plan(tmp_path, resume=True))
        (one,) = caught.value.diagnostics
        assert "remove the folder" in one.render("en") or one.code != "damaged-checkpoint"
        return f"{one.code}: {one.message.en}"
    return refused


@pytest.mark.parametrize("name", ["keys", "offsets", "ended", "depth", "turns", "owner", "first_edge", "target", "crossing"])
def test_a_damaged_file_is_refused(kept: Callable[[], str], tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.bin"
    good = file.read_bytes()
    middle = len(good) // 2
    file.write_bytes(good[:middle] + bytes([good[middle] ^ 4]) + good[middle + 1:])
    assert kept() == f"damaged-checkpoint: {file} is damaged and is not used (it does not agree with its checksum)"
    file.write_bytes(good[:-3])
    assert kept() == f"damaged-checkpoint: {file} is damaged and is not used ({len(good) - 3} bytes instead of {len(good)})"
    file.unlink()
    assert kept() == f"damaged-checkpoint: {file} is damaged and is not used (there is no such file)"


def test_a_damaged_manifest_is_refused(kept: Callable[[], str], tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    good = file.read_bytes()
    content = json.loads(good)
    content["facts"]["run"][0] += 1
    for bad in (b"", b"[]", good[:-40], json.dumps(content).encode(), good.replace(b'"sum"', b'"Sum"')):
        file.write_bytes(bad)
        assert kept() == f"damaged-checkpoint: {file} is damaged and is not used (it does not agree with its checksum)"


@pytest.mark.parametrize(("changed", "said"), [
    (lambda t, n: (t, n, Limits(None, depth=9)), "the limits on depth or turns"),
    (lambda t, n: (duel_table(9), None, Limits(None)), "the position play begins from"),
])
def test_a_checkpoint_of_another_search_is_refused(
    native: Native, table: Table, kept: Callable[[], str], tmp_path: Path, changed: Callable[..., tuple[Table, Native | None, Limits]],
    said: str,
) -> None:
    other, code, limits = changed(table, native)
    code = code or Native(other.program, other.engine.policies, card_ids=other.engine.card_ids, level=0)
    with pytest.raises(BadInput) as caught:
        run(code, other, limits, Plan(tmp_path, resume=True))
    (one,) = caught.value.diagnostics
    assert one.code == "foreign-checkpoint"
    assert said in one.message.en.split("different: ")[1]


def duel_table(crystals: int) -> Table:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return open_table(read_scenario(duel(Path(folder), crystals, dust=1)), {})


def test_another_version_is_refused(kept: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "FORMAT", "rulewright checkpoint 0")
    assert kept().endswith("different: the format of the checkpoint")


def test_a_checkpoint_in_the_way_is_not_overwritten(
    native: Native, table: Table, kept: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(native, table, Limits(2_000), Plan(tmp_path))  # of this very process: the same search once more
    monkeypatch.setattr(checkpoints, "ours", set())
    before = {f.name: f.read_bytes() for f in tmp_path.iterdir()}
    with pytest.raises(BadInput, match="there is a checkpoint in"):
        run(native, table, Limits(None), Plan(tmp_path))
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == before


def test_a_limit_already_passed_is_refused(native: Native, table: Table, kept: Callable[[], str], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="gone beyond the limit on positions"):
        run(native, table, Limits(1_000), Plan(tmp_path, resume=True))


@pytest.mark.skipif(sys.platform == "win32", reason="never: there are no such locks")
def test_two_runs_do_not_write_to_one_checkpoint(kept: Callable[[], str], tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / "lock").open("ab") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        assert kept() == f"checkpoint-in-use: another run is writing to {tmp_path}"


def test_a_disk_that_is_full_does_not_end_the_search(native: Native, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Text] = []

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device", "the disk")
    monkeypatch.setattr(checkpoints.os, "fsync", full)
    out = explore(native, table.engine, table.starts, Limits(None), None, Plan(tmp_path), told.append)
    assert len(out.states) == len(run(native, table, Limits(None)).states)
    assert [t.en for t in told] == ["The checkpoint cannot be written (the disk: No space left on device). The search goes on."]


def test_the_table_is_not_kept(native: Native, table: Table, tmp_path: Path) -> None:
    out = run(native, table, Limits(None), Plan(tmp_path))
    depths = np.fromfile(tmp_path / "depth.bin", np.int32)
    assert depths.tolist() == list(out.depth)
    assert not (tmp_path / "table.bin").exists()


def test_where_the_reference_engine_looks_it_says_that_nothing_is_kept(tmp_path: Path) -> None:
    from .test_explorer import subject

    told: list[Text] = []
    choice.explore(subject("hanayome/swap"), Limits(50), None, "interpreter", told.append, means=choice.Means(Plan(tmp_path / "x")))
    assert [t.en for t in told] == ["The reference engine looks, so no checkpoints are written."]
    assert not (tmp_path / "x").exists()


# ---------------------------------------------------------------- through the command
SAYS_WHEN = """
import os, sys
from rulewright.checks import cli
from rulewright.checks.runs import session
check = session.check_subject
def told(*a):
    os.write(2, b"searching\\n")  # at once: other processes say it too
    return check(*a)
session.check_subject = told
sys.exit(cli.main())
"""


def command(*arguments: str, lang: str = "en", ready: bool = False) -> subprocess.Popen[str]:
    """`rulewright check`; `ready`: it says so when a search begins."""
    program = ["-c", SAYS_WHEN] if ready else ["-m", "rulewright.checks"]
    return subprocess.Popen([sys.executable, *program, "check", *arguments, "--lang", lang],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUTF8": "1"})


@pytest.mark.skipif(sys.platform == "win32", reason="never: there is no such signal")
@pytest.mark.parametrize(("lang", "said", "note"), [
    ("en", "Stopped because the user interrupted it", "Interrupted: this is what was found so far (situations: 1; not looked at: 1)."),
    ("ja", "利用者が中断したため、そこで打ち切りました", "中断しました。調べ終えた所までの結果です（状況 1 件、残り 1 件は調べていません）。"),
])
def test_control_c_leaves_a_partial_result(tmp_path: Path, lang: str, said: str, note: str) -> None:
    large, small = duel(tmp_path, 14, 4, 2, 2, 2), duel(tmp_path, 8, 2, 1, 1, 0)
    run = command(str(large), str(small), "--full", "--engine", "interpreter", "--max-states", "30000000", "--threads", "1", lang=lang, ready=True)
    try:
        assert run.stderr is not None
        assert run.stderr.readline() == "searching\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=200)
    finally:
        run.kill()
    assert run.returncode == 130, err
    assert said in out
    assert err == note + "\n"


@pytest.mark.skipif(sys.platform == "win32", reason="never: there is no such signal")
def test_control_c_leaves_partial_results_of_several_processes(tmp_path: Path) -> None:
    large = [duel(tmp_path, crystals, 4, 2, 2, 2) for crystals in range(13, 19)]
    run = command(*map(str, large), "--full", "--engine", "interpreter", "--max-states", "30000000", "--threads", "2", ready=True)
    try:
        assert run.stderr is not None
        assert run.stderr.readline() == "searching\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=200)
    finally:
        run.kill()
    assert run.returncode == 130, err
    assert "Stopped because the user interrupted it" in out
    assert "Interrupted: this is what was found so far (situations: " in err and "Traceback" not in err


def test_a_search_interrupted_by_the_user_can_be_resumed(
    native: Native, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explorer, "BUDGET", 4_000)
    out = run(native, table, Limits(None, stop=lambda: True, seconds=1_000), Plan(tmp_path))
    assert out.cut == "user" and 0 < out.transitions < 10_000
    resumed = run(native, table, Limits(None, stop=lambda: False), Plan(tmp_path, resume=True))
    assert counts(resumed) == counts(run(native, table, Limits(None)))


def test_a_search_stopped_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    """A folder in which nothing was begun is refused: see below."""
    begun = tmp_path / "kept" / "of-a-search"
    begun.mkdir(parents=True)
    (begun / "lock").touch()
    run = command(str(duel(tmp_path, 8, 2, 1, 1, 0)), "--checkpoint", str(tmp_path / "kept"), "--resume", "--max-states", "100")
    out, err = run.communicate()
    assert run.returncode in (0, 1), err
    assert "before its first checkpoint was written: it begins anew" in err
    assert "Cut off: 1 of 1." in out


@pytest.mark.slow
def test_what_answers_would_change_in_a_scripted_play_is_kept_apart_from_it(tmp_path: Path) -> None:
    run = command("hanayome/pass-only", "--checkpoint", str(tmp_path / "kept"))
    out, err = run.communicate()
    assert run.returncode == 1, err
    assert "HANA-" in out


@pytest.mark.parametrize(("arguments", "said"), [
    (("--resume",), "--resume needs --checkpoint FOLDER too."),
    (("--checkpoint-every", "5"), "--checkpoint-every needs --checkpoint FOLDER too."),
    (("--checkpoint", "/dev/null/of-it"), "cannot write to /dev/null/of-it/manifest.json"),
    (("--resume", "--checkpoint", "nowhere"), "There is no checkpoint in 'nowhere'; begin without --resume."),
    (("--resume", "--checkpoint", str(KILLED.parent)), "benchmarks'; begin without --resume."),
])
def test_options_that_do_not_fit_together_or_name_no_folder_are_refused(arguments: tuple[str, ...], said: str) -> None:
    run = command("hanayome/swap", *arguments)
    _, err = run.communicate()
    assert run.returncode == 2
    assert said in err
