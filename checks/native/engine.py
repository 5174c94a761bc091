"""Compiled code with the interface of the interpreter: one state in, one out. For tests and for what is not hot."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping, Sequence
from operator import itemgetter, le
from pathlib import Path

from ...model.engine.policies import Policies
from ...model.engine.state import Arrival, End, Option, State
from ...model.ir import nodes as ir
from ...model.ir.program import Program
from ...model.ir.types import blank
from ..explore.symmetry import Symmetry
from .build import OPTIMISED, Compiled, build
from .memory import CROSSING, DEPTH, END, END_VALUE, END_WHO, OPTIONS, OWNER, TABLES, Memory

Call2 = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
Call3 = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
Call4 = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class BeyondNative(Exception):
    """A number turned up that compiled code does not handle; the interpreter does."""


class Stopped(Exception):
    """Play stops while options are listed: nobody can come to such a state."""

    def __init__(self, end: End) -> None:
        self.end = end
        super().__init__(end.detail)


class AllSlots:
    """The slots of a state at once, as they lie in memory."""

    def __init__(self, memory: Memory) -> None:
        order = sorted(range(len(memory.cells)), key=lambda k: memory.cells[k].offset)
        codes = {"i8": "b", "i16": "h", "i32": "i", "i64": "q"}
        parts, at = ["<"], 0
        for k in order:
            c = memory.cells[k]
            size = memory.size_of(c.of)
            parts += [f"{c.offset - at}x", codes.get(c.of, f"{size}s")]
            at = c.offset + size
        self.layout = struct.Struct("".join(parts))
        self.size = self.layout.size
        self.in_memory = itemgetter(*order, -1)
        """Of the slots in their order, and what is last: as they lie in memory."""
        self.in_order = itemgetter(*sorted(range(len(order)), key=lambda k: order[k]), -1, -1)
        """Of what lies in memory: the slots in their order, then what is last, twice."""
        self.wide = [
            (k, memory.size_of(memory.cells[k].of)) for k in range(len(order)) if memory.cells[k].of not in codes
        ]
        self.nothing = {size: bytes(size) for _, size in self.wide}

    def of_bytes(self, content: bytes) -> tuple[int, ...]:
        """The numbers of the slots, in their order."""
        there = self.in_order((*self.layout.unpack(content), 0))[:-2]
        if not self.wide:
            return there
        out = list(there)
        for k, size in self.wide:
            out[k] = int.from_bytes(out[k], "little", signed=True) if out[k] != self.nothing[size] else 0
        return tuple(out)

    def as_bytes(self, slots: Sequence[int]) -> bytes:
        """What lies in memory for these numbers; what lies between slots is zero."""
        values: list[int | bytes] = list(slots)
        for k, size in self.wide:
            values[k] = n.to_bytes(size, "little", signed=True) if (n := slots[k]) else b""
        return self.layout.pack(*self.in_memory((*values, 0))[:-1])


class Native:
    """A compiled program and memory to run it in. Not for two threads at once."""

    def __init__(
        self,
        program: Program,
        policies: Policies | None = None,
        card_ids: Sequence[str] = (),
        cache: Path | None = None,
        level: int | None = OPTIMISED,
        symmetry: Symmetry | None = None,
    ) -> None:
        self.compiled: Compiled = build(program, policies, card_ids, cache, level, symmetry)
        self.program = program
        self.memory, self.shape, self.ends = self.compiled.memory, self.compiled.shape, self.compiled.ends
        address = self.compiled.address
        self._begin, self._resume, self._options = (Call2(address[n]) for n in ("begin", "resume", "options"))
        self._canonical = Call3(address["canonical"]) if "canonical" in address else None
        self._unpack, self._pack = Call3(address["unpack"]), Call4(address["pack"])
        self.data = ctypes.create_string_buffer(self.memory.table_data(), max(1, self.memory.table_bytes))
        self.block = ctypes.create_string_buffer(self.memory.context_bytes + 64)
        self.context = (ctypes.addressof(self.block) + 63) // 64 * 64
        self.slots = self.context + self.memory.slots_at
        self.key = (ctypes.c_uint64 * (self.shape.most_words + 2))()
        self.all_slots = AllSlots(self.memory)
        self.set_word(TABLES, ctypes.addressof(self.data))
        self.fresh = [tuple(blank(x.type) for x in f.locals) for f in self.memory.functions]
        layout = program.layout
        self.containers = [
            (info, [(c, blank(layout.slots[c].type)) for c in info.columns]) for info in layout.containers.values()
        ]
        """Each container, and what stands in its columns where it is not in use."""
        self.least, self.most = [c.lo for c in self.memory.cells], [c.hi for c in self.memory.cells]

    def contexts(self, many: int) -> list[tuple[int, object]]:
        """So many more contexts, each for a thread of its own: address, and what has to be kept as long as it is used."""
        out: list[tuple[int, object]] = []
        for _ in range(many):
            block = ctypes.create_string_buffer(self.memory.context_bytes + 64)
            at = (ctypes.addressof(block) + 63) // 64 * 64
            ctypes.memmove(at, self.context, self.memory.context_bytes)
            out.append((at, block))
        return out

    # ------------------------------------------------------------ memory
    def word(self, offset: int) -> int:
        return ctypes.c_int64.from_address(self.context + offset).value

    def set_word(self, offset: int, value: int) -> None:
        ctypes.c_int64.from_address(self.context + offset).value = value

    def number(self, address: int, of: str) -> int:
        size = int(of[1:]) // 8
        return int.from_bytes(ctypes.string_at(address, size), "little", signed=True)

    def set_number(self, address: int, of: str, value: int) -> None:
        size = int(of[1:]) // 8
        ctypes.memmove(address, value.to_bytes(size, "little", signed=True), size)

    # ------------------------------------------------------------ states in and out
    def enter(self, state: State) -> None:
        """Lay a state out, ready to go on."""
        m = self.memory
        self.enter_slots(state.slots)
        self.set_word(DEPTH, len(state.frames))
        for d, frame in enumerate(state.frames):
            at = self.context + m.frame_at + d * m.frame_bytes
            site = m.site_at[frame[0], frame[1], d == len(state.frames) - 1]
            self.set_number(at, "i64", frame[0])
            self.set_number(at + 8, "i64", site.number)
            for x, (c, v) in enumerate(zip(m.frames[frame[0]].cells, frame[2:], strict=True)):
                if x in site.live and not c.lo <= v <= c.hi:
                    raise BeyondNative
                self.set_number(at + c.offset, c.of, v)

    def enter_slots(self, slots: Sequence[int]) -> None:
        if len(slots) != len(self.least):
            raise ValueError(f"{len(slots)} slots for {len(self.least)}")
        for info, columns in self.containers:  # what is not in use is blank: keys leave it out
            for c, nothing in columns:
                if slots[c:c + info.capacity].count(nothing) == info.capacity:
                    continue
                for k, v in enumerate(slots[c:c + info.capacity]):
                    if v != nothing and not (slots[info.head] >> k & 1 if info.is_pool else k < slots[info.head]):
                        raise BeyondNative
        if not (all(map(le, self.least, slots)) and all(map(le, slots, self.most))):
            raise BeyondNative
        ctypes.memmove(self.slots, self.all_slots.as_bytes(slots), self.all_slots.size)

    def leave_slots(self) -> tuple[int, ...]:
        return self.all_slots.of_bytes(ctypes.string_at(self.slots, self.all_slots.size))

    def arrival(self, live: int) -> Arrival:
        """Where play stands."""
        slots, crossing = self.leave_slots(), self.word(CROSSING)
        if live:
            return Arrival(State(slots, self.leave_frames()), crossing)
        return Arrival(State(slots, (), self.end()), crossing)

    def leave_frames(self) -> tuple[tuple[int, ...], ...]:
        """The frames; what does not matter there is blank."""
        m, out = self.memory, list[tuple[int, ...]]()
        for d in range(self.word(DEPTH)):
            at = self.context + m.frame_at + d * m.frame_bytes
            site = m.sites[self.number(at + 8, "i64")]
            values = list(self.fresh[site.function])
            for x in site.live:
                c = m.frames[site.function].cells[x]
                values[x] = self.number(at + c.offset, c.of)
            out.append((site.function, site.pc, *values))
        return tuple(out)

    def end(self) -> End:
        """Why play stopped."""
        number = self.word(END)
        if number == 0:
            raise BeyondNative
        return self.ends.said[number](self.word(END_WHO), self.number(self.context + END_VALUE, "i256"))

    # ------------------------------------------------------------ as the interpreter
    def start(self, slots: Sequence[int] | None = None) -> Arrival:
        """Run from the initial state (or from the given slots) to the first label."""
        self.enter_slots(slots if slots is not None else [s.initial for s in self.program.layout.slots])
        return self.arrival(self._begin(self.context, self.slots))

    def key_of_start(self, content: bytes, changes: Mapping[int, int]) -> tuple[int, ...] | None:
        """The key of the first label, from slots as they lie in memory, but for some. None where play ends before."""
        ctypes.memmove(self.slots, content, self.all_slots.size)
        for k, n in changes.items():
            cell = self.memory.cells[k]
            self.set_number(self.slots + cell.offset, cell.of, n)
        return self.packed(1) if self._begin(self.context, self.slots) else None

    def listed(self, state: State) -> tuple[int, tuple[Option, ...], tuple[int, ...]]:
        """Who decides, the options, and how many equal ones each stands for. Nothing where play has ended."""
        if state.end is not None:
            return -1, (), ()
        self.enter(state)
        return self.listed_here((state.frames[-1][0], state.frames[-1][1]))

    def label(self) -> tuple[int, int]:
        """The function in which play stands, and where in its code."""
        site = self.memory.sites[
            self.number(
                self.context + self.memory.frame_at + (self.word(DEPTH) - 1) * self.memory.frame_bytes + 8, "i64"
            )
        ]
        return site.function, site.pc

    def listed_here(self, label: tuple[int, int]) -> tuple[int, tuple[Option, ...], tuple[int, ...]]:
        """The same of the state in which play stands, at this label."""
        n = self._options(self.context, self.slots)
        if n < 0:
            raise Stopped(self.end())
        m = self.memory
        width, size = self.width(label), 8 if m.word == 8 else m.wide // 8
        said = ctypes.string_at(self.context + m.options_at, n * m.option_bytes)
        options = tuple(
            tuple(
                int.from_bytes(said[at : at + size], "little", signed=True)
                for at in range(k, k + width * m.word, m.word)
            )
            for k in range(0, n * m.option_bytes, m.option_bytes)
        )
        weights = struct.unpack(f"<{n}q", ctypes.string_at(self.context + m.weights_at, 8 * n))
        assert n == self.word(OPTIONS)
        return self.word(OWNER), options, weights

    def width(self, label: tuple[int, int]) -> int:
        """How many numbers an option has."""
        function, pc = label
        i = self.memory.functions[function].code[pc]
        return len(i.locals) if isinstance(i, ir.Choose) else 1 if isinstance(i, ir.ChooseSome | ir.Consult) else 0

    def apply(self, state: State, option: Option) -> Arrival:
        """The next label after taking the option."""
        self.enter(state)
        return self.arrival(self.go_on(option))

    def go_on(self, option: Option) -> int:
        """The same from where play stands, if its options were just listed: has play not ended?"""
        m = self.memory
        for x, v in enumerate(option):
            self.set_number(self.context + m.chosen_at + x * m.word, "i64" if m.word == 8 else f"i{m.wide}", v)
        return self._resume(self.context, self.slots)

    def calls(self, state: State, option: Option) -> bytes:
        """The procedures that are called on the way to the next label after taking the option, a byte each."""
        self.enter(state)
        self.called()
        self.go_on(option)
        return self.called()

    def called(self) -> bytes:
        """Which functions were called since this was asked last, a byte each."""
        at, many = self.context + self.memory.called_at, len(self.memory.functions)
        out = ctypes.string_at(at, many)
        ctypes.memset(at, 0, many)
        return out

    def representative(self, state: State) -> State:
        """The representative of a state, if equal cards are one; else the state itself."""
        if self._canonical is None:
            return state
        if state.end is None:
            self.enter(state)
        else:
            self.enter_slots(state.slots)
        self._canonical(self.context, self.slots, int(state.end is None))
        return State(self.leave_slots(), self.leave_frames() if state.end is None else (), state.end)

    # ------------------------------------------------------------ keys
    def packed(self, live: int) -> tuple[int, ...]:
        """The key of where play stands."""
        n = self._pack(self.context, self.slots, ctypes.addressof(self.key), live)
        if n < 0:
            raise BeyondNative
        return tuple(self.key[:n])

    def packed_end(self, state: State) -> tuple[int, ...]:
        """The key of a state in which play has ended."""
        assert state.end is not None
        self.enter_slots(state.slots)
        number = next((k for k, said in enumerate(self.ends.said) if k and said(state.end.who, 0) == state.end), 0)
        if not number or self.ends.bounds[number]:
            raise BeyondNative
        self.set_word(END, number)
        self.set_word(END_WHO, state.end.who)
        return self.packed(0)

    def unpacked(self, key: Sequence[int]) -> State:
        """The state of a key."""
        self.key[:len(key)] = list(key)
        live = self._unpack(self.context, self.slots, ctypes.addressof(self.key))
        return self.arrival(live).state
