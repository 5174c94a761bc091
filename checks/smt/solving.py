"""Questions to solvers: z3 answers, anybody can ask another one (SMT-LIB 2), and cvc5 does where it is installed."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

import z3

from ...spec.text import Text
from ..limits.ending import memory_mib
from . import truths as t
from .integers import Integers, NoIntegers
from .truths import Truth

z3.set_param("ctrl_c", False)  # it would answer "unknown" to a user who wants no more; whoever watches interrupts it (`ending.py`)

Verdict = Literal["sat", "unsat", "unknown"]
SECONDS = 60.0
"""How long a solver may think about one question, where nothing else is said."""
FIRST = 2.0
"""How long of this it thinks in bit vectors, before it is asked in integers."""


@dataclass(frozen=True)
class Query:
    """Is there anything for which all of this holds?"""

    name: str
    conditions: tuple[z3.BoolRef, ...] = field(repr=False)

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
    reason: Text | None = None
    model: z3.ModelRef | None = field(default=None, repr=False)


def query(name: str, conditions: Sequence[Truth]) -> Query:
    """A question; what is known to hold is left out."""
    return Query(name, tuple(t.conjuncts(conditions)))


def ask(
    question: Query, seconds: float = SECONDS, first: float = FIRST, bits: Callable[[], z3.Solver] = z3.SimpleSolver,
) -> Reply:
    """z3's answer: in bit vectors for some time (by this solver of z3's), then in integers."""
    begun = time.monotonic()
    reply = asked(bits(), question.conditions, min(first, seconds))
    if reply.verdict == "unknown" and seconds > reply.seconds:
        try:
            reply = in_integers(question, seconds - reply.seconds, reply.seconds)
        except NoIntegers:
            again = asked(z3.SimpleSolver(), question.conditions, max(0.0, seconds - (time.monotonic() - begun)))
            reply = replace(again, seconds=time.monotonic() - begun)
    if reply.verdict == "unknown" and reply.seconds > 0.9 * seconds:
        return replace(reply, reason=within(seconds))
    if reply.verdict == "unsat":
        collect(question)
    return reply


def within(seconds: float) -> Text:
    """There was no answer in so much time."""
    return Text(ja=f"{seconds:g}秒以内に答えが出ない", en=f"no answer within {seconds:g} s")


def of_solver(said: str) -> Text:
    """Why a solver has no answer, in its own words."""
    return Text(ja=f"解く側の答え: {said}", en=said)


WORK = 1_000_000
"""What z3 counts as work (`rlimit`) in a second of a quiet machine, more or less: its solver of bits somewhat less, its plain core up to four times as much."""
BY_THE_CLOCK = 20.0
"""So many times as long it may take by the clock, where its work is counted."""


def limit(solver: z3.Solver, seconds: float) -> None:
    """Let a solver do the work of so many seconds: the same on every machine, however busy it is."""
    solver.set("rlimit", max(1, int(seconds * WORK)))
    solver.set("timeout", max(1, int(1000 * BY_THE_CLOCK * seconds)))


NO_LIMIT = 2**32 - 1
"""Milliseconds, as z3 has it at first."""


def check_within(solver: z3.Solver, milliseconds: int) -> z3.CheckSatResult:
    """Its answer in so much time at most, which is its limit no longer then: else pushing or adding more may be ended by it, too."""
    solver.set("timeout", milliseconds)
    found = solver.check()
    solver.set("timeout", NO_LIMIT)
    return found


def worked_on(solver: z3.Solver, conditions: Sequence[z3.ExprRef], seconds: float) -> Reply:
    """The answer of a solver that does the work of so many seconds."""
    limit(solver, seconds)
    return answered(solver, conditions)


def asked(solver: z3.Solver, conditions: Sequence[z3.ExprRef], seconds: float) -> Reply:
    solver.set("timeout", max(1, int(seconds * 1000)))
    return answered(solver, conditions)


def answered(solver: z3.Solver, conditions: Sequence[z3.ExprRef]) -> Reply:
    begun = time.monotonic()
    solver.add(*conditions)
    found = solver.check()
    took = time.monotonic() - begun
    if found == z3.sat:
        return Reply("sat", took, model=solver.model())
    return Reply("unsat", took) if found == z3.unsat else Reply("unknown", took, of_solver(solver.reason_unknown()))


def in_integers(question: Query, seconds: float, before: float) -> Reply:
    """The answer with integers; a model is carried back to bit vectors, and has to hold there."""
    begun = time.monotonic()
    integers = Integers(begun + seconds)
    conditions = integers.conditions(question.conditions)
    reply = asked(z3.SimpleSolver(), conditions, seconds - (time.monotonic() - begun))
    model = None
    if reply.model is not None:
        found = [bits == z3.BitVecVal(value(reply.model, x), bits.size()) for bits, x in integers.variables]
        back = asked(z3.SimpleSolver(), (*question.conditions, *map(t.term, found)), seconds)
        assert back.verdict != "unsat", f"{question.name}: integers and bit vectors differ"
        reply, model = back, back.model
    return replace(reply, seconds=before + time.monotonic() - begun, model=model)


def value(model: z3.ModelRef, number: z3.ArithRef) -> int:
    found = model.eval(number, model_completion=True)
    assert isinstance(found, z3.IntNumRef)
    return found.as_long()


collected: list[str] | None = None
"""While certificates are wanted: every question to which there is nothing, in SMT-LIB 2."""
MOST_COLLECTED = 100 << 20
"""So many characters of them are kept at most."""


def collect(question: Query) -> None:
    """Keep a question to which there is nothing, if certificates are wanted."""
    if collected is not None and sum(map(len, collected)) < MOST_COLLECTED:
        collected.append(question.text())


def take_at_most(mib: float) -> None:
    """z3 gives up a question for which this process would need more memory."""
    z3.set_param("memory_max_size", max(1, int(mib - memory_mib())))


def has_cvc5() -> bool:
    """Is cvc5 installed?"""
    return find_spec("cvc5") is not None


def second_opinion(question: Query, seconds: float = SECONDS) -> Reply:
    """cvc5's answer to the same question. Raises ImportError where it is not installed."""
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("bitblast", "eager")  # all are questions about bits alone; lazily some took ten times as long
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
    return Reply("unknown", took, of_solver(said))
