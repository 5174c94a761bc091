"""Readings: which of them change what is found, and what a settlement resolves, leaves and brings."""
from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.findings.layout import Para
from rulewright.checks.findings.overview import closing_page
from rulewright.checks.findings.record import CheckResult, FindingClass, Origin, Severity, Stake, WhoCanStop
from rulewright.checks.findings.severity import SEVERITIES
from rulewright.checks.readings import branching
from rulewright.checks.readings.branching import Branches, Effect, compared
from rulewright.checks.readings.settlements import BY_FIRST, answers, effect, with_settlements
from rulewright.checks.readings.trials import Trial
from rulewright.checks.runs import session
from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.scenarios.subjects import open_table, read_scenario, subject_of
from rulewright.model.engine.library import forget_books, load_book
from rulewright.spec.text import Text

from .json_schema import output_schema
from .samples import NOTHING_FOUND, PASS_ONLY, RESULT
from .schema import violations

CASTLES = "harem_master/one-more-girl"


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(arguments)
    return code, capsys.readouterr().out


# ---------------------------------------------------------------- severity
def test_the_less_it_takes_and_the_more_depends_on_it_the_graver() -> None:
    grades = list(Severity)
    for one, severity in SEVERITIES.items():
        for other, lower in SEVERITIES.items():
            if list(Origin).index(one[0]) <= list(Origin).index(other[0]) and list(Stake).index(one[1]) <= list(Stake).index(other[1]):
                assert grades.index(severity) <= grades.index(lower), (one, other)


@pytest.mark.parametrize(("scenario", "readings", "severity"), [
    ("hanayome/pass-only", {"hand-limit": "exists"}, (Origin.ORDINARY, Stake.WINNER, Severity.S)),
    (CASTLES, {}, (Origin.ORDINARY, Stake.WINNER, Severity.S)),
    ("hanayome/swap", {}, (Origin.INVENTED, Stake.WINNER, Severity.A)),
    ("sakura/both-at-zero", {"both-at-zero": "not-said"}, (Origin.INVENTED, Stake.WINNER, Severity.A)),
    ("hanayome/short-deck", {"hand-limit": "none"}, (Origin.CARDS, Stake.RESULT, Severity.B)),
    ("shinso/ring-on-and-off", {}, (Origin.INVENTED, Stake.WINNER, Severity.A)),
    ("shinso/consecutive-attack", {"consecutive-attack": "undefined"}, (Origin.INVENTED, Stake.RESULT, Severity.B)),
    ("ts_fight/only-one-can-attack", {}, (Origin.CARDS, Stake.WINNER, Severity.S)),
    ("ts_fight/both-at-the-brink", {"attack-damage-order": "together"}, (Origin.CARDS, Stake.WINNER, Severity.S)),
    ("ts_fight/everything-empty", {"deck-runs-out": "not-said"}, (Origin.CARDS, Stake.RESULT, Severity.B)),
])
def test_severity_says_what_it_takes_and_what_depends_on_it(
    scenario: str, readings: dict[str, str], severity: tuple[Origin, Stake, Severity]
) -> None:
    (path,) = session.resolve(scenario)
    (result,) = session.check(path, session.CheckOptions(readings, defaults_only=True))
    (finding,) = [f for f in result.findings if not f.hint]
    assert (finding.origin, finding.stake, finding.severity) == severity


# ---------------------------------------------------------------- settlements
def set_of(result: CheckResult, **readings: str) -> CheckResult:
    return replace(result, readings={name.replace("_", "-"): answer for name, answer in readings.items()})


def test_what_pinned_reading_sets_show_of_a_settlement_is_told_and_the_rest_is_not_guessed() -> None:
    one = replace(PASS_ONLY, readings={}, hint=False, clauses=("7.5.3",))
    with_it = set_of(replace(RESULT, findings=(one,)), hand_limit="exists")
    without = set_of(replace(NOTHING_FOUND, book="hanayome"), hand_limit="none")
    (finding,) = with_settlements([with_it, without])[0].findings
    effects = {(s.reading, s.answer): s.effect for s in finding.settlements}
    assert effects["hand-limit", "none"] == "resolved"
    assert effects["hand-limit-reduction", "discard"] == "not checked"


def test_what_was_checked_with_other_answers_is_told_with_these() -> None:
    one = replace(PASS_ONLY, readings={}, hint=False, clauses=("7.5.3",))
    five = set_of(replace(RESULT, findings=(one,)), hand_limit_number="5")
    usual = set_of(replace(RESULT, findings=(one,)))
    without = set_of(replace(NOTHING_FOUND, book="hanayome"), hand_limit="none")
    (finding,) = with_settlements([five, usual, without])[0].findings
    (told,) = [s for s in finding.settlements if (s.reading, s.answer) == ("hand-limit", "none")]
    assert (told.effect, dict(told.under)) == ("resolved", {"hand-limit-number": "7"})
    (finding,) = with_settlements([five, without])[0].findings
    assert "resolved" not in {s.effect for s in finding.settlements}, "two answers differ: nothing is known of one alone"


def test_the_scope_of_scripted_runs_names_the_policies() -> None:
    policies = (Text(ja="先攻は何もしない", en="the first player does nothing"), Text(ja="後攻も何もしない", en="nor does the second"))
    one = replace(NOTHING_FOUND, policies=policies)
    for results in ([one], [one, set_of(one, hand_limit="none")]):
        page = "\n".join(block.text for block in closing_page(results, "ja") if isinstance(block, Para))
        assert "調べたのは次の場合だけです" in page and "・先攻は何もしない" in page and "・後攻も何もしない" in page


def test_a_search_that_was_cut_off_resolves_nothing() -> None:
    one = replace(PASS_ONLY, readings={}, hint=False, clauses=("7.5.3",))
    with_it = set_of(replace(RESULT, findings=(one,)), hand_limit="exists")
    cut = set_of(replace(NOTHING_FOUND, book="hanayome", bounds=replace(NOTHING_FOUND.bounds, complete=False)), hand_limit="none")
    (finding,) = with_settlements([with_it, cut])[0].findings
    assert {s.effect for s in finding.settlements if s.reading == "hand-limit"} == {"not checked"}


@pytest.mark.parametrize(("complete", "told"), [(True, ("new", 1)), (False, ("cut off", 0))])
def test_what_a_search_that_was_cut_off_before_did_not_find_is_not_told_as_new(complete: bool, told: tuple[str, int]) -> None:
    one, two = (replace(PASS_ONLY, hint=False, clauses=(clause,)) for clause in ("7.5.3", "7.5.2"))
    before = replace(RESULT, findings=(one,), bounds=replace(RESULT.bounds, complete=complete))
    after = replace(set_of(replace(RESULT, findings=(one, two)), hand_limit="none"), bounds=replace(RESULT.bounds, complete=True))
    trial = Trial({}, before, after)
    assert [trial.new, trial.cut_off] == ([(two,), ()] if told[0] == "new" else [(), (two,)])
    does = effect(one, before, answers(after), [after])
    assert (does.effect, does.new, does.same) == ("remains", told[1], False)


def test_where_only_the_first_option_was_tried_that_is_told_whatever_play_comes_to() -> None:
    """Of an order nothing is said of how play ends then."""
    order = replace(PASS_ONLY, cls=FindingClass.ORDER, hint=False, clauses=("7.5.3",))
    scripted = set_of(replace(NOTHING_FOUND, book="hanayome", policies=(Text.same("first"),)), hand_limit="none")
    for policies, then in ((scripted.policies, None), ((), BY_FIRST)):
        before = replace(RESULT, findings=(order,), policies=policies)
        does = effect(order, before, answers(scripted), [scripted])
        assert (does.effect, does.then) == ("resolved", then)


def test_try_says_what_is_resolved(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "check", CASTLES, "--try", "felled-by=still-standing", "--json")
    data = json.loads(said)
    assert [*violations(data, output_schema())] == []
    (trial,) = data["trials"]
    assert (trial["resolved"], trial["remaining"], trial["new"]) == (["HM-102.3-3XJK"], [], [])
    assert (data["tried"], code) == ({"felled-by": "still-standing"}, 0)


def test_try_says_what_remains_and_is_found_then(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "check", CASTLES, "--try", "new-triggers=wait", "--lang", "ja")
    assert code == 1
    assert "解消 0件、打ち切りで不明 0件、新規 0件、変化 0件、同じ 1件（調べた範囲で）" in said


def test_a_settlement_can_bring_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "check", "hanayome/pass-only", "--readings", "hand-limit=none", "--try", "hand-limit=exists", "--json")
    (trial,) = json.loads(said)["trials"]
    assert (trial["resolved"], trial["remaining"], trial["new"]) == ([], [], ["HANA-7.5.3-JVXC"])
    assert code == 1


def test_a_loop_reached_by_other_clauses_under_a_reading_is_the_same_defect(capsys: pytest.CaptureFixture[str]) -> None:
    """Its id is another, because the clauses on the way are others: that resolves nothing."""
    _, said = run(capsys, "check", "hanayome/swap", "--readings", "default", "--try", "state-trigger-mid-effect=settled-only", "--json")
    (trial,) = json.loads(said)["trials"]
    assert trial["before"]["findings"][0]["id"] != trial["after"]["findings"][0]["id"]
    assert (trial["resolved"], trial["remaining"], trial["new"]) == ([], ["HANA-10.5.3.3-PHJX"], [])


def test_try_all_checks_every_settlement(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = run(capsys, "check", CASTLES, "--readings", "default", "--try", "all", "--json")
    (finding,) = json.loads(said)["results"][0]["findings"]
    assert {s["reading"]: s["effect"] for s in finding["settlements"]} == {
        "felled-by": "resolved", "golden-rules": "resolved"}, "nothing asks about the fifth card here"


@pytest.mark.parametrize(("arguments", "complaint"), [
    (("--try", "felled-by=nobody"), "the reading `felled-by` has no alternative `nobody`"),
    (("--try", "feled-by=still-standing"), "did you mean `felled-by`?"),
    (("--readings", "nosuch=1"), "felled-by"), (("--try", "qqq=1"), "golden-rules"),
    (("--readings", "felled-by=1"), "still-standing"),
    (("--try", "felled-by"), "'felled-by' is not of the form reading=alternative"),
    (("--readings", "all", "--readings", "felled-by=still-standing"), "'all' does not go with name=answer."),
    (("--readings", "all", "--try", "all"), "--try does not go with --readings all."),
])
def test_what_cannot_be_tried_is_refused(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str) -> None:
    assert main(["check", CASTLES, "--lang", "en", *arguments]) == 2
    assert complaint in capsys.readouterr().err


# ---------------------------------------------------------------- all readings
def test_every_answer_is_tried_and_what_it_does_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "check", CASTLES, "--readings", "all", "--json")
    data = json.loads(said)
    assert [*violations(data, output_schema())] == []
    (branches,) = data["readings"]
    effects = {r["reading"]: r["effect"] for r in branches["readings"]}
    assert {r for r, e in effects.items() if e == "other findings"} == {"felled-by", "golden-rules"}
    assert effects["new-triggers"] == "no difference"
    assert effects["revealed-card"] == "never asked for"
    assert len(data["results"]) == 8 and data["results"][0]["readings"] == {}
    assert code == 1


@cache
def tired_user() -> Branches:
    (path,) = session.resolve("ts_fight/tired-user")
    return session.check_all_readings(path, session.CheckOptions())


def test_what_is_asked_for_only_under_another_answer_is_tried_under_it() -> None:
    """Unless a tired user may declare, nothing is declared that could be interrupted."""
    done = tired_user()
    under = [r.readings for r in done.results if "interrupt-order" in r.readings]
    assert under and all(r["tired-user-declares"] == "may" for r in under)
    effects = {r.reading: r.effect for r in done.readings}
    assert effects["tired-user-declares"] is Effect.FINDINGS
    assert effects["card-in-use"] is Effect.PLAY


def test_where_answers_part_the_smallest_play_is_shown() -> None:
    done = tired_user()
    (report,) = [r for r in done.readings if r.reading == "card-in-use"]
    plays = {f.id: f for result in done.results for f in result.findings}
    assert report.finding is not None
    play = plays[report.finding].play
    assert play.stem and play.stem[-1].clauses


def test_the_readings_that_never_matter_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = run(capsys, "check", CASTLES, "--readings", "all", "--lang", "ja")
    assert "調べた範囲では問われない" in said and "revealed-card" in said
    assert "答えの組み合わせをすべて試したわけではありません" in said
    assert Text("既定の解釈", "default readings").ja in said


HANDS = {
    "clauses.yaml": 'book: hands\nedition: "1"\nclauses:\n  - {id: "1.1", kind: procedure, ja: 捨てる。, en: Discarding.}\n  - {id: "1.2", kind: procedure, ja: 数える。, en: Counting.}\n',
    "cards.yaml": "cards:\n  - {id: A, name: {ja: 札, en: Card}}\n",
    "rules/game.py": """from rulewright.model.lang import *

class Game(State):
    hand: Per[Player, Bag]
    away: Bag
    n: Annotated[int, Range(0, 2)]

@entry("main")
@procedure
async def main(g: Game) -> None:
    while len(g.hand[FIRST]) > reading_number("limit"):
        c = await choose(FIRST, g.hand[FIRST])  #: 1.1
        put(c, g.away)  #: 1.1
    while g.n < 2:
        g.n += await choose_number(FIRST, 0, 1)  #: 1.2
    if reading("last") == "win":
        finish(FIRST)
""".replace("g.n += await choose_number(FIRST, 0, 1)", "by = await choose_number(FIRST, 0, 1)\n        g.n += by"),
    "scenarios/four.yaml": "book: hands\nid: four\ntitle: {ja: 四枚, en: four}\nbegin: main\nposition:\n  first: {hand: [A x4]}\n",
}
LIMITS = """book: hands
readings:
  - {id: limit, clauses: ["1.1"], question: {ja: 何枚か。, en: How many?}, number: {from: 1, to: 9}, default: "3",
     why: {ja: 例。, en: An example.}, affects: {ja: 手札。, en: The hand.}, status: modelled}
  - {id: last, clauses: ["1.2"], question: {ja: 終わりは。, en: How does it end?}, alternatives: [{id: win, gist: {ja: 勝ち。, en: A win.}}, {id: none, gist: {ja: なし。, en: None.}}],
     default: win, why: {ja: 例。, en: An example.}, affects: {ja: 終わり。, en: The end.}, status: modelled}
"""


def effects_of_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readings: str, scenario: str = "", rules: str = HANDS["rules/game.py"]) -> dict[str, Effect]:
    for name, text in {**HANDS, "rules/game.py": rules, "readings.yaml": readings, "scenarios/four.yaml": HANDS["scenarios/four.yaml"] + scenario}.items():
        file = tmp_path / "hands" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(tmp_path))
    forget_books()
    (path,) = session.resolve("hands/four")
    return {r.reading: r.effect for r in session.check_all_readings(path, session.CheckOptions()).readings}


@pytest.mark.parametrize(("suggested", "effect"), [("", Effect.UNTRIED), (", suggested: [3, 2]", Effect.PLAY), (", suggested: [3, 5]", Effect.PLAY)])
def test_a_number_that_no_other_reading_goes_with_is_not_told_as_never_asked_for(
    suggested: str, effect: Effect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS.replace("to: 9}", f"to: 9{suggested}}}")) == {"limit": effect, "last": Effect.PLAY}


def test_what_is_asked_for_only_under_another_number_is_not_told_as_never_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = HANDS["rules/game.py"].replace('if reading("last")', 'if len(g.hand[FIRST]) == 2 and reading("last")')
    readings = LIMITS.replace("to: 9}", "to: 9, suggested: [3, 2]}")
    assert effects_of_hands(tmp_path, monkeypatch, readings, rules=rules) == {"limit": Effect.PLAY, "last": Effect.PLAY}


def test_what_lies_beyond_the_positions_that_were_looked_at_for_it_is_not_told_as_never_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(branching, "LOOK_FOR_QUESTIONS", 3)
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS)["last"] is Effect.UNTRIED
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS, "bounds: {states: 3}\n")["last"] is Effect.UNASKED  # nor was anything else


def test_what_parts_only_beyond_a_range_is_not_told_as_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out_of_range = 'if reading("last") == "win" or g.n != 4:\n        g.n += 1\n    if reading("last")'
    rules = HANDS["rules/game.py"].replace('if reading("last")', out_of_range)
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS, rules=rules)["last"] is Effect.PARTLY
    unused = HANDS["rules/game.py"].replace('if reading("last") == "win":\n        finish(FIRST)', 'if reading("last") == "win":\n        pass\n    finish(FIRST)')
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS, rules=unused)["last"] is Effect.NOTHING


def test_what_parts_only_beyond_what_is_compared_is_not_told_as_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branching, "LOOK_FOR_PARTINGS", 2)
    rules = HANDS["rules/game.py"].replace("while len(g.hand", 'if reading("last") == "none" and g.n == 2:\n        finish(FIRST)\n    while len(g.hand')
    assert effects_of_hands(tmp_path, monkeypatch, LIMITS, rules=rules)["last"] is Effect.PARTLY


def test_the_same_run_twice_gives_the_same_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found first, and then read from what was kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    once = run(capsys, "check", CASTLES, "--json")
    assert run(capsys, "check", CASTLES, "--json") == once


def test_an_answer_by_which_a_clause_about_loops_says_something_else_makes_a_difference() -> None:
    """Play is the same, and so is the loop; as written it is a draw by one answer, and by the other no clause applies."""
    scenario = read_scenario(next(iter(session.resolve("hanayome/swap"))))
    subjects = [subject_of(open_table(scenario, {"loop-stop-concession": x}), True) for x in ("excluded", "included")]
    one, other = ((s, check_subject(s, Limits(states=5_000), engine="interpreter")) for s in subjects)
    done = compared(load_book("hanayome").readings["loop-stop-concession"], "included", one, other, Limits(states=5_000))
    assert done.parting is None and done.others
    trial = Trial({}, one[1], other[1])
    assert not trial.new and not trial.resolved and trial.changed


def test_a_loop_that_the_other_player_can_stop_now_is_told_as_changed() -> None:
    (loop, *_) = RESULT.findings
    before, after = (replace(RESULT, findings=(replace(loop, keepers=WhoCanStop.ONE, stopper=Text.same(who)),)) for who in ("first", "second"))
    assert not Trial({}, before, before).changed and Trial({}, before, after).changed
    under = [replace(x, readings={**x.readings, "hand-limit": "none"}) for x in (before, after)]
    assert [effect(before.findings[0], before, answers(x), [before, x]).same for x in under] == [True, False]
