"""SPIN explores the exported relation, and counts what the explorer counts."""
from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore.explorer import BoundAtStart, Limits, explore
from rulewright.checks.export import c_code, c_expressions
from rulewright.checks.export.c_expressions import CannotExport
from rulewright.checks.export.promela import promela_model, write_promela
from rulewright.checks.scenarios.subjects import open_table, reading_sets
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import book_names, load_book
from rulewright.spec.readers import read_scenario

from ..lang.programs import HEAD, compiled
from .programs import random_program

needs_spin = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="SPIN and a C compiler are not installed"
)
LARGEST, FEW = 3_000, 300
"""States of the scenarios, and of the random programs, that are compared, at most."""
PROGRAMS = 50
"""Random programs in each part of the test."""


def spin(folder: Path, name: str) -> tuple[int, int]:
    """The states and transitions that SPIN counts, without those before play."""
    subprocess.run(["spin", "-a", f"{name}.pml"], cwd=folder, check=True, capture_output=True)
    flags = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=8192"]
    subprocess.run(["gcc", *flags, "-o", "pan", "pan.c", f"{name}.c"], cwd=folder, check=True, capture_output=True)
    said = subprocess.run(["./pan", "-m200000", "-w18"], cwd=folder, capture_output=True, text=True, check=False).stdout
    assert "errors: 0" in said and "error in the model" not in said, said
    states = re.search(r"(\d+) states, stored", said)
    transitions = re.search(r"(\d+) transitions", said)
    assert states is not None and transitions is not None
    return int(states[1]) - 1, int(transitions[1]) - 2


EVERY = 9
"""One in so many scenarios of a book is compared. Two of all would do for the kinds of node; random programs have these in other company."""


def scenarios() -> list[Any]:
    """Some of each book's scenarios that are not whole games."""
    return [
        pytest.param(p, id=f"{book}-{p.stem}")
        for book in book_names()
        for p in [p for p in load_book(book).scenarios if p.stem not in ("full-game", "full-game-in-phrases", "pass-only")][::EVERY]
    ]


@needs_spin
@pytest.mark.slow
@pytest.mark.parametrize("path", scenarios())
def test_spin_counts_the_same_states_and_transitions(path: Path, tmp_path: Path) -> None:
    scenario = read_scenario(path)
    table = open_table(scenario, reading_sets(scenario, {})[0])
    try:
        write_promela(promela_model(table.engine, table.positions, "model", 300, 1_000), "model", tmp_path)
    except CannotExport as e:
        pytest.skip(f"not exported: {e}")
    out = explore(table.engine, table.starts, Limits(states=LARGEST))
    if out.cut:
        pytest.skip(f"more than {LARGEST} states")
    assert spin(tmp_path, "model") == (len(out.states), out.transitions)


@needs_spin
@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_spin_counts_the_same_of_random_programs(part: int, tmp_path: Path) -> None:
    compared = 0
    for seed in range(part * PROGRAMS, (part + 1) * PROGRAMS):
        program = random_program(seed)
        engine = Interpreter(program)
        try:
            out = explore(engine, engine.start(), Limits(states=FEW))
            model = promela_model(engine, [[s.initial for s in program.layout.slots]], "model", FEW, 1_000)
        except (BoundAtStart, CannotExport):
            continue
        if out.cut or len(out.states) < 3:
            continue
        write_promela(model, "model", tmp_path)
        assert spin(tmp_path, "model") == (len(out.states), out.transitions), f"random program {seed}"
        compared += 1
    assert compared > PROGRAMS / 3


TWO_FAULTS = """
class Game(State):
    zero: Annotated[int, Range(0, 9)]
    points: Per[Player, Annotated[int, Range(0, 9)]]

@define
def by_zero(g: Game) -> int:
    return 1 // g.zero

@define
def of_nothing(g: Game) -> int:
    return min(g.points[p] for p in PLAYERS if g.points[p] > 0)

@procedure
async def main(g: Game) -> None:
    if await may(FIRST):
        g.zero = {one}
    else:
        g.zero = {both}
"""


@needs_spin
@pytest.mark.slow
@pytest.mark.parametrize("both", [
    "by_zero(g) + of_nothing(g)", "max(by_zero(g), of_nothing(g))", "of_nothing(g) - by_zero(g)", "min(of_nothing(g), by_zero(g))",
])
def test_of_two_operands_with_a_fault_the_first_ends_play(both: str, tmp_path: Path) -> None:
    """The two choices come to one end if the operand that comes first in both is what faults."""
    one = min("by_zero(g)", "of_nothing(g)", key=both.index)
    engine = Interpreter(compiled(HEAD + TWO_FAULTS.format(one=one, both=both)))
    out = explore(engine, engine.start(), Limits(states=FEW))
    write_promela(promela_model(engine, [[s.initial for s in engine.program.layout.slots]], "model", FEW, 1_000), "model", tmp_path)
    assert spin(tmp_path, "model") == (len(out.states), out.transitions) == (2, 2)


@needs_spin
@pytest.mark.slow
def test_a_state_with_more_options_than_exported_is_told(tmp_path: Path) -> None:
    path = next(p for p in load_book("hanayome").scenarios if p.stem == "episode-left-behind")
    table = open_table(read_scenario(path), {})
    write_promela(promela_model(table.engine, table.positions, "model", ways=1), "model", tmp_path)
    with pytest.raises(AssertionError, match="more options"):
        spin(tmp_path, "model")


@pytest.mark.parametrize(("module", "limit", "said"), [
    (c_code, "LONGEST", "instructions, and 9 is the most"),
    (c_code, "MOST_FUNCTIONS", "functions, and 9 is the most"),
    (c_expressions, "MOST_DETAILS", "play can end in more than 9 ways"),
])
def test_what_a_packed_state_cannot_name_is_not_exported(
    module: ModuleType, limit: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(module, limit, 9)
    assert main(["export", "hanayome/swap", "--to", "promela", "-o", str(tmp_path), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "this scenario cannot be exported" in told and said in told and "Traceback" not in told
    assert not list(tmp_path.iterdir())


def test_the_command_writes_its_files_or_says_why_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "hanayome/swap", "--to", "promela", "-o", str(tmp_path / "new"), "--lang", "en"]) == 0
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["swap.c", "swap.names.json", "swap.pml"]
    assert "SPIN" in capsys.readouterr().out
    several = tmp_path / "several.yaml"
    several.write_text(
        "book: hanayome\nid: x\ntitle: x\ndeck_order: all\nbegin: turn\nposition:\n  first: {deck: [V-STROLL, BLANK]}\n",
        encoding="utf-8")
    assert main(["export", str(several), "--to", "promela", "-o", str(tmp_path / "none"), "--lang", "en"]) == 2
    assert "several first positions" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["export", "hanayome/swap", "--to", "promela", "-o", str(tmp_path / "file" / "x"), "--lang", "ja"]) == 2
