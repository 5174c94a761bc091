"""Random plays on compiled code, and how they end."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np

from ...model.engine.state import NOBODY, Arrival, End, Option, State
from .ends import ESCAPE
from .engine import Native
from .lots import drawn, first_luck, liked, lots
from .playing import BROKEN, CAME_BACK, CONDITIONS, DECISIONS, HASHES, KEPT, LIKING, LIMIT, LOOPED, PLAYED, ROW, STEPS

Way = Sequence[tuple[State, Option]]


@dataclass(frozen=True)
class Lot:
    """What decides a play: the seed of its lots, and of what is liked in it (0: everything as its weight says)."""

    seed: int
    liking: int = 0


@dataclass(frozen=True)
class Play:
    """How a random play went: `ended` is the kind of end, "loop" (nobody can leave it), "steps" (the limit) or "broken"; `end`: the end by the rules,
    or at a bound. `came_back`: after how many steps a position came back first (0: none that was still kept)."""

    ended: str
    winner: int
    decisions: int
    steps: int
    end: End | None = field(default=None, compare=False)
    came_back: int = field(default=0, compare=False)


@dataclass
class Trail(Sequence[tuple[State, Option]]):
    """A play gone through again: each position with what is taken in it. `keys`: of the positions, and of the last one where play has not ended;
    a position is worked out of its key when it is asked for."""

    native: Native
    keys: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    labels: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    options: list[Option] = field(default_factory=list[Option])
    called: list[bytes] = field(default_factory=list[bytes])
    """The functions that are called on the way to the next position, a byte each."""

    def __len__(self) -> int:
        return len(self.options)

    @overload
    def __getitem__(self, k: int) -> tuple[State, Option]: ...
    @overload
    def __getitem__(self, k: slice) -> Trail: ...
    def __getitem__(self, k: int | slice) -> tuple[State, Option] | Trail:
        at = range(len(self))[k]
        if isinstance(at, range):
            part = slice(at.start, at.stop)
            return Trail(self.native, self.keys[part], self.labels[part], self.options[part], self.called[part])
        return self.native.unpacked(self.keys[at]), self.options[at]


class Player:
    """Plays from one position, again and again."""

    def __init__(self, native: Native, start: Arrival) -> None:
        self.native = native
        words = native.shape.most_words + 2
        if start.state.end is None:
            native.enter(start.state)
            key = native.packed(1)
        else:
            key = native.packed_end(start.state)
        self.key = (ctypes.c_uint64 * words)(*key)
        self.room = (ctypes.c_uint64 * (2 * words))()
        self.luck = ctypes.c_uint64()
        self.hashes = (ctypes.c_uint64 * KEPT)()
        self.start = start.state
        self.call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 4)(native.compiled.address["playout"])

    def play(
        self, seed: int, most_steps: int = 20_000, liking: int = 0, hashed: bool = False, conditions: int = 0
    ) -> Play:
        """One play; the seeds decide all lots. `hashed`: is it looked for positions that come back? `conditions`: a bit for each invariant that ends the
        play where it does not hold. Raises BeyondNative."""
        native = self.native
        self.luck.value = first_luck(seed)
        native.set_word(LIMIT, most_steps)
        native.set_word(LIKING, liking)
        native.set_word(HASHES, ctypes.addressof(self.hashes) if hashed else 0)
        native.set_word(CONDITIONS, conditions)
        how = self.call(
            native.context, ctypes.addressof(self.key), ctypes.addressof(self.luck), ctypes.addressof(self.room)
        )
        decisions, steps, came_back = native.word(DECISIONS), native.word(STEPS), native.word(CAME_BACK)
        if how != PLAYED:
            return Play({LOOPED: "loop", BROKEN: "broken"}.get(how, "steps"), -1, decisions, steps, None, came_back)
        end = native.end()
        return Play(end.kind, end.who, decisions, steps, end, came_back)

    def way(self, lot: Lot, steps: int) -> tuple[Trail, State]:
        """The same play again, so many steps of it (or to its end), and the last position."""
        native, below, out = self.native, lots(first_luck(lot.seed)), Trail(self.native)
        if self.start.end is not None:
            return out, self.start
        native.enter(self.start)
        native.called()
        live = 1
        while live:
            out.keys.append(native.packed(1))
            if len(out) == steps:
                break
            label = native.label()
            owner, options, weights = native.listed_here(label)
            drawn_one = (
                0
                if owner == NOBODY
                else drawn(below, liked(lot.liking, native.memory.site_at[*label, True].number, options, weights))
            )
            out.labels.append(label)
            out.options.append(options[drawn_one])
            live = native.go_on(options[drawn_one])
            out.called.append(native.called())
        return out, native.arrival(live).state

    def goes_on(self, state: State, cycle: list[Option], rounds: int) -> bool:
        """Can these options be taken from there, again and again, until a range is left or so many rounds were made?"""
        native = self.native
        native.enter(state)
        for option in cycle * rounds:
            if option not in native.listed_here(native.label())[1]:
                return False
            if not native.go_on(option):
                return native.end().kind == "bound"
        return True


class Plays:
    """Many plays in one call, each from one of some positions (by their keys)."""

    def __init__(self, native: Native, keys: Sequence[Sequence[int]]) -> None:
        self.native, words = native, native.shape.most_words + 2
        self.keys = np.zeros((len(keys), words), np.uint64)
        for row, key in zip(self.keys, keys, strict=True):
            row[:len(key)] = key
        self.room, self.hashes = np.zeros(2 * words, np.uint64), np.zeros(KEPT, np.uint64)
        self.call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_void_p)(
            native.compiled.address["playouts"]
        )

    def going_round(self, lots: Sequence[tuple[int, Lot, bool]], most_steps: int) -> list[int]:
        """Which of some plays a position came back in, or did not end by the rules (`lots`: from which position, what decides it, and is it looked for positions
        that come back?); the others have ended, and not at a bound."""
        native, table = self.native, self.hashes.ctypes.data
        given = [(start, first_luck(lot.seed), lot.liking, table * hashed, 0, 0, 0) for start, lot, hashed in lots]
        rows = np.array(given, np.uint64)
        native.set_word(LIMIT, most_steps)
        native.set_word(CONDITIONS, 0)
        self.call(native.context, self.keys.ctypes.data, rows.ctypes.data, len(lots), self.room.ctypes.data)
        how, came_back, end = (rows[:, ROW.index(name)] for name in ("how", "came_back", "end"))
        beyond = np.array(native.ends.bounds) | (np.arange(len(native.ends.bounds)) == ESCAPE)
        return np.flatnonzero((how != PLAYED) | (came_back > 0) | beyond[end]).tolist()
