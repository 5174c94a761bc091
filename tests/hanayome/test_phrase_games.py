"""Random plays of the full game whose cards are written in phrases: all end, none loses a card, and compiled code plays them as the
interpreter does, choice by choice. With RULEWRIGHT_THOROUGH=1 those marked slow take hours: as many plays as were promised."""
from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from rulewright.checks.native.engine import Native
from rulewright.checks.native.playouts import Player
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.engine.table import Table

from ..agreement.test_playouts import replayed
from ..by_lot import conservation, playout, plays_of
from ..playouts import MOST_STEPS, keep_to_invariants, table_of

GAME = load_book("hanayome").folder / "scenarios" / "full-game-in-phrases.yaml"
FEW = 30
"""Plays of compiled code in every run of the tests."""
ALL, BEGUN, WHOLE, COUNTED = (20_000, 1_000, 40, 12) if os.environ.get("RULEWRIGHT_THOROUGH") else (2_000, 40, 2, 3)
"""Of those marked slow: plays of compiled code; compared for sixty steps; compared to the end; with every card counted."""
ENDS = {"win", "draw", "loop", "bound", "gap"}
"""An outcome, a loop, a stated bound, or a place where the book does not say how it goes on."""


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of(GAME)


def native(table: Table, level: int) -> Native:
    return Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=level)


def ended(table: Table, seeds: range, level: int) -> Counter[tuple[str, int]]:
    found = plays_of(Player(native(table, level), table.starts[0]), seeds, MOST_STEPS)
    assert {how for how, _ in found.ends} <= ENDS, found.ends
    assert sum(found.ends.values()) == len(seeds)
    return found.ends


def test_both_players_win_random_plays(table: Table) -> None:
    ends = ended(table, range(FEW), 0)
    assert ends["win", 0] > 0 and ends["win", 1] > 0, ends


@pytest.mark.slow
def test_thousands_of_random_plays_end(table: Table) -> None:
    ends = ended(table, range(ALL), 2)
    assert ends["win", 0] > ALL / 10 and ends["win", 1] > ALL / 10, ends


def test_the_beginnings_of_plays_are_the_same_in_the_interpreter(table: Table) -> None:
    assert not replayed(table.engine, native(table, 0), table.starts[0].state, range(3), 25)["beyond"]


@pytest.mark.slow
def test_many_plays_are_the_same_in_the_interpreter_for_sixty_steps(table: Table) -> None:
    out = replayed(table.engine, native(table, 2), table.starts[0].state, range(BEGUN), 60)
    assert sum(out.values()) == BEGUN and not out["beyond"], out


@pytest.mark.slow
def test_whole_plays_are_the_same_in_the_interpreter(table: Table) -> None:
    out = replayed(table.engine, native(table, 2), table.starts[0].state, range(WHOLE), MOST_STEPS)
    assert out.keys() <= ENDS and sum(out.values()) == WHOLE, out


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(COUNTED))
def test_no_card_is_lost_and_every_invariant_holds(table: Table, seed: int) -> None:
    counted = conservation(table.program)
    labels = 0

    def look(state: State) -> None:
        nonlocal labels
        counted(state)
        if labels % 5 == 0 or state.end is not None:
            keep_to_invariants(table, state)
        labels += 1

    done = playout(table.engine, table.starts[0], random.Random(seed), MOST_STEPS, look)
    assert done.ended in ENDS and labels == done.steps + 1
