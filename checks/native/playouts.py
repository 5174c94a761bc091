"""Random plays on compiled code, and how they end."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

from ...model.engine.state import NOBODY, Arrival, End, Option, State
from .engine import BeyondNative, Native
from .lots import drawn, first_luck, liked, lots
from .playing import BROKEN, CAME_BACK, CONDITIONS, DECISIONS, HASHES, KEPT, LIKING, LIMIT, LOOPED, PLAYED, STEPS

Way = list[tuple[State, Option]]


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

    def play(self, seed: int, most_steps: int = 20_000, liking: int = 0, hashed: bool = False, conditions: int = 0) -> Play:
        """One play; the seeds decide all lots. `hashed`: is it looked for positions that come back? `conditions`: a bit for each invariant that ends the
        play where it does not hold. Raises BeyondNative."""
        native = self.native
        self.luck.value = first_luck(seed)
        native.set_word(LIMIT, most_steps)
        native.set_word(LIKING, liking)
        native.set_word(HASHES, ctypes.addressof(self.hashes) if hashed else 0)
        native.set_word(CONDITIONS, conditions)
        how = self.call(native.context, ctypes.addressof(self.key), ctypes.addressof(self.luck), ctypes.addressof(self.room))
        decisions, steps, came_back = native.word(DECISIONS), native.word(STEPS), native.word(CAME_BACK)
        if how != PLAYED:
            return Play({LOOPED: "loop", BROKEN: "broken"}.get(how, "steps"), -1, decisions, steps, None, came_back)
        end = native.end()
        return Play(end.kind, end.who, decisions, steps, end, came_back)

    def way(self, lot: Lot, steps: int) -> tuple[Way, State]:
        """The same play again, so many steps of it (or to its end): each position with what is taken in it, and the last position."""
        native, below = self.native, lots(first_luck(lot.seed))
        out: Way = []
        if self.start.end is not None or not steps:
            return out, self.start
        native.enter(self.start)
        state = self.start
        while True:
            owner, options, weights = native.listed_here(state)
            option = options[0]
            if owner != NOBODY:
                frame = state.frames[-1]
                option = options[drawn(below, liked(lot.liking, native.memory.site_at[frame[0], frame[1], True].number, options, weights))]
            out.append((state, option))
            state = native.apply_here(option).state
            if state.end is not None or len(out) == steps:
                return out, state

__all__ = ["BeyondNative", "Lot", "Play", "Player", "Way"]
