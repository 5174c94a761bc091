"""Immutable states of play, and what is decided in them."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..ir.types import Type

NOBODY, CHANCE, OPEN, READING = -1, -2, -3, -4
"""Owners of a branching that are no player."""

SEATS = ("first", "second")
"""How programs that read a play call the players: by who begins."""
Decider = Literal["first", "second", "chance", "nobody", "open", "reading"]
"""Who decides: a player; luck; nobody, where there is one way to go on; `open`, where the rules do not say who; or how the book is read."""
DECIDERS: Mapping[int, Decider] = {
    0: "first",
    1: "second",
    CHANCE: "chance",
    NOBODY: "nobody",
    OPEN: "open",
    READING: "reading",
}

Ending = Literal["win", "draw", "gap", "conflict", "not modelled", "fault", "bound", "over"]
LEFT_OPEN: tuple[Ending, ...] = ("bound", "fault", "not modelled")
"""Ends after which it is not known how play would go on: the world is too small, the state cannot be, or the clause is not encoded."""


class End(NamedTuple):
    """Why play stopped: `win` (by player `who`), `draw`, a `gap`, `conflict` or `not modelled` clause (`detail`), a
    `fault` of the encoding, a `bound` exceeded (`detail` says which, `slot` the state slot if it is one), `over`
    (the outermost procedure returned)."""

    kind: Ending
    who: int = -1
    detail: str = ""
    slot: int = -1


class State(NamedTuple):
    """A state of play: the flat slots, the frames (function number, place in its code, locals), and how it ended."""

    slots: tuple[int, ...]
    frames: tuple[tuple[int, ...], ...]
    end: End | None = None


Option = tuple[int, ...]
"""What is chosen, flattened."""


@dataclass(frozen=True)
class Point:
    """What is decided in a state: by whom (a player, or one of the owners above), between which options (how many
    equal ones each stands for), of which type; `clause` for an open choice, `reading` for a reading."""

    owner: int
    options: tuple[Option, ...]
    weights: tuple[int, ...]
    type: Type | None = None
    clause: str = ""
    reading: str = ""


FORCED = Point(NOBODY, ((),), (1,))


class Arrival(NamedTuple):
    """Where a transition led, and the widest scope that was left or entered on the way (0: none)."""

    state: State
    crossing: int
