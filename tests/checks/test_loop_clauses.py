"""What a book's own clauses about loops say where not all is known of the loop."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.findings.record import ClauseVerdict, Finding
from rulewright.checks.runs import session

from .audit.book import duel

PHASE = """
class Loop(Record):
    turn_player_can_stop: bool
    together_can_stop: bool
    again_elsewhere: bool

class Again(Record):
    was_done: bool

class Fate(Enum):
    DRAW = 1

class Barred(Enum):
    BARRED = 1

@verdict("endless loop")
def drawn(loop: Loop) -> Option[Fate]:
    return Fate.DRAW if not loop.together_can_stop else None  #: 2.1

@verdict("endless loop")
def elsewhere(loop: Loop) -> Option[Fate]:
    return Fate.DRAW if loop.again_elsewhere else None  #: 2.2

@verdict("action after an endless loop")
def action_is_barred(again: Again) -> Option[Barred]:
    return Barred.BARRED if again.was_done else None  #: 2.2

@procedure(scope=Scope.PHASE)
async def phase(g: Game) -> None:
    \"\"\"A lamp is lit and put out (by points), or the other way is gone.\"\"\"
    while True:
        more = await may(g.turn_player)  #: 1.1
        if not more and g.points[FIRST] == 5:
            break
        g.points[FIRST] = 5 if g.points[FIRST] == 4 else 4  #: 1.2
"""

ON = """    for k in up_to(SIZE):
        for n in up_to(9):
            left = await choose_number(g.turn_player, 0, 1)  #: 1.3
            g.points[SECOND] = n if left == 1 else g.points[SECOND]  #: 1.2
"""


def loop(folder: Path, monkeypatch: pytest.MonkeyPatch, on: str, states: int | None = None) -> tuple[Finding, dict[str, ClauseVerdict]]:
    duel(folder, monkeypatch, PHASE + on, "await phase(g)")
    (result, *_) = session.check(*session.resolve("duel/one-turn"), session.CheckOptions({}, max_states=states))
    (found,) = [f for f in result.findings if f.cls.value == "loop" and not f.hint]
    return found, {v.clause: v for v in found.clause_verdicts}


def test_a_clause_that_asks_who_can_stop_a_loop_is_unclear_where_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way on was not looked at to its end: perhaps nobody can stop it. Where it was, the clause does not apply."""
    found, said = loop(tmp_path / "cut", monkeypatch, ON.replace("SIZE", "4"), 20)
    assert found.unknown_because is not None and "draw" not in found.summary.en.lower()
    assert said["2.1"].answer == "unclear" and "not known" in said["2.1"].why.en
    found, said = loop(tmp_path / "whole", monkeypatch, ON.replace("SIZE", "4"))
    assert found.unknown_because is None and said["2.1"].answer == "does not apply"


def test_that_no_action_can_be_taken_elsewhere_is_said_where_all_of_the_turn_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, said = loop(tmp_path / "small", monkeypatch, ON.replace("SIZE", "1"))
    assert said["2.2"].answer == "does not apply"
    _, said = loop(tmp_path / "large", monkeypatch, ON.replace("SIZE", "9"))
    assert said["2.2"].answer == "unclear"


@pytest.mark.parametrize(("on", "answer"), [("g.points[SECOND] = 1  #: 1.2", "does not apply"), ('not_modelled("1.3")', "unclear")])
def test_what_follows_where_play_stops_at_a_clause_that_is_not_encoded_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on: str, answer: str,
) -> None:
    _, said = loop(tmp_path, monkeypatch, f"    {on}\n")
    assert said["2.2"].answer == answer
