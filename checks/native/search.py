"""A search under way: the arrays that the core works on, how they grow, and how they are kept on disk."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from ...model.engine.state import Arrival
from ..explore.explorer import Limits
from ..explore.owned_graph import CHANCE, Scope
from . import core
from .arena import Arena
from .checkpoint import Checkpoint
from .core import (
    COUNT,
    EDGES,
    FIXED,
    GAVE_UP,
    LIMIT_DEPTH,
    LIMIT_STATES,
    LIMIT_TURNS,
    NEED_ROOM,
    NEED_SPACE,
    NEXT,
    RUN_WORDS,
    TAG_BITS,
    TRANSITIONS,
    WORDS,
)
from .engine import BeyondNative, Native
from .memory import DECIDER

BUDGET = 200_000
"""Transitions between two looks at the clock."""


class Search:
    """With `graph`, edges, owners, depths and turns are kept; without, the state each was first found from."""

    def __init__(self, native: Native, limits: Limits, graph: bool = True, states: int = 4096) -> None:
        self.native, self.limits = native, limits
        self.graph = graph
        fixed = native.shape.fixed
        self.run = np.zeros(RUN_WORDS, np.int64)
        self.run[FIXED] = fixed
        self.set_limits(limits)
        self.tracks = graph or limits.depth is not None or limits.turns is not None
        self.arenas: dict[str, Arena] = {}
        self.keys = self.array("keys", np.uint64, 8 + states * (fixed or 8))
        self.offsets = self.array("offsets", np.uint32, 1 if fixed else states + 2)
        self.parent = self.array("parent", np.uint32, 1 if graph else states)
        many = states if self.tracks else 1
        self.ended = self.array("ended", np.uint8, many)
        self.depth, self.turns = self.array("depth", np.int32, many), self.array("turns", np.int32, many)
        many = states if graph else 1
        self.owner, self.first_edge = self.array("owner", np.int8, many), self.array("first_edge", np.int64, many + 1)
        self.target, self.crossing = self.array("target", np.int32, 4 * many), self.array("crossing", np.int8, 4 * many)
        self.table = np.zeros(0, np.uint32)
        self.resize_table(2 * states)
        self.records = np.zeros(1 << 16, np.uint64)
        self.hashes = np.zeros(self.records.size, np.uint64)
        self.decider = np.ctypeslib.as_array((ctypes.c_int64 * 1).from_address(native.context + DECIDER))

    def set_limits(self, limits: Limits) -> None:
        for word, limit in ((LIMIT_STATES, limits.states), (LIMIT_DEPTH, limits.depth), (LIMIT_TURNS, limits.turns)):
            self.run[word] = -1 if limit is None else limit

    def array(self, name: str, dtype: type[np.generic], size: int) -> np.ndarray:
        """An array that can grow."""
        self.arenas[name] = Arena(dtype, size)
        return self.arenas[name].array

    def grow(self, name: str, least: int) -> np.ndarray:
        """The array, with room for at least so much."""
        return self.arenas[name].grow(least)

    @property
    def count(self) -> int:
        return int(self.run[COUNT])

    @property
    def transitions(self) -> int:
        return int(self.run[TRANSITIONS])

    @property
    def frontier(self) -> int:
        """States not yet looked at."""
        return int(self.run[COUNT] - self.run[NEXT])

    @property
    def key_bytes(self) -> int:
        """Bytes of all keys."""
        return 8 * int(self.run[WORDS])

    # ------------------------------------------------------------ states
    def words_of(self, arrival: Arrival) -> np.ndarray:
        """The key of a state from outside."""
        state = arrival.state
        if state.end is not None:
            return np.array(self.native.packed_end(state), np.uint64)
        self.native.enter(state)
        return np.array(self.native.packed(1), np.uint64)

    def add(self, arrival: Arrival) -> int:
        """Enter a first state; its number."""
        k = int(core.add(self.run, self.words_of(arrival), self.keys, self.offsets, self.table))
        if self.tracks:
            self.ended[k] = arrival.state.end is not None
        return k

    def begin(self, starts: Sequence[Arrival]) -> None:
        """Enter the first state; of several, chance picks one: state 0 has no key and leads to each of them."""
        if len(starts) == 1:
            self.add(starts[0])
            return
        self.run[COUNT], self.run[NEXT] = 1, 1
        self.run[WORDS] = self.run[FIXED]
        self.owner[0] = CHANCE
        while self.target.size < len(starts):
            self.make_space()
        for k, start in enumerate(starts):
            if self.count + 2 >= self.owner.size:
                self.make_space()
            self.target[k] = self.add(start)
            self.crossing[k] = int(Scope.GAME)
        self.run[EDGES] = len(starts)
        self.first_edge[1] = len(starts)

    def key(self, k: int) -> list[int]:
        """The words of a state."""
        fixed = int(self.run[FIXED])
        first, last = (k * fixed, (k + 1) * fixed) if fixed else (int(self.offsets[k]), int(self.offsets[k + 1]))
        return [int(x) for x in self.keys[first:last]]

    # ------------------------------------------------------------ going on
    def go(self, budget: int = BUDGET) -> int:
        """Go on for a while: DONE, MORE_TIME, CUT_STATES. Raises BeyondNative."""
        while True:
            why = int(core.search(
                self.run, self.native.context, self.native.compiled.address["successors"], self.decider, self.records,
                self.hashes, self.keys, self.offsets, self.table, self.parent, self.ended, self.depth, self.turns,
                self.owner, self.first_edge, self.target, self.crossing, budget))
            if why == NEED_SPACE:
                self.make_space()
            elif why == NEED_ROOM:
                self.records = np.zeros(2 * self.records.size, np.uint64)
                self.hashes = np.zeros(self.records.size, np.uint64)
            elif why == GAVE_UP:
                raise BeyondNative
            else:
                return why

    def make_space(self) -> None:
        """Make larger what is nearly full: there is room for what one state leads to."""
        n, most = self.count, self.records.size // core.HEAD_WORDS
        fixed = int(self.run[FIXED])
        if fixed:
            self.keys = self.grow("keys", (n + most) * fixed + 8)
        else:
            self.offsets = self.grow("offsets", n + most + 2)
            self.keys = self.grow("keys", int(self.run[WORDS]) + self.records.size + 8)
        room = (self.keys.size - 8) // fixed if fixed else self.offsets.size - 2
        if not self.graph:
            self.parent = self.grow("parent", room)
        if self.tracks:
            self.ended, self.depth, self.turns = (self.grow(a, room) for a in ("ended", "depth", "turns"))
        if self.graph:
            self.owner, self.first_edge = self.grow("owner", room), self.grow("first_edge", room + 1)
            edges = int(self.run[EDGES]) + most
            self.target, self.crossing = self.grow("target", edges), self.grow("crossing", edges)
        if 4 * (n + most) > 3 * self.table.size:
            self.resize_table(max(int(self.table.size * 1.5), 2 * (n + most)))
        if not fixed and self.keys.size >= 1 << 32:
            raise BeyondNative

    def resize_table(self, size: int) -> None:
        """Another table, with all states in it."""
        if size >= 1 << 32:
            raise BeyondNative
        self.table = np.zeros(0, np.uint32)
        self.table = Arena(np.uint32, size, exact=True).array
        self.run[TAG_BITS] = 32 - size.bit_length()
        core.rebuild(self.run, self.keys, self.offsets, self.table)

    # ------------------------------------------------------------ on disk
    def identity(self, starts: Sequence[Arrival]) -> dict[str, str]:
        """What this search is, part by part: searches that agree in all go the same way."""
        first = hashlib.sha256()
        for start in starts:
            first.update(self.words_of(start).tobytes() + b"|")
        return {
            "version": version("rulewright"),
            "rules": self.native.compiled.source,
            "cards": hashlib.sha256(self.native.memory.table_data()).hexdigest(),
            "beginning": first.hexdigest(),
            "limits": f"depth {self.limits.depth}, turns {self.limits.turns}",
            "store": "exact, graph" if self.graph else "exact, parents",
        }

    def lengths(self) -> dict[str, int]:
        """How much of each array counts."""
        n, edges, seen = self.count, int(self.run[EDGES]), int(self.run[NEXT])
        out = {"keys": int(self.run[WORDS])}
        if not self.run[FIXED]:
            out["offsets"] = n + 1
        if not self.graph:
            out["parent"] = n
        if self.tracks:
            out |= {"ended": n, "depth": n, "turns": n}
        if self.graph:
            out |= {"owner": seen, "first_edge": seen + 1, "target": edges, "crossing": edges}
        return out

    def saved(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a checkpoint has to keep."""
        arrays = {name: self.arenas[name].array[:n] for name, n in self.lengths().items()}
        return arrays, {"run": [int(x) for x in self.run], "states limit": self.limits.states}

    def restore(self, checkpoint: Checkpoint) -> dict[str, Any]:
        """Go on from a checkpoint, under the present limits; what it says of the search besides. Raises BadInput."""
        def place(name: str, size: int) -> np.ndarray:
            arena = self.arenas[name]
            n = size // arena.dtype.itemsize
            setattr(self, name, arena.grow(n + 8))
            return arena.array[:n].view(np.uint8)
        facts = checkpoint.read(place)
        self.run[:] = facts["run"]
        self.set_limits(self.limits)
        self.resize_table(max(self.table.size, 2 * self.count))
        self.make_space()
        return facts
