"""Readings: fixed, or branched over when they are first asked for."""
from __future__ import annotations

import pytest

from rulewright.model.engine.state import READING
from rulewright.model.lang.world import ReadingDef, World

from ..lang.programs import HEAD, compiled, explored, good_program, outcomes, read, refused


def branching(*names: str, **fixed: str) -> World:
    return World(branching=frozenset(names), readings=fixed)


@pytest.mark.parametrize(("answer", "ends"), [
    ("seven", {("over", "", 1, 9), ("over", "", 1 + 1 + 3, 7)}),
    ("eight", {("over", "", 1, 9), ("over", "", 1 + 2 + 3, 8)}),
    ("none", {("over", "", 1, 9), ("over", "", 1 + 2, 9)}),
])
def test_a_fixed_reading_is_constant(answer: str, ends: set[tuple[object, ...]]) -> None:
    program = good_program("readings", keep_unread=True, world=World(readings={"hand-limit": answer}))
    assert set(outcomes(explored(program), "n", "hand")) == ends
    assert program.consulted == {"hand-limit", "first-draw"} and not program.reading_slots


def test_a_reading_is_branched_over_when_it_is_first_asked_for_and_then_kept() -> None:
    program = good_program("readings", keep_unread=True, world=branching("hand-limit"))
    g = explored(program)
    points = [at for s in g.states if (at := g.engine.point(s)) is not None]
    assert [at.reading for at in points if at.owner == READING] == ["hand-limit"]  # not where nobody asks for it
    assert set(outcomes(g, "n", "hand", "reading hand-limit")) == {
        ("over", "", 1, 9, -1), ("over", "", 5, 7, 0), ("over", "", 6, 8, 1), ("over", "", 3, 9, 2)}


def test_branching_is_the_union_of_the_fixed_readings() -> None:
    together = set(outcomes(explored(good_program("readings", keep_unread=True, world=branching("hand-limit"))), "n", "hand"))
    apart: set[tuple[object, ...]] = set()
    for answer in ("seven", "eight", "none"):
        world = World(readings={"hand-limit": answer})
        apart |= set(outcomes(explored(good_program("readings", keep_unread=True, world=world)), "n", "hand"))
    assert together == apart


def test_a_reading_is_chosen_before_what_happens_at_once_never_in_the_middle() -> None:
    text = HEAD + """
class Game(State):
    n: Annotated[int, Range(0, 9)]
    m: Annotated[int, Range(0, 9)]


@procedure
async def main(g: Game) -> None:
    with simultaneously():
        g.n += 1
        if reading("hand-limit") == "seven":
            g.m += 2
        g.m += 1
    if g.n + g.m > 9:
        finish(FIRST)
"""
    g = explored(compiled(text, keep_unread=True, world=branching("hand-limit")))
    assert set(outcomes(g, "n", "m")) == {("over", "", 1, 3), ("over", "", 1, 1)}
    assert all(s.slots[:2] == (0, 0) for s in g.states if s.end is None)


LAZY = HEAD + """
class Game(State):
    n: Annotated[int, Range(0, 9)]
    m: Annotated[int, Range(0, 9)]


@invariant
def together(g: Game) -> bool:
    return g.n == g.m


@step
def both(g: Game) -> None:
    g.n += 1
    if g.n == 3:
        ask(g)
    g.m += 1


@step
def ask(g: Game) -> None:
    if reading("hand-limit") == "seven":
        g.n = 7
        g.m = 6


@procedure
async def main(g: Game) -> None:
    for _ in up_to(3):
        more = await may(FIRST)
        if more:
            both(g)
"""


def test_a_reading_in_a_step_is_chosen_only_when_the_step_comes_to_it() -> None:
    """Three steps are taken only if all three questions are answered with yes; nothing is seen of the half-done step."""
    g = explored(compiled(LAZY, branching("hand-limit")))
    asked = [s for s in g.states if (at := g.engine.point(s)) is not None and at.owner == READING]
    assert [read(g.engine.program, s, "n", "m") for s in asked] == [(3, 2)]
    assert set(outcomes(g, "n", "m", "reading hand-limit")) == {
        ("over", "", 0, 0, -1), ("over", "", 1, 1, -1), ("over", "", 2, 2, -1), ("over", "", 7, 7, 0),
        ("over", "", 3, 3, 1), ("over", "", 3, 3, 2)}


def test_a_number_that_a_reading_gives() -> None:
    for n in "023":
        world = World(readings={"first-draw": n})
        found = outcomes(explored(good_program("readings", keep_unread=True, world=world)), "n")
        assert ("over", "", int(n)) in found


def test_what_a_scenario_says_of_readings_is_checked() -> None:
    text = HEAD + "class Game(State):\n    n: bool\n\n\n@procedure\nasync def main(g: Game) -> None:\n    return\n"
    said = refused(text, world=World(branching=frozenset({"first-draw", "hnad-limit"}),
                                     readings={"hand-limit": "sevn", "first-draw": "4"}))
    assert [(d.code, d.position, d.hint and d.hint.en) for d in said] == [
        ("no-such-alternative", None, "a number from 0 to 3"), ("no-such-alternative", None, "did you mean `seven`?"),
        ("numeric-reading", None, "choose one number"), ("unknown-reading", None, "did you mean `hand-limit`?")]


def test_of_many_readings_those_nearest_by_spelling_are_named() -> None:
    text = HEAD + "class Game(State):\n    n: bool\n\n\n@procedure\nasync def main(g: Game) -> None:\n    return\n"
    many = {name: ReadingDef(name, ("yes", "no"), "yes") for name in (*(f"other-{n}" for n in range(30)), "who-draws-first")}
    (said,) = refused(text, world=World(readings={"drawing": "yes"}), readings=many)
    assert said.hint is not None and said.hint.en.startswith("this book has 31 (readings.yaml); nearest by spelling: who-draws-first, other-")
    (said,) = refused(text, world=World(readings={"drawing": "yes"}), readings={})
    assert said.hint is not None and said.hint.en == "this book has none (readings.yaml)"


def test_both_branches_of_a_fixed_reading_are_checked() -> None:
    text = HEAD + """
class Game(State):
    n: bool


@procedure
async def main(g: Game) -> None:
    if reading("x") == "a":
        g.n = True
    else:
        g.m = True
"""
    (d,) = refused(text, readings={"x": ReadingDef("x", ("a", "b"), "a")})
    assert d.code == "no-such-field"
