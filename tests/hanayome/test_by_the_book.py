"""Plays that somebody who read the book beside the rules traced: what the book says of each is what comes about."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.runs import session

CALLED_AWAY = """
book: hanayome
id: called-away
title: {{ja: 裏になるかわりに, en: instead of turning down}}
about: {{ja: 裏になるかわりに, en: instead of turning down}}
begin: approach-phase
cards:
  - id: MY-CALLER
    name: {{ja: 呼び戻す三玖, en: Miku who calls back}}
    kind: character
    names: [呼び戻す三玖]
    persons: [三玖]
    power: 0
    abilities:
      - name: {{ja: 【永続】主人公が裏になる時、かわりに成功したキャラを手札に加える, en: "Permanent: when a hero would turn down, those who succeeded go to the hand instead"}}
        kind: permanent
        replaces: yes
        when: WouldTurn
        text: |
          for c in characters(g, you):
              if g.card[c].partner is not None and {called}:
                  move(g, c, g.hand[you])
      - name: {{ja: 【自動】花嫁になったキャラがいれば勝つ, en: "Auto: with a bride, you win"}}
        kind: auto
        at_turn_end: yours
        text: |
          if g.brides[you]:
              win_game(g, you)
position:
  hero_lane: {{1: H-1}}
  first: {{lane: {{1: [C-STUDY], 5: [MY-CALLER]}}, deck: [BLANK x5]}}
  second: {{deck: [BLANK x3]}}
policy: {{second: pass}}
bounds: {{turns: 1}}
expect:
  - readings: {{hero-not-flipped: goes-on}}
"""


@pytest.mark.parametrize("called", [True, False])
def test_nobody_becomes_a_bride_if_the_only_one_was_called_away_while_the_hero_turned(called: bool, tmp_path: Path) -> None:
    path = tmp_path / "called.yaml"
    path.write_text(CALLED_AWAY.format(called="True" if called else "len(g.hand[you]) > 5"), encoding="utf-8")
    (result,) = session.check(path, session.CheckOptions())
    assert not [f.title.en for f in result.findings]
    assert ("win" in result.outcomes) is not called
