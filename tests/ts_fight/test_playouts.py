"""Random plays with decks of 60 from the preparation on: every one ends and is explained, no card is ever lost."""
from __future__ import annotations

import pytest

from rulewright.model.engine.library import load_book

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

FULL_GAME = load_book("ts_fight").folder / "scenarios" / "full-game.yaml"
FEW, ALL = 25, 500
"""Plays in every run of the tests, and with those marked slow."""


@pytest.fixture(scope="module")
def few() -> list[Play]:
    return play_many(FULL_GAME, range(FEW))


def test_random_plays_of_the_full_game_end(few: list[Play]) -> None:
    kinds = explained(few, range(FEW))
    assert kinds["win", "第1章2"] > FEW / 2
    assert {p.winner for p in few} >= {0, 1}


@pytest.mark.slow
def test_the_rest_of_five_hundred_random_plays_end(few: list[Play]) -> None:
    kinds = explained(few + play_many(FULL_GAME, range(FEW, ALL)), range(ALL))
    assert kinds["win", "第1章2"] > ALL / 2


def test_the_same_seed_gives_the_same_play_in_another_process(few: list[Play]) -> None:
    table = table_of(FULL_GAME)
    for p in few[:2]:
        assert play(table, p.seed) == p


# ---------------------------------------------------------------- are the checks awake?
def test_a_lost_card_is_noticed() -> None:
    a_lost_card_is_noticed(table_of(FULL_GAME))


def test_broken_invariants_are_noticed() -> None:
    table = table_of(FULL_GAME)
    state, layout = table.starts[0].state, table.program.layout
    keep_to_invariants(table, state)
    zones = {z.name: k for k, z in enumerate(layout.zones)}
    two = list(state.slots)
    two[layout.location] = two[layout.location + 1] = zones["pl_zone[0]"]
    with pytest.raises(InvariantBroken, match="one_pl_character"):
        keep_to_invariants(table, state._replace(slots=tuple(two)))
    names = {s.name: k for k, s in enumerate(layout.slots)}
    apart = list(state.slots)
    apart[names["card.on[0]"]] = 1
    apart[layout.location] = zones["pl_zone[0]"]
    apart[layout.location + 1] = zones["helper_zone[0]"]
    with pytest.raises(InvariantBroken, match="every_card_lies_with_its_character"):
        keep_to_invariants(table, state._replace(slots=tuple(apart)))
    pledged = list(state.slots)
    pledged[names["card.pledged[0]"]] = 3
    with pytest.raises(InvariantBroken, match="pledges_belong_to_uses"):
        keep_to_invariants(table, state._replace(slots=tuple(pledged)))
