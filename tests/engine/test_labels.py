"""Where transitions end, what a state keeps, and that what is left out of it cannot be observed."""
from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import NOBODY, State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.flow import live_across_calls, liveness
from rulewright.model.ir.program import Function, Handler, LocalInfo, Program
from rulewright.model.ir.types import Int, blank

from ..lang.programs import HEAD, KeepsDead, compiled, explored, good_program, labels, read

GOOD = sorted(p.stem for p in (Path(__file__).parent.parent / "lang" / "good").glob("*.py"))


def program_of(name: str) -> Program:
    return good_program(name, keep_unread=True, entry="turns" if name == "scopes" else "main")


# ---------------------------------------------------------------- labels
@pytest.mark.parametrize(("name", "expected"), [
    ("steps", {}),
    ("procedures", {"ask": ["choice"], "closing": ["choice"], "countdown": ["loop"]}),
    ("calls", {"bounce": ["call bounce"], "ping": ["call pong"], "pong": ["choice", "call ping"]}),
    ("situations", {"settle situations": ["loop", "choice", "call worthless"], "worthless": ["call settle situations"]}),
    ("restored", {"in_turn_of": ["loop"], "main": ["choice"], "nothing": ["choice"]}),
    ("scopes", {"a_step": ["loop", "choice"], "main": ["loop"]}),
])
def test_labels_stand_at_choices_loop_heads_and_recursive_calls_only(name: str, expected: dict[str, list[str]]) -> None:
    assert labels(program_of(name)) == expected


@pytest.mark.parametrize("name", GOOD)
def test_every_state_is_at_a_label_where_something_is_open(name: str) -> None:
    """A state is an end, the head of a loop, a call inside a recursive component, or a choice with several options."""
    g = explored(program_of(name))
    for s in g.states:
        if s.end is not None:
            continue
        code = g.engine.numbered[s.frames[-1][0]].fn.code
        at = g.engine.point(s)
        assert at is not None
        match code[s.frames[-1][1]]:
            case ir.Label() | ir.Invoke(stop=True):
                assert (at.owner, at.options) == (NOBODY, ((),))
            case ir.Choose() | ir.ChooseSome():
                assert len(set(at.options)) == len(at.options) > 1
            case ir.Consult():
                assert len(at.options) > 1
            case other:
                raise AssertionError(other)


def test_a_forced_choice_is_nobodys_and_no_label() -> None:
    text = HEAD + """
class Game(State):
    n: Annotated[int, Range(0, 9)]


@procedure
async def main(g: Game) -> None:
    a = await choose(FIRST, {p for p in PLAYERS if p == SECOND})
    b = await choose_number(a, 3, 3)
    c = await choose_some(a, {a}, 1, 1)
    g.n = b + len(c)
    d = await choose(OPEN("1"), {True})
    if d:
        finish(a)
"""
    program = compiled(text, keep_unread=True)
    g = explored(program)
    assert g.size == (1, 0)
    assert read(program, g.states[0], "n") == (4,)


# ---------------------------------------------------------------- what a state keeps
@pytest.mark.parametrize("name", GOOD)
def test_no_return_value_lies_in_a_state(name: str) -> None:
    """While a call goes on, the local that waits for its result is blank."""
    g = explored(program_of(name))
    for s in g.states:
        if s.end is not None and s.end.kind != "bound":
            continue
        for frame in s.frames[:-1]:
            fn = g.engine.numbered[frame[0]].fn
            call = fn.code[frame[1]]
            if isinstance(call, ir.Invoke) and call.local is not None:
                assert frame[2 + call.local] == blank(fn.locals[call.local].type)


def same_plays(a: Interpreter, b: Interpreter, but: frozenset[str] = frozenset(), limit: int = 5_000) -> int:
    """Play both side by side: the same options, the same slots (`but` for some fields), the same ends, unless `b` leaves
    the range of one of these fields. How many pairs of states there are."""
    shown = [k for k, s in enumerate(a.layout.slots) if s.group not in but]
    start = (a.start().state, b.start().state)
    seen = {start}
    todo = deque([start])
    while todo:
        x, y = todo.popleft()
        if y.end is not None and y.end.slot >= 0 and b.layout.slots[y.end.slot].group in but:
            continue
        assert [x.slots[k] for k in shown] == [y.slots[k] for k in shown]
        assert x.end == y.end
        p, q = a.point(x), b.point(y)
        assert (p is None) == (q is None)
        if p is None or q is None:
            continue
        assert (p.owner, p.options, p.weights, p.clause) == (q.owner, q.options, q.weights, q.clause)
        for option in p.options:
            i, j = a.apply(x, option), b.apply(y, option)
            assert i.crossing == j.crossing
            pair = (i.state, j.state)
            if pair not in seen:
                assert len(seen) < limit
                seen.add(pair)
                todo.append(pair)
    return len(seen)


@pytest.mark.parametrize("name", GOOD)
def test_resetting_dead_locals_cannot_be_observed(name: str) -> None:
    program = program_of(name)
    pairs = same_plays(Interpreter(program), KeepsDead(program))
    assert pairs == explored(program, engine_of=KeepsDead).size[0] >= explored(program).size[0]


@pytest.mark.parametrize("name", [*GOOD, "toys/stamped"])
def test_leaving_out_time_stamps_cannot_be_observed(name: str) -> None:
    if name in GOOD:
        with_stamps, without = program_of(name), good_program(name, entry="turns" if name == "scopes" else "main")
    else:
        file = Path(__file__).parent / f"{name}.py"
        with_stamps, without = (compiled(file, entry="light", keep_unread=keep) for keep in (True, False))
    same_plays(Interpreter(without), Interpreter(with_stamps), frozenset(without.unread))


@pytest.mark.parametrize(("name", "reset", "kept"), [
    ("dead_locals", (8, 12), (22, 40)), ("records", (36, 77), (50, 133)), ("procedures", (32, 40), (36, 45)),
    ("scopes", (17, 22), (29, 40)), ("choices", (61, 65), (66, 75)), ("calls", (27, 27), (27, 27)),
])
def test_dead_locals_cost_states(name: str, reset: tuple[int, int], kept: tuple[int, int]) -> None:
    program = program_of(name)
    assert explored(program).size == reset
    assert explored(program, engine_of=KeepsDead).size == kept


def test_tail_calls_leave_no_frame_behind() -> None:
    """Two procedures that replace each other for ever are a cycle of states, with one frame."""
    text = HEAD + """
class Game(State):
    turn: Player


@procedure
async def ping(g: Game) -> None:
    g.turn = other(g.turn)
    await pong(g)


@procedure
async def pong(g: Game) -> None:
    await ping(g)


@procedure
async def main(g: Game) -> None:
    await ping(g)
"""
    g = explored(compiled(text))
    assert {len(s.frames) for s in g.states} == {1}
    assert g.size == (4, 4) and not g.ends and len(g.cycle_states()) == 4


def test_recursion_that_is_no_tail_call_ends_at_the_bound_of_the_stack() -> None:
    text = HEAD + """
class Game(State):
    turn: Player


@procedure
async def deep(g: Game) -> None:
    await deep(g)
    g.turn = other(g.turn)


@procedure
async def main(g: Game) -> None:
    await deep(g)
"""
    g = explored(compiled(text))
    assert [(e.kind, e.detail) for e in g.ends] == [("bound", "stack")]
    assert max(len(s.frames) for s in g.states) == g.engine.program.stack_depth + 1  # the frame that did not fit


# ---------------------------------------------------------------- scopes
def test_a_transition_tells_the_widest_part_of_play_that_it_leaves_or_enters() -> None:
    program = program_of("scopes")
    engine = Interpreter(program)
    crossings: set[tuple[str, int]] = set()
    seen: set[State] = set()
    todo = [engine.start().state]
    while todo:
        s = todo.pop()
        at = engine.point(s)
        for o in at.options if at is not None else ():
            arrival = engine.apply(s, o)
            where = engine.numbered[s.frames[-1][0]].fn.name
            crossings.add((f"{where} {'chose ' + str(o[0]) if o else 'went on'}", arrival.crossing))
            if arrival.state not in seen:
                seen.add(arrival.state)
                todo.append(arrival.state)
    assert crossings == {
        ("main went on", 3),  # into a turn, or out at the end
        ("main went on", 0),
        ("a_step went on", 0),
        ("a_step chose 1", 0),
        ("a_step chose 0", 2),  # out of a phase and into the next
        ("a_step chose 0", 3),  # out of the turn
    }


def test_what_a_handler_reads_outlives_the_call_whose_result_would_have_replaced_it() -> None:
    n = Int(0, 9)
    code: list[ir.Instr] = [
        ir.Invoke("risky", (), local=0), ir.Return(ir.Local(0)), ir.Return(ir.Local(0))]
    fn = Function("main", "procedure", 1, [LocalInfo("n", n)], code, n, [Handler(0, 1, "Out", 2)])
    assert liveness(fn) == [{0}, {0}, {0}]
    assert live_across_calls(fn, liveness(fn))[0] == {0}
    fn.handlers = ()
    assert liveness(fn)[0] == live_across_calls(fn, liveness(fn))[0] == set()
