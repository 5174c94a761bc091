"""Random plays from the first state to an end, for confidence and for speed: every choice drawn by lot."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rulewright.checks.native.playouts import Player
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import NOBODY, Arrival, State
from rulewright.model.ir.program import Program


@dataclass(frozen=True)
class Playout:
    """How a random play went: `ended` is the kind of end, or "loop" where the same position came back with nobody
    having a choice in between, or "steps" at the limit; `decisions` counts choices, `steps` transitions."""

    ended: str
    winner: int
    decisions: int
    steps: int
    last: State


def playout(
    engine: Interpreter, start: Arrival, luck: random.Random, most_steps: int = 20_000,
    look: Callable[[State], None] | None = None,
) -> Playout:
    """Play by lot until an end. `look` sees every state at a label."""
    state = start.state
    decisions = 0
    since_choice: set[State] = set()
    for steps in range(most_steps):
        if look is not None:
            look(state)
        at = engine.point(state)
        if at is None:
            assert state.end is not None
            return Playout(state.end.kind, state.end.who, decisions, steps, state)
        if at.owner == NOBODY:
            if state in since_choice:
                return Playout("loop", -1, decisions, steps, state)
            since_choice.add(state)
            option = at.options[0]
        else:
            since_choice.clear()
            decisions += 1
            option = luck.choices(at.options, at.weights)[0]
        state = engine.apply(state, option).state
    return Playout("steps", -1, decisions, most_steps, state)


class NotConserved(AssertionError):
    """A card is nowhere, or the order of a pile has holes."""


def conservation(program: Program) -> Callable[[State], None]:
    """A look at a state that raises NotConserved unless every card lies in some zone, ranks in piles are without
    holes, and cards of bags have no rank."""
    layout = program.layout
    first, rank, n = layout.location, layout.rank, layout.card_count

    def look(state: State) -> None:
        heights: dict[int, set[int]] = {}
        for c in range(n):
            z, r = state.slots[first + c], state.slots[rank + c]
            if not 0 <= z < len(layout.zones):
                raise NotConserved(f"card {c} lies nowhere")
            if layout.zones[z].ordered:
                heights.setdefault(z, set()).add(r)
            elif r:
                raise NotConserved(f"card {c} has rank {r} in the bag {layout.zones[z].name}")
        for z, ranks in heights.items():
            if ranks != set(range(len(ranks))):
                raise NotConserved(f"the ranks of {layout.zones[z].name} have holes: {sorted(ranks)}")
    return look


@dataclass
class Plays:
    """How many went how: by kind of end and winner; decisions and steps together."""

    ends: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    decisions: int = 0
    steps: int = 0


def plays_of(player: Player, seeds: range, most_steps: int = 20_000) -> Plays:
    """A play of compiled code for each seed."""
    out = Plays()
    for seed in seeds:
        p = player.play(seed, most_steps)
        out.ends[p.ended, p.winner] += 1
        out.decisions += p.decisions
        out.steps += p.steps
    return out
