"""Orders are compared as games: who can bring about what, knowing what, and with what chance. Each defect beside the nearest game without it."""
from __future__ import annotations

from itertools import combinations

import pytest

from rulewright.checks.explore import arrays, forcing, games, order_games
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.findings.record import Finding, FindingClass, Stake

from .harness import LIMITS, Checked, check, toy

KINDS = ("nothing", "turn", "give", "mine", "also mine", "yours", "die", "loaded", "even", "in turn", "veto", "anybody", "open or mine", "again")
"""What can wait, as the toy numbers it."""


def of_two(
    one: str, other: str, entry: str = "nobody", wins: bool = False, later: bool = False, limits: Limits = LIMITS,
) -> Checked:
    position = {"one": KINDS.index(one), "two": KINDS.index(other), "wins": int(wins), "later": int(later)}
    return check(toy("whose", position, entry), limits)


def orders(checked: Checked) -> list[Finding]:
    return [f for f in checked.result.findings if f.cls is FindingClass.ORDER]


def told(one: str, other: str, wins: bool = False) -> tuple[list[str], list[str]]:
    """What is told of each order, in the order of the choices."""
    (order,) = orders(of_two(one, other, wins=wins))
    assert not order.hint and order.question is not None
    assert order.summary.en.endswith("The same results can be reached, but who can bring them about depends on it (everybody is taken to see everything).")
    first, second = order.outcomes
    return [x.en for x in first.then], [x.en for x in second.then]


# one: what waits besides it and makes a difference; and what makes none
@pytest.mark.parametrize(("kind", "differs", "same"), [
    ("give", "turn", "nothing"),  # who chooses depends on what was done before
    ("mine", "yours", "also mine"),  # who chooses later knows more, unless it is the same player
    ("mine", "yours", "turn"),  # who chooses does not depend on it
    ("mine", "die", "nothing"),  # a choice before or after a throw
    ("loaded", "turn", "nothing"),  # two to one, or one to two
    ("loaded", "turn", "die"),  # two throws
    ("in turn", "turn", "nothing"),  # who is first asked whether to go on, in a loop
    ("again", "turn", "nothing"),  # who chooses, in a loop with throws
    ("yours", "give", "turn"),
])
def test_what_players_can_bring_about_is_compared(kind: str, differs: str, same: str) -> None:
    (order,) = orders(of_two(kind, differs))
    assert not order.hint and order.stake is Stake.RESULT
    assert orders(of_two(kind, same)) == []
    (named,) = orders(of_two(kind, differs, "somebody"))
    assert named.hint and named.question is None and orders(of_two(kind, same, "somebody")) == []


def test_equal_chances_on_different_ways_are_no_difference() -> None:
    """Thrown once, or thrown again where it came out so: each number comes out half of the time."""
    assert orders(of_two("even", "turn")) == [] == orders(of_two("even", "die"))


def test_who_can_bring_what_about_is_told_side_by_side() -> None:
    assert told("give", "turn") == (["the first player can be kept from this: a 0 → 5"], ["the first player can make sure of this: a 0 → 5"])
    assert told("loaded", "turn") == (["a 0 → 5: probability 2/3"], ["a 0 → 5: probability 1/3"])
    assert told("mine", "die") == (
        ["the first player can bring this about with probability 1/2: a 0 → 1, b 0 → 1; or a 0 → 5, b 0 → 5"],
        ["the first player can make sure of this: a 0 → 1, b 0 → 1; or a 0 → 5, b 0 → 5"])


def test_that_it_decides_who_wins_is_seen() -> None:
    (order,) = orders(of_two("give", "turn", wins=True))
    assert order.stake is Stake.WINNER
    assert told("give", "turn", wins=True) == (
        ["the second player can make sure of this: the second player wins"],
        ["the second player can be kept from this: the second player wins"])


def test_that_it_decides_who_wins_later_is_seen() -> None:
    """What is left of the play after the order is looked at, too: the same ends can be come to, but not forced by the same players."""
    (order,) = orders(of_two("give", "turn", wins=True, later=True))
    assert order.stake is Stake.WINNER and [x.en for x in order.outcomes[0].then] == ["the first player can be kept from this: a 0 → 5"]
    (other,) = orders(of_two("give", "turn", later=True))
    assert other.stake is Stake.RESULT


def test_of_places_that_are_told_as_one_the_gravest_counts() -> None:
    """The order at first decides who wins, the one that follows only what is on the table."""
    (order,) = orders(of_two("give", "turn", "twice"))
    assert order.stake is Stake.WINNER and [x.en for x in order.outcomes[0].then] == [
        "the second player can make sure of this: the second player wins"]
    (other,) = orders(of_two("nothing", "nothing", "twice"))
    assert other.stake is Stake.RESULT


def test_another_course_in_which_the_same_can_be_forced_is_a_hint_and_says_what_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    (order,) = orders(of_two("veto", "turn"))
    assert order.hint and order.question is None and order.stake is Stake.WORDING and order.outcomes == ()
    assert order.title.en.startswith("only the course of play can depend on the order")
    assert order.summary.en.endswith(
        "For each player and for all together, every set of results can be brought about as surely either way.")
    assert orders(of_two("veto", "nothing")) == []
    monkeypatch.setattr(forcing, "MOST_WORK", -1)
    (order,) = orders(of_two("veto", "turn"))
    assert order.hint and "it was compared how surely 0 sets of results" in order.summary.en


def test_loops_that_are_not_shown_to_be_the_same_are_a_hint_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert orders(of_two("in turn", "nothing")) == []
    monkeypatch.setattr(games, "MOST_REFINED", -1)
    (order,) = orders(of_two("in turn", "nothing"))
    assert order.hint and "it was not shown that the same is decided by the same players, knowing the same" in order.summary.en
    (order,) = orders(of_two("in turn", "turn"))
    assert not order.hint, "what can be forced is seen all the same"


def test_choices_that_nobody_owns_are_judged_both_ways() -> None:
    """Who the rules do not name may be the player who decides in the other order."""
    assert orders(of_two("anybody", "nothing")) == [] == orders(of_two("anybody", "turn")) == orders(of_two("open or mine", "nothing"))
    (order,) = orders(of_two("open or mine", "turn"))
    assert order.hint and "no difference was shown" in order.summary.en


def test_what_goes_on_beyond_the_limits_is_neither_told_nor_counted_as_compared() -> None:
    whole = of_two("in turn", "nothing")
    counted = [(e.count, e.what.en) for e in whole.result.examined if "order" in e.what.en]
    assert counted == [(1, "places where an order is chosen")]
    cut = of_two("in turn", "nothing", limits=Limits(depth=4))
    assert orders(cut) == [] and not cut.complete
    assert [(e.count, e.what.en) for e in cut.result.examined if "order" in e.what.en] == [
        (0, "places where an order is chosen (of 1; in 1 play goes on beyond what was looked at)")]


def test_comparing_games_is_given_up_after_much_work_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_games, "GAME_WORK", -1)
    found = of_two("give", "turn")
    assert orders(found) == []
    assert (0, "places where an order is chosen (of 1; to compare the others takes too long)") in [
        (e.count, e.what.en) for e in found.result.examined]
    assert orders(of_two("give", "nothing")) == []


def test_compiled_and_plain_kernels_lead_to_the_same_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(combinations(KINDS[:9], 2))
    plain = [of_two(*pair).told for pair in pairs]
    monkeypatch.setattr(arrays, "FEW", -1)
    monkeypatch.setattr(order_games, "MANY", -1)
    assert [of_two(*pair).told for pair in pairs] == plain
    assert 5 < sum("order 2.1" in one for one in plain) < 30
