"""Random plays of full decks from the preparation on: every one ends and is explained, and no card is ever lost."""
from __future__ import annotations

from collections import Counter

import pytest

from rulewright.model.engine.library import load_book

from .. import playouts
from ..playouts import Play, play, play_many, table_of
from .endings import how_it_ended

FULL_GAME = load_book("shinso").folder / "scenarios" / "full-game.yaml"
LONGER = {"core-card": "part-of-life-deck"}
"""So read, nobody loses by putting all life cards into the draw pile: plays get beyond the preparation."""
FEW, ALL = 60, 500
"""Plays in every run of the tests (under each reading), and with those marked slow."""
ENDS = {"win", "conflict", "loop", "bound"}


@pytest.fixture(scope="module")
def few() -> list[Play]:
    return play_many(FULL_GAME, range(FEW), explain=how_it_ended)


def explained(plays: list[Play], seeds: range) -> Counter[str]:
    """How often which end, after making sure that each play came to an end that is explained."""
    playouts.explained(plays, seeds, ENDS)
    return Counter(p.how for p in plays)


def test_random_plays_end(few: list[Play]) -> None:
    ends = explained(few, range(FEW))
    assert ends["life deck"] > 0
    plays = play_many(FULL_GAME, range(FEW), LONGER, how_it_ended)
    longer = explained(plays, range(FEW))
    assert longer["burned out"] > 0 and longer["life deck"] > 0
    assert max(p.labels for p in plays[:20]) > 150


@pytest.mark.slow
def test_many_random_plays_end() -> None:
    even, odd = range(0, ALL, 2), range(1, ALL, 2)
    longer = play_many(FULL_GAME, even, LONGER, how_it_ended)
    as_written = play_many(FULL_GAME, odd, explain=how_it_ended)
    ends = explained(longer, even) + explained(as_written, odd)
    assert {"life deck", "burned out", "both life decks"} <= ends.keys()
    assert {p.winner for p in longer + as_written} >= {0, 1}


def test_the_same_seed_gives_the_same_play_in_another_process(few: list[Play]) -> None:
    table = table_of(FULL_GAME)
    for seed in (3, 5):
        assert play(table, seed, how_it_ended) == few[seed]
    assert few[3].log != few[5].log
