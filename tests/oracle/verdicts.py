"""Which clauses stop play that contradict each other: what verdicts say, worked out from the clauses of the language's documentation."""
from __future__ import annotations

from itertools import combinations, product

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir.types import OptionType

Core = frozenset[str]
"""Clauses that stop play."""


def disagreeing(engine: Interpreter, state: State, question: str) -> list[Core]:
    """The clauses of each two verdicts that say different things of something, where none outranks them that speaks of it."""
    out = list[Core]()
    verdicts = [v for v in engine.program.verdicts if v.question == question]
    for about in product(*(range(x.lo, x.hi + 1) for x in verdicts[0].subject.flat())):
        said = {v.function: engine.evaluate(v.function, state, about) for v in verdicts}
        speaking = [v for v in verdicts if isinstance(v.answer, OptionType) and said[v.function] != v.answer.none]
        counting = [v for v in speaking if not any(v.function in x.outranks for x in speaking)]
        out += [frozenset((*a.clauses, *b.clauses)) for a, b in combinations(counting, 2) if said[a.function] != said[b.function]]
    return out


def cores(engine: Interpreter, state: State) -> list[Core]:
    """What stops play here: the clauses that a finding names, one of these sets."""
    assert state.end is not None
    if state.end.detail.startswith("verdict:"):
        return disagreeing(engine, state, state.end.detail.removeprefix("verdict:"))
    return [frozenset(state.end.detail.split())]
