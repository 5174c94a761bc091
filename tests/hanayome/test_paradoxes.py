"""Permanent abilities that take away what they rest on end in a gap that is named, whatever sort of effect they have; the
nearest ability that leaves its own condition alone is told nothing of. (Those with a page of their own are shipped scenarios. What the
order of 10.9.1.3 to .5 decides is no paradox: `test_layers_by_the_book.py`.)"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from rulewright.checks.findings.record import FindingClass
from rulewright.checks.runs import session
from rulewright.spec.readers import read_scenario

SCENARIO = """
book: hanayome
id: paradox
title: {{ja: 逆説, en: a paradox}}
about: {{ja: 逆説, en: a paradox}}
begin: main-phase
cards:
{cards}
position:
  first: {{lane: {{1: [MINE], 3: [C-LIBRARY], 5: [C-RUNNER]}}, deck: [BLANK x3]}}
  second: {{lane: {{1: [YOURS]}}, deck: [BLANK x2]}}
policy: {{first: pass, second: pass}}
bounds: {{turns: 1}}
expect:
  - readings: {{}}
    findings: []
"""
CARD = """
  - id: {id}
    name: {{ja: {id}, en: {id}}}
    kind: character
    names: [{id}]
    persons: [{person}]
    power: {power}
"""
THEIRS = "card in characters(g, other(you))"


@dataclass(frozen=True)
class Case:
    """Abilities of a character of the first player (Ichika, power 2) and of one opposite (Nino, power 2), as lines of a card;
    the clause of the gap, and what to write instead of what so that there is none."""

    mine: tuple[str, ...]
    yours: tuple[str, ...]
    clause: str
    instead: tuple[str, str]


def permanent(effect: str, on: str, when: str = "", **more: str) -> str:
    said = {"kind": "permanent", "effect": effect, "applies_to": on, **({"if": when} if when else {}), **more}
    return "".join(f"        {key}: {value}\n" for key, value in said.items())


def has(person: str, card: str = "this") -> str:
    return f"goes_by(g, {card}, {{Person.{person}}})"


CASES = {
    "a name is lost while it is had": Case(
        (permanent("loses_persons", "card == this", has("一花"), persons="[一花]"),), (), "10.9.1", ("persons: [一花]", "persons: [四葉]")),
    "a name is had while it is lacked": Case(
        (permanent("adds_persons", "card == this", f"not {has('四葉')}", persons="[四葉]"),), (), "10.9.1", ("persons: [四葉]", "persons: [三玖]")),
    "an ability disables its own card": Case(
        (permanent("disables_abilities", "card == this"),), (), "10.9.1", ("card == this", "False")),
    "a low power is set high": Case(
        (permanent("sets_power", "card == this", "power(g, this) <= 3", how_much='"5"'),), (), "10.9.1", ('"5"', '"3"')),
    "a low power is doubled": Case(
        (permanent("doubles_power", "card == this", "power(g, this) <= 3"),), (), "10.9.1", ("<= 3", "<= 4")),
    "a given ability takes the giver's away": Case(
        (permanent("gives_abilities", "card != this and card in characters(g, you)"),
         permanent("loses_abilities", "card != this and card in characters(g, you)", given="yes")),
        (), "10.9.1.6", ("effect: loses_abilities", "effect: cannot_leave")),
    "two take each other's names": Case(
        (permanent("loses_persons", THEIRS, has("一花"), persons="[二乃]"),),
        (permanent("loses_persons", THEIRS, has("二乃"), persons="[一花]"),), "10.9.1.6", ("persons: [二乃]", "persons: [四葉]")),
    "two disable each other": Case(
        (permanent("disables_abilities", THEIRS),), (permanent("disables_abilities", THEIRS),), "10.9.1.6",
        ("disables_abilities", "cannot_leave")),
}


def gaps(folder: Path, mine: str, yours: str) -> list[str]:
    """The clauses of the gaps that are found where the two characters stand opposite each other."""
    cards = CARD.format(id="MINE", person="一花", power=2) + mine + CARD.format(id="YOURS", person="二乃", power=2) + yours
    path = folder / "paradox.yaml"
    path.write_text(SCENARIO.format(cards=cards), encoding="utf-8")
    assert read_scenario(path).cards
    (result,) = session.check(path, session.CheckOptions())
    assert all(f.cls is FindingClass.GAP for f in result.findings), [f.title.en for f in result.findings]
    assert result.outcomes.keys() <= {"gap", "bound"} or not result.findings
    return [f.clauses[0] for f in result.findings]


def written(abilities: tuple[str, ...]) -> str:
    """The abilities as lines of a card."""
    listed = "".join("      - name: {ja: 永続能力, en: a permanent ability}\n" + a for a in abilities)
    return f"    abilities:\n{listed}" if abilities else ""


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_undoes_itself_is_a_gap_with_its_clause(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    assert gaps(tmp_path, written(case.mine), written(case.yours)) == [case.clause]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_without_the_circle_nothing_is_found(name: str, tmp_path: Path) -> None:
    case, (old, new) = CASES[name], CASES[name].instead
    mine = tuple(a.replace(old, new) for a in case.mine)
    assert mine != case.mine
    assert gaps(tmp_path, written(mine), written(case.yours)) == []
