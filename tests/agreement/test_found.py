"""What random programs have found: programs that compiled code did otherwise, or that could not be compiled.

(That entries of a multiset stay in order is in `tests/lang/good/reordered.py`.)
"""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.checks.native.engine import Native
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Handler

from ..lang.programs import good_program
from .harness import compare, reachable


def test_a_handler_that_nothing_leads_to_is_left_out(tmp_path: Path) -> None:
    program = good_program("signals", keep_unread=True)
    main = program.functions[program.entry]
    idle = Handler(1, 0, next(i.signal for f in program.functions.values() for i in f.code if isinstance(i, ir.Throw)), len(main.code))
    program.functions[program.entry] = replace(main, code=[*main.code, ir.Jump(0)], handlers=[*main.handlers, idle])
    engine = Interpreter(program)
    native = Native(program, cache=tmp_path, level=0)
    out = compare(engine, native, reachable(engine, [engine.start().state], 100))
    assert out.states and not out.beyond
