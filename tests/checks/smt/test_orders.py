"""Of two abilities that wait together it is known whether their order matters, in every position at once."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pytest
import z3

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Certainty, CheckResult
from rulewright.checks.smt.queries.orders.all_pairs import Orders, ask, orders_of
from rulewright.checks.smt.queries.orders.deciders import Deciders
from rulewright.checks.smt.queries.orders.pair import Pair, PairAnswer
from rulewright.checks.smt.queries.orders.pairs import PoolOrders
from rulewright.checks.smt.solving import asked, has_cvc5, second_opinion
from rulewright.checks.stored.cases import read_case
from rulewright.model.engine.library import card_def, load_book
from rulewright.model.lang.world import CardDef
from rulewright.spec.cards import read_cards

HERE = Path(__file__).parent
CASES = Path(__file__).parents[3] / "counterexamples" / "ts_fight"


@lru_cache
def pool() -> dict[str, CardDef]:
    """The cards of ts_fight, and invented ones."""
    invented = (card_def(c) for name in ("ts_fight", "ts_fight_deciding", "ts_fight_whoever") for c in read_cards(HERE / "pools" / f"{name}.yaml"))
    return {**load_book("ts_fight").cards, **{c.id: c for c in invented}}


def orders_of_cards(cards: Sequence[str]) -> PoolOrders:
    return PoolOrders(load_book("ts_fight"), [pool()[c] for c in cards], {})


def of_pair(one: str, other: str) -> PairAnswer:
    """What comes of the abilities of two cards."""
    orders = orders_of_cards(list(dict.fromkeys((one, other))))
    return orders.answer(pair_of(orders, one, other), smallest=False)


def pair_of(orders: PoolOrders, one: str, other: str) -> Pair:
    """The pair of the abilities of two cards; each with itself is not asked about."""
    return next(p for p in orders.pairs if {p.one.card.id, p.other.card.id} == {one, other})


@lru_cache
def asked_of_book(*readings: tuple[str, str]) -> CheckResult:
    return ask("ts_fight", dict(readings))


def test_the_pairs_of_the_stored_cases_are_found_without_a_scenario() -> None:
    result = asked_of_book()
    stored = {read_case(CASES / name).finding.id for name in ("011-starts-of-the-turn-38PK.yaml", "004-ends-of-the-turn-CMMV.yaml")}
    assert {f.id for f in result.findings} == stored
    assert not result.bounds.complete and result.bounds.not_asked  # declared interrupts are named as not asked
    for f in result.findings:
        assert f.certainty is Certainty.CONSTRUCTIBLE and f.counts and f.question is not None and f.position is not None


def test_both_orders_are_shown_side_by_side_with_what_differs_only() -> None:
    start, end = asked_of_book().findings
    assert [[x.en for x in o.then] for o in start.outcomes] == [
        ["the second player: mental strength 1 → 0", "the first player wins"],
        ["the first player: mental strength 1 → 0", "the second player wins"]]
    assert sorted(len(o.then) for o in end.outcomes) == [0, 1], "the other one leaves the helper as it was"


def test_where_a_reading_names_who_decides_it_is_a_hint() -> None:
    result = asked_of_book(("phase-effects-order", "acting-side"))
    assert result.findings and all(f.hint and f.question is None for f in result.findings)


@pytest.mark.parametrize(("one", "other", "said"), [
    ("PARTY", "EARLY-BED", "differ"), ("PARTY", "NAP", "commute"),  # tired and fresh; tired and tired
    ("KNOCK", "STUMBLE", "differ"), ("KNOCK", "WATCH", "disjoint"),  # who is at zero first; nothing
    ("LULLABY", "STRETCH", "differ"), ("KNOCK", "STRETCH", "disjoint"),  # the same helpers; damage and a helper
    ("AWAKE", "LULLABY", "differ"), ("KNOCK", "LULLABY", "disjoint"),  # looks at what the other changes; does not
    ("GO-HOME", "LONER", "differ"), ("GO-HOME", "WATCH", "commute"),
    ("TIDY", "READER", "differ"), ("TIDY", "NAP", "commute"),  # a hand that is counted; whose choice it is stays the same
    ("HIDE", "SEEK", "hint"), ("HIDE", "NAP", "commute"),  # they lie in another order in the deck
])
def test_pairs_and_their_nearest_that_commute(one: str, other: str, said: str) -> None:
    found = of_pair(one, other)
    assert (found.said, found.why) == (said, None)
    assert (found.finding is not None) == (said in ("differ", "hint"))
    assert found.finding is None or found.finding.hint == (said == "hint")


@pytest.mark.parametrize(("one", "other", "said"), [
    ("BOOKMARK", "BOOKMARK", "commute"), ("NUDGE", "SEEK", "differ"), ("SEEK", "TIDY", "commute"),
    ("WAVER-HOST", "SWAY-HOST", "commute"), ("WAVER", "DOZE", "differ"),  # every result of one order is one of the other, decided otherwise
])
def test_what_is_decided_first_in_one_order_may_be_decided_first_in_the_other(one: str, other: str, said: str) -> None:
    found = of_pair(one, other)
    assert (found.said, found.why) == (said, None)


@pytest.mark.parametrize(("one", "other", "near"), [
    ("WHIMSY", "YAWN", ("STEADY", "YAWN")),  # who chooses depends on whether somebody is tired; or does not
    ("GAMBLE", "YAWN", ("FAIR", "YAWN")),  # how likely it is depends on it; or does not
    ("LOSE", "TIDY", ("LOSE", "YAWN")),  # chosen before, or knowing what came of chance; nothing is chosen
    ("NUDGE", "BOOKMARK", ("NAP", "BOOKMARK")),  # two players choose; one does
    ("WAVER", "SWAY", ("WAVER-HOST", "SWAY-HOST")),  # the same results, decided otherwise; by two players, by one
])
def test_where_the_same_can_be_reached_it_matters_who_can_bring_it_about(one: str, other: str, near: tuple[str, str]) -> None:
    found = of_pair(one, other)
    assert (found.said, found.why) == ("differ", None) and found.finding is not None and not found.finding.hint
    assert found.finding.summary.en.endswith("The same results can be reached, but who can bring them about depends on it (everybody is taken to see everything).")
    told = [x.en for o in found.finding.outcomes for x in o.then]
    assert len(told) == 2 and all(any(word in x for word in ("can make sure", "can be kept", "probability")) for x in told)
    assert of_pair(*near).said in ("commute", "disjoint")


def test_what_chance_does_is_compared_draw_by_draw() -> None:
    """Two cards lost at random: of one hand in turn, of two hands each by itself."""
    found = of_pair("LOSE", "LOSE")
    assert (found.said, dict(found.evidence)) == ("commute", {"": "unsat", "decided alike or in turn": "unsat"})


def test_where_it_cannot_be_shown_who_can_bring_it_about_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deciders, "ways", lambda self: iter(()))
    monkeypatch.setattr(PoolOrders, "confirmed_somewhere", lambda *_: None)
    monkeypatch.setattr(PoolOrders, "drawn", lambda self, pair, smallest: PairAnswer(pair, "unknown"))
    cards = ["TIDY", "NAP"]
    assert of_pair(*cards).said == "reached" and of_pair("PARTY", "NAP").said == "commute"
    out = Orders("ts_fight", {})
    pool_ = orders_of(out, [pool()[c] for c in cards])
    counted = {e.what.en: e.count for e in out.examined(len(pool_.kinds))}
    assert counted["of these, only shown to reach the same results in both orders"] == 2
    assert not out.findings and not out.unknown


def by_lot(book: str, cards: Mapping[str, CardDef], one: str, other: str) -> PairAnswer:
    """What positions drawn by lot show of the order of two cards' abilities."""
    orders = PoolOrders(load_book(book), [cards[c] for c in dict.fromkeys((one, other))], {})
    pair = pair_of(orders, one, other)
    orders.hard.add(pair.one.where)  # as if a question had been too large
    return orders.answer(pair, patient=False)


@pytest.mark.parametrize(("book", "one", "other", "differs"), [
    ("ts_fight", "TEASE", "GRUMPY", True),
    ("ts_fight", "PARTY", "NAP", False), ("ts_fight", "GO-HOME", "WATCH", False), ("ts_fight", "TIDY", "NAP", False),
    ("shinso", "K-SLAYER", "K-REVENGE", True), ("shinso", "K-HEIR", "K-HEIR", False),
    ("hanayome", "C-GREETER", "C-PENPAL", True), ("hanayome", "C-QUIZ", "C-KEEN", False),
])
def test_a_position_drawn_by_lot_shows_a_difference_and_proves_nothing_else(book: str, one: str, other: str, differs: bool) -> None:
    said = by_lot(book, pool() if book == "ts_fight" else load_book(book).cards, one, other)
    if differs:
        assert said.said == "differ" and said.finding is not None and said.finding.certainty is Certainty.CONSTRUCTIBLE
        assert said.finding.position is not None and len({o.then for o in said.finding.outcomes}) == 2
    else:
        assert (said.said, said.finding) == ("unknown", None) and said.why is not None and "drawn by lot" in said.why.en and said.looked_at > 5


def test_what_works_at_different_moments_is_no_pair() -> None:
    assert {(p.one.card.id, p.other.card.id) for p in orders_of_cards(["RUNNER", "PARTY"]).pairs} == {
        ("RUNNER", "RUNNER"), ("PARTY", "PARTY")}


def test_a_question_without_an_answer_in_time_is_unknown() -> None:
    result = ask("ts_fight", seconds=0.0001)
    assert not result.bounds.complete
    assert any("not decided (no answer within" in note.en for note in result.bounds.notes)
    assert {f.id for f in result.findings} <= {f.id for f in asked_of_book().findings}, "only what a position drawn by lot shows"


@pytest.mark.parametrize(("cards", "expected"), [
    (("PARTY", "EARLY-BED"), ["unsat", "sat", "unsat"]),  # of each pair only whether the results differ: nothing is decided
    (("NUDGE",), ["unsat", "sat"]),  # and whether the same is decided by the same: it is not
    (("BOOKMARK",), ["sat", "unsat"]),  # decided otherwise they lead to the same; it is one player who decides
])
def test_the_questions_are_the_same_for_other_solvers(cards: Sequence[str], expected: Sequence[str]) -> None:
    orders = orders_of_cards(cards)
    verdicts = [asked(z3.SimpleSolver(), q.conditions, 20).verdict for q in orders.queries()]
    assert verdicts == expected
    if has_cvc5():
        assert [second_opinion(q, 20).verdict for q in orders.queries()] == verdicts


@pytest.mark.parametrize(("arguments", "code"), [
    (["check", "ts_fight", "--only", "order"], 1),
    (["check", "ts_fight", "--only", "order", "-r", "phase-effects-order=acting-side"], 0),
    (["check", "ts_fight", "--only", "order", "-r", "phase-effects-order=nobody"], 2),
    (["check", "ts_fight/ends-of-the-turn", "--only", "order"], 1),
    (["check", "ts_fight/one-end-of-the-turn", "--only", "order"], 0),
    (["check", "ts_fight/ends-of-the-turn", "--only", "order,gaps"], 2),
])
def test_the_command_line(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--lang", "en"]) == code
    shown = capsys.readouterr()
    assert (code == 2) == bool(shown.err) and "Traceback" not in shown.err
