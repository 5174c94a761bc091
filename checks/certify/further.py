"""Positions that stand for more than themselves: for all larger values of counters, and for calls however deep.

That all values go on alike is shown in each position by the engine itself (`Saturated.alike`). A call that does not fit on the stack leads where it
leads from the top frame alone, as long as play does not return below it: until then nothing below is looked at (as in a pushdown system:
Bouajjani, Esparza and Maler, Reachability analysis of pushdown automata, 1997).
"""
from __future__ import annotations

from functools import cache
from typing import Any

from ...model.engine.extrapolation import Counters, NotAlike, Saturated, Unlimited, is_counter
from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, End, Option, State
from .world import need

BELOW = ()
"""The lowest frame of a position that stands for stacks with anything below."""
DEEP = 10_000
"""Frames of the stack in plays."""


class Further:
    """The engine between such positions. What is not known is an end out of a bound."""

    def __init__(self, given: Interpreter, said: Any) -> None:
        counters = [
            Counters(frozenset(f if isinstance(f, str) else (f[0], f[1]) for f in c[0]), *c[1:])
            for c in said["counters"]
        ]
        fields = [f for c in counters for f in c.fields]
        named = [given.program.functions[f[0]].locals[f[1]].type for f in fields if isinstance(f, tuple)]
        need(
            len(set(fields)) == len(fields) and all(map(is_counter, named)),
            "these are no counters, or one is named twice",
        )
        need(
            all(c.limit > 0 < c.period and c.sign in (1, -1) for c in counters) and said["depth"] > 0,
            "counters are not looked at so",
        )
        self.engine = Saturated(given.program, given.policies, given.card_ids, counters, said["depth"])
        self.endless = Unlimited(given.program, given.policies, given.card_ids, frozenset(fields), DEEP)
        self.start, self.point = self.engine.start, self.engine.point
        self.alike = cache(self._alike)

    def _alike(self, state: State) -> bool:
        try:
            self.engine.alike(state)
        except NotAlike:
            return False
        return True

    def evaluate(self, name: str, state: State) -> int | End:
        """The value of a condition, the same for all that the position stands for."""
        need(self.alike(above(state)), "a condition may not come out alike")
        return self.engine.evaluate(name, state)

    def apply(self, state: State, option: Option) -> Arrival:
        """Where an option leads from all that the position stands for."""
        mine, deep = above(state), state.frames[0] == BELOW
        after, crossing = self.engine.apply(mine, option)
        end = after.end
        if not self.alike(mine) or (
            deep and end is not None and end.kind in ("over", "fault")
        ):  # it returns below, or is caught there
            return Arrival(after._replace(end=End("bound")), crossing)
        if end is not None and end[::2] == ("bound", "stack") and len(mine.frames) > 1:
            return self.apply(State(state.slots, (BELOW, state.frames[-1])), option)
        return Arrival(after._replace(frames=(BELOW, *after.frames)) if deep and end is None else after, crossing)


def above(state: State) -> State:
    """The state without the mark of what is below."""
    return state._replace(frames=state.frames[1:]) if state.frames[:1] == (BELOW,) else state
