"""Where play stands when something is found: in the preparation, with decks that nobody may play with, where nothing decides."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks import session
from rulewright.checks.findings.record import Certainty, FindingClass

MODEL = Path(__file__).resolve().parents[2] / "model/games"


# ---------------------------------------------------------------- before the first turn
def test_nobody_is_the_turn_player_in_the_preparation() -> None:
    """A mulligan that may be taken again and again is a loop of the preparation; the same play of a game under way has a turn
    player, and the clauses about that player apply."""
    readings = {"hand-limit": "none", "mulligan-repeat": "again"}
    (result,) = session.check(*session.resolve("hanayome/mulligan"), session.CheckOptions(readings))
    loops = [f for f in result.findings if not f.hint]
    assert [(f.scope and f.scope.en, f.stopper and f.stopper.en) for f in loops] == [
        ("the preparation", "the first player"), ("the preparation", "the second player")]
    assert len({f.id for f in loops}) == 2
    assert all("nobody is the turn player yet" in v.why.en for f in loops for v in f.clause_verdicts[:2])
    assert not any(v.answer == "applies" for f in loops for v in f.clause_verdicts)
    (result, *_) = session.check(*session.resolve("hanayome/recycling-events-in-main-phase"), session.CheckOptions({}))
    (loop, *_) = [f for f in result.findings if not f.hint]
    assert (loop.scope and loop.scope.en, loop.stopper and loop.stopper.en) == ("the main phase", "the turn player (the first player)")


def test_a_loop_across_turns_is_none_of_the_preparation() -> None:
    (result, *_) = session.check(*session.resolve("ts_fight/only-one-can-attack"), session.CheckOptions({}))
    (loop,) = [f for f in result.findings if not f.hint]
    assert loop.scope is not None and loop.scope.en == "the game" and loop.level == "game"


def test_decks_that_break_the_rules_of_construction_are_a_given_position() -> None:
    (result,) = session.check(*session.resolve("hanayome/short-deck"), session.CheckOptions({"hand-limit": "none"}))
    assert [f.certainty for f in result.findings] == [Certainty.FROM_POSITION] and result.findings[0].position is not None
    (result, *_) = session.check(*session.resolve("hanayome/mulligan"), session.CheckOptions({"hand-limit": "none", "mulligan-repeat": "again"}))
    assert {f.certainty for f in result.findings} == {Certainty.FROM_SETUP}
    for book in session.books():
        assert "def legal_deck(g: Game, p: Player) -> bool:" in (MODEL / book / "preparation.py").read_text(encoding="utf-8")


# ---------------------------------------------------------------- one clause, one place
@pytest.mark.parametrize(("who", "clause"), [("second", "9.3.2"), ("first", "9.3.4")])
def test_loops_of_play_timings_name_the_clause_of_the_player_who_has_them(tmp_path: Path, who: str, clause: str) -> None:
    """In the event step the other player's timing is 9.3.2, the turn player's 9.3.4."""
    (shipped,) = session.resolve("hanayome/recycling-events-in-event-step")
    text = shipped.read_text(encoding="utf-8").partition("control:")[0]
    if who == "first":
        text = text.replace("  first:\n", "  other:\n").replace("  second:\n", "  first:\n").replace("  other:\n", "  second:\n")
    path = tmp_path / "recycling.yaml"
    path.write_text(text, encoding="utf-8")
    (result,) = session.check(path, session.CheckOptions({"one-event-per-timing": "many"}))
    (loop,) = [f for f in result.findings if f.cls is FindingClass.LOOP]
    assert loop.clauses[0] == clause and loop.stopper is not None
    assert loop.stopper.ja.startswith("ターンプレイヤー") is (who == "first")


# ---------------------------------------------------------------- where nothing decides
def test_values_that_nothing_decides_are_not_shown_as_if_something_did() -> None:
    for scenario, decided in (("effects-of-one-card", False), ("additions-of-one-card", True)):
        (result, *_) = session.check(*session.resolve(f"hanayome/{scenario}"), session.CheckOptions({}))
        shown = [c.en for f in result.findings if not f.hint for s in f.play.stem for c in s.changes]
        assert shown == [] and bool(result.findings) is not decided
