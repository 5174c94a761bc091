"""Random plays in compiled code: with the same lots they are those of the interpreter, and they end as often in each way."""
from __future__ import annotations

import random
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.native.lots import first_luck, lots
from rulewright.checks.native.playing import PATIENT
from rulewright.checks.native.playouts import Lot, Play, Player, Plays
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import NOBODY, Arrival, State
from rulewright.model.engine.table import Table
from rulewright.model.engine.values import Halt
from rulewright.model.lang.world import CardDef
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..by_lot import playout, plays_of
from ..lang.programs import HEAD, compiled, world_of
from ..toys.harness import toy
from .harness import reachable
from .programs import random_program, random_state
from .ranks import ONE_CARD_PILED, with_highest_rank


def table_of(target: str) -> Table:
    scenario = read_scenario(scenario_paths(target)[0])
    return open_table(scenario, reading_sets(scenario, {})[0])


@pytest.mark.parametrize(("target", "plays", "most"), [
    ("hanayome/hand-over-limit", 150, 400), ("ts_fight/nameless-only", 150, 200), ("sakura/crystals-conserved", 150, 60),
])
def test_outcomes_are_as_likely_as_in_the_interpreter(target: str, plays: int, most: int) -> None:
    table = table_of(target)
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    many = 20_000
    found = plays_of(Player(native, table.starts[0]), range(many), most)
    right = Counter[tuple[str, int]]()
    decisions = list[int]()
    for seed in range(plays):
        p = playout(table.engine, table.starts[0], random.Random(seed), most)
        right[p.ended, p.winner] += 1
        decisions.append(p.decisions)
    assert right.keys() <= found.ends.keys()
    for end, n in found.ends.items():
        share = n / many
        assert abs(right[end] / plays - share) <= 4.5 * sqrt(share * (1 - share) / plays) + 0.01, (end, right, found.ends)
    mean = sum(decisions) / plays
    spread = sqrt(sum((d - mean) ** 2 for d in decisions) / plays)
    assert abs(found.decisions / many - mean) <= 4.5 * spread / sqrt(plays) + 0.05


def test_a_play_is_the_same_for_the_same_lots_and_else_differs() -> None:
    table = table_of("ts_fight/nameless-only")
    player = Player(Native(table.program, level=0), table.starts[0])
    first = [player.play(seed) for seed in range(30)]
    assert first == [player.play(seed) for seed in range(30)]
    assert len(set(first)) > 5


def test_a_loop_that_nobody_can_leave_is_noticed() -> None:
    s = toy("lamp")
    player = Player(Native(s.program, level=0), s.starts[0])
    plays = [player.play(seed) for seed in range(40)]
    assert {p.ended for p in plays} == {playout(s.engine, s.starts[0], random.Random(seed)).ended for seed in range(40)}
    rounds = {p.steps - p.decisions for p in plays if p.ended == "loop"}
    assert rounds == {PATIENT + 2}  # the position after so many steps without a choice came back two steps later


def test_a_play_stops_at_the_limit_on_steps() -> None:
    table = table_of("sakura/crystals-conserved")
    play = Player(Native(table.program, level=0), table.starts[0]).play(1, most_steps=3)
    assert (play.ended, play.steps) == ("steps", 3)


# ---------------------------------------------------------------- play by play
def told(engine: Interpreter, state: State, seed: int, most: int) -> tuple[Play, State]:
    """The same play by the interpreter, with the same lots and the same look at loops; and where it ended."""
    below = lots(first_luck(seed))
    decisions = steps = forced = 0
    kept, next_kept = None, 1
    while True:
        try:
            at = engine.point(state)
        except Halt as halt:
            return Play(halt.end.kind, halt.end.who, decisions, steps), state._replace(frames=(), end=halt.end)
        if at is None:
            assert state.end is not None
            return Play(state.end.kind, state.end.who, decisions, steps), state
        if steps >= most:
            return Play("steps", -1, decisions, steps), state
        steps += 1
        if at.owner == NOBODY:
            option = at.options[0]
            forced += 1
            if forced >= PATIENT:
                if state == kept:
                    return Play("loop", -1, decisions, steps), state
                if forced >= next_kept:
                    kept, next_kept = state, 2 * forced
        else:
            forced, kept, next_kept = 0, None, 1
            decisions += 1
            lot = below(sum(at.weights))
            option = next(o for k, o in enumerate(at.options) if lot < sum(at.weights[:k + 1]))
        state = engine.apply(state, option).state


def replayed(engine: Interpreter, native: Native, start: State, seeds: range, most: int) -> Counter[str]:
    """How plays from a state ended, each the same in the interpreter; "beyond": compiled code gave up."""
    out = Counter[str]()
    player = Player(native, Arrival(start, 0))
    for seed in seeds:
        right, last = told(engine, start, seed, most)
        try:
            found = player.play(seed, most)
        except BeyondNative:
            out["beyond"] += 1
            continue
        assert found == right, (seed, start)
        if last.end is None or last.end.kind != "bound":
            assert native.leave_slots() == last.slots, (seed, start)
        out[right.ended] += 1
    return out


def test_plays_that_like_some_choices_more_are_the_same_step_by_step() -> None:
    came_back = plays = 0
    for number in range(60):
        program = random_program(number)
        engine, luck = Interpreter(program), random.Random(number)
        start = engine.start()
        if start.state.end is not None:
            continue
        try:
            player = Player(Native(program, level=0), start)
            for seed in range(6):
                liking = luck.getrandbits(64)
                found = player.play(seed, 300, liking, hashed=True)
                way, last = player.way(Lot(seed, liking), found.steps)
                assert len(way) == found.steps
                if found.came_back:
                    assert way[found.came_back][0] in [state for state, _ in way[:found.came_back]]
                after = [*(state for state, _ in way[1:]), last]
                for (state, option), there in zip(way, after, strict=False):
                    right = engine.apply(state, option).state
                    assert right == there or (right.end is not None and right.end == there.end and right.end.kind == "bound")
                came_back += found.came_back > 0
                plays += 1
        except BeyondNative:
            continue
    assert plays > 200 and came_back > 20, (plays, came_back)


def test_plays_in_one_call_are_those_one_by_one_and_the_ones_that_go_round_are_told() -> None:
    told = silent = 0
    for number in range(60):
        program = random_program(number)
        start = Interpreter(program).start()
        native, luck = Native(program, level=0), random.Random(number)
        initial = [s.initial for s in program.layout.slots]
        native.enter_slots(initial)
        there = native.all_slots.as_bytes(initial)
        try:
            key = native.key_of_start(there, {k: n for k, n in enumerate(initial) if luck.random() < 0.5})
            if key is None:
                continue
            player = Player(native, start)
            assert tuple(player.key[:len(key)]) == key
            lots = [(luck.randrange(2), Lot(luck.getrandbits(63), luck.getrandbits(64) if k % 4 else 0), k % 2 == 1) for k in range(12)]
            plays = [player.play(lot.seed, 60, lot.liking, hashed) for _, lot, hashed in lots]
        except BeyondNative:
            continue
        round_ = [k for k, p in enumerate(plays) if p.end is None or p.came_back or p.end.kind == "bound"]
        assert Plays(native, [key, key]).going_round(lots, 60) == round_
        told += len(round_)
        silent += len(lots) - len(round_)
    assert told > 20 and silent > 20, (told, silent)


def test_a_position_that_comes_back_is_noticed_and_none_that_does_not() -> None:
    s = toy("lamp")
    player = Player(Native(s.program, level=0), s.starts[0])
    for seed in range(40):
        states = [state for state, _ in player.way(Lot(seed), 200)[0]]
        states = [state if s.engine.point(state).owner != NOBODY else k for k, state in enumerate(states)]  # where nobody chooses, nothing is compared
        again = [k for k, state in enumerate(states) if state in states[:k]]
        assert player.play(seed, 200, hashed=True).came_back == (again[0] if again else 0)


LOOPS = """
class Game(State):
    n: Annotated[int, Range(0, 80)]
    way: Annotated[int, Range(0, 3)]

@procedure
async def main(g: Game) -> None:
    while True:
        g.way = 0
        g.n = 0
        g.way = await choose(FIRST, {{0, 1, 2, 3}})
        while g.n < 80:
            g.n += 1
            if g.n == 70 and g.way == 0:
                return
            if g.n == 40 and g.way == 1:
                g.n = {again}
            if g.n == 50 and g.way == 2:
                break
            if g.n == 10 and g.way == 3:
                break
"""


@pytest.mark.parametrize("again", [1, 9, 18, 38, 39])
def test_loops_of_every_length_are_noticed_in_the_same_step(again: int, tmp_path: Path) -> None:
    """Long ways without a choice come again, too, after choices: these are no loops."""
    program = compiled(HEAD + LOOPS.format(again=again), keep_unread=True)
    engine = Interpreter(program)
    out = replayed(engine, Native(program, cache=tmp_path, level=0), engine.start().state, range(60), 400)
    assert out["over"] > 10 and out["loop"] > 10 and not out["beyond"] and sum(out.values()) == 60, out


@pytest.mark.parametrize("part", range(2))
def test_plays_of_random_programs_are_the_same_choice_by_choice(part: int, tmp_path: Path) -> None:
    """From the beginning, from states that nobody comes to (listing their options may end play), and from an end."""
    out = Counter[str]()
    for number in range(part * 12, part * 12 + 12):
        luck = random.Random(number)
        program = random_program(number)
        engine, native = Interpreter(program), Native(program, cache=tmp_path, level=0)
        states = reachable(engine, [engine.start().state], 12, 6)
        odd = [random_state(program, s, luck) for s in states if s.end is None for _ in range(3)]
        for state in [*states[:1], *[s for s in states if s.end is not None][-1:], *odd]:
            try:
                out += replayed(engine, native, state, range(number, number + 3), 40)
            except BeyondNative:
                out["no key"] += 1
    assert {"steps", "fault", "bound", "over"} <= out.keys(), out
    assert out["beyond"] < sum(out.values()) // 5, out


@pytest.mark.parametrize("target", ["hanayome/hand-over-limit", "ts_fight/nameless-only", "sakura/crystals-conserved"])
def test_plays_of_scenarios_are_the_same_choice_by_choice(target: str) -> None:
    table = table_of(target)
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    assert not replayed(table.engine, native, table.starts[0].state, range(6), 120)["beyond"]


def test_a_position_beyond_keys_is_given_up_when_it_is_compared(tmp_path: Path) -> None:
    tower = """
    while True:
        g.odd = not g.odd
        put(next, g.pile)
"""
    program = compiled(HEAD + ONE_CARD_PILED + tower, world_of([CardDef("C", Text.same("C"), Position("cards", 1, 1))]), keep_unread=True)
    engine = Interpreter(program)
    native = Native(program, cache=tmp_path, level=0)
    state = engine.apply(engine.start().state, (0,)).state
    assert replayed(engine, native, state, range(4), 100) == {"loop": 4}
    odd = with_highest_rank(engine, state)
    out = replayed(engine, native, odd, range(12), 100)
    assert out["beyond"] and out["loop"] and sum(out.values()) == 12, out
    assert Player(native, Arrival(odd, 0)).play(0, PATIENT) == told(engine, odd, 0, PATIENT)[0]
