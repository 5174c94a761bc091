"""Equal cards in compiled code: the same representatives as in the interpreter, the same searches, the same numbers."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from rulewright.checks.explore.bonds import MASK, SEED, Bonds, Tie, mixed
from rulewright.checks.explore.explorer import BoundAtStart, Limits
from rulewright.checks.explore.explorer import explore as interpret
from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths, subject_of
from rulewright.model.engine.library import book_names
from rulewright.model.engine.state import State
from rulewright.model.ir.types import blank, domain

from ..checks.equal_cards import EXAMPLES, RANDOM, WHOLE, Example, cards, random_perm, with_hosts
from ..checks.games_of_equal_cards import HOSTS
from .test_explorer import same

SCENARIOS = [(book, p.stem) for book in book_names() for p in scenario_paths(book)]
CARDS_WIDE = 70
"""More than one machine word has bits."""


def native_of(example: Example, cache: Path) -> Native:
    return Native(example.program, cache=cache, level=0, symmetry=example.symmetry)


def anything(example: Example, states: Sequence[State], rnd: Random) -> State:
    """A state with the frames of a reachable one, and anything in the slots and locals (where there is anything)."""
    program, like = example.program, rnd.choice(states)
    share = rnd.choice((0.1, 0.4, 0.9))
    layout = program.layout

    def some(k: int) -> int:
        lo, hi = domain(layout.slots[k].type)
        return rnd.randint(lo, hi) if rnd.random() < share else blank(layout.slots[k].type)
    slots = [some(k) for k in range(len(layout.slots))]
    for m in layout.containers.values():
        used = rnd.randint(0, m.capacity)
        slots[m.head] = (1 << used) - 1 if m.is_pool else used
        rows = [tuple(some(c + k) for c in m.columns) for k in range(used)]
        rows = rows if m.is_pool else sorted(rows)
        rows += [tuple(blank(layout.slots[c].type) for c in m.columns)] * (m.capacity - used)
        for k, row in enumerate(rows):
            for c, v in zip(m.columns, row, strict=True):
                slots[c + k] = v
    return State(tuple(slots), like.frames)


def each_representative(example: Example, native: Native, states: Sequence[State]) -> Iterator[int]:
    """Compare; for each state, is it another than its representative?"""
    for state in states:
        right, _ = example.symmetry.canonical(state)
        assert native.representative(state) == right
        yield right != state


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_the_representative_is_the_same(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name].ready()
    native, rnd = native_of(example, tmp_path), Random(5)
    states = [s for s in example.states() if s.end is None]
    assert sum(each_representative(example, native, states)) or name == "triggers"
    assert sum(each_representative(example, native, [example.symmetry.permute(s, random_perm(example.symmetry, rnd)) for s in states]))
    assert sum(each_representative(example, native, [anything(example, states, rnd) for _ in range(300)])) > 50


@pytest.mark.parametrize("name", list(RANDOM))
def test_the_representative_of_anything_is_the_same(name: str, tmp_path: Path) -> None:
    example = RANDOM[name].ready()
    native, rnd = native_of(example, tmp_path), Random(6)
    states = [s for s in example.states() if s.end is None]
    assert sum(each_representative(example, native, [anything(example, states, rnd) for _ in range(600)])) > 100


@pytest.mark.parametrize("hosts", [
    pytest.param([1, 0, 3, 4, 2, -1, -1], id="rings of two and three"),
    pytest.param([1, 2, 0, 4, 5, 3, -1], id="two rings of three"),
    pytest.param([3, 3, 3, -1, -1, 5, -1], id="three on one, one on itself"),
    pytest.param([1, 2, 3, 4, 5, 6, 0], id="a ring of seven, too many to try all"),
])
def test_cards_bound_in_rings_are_ordered_the_same(hosts: list[int], tmp_path: Path) -> None:
    example = Example(HOSTS, cards("aaaaaaa")).ready()
    native, rnd = native_of(example, tmp_path), Random(7)
    state = with_hosts(example, hosts)
    assert any(each_representative(example, native, [
        example.symmetry.permute(state, random_perm(example.symmetry, rnd)) for _ in range(40)]))


def test_sets_of_many_cards_are_permuted_the_same(tmp_path: Path) -> None:
    example = Example(HOSTS, cards("a" * (CARDS_WIDE - 6) + "bBBccc"), 60).ready()
    native, rnd = native_of(example, tmp_path), Random(8)
    states = [s for s in example.states() if s.end is None]
    assert sum(each_representative(example, native, [anything(example, states, rnd) for _ in range(20)])) == 20


@pytest.mark.parametrize("name", list(WHOLE))
def test_searches_of_small_games_are_the_same(name: str, tmp_path: Path) -> None:
    example = WHOLE[name].ready()
    native = native_of(example, tmp_path)
    for limits in (Limits(), Limits(states=50), Limits(depth=4)):
        same(interpret(example.engine, example.start, limits, example.symmetry),
             explore(native, example.engine, example.start, limits))


def scenario_agrees(book: str, name: str, readings: int | None, limits: Limits, cache: Path, level: int) -> bool:
    """Compare a search of a scenario, under one or all of its reading sets: does it have equal cards?"""
    scenario = read_scenario(scenario_paths(f"{book}/{name}")[0])
    merged = False
    for answers in reading_sets(scenario, {})[:readings]:
        s = subject_of(open_table(scenario, answers), symmetry=True)
        native = Native(s.program, s.engine.policies, card_ids=s.engine.card_ids, cache=cache, level=level, symmetry=s.symmetry)
        merged |= s.symmetry is not None and bool(s.symmetry.classes)
        try:
            right = interpret(s.engine, s.starts, limits, s.symmetry)
        except BoundAtStart:
            with pytest.raises(BoundAtStart):
                explore(native, s.engine, s.starts, limits)
        else:
            same(right, explore(native, s.engine, s.starts, limits))
            same(right, explore(native, s.engine, s.starts, limits, threads=2))
    return merged


@pytest.mark.parametrize(("book", "name"), [
    ("hanayome", "full-game"), ("harem_master", "full-game"), ("sakura", "crystals-conserved"), ("shinso", "full-game"),
    ("ts_fight", "full-game"), ("ts_fight", "same-name")])
def test_searches_of_scenarios_with_equal_cards_are_the_same(book: str, name: str, tmp_path: Path) -> None:
    assert scenario_agrees(book, name, 1, Limits(states=120), tmp_path, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("book", "name"), SCENARIOS, ids=lambda x: x)
def test_every_shipped_scenario_is_searched_the_same(book: str, name: str, tmp_path: Path) -> None:
    """None is left to the interpreter: nothing is beyond compiled code, whatever the readings."""
    try:
        scenario_agrees(book, name, None, Limits(states=2_000), tmp_path, 0)
    except BeyondNative:
        pytest.fail("compiled code gave up")


# ---------------------------------------------------------------- ties alone
def test_ties_at_random_order_cards_the_same() -> None:
    import ctypes

    import numpy as np

    from rulewright.checks.native.bonds import order_function
    from rulewright.checks.native.workspace import HEAD, Workspace
    function, rnd = order_function().ctypes, Random(9)
    ringed = 0
    for _ in range(400):
        n = rnd.randint(2, 9)
        classes = [x for x in (list(range(0, n, 2)), list(range(1, n, 2))) if len(x) > 1]
        ties, colour = random_ties(n, classes, rnd)
        if not ties:
            continue
        bonds = Bonds(colour, classes, ties)
        ringed += bool(bonds.open_cells(bonds.refine(list(colour)))) and bonds.has_ring(bonds.refine(list(colour)))
        best = bonds.order()
        right = [c for k in classes for c in sorted(k, key=best.__getitem__)]
        members = [c for k in classes for c in k]
        w = Workspace(n, len(members), len(classes), len(ties) + 2, sum(len(p) for _, p in ties) + 3)
        words = np.zeros(w.words, np.uint64)
        words[:HEAD - 2] = (w.cards, w.members, w.classes, len(ties), w.ties, w.parts)
        words[w.member:w.bound] = members
        words[w.bound:w.colour] = [sum(len(k) for k in classes[:q]) for q in range(len(classes) + 1)]
        words[w.colour:w.order] = [x & MASK for x in colour]
        at = 0
        for t, (label, parts) in enumerate(ties):
            words[w.label + t], words[w.first + t] = label, at
            for c, part in parts:
                words[w.card + at], words[w.part + at] = c, part
                at += 1
        words[w.first + len(ties)] = at
        function(words.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)))
        assert words[w.order:w.order + w.members].tolist() == right
    assert ringed > 10


def random_ties(n: int, classes: list[list[int]], rnd: Random) -> tuple[list[Tie], list[int]]:
    """Ties with parts, of one kind or two, some twice; cells at random, or none."""
    colour, first = [-1] * n, 0
    kinds, cut = rnd.choice(((0, 0.0), (0, 0.0), (1, 0.25)))
    for cards_of in classes:
        start = 0
        for k, c in enumerate(cards_of):
            start = k if rnd.random() < cut else start
            colour[c] = first + start
        first += len(cards_of)
    members = [c for k in classes for c in k]
    ties: list[Tie] = []
    for _ in range(rnd.randint(1, 6) if len(members) > 1 else 0):
        named = sorted(rnd.sample(members, min(len(members), rnd.randint(2, 3))))
        ties.append((mixed(SEED, rnd.randint(0, kinds)), tuple((c, mixed(5, rnd.randint(0, kinds))) for c in named)))
        ties += ties[-1:] if rnd.random() < 0.1 else []
    return ties, colour
