"""Hunting finds what exact search finds, tells it by plays from the beginning, and says nothing of what is not there."""
from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.cut_off import CUTS, nothing_found
from rulewright.checks.findings.names import NO_NAMES
from rulewright.checks.findings.record import CheckResult, Exercised, Finding
from rulewright.checks.findings.summary import summary
from rulewright.checks.hunt import hunting, results
from rulewright.checks.hunt.hunting import Hunt, examined, hunted
from rulewright.checks.hunt.results import DECISIONS, PLAYS, UNTOLD, USUAL_WORK, gathered, with_hunted, work_beyond
from rulewright.checks.native import build
from rulewright.checks.native.build import OPTIMISED, QUICKLY
from rulewright.checks.runs import together
from rulewright.checks.scenarios.checking import check_subject
from rulewright.model.engine.state import End

from ..render import result_page
from ..toys.harness import LIMITS, assert_replays, line, toy

CheckedJson = dict[str, Any]
ENOUGH = 400
"""Plays after which a toy is known; or so many seconds, on a busy machine."""
SECONDS = 30


def hunt(name: str, seed: int = 0) -> tuple[Hunt, list[Finding]]:
    one = Hunt(toy(name), seed)
    one.stop = lambda: one.out.plays >= ENOUGH
    one.go_on(time.monotonic() + SECONDS)
    one.stop = lambda: False
    return one, one.told()


@pytest.mark.parametrize("name", ["lamp", "ping_pong", "free_action", "half_done", "leaking", "failing", "readings", "climbing", "conserved"])
def test_what_exact_search_finds_is_found_and_nothing_else(name: str) -> None:
    exact = check_subject(toy(name), LIMITS)
    assert exact.bounds.complete
    one, found = hunt(name)
    assert sorted(map(line, found)) == sorted(map(line, exact.findings))
    for finding in found:
        assert_replays(one.subject, finding)
        right = next(f for f in exact.findings if line(f) == line(finding))
        assert len(finding.play.stem) <= 2 * len(right.play.stem) + 4


def test_what_grows_beyond_every_bound_is_found() -> None:
    one = Hunt(toy("nesting"))
    one.stop = lambda: bool(one.out.found)
    one.go_on(time.monotonic() + SECONDS)
    one.stop = lambda: False
    (found,) = one.told()
    assert line(found) == "growing loop NOBODY game 1.1 1.2"


@pytest.mark.parametrize(("entry", "found"), [("main", ["growing loop NOBODY game 1.1"]), ("full", ["hint: repetition 1.1"])])
def test_what_grows_slowly_is_found_long_before_it_leaves_its_range(entry: str, found: list[str]) -> None:
    one = Hunt(toy("tally", entry=entry))
    one.stop = lambda: bool(one.out.found) or one.out.looked > 4
    one.go_on(time.monotonic() + SECONDS)
    one.stop = lambda: False
    assert any(key[0] == "grows" for key in one.out.sightings) and not one.out.ends
    assert list(map(line, one.told())) == found


def test_another_seed_plays_otherwise_and_the_same_the_same() -> None:
    def first_plays(seed: int) -> tuple[int, ...]:
        one = Hunt(toy("readings"), seed)
        one.stop = lambda: one.out.plays >= 50
        one.go_on(time.monotonic() + SECONDS)
        return one.out.decisions, one.out.steps
    assert first_plays(1) == first_plays(1) != first_plays(2)


def test_where_nothing_can_be_played_nothing_is_claimed() -> None:
    subject = toy("lamp")
    over = [start._replace(state=start.state._replace(frames=(), end=End("draw", -1, ""))) for start in subject.starts]
    subject.starts = over
    result = hunted(subject, 5.0)
    assert not result.bounds.complete and not result.findings
    assert result.bounds.notes[0].en == "no game could be played, so nothing was looked at (play stops before anybody chooses, or there was no time; rulewright check tells how it stops)"


def test_the_command_finds_a_loop_and_a_game_without_one_stays_silent(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in ("3", "12", "48", "160"):  # how much is played in that time depends on the machine
        code = main(["hunt", "sakura/improper-use", "-r", "improper-use=tried", "--max-time", seconds, "--json"])
        told = json.loads(capsys.readouterr().out)
        if told["results"][0]["findings"]:
            break
    assert code == 1
    (result,) = told["results"]
    (finding,) = result["findings"]
    assert finding["cls"] == "loop" and result["bounds"]["complete"] is False
    assert "games were played by lot" in result["bounds"]["notes"][0]["en"]
    assert main(["hunt", "sakura/improper-use-control", "-r", "improper-use=tried", "--max-time", "3", "--lang", "en"]) == 0
    assert "games played by lot" in capsys.readouterr().out


def test_what_there_was_no_time_to_tell_is_not_called_not_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    one = Hunt(toy("free_action"), 0)
    one.stop = lambda: one.out.plays >= ENOUGH
    one.go_on(time.monotonic() + SECONDS)
    one.stop = lambda: True
    assert one.told() == [] and one.out.untold > 0
    whole = hunted(toy("free_action"), None, work=30_000)
    late, empty = (replace(whole, findings=(), examined=rows) for rows in (examined(one.out), whole.examined))
    for result, said, code in ((late, "no time to tell", 1), (empty, "Not found within", 0)):
        page = "\n".join(str(block) for block in result_page(result, "en"))
        assert said in page and ("Not found" in page) is not bool(code)
        monkeypatch.setattr("rulewright.checks.commands.check._done", lambda *_, result=result: [[result]])
        assert main(["hunt", "sakura/pass-only", "--lang", "en"]) == code
    capsys.readouterr()


def counted(result: CheckResult) -> dict[str, int]:
    return {row.what.en: row.count for row in result.examined}


def test_a_hunt_of_so_much_work_is_the_same_again() -> None:
    one, again, other = (hunted(toy("free_action"), None, seed, work=30_000) for seed in (0, 0, 1))
    assert replace(one, seconds=0.0) == replace(again, seconds=0.0)
    assert counted(one) != counted(other)


def test_a_hunt_of_so_much_work_comes_to_an_end_where_nobody_chooses_anything() -> None:
    """`check` without a limit on time waited for it for ever."""
    one = Hunt(toy("stamp", entry="read"))
    one.stop = lambda: one.out.plays > 5_000
    one.go_on(None, work=300)
    assert one.out.decisions == 0 < one.out.plays <= 5_000


def test_code_that_is_quickly_optimised_plays_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = hunted(toy("free_action"), None, work=30_000)
    monkeypatch.setattr(build, "cache_folder", lambda kind: tmp_path)  # nothing is at hand
    made = Hunt(toy("free_action"))
    assert made.native.compiled.level == QUICKLY
    monkeypatch.setattr(hunting, "AT_ONCE", 0.0)
    made.go_on(None, work=30_000)
    assert made.native.compiled.level == OPTIMISED and made.out.plays == counted(one)[PLAYS.en]
    assert Hunt(toy("free_action")).native.compiled.level == OPTIMISED, "now it is at hand"
    short = Hunt(toy("free_action"))
    short.native = short.compiled(QUICKLY)
    short.go_on(time.monotonic() + 0.2)
    assert short.native.compiled.level == QUICKLY and short.out.plays, "little time is not spent on optimising"


def test_what_was_played_is_kept_where_the_time_is_over_before_it_is_told() -> None:
    kept: list[CheckResult] = []

    def over(so_far: CheckResult) -> None:
        kept.append(so_far)
        raise TimeoutError
    with pytest.raises(TimeoutError):
        hunted(toy("free_action"), None, work=30_000, keep=over)
    (so_far,) = kept
    assert so_far.findings == () and counted(so_far)[PLAYS.en] > 0 and counted(so_far)[UNTOLD.en] == 1
    assert "1 more were found, but there was no time to tell their plays" in so_far.bounds.notes[0].en
    assert UNTOLD.en not in counted(hunted(toy("free_action"), None, work=30_000))


def test_where_time_is_short_what_was_found_is_told_before_any_of_it_is_looked_at_farther(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Hunt(toy("free_action"), 0)
    one.stop = lambda: one.out.plays >= ENOUGH
    one.go_on(time.monotonic() + SECONDS)
    one.stop = lambda: False
    near, kept = one.findings_in, list[list[Finding]]()

    def found(region: hunting.Region, whole: bool = False, most: int = hunting.AROUND, *more: Any) -> tuple[Finding, ...]:
        if most == hunting.AROUND_TOLD:
            raise TimeoutError
        return near(region, whole, most, *more)
    monkeypatch.setattr(one, "findings_in", found)
    with pytest.raises(TimeoutError):
        one.told(lambda so_far: kept.append([*so_far]), hurried=True)
    (finding,) = kept[-1]
    assert_replays(one.subject, finding)
    assert one.out.untold == 0
    monkeypatch.setattr(one, "findings_in", near)
    assert list(map(line, one.told(hurried=True))) == [line(finding)] == list(map(line, one.told()))


def test_compiling_what_all_hunts_need_is_not_part_of_the_time(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ready, made = [False], list[Path]()
    monkeypatch.setattr(together, "is_ready", lambda: ready[0])
    monkeypatch.setattr(together, "ready_one", lambda path, options, desk: time.sleep(4.5) or made.append(path))
    for known in (False, True):
        ready[0] = known
        main(["hunt", "sakura/improper-use-control", "--max-time", "4", "--lang", "en"])
        said = capsys.readouterr()
        assert ("Compiling what every hunt needs" in said.err) is not known
        assert "games played by lot" in said.out


@pytest.mark.parametrize(("card", "wrong"), [("BLANK", False), ("BLNK", True)])
def test_what_is_wrong_in_a_file_is_told_before_anything_is_compiled(
    card: str, wrong: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(together, "make_ready", lambda path, *_: asked.append(path))
    path = tmp_path / "mine.yaml"
    path.write_text(
        f"book: hanayome\nid: mine\ntitle: x\nbegin: end-phase\nposition: {{first: {{hand: [{card} x9], deck: [BLANK x4]}}, second: {{deck: [BLANK x4]}}}}\n",
        encoding="utf-8")
    assert (main(["hunt", str(path), "--max-time", "3"]) == 2) is wrong
    assert bool(asked) is not wrong


def test_what_several_hunts_find_is_told_once_with_all_that_they_did() -> None:
    parts = [hunted(toy("free_action"), None, 3, work=30_000, part=part) for part in (0, 1)]
    assert counted(parts[0]) != counted(parts[1])
    both = gathered(parts, 3)
    assert sorted(map(line, both.findings)) == sorted(map(line, parts[0].findings)) == sorted(map(line, parts[1].findings))
    assert all(counted(both)[what.en] == sum(counted(part)[what.en] for part in parts) for what in (PLAYS, DECISIONS))
    assert both.bounds.notes[0].en.startswith(f"{counted(both)[PLAYS.en]:,} games") and "seed 3, 2 processes" in both.bounds.notes[0].en
    stopped = nothing_found(both.book, both.scenario, both.title, both.readings, "lost")
    half = gathered([parts[0], stopped], 3)
    assert counted(half) == counted(parts[0]) and half.findings and CUTS["lost"] in half.bounds.notes
    assert gathered([stopped, stopped], 3) == stopped


def test_beside_what_a_search_found_a_hunt_tells_only_more() -> None:
    hunt = hunted(toy("free_action"), None, work=30_000)
    whole = summary([hunt], NO_NAMES)
    assert (whole.runs, whole.cut_runs, whole.cut) == (1, 0, ())  # no limit on values cut it off
    exact = check_subject(toy("free_action"), LIMITS)
    assert with_hunted(exact, hunt).findings == exact.findings
    none = replace(exact, findings=(), exercised=Exercised(1, ("9.9",)))
    assert with_hunted(none, hunt).exercised is None  # a game may have carried 9.9 out
    assert with_hunted(none, hunt).findings == hunt.findings and with_hunted(none, hunt).bounds.notes[-1] == hunt.bounds.notes[0]


@pytest.mark.parametrize(("searched", "work"), [(40, 80_000), (1_000, USUAL_WORK), (200_000, USUAL_WORK)])
def test_a_hunt_beyond_a_limit_is_as_long_as_the_search_was(searched: int, work: int) -> None:
    result = check_subject(toy("free_action"), LIMITS)
    assert work_beyond(replace(result, bounds=replace(result.bounds, states=searched))) == work


SAKURA = Path(__file__).parents[2] / "spec" / "sakura" / "scenarios"


@pytest.mark.parametrize(("name", "found"), [("improper-use", 1), ("improper-use-control", 0)])
def test_a_check_that_its_scenario_cuts_off_hunts_further(
    name: str, found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(results, "FOR_EACH", 70_000)
    text = (SAKURA / f"{name}.yaml").read_text(encoding="utf-8").partition("expect:")[0]
    lines = [line for line in text.splitlines() if not line.startswith(("bounds:", "control:"))]
    path = tmp_path / f"{name}.yaml"
    path.write_text("\n".join([*lines, "bounds: {states: 3}"]), encoding="utf-8")

    def checked(*more: str) -> tuple[int, CheckedJson]:
        code = main(["check", str(path), "-r", "improper-use=tried", "--json", *more])
        (result,) = json.loads(capsys.readouterr().out)["results"]
        return code, result
    code, result = checked()
    notes = [note["en"] for note in result["bounds"]["notes"]]
    assert (code, len(result["findings"]), result["bounds"]["complete"]) == (found, found, False)
    assert CUTS["states"].en in notes and any("games were played by lot" in note for note in notes)
    for silent in ("--no-hunt", "--max-states=3"):
        code, result = checked(silent)
        assert (code, result["findings"]) == (0, []) and not any("by lot" in note["en"] for note in result["bounds"]["notes"])
