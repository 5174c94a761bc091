"""What is proved to go down on every way round a loop goes down in every round that random plays make, in the reference engine."""
from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright.checks.ends.proving import Found, places, proved_of
from rulewright.checks.ends.quantities import Quantity
from rulewright.checks.smt.queries.keeping import Decks, largest_game
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import CHANCE, State
from rulewright.model.ir.program import Program
from rulewright.model.ir.types import OptionType

BOOKS = ("hanayome", "harem_master", "sakura", "shinso", "ts_fight")


def amount(q: Quantity, program: Program, state: State, depth: int) -> int:
    """A quantity in a state, worked out from what it is called: independent of the terms that the proof reads it by."""
    layout, slots = program.layout, state.slots
    what, cards = q.what[0], range(layout.card_count)
    match q.kind:
        case "zone":
            return sum(slots[layout.location + c] == what for c in cards)
        case "entries":
            m = layout.containers[str(what)]
            return slots[m.head].bit_count() if m.is_pool else slots[m.head]
        case "local mark" | "local number" | "local set":
            assert isinstance(what, int)
            value = state.frames[depth][2 + what]
            return value.bit_count() if q.kind == "local set" else value
        case _:
            assert isinstance(what, int)
            of = layout.slots[what].type
            if q.kind == "none":
                assert isinstance(of, OptionType)
                return int(slots[what] == of.none)
            return slots[what].bit_count() if q.kind == "set" else slots[what]


def play(decks: Decks, seed: int, steps: int) -> Iterator[State]:
    """The states of a play by lot."""
    engine, luck = Interpreter(decks.program), random.Random(seed)
    state = engine.start(decks.first).state
    for _ in range(steps):
        yield state
        at = engine.point(state)
        if at is None:
            return
        state = engine.apply(state, luck.choices(at.options, at.weights if at.owner == CHANCE else None)[0]).state


def rounds_that_do_not_fall(decks: Decks, found: list[Found], seed: int, steps: int) -> tuple[int, list[str]]:
    """How many rounds of proved loops a play made, and those in which nothing went down."""
    number = {name: k for k, name in enumerate(decks.program.functions)}
    heads = {(number[f.place.rules[0]], f.place.pc): f for f in found if f.proved and f.place.loop}
    last: dict[int, tuple[tuple[int, int], tuple[int, ...], State]] = {}
    rounds, wrong = 0, list[str]()
    for state in play(decks, seed, steps):
        depth = len(state.frames) - 1
        last = {d: known for d, known in last.items() if d < depth or (d == depth and known[2].frames[d][0] == state.frames[d][0])}
        if depth < 0:
            continue
        head = (state.frames[depth][0], state.frames[depth][1])
        if head not in heads:
            continue
        f = heads[head]
        now = tuple(sign * amount(q, decks.program, state, depth) for sign, q in f.levels)
        if depth in last and last[depth][0] == head and last[depth][2].frames[:depth] == state.frames[:depth]:
            rounds += 1
            if not now < last[depth][1]:
                wrong.append(f"{f.place.rules[0]}:{f.place.line} {last[depth][1]} → {now}")
        last[depth] = head, now, state
    return rounds, wrong


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_proved_to_go_down_does_so_in_every_round_of_random_plays(book: str) -> None:
    decks = largest_game(load_book(book), {})
    found = [proved_of(decks.program, place) for place in places(decks.program) if place.loop]
    assert any(f.proved for f in found) or book == "shinso"
    made = 0
    for seed in range(3):
        rounds, wrong = rounds_that_do_not_fall(decks, found, seed, 250)
        assert wrong == []
        made += rounds
    assert made > 0 or book == "shinso"  # of it none is proved


def test_a_round_in_which_nothing_goes_down_would_be_noticed() -> None:
    decks = largest_game(load_book("ts_fight"), {})
    place = next(p for p in places(decks.program) if p.loop and p.rules[0].startswith("draw_phase"))
    right = proved_of(decks.program, place)
    assert right.proved
    upside_down = Found(place, True, [(-sign, q) for sign, q in right.levels])
    for f, falls in ((right, True), (upside_down, False)):
        told = [rounds_that_do_not_fall(decks, [f], seed, 400) for seed in range(4)]
        assert sum(rounds for rounds, _ in told) > 0
        assert any(wrong for _, wrong in told) != falls
