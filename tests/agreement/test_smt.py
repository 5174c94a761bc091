"""Random programs, in random states: the translation to z3 says what the interpreter does.

Terms are made once for states of which nothing is known, then the values of a state are put into them; no solver is
asked.
"""
from __future__ import annotations

import random
from collections import Counter

import pytest

from rulewright.checks.smt.numbers import Beyond
from rulewright.checks.smt.symbolic import Symbolic, variable
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import End, State
from rulewright.model.ir.program import Function, Program

from .harness import reachable
from .programs import random_program, random_state
from .states import some
from .terms import known

MOST_CARDS = 12
STATES = 6


def states_of(program: Program, engine: Interpreter, luck: random.Random) -> list[State]:
    """States that can be reached, and states made of these."""
    first = engine.start()
    there = reachable(engine, [first.state], STATES, 20) if first.state.end is None else []
    there = [s for s in there if s.end is None]
    return there + [random_state(program, luck.choice(there), luck) for _ in range(STATES)] if there else []


def defines_agree(seed: int) -> Counter[str]:
    """The defines of one program, in its states and with any arguments."""
    out = Counter[str]()
    program = random_program(seed)
    if program.layout.card_count > MOST_CARDS:
        return out
    luck = random.Random(seed)
    engine, symbolic = Interpreter(program), Symbolic(program)
    states = states_of(program, engine, luck)
    for fn in program.functions.values() if states else ():
        if fn.kind == "define":
            try:
                out.update(define_agrees(engine, symbolic, fn, states, luck))
            except Beyond:
                out["beyond"] += 1
    return out


def define_agrees(engine: Interpreter, symbolic: Symbolic, fn: Function, states: list[State], luck: random.Random) -> Counter[str]:
    out = Counter[str]()
    anything = symbolic.fresh_state()
    params = [variable(f"argument{k}", x.type) for k, x in enumerate(fn.locals[:fn.arity])]
    answer = symbolic.evaluate(fn.name, anything, params)
    for state in states:
        args = [some(x.type, luck) for x in fn.locals[:fn.arity]]
        right = engine.evaluate(fn.name, state, args)
        those = known([*anything.slots, *params], [*state.slots, *args])
        ends = [h for h in answer.halts if those.truth(h.when)]
        found = (ends[0].kind, ends[0].slot) if ends else those.value(answer.value)
        expected = (right.kind, right.slot) if isinstance(right, End) else right
        assert len(ends) < 2, f"{fn.name}{args}: two ends at once: {ends}"
        assert found == expected, f"{fn.name}{args}: {right}, as a term {found}"
        out[right.kind if isinstance(right, End) else "value"] += 1
    return out


def test_defines_say_the_same() -> None:
    total = Counter[str]()
    for seed in range(60):
        try:
            total.update(defines_agree(seed))
        except AssertionError as e:
            raise AssertionError(f"random program {seed}: {e}") from e
    assert total["value"] > 500 and total["fault"] > 10, total
    assert total["beyond"] <= 5, total


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_defines_of_many_programs_say_the_same(part: int) -> None:
    total = Counter[str]()
    for seed in range(20_000 + part * 200, 20_200 + part * 200):
        try:
            total.update(defines_agree(seed))
        except AssertionError as e:
            raise AssertionError(f"random program {seed}: {e}") from e
    print(f"\n{total}")
    assert total["value"] > 1_000, total
