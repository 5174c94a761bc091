"""What a proof by induction fails on, as a state that the interpreter carries on from."""
from __future__ import annotations

from dataclasses import dataclass

import z3

from ...model.engine.interpreter import Interpreter, Traced
from ...model.engine.state import State
from ...model.ir.program import Layout
from .segments import Begin, Piece
from .symbolic import Symbolic, evaluated


@dataclass(frozen=True)
class Breach:
    """A state with all invariants, and a piece of play after which one does not hold: what a proof by induction fails
    on. Locals and slots need not belong together as they do in play, so it may be that nobody comes there. `checked`:
    the interpreter, going on from it to the next label, finds the invariant broken there, too."""

    invariant: str
    begin: Begin
    state: State
    option: tuple[int, ...]
    after: State
    checked: bool


def breach(symbolic: Symbolic, one: Piece, invariant: str, model: z3.ModelRef) -> Breach:
    """The state that a model gives, and what the interpreter makes of it."""
    state = symbolic.concrete(model, one.state)
    state = State(unordered(symbolic.layout, state.slots), state.frames)
    option = tuple(evaluated(model, v) for v in one.option)
    engine = Interpreter(symbolic.program)
    before = engine.evaluate(invariant, State(state.slots, ())) == 1
    after = carried_on(engine, one.begin, state, option)
    broken = engine.evaluate(invariant, State(after.slots, ())) != 1
    return Breach(invariant, one.begin, state, option, after, before and broken and one.begin.pc >= 0)


def unordered(layout: Layout, slots: tuple[int, ...]) -> tuple[int, ...]:
    """The slots, with every pile in an order that nobody knows: a proof does not look at the order of piles."""
    out = list(slots)
    for c in range(layout.card_count):
        out[layout.rank + c] = 0
    return tuple(out)


def carried_on(
    engine: Interpreter, begin: Begin, state: State, option: tuple[int, ...], trace: list[Traced] | None = None,
) -> State:
    """What the interpreter comes to from the beginning of a piece, as if nobody had called its procedure."""
    if begin.kind == "label":
        return engine.apply(state, option, trace).state
    return engine.go_on(state, trace).state
