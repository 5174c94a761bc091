"""A card that is set lies with its character, whatever an effect does before rule processing looks at it."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.runs import session

GROWN = """
book: hanayome
id: grown-and-moved
title: {{ja: 重ねられて動く, en: grown over and moved}}
about: {{ja: 重ねられて動く, en: grown over and moved}}
begin: main-phase
cards:
  - id: MY-STEP
    name: {{ja: 一歩前へ, en: a step ahead}}
    kind: event
    names: [一歩前へ]
    icons: [main]
    abilities:
      - name: {{ja: 控え室の【成長】のカードを1番のレーンに重ねて登場させ、2番のレーンに移動する, en: "Grow over lane 1, then move to lane 2"}}
        kind: event
        text: |
          grown = await target(g, you, {{c for c in g.waiting_room[you] if len(Printed(c).growth) > 0}})
          if grown is not None:
              await come(g, grown, g.lane[you][1], you)
          who = character_in(g, you, 1)
          if who is not None:
              move_character(g, who, 2)
  - id: MY-SITTER
    name: {{ja: 座り込む五月, en: Itsuki who sits down}}
    kind: character
    names: [座り込む五月]
    persons: [五月]
    power: 2
    abilities:
      - name: {{ja: 【永続】このキャラは他のレーンに移動しない, en: "Permanent: this character does not move to other lanes"}}
        kind: permanent
        effect: stays_in_lane
        applies_to: card == this
  - id: MY-LEAPS
    name: {{ja: 二歩前へ, en: two steps ahead}}
    kind: event
    names: [二歩前へ]
    icons: [main]
    abilities:
      - name: {{ja: 1番のレーンのキャラを2番、次に3番のレーンに移動する, en: "Move from lane 1 to 2, then on to 3"}}
        kind: event
        text: |
          who = character_in(g, you, 1)
          if who is not None:
              move_character(g, who, 2)
          again = character_in(g, you, 2)
          if again is not None:
              move_character(g, again, 3)
position:
  first: {{hand: [{played}], waiting_room: [C-GROWN], lane: {lanes}, deck: [BLANK x3]}}
  second: {{deck: [BLANK x2]}}
  card: {{E-LETTER: {{set_on: {on}}}}}
policy: {{second: pass}}
bounds: {{turns: 1}}
expect:
  - readings: {readings}
    findings: []
"""
CASES = {
    "grown over, and it falls off": ("MY-STEP", "{1: [E-LETTER, C-MORNING]}", "C-MORNING", {"episodes-after-growth": "fall-off"}),
    "grown over, and it stays": ("MY-STEP", "{1: [E-LETTER, C-MORNING]}", "C-MORNING", {}),
    "one comes to lie on her, and both go on": (
        "MY-LEAPS", "{1: [C-MORNING], 2: [E-LETTER, MY-SITTER]}", "MY-SITTER", {"lane-swap-blocked": "stacks"}),
}


def told(folder: Path, played: str, lanes: str, on: str, readings: dict[str, str]) -> list[str]:
    path = folder / "grown.yaml"
    path.write_text(GROWN.format(played=played, lanes=lanes, on=on, readings=readings), encoding="utf-8")
    (result,) = session.check(path, session.CheckOptions())
    return [f.title.en for f in result.findings]


@pytest.mark.parametrize("name", CASES)
def test_what_is_set_lies_with_its_character(name: str, tmp_path: Path) -> None:
    assert told(tmp_path, *CASES[name]) == []


def test_a_card_set_on_a_character_elsewhere_is_told(tmp_path: Path) -> None:
    """The position itself is one that no play comes to."""
    assert told(tmp_path, "MY-STEP", "{1: [C-MORNING], 3: [E-LETTER]}", "C-MORNING", {}) == [
        "the invariant “an episode lies in the lane of its character” is broken"]
