"""Random plays with full decks from the preparation on: every one ends and is explained, no card or crystal is ever lost."""
from __future__ import annotations

import random

import pytest

from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.ir.program import Layout

from ..by_lot import playout
from ..playouts import (
    InvariantBroken,
    Play,
    a_lost_card_is_noticed,
    explained,
    keep_to_invariants,
    play,
    play_many,
    table_of,
)

FULL_GAME = load_book("sakura").folder / "scenarios" / "full-game.yaml"
FEW, ALL = 25, 500
"""Plays in every run of the tests, and with those marked slow."""
ENDS = {("win", "4-2.1")}


@pytest.fixture(scope="module")
def few() -> list[Play]:
    return play_many(FULL_GAME, range(FEW))


def test_random_plays_of_the_full_game_end(few: list[Play]) -> None:
    kinds = explained(few, range(FEW))
    assert kinds.keys() == ENDS
    assert {p.winner for p in few} >= {0, 1}


@pytest.mark.slow
def test_the_rest_of_five_hundred_random_plays_end(few: list[Play]) -> None:
    kinds = explained(few + play_many(FULL_GAME, range(FEW, ALL)), range(ALL))
    assert kinds["win", "4-2.1"] > 0.95 * ALL


def crystals_of(layout: Layout, state: State) -> int:
    """All crystals, counted from the slots and not by the rules."""
    fields = ("distance", "dust", "life", "aura", "flare", "card.crystals")
    return sum(v for s, v in zip(layout.slots, state.slots, strict=True) if s.name.split("[")[0] in fields)


def test_36_crystals_are_there_at_every_label() -> None:
    table = table_of(FULL_GAME)
    layout, seen = table.program.layout, set[int]()

    def look(state: State) -> None:
        seen.add(crystals_of(layout, state))

    for seed in range(5):
        done = playout(table.engine, table.starts[0], random.Random(seed), look=look)
        assert done.ended == "win" and done.steps > 50
    assert seen == {36}


def test_the_same_seed_gives_the_same_play_in_another_process(few: list[Play]) -> None:
    table = table_of(FULL_GAME)
    for p in few[:2]:
        assert play(table, p.seed) == p


# ---------------------------------------------------------------- are the checks awake?
def test_a_lost_card_is_noticed() -> None:
    a_lost_card_is_noticed(table_of(FULL_GAME))


@pytest.mark.parametrize(("field", "value", "broken"), [
    ("dust", 1, "crystals_are_conserved"),
    ("card.crystals[0]", 1, "crystals_are_conserved"),
    ("@location[0]", "trumps[0]", "only_trumps_lie_among_the_trumps"),
])
def test_a_broken_invariant_is_noticed(field: str, value: int | str, broken: str) -> None:
    table = table_of(FULL_GAME)
    state, layout = table.starts[0].state, table.program.layout
    keep_to_invariants(table, state)
    at = {s.name: k for k, s in enumerate(layout.slots)}
    zones = {z.name: k for k, z in enumerate(layout.zones)}
    slots = list(state.slots)
    slots[at[field]] = zones[value] if isinstance(value, str) else slots[at[field]] + value
    with pytest.raises(InvariantBroken, match=broken):
        keep_to_invariants(table, state._replace(slots=tuple(slots)))


def test_crystals_on_a_card_in_hand_are_noticed() -> None:
    table = table_of(FULL_GAME)
    state, layout = table.starts[0].state, table.program.layout
    at = {s.name: k for k, s in enumerate(layout.slots)}
    slots = list(state.slots)
    slots[at["card.crystals[0]"]] += 1
    slots[at["distance"]] -= 1
    with pytest.raises(InvariantBroken, match="crystals_lie_on_cards_in_play"):
        keep_to_invariants(table, state._replace(slots=tuple(slots)))
