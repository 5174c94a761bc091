"""A choice without an option, where play has looked before whether there is one: before somebody was asked, and with nothing done since."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.smt.queries.conflicts_and_gaps import CONFLICTS, GAPS, ask

from .small_books import own_book

RULES = """from rulewright.model.lang import *

class Game(State):
    hand: Per[Player, Bag]
    away: Bag
    passed: bool

@step
def take_all(g: Game, p: Player) -> None:
    for c in g.hand[p]:
        put(c, g.away)

@procedure
async def charge(g: Game, p: Player) -> None:
    {looks}:
        {does}
        charges = await may(p)  #: 1.1
        if charges:
            c = await choose(p, g.hand[p])  #: 1.1
            put(c, g.away)  #: 1.1

@entry("setup")
@procedure
async def main(g: Game) -> None:
    await charge(g, FIRST)
    await charge(g, SECOND)
"""


@pytest.mark.parametrize(("looks", "does", "gap"), [
    ("if g.hand[p]", "pass", False),
    ("if len(g.hand[p]) > 0 and not g.passed", "pass", False),
    ("if not g.passed", "pass", True),
    ("if g.hand[p]", "take_all(g, p)", True),
    ("if g.hand[other(p)]", "pass", True),
])
def test_what_was_looked_at_before_somebody_is_asked_holds_still(
    looks: str, does: str, gap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    own_book(tmp_path, monkeypatch, RULES.format(looks=looks, does=does))
    found = ask("mine", (GAPS,)).findings
    assert [f.clauses for f in found] == ([("1.1",)] if gap else [])
    for f in found:  # the position is in the middle of something, and somebody said yes
        assert f.position is not None and f.position.en.startswith("in the middle of “charge”, where this is chosen: yes\n")
        assert f.position.ja.startswith("「charge」の途中で、選ばれるもの: はい\n")


HAPPENS = """from rulewright.model.lang import *

class Waits(Record):
    whose: Player

class Game(State):
    points: Per[Player, Annotated[int, Range(0, 3)]]
    waiting: Multiset[Waits]

@situation
async def ends(g: Game, p: Player) -> None:
    when(g.points[p] == 3)  #: 1.1
    finish(p)

@situation
async def also(g: Game, p: Player) -> None:
    when({holds})  #: 1.1
    finish(other(p))

@entry("setup")
@procedure
async def main(g: Game) -> None:
    while True:
        p = await choose(FIRST, PLAYERS)
        g.points[p] += 1
"""


@pytest.mark.parametrize(("holds", "count"), [("len(g.waiting) > 1", 1), ("g.points[p] == 3 and len(g.waiting) > 1", 1), ("len(g.waiting) == 0", 2)])
def test_of_a_situation_that_never_or_always_holds_no_condition_is_left(holds: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is ever put into the container: the condition is worked out when the book is compiled."""
    own_book(tmp_path, monkeypatch, HAPPENS.format(holds=holds))
    found = ask("mine", (CONFLICTS,)).findings
    assert len(found) == count and all("at the same time" in f.title.en for f in found)


NAMED = """from rulewright.model.lang import *

class Game(State):
    hand: Bag
    away: Bag
    lit: bool

@step
def light(g: Game) -> None:
    if {when}:
        g.lit = True  #: 1.1
        gap("1.1")

@entry("setup")
@procedure
async def main(g: Game) -> None:
    {first}
    x = await may(FIRST)
    if {under_way}:
        gap("1.1")
"""
ALL_HERE = "len(g.hand) == 2 and all(c in g.hand for c in CARDS)"
NOWHERE = "any(c not in g.hand and c not in g.away for c in CARDS)"


@pytest.mark.parametrize(("by_itself", "when", "gap"), [
    (True, ALL_HERE, True), (False, ALL_HERE, True),  # there may be two cards and no more
    (True, NOWHERE, False), (False, NOWHERE, False),  # a card that lies nowhere is none
    (True, "len({c for c in CARDS if zone_of(c) == g.hand}) == len({c for c in CARDS if not g.lit}) and len(g.hand) == 3", True),
    (False, "len(g.hand) + len(g.away) < len({c for c in CARDS if not g.lit})", False),
])
def test_all_cards_are_those_that_are_there(by_itself: bool, when: str, gap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_book(tmp_path, monkeypatch, NAMED.format(
        when=when if by_itself else "g.lit", first="light(g)" if by_itself else "pass", under_way="False" if by_itself else when))
    result = ask("mine", (GAPS,))
    assert [f.clauses for f in result.findings] == ([("1.1",)] if gap else [])


@pytest.mark.parametrize("by_itself", [True, False])
@pytest.mark.parametrize(("when", "gap"), [
    ("len(g.hand) == 2 and len(CARDS) == 2", True),
    ("not CARDS", True),
    ("len(g.hand) == 1 and not any(owner(c) == FIRST for c in CARDS)", True),
    ("len(g.hand) + len(g.away) < len(CARDS)", False),
    ("len(g.hand) > len(CARDS)", False),
    ("len(g.hand) > 0 and not CARDS", False),
])
def test_how_many_cards_there_are_is_how_many_are_in_the_game(
    by_itself: bool, when: str, gap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not of the world that is asked about, which has twelve."""
    own_book(tmp_path, monkeypatch, NAMED.format(
        when=when if by_itself else "g.lit", first="light(g)" if by_itself else "pass", under_way="False" if by_itself else when))
    result = ask("mine", (GAPS,))
    assert [f.clauses for f in result.findings] == ([("1.1",)] if gap else [])


@pytest.mark.parametrize(("when", "gap"), [("len(g.hand) == 2 and not g.away", True), ("len(g.hand) == 2 and len(CARDS) == 3 and not g.away", False)])
def test_a_condition_on_all_cards_holds_in_games_of_any_size(when: str, gap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_book(tmp_path, monkeypatch, NAMED.format(when=when, first="light(g)", under_way="False") + """
@invariant
def every_card_lies_somewhere(g: Game) -> bool:
    return len(g.hand) + len(g.away) == len(CARDS)
""")
    assert [f.clauses for f in ask("mine", (GAPS,)).findings] == ([("1.1",)] if gap else [])
