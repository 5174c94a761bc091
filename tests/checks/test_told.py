"""What a page singles out: the condition that fails, what is asked, what repeats, which clauses clash, where it is gone."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Finding, FindingClass
from rulewright.checks.runs import session
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case

from ..render import as_text, render_finding

CASES = {path.stem: path for path in finding_store.case_files(finding_store.stored_cases())}


def found(scenario: str, **readings: str) -> list[Finding]:
    (path,) = session.resolve(scenario)
    (result,) = session.check(path, session.CheckOptions(readings, defaults_only=True))
    return [f for f in result.findings if not f.hint]


# ---------------------------------------------------------------- what keeps a loop going
def test_of_several_conditions_the_one_that_fails_is_singled_out_with_its_numbers() -> None:
    (finding,) = found("hanayome/hand-over-limit")
    failing = [c for c in finding.conditions if not c.met]
    assert [(c.clauses, c.says.en, c.because) for c in failing] == [(("7.5.3",), "the hand is within the limit", "9 > 7")]
    assert len(finding.conditions) == 5
    page = as_text(render_finding(finding, "ja"))
    assert "満たさない（9 > 7）" in page and "9枚あり、上限の7枚を超えています（7.5.3）" in page.replace("\n  ", "")


def test_another_condition_fails_where_something_else_keeps_it_going() -> None:
    (finding,) = found("hanayome/leaves-and-returns")
    failing = [c.says.en for c in finding.conditions if not c.met]
    assert failing and "the hand is within the limit" not in failing
    assert all(c.because is None for c in finding.conditions)


def test_loops_that_somebody_can_stop_have_no_such_conditions() -> None:
    finding = found("hanayome/recycling-events-in-main-phase")[0]
    assert finding.conditions == ()


# ---------------------------------------------------------------- what is asked, and by which clauses something changes
def test_a_choice_of_a_bare_card_or_number_says_what_is_asked_and_by_which_card() -> None:
    finding = found("hanayome/swap")[0]
    chosen = [step.chosen.en for step in finding.play.stem if step.chosen is not None]
    assert chosen[1:] == ["chooses “Yotsuba who changes seats” (by “another seat”)", "chooses lane 2 (by “another seat”)"]


def test_of_yes_and_no_it_is_said_to_what() -> None:
    finding = read_case(CASES["002-empty-hand-bonus-cost-4RJY"]).finding
    said = {step.chosen.en for step in finding.play.cycle if step.chosen is not None}
    assert said == {"does not pay the cost"}


def test_an_ability_that_comes_to_wait_is_told_even_where_as_many_wait_as_before() -> None:
    finding = found("hanayome/swap")[0]
    assert all(any(c.en.endswith("comes to wait") for c in step.changes) for step in finding.play.cycle)
    assert not any("waiting auto abilities" in c.en for step in finding.play.cycle for c in step.changes)
    assert finding.moment is not None and "waiting auto abilities: the auto ability of “Yotsuba who changes seats”" in finding.moment.en


def test_clauses_in_conflict_are_told_with_the_values_that_only_one_of_them_goes_by() -> None:
    (finding,) = found("harem_master/both-castles-fall")
    first, second = [v.effect.ja for v in finding.clause_verdicts if v.effect is not None]
    assert "先攻の得点（札の枚数＋ボーナス） 1＋5＝6" in first, "with what the score is made up of"
    assert "先攻の得点（札の枚数＋ボーナス） 1＋0＝1" in second
    told = [text.ja for step in finding.play.stem for text in step.changes] + [finding.moment.ja if finding.moment else ""]
    assert not any("得点" in text for text in told), "a score is no part of the position"
    assert "先攻がイベント「共倒れ」を使用する" in [step.changes[0].ja for step in finding.play.stem if step.changes], "who plays it comes first"


def test_the_clause_of_a_draw_stands_beside_the_draw() -> None:
    (finding,) = found("hanayome/pass-only", **{"hand-limit-number": "7"})
    drawing = [step for step in finding.play.stem if any("hand 5 →" in c.en or "hand 7 →" in c.en for c in step.changes)]
    assert len(drawing) == 3 and all("7.2.3" in step.working for step in drawing)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_works_is_of_what_is_carried_out_and_changes_something(case: Path) -> None:
    finding = read_case(case).finding
    for step in (*finding.play.stem, *finding.play.cycle):
        assert step.changes or not step.working


# ---------------------------------------------------------------- equal cards in a loop
def test_a_loop_in_which_only_equal_cards_change_places_is_shown_once_round() -> None:
    finding = found("hanayome/recycling-events-in-main-phase")[0]
    assert finding.play.rounds == 2 and len(finding.play.cycle) % 2 == 0
    page = as_text(render_finding(finding, "ja", width=200))
    assert "2周で完全に元へ戻る" in page
    assert page.count("「昼休みの忘れ物」をプレイする（ほかの選択") == 1


# ---------------------------------------------------------------- clauses that clash
def test_of_three_clauses_each_pair_that_disagrees_is_a_conflict_of_its_own() -> None:
    pairs = [f for f in found("harem_master/fifth-girl-as-the-castle-falls") if f.cls is FindingClass.CONFLICT]
    assert {f.clauses for f in pairs} == {("102.1", "103.2"), ("102.3", "103.2")}
    for f in pairs:
        said = {v.effect.en for v in f.clause_verdicts if v.effect is not None}
        assert len(f.clause_verdicts) == len(said) == 2
    assert read_case(CASES["005-one-more-girl-3XJK"]).finding.id in {f.id for f in pairs}, "the same defect has the same id"


# ---------------------------------------------------------------- for comparison
def test_the_situation_in_which_it_is_gone_is_named_if_that_is_pinned_under_the_same_readings() -> None:
    (plain, *_) = found("hanayome/swap")
    (other, *_) = found("hanayome/swap", **{"loop-repeat-actions": "includes-forced"})
    assert plain.control is not None and plain.control.pinned and plain.control.scenario == "swap-control"
    assert other.control is not None and not other.control.pinned
    assert "では起こりません" in as_text(render_finding(plain, "ja"))
    assert "では起こりません" not in as_text(render_finding(other, "ja"))


# ---------------------------------------------------------------- several readings, and what was cut off
def test_several_readings_are_told_side_by_side_and_the_page_once(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "hanayome/hand-over-limit", "--lang", "ja"])
    out = capsys.readouterr().out
    assert out.count("解釈ごとの結果") == 1 and out.count("一度も使われなかった条文") == 1
    assert out.count("\nエンドフェイズが終わらなくなる\n") == 1


def test_why_a_search_was_cut_off_is_told_in_a_few_lines_too(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "hanayome/swap", "hanayome/swap-control", "-r", "default", "--max-states", "5", "--scenarios", "--lang", "ja"])
    assert capsys.readouterr().out.count("途中で打ち切りました。この範囲の外のことは分かりません。状態数の上限に達した") == 2
