"""Random plays that try to break what must always hold."""
from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rulewright.checks.explore import random_plays
from rulewright.checks.explore.random_plays import PATIENCE, Liking, Played, Records, finding_of, tried
from rulewright.checks.findings.record import Bounds, Certainty, Finding, FindingClass
from rulewright.checks.native import breaking
from rulewright.checks.native.breaking import CompiledPlaying
from rulewright.checks.native.memory import Unsupported
from rulewright.checks.scenarios.subjects import open_table, read_scenario, scenario_paths, subject_of

from ..toys.harness import assert_replays, toy

BOUNDS = Bounds(False, 0, 0, 0)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_plays, "SLICE", 0.1)
    monkeypatch.setattr(random_plays, "SHORTER", 0.2)
    monkeypatch.setattr(random_plays, "AFTER", 0.2)


def told(out: Played) -> dict[str, Finding]:
    return {what: finding_of(x, BOUNDS) for what, x in out.found.items()}


def test_a_broken_invariant_is_told_with_the_shortest_play_found() -> None:
    """Three are moved, one is lost: the play says each step, and it can be replayed."""
    subject = toy("leaking", entry="dropping")
    out = tried([subject], 1.0)
    found = told(out)
    assert list(found) == ["nothing_is_lost"] and out.plays > 1 and out.states > out.plays
    finding = found["nothing_is_lost"]
    assert finding.cls is FindingClass.INVARIANT and finding.certainty is Certainty.FROM_POSITION
    assert sum(1 for s in finding.play.stem if s.decider is not None) == 4
    assert_replays(subject, finding)


def test_what_is_kept_is_not_told_of() -> None:
    out = tried([toy("leaking")], 0.3)
    assert not out.found and out.plays > 1


def test_a_number_that_leaves_its_range_is_told_of_real_games_only() -> None:
    """A position set up by hand may begin at any bound."""
    by_hand = toy("leaking", {"count": 4}, keep_unread=True)
    assert not tried([by_hand], 0.3).found
    found = told(tried([replace(by_hand, certainty=Certainty.FROM_SETUP)], 1.0))
    assert list(found) == ["count"]
    assert found["count"].title.en == "the count rises above its range (0 to 5)"
    assert sum(1 for s in found["count"].play.stem if s.decider is not None) == 2


def test_a_play_may_like_some_choices_better_than_others() -> None:
    """The same kind of choice keeps its weight for a whole play, and weights differ much."""
    subject = toy("leaking")
    state = subject.starts[0].state
    while (at := subject.engine.point(state)) is not None and len(at.options) < 2:
        state = subject.engine.apply(state, at.options[0]).state
    assert at is not None
    shares: list[float] = []
    for seed in range(60):
        liking = Liking(random.Random(seed))
        first = liking.weights(state, at)
        assert first == liking.weights(state, at) and all(w > 0 for w in first)
        shares.append(first[0] / sum(first))
    assert min(shares) < 0.02 and max(shares) > 0.98


def test_what_is_rare_is_come_to_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty right answers in a row: one play in a billion, but play goes on from the highest step so far."""
    found = told(tried([toy("climbing")], 2.0))["nobody_is_on_top"]
    assert sum(1 for s in found.play.stem if s.decider is not None) >= 30
    monkeypatch.setattr(Records, "drawn", lambda records, luck: None)
    assert not tried([toy("climbing")], 1.0).found


def test_a_record_that_nothing_comes_of_is_forgotten() -> None:
    subject = toy("climbing")
    start = subject.starts[0].state
    records, luck = Records(subject.program.layout), random.Random(0)
    records.look_at(0, list, start)
    kept = len(records.best)
    for _ in range(PATIENCE * kept):
        records.look_at(0, list, start)
        assert records.drawn(luck) is not None
    assert all(r.tries < PATIENCE for r in records.best.values()) and len(records.best) >= kept - 1


def test_nothing_is_played_when_there_is_no_time_or_nobody_wants_it() -> None:
    assert tried([toy("leaking")], 0.0).plays == 0
    assert tried([toy("leaking")], 5.0, lambda: True).plays == 0


def test_nothing_is_broken_in_a_book_as_it_is() -> None:
    """Plays of real games, in turns."""
    subjects = [subject_of(open_table(read_scenario(p), {}), False) for t in ("sakura/full-game", "sakura/opening") for p in scenario_paths(t)]
    out = tried(subjects, 1.5)
    assert out.scenarios == 2 and out.plays > 2 and not out.found


@pytest.mark.parametrize(("name", "entry", "what", "seconds"), [("leaking", "dropping", "nothing_is_lost", 1.0), ("climbing", "", "nobody_is_on_top", 3.0)])
def test_compiled_plays_break_what_the_interpreter_breaks(name: str, entry: str, what: str, seconds: float) -> None:
    """What they find is told by a play of the interpreter; what is kept they do not break."""
    subject = toy(name, entry=entry) if entry else toy(name)
    game = replace(subject, certainty=Certainty.FROM_SETUP)
    out = tried([game], seconds, None, CompiledPlaying)
    assert list(out.found) == [what]
    assert_replays(subject, replace(told(out)[what], certainty=Certainty.FROM_POSITION))
    kept = tried([replace(toy("leaking"), certainty=Certainty.FROM_SETUP)], 0.3, None, CompiledPlaying)
    assert not kept.found and kept.plays > 1


def test_what_cannot_be_compiled_the_interpreter_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise Unsupported("a set of 99 things")

    monkeypatch.setattr(breaking, "Native", refused)
    out = tried([replace(toy("leaking", entry="dropping"), certainty=Certainty.FROM_SETUP)], 1.0, None, CompiledPlaying)
    assert list(out.found) == ["nothing_is_lost"]
