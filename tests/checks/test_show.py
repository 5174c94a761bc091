"""`check --show N`: several plays of a finding, the shortest first, each different from the others."""
from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore.more_plays import as_told, shortest_paths
from rulewright.checks.explore.owned_graph import CHANCE
from rulewright.checks.findings.record import Finding
from rulewright.checks.runs import session

from .json_schema import output_schema
from .schema import violations
from .strategies import graph_of


@pytest.mark.parametrize("seed", range(60))
def test_the_ways_to_some_states_are_all_simple_ones_the_shortest_first(seed: int) -> None:
    dice = random.Random(seed)
    n = dice.randrange(2, 8)
    edges = sorted({(dice.randrange(n), dice.randrange(n)) for _ in range(dice.randrange(1, 2 * n))})
    graph = graph_of([CHANCE] * n, edges)
    targets = sorted(dice.sample(range(n), dice.randrange(1, min(3, n) + 1)))
    ways = list(shortest_paths(graph, targets))
    told = [tuple(edges[e] for _, e in way) for way in ways]
    every = nx.DiGraph(edges)
    every.add_nodes_from(range(n))
    wanted = {((0, 0),)[:0]} if 0 in targets else {
        tuple(pairwise(path)) for target in targets for path in nx.all_simple_paths(every, 0, target)
        if not set(path[:-1]) & set(targets)}
    assert set(told) == wanted and len(told) == len(wanted)
    assert [len(way) for way in told] == sorted(len(way) for way in told)


def plays(scenario: str | Path, show: int, **readings: str) -> Finding:
    (path,) = session.resolve(str(scenario))
    (result,) = session.check(path, session.CheckOptions(readings, defaults_only=True, show=show))
    return next(f for f in result.findings if not f.hint)


def test_other_loops_of_the_same_form_are_told_each_with_its_own_way_to_it() -> None:
    one, four = plays("hanayome/swap", 1), plays("hanayome/swap", 4)
    assert one.more == () and four.play == one.play
    chosen = [[step.chosen.en for step in play.stem if step.chosen is not None][-1] for play in (four.play, *four.more)]
    assert chosen == [f"chooses lane {n} (by “another seat”)" for n in (2, 3, 4, 5)]
    assert len({(as_told(p.stem), as_told(p.cycle)) for p in (four.play, *four.more)}) == 4
    assert all(len(a.stem) <= len(b.stem) for a, b in pairwise((four.play, *four.more)))


def test_other_plays_come_to_the_same_end() -> None:
    finding = plays("sakura/both-at-zero", 5)
    (other,) = finding.more  # as many as there are
    assert other.end == finding.play.end
    assert len(finding.play.stem) <= len(other.stem)
    assert as_told(finding.play.stem) != as_told(other.stem)


EQUAL = """
book: hanayome
id: equal-events
title: {ja: 同じイベントが二枚, en: two equal events}
begin: main-phase
position:
  turn_player: first
  first: {hand: [V-STROLL x2], lane: {1: [C-SWAPPER], 3: [C-LIBRARY]}, deck: [BLANK]}
  second: {deck: [BLANK]}
bounds: {states: 3000}
"""


def test_plays_that_exchange_equal_cards_are_one(tmp_path: Path) -> None:
    path = tmp_path / "equal-events.yaml"
    path.write_text(EQUAL, encoding="utf-8")
    found = []
    for symmetry in (True, False):
        (result,) = session.check(path, session.CheckOptions(defaults_only=True, show=3, symmetry=symmetry))
        finding = next(f for f in result.findings if not f.hint)
        assert len(finding.more) == 2
        found.append([as_told(play.stem) for play in (finding.play, *finding.more)])
    assert all(len(set(told)) == 3 for told in found)


def test_the_command_tells_them_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    def said(*more: str) -> str:
        assert main(["check", "hanayome/swap", "-r", "default", "--show", "3", *more]) == 1
        return capsys.readouterr().out

    page = said("--lang", "ja")
    assert "ほかの起こり方 1" in page and "ほかの起こり方 2" in page and "ほかの起こり方 3" not in page
    data: Any = json.loads(said("--json"))
    assert [*violations(data, output_schema())] == []
    assert [len(f["more"]) for f in data["results"][0]["findings"] if not f["hint"]] == [2]
    log = json.loads(said("--format", "sarif"))
    assert len(log["runs"][0]["results"][0]["codeFlows"]) == 3
