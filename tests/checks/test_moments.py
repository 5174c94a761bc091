"""Where play stands when something is found: in the preparation, with decks that nobody may play with, where nothing decides."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.findings.page import idle_readings, speaker
from rulewright.checks.findings.record import Certainty, FindingClass, PlayStep
from rulewright.checks.findings.steps import changes_of
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.spec.text import Text

from ..render import as_text, render_finding

MODEL = Path(__file__).resolve().parents[2] / "model/games"


# ---------------------------------------------------------------- before the first turn
def test_nobody_is_the_turn_player_in_the_preparation() -> None:
    """A mulligan that may be taken again and again is a loop of the preparation; the same play of a game under way has a turn
    player, and the clauses about that player apply."""
    readings = {"hand-limit": "none", "mulligan-repeat": "again"}
    (result,) = session.check(*session.resolve("hanayome/mulligan"), session.CheckOptions(readings))
    loops = [f for f in result.findings if f.is_defect]
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


# ---------------------------------------------------------------- which turn it is
def test_a_given_position_of_some_later_turn_is_not_called_the_first_turn(tmp_path: Path) -> None:
    (shipped,) = session.resolve("hanayome/recycling-events-in-main-phase")
    text = shipped.read_text(encoding="utf-8").partition("control:")[0]
    second = tmp_path / "second.yaml"
    second.write_text(text.replace("turn_player: first", "turn_player: first\n  turn_number: 2"), encoding="utf-8")
    for path, said in ((shipped, "this turn (the first player)"), (second, "turn 2 (the first player)")):
        (result, *_) = session.check(path, session.CheckOptions({}))
        loop = next(f for f in result.findings if f.cls is FindingClass.LOOP)
        assert {step.turn.en for step in loop.play.stem if step.turn is not None} == {said}


# ---------------------------------------------------------------- what the answers do
def test_an_answer_that_ends_what_repeats_in_its_first_round_settles_it() -> None:
    """The effect arises once more on the way to what repeats, and there play parts already."""
    results = session.check(*session.resolve("sakura/lasting-state"), session.CheckOptions(settle=5_000))
    (loop,) = [f for result in results for f in result.findings if f.is_defect]
    assert [(s.answer, s.effect) for s in loop.settlements] == [("once", "resolved")]
    assert "lasting-state" not in idle_readings(loop)


def test_readings_that_part_before_are_assumed_though_no_answer_of_theirs_was_checked() -> None:
    results = session.check(*session.resolve("ts_fight/attacker-changed-back"), session.CheckOptions(settle=5_000))
    (gap,) = [f for result in results for f in result.findings if f.is_defect]
    assert {s.effect for s in gap.settlements} == {"elsewhere"}
    page = as_text(render_finding(gap, "en", names=names()))
    assert "Readings assumed: What can be interrupted?" in page
    same = replace(gap, settlements=tuple(replace(s, effect="remains", same=True) for s in gap.settlements))
    assert "Readings assumed" not in as_text(render_finding(same, "en", names=names()))


# ---------------------------------------------------------------- cards and their figures
def test_what_is_printed_on_a_card_is_told_with_its_figures_and_texts_apart() -> None:
    (result, *_) = session.check(*session.resolve("hanayome/two-that-remove-each-other"), session.CheckOptions({}))
    (gap,) = [f for f in result.findings if not f.hint]
    (card,) = gap.cards
    assert "花嫁力" in card.ja and card.ja.count("／") == 1 and card.en.count(" / ") == 1


def test_a_made_up_card_without_a_text_is_told_where_the_finding_rests_on_its_figures() -> None:
    (result,) = session.check(*session.resolve("shinso/ring-on-and-off"), session.CheckOptions({}))
    (loop,) = result.findings
    assert loop.invented_cards and [c.en for c in loop.cards] == ["“ring of blood” (cost 0, combat power it lends 1000)"]
    (result, *_) = session.check(*session.resolve("ts_fight/only-one-can-attack"), session.CheckOptions({}))
    assert [(f.invented_cards, f.cards) for f in result.findings if not f.hint] == [(False, ())]


def test_changes_of_equal_cards_in_one_step_are_all_told() -> None:
    """One nurse becomes tired as another becomes fresh: that is not nothing. There and back of one card in two steps is."""
    tired, fresh = (Text(ja=f"「保健委員」の疲労 {x}", en=f"“nurse”: tired {y}") for x, y in (("いいえ→はい", "no → yes"), ("はい→いいえ", "yes → no")))
    say = speaker("ja")
    assert changes_of((PlayStep(0, None, None, (), (), (tired, fresh)),), say) == [tired.ja, fresh.ja]
    assert changes_of((PlayStep(0, None, None, (), (), (tired, fresh)),), speaker("en"))[0] == "“nurse”: tired no→yes"
    assert changes_of((PlayStep(0, None, None, (), (), (tired,)), PlayStep(0, None, None, (), (), (fresh,))), say) == []
