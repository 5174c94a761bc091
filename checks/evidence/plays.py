"""Plays that findings tell, as they go in the interpreter: options by value, and who decided."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...model.engine.state import Arrival, Option, State
from ..explore.subject import Subject
from ..findings.record import Play, PlayStep

Step = tuple[int, Option]
"""Who decides, and what is taken."""


@dataclass(frozen=True)
class Played:
    """A play: the number of its first position, its steps, and where each of them leads; `head` is the state behind the stem."""

    start: int
    stem: tuple[Step, ...]
    cycle: tuple[Step, ...]
    head: State
    around: tuple[Arrival, ...]

    @property
    def last(self) -> State:
        """The state it leads to."""
        return self.around[-1].state if self.around else self.head


def played(subject: Subject, play: Play) -> Played | None:
    """The play of a finding, from the first position from which all its steps can be taken (and a cycle comes back, if one does)."""
    found: Played | None = None
    for start in range(len(subject.starts)):
        one = played_from(subject, play, start)
        if one is not None and (not play.cycle or one.last == one.head):
            return one
        found = found or one
    return found


def played_from(subject: Subject, play: Play, start: int) -> Played | None:
    """The same from one of the first positions; None where a step is not offered, or something else happens in it."""
    stem = play.stem[1:] if play.stem and subject.opening(start) is not None else play.stem
    before = follow(subject, subject.starts[start].state, stem)
    if before is None:
        return None
    head = before[1][-1].state if before[1] else subject.starts[start].state
    after = follow(subject, head, play.cycle)
    return None if after is None else Played(start, before[0], after[0], head, after[1])


def follow(
    subject: Subject, state: State, told: Sequence[PlayStep]
) -> tuple[tuple[Step, ...], tuple[Arrival, ...]] | None:
    """The steps by value, and where each leads; None where one is not offered."""
    steps, came = list[Step](), list[Arrival]()
    for one in told:
        at = subject.engine.point(state)
        if at is None or not 0 <= one.option < len(at.options):
            return None
        steps.append((at.owner, at.options[one.option]))
        came.append(subject.engine.apply(state, at.options[one.option]))
        state = came[-1].state
    return tuple(steps), tuple(came)


def plain_steps(steps: Sequence[Step]) -> list[Any]:
    """Steps as plain data."""
    return [[who, list(option)] for who, option in steps]
