"""A whole `Per` or record at once, assigned (`each`) or put back (`restored`), however the block is left: the same everywhere."""
from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.export.promela import promela_model, write_promela
from rulewright.checks.native.engine import Native
from rulewright.checks.smt.symbolic import Symbolic
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import card_def
from rulewright.model.engine.state import State
from rulewright.model.ir.program import Program
from rulewright.spec.readers import read_cards

from ..lang.programs import HEAD, compiled, world_of
from .harness import compare, reachable
from .symbolic import Cases, Transition
from .test_promela import needs_spin, spin

WHOLES = """
Lane = Annotated[int, Range(-1, 1)]
LANES = Range(-1, 1)
Few = Annotated[int, Range(0, 3)]

class Over(Signal):
    pass

class Mark(Record):
    count: Few = 1
    shown: Option[Lane] = None

class Game(State):
    life: Per[Player, Per[Lane, Few]] = each(2)
    marks: Per[Lane, Mark]
    best: Mark
    tired: Per[Card, bool]
    seen: Few

@define
def total(g: Game) -> int:
    return sum(g.life[p][n] for p in PLAYERS for n in LANES) + sum(g.marks[n].count for n in LANES) + g.best.count

@step
def attempt(g: Game, p: Player, n: Lane) -> int:
    with restored(g.life[p], g.marks, g.best):
        g.life = each(g.marks[n].count)
        g.marks = each(Mark(g.life[p][n], n))
        g.best = g.marks[n]
        if total(g) > 9:
            return 1
    return total(g) % 2

@procedure
async def going(g: Game, p: Player, n: Lane) -> None:
    with restored(g.life, g.best):
        g.life[p] = each((g.life[p][n] + 1) % 4)
        g.best = Mark(g.life[p][n], n)
        with abandon_when(lambda: g.life[FIRST][0] == 0):
            g.seen = total(g) % 4
            if await may(p):
                raise Over

@procedure
async def main(g: Game) -> None:
    while True:
        p = await choose(FIRST, PLAYERS)
        n = await choose(p, LANES)
        odd = attempt(g, p, n)
        g.marks = each(Mark((g.marks[n].count + odd) % 4, n if odd == 1 else None))
        g.tired = each(odd == 1)
        try:
            await going(g, p, n)
        except Over:
            g.life[other(p)] = each(g.seen)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    cards = tmp_path_factory.mktemp("cards") / "cards.yaml"
    cards.write_text("cards: [{id: C, name: {ja: C, en: C}}]\n", encoding="utf-8")
    return compiled(HEAD + WHOLES, world_of(map(card_def, read_cards(cards))), keep_unread=True)


def states_of(program: Program) -> list[State]:
    """The first states that can be reached."""
    engine = Interpreter(program)
    return reachable(engine, [engine.start().state], 600)


def test_compiled_code_does_what_the_interpreter_does(program: Program, tmp_path: Path) -> None:
    out = compare(Interpreter(program), Native(program, {}, (), tmp_path, 0), states_of(program))
    assert out.transitions > 500 and not out.beyond, out


def test_terms_say_what_the_interpreter_does(program: Program) -> None:
    """Nothing is known of the slots: the terms of a place are made once, and hold every state's values."""
    engine, symbolic, luck, out = Interpreter(program), Symbolic(program), random.Random(0), Cases()
    made: dict[tuple[object, ...], Transition] = {}
    for state in states_of(program)[::4]:
        place = tuple(f[:2] for f in state.frames)
        if place not in made:
            made[place] = Transition(symbolic, state)
        out.update(made[place].agrees(engine, state, luck))
    assert out["goes on"] > 80 and not out["beyond"], out


@needs_spin
@pytest.mark.slow
def test_spin_counts_the_same(tmp_path: Path) -> None:
    """With fewer lives, so that there are few enough states."""
    program = compiled(HEAD + WHOLES.replace("Few = Annotated[int, Range(0, 3)]", "Few = Annotated[int, Range(0, 2)]").replace("% 4", "% 3"), keep_unread=True)
    engine = Interpreter(program)
    out = explore(engine, engine.start(), Limits(states=20_000))
    write_promela(promela_model(engine, [[s.initial for s in program.layout.slots]], "model", 300, 1_000), "model", tmp_path)
    assert not out.cut and spin(tmp_path, "model") == (len(out.states), out.transitions), len(out.states)
