"""What a certificate is about: a program that runs; and states as plain data."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, End, State

SILENT = ("gap", "conflict", "not modelled", "fault")
"""Ends that no rule explains."""


class Refused(Exception):
    """The evidence does not show what is claimed; the text says why."""


def need(holds: bool, why: str) -> None:
    """Refuse unless this holds."""
    if not holds:
        raise Refused(why)


@dataclass(frozen=True)
class World:
    """A program that runs, and the positions play can begin in. What follows a state is what `engine` says: the reference
    interpreter of the scenario, compiled anew."""

    engine: Interpreter
    positions: Sequence[Sequence[int]]
    players: tuple[int, ...] = (0, 1)

    def start(self, number: int) -> State:
        """The first state of play from one of the positions."""
        need(0 <= number < len(self.positions), "there is no such position to begin in")
        return self.engine.start(self.positions[number]).state


def state_of(data: Any, base: Sequence[int]) -> State:
    """A state from plain data: where its slots differ from others (slot, value, slot, value …), frames, and the end or null."""
    changed, frames, end = data
    slots = list(base)
    for k, value in zip(changed[::2], changed[1::2], strict=True):
        slots[k] = value
    return State(tuple(slots), tuple(tuple(f) for f in frames), None if end is None else End(*end))


def taken(world: World, state: State, step: Any) -> Arrival:
    """One step of a play: an option by value, and who decides."""
    who, option = step
    at = world.engine.point(state)
    if at is None:
        raise Refused("play has ended before its last step")
    need(at.owner == who, "somebody else decides")
    need(tuple(option) in at.options, "what was chosen is not offered")
    return world.engine.apply(state, tuple(option))


def along(world: World, state: State, steps: Any) -> list[Arrival]:
    """Where each step of a play leads."""
    out = [Arrival(state, 0)]
    for step in steps:
        out.append(taken(world, out[-1].state, step))
    return out
