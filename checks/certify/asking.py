"""Questions of proofs, asked again from their text alone."""
from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import z3

from .world import need

SECONDS = 60.0
"""How long each solver may think about one question."""


def query(worlds: object, table: object, claim: Any) -> list[str]:
    """There is nothing for which all of this holds: z3 says so, and cvc5 does not contradict where it is installed."""
    need(claim["expected"] == "unsat", "only that there is nothing can be shown so")
    solver = z3.Solver()
    solver.set("timeout", int(SECONDS * 1000))
    solver.from_string(claim["text"])
    need(len(solver.assertions()) > 0, "nothing is asked")
    said = solver.check()
    need(said != z3.sat, "z3 finds something")
    other = cvc5_says(claim["text"]) if find_spec("cvc5") is not None else "not asked"
    need(other != "sat", "cvc5 finds something")
    need(said == z3.unsat or other == "unsat", "no solver answers")
    return ["unsat", *(["cvc5"] if other == "unsat" else [])]


def cvc5_says(text: str) -> str:
    """cvc5's answer."""
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(SECONDS * 1000)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "certificate")
    names, said = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, names)).strip() or said
    return said
