"""A scenario is reduced to what a finding needs, and the rest replays."""
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulewright.checks.cli import main
from rulewright.checks.runs import session
from rulewright.checks.scenarios.minimise import Atom, smallest
from rulewright.checks.stored import finding_store

from .json_schema import output_schema
from .schema import violations

CROWD = """
# the two characters who keep changing seats, among thirty other cards
book: hanayome
id: crowded-swap
title: {ja: 三十枚に囲まれた席替え, en: changing seats among thirty other cards}
begin: main-phase
position:
  turn_player: first
  first:
    hand: [V-STROLL]
    lane: {1: [C-SWAPPER], 3: [C-LIBRARY]}
    deck: [BLANK x8, C-MORNING x2]
    waiting_room: [C-MORNING, BLANK x3]
  second:
    deck: [BLANK x8, C-MORNING x2]
    lane: {2: [C-MORNING]}
    waiting_room: [C-STUDY, BLANK x4]
bounds: {states: 600, depth: 2000}
expect: []
control: swap-control
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def written(text: str) -> str:
    Path("big.yaml").write_text(text, encoding="utf-8")
    return "big.yaml"


def test_thirty_irrelevant_cards_go_and_the_rest_replays(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["minimise", written(CROWD), "PHJX", "-o", "small.yaml", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert [*violations(data, output_schema())] == []
    assert (code, data["before"], data["after"]) == (0, 33, 5)
    small = YAML(typ="safe").load(Path("small.yaml").read_text(encoding="utf-8"))
    position = small["position"]
    assert position["first"]["lane"] == {1: ["C-SWAPPER"], 3: ["C-LIBRARY"]}
    assert position["first"]["hand"] == ["V-STROLL"]
    # beside these, only what keeps both players in the game: a card in each deck
    assert [len(position[p]["deck"]) for p in ("first", "second")] == [1, 1]
    assert "waiting_room" not in position["first"] and "lane" not in position["second"]
    assert "expect" not in small and "control" not in small
    (result,) = session.check(Path("small.yaml"), session.CheckOptions())
    (finding,) = [f for f in result.findings if not f.hint]
    assert finding.id == data["finding"]["id"] == "HANA-10.5.3.3-PHJX"
    assert finding_store.replay(finding_store.store_case(finding, Path("cases"))).reproduced
    assert "# the two characters" in Path("small.yaml").read_text(encoding="utf-8")


OWN = """
book: hanayome
id: own
title: own cards
begin: main-phase
cards:
  - id: MY-WALKER
    name: Ichika who walks
    kind: character
    names: [Ichika who walks]
    persons: [一花]
    power: 2
    abilities:
      - kind: auto
        when: MovedLane
        if: event.card == this
        text: |
          if this is not None and len(empty_lanes(g, you)) > 0:
              n = await choose(you, empty_lanes(g, you))
              move_character(g, this, n)
      - kind: auto
        when: Played
        if: event.by != you
        text: await draw(g, you)
  - {id: MY-IDLER, name: an idler, kind: event, names: [an idler]}
position:
  turn_player: first
  first: {hand: [V-STROLL], lane: {1: [MY-WALKER]}, deck: [BLANK x2]}
  second: {deck: [BLANK x2], waiting_room: [MY-IDLER]}
  card: {MY-WALKER: {until_turn_end: 1}}
bounds: {states: 2000}
"""


def test_abilities_values_and_own_cards_go_too(capsys: pytest.CaptureFixture[str]) -> None:
    main(["minimise", written(OWN), "--json"])
    small = YAML(typ="safe").load(json.loads(capsys.readouterr().out)["scenario"])
    (card,) = small["cards"]
    assert (card["id"], len(card["abilities"])) == ("MY-WALKER", 1)
    assert "card" not in small["position"]
    assert small["position"]["turn_player"] == "first"


@pytest.mark.parametrize(("arguments", "complaint"), [
    (["hanayome/swap-control"], "has no finding (found: -)"),
    (["hanayome/swap", "XXXX"], "has no finding XXXX (found: HANA-10.5.3.3-PHJX, HANA-13.1.1.2-2593)"),
    (["hanayome/swap"], "name one by its id"),
    (["hanayome"], "Choose one scenario"),
])
def test_what_cannot_be_minimised_is_refused(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["minimise", *arguments, "--lang", "en"]) == 2
    assert complaint in re.sub(r"\s+", " ", capsys.readouterr().err)


def test_that_nothing_is_found_is_a_whole_sentence_in_japanese(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minimise", "hanayome/swap-control", "--lang", "ja"]) == 2
    assert "を調べた範囲では、指摘は見つかりません（見つかったもの: なし）" in "".join(capsys.readouterr().err.split("\n"))


@given(st.integers(1, 30), st.sets(st.integers(0, 29)), st.booleans())
def test_exactly_what_is_needed_stays(n: int, wanted: set[int], odd: bool) -> None:
    things = [Atom((k,)) for k in range(n)]
    needed = {Atom((k,)) for k in wanted if k < n}

    def good(some: Sequence[Any]) -> bool:
        return needed <= set(some) and not (odd and needed and len(some) < len(needed))

    assert set(smallest(things, good)) == needed
