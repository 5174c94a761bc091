"""Random plays of full 51-card decks from the preparation on: every one ends and is explained, and no card is ever lost."""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from rulewright.checks.explore.playouts import NotConserved, conservation, playout
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.readers import read_scenario

FULL_GAME = load_book("harem_master").folder / "scenarios" / "full-game.yaml"
FEW, ALL = 25, 500
MOST_STEPS = 20_000
INVARIANTS_EVERY = 10


@dataclass(frozen=True)
class Play:
    """How a play went. `why`: what in the last position explains the end, and whose it is."""

    seed: int
    ended: str
    winner: int
    why: frozenset[tuple[str, int]]
    labels: int
    steps: int


class Observer:
    """Looks at every label: is each card somewhere, and (now and then) do the invariants hold?"""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.conserved = conservation(table.program)
        self.labels = 0

    def __call__(self, state: State) -> None:
        self.conserved(state)
        if state.end is not None or self.labels % INVARIANTS_EVERY == 0:
            for name in self.table.program.invariants:
                assert self.table.engine.evaluate(name, state), name
        self.labels += 1


def full_game() -> Table:
    return open_table(read_scenario(FULL_GAME), {})


def count(table: Table, state: State, field: str, player: int) -> int:
    """How many cards lie in a zone of the player's."""
    layout = table.program.layout
    (zone,) = [k for k, z in enumerate(layout.zones) if z.field == field and z.player == player]
    return state.slots[layout.location : layout.location + layout.card_count].count(zone)


def play(table: Table, seed: int) -> Play:
    look = Observer(table)
    done = playout(table.engine, table.starts[0], random.Random(seed), MOST_STEPS, look)
    why = {
        (name, p)
        for p in (0, 1)
        for name, holds in (
            ("a castle has fallen", count(table, done.last, "castle", p) == 0),
            ("five in a harem", count(table, done.last, "harem", p) >= 5),
            ("five on a scaffold", count(table, done.last, "scaffold", p) >= 5),
        )
        if holds
    }
    return Play(seed, done.ended, done.winner, frozenset(why), look.labels, done.steps)


def explained(plays: list[Play]) -> Counter[str]:
    """How many plays ended how, after making sure that each end is one that the rules or a stated bound give."""
    for p in plays:
        assert p.ended in ("win", "draw", "conflict", "gap", "loop", "bound"), p
        assert p.labels == p.steps + 1, f"cards are counted at every label: {p}"
        assert (p.winner in (0, 1)) == (p.ended == "win"), p
        ways = [why for why, _ in p.why]
        if p.ended in ("win", "draw", "conflict", "gap"):
            assert ways, f"nothing in the last position explains the end: {p}"
        if p.ended == "conflict":
            assert "a castle has fallen" in ways or len(set(ways)) > 1, p
        if p.ended == "gap":
            assert ways.count("five in a harem") == 2 or ways.count("five on a scaffold") == 2, p
    return Counter(p.ended for p in plays)


def test_random_plays_of_the_full_game_end() -> None:
    table = full_game()
    kinds = explained([play(table, seed) for seed in range(FEW)])
    assert kinds["win"] > FEW / 2


@pytest.mark.slow
def test_five_hundred_random_plays_end_in_every_way_the_book_knows() -> None:
    table = full_game()
    plays = [play(table, seed) for seed in range(ALL)]
    kinds = explained(plays)
    assert kinds["win"] > ALL / 2 and kinds["conflict"] > 0
    assert {p.winner for p in plays} >= {0, 1}
    assert {why for p in plays for why, _ in p.why} == {"a castle has fallen", "five in a harem", "five on a scaffold"}


def test_the_same_seed_gives_the_same_play() -> None:
    table = full_game()
    assert play(table, 3) == play(full_game(), 3)


def test_a_lost_card_is_noticed() -> None:
    table = full_game()
    state = table.starts[0].state
    slots = list(state.slots)
    slots[table.program.layout.location] = -1
    with pytest.raises(NotConserved):
        Observer(table)(state._replace(slots=tuple(slots)))
