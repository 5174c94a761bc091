"""Compiled code knows the bounds of its numbers as well as it did.

Bounds that are too wide are never wrong, so no comparison with the interpreter notices them: numbers that would fit a word
become wide ones, and code tests at run time, and would stop or give up, where it need not. All three are counted.
`--update-frozen` writes the counts anew.
"""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.checks.native.build import write
from rulewright.checks.native.ends import ESCAPE
from rulewright.model.ir.program import Program

from ..lang.programs import check_frozen
from .programs import random_program

RULES = re.compile(r"^define [^\n]*@(?:f|ask|write)\d+\(.*?^\}", re.MULTILINE | re.DOTALL)
"""The functions made of rules."""
STOPS = re.compile(r"call void @halt")
WIDE = re.compile(r"= (?!load)\w+ (?:\w+ )?i(128|192|256) ")


def test_numbers_are_as_narrow_and_as_certain_as_they_were(pytestconfig: pytest.Config) -> None:
    """Of some random programs: words of wide numbers that instructions compute with, places where code gives up, and places
    where play stops."""
    lines = [line(str(seed), random_program(seed)) for seed in range(40)]
    check_frozen(Path(__file__).parent / "bounds.json", "{\n" + ",\n".join(lines) + "\n}\n", bool(pytestconfig.getoption("--update-frozen")))


def line(name: str, program: Program) -> str:
    code = "\n".join(RULES.findall(write(program).text))
    wide = sum(int(bits) // 64 for bits in WIDE.findall(code))
    return f' "{name}": [{wide}, {code.count(f"@halt(ptr %c, i64 {ESCAPE}, ")}, {len(STOPS.findall(code))}]'
