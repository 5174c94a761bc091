"""`policy:` in scenarios: wishes in order, of which the first that some option meets is followed."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.runs import session
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.readers import read_scenario

SCENARIO = """\
book: hanayome
id: scripted
title: scripted
begin: main-phase
policy: {POLICY}
readings: {hand-limit: none}
position:
  first: {hand: [C-MORNING, C-LIBRARY], deck: [BLANK x4]}
  second: {deck: [BLANK x4]}
bounds: {states: 400, turns: 1}
"""


def opened(tmp_path: Path, policy: str) -> Table:
    path = tmp_path / "scripted.yaml"
    path.write_text(SCENARIO.replace("POLICY", policy), encoding="utf-8")
    return open_table(read_scenario(path))


def position_after(table: Table) -> str:
    """The position when somebody has a choice, or the first player's turn is over."""
    state = table.starts[0].state
    while (at := table.engine.point(state)) is not None and len(at.options) == 1:
        if state.slots[table.program.layout.fields["turn_player"].base] != 0:  # pyright: ignore
            break
        state = table.engine.apply(state, at.options[0]).state
    return table.describer.position(state).en


def test_a_card_is_played_once_it_can_be_and_then_nothing_more_is_done(tmp_path: Path) -> None:
    table = opened(tmp_path, "first: [PlayCharacter C-LIBRARY, pass], second: pass")
    after = position_after(table)
    assert "character lane 1 (1): “Miku in the library”" in after
    assert "hand (1): “Ichika up early”" in after
    assert "turn player: the second player" in after
    assert [p.en for p in table.policies] == [
        "the first player takes the first of these that is possible: play “Miku in the library” into lane (any);"
        " do nothing",
        "the second player does nothing wherever that is offered",
    ]


def test_without_a_wish_that_is_met_every_option_stays(tmp_path: Path) -> None:
    table = opened(tmp_path, "first: PlayEvent")
    after = position_after(table)
    assert "character lane" not in after and "turn player" not in after


def test_the_first_option_is_taken_where_nothing_is_said_of_it(tmp_path: Path) -> None:
    after = position_after(opened(tmp_path, "first: [PlayCharacter, PlayEpisode, first], second: [pass, first]"))
    assert "character lane 1 (2): “Ichika up early”, “Miku in the library”" in after, after


@pytest.mark.parametrize(("policy", "code", "value", "said"), [
    ("first: [pss]", "policy", "pss", "did you mean `pass`?"),
    ("first: [PlayCharactr C-LIBRARY, pass]", "policy", "PlayCharactr C-LIBRARY", "did you mean `PlayCharacter`?"),
    ("first: [PlayCharacter C-LIBRAR]", "policy-card", "C-LIBRAR", "did you mean `C-LIBRARY`?"),
    ("third: pass", "policy-player", "third", "write `first` or `second`"),
])
def test_a_wish_that_nothing_can_meet_is_refused(tmp_path: Path, policy: str, code: str, value: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        opened(tmp_path, policy)
    (d,) = refused.value.diagnostics
    assert (d.code, d.value, d.position is not None) == (code, value, True)
    assert d.hint is not None and d.hint.en == said


def test_results_say_under_which_policies(tmp_path: Path) -> None:
    table = opened(tmp_path, "first: [pass, first], second: [pass, first]")
    assert [p.en for p in table.policies] == [
        "both players take the first of these that they can: do nothing; whatever comes first (in other choices)"]
    (result,) = session.check(tmp_path / "scripted.yaml", session.CheckOptions())
    assert result.bounds.states < 40
