"""Invariants of games with many cards, of which a few are followed: what real plays do is among the ways, what holds is
proved, what does not is not."""
from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import z3

from rulewright.checks.smt import numbers as n
from rulewright.checks.smt import truths as t
from rulewright.checks.smt.numbers import Val
from rulewright.checks.smt.queries.keeping import largest_game
from rulewright.checks.smt.representatives import FewOfMany, Representatives
from rulewright.checks.smt.slices import Slice
from rulewright.checks.smt.sorts import CARDS, sort_of
from rulewright.checks.smt.states import Sym
from rulewright.checks.smt.symbolic import SymbolicState
from rulewright.checks.smt.transitions import Places
from rulewright.checks.smt.truths import Truth
from rulewright.checks.smt.universal import needed
from rulewright.checks.smt.worlds import free_world
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program

from .small_game import beginning, game

OWNERS = [0, 0, 1, 1]
FOUR = [("G-START", 0), ("F-01", 0), ("M-START", 1), ("F-02", 1)]


@pytest.fixture(scope="module")
def program() -> Program:
    return free_world("harem_master", FOUR).program


def seen_by(symbolic: FewOfMany, state: State) -> SymbolicState:
    """What is kept of a state that is known, when some cards are followed."""
    m = symbolic.machine
    slots = symbolic.fresh_state(known=dict(enumerate(state.slots))).slots
    frames: list[tuple[int, int, tuple[Val, ...]]] = []
    for number, pc, *locals_ in state.frames:
        types = symbolic.functions[number].locals
        frames.append((number, pc, tuple(
            m.known_set(v) if sort_of(x.type) == CARDS else v for v, x in zip(locals_, types, strict=True))))
    return SymbolicState(slots, tuple(frames))


def equal(symbolic: FewOfMany, a: SymbolicState, b: SymbolicState) -> Truth:
    """Are they the same, but for the order of piles and locals that nobody will read?"""
    m = symbolic.machine
    parts = [n.equal(a.slots[k], b.slots[k]) for k in m.live_slots if m.blocks.get(k) != symbolic.layout.rank]
    for depth, (x, y) in enumerate(zip(a.frames, b.frames, strict=True)):
        fn = symbolic.functions[x[0]]
        at, during = m.live(fn)
        alive = (at if depth == len(a.frames) - 1 else during)[x[1]]
        parts += [n.equal(v, w) for k, (v, w) in enumerate(zip(x[2], y[2], strict=True)) if k in alive]
    return t.every(parts)


class AnyChoice(Representatives):
    """A choice may be asked or not, and gives any option there is; how play ends is not kept, but where it exceeds a bound."""

    def fail(self, s: Sym, bad: Truth, kind: str, detail: str = "", slot: int = -1, who: Val = -1) -> None:
        if kind == "bound" or self.looking:
            super().fail(s, bad, kind, detail, slot, who)
        elif bad is not False and not s.dead:
            s.path = s.path.plus(t.no(t.every((*self.conditions, bad))))

    def come_to_choice(self, i: ir.Choose | ir.ChooseSome, s: Sym, arrivals: dict[Places, Sym]) -> Sequence[Val] | None:
        if (any_one := self.taken(i, s, s.frames[-1].locals)) is None:
            return super().come_to_choice(i, s, arrivals)
        option, offered = any_one
        if s.dead:
            return None
        waits = n.holds(self.unknown(0, 1))
        self.arrive(s.fork(waits), arrivals)
        s.path = s.path.plus(t.no(waits)).plus(offered)
        return None if s.dead else option


def any_choice(program: Program, few: int) -> FewOfMany:
    """A program of which a few cards are followed, whatever is chosen."""
    out = FewOfMany(program, few)
    out.machine = AnyChoice(out.program, few)
    out.machine.keeps_parameters = True
    return out


def is_a_way(symbolic: FewOfMany, before: State, option: Sequence[int], after: State, cards: Sequence[int]) -> bool:
    """Can what the interpreter did be done where these cards are followed?"""
    m = symbolic.machine
    m.sides = []
    here = seen_by(symbolic, before)
    asked = symbolic.functions[before.frames[-1][0]].code[before.frames[-1][1]]
    taken: list[Val] = [m.known_set(v) for v in option] if isinstance(asked, ir.ChooseSome) and \
        sort_of(symbolic.functions[before.frames[-1][0]].locals[asked.local].type) == CARDS else list(option)
    outcome = symbolic.step(here, taken)
    there = seen_by(symbolic, after)
    ways = [t.both(x.when, equal(symbolic, x.state, there)) for x in outcome.arrivals
            if [f[:2] for f in x.state.frames] == [f[:2] for f in there.frames]]
    solver = z3.SimpleSolver()
    solver.add(*t.conjuncts([*m.about_cards, *m.sides, *(n.equal(c, k) for c, k in zip(m.cards, cards, strict=True)), t.some(ways)]))
    return solver.check() == z3.sat


@pytest.mark.parametrize("book", ["harem_master", "sakura"])
def test_what_the_interpreter_does_is_among_the_ways_whichever_cards_are_followed(book: str) -> None:
    decks = largest_game(load_book(book), {})
    engine, luck = Interpreter(decks.program), random.Random(7)
    symbolic = any_choice(decks.program, 2)
    looked_at = 0
    for _ in range(2):
        state = engine.start(decks.first).state
        for _ in range(30):
            options = engine.options(state)
            if state.end is not None or not state.frames:
                break
            option = luck.choice(options) if options else ()
            after = engine.apply(state, option).state
            if after.end is None and luck.random() < 0.4:
                moved = [c for c in range(len(decks.owners)) if any(
                    state.slots[b + c] != after.slots[b + c] for b in decks.program.layout.per_card)]
                first = luck.choice(moved or range(len(decks.owners)))
                second = luck.choice([c for c in range(len(decks.owners)) if c != first])
                assert is_a_way(symbolic, state, option, after, sorted((first, second)))
                looked_at += 1
            state = after
    assert looked_at > 5


NOTED = """
Lane = Annotated[int, Range(1, 3)]
LANES = Range(1, 3)

class Game(State):
    heap: Bag
    noted: Per[Lane, Set[Card]]
    last: Set[Card]

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        n = await choose(FIRST, LANES)
        m = await choose(SECOND, LANES)
        some = await choose_some(FIRST, g.heap, at_least=1, at_most=2)
        with simultaneously():
            g.noted[n] |= some
            g.last |= g.noted[m]
            if n != m:
                g.noted[m] -= g.last
            for c in some:
                g.noted[n] |= {c}
        c = await choose(SECOND, g.heap)
        g.noted[m] -= {c}
        if await may(FIRST):
            g.noted[m] = g.last
            g.last -= g.noted[n]
"""


def test_sets_of_cards_that_are_changed_in_rows_and_batches_are_among_the_ways() -> None:
    """And not, if a followed card had come into a set that it did not come into, or not into one that it did."""
    program, _ = game(NOTED, {"light": {}, "heavy": {}})
    engine, luck, symbolic, cards = Interpreter(program), random.Random(3), any_choice(program, 2), range(program.layout.card_count)
    sets = [k for k, s in enumerate(program.layout.slots) if s.group in ("noted", "last")]
    state = engine.start(beginning(program)).state
    rows = batches = others = 0
    for _ in range(70):
        option = luck.choice(engine.options(state))
        after = engine.apply(state, option).state
        assert after.end is None
        changed = {k: state.slots[k] ^ after.slots[k] for k in sets if state.slots[k] != after.slots[k]}
        moved = [c for c in cards if any(x >> c & 1 for x in changed.values())]
        first = luck.choice(moved or cards)
        followed = sorted((first, luck.choice([c for c in cards if c != first])))
        if changed or luck.random() < 0.2:
            assert is_a_way(symbolic, state, option, after, followed)
            rows, batches = rows + (len(changed) == 1), batches + (len(changed) > 1)
            if sets[-1] in changed and len(changed) > 1:  # the set that no loop over cards writes to
                other = list(after.slots)
                other[sets[-1]] ^= 1 << first
                assert not is_a_way(symbolic, state, option, State(tuple(other), after.frames), followed)
                others += 1
        state = after
    assert min(rows, batches, others) > 2, (rows, batches, others)


def test_what_did_not_happen_is_no_way() -> None:
    """A card that nobody moved does not lie elsewhere."""
    decks = largest_game(load_book("harem_master"), {})
    engine, symbolic = Interpreter(decks.program), any_choice(decks.program, 1)
    layout = decks.program.layout
    harem = next(k for k, z in enumerate(layout.zones) if z.field == "harem")
    state = engine.start(decks.first).state
    for _ in range(6):
        option = engine.options(state)[0] if engine.options(state) else ()
        after = engine.apply(state, option).state
        unmoved = next(c for c in range(102) if state.slots[layout.location + c] == after.slots[layout.location + c])
        slots = list(after.slots)
        slots[layout.location + unmoved] = harem
        assert is_a_way(symbolic, state, option, after, [unmoved])
        assert not is_a_way(symbolic, state, option, State(tuple(slots), after.frames), [unmoved])
        state = after


def test_how_many_cards_break_an_invariant() -> None:
    """A card in a wrong place is one, two in one place are two; what lies on another needs the other, too."""
    expected = {
        ("harem_master", "own_cards_only"): 1, ("hanayome", "one_hero_in_a_lane"): 2,
        ("hanayome", "episodes_lie_with_their_characters"): 2, ("ts_fight", "one_pl_character"): 2,
        ("shinso", "treasures_have_bearers_on_the_field"): 2}
    for (book, name), cards in expected.items():
        symbolic = FewOfMany(largest_game(load_book(book), {}).program, 1)
        assert needed(symbolic.program, name) == cards, (book, name)
    sakura = FewOfMany(largest_game(load_book("sakura"), {}).program, 1).program
    assert Slice(sakura, "crystals_are_conserved").sums and not Slice(sakura, "only_trumps_lie_among_the_trumps").sums
