"""Growing loops: a round that leaves everything as it was, but for counters that are larger.

That it can be repeated for ever is shown as for loops that are found by play (`explore/saturate.py`): with every larger value of these counters the
rules do alike. So what a round leaves is all that the next one needs.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....model.engine.interpreter import Interpreter
from ....model.engine.state import Option, State
from ....model.ir.types import Int, Role, Type
from .. import numbers as n
from .. import truths as t
from ..symbolic import SymbolicState
from ..truths import Truth
from .asking import plain_slots
from .lassos import Lasso, LassoQuestion, played
from .rounds import Return


@dataclass
class GrowingQuestion(LassoQuestion):
    """Is there a growing loop from a head, in a world? `still`: numbers that a second round left alone."""

    still: set[int] = field(default_factory=set[int])

    def closes(self, back: Return) -> Truth:
        """Play is back at the head, and all is as it was but for counters that are larger (or smaller, if they can be
        negative)."""
        begin, counters = self.rounds.begin, set(self.counters())
        same = t.every(n.equal(v, w) for k, (v, w) in enumerate(zip(back.state.slots, begin.slots, strict=True)) if k not in counters)
        larger = t.every(n.at_most(begin.slots[k], back.state.slots[k]) for k in counters if not self.is_signed(k))
        moved = t.some(t.no(n.equal(begin.slots[k], back.state.slots[k])) for k in counters)
        frames = self.asker.symbolic.equal(SymbolicState([], back.state.frames), SymbolicState([], begin.frames))
        return t.both(back.when, same, larger, moved, frames)

    def counters(self) -> Iterator[int]:
        """The slots that hold a number."""
        layout = self.asker.layout
        return (k for k in plain_slots(layout) if is_counter(layout.slots[k].type) and k not in self.still)

    def is_signed(self, slot: int) -> bool:
        return self.asker.layout.slots[slot].type.lo < 0

    def closed(self, state: State, options: Sequence[Option]) -> Lasso | None:
        """The round in the interpreter, if all is as before but for counters that grow, and grow again if it is repeated."""
        engine = Interpreter(self.asker.program)
        way = played(engine, state, options)
        if way is None or way[-1].frames != state.frames:
            return None
        grown, known = difference(state, way[-1]), set(self.counters())
        if not grown or any(k not in known or (by < 0 and not self.is_signed(k)) for k, by in grown.items()):
            return None
        again = played(engine, way[-1], options)
        if again is not None and difference(way[-1], again[-1]).keys() != grown.keys():
            return None
        return Lasso(self.rounds.head, way[:-1], list(options), len(options), way[-1])

    def refined(self, state: State, options: Sequence[Option]) -> bool:
        """A number that a second round leaves alone was only set to something: it is not asked about any more."""
        engine = Interpreter(self.asker.program)
        way = played(engine, state, options)
        again = None if way is None else played(engine, way[-1], options)
        if way is None or again is None:
            return False
        left = difference(state, way[-1]).keys() - difference(way[-1], again[-1]).keys() - self.still
        self.still |= left
        return bool(left)


def difference(a: State, b: State) -> dict[int, int]:
    """The slots that differ, and by how much."""
    return {k: w - v for k, (v, w) in enumerate(zip(a.slots, b.slots, strict=True)) if v != w}


def is_counter(of: Type) -> bool:
    return isinstance(of, Int) and of.role is Role.PLAIN and of.most > 1
