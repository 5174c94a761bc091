"""Hunting finds what exact search finds, tells it by plays from the beginning, and says nothing of what is not there."""
from __future__ import annotations

import json
import time

import pytest

from rulewright.checks.checking import check_subject
from rulewright.checks.cli import main
from rulewright.checks.findings.record import Finding
from rulewright.checks.hunting import Hunt, hunted
from rulewright.model.engine.state import End

from ..toys.harness import LIMITS, assert_replays, line, toy

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
    assert result.bounds.notes[0].en == "no game could be played, so nothing was looked at"


def test_the_command_finds_a_loop_and_a_game_without_one_stays_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "sakura/improper-use", "-r", "improper-use=tried", "--max-time", "10", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    (result,) = told["results"]
    (finding,) = result["findings"]
    assert finding["cls"] == "loop" and result["bounds"]["complete"] is False
    assert "games were played by lot" in result["bounds"]["notes"][0]["en"]
    assert main(["hunt", "sakura/improper-use-control", "-r", "improper-use=tried", "--max-time", "6", "--lang", "en"]) == 0
    assert "games played by lot" in capsys.readouterr().out
