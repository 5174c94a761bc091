"""Questions to solvers: z3 answers, anybody can ask another one (SMT-LIB 2), and cvc5 does where it is installed."""
from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

import z3

from . import truths as t
from .truths import Truth

Verdict = Literal["sat", "unsat", "unknown"]
SECONDS = 60.0
"""How long a solver may think about one question, where nothing else is said."""


@dataclass(frozen=True)
class Query:
    """Is there anything for which all of this holds?"""

    name: str
    conditions: tuple[z3.BoolRef, ...]

    def text(self) -> str:
        """The question in SMT-LIB 2, for any solver."""
        solver = z3.Solver()
        solver.add(*self.conditions)
        body = [line for line in solver.to_smt2().splitlines() if not line.startswith((";", "(set-info"))]
        head = [f"; {line}" for line in self.name.splitlines()]
        return "\n".join([*head, "(set-logic QF_BV)", *body, ""])


@dataclass(frozen=True)
class Reply:
    """What a solver said: `unknown` with the reason. `model`: of z3, where there is something."""

    verdict: Verdict
    seconds: float
    reason: str = ""
    model: z3.ModelRef | None = None


def query(name: str, conditions: Sequence[Truth]) -> Query:
    """A question; what is known to hold is left out."""
    return Query(name, tuple(t.conjuncts(conditions)))


def ask(question: Query, seconds: float = SECONDS) -> Reply:
    """z3's answer."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", int(seconds * 1000))
    begun = time.monotonic()
    solver.add(*question.conditions)
    found = solver.check()
    took = time.monotonic() - begun
    if found == z3.sat:
        return Reply("sat", took, model=solver.model())
    if found == z3.unsat:
        return Reply("unsat", took)
    why = solver.reason_unknown()
    return Reply("unknown", took, f"no answer within {seconds:g} s" if why in ("timeout", "canceled") else why)


def has_cvc5() -> bool:
    """Is cvc5 installed?"""
    return find_spec("cvc5") is not None


def second_opinion(question: Query, seconds: float = SECONDS) -> Reply:
    """cvc5's answer to the same question. Raises ImportError where it is not installed."""
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question.text(), question.name.partition("\n")[0])
    names, begun, said = parser.getSymbolManager(), time.monotonic(), ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, names)).strip() or said
    took = time.monotonic() - begun
    if said == "sat":
        return Reply("sat", took)
    if said == "unsat":
        return Reply("unsat", took)
    return Reply("unknown", took, said)


def disagree(one: Reply, other: Reply) -> bool:
    """Do two solvers contradict each other? That is a defect of ours (or theirs), never of the rules."""
    return {one.verdict, other.verdict} == {"sat", "unsat"}
