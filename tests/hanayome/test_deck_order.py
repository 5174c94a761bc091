"""The order of a deck: as given, unknown until drawn, or every order tried; unknown and every order agree."""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.checks.scenarios.subjects import open_table
from rulewright.model.engine.log import LogDoesNotFit, PlayLog
from rulewright.model.engine.state import CHANCE, State
from rulewright.model.engine.table import MOST_ORDERS, Table, distinct_orders
from rulewright.spec.readers import read_scenario

SMALL = Path(__file__).parent / "scenarios" / "small-deck.yaml"


def opened(tmp_path: Path, order: str) -> Table:
    file = tmp_path / f"{order}.yaml"
    file.write_text(SMALL.read_text(encoding="utf-8").replace("deck_order: lazy", f"deck_order: {order}"), encoding="utf-8")
    return open_table(read_scenario(file))


def hands(table: Table, state: State) -> tuple[tuple[str, int], ...]:
    """Which cards the second player holds."""
    layout = table.program.layout
    zone = next(z for z, info in enumerate(layout.zones) if info.field == "hand" and info.player == 1)
    held = Counter(c.definition.id for k, c in enumerate(table.world.cards) if state.slots[layout.location + k] == zone)
    return tuple(sorted(held.items()))


def after_drawing(table: Table) -> dict[tuple[tuple[str, int], ...], Fraction]:
    """How likely each hand is once two cards have been drawn."""
    out: dict[tuple[tuple[str, int], ...], Fraction] = defaultdict(Fraction)
    todo = [(a.state, Fraction(1, len(table.starts))) for a in table.starts]
    while todo:
        state, p = todo.pop()
        if sum(n for _, n in hands(table, state)) == 2:
            out[hands(table, state)] += p
            continue
        at = table.engine.point(state)
        assert at is not None
        if at.owner == CHANCE:
            total = sum(at.weights)
            todo += [(table.engine.apply(state, o).state, p * w / total) for o, w in zip(at.options, at.weights, strict=True)]
        else:
            todo.append((table.engine.apply(state, at.options[0]).state, p))
    return dict(out)


def test_an_unknown_order_and_every_order_give_the_same_hands_with_the_same_probabilities(tmp_path: Path) -> None:
    lazy, every = after_drawing(opened(tmp_path, "lazy")), after_drawing(opened(tmp_path, "all"))
    assert lazy == every
    assert sum(lazy.values()) == 1
    assert lazy[("V-STROLL", 2),] == Fraction(1, 6)
    assert len(lazy) == 4


def test_every_order_of_the_decks_is_a_first_position(tmp_path: Path) -> None:
    assert len(opened(tmp_path, "all").positions) == 12  # 4! / 2! orders of the one deck, one of the other
    assert len(opened(tmp_path, "lazy").positions) == len(opened(tmp_path, "given").positions) == 1


def test_a_given_order_is_drawn_from_the_top_which_is_written_last(tmp_path: Path) -> None:
    table = opened(tmp_path, "given")
    assert after_drawing(table) == {(("BLANK", 1), ("C-LIBRARY", 1)): Fraction(1)}


def test_a_play_log_replays_to_the_same_states_and_can_be_cut_short(tmp_path: Path) -> None:
    table = opened(tmp_path, "lazy")
    log = PlayLog("hanayome", "small-deck")
    states = [table.starts[0].state]
    while states[-1].end is None and len(states) < 30:
        option = table.engine.options(states[-1])[-1]
        log = log.then(option)
        states.append(table.engine.apply(states[-1], option).state)
    again = PlayLog.from_data(log.as_data())
    assert again.states(opened(tmp_path, "lazy").engine, states[0]) == states
    assert replace(log, taken=log.taken[:-3]).states(table.engine, states[0]) == states[:-3]
    with pytest.raises(LogDoesNotFit, match="step 1"):
        PlayLog("hanayome", "small-deck", taken=((99, 99),)).states(table.engine, states[0])


@given(st.lists(st.sampled_from("abc"), max_size=6))
def test_orders_that_differ_by_name_each_once_and_equal_cards_in_their_own_order(names: list[str]) -> None:
    cards = list(range(len(names)))
    orders = [tuple(order) for order in distinct_orders(cards, names)]
    assert len(set(orders)) == len(orders)
    assert {tuple(names[c] for c in order) for order in orders} == set(permutations(names))
    for order in orders:
        for name in set(names):
            same = [c for c in order if names[c] == name]
            assert same == sorted(same)


def test_a_large_deck_has_too_many_orders_or_few_but_is_no_trouble() -> None:
    assert len(distinct_orders(list(range(999)), ["a"] * 998 + ["b"])) == 999
    assert len(distinct_orders(list(range(99)), [str(n) for n in range(99)])) == MOST_ORDERS + 1
