"""Random plays of a book's scenario, in several processes: what every book asks of its full game.

`python playouts.py SCENARIO READINGS EXPLAIN FIRST BEYOND STRIDE` plays with the seeds of that range and prints a line
of JSON for each play; `READINGS` is a JSON object, `EXPLAIN` a file with the book's own `how_it_ended` (or empty).
"""
from __future__ import annotations

import inspect
import json
import random
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from rulewright.model.engine.interpreter import Interpreter, Traced
from rulewright.model.engine.state import State
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.readers import read_scenario

from .by_lot import NotConserved, Playout, conservation, playout

MOST_STEPS = 20_000
INVARIANTS_EVERY = 5
"""Cards are counted at every label, the invariants of the rules are looked at in every so many."""
PROCESSES = 2
ENDS = frozenset({"win", "draw", "loop", "bound", "steps"})
"""How a play may end: an outcome, a named loop, or a stated bound."""


@dataclass(frozen=True)
class Play:
    """How a play went. `how`: the clauses it ended by, those of a loop, or which bound; empty where nothing explains
    the end. `log` is a hash of every state on the way; `labels` and `looked` count the states at which cards and
    invariants were checked."""

    seed: int
    ended: str
    winner: int
    how: str
    decisions: int
    steps: int
    log: int
    labels: int
    looked: int


@dataclass(frozen=True)
class Ended:
    """A play at its end, for a book to say what in the last position explains it."""

    table: Table
    done: Playout

    def cards(self, field: str, player: int) -> int:
        """How many cards lie in a zone of the player's."""
        layout = self.table.program.layout
        (zone,) = [k for k, z in enumerate(layout.zones) if z.field == field and z.player == player]
        return self.done.last.slots[layout.location : layout.location + layout.card_count].count(zone)

    def value(self, name: str) -> int:
        """The number in a slot of the state."""
        (slot,) = [k for k, s in enumerate(self.table.program.layout.slots) if s.name == name]
        return self.done.last.slots[slot]


Explain = Callable[[Ended], str | None]
"""A book's own `how_it_ended`, in a file without relative imports: what explains an end, empty if nothing does, or None
for an end that is explained as in every book."""


class InvariantBroken(AssertionError):
    """An invariant of the rules does not hold."""


def table_of(scenario: Path, readings: Mapping[str, str] | None = None) -> Table:
    """The scenario under its own readings and these."""
    return open_table(read_scenario(scenario), readings or {})


def play(table: Table, seed: int, explain: Explain | None = None) -> Play:
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
    how = explain(Ended(table, done)) if explain is not None else None
    if how is None:
        how = how_it_ended(table.engine, done)
    return Play(seed, done.ended, done.winner, how, done.decisions, done.steps, log, labels, looked)


def keep_to_invariants(table: Table, state: State) -> None:
    """Raise InvariantBroken unless every invariant holds."""
    for name in table.program.invariants:
        if not table.engine.evaluate(name, state):
            raise InvariantBroken(f"{name} in\n{table.describer.position(state).en}")


def how_it_ended(engine: Interpreter, done: Playout) -> str:
    """What explains the end."""
    if done.ended == "loop":
        return " ".join(clauses_of_loop(engine, done.last))
    if done.ended == "steps":
        return f"{MOST_STEPS} steps"
    return "" if done.last.end is None else done.last.end.detail


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


def play_many(
    scenario: Path, seeds: range, readings: Mapping[str, str] | None = None, explain: Explain | None = None,
) -> list[Play]:
    """The plays of these seeds, shared out among processes."""
    own = "" if explain is None else inspect.getfile(explain)
    command = [sys.executable, "-m", "tests.playouts", str(scenario), json.dumps(dict(readings or {})), own]
    shares = [seeds[k::PROCESSES] for k in range(PROCESSES)]
    running = [
        subprocess.Popen([*command, str(share.start), str(share.stop), str(share.step)], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, encoding="utf-8", cwd=Path(__file__).parents[1])
        for share in shares
    ]
    done = [(p.communicate(), p.returncode) for p in running]
    for (_, err), code in done:
        assert code == 0, err
    plays = [Play(**json.loads(line)) for (out, _), _ in done for line in out.splitlines()]
    return sorted(plays, key=lambda p: p.seed)


def explained(plays: Sequence[Play], seeds: range, ends: Set[str] = ENDS) -> Counter[tuple[str, str]]:
    """How many plays ended how, after making sure that each ended in a way that is allowed and accounted for."""
    assert [p.seed for p in plays] == list(seeds), "every seed was played, once"
    for p in plays:
        assert p.ended in ends, p
        assert p.how, f"nothing in the last position explains the end: {p}"
        assert (p.winner in (0, 1)) == (p.ended == "win"), p
        assert p.labels == p.steps + 1 or p.ended == "steps", f"cards are counted at every label: {p}"
        assert p.looked >= p.labels / INVARIANTS_EVERY, p
        assert 0 < p.decisions <= p.steps, p
    assert len({p.log for p in plays}) == len(seeds), "different seeds give different plays"
    return Counter((p.ended, p.how) for p in plays)


def a_lost_card_is_noticed(table: Table) -> None:
    """The look at every label would see it, had the first card got lost."""
    state, look = table.starts[0].state, conservation(table.program)
    look(state)
    slots = list(state.slots)
    slots[table.program.layout.location] = -1
    with pytest.raises(NotConserved):
        look(state._replace(slots=tuple(slots)))


def main(arguments: Sequence[str]) -> None:
    scenario, readings, own, *numbers = arguments
    explain = runpy.run_path(own)["how_it_ended"] if own else None
    table = table_of(Path(scenario), json.loads(readings))
    for seed in range(*map(int, numbers)):
        print(json.dumps(asdict(play(table, seed, explain))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
