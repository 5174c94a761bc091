"""What is told to end, and to hold always, beside all plays: nothing false is said of worlds by lot, and what is said falsely is noticed."""
from __future__ import annotations

import random

import pytest

from rulewright.checks.ends import ways
from rulewright.checks.ends.proving import Found, places, proved_of

from .books import Book, Part, Rule
from .ending import LOOPS, NESTS, RISES, STAYS, Endings, played, told_to_end
from .keeping import told_to_be_kept
from .kinds import KINDS, drawn
from .run import SECONDS, looked_at
from .test_judge import parts
from .test_worlds import SEED

STATE = "class Printed(Definition):\n    power: Annotated[int, Range(0, 3)]\n\n\nclass Game(State):\n    heap: Bag\n    away: Bag\n    c: Annotated[int, Range(0, 3)]\n    d: Annotated[int, Range(0, 3)]\n"
CARDS = ((1, 0), (1, 1), (2, 0))
DOWN = "g.c = 3\nwhile g.c > 0:\n    g.c -= 1"
PLAYERS_INSIDE = "while g.c < 3:\n    for p in (FIRST, SECOND):\n        while g.d > 0:\n            g.d -= 1\n    g.d = 3"
ROUND = "while True:\n    g.c = 1"


def book(main: str, *others: Rule, position: dict[str, int] | None = None) -> Book:
    return Book(STATE, (*others, Rule("main", "", "", parts(main))), ("c", "d"), position=position or {}, cards=CARDS)


def told(b: Book, proved: bool, sign: int = 0) -> list[str]:
    """What is false if all is told to end, by a number that goes up or down, or nothing is."""
    plays = played(b, random.Random(0), 1)
    found = [Found(p, proved, [(sign, q) for _, q in proved_of(plays.program, p).levels] if sign else []) for p in places(plays.program)]
    return sorted({x.kind for x in Endings(plays, found, b.text).false()})


@pytest.mark.parametrize(("main", "false"), [(DOWN, []), (ROUND, [LOOPS, STAYS]), (PLAYERS_INSIDE, [LOOPS, STAYS])])
def test_what_is_told_to_end_and_does_not_is_noticed(main: str, false: list[str]) -> None:
    assert told(book(main), True) == sorted([*false, *([RISES] if main == DOWN else [])])  # nothing at all is said to go down
    assert told(book(main), False) == []


def test_a_number_that_goes_up_where_it_is_told_to_go_down_is_noticed() -> None:
    assert told(book(DOWN), True, 1) == [] and told(book(DOWN), True, -1) == [RISES]


def test_rules_that_nest_for_ever_are_noticed() -> None:
    again = Rule("again", "", "", parts("g.d = 1\nawait again(g)\ng.d = 0"))
    assert told(book("await again(g)", again), True) == [NESTS]
    assert told(book("await again(g)", again), False) == []


def test_a_condition_that_is_broken_and_one_that_holds_are_told_apart() -> None:
    held = [Rule(name, "", "", (Part(f"return {what}"),), "invariant", "bool") for name, what in (("right", "g.c + g.d == 3"), ("wrong", "g.c > 0"))]
    false, counts = told_to_be_kept(book("while g.c > 0:\n    with simultaneously():\n        g.c -= 1\n        g.d += 1", *held, position={"c": 3}))
    assert not false
    assert counts["true: a condition broken"] == 1 and counts["true: a condition that holds, and is proved"] == 1


def test_the_loop_within_one_over_the_players_would_have_been_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told as proved to end: the rounds after the first were not followed."""
    assert told_to_end(book(PLAYERS_INSIDE), random.Random(0))[0] == []
    monkeypatch.setattr(ways, "rounds_around", lambda fn, pc: frozenset[int]())
    assert {x.kind for x in told_to_end(book(PLAYERS_INSIDE), random.Random(0))[0]} == {LOOPS, STAYS}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [k for k in KINDS if k != "counters"])
def test_nothing_false_is_said_of_worlds_with_cards_by_lot(kind: str) -> None:
    compared = 0
    for seed in range(SEED, SEED + 6):
        o = looked_at(seed, SECONDS, native=False, kind=kind)
        compared += not o.why_not
        assert not o.compared.false, f"python -m tests.oracle.run --draw {kind} --one {seed}\n{drawn(seed, kind).told}\n{o.compared.false}"
    assert compared > 2
