"""What can be asked of all states at once: where each stands, what differs between some of them, where a condition
fails. On compiled code it is answered without laying states out one by one (`native.looking`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import End, State
from ...model.ir import nodes as ir
from ...model.ir.program import Function

NOWHERE = -(1 << 31)
"""The place of the state before play, in which chance picks a beginning."""


@dataclass(frozen=True)
class Places:
    """Where each state stands.

    code   of each state: the number of a place in the rules; -1 - the number of an end where play has ended; or NOWHERE
    depth  of each state: how many frames it has
    join   of each state: how many frames are left when the innermost loop under way has returned
    at     of each place: the number of the function, and where in its code
    ends   the ends
    """

    code: np.ndarray
    depth: np.ndarray
    join: np.ndarray
    at: Sequence[tuple[int, int]]
    ends: Sequence[End]

    @cached_property
    def ended(self) -> list[tuple[End, int, int]]:
        """Each end that was met, with the first state in which play has ended so, and how many such states there are;
        by their first states."""
        here = np.flatnonzero((self.code < 0) & (self.code != NOWHERE))
        codes, firsts, counts = np.unique(self.code[here], return_index=True, return_counts=True)
        found = [(self.ends[-1 - c], int(here[k]), n) for c, k, n in
                 zip(codes.tolist(), firsts.tolist(), counts.tolist(), strict=True)]
        return sorted(found, key=lambda x: x[1])

    def met(self, states: np.ndarray) -> list[tuple[int, int]]:
        """The places of some states, each once: function and place in its code."""
        codes = np.unique(self.code[states])
        return [self.at[c] for c in codes[codes >= 0].tolist()]

    def standing(self, which: Sequence[bool]) -> np.ndarray:
        """The states that stand at places of which this is true."""
        table = np.array([*which, False], np.bool_)
        return np.flatnonzero(table[np.maximum(self.code, -1)])


class Survey(Protocol):
    """The states of an exploration, asked all at once."""

    @cached_property
    def places(self) -> Places:
        """Where each state stands."""
        ...

    def changing(self, states: np.ndarray, /) -> list[int]:
        """The slots in which some states differ from each other."""
        ...

    def columns(self, states: np.ndarray, slots: Sequence[int], /) -> np.ndarray:
        """Some slots of some states: a row for each state."""
        ...

    def weights(self, states: np.ndarray, counts: np.ndarray, /) -> np.ndarray:
        """How many equal options each option stands for, of some states that have so many options; one state after the other."""
        ...

    def failing(self, names: Sequence[str], states: np.ndarray, /) -> Iterator[tuple[int, str, int | End]]:
        """For each condition the first of the states in which it is false or cannot be told; in the order in which
        they are met."""
        ...


def loop_heads(fn: Function) -> list[bool]:
    """Of each place in the code: does the head of a loop stand there or before?"""
    seen = False
    return [seen := seen or isinstance(i, ir.Label) for i in fn.code]


class PlainSurvey:
    """A survey of states that are at hand."""

    def __init__(self, engine: Interpreter, states: Sequence[State]) -> None:
        self.engine, self.states = engine, states

    @cached_property
    def places(self) -> Places:
        n = len(self.states)
        code, depth, join = np.empty(n, np.int32), np.empty(n, np.int16), np.empty(n, np.int16)
        at: dict[tuple[int, int], int] = {}
        ends: dict[End, int] = {}
        heads = [loop_heads(c.fn) for c in self.engine.numbered]
        for k, state in enumerate(self.states):
            frames = state.frames
            depth[k] = len(frames)
            join[k] = next(
                (d for d in range(len(frames) - 1, -1, -1) if heads[frames[d][0]][frames[d][1]]), len(frames) - 1
            )
            if state.end is not None:
                code[k] = -1 - ends.setdefault(state.end, len(ends))
            elif frames:
                code[k] = at.setdefault((frames[-1][0], frames[-1][1]), len(at))
            else:
                code[k] = NOWHERE
        return Places(code, depth, join, list(at), list(ends))

    def changing(self, states: np.ndarray) -> list[int]:
        first = self.states[int(states[0])].slots
        left = dict.fromkeys(range(len(first)))
        for k in states.tolist():
            slots = self.states[k].slots
            if slots != first:
                for x in [x for x in left if slots[x] != first[x]]:
                    del left[x]
        return [x for x in range(len(first)) if x not in left]

    def columns(self, states: np.ndarray, slots: Sequence[int]) -> np.ndarray:
        rows = [[self.states[k].slots[x] for x in slots] for k in states.tolist()]
        return np.array(rows, object).reshape(len(rows), len(slots))

    def weights(self, states: np.ndarray, counts: np.ndarray) -> np.ndarray:
        out: list[int] = []
        for k, count in zip(states.tolist(), counts.tolist(), strict=True):
            at = self.engine.point(self.states[k])
            assert at is not None and len(at.weights) == count
            out += at.weights
        return np.array(out, np.int64)

    def failing(self, names: Sequence[str], states: np.ndarray) -> Iterator[tuple[int, str, int | End]]:
        left = dict.fromkeys(names)
        for k in states.tolist():
            if not left:
                return
            for name in list(left):
                said = self.engine.evaluate(name, self.states[k])
                if said == 0 or isinstance(said, End):
                    del left[name]
                    yield k, name, said
