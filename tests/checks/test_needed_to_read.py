"""What somebody who reads a page needs and no rule asks for: numbers on plain cards, numbers that came to nothing, the first round."""
from __future__ import annotations

import re

import pytest

from rulewright.checks.findings.page import idle_readings
from rulewright.checks.findings.record import Finding, FindingClass, Severity, Stake
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names

from ..render import as_text, render_finding


def findings(scenario: str, **readings: str) -> list[Finding]:
    given = {name.replace("_", "-"): answer for name, answer in readings.items()}
    (result,) = session.check(*session.resolve(scenario), session.CheckOptions(given, defaults_only=True))
    return [f for f in result.findings if not f.hint]


# ---------------------------------------------------------------- what depends on a loop
@pytest.mark.parametrize(("readings", "stake", "severity"), [
    ({"loop-number-or-ban": "ban-for-identical"}, Stake.RESULT, Severity.B),
    ({"loop-number-or-ban": "number-first"}, Stake.RESULT, Severity.B),
    ({"loop-number-or-ban": "unranked"}, Stake.RESULT, Severity.B),
])
def test_a_loop_that_clauses_break_while_the_game_goes_on_does_not_decide_who_wins(
    readings: dict[str, str], stake: Stake, severity: Severity,
) -> None:
    found = findings("hanayome/recycling-events-in-main-phase", **readings)
    assert {(f.stake, f.severity) for f in found} == {(stake, severity)}
    assert any(v.answer == "applies" for v in found[0].clause_verdicts)


@pytest.mark.parametrize("readings", [{}, {"loop-stop-unused": "draw"}])
def test_a_loop_of_which_no_clause_speaks_or_that_one_draws_decides_who_wins(readings: dict[str, str]) -> None:
    """Only the other player acts it out, of whom 13.1.1.1 and 13.1.1.2 say nothing by the default readings."""
    (loop,) = findings("hanayome/recycling-events-in-event-step", **readings)
    assert loop.stake is Stake.WINNER
    (ended,) = findings("hanayome/recycling-events-in-event-step", loop_stop_unused="must-use")
    assert ended.stake is Stake.RESULT, "the player has to stop it, and the game goes on"


def test_of_a_ban_and_a_draw_the_draw_decides() -> None:
    found = findings("hanayome/swap-chosen", loop_repeat_actions="includes-forced", hand_limit="none")
    assert {f.cls for f in found} >= {FindingClass.LOOP, FindingClass.CONFLICT}
    assert all(f.stake is Stake.WINNER for f in found if any("draw" in (v.effect.en if v.effect else "") for v in f.clause_verdicts))


def test_why_a_clause_does_not_apply_is_what_the_reading_assumed_says() -> None:
    (loop,) = findings("hanayome/recycling-events-in-main-phase", loop_number_or_ban="ban-for-identical")
    assert "13.1.1.2 bans it" in loop.clause_verdicts[0].why.en
    found = findings("hanayome/recycling-events-in-main-phase", loop_again_after_number="again")
    assert "may be started again" in found[0].clause_verdicts[0].why.en


# ---------------------------------------------------------------- the first round
def test_a_loop_beside_a_number_that_can_grow_is_shown_the_first_time_round() -> None:
    """To say no again and again changes nothing; to say yes makes a number grow, up to its bound. The first round is before that."""
    (loop,) = findings("hanayome/empty-hand-bonus-may")
    assert len(loop.play.stem) == 3 and not loop.growing and loop.moment is not None
    assert "until the end of the turn" not in loop.moment.en


def test_a_gap_is_come_to_where_the_clause_is_first_asked() -> None:
    """The range is asked for when the attack is made, before the card counts as used."""
    (gap,) = findings("sakura/two-replacements")
    assert gap.moment is not None and "先攻の手札 1枚" in gap.moment.ja and "使用中" not in gap.moment.ja


# ---------------------------------------------------------------- positions and cards
def test_numbers_that_came_to_nothing_and_the_last_kind_of_card_are_shown() -> None:
    (gap,) = findings("sakura/both-at-zero", both_at_zero="not-said")
    assert gap.moment is not None and {"先攻のライフ: 0", "後攻のライフ: 0"} <= {*gap.moment.ja.splitlines()}
    (gap,) = findings("harem_master/both-harems-filled")
    assert gap.moment is not None and "転校生の夏美" in gap.moment.ja and "ほか1種" not in gap.moment.ja


@pytest.mark.parametrize(("scenario", "readings", "figure"), [
    ("sakura/improper-use", {"improper-use": "tried"}, "price 3"),
    ("sakura/halved-both-ways", {}, "damage to aura 3"),
    ("ts_fight/both-at-the-brink", {"attack-damage-order": "together"}, "charm 2"),
])
def test_figures_of_plain_cards_are_told_where_what_happens_looks_at_them(scenario: str, readings: dict[str, str], figure: str) -> None:
    (found,) = findings(scenario, **readings)
    assert any(figure in said.en for said in found.figures)
    page = as_text(render_finding(found, "en", names=names()))
    assert page.count(figure) == 1 or found.cards


def test_a_card_that_must_be_used_with_everything_is_told_to_be_one() -> None:
    found = findings("sakura/improper-uses", improper_use="tried")
    assert any("《全力》" in card.ja for f in found for card in f.cards)


# ---------------------------------------------------------------- nothing twice
def test_clauses_that_disagree_are_named_once_each_with_all_they_say() -> None:
    found = [f for f in findings("shinso/all-life-cards-both", both_run_out="undecided") if f.cls is FindingClass.CONFLICT]
    for f in found:
        page = as_text(render_finding(f, "ja", names=names()))
        asked = page.partition("会議で決めること")[2]
        told = re.findall(r"^ *・(\S.*) なら、", asked, re.M)
        assert len(told) == len({*told}) == 2, told


def test_readings_that_leave_a_finding_as_it_is_are_not_assumed_though_they_bring_another() -> None:
    results = session.check(*session.resolve("harem_master/mood-swings"), session.CheckOptions(settle=5_000))
    (loop,) = [f for r in results for f in r.findings if not f.hint and f.cls is FindingClass.LOOP]
    assert idle_readings(loop, ("same", "alike")) > idle_readings(loop, ("same",))
    assert "Readings assumed" not in as_text(render_finding(loop, "en", names=names()))


def test_one_thing_that_no_clause_states_is_not_told_as_if_it_were_several() -> None:
    (one,), (two,) = findings("hanayome/leaves-and-returns", hand_limit="exists"), findings("hanayome/pass-only", hand_limit="exists")
    assert "何枚かは、どの条文にも" in one.summary.ja and len(one.unwritten) == 1
    assert "減らす処理も、どの条文にも" in two.summary.ja and len(two.unwritten) == 2
