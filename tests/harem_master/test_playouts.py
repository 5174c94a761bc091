"""Random plays of full 51-card decks from the preparation on: every one ends and is explained, and no card is ever lost."""
from __future__ import annotations

from collections import Counter

import pytest

from rulewright.model.engine.library import load_book

from .. import playouts
from ..playouts import Play, a_lost_card_is_noticed, play, play_many, table_of
from .endings import CASTLE, HAREM, SCAFFOLD, how_it_ended

FULL_GAME = load_book("harem_master").folder / "scenarios" / "full-game.yaml"
FEW, ALL = 25, 500
"""Plays in every run of the tests, and with those marked slow."""
ENDS = {"win", "draw", "conflict", "gap", "loop", "bound"}


@pytest.fixture(scope="module")
def few() -> list[Play]:
    return play_many(FULL_GAME, range(FEW), explain=how_it_ended)


def explained(plays: list[Play], seeds: range) -> Counter[str]:
    """How many plays ended how, after making sure that each end is one that the rules or a stated bound give."""
    playouts.explained(plays, seeds, ENDS)
    for p in plays:
        ways = p.how.split("; ")
        if p.ended == "conflict":
            assert CASTLE in ways or len(set(ways)) > 1, p
        if p.ended == "gap":
            assert ways.count(HAREM) == 2 or ways.count(SCAFFOLD) == 2, p
    return Counter(p.ended for p in plays)


def test_random_plays_of_the_full_game_end(few: list[Play]) -> None:
    kinds = explained(few, range(FEW))
    assert kinds["win"] > FEW / 2


@pytest.mark.slow
def test_five_hundred_random_plays_end_in_every_way_the_book_knows(few: list[Play]) -> None:
    plays = few + play_many(FULL_GAME, range(FEW, ALL), explain=how_it_ended)
    kinds = explained(plays, range(ALL))
    assert kinds["win"] > ALL / 2 and kinds["conflict"] > 0
    assert {p.winner for p in plays} >= {0, 1}
    by_rule = (p for p in plays if p.ended not in ("loop", "bound"))
    assert {way for p in by_rule for way in p.how.split("; ")} == {CASTLE, HAREM, SCAFFOLD}


def test_the_same_seed_gives_the_same_play_in_another_process(few: list[Play]) -> None:
    table = table_of(FULL_GAME)
    for p in few[2:4]:
        assert play(table, p.seed, how_it_ended) == p


def test_a_lost_card_is_noticed() -> None:
    a_lost_card_is_noticed(table_of(FULL_GAME))
