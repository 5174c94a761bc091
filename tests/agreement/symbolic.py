"""Comparing the translation to z3 with the interpreter: a state of which something is not known, and one that it may be."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from rulewright.checks.smt.numbers import Val
from rulewright.checks.smt.states import Halt
from rulewright.checks.smt.symbolic import Outcome, Symbolic, SymbolicState, variable
from rulewright.checks.smt.transitions import Question
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import Arrival, End, Option, Point, State
from rulewright.model.engine.values import Halt as Stopped
from rulewright.model.ir.program import Function

from .states import some
from .terms import Known, known

Cases = Counter[str]


def places_of(symbolic: Symbolic, state: State) -> tuple[tuple[str, int], ...]:
    return tuple((symbolic.functions[f[0]].name, f[1]) for f in state.frames)


class Transition:
    """A transition from states that agree in some slots (`given`), as terms; and the variables it is made of."""

    def __init__(self, symbolic: Symbolic, like: State, given: Mapping[int, int] | None = None) -> None:
        self.state: SymbolicState = symbolic.fresh_state(places=places_of(symbolic, like), known=given)
        self.question: Question | None = symbolic.question(self.state)
        self.stopped: list[Halt] = symbolic.machine.halts
        self.option: tuple[Val, ...] = symbolic.any_option(self.state)
        self.outcome: Outcome = symbolic.step(self.state, self.option)

    def put(self, state: State, option: Sequence[int]) -> Known:
        """What the variables stand for in a state where an option is taken."""
        variables = [*self.state.slots, *(x for f in self.state.frames for x in f[2]), *self.option]
        return known(variables, [*state.slots, *(x for f in state.frames for x in f[2:]), *option])

    def agrees(self, engine: Interpreter, state: State, luck: random.Random, options: int = 2) -> Cases:
        """Compare what is asked, and where some options lead."""
        out = Cases()
        try:
            at = engine.point(state)
        except Stopped as stopped:  # only in states that nobody can come to
            these = self.put(state, [0] * len(self.option))
            ends = [self.stopped[k] for k in these.holding([h.when for h in self.stopped])]
            assert [h.kind for h in ends] == [stopped.end.kind], f"{stopped.end} in {state}, as a term {ends}"
            return Cases(("stopped",))
        if at is None or not at.options:
            return out
        for option in luck.sample(at.options, min(options, len(at.options))):
            these = self.put(state, option)
            self.asks_the_same(these, at)
            out[self.leads_to_the_same(these, engine.apply(state, option), state, option)] += 1
        return out

    def asks_the_same(self, these: Known, at: Point) -> None:
        if self.question is None:
            assert at.type is None, f"{at} is asked, and no term says so"
            return
        assert these.value(self.question.owner) == at.owner, f"{at.owner} decides"
        assert these.truth(self.question.offered(self.option)), "an option is not offered"
        assert these.truth(self.question.several) == (len(at.options) > 1), f"several options: {at.options}"
        if len(at.options) == 1:
            assert these.values(self.question.first) == at.options[0], f"the only option is {at.options[0]}"
        assert not these.holding([h.when for h in self.stopped]), "a question fails that can be asked"

    def leads_to_the_same(self, these: Known, right: Arrival, state: State, option: Option) -> str:
        ends = [self.outcome.halts[k] for k in these.holding([h.when for h in self.outcome.halts])]
        labels = [self.outcome.arrivals[k] for k in these.holding([a.when for a in self.outcome.arrivals])]
        where = f"in frames {state.frames}, option {option}"
        assert len(ends) + len(labels) == 1, f"not one way, but {ends} and {labels} {where}; right: {right.state.end}"
        end = right.state.end
        if labels:
            found = labels[0].state
            frames = tuple((number, pc, *these.values(locals_)) for number, pc, locals_ in found.frames)
            result = State(these.values(found.slots), frames)
        else:
            result = State(these.values(ends[0].slots), (), End(ends[0].kind, these.value(ends[0].who), ends[0].detail, ends[0].slot))  # pyright: ignore[reportArgumentType]
        expected = right.state
        if end is not None and end.kind == "bound":  # how far it was exceeded is said in words that terms do not have
            assert not labels, f"{end} {where}, and a term goes on"
            result = result._replace(end=result.end._replace(detail="") if result.end else None)
            expected = expected._replace(frames=(), end=end._replace(detail=""))
        assert result.slots == expected.slots, f"slots {[(k, x, y) for k, (x, y) in enumerate(zip(expected.slots, result.slots, strict=True)) if x != y]} {where}"
        assert result[1:] == expected[1:], f"{expected[1:]}, as a term {result[1:]} {where}"
        return "goes on" if end is None else end.kind


def define_agrees(
    engine: Interpreter, symbolic: Symbolic, fn: Function, states: Sequence[State], luck: random.Random,
) -> Cases:
    """A define in each of these states, with any arguments."""
    out = Cases()
    anything = symbolic.fresh_state()
    params = [variable(f"argument{k}", x.type) for k, x in enumerate(fn.locals[:fn.arity])]
    answer = symbolic.evaluate(fn.name, anything, params)
    for state in states:
        args = [some(x.type, luck) for x in fn.locals[:fn.arity]]
        right = engine.evaluate(fn.name, state, args)
        those = known([*anything.slots, *params], [*state.slots, *args])
        ends = [answer.halts[k] for k in those.holding([h.when for h in answer.halts])]
        found = (ends[0].kind, ends[0].slot) if ends else those.value(answer.value)
        expected = (right.kind, right.slot) if isinstance(right, End) else right
        assert len(ends) < 2, f"{fn.name}{args}: two ends at once: {ends}"
        assert found == expected, f"{fn.name}{args}: {right}, as a term {found}"
        out[right.kind if isinstance(right, End) else "value"] += 1
    return out
