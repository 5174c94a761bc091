"""What the checks say of toy games: each defect beside the nearest game without it. Sizes, ends and findings are pinned.

A line is `[hint: ][growing ]class[ who can stop it, where (who)][ clauses]`; every play behind it has been replayed.
"""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.checks.explore.ended import of_fault
from rulewright.checks.scenarios import checking
from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.register.exercised import clauses_carried_out
from rulewright.checks.explore.explorer import Exploration, Limits, explore
from rulewright.checks.explore import order_findings, parting
from rulewright.checks.explore.parting import Differs, left_by, part, stake_of
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.claims import untold
from rulewright.checks.findings.overview import not_found
from rulewright.checks.findings.record import Finding, FindingClass, WhoCanStop, Stake
from rulewright.checks.limits.ending import CutOff
from rulewright.model.engine import values
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.state import READING
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.model.lang.world import World
from rulewright.spec.text import Text

from .harness import LIMITS, READINGS, Checked, assert_replays, check, checked, line, toy

OVER = {"over": 1}
Left = set[tuple[str, int, int]] | None
BOTH_TRIGGERS = "2.2 2.1 1.2 1.1"


class Pinned(NamedTuple):
    """A toy: its module, the position (slots that differ) and entry; states, transitions, ends; what is told."""

    name: str
    position: dict[str, int]
    entry: str
    states: int
    transitions: int
    ends: dict[str, int]
    told: tuple[str, ...] = ()
    complete: bool = True


def ping_pong(position: dict[str, int], states: int, transitions: int, ends: int, *told: str) -> Pinned:
    return Pinned("ping_pong", position, "main", states, transitions, {"over": ends}, told)


def free_action(position: dict[str, int], states: int, transitions: int, ends: int, *told: str) -> Pinned:
    return Pinned("free_action", position, "main", states, transitions, {"over": ends}, told)


def nesting(position: dict[str, int], states: int, transitions: int, ends: int, *told: str, complete: bool = True) -> Pinned:
    return Pinned("nesting", position, "main", states, transitions, {"over": ends}, told, complete)


def stamp(entry: str, states: int, transitions: int, ends: int, *told: str, complete: bool = True) -> Pinned:
    return Pinned("stamp", {}, entry, states, transitions, {"over": ends} if ends else {}, told, complete)


def entry(name: str, at: str, states: int, transitions: int, ends: int, *told: str) -> Pinned:
    return Pinned(name, {}, at, states, transitions, {"over": ends} if ends else {}, told)


def silent(at: str, mended: int, states: int, transitions: int, ends: dict[str, int], *told: str) -> Pinned:
    whole = "not modelled" not in ends  # nobody knows what follows there
    return Pinned("silent", {"mended": mended}, at, states, transitions, ends, told, whole)


MINE, THEIRS = "(the turn player (the first player))", "(the non-turn player (the second player))"
NESTS = "growing loop NOBODY game 1.1 1.2"

TOYS = {
    # 1 to 3: two triggers that answer each other
    "mandatory": ping_pong({}, 7, 8, 1, f"loop NOBODY phase {BOTH_TRIGGERS}"),
    "mandatory, one asleep": ping_pong({"awake[1]": 0}, 7, 8, 1),
    "one optional": ping_pong({"optional[1]": 1}, 11, 14, 1, f"loop ONE phase {THEIRS} {BOTH_TRIGGERS}"),
    "one optional, once a turn": ping_pong({"optional[1]": 1, "limited[1]": 1}, 16, 18, 2),
    "both optional": ping_pong({"optional[0]": 1, "optional[1]": 1}, 17, 22, 2,
                               f"hint: loop EITHER phase (either player) {BOTH_TRIGGERS}"),
    "both optional, one once a turn": ping_pong({"optional[0]": 1, "optional[1]": 1, "limited[0]": 1}, 24, 28, 4),
    # 4 and 5: a free action, and an optional trigger inside it
    "free action": free_action({}, 8, 8, 2, f"loop ONE phase {MINE} 1.1"),
    "action that costs": free_action({"cost": 1}, 14, 13, 4),
    "optional loop inside a free action": free_action(
        {"answers": 1}, 10, 12, 2, f"loop ONE phase {MINE} 1.1 2.1", f"loop ONE phase {THEIRS} 2.1"),
    "optional loop inside an action that costs": free_action({"answers": 1, "cost": 1}, 31, 35, 7, f"loop ONE phase {THEIRS} 2.1"),
    "one answer inside a free action": free_action({"answers": 1, "once": 1}, 10, 12, 2, f"loop ONE phase {MINE} 1.1 2.1"),
    "one answer inside an action that costs": free_action({"answers": 1, "once": 1, "cost": 1}, 29, 32, 7),
    # 6: effects that nest ever deeper
    "nesting": nesting({}, 38, 38, 1, NESTS),
    "nesting, one does not answer": nesting({"moves": 0}, 9, 9, 1),
    "nesting and counting": nesting({"counts": 1}, 38, 38, 1, NESTS),
    "nesting until the count is 6": nesting({"counts": 1, "reads": 1, "last": 6}, 50, 49, 2),
    "nesting until the count is 11, beyond the stack": nesting({"counts": 1, "reads": 1, "last": 11}, 90, 89, 2),
    "nesting until the count is 30, beyond the stack": nesting({"counts": 1, "reads": 1, "last": 30}, 242, 241, 2),
    # 7: hidden by a time stamp
    "stamp that some rule reads for nothing": stamp("read for nothing", 4, 4, 0, "growing loop NOBODY game 1.3 1.1 1.2"),
    "stamp that ends play": stamp("read", 14, 13, 1),
    "stamp whose last value ends play": stamp("read at the end", 22, 21, 1),
    "stamp that ends play beyond its range": stamp("read beyond the end", 23, 22, 1, "invariant"),
    "stamp of which only the parity matters": stamp("parity", 4, 4, 0, "growing loop NOBODY game 1.2 1.1"),
    "two stamps": stamp("two stamps", 4, 4, 0, "growing loop NOBODY game 1.2 1.1"),
    "stamp on what waits": stamp("entries", 4, 4, 0, "growing loop NOBODY game 1.1 1.2"),
    "stamp with a large range": stamp("wide", 4, 4, 0, "growing loop NOBODY game 1.2 1.1"),
    "one stamp goes on for ever, the other ends beyond its range": stamp("two ways", 28, 28, 1, "growing loop NOBODY game 1.3 1.1 1.2"),
    "stamped choice that ends": stamp("chosen and read", 38, 37, 13),
    # 8: only both together
    "two votes": entry("votes", "together", 10, 15, 1, "loop ONE phase (the first player) 1.1",
                       "loop ONE phase (the second player) 1.1", "loop TOGETHER phase (both players, only together) 1.1"),
    "two votes, one is enough": entry("votes", "either", 4, 5, 1, "hint: loop EITHER phase (either player)"),
    "two votes, once": entry("votes", "once", 7, 6, 4),
    # 9: nobody named decides whether it goes round
    "open": entry("nobody_named", "open choice", 6, 6, 2, "loop UNKNOWN step 1.2 1.1", "open choice 1.1"),
    "named": entry("nobody_named", "named", 6, 6, 2, "loop ONE step (the first player) 1.2 1.1"),
    "open, but it goes round in any case": entry("nobody_named", "open way", 4, 6, 0, "loop NOBODY step 1.2 1.1", "open choice 1.1"),
    "open, no loop": entry("nobody_named", "open once", 3, 2, 2, "open choice 1.1"),
    "open, and nothing depends on it": entry("nobody_named", "open for nothing", 2, 2, 1),
    "open order, and nothing depends on it": entry("nobody_named", "open order for nothing", 6, 6, 1, "hint: open choice 1.1"),
    "open order that matters": entry("nobody_named", "open order", 8, 7, 2, "open choice 1.1"),
    "both are out at once, nobody named": Pinned("at_once", {}, "main", 4, 3, {"win": 2}, ("order 1.5",)),
    "both are out at once": Pinned("at_once_named", {}, "main", 4, 3, {"win": 2}, ("hint: order 1.5",)),
    "one is out": Pinned("at_once", {"lamps[0]": 2}, "main", 2, 1, {"win": 1}),
    # 10: order at a join
    "order matters": entry("join", "sensitive", 8, 7, 2, "hint: order 2.1"),
    "order does not matter": entry("join", "confluent", 6, 6, 1),
    "equal entries": entry("join", "equal", 4, 3, 1),
    "order matters, nobody named": entry("join", "sensitive open", 8, 7, 2, "order 2.1"),
    "order does not matter, nobody named": entry("join", "confluent open", 6, 6, 1),
    "kinds in an order that nobody decides": entry("join", "alike at first", 8, 7, 2, "open choice 2.2"),
    "one order allows a loop": entry("join", "loops in one order", 9, 10, 1, "loop ONE game (the second player) 1.4", "hint: order 2.1"),
    # 11: where the rules, or their encoding, fail
    "verdicts disagree": silent("verdicts", 0, 3, 2, {"over": 1, "conflict": 1}, "conflict 1.1 1.2"),
    "one verdict": silent("verdicts", 1, 3, 2, {"over": 1, "win": 1}),
    "one clause gives two answers": silent("both by one clause", 0, 3, 2, {"over": 1, "conflict": 1}, "conflict 1.3"),
    "one clause gives one answer": silent("both by one clause", 1, 3, 2, {"over": 1, "win": 1}),
    "verdicts about a bundle disagree": silent("bundle", 0, 3, 2, {"over": 1, "conflict": 1}, "conflict 4.1 4.2"),
    "one verdict about a bundle": silent("bundle", 1, 2, 2, OVER),
    "no option": silent("no option", 0, 3, 2, {"over": 1, "gap": 1}, "gap 2.1"),
    "an option": silent("no option", 1, 3, 2, {"over": 2}),
    "a gap": silent("said gap", 0, 3, 2, {"over": 1, "gap": 1}, "gap 2.2"),
    "no gap": silent("said gap", 1, 2, 2, OVER),
    "a conflict": silent("said conflict", 0, 3, 2, {"over": 1, "conflict": 1}, "conflict 2.3 2.4"),
    "no conflict": silent("said conflict", 1, 2, 2, OVER),
    "effects at once disagree": silent("clash", 0, 3, 2, {"over": 1, "conflict": 1}, "conflict 3.3 3.4"),
    "one effect": silent("clash", 1, 3, 2, {"over": 2}),
    "not modelled": silent("missing", 0, 3, 2, {"over": 1, "not modelled": 1}, "defect 3.1"),
    "modelled": silent("missing", 1, 2, 2, OVER),
    "a fault": silent("faulty", 0, 3, 2, {"over": 1, "fault": 1}, "defect 3.2"),
    "no fault": silent("faulty", 1, 3, 2, {"over": 2}),
    "tokens get lost": Pinned("conserved", {}, "main", 9, 9, {"over": 3}, ("invariant",)),
    "an invariant, a verdict and a loop clause that fail": Pinned(
        "failing", {}, "main", 12, 12, {"conflict": 3, "over": 3}, ("loop ONE game (the first player) 1.1", "conflict 1.2 1.3", "defect")),
    "tokens are kept": Pinned("conserved", {"leaks": 0}, "main", 6, 6, {"over": 2}, ("loop ONE game (the first player) 1.2 1.1",)),
    # 12: a reading that changes play
    "it untaps": Pinned("readings", {}, "rest", 3, 3, OVER, ("loop ONE phase (the first player) 1.2 1.1",)),
}


@pytest.mark.parametrize("name", TOYS)
def test_a_toy_is_told_of_as_pinned(name: str) -> None:
    pinned = TOYS[name]
    found = check(toy(pinned.name, pinned.position, pinned.entry))
    assert found.told == [*pinned.told]
    assert (*found.size, found.ends, found.complete) == (pinned.states, pinned.transitions, pinned.ends, pinned.complete)
    assert len({f.id for f in found.result.findings}) == len(pinned.told)


@pytest.mark.parametrize(("at", "told"), [("blind", "loop NOBODY game 1.2 1.1"), ("chosen", "loop ONE game (the second player) 1.2 1.1")])
def test_a_stamp_that_no_rule_reads_hides_no_loop(at: str, told: str) -> None:
    """Neither where it was left out of the state nor where it was kept."""
    left_out, kept = check(toy("stamp", entry=at)), check(toy("stamp", entry=at, keep_unread=True))
    assert [x.removeprefix("growing ") for x in left_out.told] == [told]
    assert kept.told == [f"growing {told}"]
    assert left_out.complete and kept.complete


def test_what_grows_is_said() -> None:
    def title(name: str, at: str) -> str:
        return check(toy(name, entry=at)).result.findings[0].title.en
    assert title("stamp", "read for nothing") == "Read for nothing never ends: stamp keeps growing"
    assert title("stamp", "two stamps") == "Two stamps never ends: stamp and turns keep growing"
    assert title("stamp", "entries") == "Entries never ends: stamp and waiting keep growing"
    assert title("nesting", "main") == "Main never ends: effects nest ever deeper"
    counting = TOYS["nesting and counting"]
    both = check(toy(counting.name, counting.position, counting.entry)).result.findings[0]
    assert both.title.en == "Main never ends: effects nest ever deeper, and stamp keeps growing"
    assert "effects nest ever deeper, and stamp keeps growing; all else is as before" in both.summary.en


def test_values_of_which_it_cannot_be_shown_that_they_are_alike_are_told() -> None:
    result = check(toy("growth", entry="up and down")).result
    assert not result.bounds.complete and [n.en for n in result.bounds.notes] == [
        "of some positions in which c is 9 or more it could not be shown that they go on alike, and what follows was not looked at",
        "2 steps exceed the limit of a value and were not followed (c)"]


GROWTH = {
    "exit far behind": (72, 71, 1, "invariant"), "no exit": (72, 72, 0, "growing loop NOBODY game 1.1 1.2"),
    "late stop": (46, 46, 2, "growing loop ONE game (the second player) 1.1 1.2"),
    "set back": (63, 62, 1, "invariant"), "set back for ever": (31, 31, 0, "loop NOBODY game 1.1 1.2", "invariant"),
    "two together, apart": (27, 26, 1, "invariant"), "two together, alike": (3, 3, 0, "growing loop NOBODY game 1.1 1.2"),
    "sum": (27, 26, 1, "invariant"), "range": (22, 21, 1, "invariant"), "needs": (150, 149, 1), "copied": (32, 31, 1, "invariant"),
    "held": (136, 201, 2, "invariant"),
}


@pytest.mark.parametrize("at", GROWTH)
def test_what_only_seems_endless_is_told_apart_from_what_is(at: str) -> None:
    """Each end lies far beyond the range of the counter, or the depth of the stack."""
    states, transitions, ends, *told = GROWTH[at]
    subject = toy("growth", entry=at)
    found = Checked(check_subject(subject, LIMITS))
    assert (found.told, found.size, found.complete) == (told, (states, transitions), True)
    assert sum(found.ends.values()) == ends


def test_what_is_carried_out_behind_the_range_counts_as_carried_out() -> None:
    judged: list[tuple[Subject, Exploration]] = []
    check_subject(toy("growth", entry="seldom"), LIMITS, seen=lambda *of: judged.append(of))
    assert clauses_carried_out(*judged[0]) == {"1.1", "1.2", "1.3"}


def test_what_lies_behind_the_range_is_found_beside_a_loop_that_grows() -> None:
    """One way grows for ever; the other comes to a gap behind the range of the same counter."""
    found = Checked(check_subject(toy("growth", entry="choice"), LIMITS))
    assert found.told == ["growing loop NOBODY game 1.1 1.2", "gap 1.3"] and found.complete and found.ends == {"gap": 1}


def test_an_unknown_verdict_says_why() -> None:
    loop = checked("nobody_named", entry="open choice").result.findings[0]
    assert loop.keepers is WhoCanStop.UNKNOWN and loop.unknown_because is not None
    assert "the rules do not say who decides" in loop.unknown_because.en
    named = checked("nobody_named", entry="named").result.findings[0]
    assert named.unknown_because is None


def test_loops_that_different_players_can_stop_are_two() -> None:
    one, two, _ = checked("votes", entry="together").result.findings
    assert one.id != two.id and (one.title, one.clauses) == (two.title, two.clauses)


def test_a_fault_says_what_is_wrong_and_names_no_clause_of_its_own() -> None:
    (fault,) = checked("silent", entry="faulty").result.findings
    assert fault.clauses == ("3.2",)
    assert fault.title.en.startswith("a mistake in a rule: division by zero (") and fault.title.en.endswith(f"silent.py:{line_of('6 //')})")
    assert fault.title.ja.startswith("規則の書き誤り: 0で割る（") and "。規則を直してください。" in fault.summary.ja


def test_of_one_clause_that_gives_two_answers_the_title_says_which() -> None:
    (found,) = checked("silent", entry="both by one clause").result.findings
    assert found.title.en == "different answers by 1.3 (the second player; the first player)"
    assert found.summary.en.endswith("No clause says which answer counts.")


@pytest.mark.parametrize(("mended", "whom"), [(0, "second"), (1, "first")])
def test_verdicts_are_told_about_whom_play_asks_and_about_nobody_else(mended: int, whom: str) -> None:
    (found,) = check(toy("silent", {"mended": mended}, "asked of one")).result.findings
    assert found.title.en == f"1.4 and 1.5 disagree about the {whom} player (1.4: LOSS; 1.5: WIN)"
    assert {v.why.en for v in found.clause_verdicts if v.why is not None} == {f"the {whom} player"}


@pytest.mark.parametrize("cut", [True, False])
def test_gaps_and_conflicts_are_told_though_the_time_is_over_while_loops_are_judged(cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def over(*_: object, **__: object) -> list[Finding]:
        raise CutOff("seconds")
    if cut:
        monkeypatch.setattr(checking, "loop_findings", over)
    found = checked("silent", entry="verdicts")
    assert found.told == ["conflict 1.1 1.2"] and found.complete is not cut


@pytest.mark.parametrize(("mended", "count"), [(0, 1), (1, 0)])
def test_an_end_that_there_was_no_time_to_tell_is_not_said_to_be_not_found(mended: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def over(*_: object) -> None:
        raise CutOff("seconds")
    monkeypatch.setattr(checking, "end_findings", over)
    result = check(toy("silent", {"mended": mended}, "verdicts")).result
    assert not result.findings and untold([result]) == count
    assert ("no time to tell" in not_found([result], lambda text, **names: text.en.format(**names))) is bool(count)


def test_of_positions_that_stand_for_others_it_is_not_said_that_the_same_follows() -> None:
    found = [f for f in checked("nobody_named", entry="open behind a counter").result.findings if f.cls is FindingClass.OPEN]
    assert found and all(not f.hint and f.summary.en.endswith("The next position depends on which is taken.") for f in found)


def test_verdicts_that_disagree_are_one_finding_whatever_number_they_are_asked_about() -> None:
    one, other = (check(toy("silent", {"life[0]": life}, "bundle")).result.findings[0] for life in (3, 5))
    assert one.id == other.id and one.title.en == other.title.en == "4.1 and 4.2 disagree (4.1: no; 4.2: yes)"
    assert "3): by 4.1, no; by 4.2, yes" in one.summary.en and "5)" in other.summary.en
    assert one.question is not None and one.question.en == "Which of 4.1 and 4.2 takes precedence?"
    first, second = (check(toy("silent", {}, at)).result.findings[0] for at in ("verdicts", "bundle"))
    assert first.id != second.id and "the first player" in first.title.en, "who wins is no number"


def test_rules_of_checks_that_fail_are_told_and_stop_nothing() -> None:
    """An invariant divides by zero, so does a loop clause, and a verdict on the other player in a conflict."""
    told = {f.cls.value: f for f in checked("failing").result.findings}
    assert told["defect"].title.en == "whether the invariant “shares are whole” holds cannot be told"
    assert "division by zero (failing.py:21)" in told["defect"].summary.en
    (clause,) = told["loop"].clause_verdicts
    assert (clause.answer, "division by zero" in clause.why.en) == ("unclear", True)
    assert "the second player: a defect of the encoding (division by zero" in told["conflict"].summary.en


def test_an_invariant_is_not_looked_at_where_a_step_is_half_done() -> None:
    subject = toy("half_done", branching=frozenset({"rest"}))
    assert check(subject).told == []
    states = explore(subject.engine, subject.starts[0]).states
    (asked,) = [s for s in states if (at := subject.engine.point(s)) is not None and at.owner == READING]
    assert subject.engine.evaluate("four_tokens", asked) == 0


def test_a_broken_invariant_is_shown_by_a_shortest_play() -> None:
    (broken,) = checked("conserved").result.findings
    assert [s.decider.en for s in broken.play.stem if s.decider is not None] == ["the first player"]


def test_an_order_that_matters_says_what_each_leads_to() -> None:
    """From life 1: doubled, then one more is 3; one more, then doubled is 4; then one more in any case."""
    for entry in ("sensitive", "sensitive open"):
        (order,) = check(toy("join", entry=entry)).result.findings
        assert [(one.first.en, [change.en for change in one.then]) for one in order.outcomes] == [
            ("Waiting (DOUBLE)", ["life 1 → 4"]), ("Waiting (ADD ONE)", ["life 1 → 5"])]
    assert check(toy("join", entry="loops in one order")).result.findings[-1].outcomes[-1].then == (
        Text(ja="終わらないことがある", en="it may go on for ever"),)


def test_where_each_way_on_changes_the_same_what_still_waits_is_told() -> None:
    (choice,) = check(toy("join", entry="alike at first")).result.findings
    assert [(one.first.en, [then.en for then in one.then]) for one in choice.outcomes] == [
        ("chooses DOUBLE", ["still waiting: Waiting (ADD ONE)"]), ("chooses ADD ONE", ["still waiting: Waiting (DOUBLE)"])]
    (other,) = check(toy("join", {"life": 2}, "alike at first")).result.findings
    assert [[then.en for then in one.then] for one in other.outcomes] == [["life 2 → 4"], ["life 2 → 3"]]


def test_a_number_that_leaves_its_range_is_told_with_its_value_and_not_where_it_grows_for_ever() -> None:
    (left,) = check(toy("growth", entry="exit far behind")).result.findings
    assert left.title.en == "the c rises above its range (0 to 9)" and "becomes 10" in left.summary.en and left.related[-1:] == ("1.2",)
    assert left.title.ja == "「c」が範囲（0〜9）を上回る" and left.question is not None
    assert check(toy("growth", {"c": 9}, "exit far behind")).result.findings[0].id == left.id
    assert [f.cls for f in check(toy("growth", entry="no exit")).result.findings] == [FindingClass.LOOP]


# ---------------------------------------------------------------- readings
def test_readings_part_at_the_first_difference() -> None:
    """The second player chooses what happens, then the first player rests: there the two readings differ."""
    untaps, stays = toy("readings"), toy("readings", readings={"rest": "stays"})
    found = part(untaps, stays, LIMITS)
    assert found is not None
    assert found.options == ((1,), (), (1,))
    assert found.what.en == "the position differs (tapped no → yes)"


@pytest.mark.parametrize("kind", [Differs.POSITION, Differs.DECIDER], ids=str)
@pytest.mark.parametrize(("one", "other", "stake"), [
    ({("win", 0, 1)}, {("win", 1, 1)}, Stake.WINNER), ({("over", -1, 1)}, {("over", -1, 2)}, Stake.RESULT), ({("", -1, 1)}, {("", -1, 1)}, Stake.ORDER),
    (None, {("win", 0, 1)}, Stake.RESULT)], ids=["winner", "table", "order", "broken off"])
def test_an_open_question_is_as_grave_as_what_its_answers_lead_to(one: Left, other: Left, stake: Stake, kind: Differs) -> None:
    results = [replace(check(toy("readings")).result, left=None if x is None else frozenset(x)) for x in (one, other)]
    assert stake_of(kind, *results) is stake
    loop = next(f for f in checked("ping_pong").result.findings if f.cls is FindingClass.LOOP)
    assert stake_of(kind, replace(results[0], findings=(replace(loop, stake=Stake.WINNER),)), results[1]) is Stake.WINNER


def test_where_the_same_is_left_it_matters_who_decides_between_several() -> None:
    same = [replace(check(toy("readings")).result, left=frozenset({("over", -1, 1), ("over", -1, 2)}))] * 2
    assert [stake_of(kind, *same) for kind in (Differs.OPTIONS, Differs.DECIDER, Differs.ODDS)] == [Stake.ORDER, Stake.RESULT, Stake.RESULT]


def test_what_play_comes_to_is_compared_without_what_nobody_is_told_of() -> None:
    assert left() == left(colour="blue") != left(rest="stays")


def test_what_play_comes_to_is_compared_number_by_number() -> None:
    """Python's -1 and -2 have one hash."""
    assert left("debt") == left("debt", rest="stays") != left("debt", colour="blue")


def left(entry: str = "main", **readings: str) -> frozenset[tuple[str, int, int]] | None:
    subject = toy("readings", entry=entry, readings=readings)
    return left_by(subject, explore(subject.engine, subject.starts, LIMITS, subject.symmetry))


def test_readings_that_come_to_the_same_do_not_part() -> None:
    red, blue = toy("readings"), toy("readings", readings={"colour": "blue"})
    told: list[int] = []
    assert part(red, blue, LIMITS, told.append) is None
    assert told == []
    assert check(red).told == check(blue).told


def test_readings_under_which_luck_brings_the_same_with_other_probabilities_part() -> None:
    red, blue = (toy("readings", entry="odds", readings={"colour": x}) for x in ("red", "blue"))
    found = part(red, blue, LIMITS)
    assert found is not None and (found.kind, found.options) == (Differs.ODDS, ())


def test_comparing_readings_is_given_up_after_many_pairs_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parting, "MOST_PAIRS", 3)
    told: list[int] = []
    red, blue = toy("readings"), toy("readings", readings={"colour": "blue"})
    assert part(red, blue, LIMITS, told.append) is None
    assert told == [3]


def test_comparing_orders_is_given_up_after_much_work_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def examined() -> str:
        return next(f"{e.count} {e.what.en}" for e in check(toy("join", entry="sensitive open")).result.examined if "order" in e.what.en)
    assert examined() == "1 places where an order is chosen"
    monkeypatch.setattr(order_findings, "ORDER_WORK", -1)
    assert examined() == "0 places where an order is chosen (of 1; to compare the others takes too long)"


def test_a_loop_holds_under_the_reading_that_makes_it() -> None:
    loop = "loop ONE phase (the first player) 1.2 1.1"
    untaps, stays = check(toy("readings")), check(toy("readings", readings={"rest": "stays"}))
    assert (untaps.size, untaps.ends, untaps.told) == ((6, 7), {"over": 2}, [loop])
    assert (stays.size, stays.ends, stays.told) == ((10, 10), {"over": 3, "win": 1}, [])
    both = check(toy("readings", branching=frozenset(READINGS)))
    assert (both.size, both.ends, both.told) == ((16, 17), {"over": 5, "win": 1}, [loop])
    (found,) = both.result.findings
    chosen = [s.chosen.en for s in found.play.stem if s.decider is not None and s.decider.en == "the reading" and s.chosen is not None]
    assert chosen == ["reading rest = untaps"]


# ---------------------------------------------------------------- limits, starts
def test_a_limit_never_makes_a_loop_of_what_is_none_and_is_told() -> None:
    for states in range(1, 8):
        found = check(toy("ping_pong"), Limits(states=states))
        assert not found.complete
        assert all("NOBODY" in line or "UNKNOWN" in line for line in found.told)
    for name in ("mandatory", "mandatory, one asleep", "one optional, once a turn", "action that costs"):
        pinned = TOYS[name]
        for depth in range(1, 12):
            found = check(toy(pinned.name, pinned.position), Limits(depth=depth))
            assert set(found.told) <= set(pinned.told)
            assert found.complete == (found.size == (pinned.states, pinned.transitions))


def test_a_limit_that_play_does_not_reach_cuts_nothing_off() -> None:
    """Where play has ended, nothing lies beyond."""
    for limits in (Limits(turns=2), Limits(depth=9)):
        found = check(toy("ping_pong", {"awake[1]": 0}), limits)
        assert (found.size, found.complete) == ((7, 8), True), limits
    assert not check(toy("ping_pong", {"awake[1]": 0}), Limits(turns=1)).complete


@pytest.mark.parametrize(("name", "at", "first", "second", "told"), [
    ("silent", "faulty", {"mended": 1}, {}, "defect 3.2"),
    ("ping_pong", "main", {"awake[0]": 0}, {}, f"loop NOBODY phase {BOTH_TRIGGERS}"),
    ("stamp", "read beyond the end", {"lamp": 1}, {}, "invariant"),
    ("stamp", "read for nothing", {"lamp": 1}, {}, "growing loop NOBODY game 1.3 1.1 1.2"),
    ("nesting", "main", {"moves": 0}, {}, NESTS),
])
def test_of_several_positions_that_play_may_begin_with_the_right_one_is_shown(
    name: str, at: str, first: dict[str, int], second: dict[str, int], told: str | None,
) -> None:
    one, two = toy(name, first, at), toy(name, second, at)
    both = replace(one, positions=[*one.positions, *two.positions], starts=[*one.starts, *two.starts])
    found = check_subject(both, LIMITS)
    assert [line(f) for f in found.findings] == ([told] if told else [])
    for f in found.findings:
        assert_replays(two if first.keys() != {"lamp"} else one, f)


def test_that_another_player_can_go_on_all_the_same_is_told() -> None:
    """Whoever leaves one of the two repetitions does not end play by it. Where one player decides alone, nothing more is said."""
    def told(at: str) -> dict[str, str | None]:
        loops = check(toy("together", entry=at)).result.findings
        return {f.stopper.en: f.goes_on and f.goes_on.en for f in loops if f.stopper is not None}
    both = told("both")
    assert both.keys() == {"the first player", "the second player"}
    assert "the second player, too, can keep" in str(both["the first player"]) and "the first player, too, can keep" in str(both["the second player"])
    assert told("one") == {"the first player": None}


@pytest.mark.parametrize("dries", [True, False])
def test_an_action_that_is_forbidden_is_said_not_to_be_done(dries: bool) -> None:
    subject = toy("forbidden", {"wet": 1})
    (start,) = subject.starts
    step, _ = subject.tell(start.state, (int(dries),))
    said = "forbidden by 1.2, so not done: light (the first player)"
    assert (said in [change.en for change in step.changes]) is not dries
    assert not any("wait" in change.en for change in step.changes), "what does nothing is not forbidden for that"


def test_of_what_applies_to_both_players_at_once_it_is_told_to_whom() -> None:
    subject = toy("at_once_named")
    words = Vocabulary(words={"a_player_is_out": Text("灯りがない", "the lamps are out")})
    (finding,) = check(replace(subject, describer=Describer(subject.program, World(), words))).result.findings
    assert "灯りがない（先攻）／灯りがない（後攻）" in finding.summary.ja
    assert len({o.first.en for o in finding.outcomes}) == 2


def test_a_number_that_falls_below_its_range_is_not_said_to_exceed_it() -> None:
    (left,) = check(toy("silent", entry="below")).result.findings
    assert left.title.ja == "「life」が範囲（0〜9）を下回る" and left.title.en == "the life falls below its range (0 to 9)"
    assert left.summary.ja == "この手順の次に、先攻のlifeは -1 になり、範囲（0〜9）を下回ります。", "and it is said whose"


def line_of(text: str) -> int:
    """Where it stands in the toy of places that fail."""
    lines = (Path(__file__).parent / "silent.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_every_fault_of_the_engines_has_japanese_words() -> None:
    engine = Path(values.__file__).parent
    said = {text for path in engine.glob("*.py") for text in re.findall(r'fault\(\s*f?"([^"]+)"', path.read_text(encoding="utf-8"))}
    assert len(said) >= 8
    assert [text for text in said if of_fault(re.sub(r"\{[^}]*\}", "x", text))[0].ja.isascii()] == []


def test_that_a_choice_offers_nothing_is_told_and_not_where_a_rule_says_gap() -> None:
    (empty,) = check(toy("silent", entry="no option")).result.findings
    assert empty.title.ja == "選ぶものがないときのことを、規則が定めていない"
    assert empty.summary.ja.startswith("2.1 で先攻が選びますが、選べるものが一つもありません。")
    assert empty.summary.en.startswith("In 2.1, the first player is to choose, and there is nothing to choose from.")
    (luck,) = check(toy("silent", entry="nothing to draw")).result.findings
    assert luck.title.ja == "候補がないときのことを、規則が定めていない"
    assert luck.summary.ja.startswith("2.5 で偶然が決めますが、候補が一つもありません。")
    (said,) = check(toy("silent", entry="said gap")).result.findings
    assert said.title.ja == "何が起こるか、規則が定めていない" and said.summary.ja.startswith("この手順で 2.2 に達します。")


def test_what_a_loop_changes_and_changes_back_within_one_step_is_told_with_its_values() -> None:
    """Else it is seen nowhere what goes round: a value that is as at first is left out of the position, too."""
    (loop,) = check(toy("silent", entry="there and back")).result.findings
    assert "途中で先攻のlife、後攻のlifeが変わりますが、元に戻ります。" in loop.summary.ja
    assert "These change on the way, and change back: the first player: life, the second player: life." in loop.summary.en
    assert loop.moment is not None and {"先攻のlife: 1", "後攻のlife: 0"} <= {*loop.moment.ja.split("\n")}
    assert not check(toy("silent", {"mended": 1}, "there and back")).result.findings


def test_where_the_steps_of_a_loop_tell_what_changes_the_summary_does_not() -> None:
    (loop,) = [f for f in check(toy("ping_pong", {})).result.findings if f.cls is FindingClass.LOOP][:1]
    assert any(step.changes for step in loop.play.cycle) and "元に戻ります。" not in loop.summary.ja


@pytest.mark.parametrize(("entry", "most", "stake"), [
    ("same", 200, Stake.RESULT), ("same", 40, Stake.RESULT),  # cut off: how the long way ends is not known
    ("other", 200, Stake.WINNER), ("other", 40, Stake.RESULT), ("no longer", 40, Stake.WINNER),
])
def test_who_wins_depends_on_a_choice_only_where_an_end_is_out_of_reach(entry: str, most: int, stake: Stake) -> None:
    found = check_subject(toy("long_ways", entry=entry), Limits(states=most)).findings
    assert [f.stake for f in found if f.cls is FindingClass.OPEN] == [stake]
