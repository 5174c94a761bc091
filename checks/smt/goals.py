"""What a piece of a procedure has to bring about, and which of it it does not."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from . import truths as t
from .truths import Truth

Key = tuple[str, int, str]
"""Of which facts are told: a function, a place in it, and what its frame does there (`at` it, or `waits` for a call), or
that it is `left`."""
Statement = tuple[Key, str]
"""What is said of a place, in words."""


@dataclass
class Goal:
    """What a piece has to bring about: `broken` is when it does not. `key`: where it counts; None for an invariant."""

    key: Key | None
    text: str
    broken: Truth


def not_brought_about(
    solver: z3.Solver, goals: Sequence[Goal], literals: Sequence[z3.BoolRef], seconds: float, for_each: float,
    used: list[z3.BoolRef] | None = None,
) -> list[Goal]:
    """The goals that can fail where the literals hold, or of which that is not known: `seconds` are for all of them together, and
    `for_each` for one where that is not enough. `used`: is given the literals of which the other goals follow."""
    out: list[Goal] = []
    left = list(goals)
    while left:
        found, model = can_fail(solver, left, literals, seconds, used)
        if found == z3.unsat:
            break
        if model is None:
            return [*out, *(g for g in left if can_fail(solver, [g], literals, for_each, used)[0] != z3.unsat)]
        wrong = [g for g in left if z3.is_true(model.eval(t.term(g.broken), model_completion=True))]
        assert wrong
        out += wrong
        left = [g for g in left if g not in wrong]
    return out


def can_fail(
    solver: z3.Solver, goals: Sequence[Goal], literals: Sequence[z3.BoolRef], seconds: float,
    used: list[z3.BoolRef] | None = None,
) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
    """Can some of these goals fail? With a model, if they can; else `used` is given what shows that they cannot."""
    solver.push()
    solver.set("timeout", int(1000 * seconds))
    solver.add(t.term(t.some(g.broken for g in goals)))
    found = solver.check(*literals)
    model = solver.model() if found == z3.sat else None
    if found == z3.unsat and used is not None:
        core = {b.get_id() for b in solver.unsat_core() if isinstance(b, z3.BoolRef)}
        used.extend(b for b in literals if b.get_id() in core)
    solver.pop()
    return found, model
