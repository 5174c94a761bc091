"""Equal cards may change places: what a permutation does to a state, and the representatives of states."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths, subject_of
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.policies import Wish
from rulewright.model.engine.state import State
from rulewright.model.ir.types import Role, Type

from ..symmetric import commutes
from .equal_cards import EXAMPLES, RANDOM, WHOLE, Example, cards, random_perm, random_state, reach
from .games_of_equal_cards import SWITCHES


@pytest.fixture(params=list(EXAMPLES))
def example(request: pytest.FixtureRequest) -> Example:
    return EXAMPLES[request.param].ready()


@pytest.fixture(params=list(WHOLE))
def whole(request: pytest.FixtureRequest) -> Example:
    return WHOLE[request.param].ready()


# ---------------------------------------------------------------- the rules do not tell equal cards apart
def test_a_permutation_commutes_with_what_happens_next(example: Example) -> None:
    rnd = Random(1)
    symmetry, engine = example.symmetry, example.engine
    assert symmetry.classes
    for state in example.states():
        perm = random_perm(symmetry, rnd)
        twin = symmetry.permute(state, perm)
        here, there = engine.point(state), engine.point(twin)
        assert (here is None) == (there is None)
        if here is None or there is None:
            continue
        images = [symmetry.permute_option(here.type, o, perm) for o in here.options]
        assert here.owner == there.owner
        assert dict(zip(images, here.weights, strict=True)) == dict(
            zip(there.options, there.weights, strict=True))
        assert {symmetry.permute(engine.apply(state, o).state, perm) for o in here.options} == {
            engine.apply(twin, o).state for o in there.options}
        for o, image in zip(here.options, images, strict=True):
            assert symmetry.permute(engine.apply(state, o).state, perm) == engine.apply(twin, image).state
        assert commutes(symmetry, engine, state, perm)


def test_permutations_compose(example: Example) -> None:
    rnd = Random(2)
    symmetry = example.symmetry
    for state in example.states():
        p, q = random_perm(symmetry, rnd), random_perm(symmetry, rnd)
        both = tuple(q[p[c]] for c in range(len(p)))
        assert symmetry.permute(symmetry.permute(state, p), q) == symmetry.permute(state, both)
        assert symmetry.permute(state, symmetry.identity) == state


# ---------------------------------------------------------------- representatives
def test_the_representative_is_a_permutation_of_the_state(example: Example) -> None:
    allowed = set(example.perms)
    for state in example.states():
        representative, perm = example.symmetry.canonical(state)
        assert tuple(perm) in allowed
        assert representative == example.symmetry.permute(state, perm)


def test_the_representative_represents_itself(example: Example) -> None:
    for state in example.states():
        representative, _ = example.symmetry.canonical(state)
        assert example.symmetry.canonical(representative)[0] == representative


def test_equal_states_have_one_representative(example: Example) -> None:
    symmetry = example.symmetry
    rnd = Random(3)
    for state in example.states():
        representative, _ = symmetry.canonical(state)
        for perm in rnd.sample(example.perms, min(4, len(example.perms))):
            assert symmetry.canonical(symmetry.permute(state, perm))[0] == representative


def test_representatives_count_the_orbits_of_all_states(whole: Example) -> None:
    symmetry = whole.symmetry
    states = reach(whole.engine, whole.start, whole.most)
    assert len(states) < whole.most
    orbits = {min(symmetry.permute(s, p) for p in whole.perms) for s in states}
    quotient = reach(whole.engine, whole.start, whole.most, lambda s: symmetry.canonical(s)[0])
    assert len(quotient) == len(orbits) < len(states)
    assert set(quotient) == {symmetry.canonical(s)[0] for s in states}
    assert {min(symmetry.permute(s, p) for p in whole.perms) for s in quotient} == orbits


def test_what_is_on_equal_cards_counts_not_on_which() -> None:
    """Three cards, each tapped or not, at the head of the loop and at the choice."""
    game = Example(SWITCHES, cards("aaa")).ready()
    assert len(explore(game.engine, game.start, Limits()).states) == 8 + 8
    assert len(explore(game.engine, game.start, Limits(), game.symmetry).states) == 4 + 4


def test_the_explorer_finds_the_representatives(whole: Example) -> None:
    explored = explore(whole.engine, whole.start, Limits(states=whole.most), whole.symmetry)
    quotient = reach(whole.engine, whole.start, whole.most, lambda s: whole.symmetry.canonical(s)[0])
    assert set(explored.states) == {s for s in quotient if s.end is None or s.end.kind != "bound"}


@settings(max_examples=400, deadline=None)
@given(name=st.sampled_from(list(RANDOM)), rnd=st.randoms(use_true_random=False))
def test_random_states_have_one_representative_for_each_orbit(name: str, rnd: Random) -> None:
    example = RANDOM[name].ready()
    symmetry = example.symmetry
    state = random_state(example.program, rnd)
    representative, perm = symmetry.canonical(state)
    assert representative == symmetry.permute(state, perm)
    assert symmetry.canonical(representative)[0] == representative
    there = random_perm(symmetry, rnd)
    twin = symmetry.permute(state, there)
    assert symmetry.canonical(twin)[0] == representative
    back = tuple(sorted(range(len(there)), key=there.__getitem__))
    assert symmetry.permute(twin, back) == state


# ---------------------------------------------------------------- single matters
def test_the_bound_that_was_exceeded_is_that_of_the_other_card() -> None:
    example = EXAMPLES["restored fields"].ready()
    slots = example.program.layout.slots
    ends = [s for s in example.states() if s.end is not None and s.end.kind == "bound"]
    assert ends
    for state in ends:
        assert state.end is not None
        twin = example.symmetry.permute(state, (1, 0, 3, 2))
        other = {0: 1, 1: 0, 2: 3, 3: 2}
        card = int(slots[state.end.slot].name.removeprefix("power[").removesuffix("]"))
        assert twin.end is not None
        assert slots[twin.end.slot].name == f"power[{other[card]}]"
        assert twin.end.detail == f"power[{other[card]}] = 3"


def test_a_field_restored_in_progress_belongs_to_the_other_card() -> None:
    example = EXAMPLES["restored fields"].ready()
    engine, symmetry = example.engine, example.symmetry
    state = decide(engine, example.start.state, (0,))  # card 0 is strong for now
    twin = symmetry.permute(state, (1, 0, 2, 3))
    power = next(k for k, s in enumerate(example.program.layout.slots) if s.name == "power[0]")
    assert state.slots[power:power + 4] == (1, 0, 0, 0)
    assert twin.slots[power:power + 4] == (0, 1, 0, 0)
    for s, mine in ((state, 0), (twin, 1)):
        after = decide(engine, decide(engine, s, (2,)), (0,))
        assert after.slots[power:power + 4] == (0, 0, 1, 0), mine


def test_options_name_the_other_card() -> None:
    example = EXAMPLES["cards on cards"].ready()
    at = example.engine.point(at_choice(example.engine, example.start.state))
    assert at is not None
    perm = (1, 2, 0, 3)
    images = {o: example.symmetry.permute_option(at.type, o, perm) for o in at.options}
    assert set(images.values()) == set(at.options)
    unmoved = {o for o, to in images.items() if o == to}
    assert unmoved == {o for o in at.options if not names(at.type, o) & {0, 1, 2}}
    assert example.symmetry.permute_option(None, (1,), perm) == (1,)


def at_choice(engine: Interpreter, state: State) -> State:
    """The next state in which something is chosen."""
    while (at := engine.point(state)) is not None and len(at.options) == 1:
        state = engine.apply(state, at.options[0]).state
    return state


def decide(engine: Interpreter, state: State, option: tuple[int, ...]) -> State:
    """The next choice but one, after taking the option."""
    return at_choice(engine, engine.apply(at_choice(engine, state), option).state)


def names(of: Type | None, option: Sequence[int]) -> set[int]:
    """The cards that an option names."""
    assert of is not None
    return {v for t, v in zip(of.flat(), option, strict=True) if t.role is not Role.PLAIN and v >= 0}


# ---------------------------------------------------------------- policies
def test_under_a_policy_that_takes_the_first_option_equal_cards_are_not_equal() -> None:
    """Of two equal cards the first is taken: card 0 here, card 1 where they have changed places."""
    example = Example(SWITCHES, cards("aaa")).ready()
    engine = Interpreter(example.program, {0: (Wish("first"),)}, card_ids=("a", "a", "a"))
    states = reach(engine, example.start, 100)
    assert not all(commutes(example.symmetry, engine, s, (1, 0, 2)) for s in states)


@pytest.mark.parametrize(("target", "merged"), [
    ("hanayome/pass-only", True), ("harem_master/fight-by-luck", False), ("harem_master/namesake-and-seventh", False)])
def test_policies_that_go_by_the_numbers_of_cards_leave_no_cards_equal(target: str, merged: bool) -> None:
    scenario = read_scenario(scenario_paths(target)[0])
    subject = subject_of(open_table(scenario, reading_sets(scenario, {})[0]), symmetry=True)
    assert subject.policies
    assert (subject.symmetry is not None) == merged
