"""What the front end makes of good programs: the printed IR, frozen beside them, is reviewed when it changes."""
from __future__ import annotations

from pathlib import Path

import pytest

from .printer import print_program
from .programs import check_frozen, good_program

PROGRAMS = sorted((Path(__file__).parent / "good").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_the_ir_is_as_reviewed(path: Path, pytestconfig: pytest.Config) -> None:
    program = good_program(path.stem)
    check_frozen(path.with_suffix(".ir"), print_program(program), pytestconfig.getoption("--update-frozen"))


def test_a_function_says_where_its_rule_is_written() -> None:
    lines = (Path(__file__).parent / "good/defines.py").read_text(encoding="utf-8").splitlines()
    functions = good_program("defines").functions
    assert {name: f.at.line for name, f in functions.items()} == {
        name: k for k, line in enumerate(lines, 1) for name in functions if f"def {name}(" in line}
