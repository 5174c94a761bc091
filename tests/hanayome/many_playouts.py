"""Random plays of a scenario as a program of its own, so that several can run side by side.

`python many_playouts.py SCENARIO READINGS FIRST BEYOND STRIDE` plays with the seeds of that range and prints a line of
JSON for each play; `READINGS` is a JSON object.
"""
from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rulewright.checks.explore.playouts import Playout, conservation, playout
from rulewright.model.engine.interpreter import Interpreter, Traced
from rulewright.model.engine.state import State
from rulewright.model.engine.table import Table, open_table
from rulewright.model.ir.program import Layout
from rulewright.spec.readers import read_scenario

MOST_STEPS = 20_000
INVARIANTS_EVERY = 5
"""Cards are counted at every label, the invariants of the rules are looked at in every so many."""


@dataclass(frozen=True)
class Play:
    """How a play went. `how`: "three brides", "empty deck" or both; the clauses of a loop; which bound; empty where
    nothing explains the end. `log` is a hash of every state on the way; `labels` and `looked` count the states at
    which cards and invariants were checked."""

    seed: int
    ended: str
    winner: int
    how: str
    decisions: int
    steps: int
    log: int
    labels: int
    looked: int


class InvariantBroken(AssertionError):
    """An invariant of the rules does not hold."""


def table_of(scenario: Path, readings: Mapping[str, str]) -> Table:
    """The scenario under its own readings and these."""
    return open_table(read_scenario(scenario), readings)


def play(table: Table, seed: int) -> Play:
    """One play by lot. Raises where a card is lost or an invariant broken."""
    counted = conservation(table.program)
    labels = looked = log = 0

    def look(state: State) -> None:
        nonlocal labels, looked, log
        counted(state)
        if state.end is not None or labels % INVARIANTS_EVERY == 0:
            keep_to_invariants(table, state)
            looked += 1
        labels += 1
        log = hash((log, state.slots, state.frames))

    luck = random.Random(seed)
    start = table.starts[luck.randrange(len(table.starts))]
    done = playout(table.engine, start, luck, MOST_STEPS, look)
    return Play(seed, done.ended, done.winner, how_it_ended(table, done), done.decisions, done.steps, log, labels, looked)


def keep_to_invariants(table: Table, state: State) -> None:
    """Raise InvariantBroken unless every invariant holds."""
    for name in table.program.invariants:
        if not table.engine.evaluate(name, state):
            raise InvariantBroken(f"{name} in\n{table.describer.position(state).en}")


def how_it_ended(table: Table, done: Playout) -> str:
    """What in the last state explains the end."""
    layout, last = table.program.layout, done.last
    match done.ended:
        case "win" | "draw":
            won = [p for p in (0, 1) if cards_in(layout, last, "brides", p) >= 3]
            lost = [p for p in (0, 1) if cards_in(layout, last, "deck", p) == 0]
            whys = {"three brides": won, "empty deck": [1 - p for p in lost]}
            fits = [why for why, for_whom in whys.items() if done.winner in for_whom or (done.winner < 0 and for_whom)]
            return " and ".join(fits)
        case "loop":
            return " ".join(clauses_of_loop(table.engine, last))
        case "steps":
            return f"{MOST_STEPS} steps"
        case _:
            return "" if last.end is None else last.end.detail


def cards_in(layout: Layout, state: State, field: str, player: int) -> int:
    """How many cards lie in a zone of the player's."""
    (zone,) = [k for k, z in enumerate(layout.zones) if z.field == field and z.player == player]
    return state.slots[layout.location:layout.location + layout.card_count].count(zone)


def clauses_of_loop(engine: Interpreter, head: State) -> list[str]:
    """The clauses that are carried out from a state until it comes back, nobody choosing."""
    marks: list[Traced] = []
    state = head
    for _ in range(MOST_STEPS):
        at = engine.point(state)
        if at is None or len(at.options) != 1:
            return []
        state = engine.apply(state, at.options[0], marks).state
        if state == head:
            return list(dict.fromkeys(c for m in marks for c in m.at.clauses))
    return []


def main(arguments: Sequence[str]) -> None:
    scenario, readings, *numbers = arguments
    table = table_of(Path(scenario), json.loads(readings))
    for seed in range(*map(int, numbers)):
        print(json.dumps(asdict(play(table, seed))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
