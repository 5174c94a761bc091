"""Toy games with known endless loops, each beside the nearest situation that has none: states, ends, loops, pinned."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.checks.explore.explorer import Exploration, explore
from rulewright.checks.explore.loops import find_loops
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.ir.program import Program
from rulewright.spec.findings import WhoCanStop

from ..lang.programs import compiled

HERE = Path(__file__).parent / "toys"
NOBODY_CAN, ONE_CAN, EITHER_CAN = WhoCanStop.NOBODY, WhoCanStop.ONE, WhoCanStop.EITHER
STEP, PHASE = 1, 2


@dataclass(frozen=True)
class Toy:
    """A situation of a toy game: slots that differ from the initial ones, and what is known of it: numbers of states
    and transitions, ends of play, edges over a bound, and loops (who can stop it, who keeps it going, scope, states)."""

    game: str
    entry: str
    states: int
    transitions: int
    ends: int
    loops: tuple[tuple[WhoCanStop, tuple[tuple[int, ...], ...], int, int], ...] = ()
    bounds: int = 0
    slots: dict[str, int] = field(default_factory=dict[str, int])
    keep_unread: bool = False


SOMEBODY_ACTS = (ONE_CAN, ((0,),), PHASE, 6)  # the free action, for ever
TOYS = {
    # two triggers that nobody may decline
    "mandatory": Toy("lamp", "phase", 5, 5, 1, ((NOBODY_CAN, ((),), STEP, 2),)),
    "mandatory, one asleep": Toy("lamp", "phase", 7, 6, 2, slots={"awake[1]": 0}),
    "mandatory, nobody begins": Toy("lamp", "phase", 2, 1, 1, slots={"mana": 0}),
    # one of them, or both, may be declined
    "first may decline": Toy("lamp", "phase", 9, 9, 2, ((ONE_CAN, ((0,),), STEP, 3),), slots={"optional[0]": 1}),
    "second may decline": Toy("lamp", "phase", 9, 9, 2, ((ONE_CAN, ((1,),), STEP, 3),), slots={"optional[1]": 1}),
    "second may decline, first asleep": Toy("lamp", "phase", 6, 5, 2, slots={"optional[1]": 1, "awake[0]": 0}),
    "both may decline": Toy("lamp", "phase", 13, 13, 3, ((EITHER_CAN, ((0, 1),), STEP, 4),),
                            slots={"optional[0]": 1, "optional[1]": 1}),
    "both may decline, one asleep": Toy("lamp", "phase", 11, 10, 3,
                                        slots={"optional[0]": 1, "optional[1]": 1, "awake[1]": 0}),
    # a free action, alone and around a trigger that may be declined
    "free action": Toy("lamp", "phase", 8, 8, 2, (SOMEBODY_ACTS,), slots={"mana": 0, "free": 1}),
    "free action, not there": Toy("lamp", "phase", 2, 1, 1, slots={"mana": 0, "free": 0}),
    "optional loop inside a free action": Toy(
        "lamp", "phase", 22, 26, 4, ((ONE_CAN, ((1,),), STEP, 3), (ONE_CAN, ((1,),), STEP, 3), SOMEBODY_ACTS, SOMEBODY_ACTS),
        slots={"optional[1]": 1, "free": 1}),
    "free action around triggers that do not loop": Toy(
        "lamp", "phase", 16, 18, 4, (SOMEBODY_ACTS, SOMEBODY_ACTS), slots={"optional[1]": 1, "free": 1, "awake[0]": 0}),
    # effects that nest ever deeper
    "nested": Toy("nested", "take", 37, 37, 1, bounds=1),
    "nested, with a spare piece": Toy("nested", "take", 6, 5, 2, slots={"right": 2}),
    # a serial number that nobody looks at
    "stamped": Toy("stamped", "light", 2, 2, 0, ((NOBODY_CAN, ((),), STEP, 2),)),
    "stamped, one asleep": Toy("stamped", "light", 3, 2, 1, slots={"awake[1]": 0}),
    "stamped, the number kept": Toy("stamped", "light", 9, 9, 0, bounds=1, keep_unread=True),
}


def program_of(toy: Toy) -> Program:
    return compiled(HERE / f"{toy.game}.py", entry=toy.entry, keep_unread=toy.keep_unread)


def explored(toy: Toy) -> Exploration:
    """Everything that can be reached from the situation."""
    program = program_of(toy)
    engine = Interpreter(program)
    at = {s.name: k for k, s in enumerate(program.layout.slots)}
    slots = [s.initial for s in program.layout.slots]
    for name, value in toy.slots.items():
        slots[at[name]] = value
    return explore(engine, engine.start(slots))


@pytest.mark.parametrize("name", TOYS)
def test_the_states_ends_and_loops_of_a_toy(name: str) -> None:
    toy = TOYS[name]
    out = explored(toy)
    assert (len(out.states), out.transitions, len(out.ends()), len(out.bound_edges)) == (
        toy.states, toy.transitions, toy.ends, toy.bounds)
    found = [(x.verdict, x.keepers, int(x.scope), len(x.states)) for x in find_loops(out.graph)]
    assert sorted(found, key=str) == sorted(toy.loops, key=str)


def test_the_stack_that_grows_is_a_bound_of_its_own() -> None:
    (edge,) = explored(TOYS["nested"]).bound_edges
    assert edge.end.detail == "stack"
    assert max(len(s.frames) for s in explored(TOYS["nested"]).states) == 24


def test_a_counter_that_is_only_raised_and_never_read_is_left_out_and_told() -> None:
    program = program_of(TOYS["stamped"])
    assert {k: (m.file, m.line) for k, m in program.unread.items()} == {
        "serial": ("stamped.py", 21), "stamp": ("stamped.py", 23)}
    assert program_of(TOYS["mandatory"]).unread == {}


def test_the_number_that_is_kept_hides_the_loop_behind_a_bound() -> None:
    out = explored(TOYS["stamped, the number kept"])
    assert [b.end.detail for b in out.bound_edges] == ["serial = 10"]
