"""Programs are verified after every pass; what has not changed is not looked at again, and nothing is missed by that."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program
from rulewright.model.ir.verify import MalformedProgram, verify

from ..lang.programs import good_program


def program() -> Program:
    return good_program("scopes", keep_unread=True, entry="turns")


def called(p: Program) -> str:
    """A function that another one calls."""
    return next(i.function for f in p.functions.values() for i in f.code if isinstance(i, ir.Do | ir.Invoke) and i.function != f.name)


def test_a_function_that_is_gone_is_missed_by_who_calls_it() -> None:
    p = program()
    verify(p)
    name = called(p)
    del p.functions[name]
    with pytest.raises(MalformedProgram, match="exists"):
        verify(p)


def test_a_function_that_takes_more_than_before_is_noticed() -> None:
    p = program()
    verify(p)
    name = called(p)
    p.functions[name] = replace(p.functions[name], arity=p.functions[name].arity + 1)
    with pytest.raises(MalformedProgram, match="arguments"):
        verify(p)


@pytest.mark.parametrize("change", ["code", "locals", "handlers"])
def test_what_a_pass_changed_is_looked_at_again(change: str) -> None:
    from rulewright.model.ir.program import Handler

    p = program()
    verify(p)
    verify(p)
    fn = next(f for f in p.functions.values() if f.locals and any(isinstance(n, ir.Local) for i in f.code for n in ir_nodes(i)))
    if change == "code":
        fn.code = (ir.Jump(len(fn.code) + 3), *fn.code[1:])
    elif change == "locals":
        fn.locals = ()
    else:
        fn.handlers = (*fn.handlers, Handler(0, len(fn.code) + 1, "TurnEnds", 0))
    with pytest.raises(MalformedProgram):
        verify(p)


def ir_nodes(i: ir.Instr) -> tuple[ir.Node, ...]:
    from rulewright.model.ir.flow import walk

    return walk(i)
