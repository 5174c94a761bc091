"""Rules that were translated for another world are taken again where that makes no difference: every program is the one that is
compiled without."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.subjects import reading_sets
from rulewright.model.engine import table
from rulewright.model.engine.library import book_names, load_book
from rulewright.model.engine.table import open_table
from rulewright.model.ir.printer import print_program
from rulewright.model.ir.program import Program
from rulewright.model.ir.remembered import forget
from rulewright.model.lang.asking import Earlier
from rulewright.model.lang.compile import Compiler, Rulebook, compile_book
from rulewright.model.lang.kinds import RuleDecl
from rulewright.model.lang.modules import with_kernel
from rulewright.model.lang.source import read_source
from rulewright.model.lang.world import World
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.readers import read_scenario

from .programs import GOOD, KERNEL, READINGS, cards_of, world_of

Task = tuple[Rulebook, World, str]


class Enough(Exception):
    """What is to be compiled is known."""


def tasks(paths: Sequence[Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Task]:
    """What is compiled for scenarios, under each of their reading sets."""
    found: list[Task] = []

    def take(*task: object) -> Program:
        found.append(task)  # pyright: ignore[reportArgumentType]
        raise Enough

    monkeypatch.setattr(table, "compiled", take)
    for path in paths:
        scenario = read_scenario(path)
        for readings in reading_sets(scenario, {}):
            with pytest.raises(Enough):
                open_table(scenario, readings)
            yield found.pop()


def same(a: Program, b: Program) -> bool:
    """Equal, the functions in the same order, every mark in its place."""
    return a == b and repr(a) == repr(b) and print_program(a) == print_program(b)


def compare(some: Sequence[Task]) -> Earlier:
    """Each program with what came of those before it, and without: nothing that was worked out of functions is known then."""
    earlier = Earlier(some[0][0])
    programs = [compile_book(*task, earlier=earlier) for task in some]
    for task, again in zip(some, programs, strict=True):
        forget()
        assert same(again, compile_book(*task))
    return earlier


@pytest.mark.parametrize("name", book_names())
def test_programs_of_scenarios_are_what_they_are_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = load_book(name).scenarios
    some = list(tasks(paths[:: len(paths) // 3][:3], monkeypatch))[:4]
    found = [compare(some), compare(some[::-1])]
    for earlier in found:
        assert earlier.reused > 100, "hardly anything was taken again"


@pytest.mark.slow
@pytest.mark.parametrize("name", book_names())
def test_all_programs_of_scenarios_are_what_they_are_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = compare(list(tasks(load_book(name).scenarios, monkeypatch)))
    assert earlier.reused > earlier.fresh


def toy(name: str) -> Rulebook:
    report = Collector()
    source = read_source(f"{name}.py", (GOOD / f"{name}.py").read_text(encoding="utf-8"), report)
    assert source is not None
    return Rulebook("toy", with_kernel([source], report, KERNEL), READINGS, None)


@pytest.mark.parametrize("name", sorted(p.stem for p in GOOD.glob("*.py")))
def test_small_programs_in_worlds_that_differ_in_one_thing(name: str) -> None:
    """More cards, fewer cards, other capacities and readings, deeper stacks: in any order."""
    book, cards = toy(name), cards_of(GOOD / f"{name}.yaml") if (GOOD / f"{name}.yaml").exists() else ()
    plain = world_of(cards)
    worlds = [
        plain, world_of(cards, 2), world_of(cards[:-1]), world_of(cards[1:]), world_of(cards[::-1]),
        replace(plain, capacities=dict.fromkeys(("pending", "pool", "deals", "marks", "attacks", "uses", "waiting", "queue"), 3)),
        replace(plain, readings={"hand-limit": "eight", "first-draw": "3"}),
        replace(plain, branching=frozenset({"hand-limit"})), replace(plain, stack_depth=5), plain,
    ]
    for order in (worlds, worlds[::-1]):
        earlier = Earlier(book)
        for world in order:
            made: list[object] = []
            for how in (earlier, None):
                if how is None and order is worlds:
                    forget()
                try:
                    made.append(compile_book(book, world, "main", earlier=how))
                except BadInput as e:
                    made.append([str(d) for d in e.diagnostics])
            again, without = made
            assert again == without and repr(again) == repr(without)
        assert earlier.reused


def test_only_what_asks_how_many_there_are_is_translated_where_there_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """In `definitions.py` the rule `friends` speaks of cards and counts names; the others look at all cards."""
    translated: list[str] = []
    translate = Compiler.translate

    def noting(self: Compiler, rule: RuleDecl) -> None:
        translated.append(rule.name)
        translate(self, rule)

    monkeypatch.setattr(Compiler, "translate", noting)
    book, cards = toy("definitions"), cards_of(GOOD / "definitions.yaml")
    earlier, found = Earlier(book), list[set[str]]()
    for world in (world_of(cards), world_of(cards, 2), world_of(cards[:-1], 2), world_of(cards)):
        compile_book(book, world, "main", earlier=earlier)
        found.append(set(translated))
        translated.clear()
    assert found == [{"main", "of_kind", "friends"}, {"main", "of_kind"}, {"main", "of_kind", "friends"}, set()]


MISTAKE = """from rulewright.model.lang import *

class Game(State):
    turn: Player = FIRST

@define
def right(g: Game) -> bool:
    return g.turn == FIRST

@define
def some_cards(g: Game) -> Set[Annotated[int, Range(0, 3)]]:
    return {len(CARDS)}

@procedure
async def main(g: Game) -> None:
    if right(g) and 1 in some_cards(g):
        g.turn = missing
"""


def test_mistakes_are_told_every_time() -> None:
    report = Collector()
    source = read_source("rules.py", MISTAKE, report)
    assert source is not None
    book = Rulebook("toy", (source,), {}, None)
    earlier, told = Earlier(book), list[list[str]]()
    for _ in range(3):
        with pytest.raises(BadInput) as refused:
            compile_book(book, World(), "main", earlier=earlier)
        told.append([str(d) for d in refused.value.diagnostics])
    assert told[0] == told[1] == told[2] and "missing" in told[0][0]
