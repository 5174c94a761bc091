"""What can be asked of all states of a search at once, in compiled code: see `checks.explore.survey`.

Keys are unpacked one after the other into the memory of the program, and looked at there, at offsets that are given.
Only conditions need code of their own (`conditions`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import End
from ..explore.survey import NOWHERE, Places, loop_heads
from .calling import call4, njit
from .memory import DEPTH, END, END_WHO

if TYPE_CHECKING:
    from .search import Search


@njit(nogil=True, cache=True)
def address(keys, offsets, fixed, state):
    """Where the key of a state lies."""
    return keys.ctypes.data + 8 * np.int64(state * fixed if fixed else offsets[state])


@njit(nogil=True, cache=True)
def places(
    states,
    keys,
    offsets,
    fixed,
    context,
    slots,
    unpack,
    words,
    frame_at,
    frame_words,
    heads,
    end_word,
    who_word,
    depth_word,
    code,
    depth,
    join,
):
    """Where each state stands: the site of its top frame, or -1 - its end; its frames; those left at a join."""
    for x in range(len(states)):
        alive = call4(unpack, context, slots, address(keys, offsets, fixed, states[x]), 0)  # pyright: ignore[reportCallIssue]
        n = words[depth_word]
        depth[x] = n
        if not alive:
            code[x] = -1 - (words[end_word] << 8 | (words[who_word] & 255))
            join[x] = n - 1
            continue
        code[x] = words[frame_at + (n - 1) * frame_words + 1]
        d = n - 1
        while d >= 0 and not heads[words[frame_at + d * frame_words + 1]]:
            d -= 1
        join[x] = d if d >= 0 else n - 1


@njit(nogil=True, cache=True)
def changing(states, keys, offsets, fixed, context, slots, unpack, memory, begin, first, differs):
    """Bytes of the slots that are not the same in all states."""
    for x in range(len(states)):
        call4(unpack, context, slots, address(keys, offsets, fixed, states[x]), 0)  # pyright: ignore[reportCallIssue]
        if begin and x == 0:
            first[:] = memory
        for i in range(len(memory)):
            differs[i] |= memory[i] ^ first[i]


@njit(nogil=True, cache=True)
def columns(states, keys, offsets, fixed, context, slots, unpack, memory, at, size, rows):
    """The numbers of some slots, each of 1 to 8 bytes."""
    for x in range(len(states)):
        call4(unpack, context, slots, address(keys, offsets, fixed, states[x]), 0)  # pyright: ignore[reportCallIssue]
        for c in range(len(at)):
            v = np.int64(0)
            for i in range(size[c]):
                v |= np.int64(memory[at[c] + i]) << np.int64(8 * i)
            shift = np.int64(64 - 8 * size[c])
            rows[x, c] = (v << shift) >> shift


@njit(nogil=True, cache=True)
def next_failing(begin, states, keys, offsets, fixed, context, broken, left, said):
    """The next of the states in which a condition that is left does not hold; their number if there is none."""
    said_at = said.ctypes.data
    for x in range(begin, len(states)):
        if call4(broken, context, address(keys, offsets, fixed, states[x]), said_at, 0):  # pyright: ignore[reportCallIssue]
            for i in range(len(left)):
                if left[i] and said[i]:
                    return x
    return len(states)


@njit(nogil=True, cache=True)
def option_ends(
    states,
    option,
    keys,
    offsets,
    fixed,
    context,
    slots,
    unpack,
    options,
    resume,
    words,
    options_at,
    option_words,
    chosen_at,
    end_word,
    who_word,
    ends,
    who,
):
    """How play ends if an option of a state is taken."""
    for x in range(len(states)):
        call4(unpack, context, slots, address(keys, offsets, fixed, states[x]), 0)  # pyright: ignore[reportCallIssue]
        call4(options, context, slots, 0, 0)  # pyright: ignore[reportCallIssue]
        for i in range(option_words):
            words[chosen_at + i] = words[options_at + option[x] * option_words + i]
        call4(resume, context, slots, 0, 0)  # pyright: ignore[reportCallIssue]
        ends[x] = words[end_word]
        who[x] = words[who_word]


@njit(nogil=True, cache=True)
def option_weights(states, counts, keys, offsets, fixed, context, slots, unpack, options, words, weights_at, out):
    """How many equal options each option of a state stands for."""
    at = 0
    for x in range(len(states)):
        call4(unpack, context, slots, address(keys, offsets, fixed, states[x]), 0)  # pyright: ignore[reportCallIssue]
        call4(options, context, slots, 0, 0)  # pyright: ignore[reportCallIssue]
        for i in range(counts[x]):
            out[at + i] = words[weights_at + i]
        at += counts[x]


REMADE = 4096
"""Keys made again at a time."""


class NativeSurvey:
    """A survey of the states of a search. `several`: state 0 is the one before play."""

    def __init__(self, search: Search, engine: Interpreter, several: bool) -> None:
        self.search, self.engine, self.several = search, engine, several
        native = search.native
        self.native, self.memory = native, native.memory
        self.words = np.ctypeslib.as_array(
            (ctypes.c_int64 * (self.memory.context_bytes // 8)).from_address(native.context))
        self.bytes = np.ctypeslib.as_array((ctypes.c_uint8 * self.memory.slot_bytes).from_address(native.slots))

    def _chunks(self, states: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
        """Which of the states, their numbers among the keys that follow, the keys, where each begins. All at once; but
        keys that are packed, or not kept, are made again, some at a time."""
        s = self.search
        if s.keys_of(states[:0]) is None:
            yield slice(0, len(states)), states, s.array("keys"), s.array("offsets")
            return
        for begin in range(0, len(states), REMADE):
            some = states[begin:begin + REMADE]
            made = s.keys_of(some)
            assert made is not None
            yield slice(begin, begin + len(some)), np.arange(len(some)), *made

    def _code(self) -> tuple[int, int, int, int]:
        native = self.native
        return int(native.shape.fixed), native.context, native.slots, native.compiled.address["unpack"]

    @cached_property
    def places(self) -> Places:
        n, m = self.search.count, self.memory
        code, depth, join = np.empty(n, np.int32), np.zeros(n, np.int16), np.zeros(n, np.int16)
        heads = [loop_heads(f) for f in m.functions]
        head = np.array([*(heads[s.function][s.pc] for s in m.sites), False], np.bool_)
        first = int(self.several)
        if first:
            code[0], join[0] = NOWHERE, -1
        for some, index, keys, offsets in self._chunks(np.arange(first, n, dtype=np.int32)):
            at = slice(some.start + first, some.stop + first)
            places(index, keys, offsets, *self._code(), self.words, m.frame_at // 8, m.frame_bytes // 8, head, END // 8,
                   END_WHO // 8, DEPTH // 8, code[at], depth[at], join[at])
        ended = (code < 0) & (code != NOWHERE)
        met = np.unique(code[ended])[::-1]
        ends: list[End] = []
        number: list[int] = []
        for c in (-1 - met).tolist():
            who = c & 255
            end = self.native.ends.said[c >> 8](who - 256 if who > 127 else who, 0)
            if end not in ends:
                ends.append(end)
            number.append(-1 - ends.index(end))
        if met.size:
            code[ended] = np.array(number, np.int32)[np.searchsorted(-met, -code[ended])]
        return Places(code, depth, join, [(s.function, s.pc) for s in m.sites], ends)

    def changing(self, states: np.ndarray) -> list[int]:
        first, differs = np.zeros_like(self.bytes), np.zeros_like(self.bytes)
        for some, index, keys, offsets in self._chunks(states):
            changing(index, keys, offsets, *self._code(), self.bytes, some.start == 0, first, differs)
        before = np.concatenate([[0], np.cumsum(differs != 0)])
        return np.flatnonzero(before[self.ends] > before[self.begins]).tolist()

    @cached_property
    def begins(self) -> np.ndarray:
        """Where each slot begins in memory."""
        return np.array([c.offset for c in self.memory.cells])

    @cached_property
    def ends(self) -> np.ndarray:
        """Where it ends."""
        return self.begins + [self.memory.size_of(c.of) for c in self.memory.cells]

    def columns(self, states: np.ndarray, slots: Sequence[int]) -> np.ndarray:
        at = np.array(slots, np.int64)
        where, sizes = self.begins[at], (self.ends - self.begins)[at]
        narrow = np.flatnonzero(sizes <= 8)
        rows = np.empty((len(states), len(narrow)), np.int64)
        for some, index, keys, offsets in self._chunks(states):
            columns(index, keys, offsets, *self._code(), self.bytes, where[narrow], sizes[narrow], rows[some])
        if len(narrow) == len(slots):
            return rows
        wide = np.empty((len(states), len(slots)), object)
        wide[:, narrow] = rows
        for x, k in enumerate(states.tolist()):
            state = self.native.unpacked(self.search.key(k))
            for c, slot in enumerate(slots):
                if sizes[c] > 8:
                    wide[x, c] = state.slots[slot]
        return wide

    def ends_of_options(self, states: np.ndarray, options: np.ndarray) -> Iterator[tuple[End, np.ndarray]]:
        """Each end to which one of the options leads, one for each of the states; and for which of them it does. A value
        that an end tells is not the right one."""
        m, address = self.memory, self.native.compiled.address
        ends, who = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
        for some, index, keys, offsets in self._chunks(states):
            option_ends(
                index,
                options[some],
                keys,
                offsets,
                *self._code(),
                address["options"],
                address["resume"],
                self.words,
                m.options_at // 8,
                m.option_bytes // 8,
                m.chosen_at // 8,
                END // 8,
                END_WHO // 8,
                ends[some],
                who[some],
            )
        both = np.column_stack([ends, who])
        distinct, inverse = np.unique(both, axis=0, return_inverse=True)
        order = np.argsort(inverse.reshape(-1), kind="stable")
        starts = np.searchsorted(inverse.reshape(-1)[order], np.arange(len(distinct) + 1))
        for k, (end, player) in enumerate(distinct.tolist()):
            yield self.native.ends.said[end](player, 0), order[starts[k]:starts[k + 1]]

    def weights(self, states: np.ndarray, counts: np.ndarray) -> np.ndarray:
        address = self.native.compiled.address["options"]
        out, at = np.empty(int(counts.sum()), np.int64), np.concatenate([[0], np.cumsum(counts)])
        for some, index, keys, offsets in self._chunks(states):
            option_weights(
                index,
                counts[some],
                keys,
                offsets,
                *self._code(),
                address,
                self.words,
                self.memory.weights_at // 8,
                out[at[some.start] : at[some.stop]],
            )
        return out

    def failing(self, names: Sequence[str], states: np.ndarray) -> Iterator[tuple[int, str, int | End]]:
        invariants = list(self.native.program.invariants)
        left, said = np.array([name in names for name in invariants], np.bool_), np.zeros(len(invariants) + 1, np.int64)
        fixed, context, broken = (
            int(self.native.shape.fixed),
            self.native.context,
            self.native.compiled.address["broken"],
        )
        for some, index, keys, offsets in self._chunks(states):
            x = 0
            while left.any():
                x = int(next_failing(x, index, keys, offsets, fixed, context, broken, left, said))
                if x == len(index):
                    break
                k = int(states[some.start + x])
                state = self.native.unpacked(self.search.key(k))
                for i, name in enumerate(invariants):
                    if left[i] and said[i]:  # what compiled code cannot tell, the interpreter can
                        value = self.engine.evaluate(name, state)
                        if value == 0 or isinstance(value, End):
                            left[i] = False
                            yield k, name, value
                x += 1
