"""Several scenarios checked at a time: the same results in the same order; and what goes wrong in a process is told."""
from __future__ import annotations

import importlib.util
import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore import machine_code
from rulewright.checks.findings.as_json import result_as_json
from rulewright.checks.findings.cut_off import CUTS, is_cut, nothing_found
from rulewright.checks.limits.ending import SIGNAL, Ending, Part, in_one_piece
from rulewright.checks.native.team import Team
from rulewright.checks.runs import session, together, worker
from rulewright.checks.scenarios.options import CheckOptions
from rulewright.spec.diagnostics import BadInput, Diagnostic
from rulewright.spec.text import Text

FEW = ("harem_master/seventh", "sakura/pass-only", "harem_master/mulligan", "sakura/oath", "ts_fight/recovery")


def paths() -> list[Path]:
    return [path for name in FEW for path in session.resolve(name)]


def test_results_are_those_of_one_process_in_the_same_order() -> None:
    counts: list[int] = []
    done = together.all_done(paths(), together.check_one, CheckOptions(threads=2), None, counts.append, lambda: False)
    for path, one in zip(paths(), done, strict=True):
        assert one.done and not one.said
        assert [told(r) for r in one.found or ()] == [told(r) for r in session.check(path, CheckOptions(threads=1))]
    assert counts[-1] == len(FEW) and counts == sorted(counts)


def told(result: session.CheckResult) -> object:
    return {k: v for k, v in result_as_json(result).items() if k != "seconds"}


def test_with_one_thread_or_at_most_one_scenario_or_a_checkpoint_it_is_one_process() -> None:
    assert together.processes_for(0, CheckOptions(threads=4)) == 1
    assert together.processes_for(5, CheckOptions(threads=1)) == 1
    assert together.processes_for(1, CheckOptions(threads=4)) == 1
    assert together.processes_for(5, CheckOptions(threads=4, checkpoint=Path("kept"))) == 1
    assert together.processes_for(5, CheckOptions(threads=4)) == 4


def test_what_is_wrong_with_a_file_is_told_as_in_one_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("id: bad\nbook: sakura\ntitle: {ja: あ, en: a}\nbegin: nowhere\n", encoding="utf-8")
    errors: list[str] = []
    for threads in ("1", "2"):
        assert main(["check", "sakura/oath", str(bad), "--threads", threads, "--lang", "en"]) == 2
        errors.append(capsys.readouterr().err)
    assert errors[0] == errors[1] and "bad.yaml:4" in errors[0]


def wrong_later(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
    time.sleep(0.5 if path.stem == "first" else 0)
    raise BadInput([Diagnostic(None, path.stem, Text.same("wrong"), None, None)])


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
def test_of_several_that_are_wrong_the_first_is_told_of_whichever_is_done_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "check", wrong_later)
    with pytest.raises(BadInput) as wrong:
        together.all_done(
            [Path("first.yaml"), Path("second.yaml")], together.check_one, CheckOptions(threads=2), None, lambda n: None, lambda: False)
    assert [d.code for d in wrong.value.diagnostics] == ["first"]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process cannot be bound to processors")
def test_there_are_no_more_processes_than_processors_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert together.processes_for(5, CheckOptions()) == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_what_the_user_stops_is_told_as_cut_off() -> None:
    many = session.scenarios_of("sakura")
    done = together.all_done(many, together.check_one, CheckOptions(threads=2), None, lambda n: None, lambda: True)
    assert [one.found[0].scenario for one in done if one.found] == [path.stem for path in many]
    assert all(is_cut(result) for one in done if not one.begun for result in one.found or ())
    assert not all(one.begun for one in done)


def killed(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
    if path.stem == "mulligan":
        os.kill(os.getpid(), signal.SIGKILL)
    return check(path, options)


check = session.check


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
def test_what_other_processes_find_is_told_though_one_was_killed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(session, "check", killed)
    assert main(["check", *FEW, "--scenarios", "--lang", "en"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "harem_master/mulligan" in out and "because the system ended the process that looked" in out
    assert out.endswith("Cut off: 1 of 6.") and "sakura/oath" in out


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
@pytest.mark.parametrize(("kept", "told"), [(1, [({}, False), ({"felled-by": "still-standing"}, True)]), (0, [({}, True)]), (2, [({}, True), ({"felled-by": "still-standing"}, True)])])
def test_of_a_process_that_was_killed_it_is_told_under_which_readings_nothing_was_looked_at(
    kept: int, told: list[tuple[dict[str, str], bool]], monkeypatch: pytest.MonkeyPatch,
) -> None:
    def some(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
        found = check(path, replace(options, keep=None))
        if options.keep is not None and kept:
            options.keep(found[:kept])
        os.kill(os.getpid(), signal.SIGKILL)
        return found
    monkeypatch.setattr(session, "check", some)
    (one,) = together.all_done(session.resolve("harem_master/both-castles-fall"), together.check_one, CheckOptions(), None, lambda n: None, lambda: False)
    assert [(dict(r.readings), is_cut(r)) for r in one.found or ()] == told and one.cut == "lost"


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
def test_what_does_not_end_in_time_is_ended_and_what_it_had_told_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = session.resolve("harem_master/both-castles-fall")
    first, _ = check(path, CheckOptions())  # before the time begins: how long it takes is not what is asked here

    def lingering(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
        """Work that asks nobody, and takes no notice of being cut off."""
        if options.keep is not None:
            options.keep([first])
        until = time.monotonic() + 600
        while time.monotonic() < until:
            with suppress(BaseException):
                time.sleep(0.1)
        return []

    monkeypatch.setattr(session, "check", lingering)
    begun = time.monotonic()
    (one,) = together.all_done([path], together.check_one, CheckOptions(), begun + 5, lambda n: None, lambda: False)
    assert time.monotonic() - begun < 60
    told, cut = one.found or []
    assert one.cut == "seconds" and told.bounds.complete and told.bounds.states == first.bounds.states and is_cut(cut)


def late(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
    """Work that asks nobody, and may be cut off at any moment."""
    with Part() as part:
        while True:
            sum(range(1000))
    return [nothing_found("sakura", path.stem, Text.same("late"), {}, part.why)]


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
def test_work_that_asks_nobody_is_cut_off_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "check", late)
    (one,) = together.all_done([Path("x.yaml")], together.check_one, CheckOptions(), time.monotonic() + 0.5, lambda n: None, lambda: False)
    assert one.done and [r.title.en for r in one.found or ()] == ["late"] and is_cut((one.found or [])[0])


def test_a_compiler_is_cut_off_only_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised in the middle would be lost, and with it what was compiled."""
    kept: list[object] = []
    monkeypatch.setattr(machine_code.KeptCode, "load_overload", lambda *of: time.sleep(1))
    monkeypatch.setattr(machine_code.KeptCode, "save_overload", lambda *of: kept.append(of))
    half, went_on = machine_code.njit(cache=True)(lambda x: x / 2), False
    with Ending(until=time.monotonic()).watched(), Part() as part:
        half(1)
        went_on = True
    assert kept and part.why == "seconds" and not went_on


class CutOffMeanwhile:
    """A pipe whose process is to be cut off just while it tells what it has found."""

    def __init__(self) -> None:
        self.asked, self.sent = [0], list[tuple[str, object]]()

    def recv(self) -> int:
        if not self.asked:
            raise EOFError
        return self.asked.pop()

    def send(self, what: tuple[str, object]) -> None:
        if what[0] == "found":
            signal.raise_signal(SIGNAL)
        self.sent.append(what)


def telling_on_and_on(desk: together.Desk) -> None:
    while True:
        desk.keep("so far")


def test_what_a_process_tells_is_told_whole_before_it_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of it was taken for the beginning of what was told next."""
    monkeypatch.setattr(worker, "leave_to_parent", lambda: None)
    pipe, (told, _other) = CutOffMeanwhile(), multiprocessing.Pipe(duplex=False)
    worker.serve(pipe, [telling_on_and_on], told, 0.0, None)
    assert [what[0] for what in pipe.sent] == ["found", "done"]


def compiling(desk: together.Desk) -> str:
    with in_one_piece():
        time.sleep(1.5)
    return "compiled"


def test_a_compiler_for_which_memory_does_not_suffice_is_ended_with_its_process() -> None:
    """It takes ever more of it until it is done."""
    little, enough = (together.done_together([compiling], 1, memory=mib)[0] for mib in (1, 100_000))
    assert little.cut == "memory" and little.found is None
    assert not enough.cut and enough.found == "compiled"


def test_a_module_is_cut_off_only_when_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of one would be there for whoever asks for it next, as it is where modules are loaded late."""
    (tmp_path / "slow_to_load.py").write_text("import time\nfor _ in range(100): time.sleep(0.01)\nwhole = True\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    spec = importlib.util.find_spec("slow_to_load")
    assert spec is not None and spec.loader is not None
    module, went_on = importlib.util.module_from_spec(spec), False
    importlib.util.LazyLoader(spec.loader).exec_module(module)
    with Ending(until=time.monotonic()).watched(), Part() as part:
        went_on = module.whole
        while True:
            time.sleep(0.01)
    assert module.whole and went_on and part.why == "seconds"


def test_threads_that_do_a_thing_together_are_cut_off_only_when_all_have_done_it() -> None:
    """Else what is asked of them next would be answered by what they still did."""
    team, did, all_three = Team(3), list[tuple[str, int]](), threading.Barrier(3)

    def slowly(part: int, me: int) -> None:
        all_three.wait()
        time.sleep(0.6 * me)
        did.append(("slowly", part))
    with Ending(until=time.monotonic()).watched(), Part() as part:
        team.each(slowly, 3)
        did.append(("went on", 0))
    team.each(lambda part, me: did.append(("next", part)), 1)
    team.close()
    assert part.why == "seconds" and sorted(did[:3]) == [("slowly", 0), ("slowly", 1), ("slowly", 2)] and did[3:] == [("next", 0)]


def greedy(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
    with Part() as part:
        held = [bytearray(1 << 20) for _ in range(1 << 12)]
        assert not held
    return [nothing_found("sakura", path.stem, Text.same("greedy"), {}, part.why)]


@pytest.mark.skipif(together.START != "fork" or sys.platform != "linux", reason="memory is measured by what Linux says of it")
def test_a_limit_on_memory_cuts_off_what_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "check", greedy)
    (one,) = together.all_done(
        [Path("x.yaml")], together.check_one, CheckOptions(max_memory_mib=700), None, lambda n: None, lambda: False)
    (result,) = one.found or []
    assert CUTS["memory"] in result.bounds.notes


def test_memory_that_runs_out_ends_a_run_like_any_limit() -> None:
    """Within a process of its own, or not."""
    with Part() as part:
        raise MemoryError
    assert part.why == "memory"
    with pytest.raises(ValueError), Part():
        raise ValueError
