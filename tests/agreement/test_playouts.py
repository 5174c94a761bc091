"""Random plays in compiled code end as those of the interpreter do."""
from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import pytest

from rulewright.checks.explore.playouts import playout
from rulewright.checks.native.engine import Native
from rulewright.checks.native.playing import PATIENT
from rulewright.checks.native.playouts import Player
from rulewright.checks.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine.table import Table

from ..toys.harness import toy


def table_of(target: str) -> Table:
    scenario = read_scenario(scenario_paths(target)[0])
    return open_table(scenario, reading_sets(scenario, {})[0])


@pytest.mark.parametrize(("target", "plays", "most"), [
    ("hanayome/hand-over-limit", 150, 400), ("ts_fight/nameless-only", 150, 200), ("sakura/crystals-conserved", 150, 60),
])
def test_outcomes_are_as_likely_as_in_the_interpreter(target: str, plays: int, most: int) -> None:
    table = table_of(target)
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    many = 20_000
    found = Player(native, table.starts[0]).many(range(many), most)
    right = Counter[tuple[str, int]]()
    decisions = list[int]()
    for seed in range(plays):
        p = playout(table.engine, table.starts[0], random.Random(seed), most)
        right[p.ended, p.winner] += 1
        decisions.append(p.decisions)
    assert right.keys() <= found.ends.keys()
    for end, n in found.ends.items():
        share = n / many
        assert abs(right[end] / plays - share) <= 4.5 * sqrt(share * (1 - share) / plays) + 0.01, (end, right, found.ends)
    mean = sum(decisions) / plays
    spread = sqrt(sum((d - mean) ** 2 for d in decisions) / plays)
    assert abs(found.decisions / many - mean) <= 4.5 * spread / sqrt(plays) + 0.05


def test_a_play_is_the_same_for_the_same_lots_and_else_differs() -> None:
    table = table_of("ts_fight/nameless-only")
    player = Player(Native(table.program, level=0), table.starts[0])
    first = [player.play(seed) for seed in range(30)]
    assert first == [player.play(seed) for seed in range(30)]
    assert len(set(first)) > 5


def test_a_loop_that_nobody_can_leave_is_noticed() -> None:
    s = toy("lamp")
    player = Player(Native(s.program, level=0), s.starts[0])
    plays = [player.play(seed) for seed in range(40)]
    assert {p.ended for p in plays} == {playout(s.engine, s.starts[0], random.Random(seed)).ended for seed in range(40)}
    rounds = {p.steps - p.decisions for p in plays if p.ended == "loop"}
    assert rounds == {PATIENT + 2}  # the position after so many steps without a choice came back two steps later


def test_a_play_stops_at_the_limit_on_steps() -> None:
    table = table_of("sakura/crystals-conserved")
    play = Player(Native(table.program, level=0), table.starts[0]).play(1, most_steps=3)
    assert (play.ended, play.steps) == ("steps", 3)
