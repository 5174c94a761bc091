"""A translated program under answers to its readings: what they decide is worked out, and what is not done under them is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..ir import nodes as ir
from ..ir.build import FALSE, binary, both, either, negate, pick
from ..ir.flow import rewrite, walk
from ..ir.program import Function, Program
from ..ir.tidy import in_short

Asking = Mapping[str, Sequence[int]]
"""The functions that ask for answers, and the places in their code where they do."""


def asking_in(program: Program) -> Asking:
    """Where a program asks for answers."""
    found = {name: [k for k, i in enumerate(fn.code) if any(isinstance(n, ir.Answer) for n in walk(i))] for name, fn in program.functions.items()}
    return {name: places for name, places in found.items() if places}


def linked(program: Program, asking: Asking, answers: Mapping[str, int]) -> Program:
    """The program under these answers (reading → its alternative's number, or a number); the one that is given stays as it is."""
    functions = {name: under(fn, asking.get(name, ()), answers) for name, fn in program.functions.items()}
    return replace(
        program, functions=functions, tables=list(program.tables),
        verdicts=tuple(replace(v, clauses=clauses_of(functions[v.function])) for v in program.verdicts),
        norms=tuple(replace(n, clauses=clauses_of(functions[n.function])) for n in program.norms))


def clauses_of(fn: Function) -> tuple[str, ...]:
    """The clauses that a function cites, the most frequent first."""
    return tuple(c for c, _ in Counter(c for i in fn.code for c in i.at.clauses).most_common())


def under(fn: Function, asking: Sequence[int], answers: Mapping[str, int]) -> Function:
    """A function under these answers, for which it asks at these places."""
    if not asking:
        return replace(fn)
    code, decided = list(fn.code), False
    for k in asking:
        match rewrite(fn.code[k], lambda n: worked_out(n, answers)):
            case ir.Branch(test=ir.Const(value=v), otherwise=to, at=at):  # what is fixed is no step of a play: no clause is cited for it
                code[k], decided = ir.Jump(k + 1 if v else to, at=replace(at, clauses=())), True
            case i:
                code[k] = i
    new = replace(fn, code=code)
    if decided:
        new.code, new.handlers = in_short(new, new.handlers)
    return new


def worked_out(n: ir.Node, answers: Mapping[str, int]) -> ir.Node:
    """A node whose parts are worked out, as the front end would have made it."""
    match n:
        case ir.Answer(reading=name):
            return ir.Const(answers[name], at=n.at)
        case ir.Binary(op=op, a=a, b=b):
            return binary(op, a, b, n.at)
        case ir.Unary(op="not", a=a):
            return negate(a, n.at)
        case ir.All(parts=parts):
            return both(parts, n.at)
        case ir.Any(parts=parts):
            return either(parts, n.at)
        case ir.If(test=test, a=a, b=b):
            return pick(test, a, b, n.at)
        case ir.Within(a=ir.Const(value=v) as a, lo=lo, hi=hi) if lo <= v <= hi:
            return a
        case ir.Choose(offers=offers) if any(o.test == FALSE for o in offers):
            return replace(n, offers=tuple(o for o in offers if o.test != FALSE))
        case _:
            return n
