"""Random plays of full 50-card decks from the preparation on, in two processes: every one ends and is explained, no card
is ever lost, and the same seed gives the same play."""
from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.checks.scenarios import playing
from rulewright.checks.scenarios.saved_plays import read_play
from rulewright.model.engine.library import load_book

from ..by_lot import NotConserved, conservation
from ..lang.programs import KeepsDead
from ..playouts import InvariantBroken, Play, explained, keep_to_invariants, play, play_many, table_of
from .endings import how_it_ended

HERE = Path(__file__).parent
FULL_GAME = load_book("hanayome").folder / "scenarios" / "full-game.yaml"
HARD_TO_PLEASE = HERE / "scenarios" / "hard-to-please.yaml"
FEW, ALL = 200, 1_000
"""Plays in every run of the tests, and with those marked slow."""


@pytest.fixture(scope="module")
def few() -> list[Play]:
    return play_many(FULL_GAME, range(FEW), explain=how_it_ended)


def test_random_plays_of_the_full_game_end(few: list[Play]) -> None:
    kinds = explained(few, range(FEW))
    assert kinds["win", "three brides"] > FEW / 2
    assert {p.winner for p in few} >= {0, 1}
    assert len({p.log for p in few}) == FEW, "different seeds give different plays"


@pytest.mark.slow
def test_the_rest_of_a_thousand_random_plays_end(few: list[Play]) -> None:
    kinds = explained(few + play_many(FULL_GAME, range(FEW, ALL), explain=how_it_ended), range(ALL))
    assert kinds["win", "three brides"] > ALL / 2


def test_games_that_nobody_wins_by_brides_end_with_an_empty_deck() -> None:
    kinds = explained(play_many(HARD_TO_PLEASE, range(40), explain=how_it_ended), range(40))
    assert kinds["win", "three brides"] > 0
    assert kinds["win", "empty deck"] > 0


def test_a_play_that_goes_round_for_ever_is_named_by_the_clauses_of_its_loop() -> None:
    plays = play_many(FULL_GAME, range(24), {"hand-limit": "exists", "hand-limit-number": "5"}, how_it_ended)
    kinds = explained(plays, range(24))
    loops = [p for p in plays if p.ended == "loop"]
    assert len(loops) == sum(n for (ended, _), n in kinds.items() if ended == "loop") > 0
    assert all("7.5.3" in p.how.split() for p in loops)


def test_the_same_seed_gives_the_same_play_in_another_process(few: list[Play]) -> None:
    table = table_of(FULL_GAME)
    for p in few[:6]:
        assert play(table, p.seed, how_it_ended) == p


def test_resetting_dead_locals_changes_no_play() -> None:
    table, kept = table_of(FULL_GAME), table_of(FULL_GAME)
    kept.__dict__["engine"] = KeepsDead(kept.program, kept.scripts)
    for seed in range(3):
        a, b = (play(t, seed, how_it_ended) for t in (table, kept))
        assert (a.ended, a.how, a.winner, a.decisions, a.steps) == (b.ended, b.how, b.winner, b.decisions, b.steps)
        assert a.log != b.log, "something was kept"


def test_a_game_replays_by_its_log_and_by_its_choices_and_can_be_taken_back(tmp_path: Path) -> None:
    first, again = (playing.open_game(FULL_GAME, 7, {}) for _ in range(2))
    luck = random.Random(11)
    begun, nothing_yet = first.position(), first.log()
    choices: list[int] = []
    while first.outcome() is None:
        choices.append(luck.randrange(len(first.options())))
        first.apply(choices[-1])
    for choice in choices:
        assert again.outcome() is None
        again.apply(choice)
    assert (again.log(), again.position(), again.outcome()) == (first.log(), first.position(), first.outcome())
    for _ in choices:
        assert again.undo()
    assert not again.undo()
    assert (again.position(), again.log()) == (begun, nothing_yet)
    for choice in choices:
        again.apply(choice)
    assert (again.log(), again.position()) == (first.log(), first.position()), "luck is taken back too"

    first.save(tmp_path / "game.json")
    log = read_play(tmp_path / "game.json").log
    table = table_of(FULL_GAME, log.readings)
    states = log.states(table.engine, table.starts[log.start].state)
    assert table.describer.position(states[-1]) == first.position()
    assert states[-1].end is not None
    outcome = first.outcome()
    assert outcome is not None and outcome.ja.startswith(table.describer.ending(states[-1].end).ja)


# ---------------------------------------------------------------- are the checks awake?
def test_a_lost_card_is_noticed() -> None:
    table = table_of(FULL_GAME)
    state, layout = table.starts[0].state, table.program.layout
    look = conservation(table.program)
    look(state)
    piled = next(c for c in range(layout.card_count) if layout.zones[state.slots[layout.location + c]].ordered)
    for slot, value in ((layout.location, -1), (layout.location, len(layout.zones)), (layout.rank, 99)):
        slots = list(state.slots)
        slots[slot + piled] = value
        with pytest.raises(NotConserved):
            look(state._replace(slots=tuple(slots)))


def test_a_broken_invariant_is_noticed() -> None:
    table = table_of(FULL_GAME)
    state, layout = table.starts[0].state, table.program.layout
    keep_to_invariants(table, state)
    lane = next(k for k, z in enumerate(layout.zones) if z.field == "hero_lane")
    slots = list(state.slots)
    slots[layout.location] = slots[layout.location + 1] = lane
    with pytest.raises(InvariantBroken, match="one_hero_in_a_lane"):
        keep_to_invariants(table, state._replace(slots=tuple(slots)))
