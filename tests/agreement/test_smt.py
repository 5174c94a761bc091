"""The translation to z3 says what the interpreter does: on random programs and on the shipped scenarios.

Terms are made once for states of which nothing (or little) is known, then the values of a state are put into them; no
solver is asked. Where one is asked for a successor, the interpreter comes to it.
"""
from __future__ import annotations

import random
import time
from itertools import product
from zlib import crc32

import pytest
import z3

from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.checks.smt import numbers as n
from rulewright.checks.smt import truths as t
from rulewright.checks.smt.numbers import Beyond
from rulewright.checks.smt.symbolic import Symbolic, evaluated
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import book_names
from rulewright.model.engine.state import State
from rulewright.model.ir.program import Program

from .harness import reachable
from .programs import random_program, random_state
from .symbolic import Cases, Transition, define_agrees, places_of

MOST_CARDS = 8
STATES = 6
SCENARIOS = [(book, p.stem) for book in book_names() for p in scenario_paths(book)]
WITH_WHOLE_DECKS = ("mulligan", "full-game", "full-game-in-phrases")
SAMPLE = [(book, name) for book, name in SCENARIOS if name not in WITH_WHOLE_DECKS and crc32(name.encode()) % 12 == 0]
"""The same whatever scenarios there are beside them."""


def states_of(program: Program, engine: Interpreter, luck: random.Random) -> list[State]:
    """States that can be reached, and states made of these."""
    first = engine.start()
    there = reachable(engine, [first.state], STATES, 20) if first.state.end is None else []
    there = [s for s in there if s.end is None]
    return there + [random_state(program, luck.choice(there), luck) for _ in range(STATES)] if there else []


def by_places(symbolic: Symbolic, states: list[State]) -> dict[tuple[tuple[str, int], ...], list[State]]:
    out: dict[tuple[tuple[str, int], ...], list[State]] = {}
    for state in states:
        out.setdefault(places_of(symbolic, state), []).append(state)
    return out


def program_agrees(seed: int) -> Cases:
    """The defines and the transitions of one program."""
    out = Cases()
    program = random_program(seed)
    if program.layout.card_count > MOST_CARDS:
        return out
    luck = random.Random(seed)
    engine, symbolic = Interpreter(program), Symbolic(program)
    states = states_of(program, engine, luck)
    for fn in program.functions.values() if states else ():
        if fn.kind == "define":
            try:
                out.update(define_agrees(engine, symbolic, fn, states[::2], luck))
            except Beyond:
                out["beyond"] += 1
    for alike in by_places(symbolic, states).values():
        try:
            transition = Transition(symbolic, alike[0])
        except Beyond:
            out["beyond"] += 1
            continue
        for state in alike:
            out.update(transition.agrees(engine, state, luck))
    return out


def run(seeds: range) -> Cases:
    total = Cases()
    for seed in seeds:
        try:
            total.update(program_agrees(seed))
        except AssertionError as e:
            raise AssertionError(f"random program {seed}: {e}") from e
    return total


def test_random_programs_say_the_same() -> None:
    total = run(range(100))
    assert total["value"] > 400 and total["goes on"] > 300 and total["over"] > 30, total
    assert all(total[kind] > 3 for kind in ("fault", "bound", "gap")), total
    assert total["beyond"] <= total.total() // 100, total


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_twenty_thousand_random_cases_say_the_same(part: int) -> None:
    """A tenth of them in each part."""
    total = run(range(30_000 + part * 260, 30_260 + part * 260))
    print(f"\n{total}")
    assert total.total() - total["beyond"] >= 2_000, total
    assert all(total[kind] for kind in ("value", "goes on", "over", "fault", "bound", "gap")), total


# ---------------------------------------------------------------- books
UNKNOWN = 8
"""Slots that are taken for unknown in a state of a scenario."""
PATIENCE = 10
"""Seconds for the terms of one state: where effects change each other, those of some slots are too large."""


def scenario_agrees(book: str, name: str, most: int, luck: random.Random) -> Cases:
    """States of a scenario, some slots of each taken for unknown."""
    scenario = read_scenario(scenario_paths(f"{book}/{name}")[0])
    table = open_table(scenario, reading_sets(scenario, {})[0])
    engine, symbolic = Interpreter(table.program), Symbolic(table.program)
    out = Cases()
    for state in reachable(engine, [s.state for s in table.starts], most):
        if state.end is None:
            unknown = set(luck.sample(range(len(state.slots)), min(UNKNOWN, len(state.slots))))
            given = {k: v for k, v in enumerate(state.slots) if k not in unknown}
            symbolic.machine.until = time.monotonic() + PATIENCE
            try:
                out.update(Transition(symbolic, state, given).agrees(engine, state, luck))
            except Beyond:
                out["beyond"] += 1
            except AssertionError as e:
                raise AssertionError(f"{book}/{name}, unknown {sorted(unknown)}: {e}") from e
    return out


@pytest.mark.parametrize(("book", "name"), SAMPLE, ids=lambda x: x)
def test_scenarios_say_the_same(book: str, name: str) -> None:
    total = scenario_agrees(book, name, 6, random.Random(name))
    assert total.total() - total["beyond"] > 0 or ends_at_once(book, name), total


def ends_at_once(book: str, name: str) -> bool:
    """Does play end before anybody chooses? Then there is no step to compare."""
    scenario = read_scenario(scenario_paths(f"{book}/{name}")[0])
    return all(s.state.end is not None for s in open_table(scenario, reading_sets(scenario, {})[0]).starts)


@pytest.mark.slow
@pytest.mark.parametrize(("book", "name"), SCENARIOS, ids=lambda x: x)
def test_every_scenario_says_the_same(book: str, name: str) -> None:
    total = scenario_agrees(book, name, 60, random.Random(name))
    assert total.total() - total["beyond"] > 0, total


# ---------------------------------------------------------------- what a solver finds
def successor_is_real(seed: int) -> Cases:
    """Some state, some option and where they lead, as a solver finds them: the interpreter comes there, too."""
    program = random_program(seed)
    if not 0 < program.layout.card_count <= 5:
        return Cases()
    luck = random.Random(seed)
    engine, symbolic = Interpreter(program), Symbolic(program)
    out = Cases()
    for alike in list(by_places(symbolic, states_of(program, engine, luck)).values())[:2]:
        it = Transition(symbolic, alike[0])
        solver = z3.Solver()
        solver.set("timeout", 5_000)
        solver.add(*(t.term(h.condition) for h in symbolic.invariants(it.state)))
        solver.add(*(t.term(t.no(h.when)) for h in it.stopped))
        if it.question is not None:
            solver.add(t.term(it.question.offered(it.option)))
        for arrival, _ in product(it.outcome.arrivals, range(4)):
            slot = luck.randrange(len(arrival.state.slots))
            changed = t.no(n.equal(arrival.state.slots[slot], it.state.slots[slot]))
            if solver.check(t.term(arrival.when), t.term(changed)) != z3.sat:
                continue
            model = solver.model()
            state = symbolic.concrete(model, it.state)
            option = tuple(evaluated(model, v) for v in it.option)
            there = engine.apply(state, option).state
            assert there == symbolic.concrete(model, arrival.state), f"random program {seed}: not a successor"
            assert there.slots[slot] != state.slots[slot], f"random program {seed}: nothing has changed"
            out["found"] += 1
    return out


def test_successors_that_a_solver_finds_are_real() -> None:
    total = Cases()
    for seed in range(140):
        total.update(successor_is_real(seed))
    assert total["found"] > 15, total
