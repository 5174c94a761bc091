"""The same states in the interpreter and in compiled code: everything that can be seen must be the same."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.checks.native.engine import BeyondNative, Native, Stopped
from rulewright.checks.native.packing import BEYOND, ENDED, GOES_ON, LEFT_BOUND, RECORD_HEAD
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import Arrival, State
from rulewright.model.engine.values import Halt


class Disagreement(AssertionError):
    """Interpreter and compiled code differ: where, and what each says."""


@dataclass
class Compared:
    """How much was compared: states, transitions, ends among them, and states that compiled code left alone."""

    states: int = 0
    transitions: int = 0
    ends: int = 0
    bounds: int = 0
    beyond: int = 0
    stopped: int = 0

    def add(self, other: Compared) -> None:
        for name in ("states", "transitions", "ends", "bounds", "beyond", "stopped"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def compare(engine: Interpreter, native: Native, states: Iterable[State]) -> Compared:
    """What is chosen in each state, and where each option leads."""
    out = Compared()
    sample = Successors(native)
    for state in states:
        out.states += 1
        try:
            compare_state(engine, native, sample, state, out)
        except BeyondNative:
            out.beyond += 1
    return out


def compare_state(engine: Interpreter, native: Native, sample: Successors, state: State, out: Compared) -> None:
    try:
        at = engine.point(state)
    except Halt as halt:  # only a state that nobody can come to: the way there would have stopped already
        out.stopped += 1
        with_end = halt.end
        try:
            native.listed(state)
        except Stopped as stopped:
            expect(state, "why nothing can be listed", with_end, stopped.end)
            return
        raise Disagreement(f"compiled code lists options in {state}, where {with_end} comes first") from None
    owner, options, weights = native.listed(state)
    if at is None:
        expect(state, "options", (), options)
        return
    expect(state, "owner", at.owner, owner)
    expect(state, "options", at.options, options)
    expect(state, "weights", at.weights, weights)
    native.enter(state)
    key = native.packed(1)
    expect(state, "the state unpacked", state, native.unpacked(key))
    records = sample.of(key)
    expect(state, "number of successors", len(at.options), len(records))
    for option, (how, crossing, key) in zip(at.options, records, strict=True):
        out.transitions += 1
        right = engine.apply(state, option)
        compare_arrivals(state, option, right, native.apply(state, option))
        expect(state, f"crossing of {option}", right.crossing, crossing)
        if how in (BEYOND, LEFT_BOUND):
            expect(state, f"what is kept of {option}", (), key)
        if how == BEYOND:
            raise BeyondNative
        if right.state.end is not None and right.state.end.kind == "bound":
            out.bounds += 1
            expect(state, f"what {option} leads to", LEFT_BOUND, how)
            continue
        out.ends += right.state.end is not None
        expect(state, f"what {option} leads to", GOES_ON if right.state.end is None else ENDED, how)
        after = native.unpacked(key)
        if after.end is not None:
            after = after._replace(end=native.end())
        expect(state, f"the key after {option}", right.state, after)


def compare_arrivals(state: State, option: object, right: Arrival, found: Arrival) -> None:
    """The same place, the same end; of a bound exceeded the frames are not asked for."""
    expected = right.state
    if expected.end is not None and expected.end.kind == "bound":
        expected = expected._replace(frames=())
    expect(state, f"the state after {option}", expected, found.state)
    expect(state, f"the crossing of {option}", right.crossing, found.crossing)


def expect(state: State, what: str, right: object, found: object) -> None:
    if right == found:
        return
    if isinstance(right, State) and isinstance(found, State):
        differ = [f"slot {k}: {a}, compiled {b}" for k, (a, b) in enumerate(zip(right.slots, found.slots, strict=True)) if a != b]
        if right[1:] != found[1:]:
            differ.append(f"frames and end: {right[1:]}, compiled {found[1:]}")
        raise Disagreement(f"{what}: {'; '.join(differ)}\nin frames {state.frames} with slots {state.slots}")
    raise Disagreement(f"{what}: {right}, compiled {found}\nin frames {state.frames} with slots {state.slots}")


class Successors:
    """All successors of a state at once, as the explorer asks for them."""

    def __init__(self, native: Native) -> None:
        self.native = native
        self.call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(
            native.compiled.address["successors"])
        self.room = 1 << 16
        self.key = (ctypes.c_uint64 * (native.shape.most_words + 2))()
        self.out = (ctypes.c_uint64 * (self.room + native.shape.most_words + 8))()

    def of(self, key: tuple[int, ...]) -> list[tuple[int, int, tuple[int, ...]]]:
        """How play goes on, scope crossed, key: for each option."""
        self.key[:len(key)] = list(key)
        n = self.call(self.native.context, ctypes.addressof(self.key), ctypes.addressof(self.out), self.room)
        while n < 0:
            self.room *= 2
            self.out = (ctypes.c_uint64 * (self.room + self.native.shape.most_words + 8))()
            n = self.call(self.native.context, ctypes.addressof(self.key), ctypes.addressof(self.out), self.room)
        found: list[tuple[int, int, tuple[int, ...]]] = []
        at = 0
        for _ in range(n):
            words, crossing, how = self.out[at:at + RECORD_HEAD]
            at += RECORD_HEAD
            found.append((how, crossing, tuple(self.out[at:at + words])))
            at += words
        return found


def reachable(engine: Interpreter, starts: Iterable[State], most: int, options: int = 1_000) -> list[State]:
    """States that can be reached, breadth first, at most so many; the first options of each."""
    todo = list(dict.fromkeys(starts))
    seen = set(todo)
    for state in todo:
        if len(todo) >= most:
            break
        at = engine.point(state)
        for option in at.options[:options] if at is not None else ():
            after = engine.apply(state, option).state
            if after not in seen and (after.end is None or after.end.kind != "bound"):
                seen.add(after)
                todo.append(after)
    return todo[:most]
