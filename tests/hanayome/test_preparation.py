"""Chapter 6: what the readings of the mulligan come to, and decks that break the rules of construction."""
from __future__ import annotations

from pathlib import Path

from rulewright.checks.findings.record import FindingClass
from rulewright.checks.runs import session
from rulewright.model.engine.library import load_book


def scenario(name: str) -> Path:
    return next(p for p in load_book("hanayome").scenarios if p.stem == name)


def test_if_cards_may_be_returned_again_and_again_either_player_can_keep_the_game_from_beginning() -> None:
    """The decks are of one card, so that equal cards make this one state; without symmetry there are far too many."""
    readings = {"hand-limit": "none", "mulligan-repeat": "again"}
    (result,) = session.check(scenario("mulligan"), session.CheckOptions(readings=readings))
    loops = [f for f in result.findings if f.cls is FindingClass.LOOP]
    assert len(loops) == 2
    assert {f.clauses[0] for f in loops} == {"6.2.1.5"}
    stoppers = {f.stopper.en for f in loops if f.stopper is not None}
    assert stoppers == {"the first player", "the second player"}


def test_by_the_other_readings_of_the_mulligan_nothing_goes_on_for_ever() -> None:
    for part in ("whole", "any-same", "any-five"):
        readings = {"hand-limit": "none", "mulligan-part": part}
        (result,) = session.check(scenario("mulligan"), session.CheckOptions(readings=readings))
        assert not [f for f in result.findings if f.cls is FindingClass.LOOP]
