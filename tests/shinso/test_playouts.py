"""Random plays of full decks from the preparation on: every one ends and is explained, and no card is ever lost."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import pytest

from rulewright.checks.explore.playouts import Playout, conservation, playout
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.readers import read_scenario

FULL_GAME = load_book("shinso").folder / "scenarios" / "full-game.yaml"
LONGER = {"core-card": "part-of-life-deck"}
"""So read, nobody loses by putting all life cards into the draw pile: plays get beyond the preparation."""
MOST_STEPS = 20_000
INVARIANTS_EVERY = 5


@dataclass(frozen=True)
class Play:
    """How a play went, and what in its last position explains the end."""

    seed: int
    ended: str
    winner: int
    why: str
    labels: int
    log: int


@cache
def table(longer: bool) -> Table:
    return open_table(read_scenario(FULL_GAME), LONGER if longer else {})


def play(seed: int, longer: bool = False) -> Play:
    t = table(longer)
    counted = conservation(t.program)
    labels = log = 0

    def look(state: State) -> None:
        nonlocal labels, log
        counted(state)
        if state.end is not None or labels % INVARIANTS_EVERY == 0:
            for name in t.program.invariants:
                assert t.engine.evaluate(name, state), f"{name} in\n{t.describer.position(state).en}"
        labels += 1
        log = hash((log, state.slots, state.frames))

    done = playout(t.engine, t.starts[0], random.Random(seed), MOST_STEPS, look)
    return Play(seed, done.ended, done.winner, why(t, done), labels, log)


def why(t: Table, done: Playout) -> str:
    """What in the last position explains the end."""
    if done.ended == "win":
        loser = 1 - done.winner
        if not cards_in(t, done.last, "life_deck", loser):
            return "life deck"
        if value(t, done.last, f"end_phases[{loser}]") == 2:
            return "burned out"
        return "fatal attack" if not cards_in(t, done.last, "rim", loser) else ""
    if done.ended == "conflict":
        return "both life decks" if not any(cards_in(t, done.last, "life_deck", p) for p in (0, 1)) else ""
    return done.last.end.detail if done.last.end is not None else done.ended


def cards_in(t: Table, state: State, field: str, player: int) -> int:
    layout = t.program.layout
    (zone,) = [k for k, z in enumerate(layout.zones) if z.field == field and z.player == player]
    return state.slots[layout.location : layout.location + layout.card_count].count(zone)


def value(t: Table, state: State, name: str) -> int:
    (slot,) = [k for k, s in enumerate(t.program.layout.slots) if s.name == name]
    return state.slots[slot]


def explained(plays: Iterable[Play]) -> Counter[str]:
    """How often which end, after making sure that each play came to an end that is explained."""
    ends: Counter[str] = Counter()
    for p in plays:
        assert p.ended in {"win", "conflict", "loop", "bound"}, p
        assert p.why, f"nothing in the last position explains the end: {p}"
        ends[p.why] += 1
    return ends


def test_random_plays_end() -> None:
    ends = explained(play(seed) for seed in range(60))
    assert ends["life deck"] > 0
    longer = explained(play(seed, longer=True) for seed in range(60))
    assert longer["burned out"] > 0 and longer["life deck"] > 0
    assert max(play(seed, longer=True).labels for seed in range(20)) > 150


@pytest.mark.slow
def test_many_random_plays_end() -> None:
    with ProcessPoolExecutor(2) as pool:
        plays = list(pool.map(play, range(500), [s % 2 == 0 for s in range(500)], chunksize=25))
    ends = explained(plays)
    assert {"life deck", "burned out", "both life decks"} <= ends.keys()
    assert {p.winner for p in plays} >= {0, 1}


def test_the_same_seed_gives_the_same_play() -> None:
    assert play(3) == play(3)
    assert play(3).log != play(5).log
