"""Random programs, in random states: compiled code does what the interpreter does, in the same order."""
from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.register.executed import Recorder
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.policies import Wish
from rulewright.model.engine.state import Arrival, State
from rulewright.model.ir.program import Program

from .features import EVERY, GAPS, features, table
from .harness import Compared, compare, compare_arrivals, reachable
from .programs import random_program, random_state

STATES = 50


def compared(seed: int, cache: Path, level: int = 0, bound_to: bool = False) -> tuple[Compared, Counter[str]]:
    """One program: its beginning, states that can be reached, and states made of these. `bound_to`: players follow policies."""
    program = random_program(seed)
    luck = random.Random(seed)
    policies, ids = (scripts(luck), card_ids(program)) if bound_to else ({}, ())
    engine = Recorder(Interpreter(program, policies, card_ids=ids))
    native = Native(program, policies, ids, cache, level)
    first = engine.start()
    out = Compared()
    begins(engine, native, None, first, out)
    states = reachable(engine, [first.state], STATES // 2, 20) if first.state.end is None else []
    going_on = [s for s in states if s.end is None]
    while going_on and len(states) < STATES:
        states.append(random_state(program, luck.choice(going_on), luck))
    out.add(compare(engine, native, states))
    before = State(tuple(s.initial for s in program.layout.slots), ())
    for _ in range(max(5, STATES - len(states))):  # other positions to begin from
        slots = random_state(program, before, luck).slots
        begins(engine, native, slots, engine.start(slots), out)
    return out, features(program, engine.seen.values())


def begins(engine: Interpreter, native: Native, slots: tuple[int, ...] | None, first: Arrival, out: Compared) -> None:
    """Play from a position to its first label."""
    out.states += 1
    try:
        compare_arrivals(State(slots or (), ()), "the beginning", first, native.start(slots))
    except BeyondNative:
        out.beyond += 1


def scripts(luck: random.Random) -> dict[int, tuple[Wish, ...]]:
    """Policies of one or both players."""
    wishes = (Wish("pass"), Wish("yes"), Wish("first"), Wish("Enter"), Wish("Enter", "A"), Wish("Pass"))
    return {p: tuple(luck.sample(wishes, luck.randint(1, 3))) for p in luck.choice(((0,), (1,), (0, 1)))}


def card_ids(program: Program) -> tuple[str, ...]:
    """What each card is: an A or a B."""
    return tuple("AB"[k % 2] for k in range(program.layout.card_count))


def run(seeds: range, cache: Path, level: int = 0, bound_to: bool | None = None) -> tuple[Compared, Counter[str]]:
    """Several programs; every fourth with policies, unless told."""
    total, seen = Compared(), Counter[str]()
    for seed in seeds:
        try:
            one, its = compared(seed, cache, level, seed % 4 == 3 if bound_to is None else bound_to)
        except AssertionError as e:
            raise AssertionError(f"random program {seed}: {e}") from e
        total.add(one)
        seen.update(its)
    return total, seen


@pytest.mark.parametrize("part", range(2))
def test_random_programs_do_the_same(part: int, tmp_path: Path) -> None:
    total, _ = run(range(part * 12, part * 12 + 12), tmp_path)
    assert total.states > 300 and total.transitions > 400 and total.ends > 50, total
    assert total.beyond <= total.states // 12, total


def test_policies_do_the_same(tmp_path: Path) -> None:
    total, _ = run(range(512, 530), tmp_path, bound_to=True)
    assert total.states > 300 and total.transitions > 300, total


def test_the_optimiser_changes_nothing(tmp_path: Path) -> None:
    total, _ = run(range(900, 904), tmp_path, level=2)
    assert total.states > 100, total


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_two_thousand_random_programs_do_the_same(part: int, tmp_path: Path) -> None:
    """200 programs × 50 states in each part; what they are made of is printed, and nothing may be missing."""
    total, seen = run(range(10_000 + part * 200, 10_200 + part * 200), tmp_path)
    print(f"\n{total}\n{table(seen)}")
    assert total.states >= 200 * STATES, total
    assert total.beyond <= total.states // 20, total
    assert not EVERY - seen.keys() - GAPS.keys(), f"never carried out: {sorted(EVERY - seen.keys())}"
    assert not GAPS.keys() & seen.keys(), "no gap any more"
