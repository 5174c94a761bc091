"""Every shipped scenario (some of them in the quick suite), and every program of the language's own tests: the same in
compiled code."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.native.engine import Native
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import book_names
from rulewright.model.engine.state import Arrival
from rulewright.model.engine.table import Table

from ..lang.programs import good_program
from ..toys.harness import toy
from .harness import Compared, compare, compare_arrivals, reachable

HERE = Path(__file__).parent
SCENARIOS = [(book, p.stem) for book in book_names() for p in scenario_paths(book)]
SAMPLE = SCENARIOS[::12]
GOOD = sorted(p.stem for p in (HERE.parent / "lang" / "good").glob("*.py"))
TOYS = sorted(p.stem for p in (HERE.parent / "toys").glob("*.py") if "async def main" in p.read_text(encoding="utf-8"))


def agrees(engine: Interpreter, native: Native, starts: list[Arrival], most: int) -> Compared:
    return compare(engine, native, reachable(engine, [s.state for s in starts], most))


def table_agrees(table: Table, most: int, cache: Path, level: int) -> Compared:
    engine = table.engine
    native = Native(table.program, engine.policies, card_ids=engine.card_ids, cache=cache, level=level)
    for position, start in zip(table.positions, table.starts, strict=True):
        compare_arrivals(start.state, "the beginning", start, native.start(position))
    out = agrees(engine, native, table.starts, most)
    assert not out.beyond, f"compiled code gave up in {out.beyond} states"
    return out


@pytest.mark.parametrize(("book", "name"), SAMPLE, ids=lambda x: x)
def test_scenarios_do_the_same(book: str, name: str, tmp_path: Path) -> None:
    scenario = read_scenario(scenario_paths(f"{book}/{name}")[0])
    assert table_agrees(open_table(scenario, reading_sets(scenario, {})[0]), 60, tmp_path, 0).states


@pytest.mark.slow
@pytest.mark.parametrize(("book", "name"), SCENARIOS, ids=lambda x: x)
def test_scenarios_do_the_same_under_all_their_readings(book: str, name: str, tmp_path: Path) -> None:
    """150 states under each; 2,000 of the sample under its first readings, optimised as it is for users."""
    scenario = read_scenario(scenario_paths(f"{book}/{name}")[0])
    for k, readings in enumerate(reading_sets(scenario, {})):
        most, level = (2_000, 2) if k == 0 and (book, name) in SAMPLE else (150, 0)
        assert table_agrees(open_table(scenario, readings), most, tmp_path, level).states


@pytest.mark.parametrize("name", GOOD)
def test_programs_of_the_language_do_the_same(name: str, tmp_path: Path) -> None:
    program = good_program(name, keep_unread=True, entry="turns" if name == "scopes" else "main")
    engine = Interpreter(program)
    native = Native(program, cache=tmp_path, level=0)
    start = engine.start()
    compare_arrivals(start.state, "the beginning", start, native.start())
    assert not agrees(engine, native, [start], 300).beyond


@pytest.mark.parametrize("name", TOYS)
def test_toy_games_do_the_same(name: str, tmp_path: Path) -> None:
    subject = toy(name)
    native = Native(subject.program, cache=tmp_path, level=0)
    assert not agrees(subject.engine, native, list(subject.starts), 300).beyond
