"""Loops in which equal cards change places: the real play by which each is told, gone round until all of them lie as before."""
from __future__ import annotations

import pytest

from rulewright.checks.explore import loop_findings
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.cut_off import cuts_of
from rulewright.checks.findings.record import Certainty, FindingClass
from rulewright.checks.scenarios.checking import check_subject
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.spec.text import Text

from ..toys.harness import assert_replays, line
from .equal_cards import Example, cards

QUEUE = """
class Game(State):
    hand: Bag
    deck: Pile
    c: Annotated[int, Range(0, 24)]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)

@procedure
async def lay(g: Game) -> None:
    while len(g.hand) > 2:
        card = await choose(FIRST, g.hand)
        put(card, g.deck, at=BOTTOM)

@procedure
async def change(g: Game, card: Card) -> None:
    put(card, g.deck, at=BOTTOM)
    drawn = await chance(on_top(g.deck))
    put(drawn, g.hand)
"""
ROUND = QUEUE + """
@procedure
async def main(g: Game) -> None:
    begin(g)
    await lay(g)
    while {going}:
        card = await choose(FIRST, g.hand)
        await change(g, card)
        {does}
"""
NEST = QUEUE + """
@procedure
async def main(g: Game) -> None:
    begin(g)
    await lay(g)
    await deeper(g)

@procedure
async def deeper(g: Game) -> None:
    card = await choose(FIRST, g.hand)
    await change(g, card)
    {does}
"""
ON = "g.c < 28 or g.c > 3"


def subject(text: str, copies: str, symmetry: bool = True) -> Subject:
    one = Example(text, cards(copies)).ready()
    assert one.symmetry.classes == [list(range(len(copies)))]
    slots = [s.initial for s in one.program.layout.slots]
    return Subject(
        book="toys", scenario="queue", title=Text.same("queue"), program=one.program, engine=one.engine,
        describer=Describer(one.program, one.world, Vocabulary()), positions=[slots], starts=[one.start], readings={},
        certainty=Certainty.FROM_POSITION, symmetry=one.symmetry if symmetry else None)


def told(of: Subject) -> list[str]:
    """The loops found, every play replayed."""
    result = check_subject(of, Limits(states=20_000))
    loops = [f for f in result.findings if f.cls is FindingClass.LOOP]
    for f in loops:
        assert_replays(of, f)
    assert "unshown" not in cuts_of(result)
    return [line(f) for f in loops]


ENDLESS = {
    "grows": (ROUND.format(going=ON, does="g.c += 1"), "growing loop NOBODY game"),
    "comes back": (ROUND.format(going="True", does="g.c = 3"), "loop NOBODY game"),
    "nests": (NEST.format(does="await deeper(g)\n    g.c = 1"), "growing loop NOBODY game"),
    "nests and grows": (NEST.format(does=f"g.c += 1\n    if {ON}:\n        await deeper(g)\n    g.c = 1"), "growing loop NOBODY game"),
}
NEAREST = {
    "ends far behind the range": ROUND.format(going="g.c < 28", does="g.c += 1"),
    "nests, but not for ever": NEST.format(does="g.c += 1\n    if g.c < 28:\n        await deeper(g)\n    g.c = 1"),
}


@pytest.mark.parametrize("copies", ["aaa", "aaaaaaa"])
@pytest.mark.parametrize("name", list(ENDLESS))
def test_a_loop_among_representatives_is_told_by_a_real_play(name: str, copies: str) -> None:
    text, expected = ENDLESS[name]
    assert told(subject(text, copies)) == [expected]


@pytest.mark.parametrize("name", ["grows", "comes back"])
def test_the_same_is_told_where_equal_cards_are_kept_apart(name: str) -> None:
    text, expected = ENDLESS[name]
    assert set(told(subject(text, "aaa", symmetry=False))) == {expected}


@pytest.mark.parametrize("name", list(NEAREST))
def test_what_ends_is_no_loop_however_cards_change_places(name: str) -> None:
    assert told(subject(NEAREST[name], "aaaa")) == []


def test_a_loop_of_which_no_real_play_is_found_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_findings, "growing_lasso", lambda *_: None)
    result = check_subject(subject(ENDLESS["grows"][0], "aaa"), Limits(states=20_000))
    assert not result.bounds.complete and cuts_of(result) == ["unshown"]
    assert FindingClass.LOOP not in {f.cls for f in result.findings}
