"""Random plays on compiled code, and how they end."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass, field

from ...model.engine.state import Arrival
from .engine import BeyondNative, Native
from .playing import DECISIONS, LIMIT, LOOPED, PLAYED, STEPS

MIXING = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Play:
    """How a random play went: `ended` is the kind of end, "loop" or "steps", as in `explore.playouts.Playout`."""

    ended: str
    winner: int
    decisions: int
    steps: int


@dataclass
class Plays:
    """How many went how: by kind of end and winner; decisions and steps together."""

    ends: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    decisions: int = 0
    steps: int = 0


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
        self.call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 4)(native.compiled.address["playout"])

    def play(self, seed: int, most_steps: int = 20_000) -> Play:
        """One play; the seed decides all lots. Raises BeyondNative."""
        native = self.native
        self.luck.value = (seed + 1) * MIXING % (1 << 64)
        native.set_word(LIMIT, most_steps)
        how = self.call(native.context, ctypes.addressof(self.key), ctypes.addressof(self.luck), ctypes.addressof(self.room))
        decisions, steps = native.word(DECISIONS), native.word(STEPS)
        if how != PLAYED:
            return Play("loop" if how == LOOPED else "steps", -1, decisions, steps)
        end = native.end()
        return Play(end.kind, end.who, decisions, steps)

    def many(self, seeds: range, most_steps: int = 20_000) -> Plays:
        """A play for each seed."""
        out = Plays()
        for seed in seeds:
            p = self.play(seed, most_steps)
            out.ends[p.ended, p.winner] += 1
            out.decisions += p.decisions
            out.steps += p.steps
        return out


__all__ = ["BeyondNative", "Play", "Player", "Plays"]
