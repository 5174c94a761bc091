"""How the findings of shinso read, and what the plays behind them are."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from rulewright.checks.explore.explorer import Limits, explore, play_to
from rulewright.checks.findings.record import Finding, PlayStep
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.checks.scenarios.subjects import decks_are_legal, open_table, subject_of
from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

from ..render import as_text, render_finding

Lang = Literal["ja", "en"]
FOLDER = load_book("shinso").folder / "scenarios"
SHOWN: dict[str, dict[str, str]] = {
    "all-life-cards-both": {},
    "pass-only": {},
    "both-want-to-burn": {"declaration-order": "open"},
    "which-rim-card": {"rim-chooser": "open"},
    "attack-on-a-set-power": {"attack-on-power": "undecided"},
    "ring-on-and-off": {},
    "empty-deck-nothing-exiled": {"rebuild-from-nothing": "nothing-happens", "draw-from-nothing": "undecided"},
}


def scenario(name: str) -> Path:
    return FOLDER / f"{name}.yaml"


def the_finding(name: str) -> Finding:
    result = session.check(scenario(name), session.CheckOptions(readings=SHOWN[name]))[0]
    (finding,) = [f for f in result.findings if f.is_defect]
    return finding


@pytest.mark.parametrize("name", SHOWN)
def test_a_finding_reads_as_agreed(name: str, frozen: Callable[[str, str], None]) -> None:
    finding = the_finding(name)
    languages: tuple[Lang, ...] = ("ja", "en")
    for lang in languages:
        frozen(f"{name}.{lang}.txt", as_text(render_finding(finding, lang, names=names())))


def play_of(name: str, readings: dict[str, str]) -> list[PlayStep]:
    """The steps of a scenario with a single course of play."""
    subject = subject_of(open_table(read_scenario(scenario(name)), readings), symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    (end,) = out.ends()
    steps, _ = subject.tell_all([(out.states[k], o) for k, o in play_to(out, end)])
    return steps


def turn_of(step: PlayStep) -> str:
    assert step.turn is not None
    return step.turn.en


def test_a_game_is_played_from_the_preparation_to_a_fatal_attack() -> None:
    steps = play_of("played-to-the-end", {})
    clauses = [c for s in steps for c in s.clauses]
    assert {"確認ステップ・1", "呪縛ステップ・2", "シフトフェイズ第2段落", "プレイフェイズ・3", "エンドフェイズ.2"} <= set(clauses)
    assert "勝利条件・1" in steps[-1].clauses
    assert turn_of(steps[-1]) == "turn 11 (the first player)"
    assert not any("バトルフェイズ第2段落" in s.clauses for s in steps if turn_of(s) == "turn 1 (the first player)")


@pytest.mark.parametrize(("readings", "turn", "clause"), [
    ({"rebuild-when": "on-draw"}, 30, "勝利条件・2"),
    ({"rebuild-when": "while-zero"}, 28, "勝利条件・2"),
    ({"draw-from-nothing": "undecided"}, 26, "ドローフェイズ第1段落"),
    ({"rebuild-from-nothing": "nothing-happens", "draw-from-nothing": "undecided"}, 26, "ドローフェイズ第1段落"),
])
def test_what_ends_a_game_of_doing_nothing(readings: dict[str, str], turn: int, clause: str) -> None:
    last = play_of("pass-only", readings)[-1]
    assert turn_of(last) == f"turn {turn} (the second player)"
    assert clause in last.clauses


@pytest.mark.parametrize(("answer", "legal"), [("one", False), ("several", True), ("several-lowest", True)])
def test_two_shards_are_a_legal_beginning_where_any_number_is(tmp_path: Path, answer: str, legal: bool) -> None:
    two = tmp_path / "two-shards.yaml"
    two.write_text(scenario("full-game").read_text(encoding="utf-8").replace("[S-RED]", "[S-RED, S-NIGHT]"), encoding="utf-8")
    assert decks_are_legal(open_table(read_scenario(two), {"how-many-shards": answer})) is legal
