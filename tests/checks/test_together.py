"""Several scenarios checked at a time: the same results in the same order; and what goes wrong in a process is told."""
from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from rulewright.checks import session, together
from rulewright.checks.cli import main
from rulewright.checks.findings.as_json import result_as_json
from rulewright.checks.options import CheckOptions
from rulewright.spec.diagnostics import BadInput, Diagnostic
from rulewright.spec.text import Text

FEW = ("harem_master/seventh", "sakura/pass-only", "harem_master/mulligan", "sakura/oath", "ts_fight/recovery")


def paths() -> list[Path]:
    return [path for name in FEW for path in session.resolve(name)]


def test_results_are_those_of_one_process_in_the_same_order() -> None:
    counts: list[int] = []
    done = together.check_together(paths(), CheckOptions(), 2, counts.append, lambda: False)
    assert list(done) == paths()
    for path, (results, said) in done.items():
        assert said == []
        assert [told(r) for r in results] == [told(r) for r in session.check(path, CheckOptions(threads=1))]
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
        together.check_together([Path("first.yaml"), Path("second.yaml")], CheckOptions(), 2, lambda n: None, lambda: False)
    assert [d.code for d in wrong.value.diagnostics] == ["first"]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process cannot be bound to processors")
def test_there_are_no_more_processes_than_processors_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert together.processes_for(5, CheckOptions()) == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_what_the_user_stops_is_left_out() -> None:
    many = session.scenarios_of("sakura")
    done = together.check_together(many, CheckOptions(), 2, lambda n: None, lambda: True)
    assert len(done) < len(many) and list(done) == [path for path in many if path in done]


def killed(path: Path, options: CheckOptions, *more: object) -> list[session.CheckResult]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


@pytest.mark.skipif(together.START != "fork", reason="the process that is started would not know of what is put in place of check")
def test_a_process_that_is_killed_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "check", killed)
    with pytest.raises(BadInput) as wrong:
        together.check_together(paths(), CheckOptions(), 2, lambda n: None, lambda: False)
    assert [d.code for d in wrong.value.diagnostics] == ["process-lost"]
