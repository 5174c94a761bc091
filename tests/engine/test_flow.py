"""Call graphs: what leads to what, and what spreads along calls, against networkx."""
from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from rulewright.model.ir.flow import closure, members, spread

NAMES = "abcdefgh"
graphs = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=4))


@given(graphs, st.sets(st.sampled_from(NAMES)))
def test_what_some_lead_to_is_they_themselves_and_all_that_comes_behind_them(called: dict[str, list[str]], first: set[str]) -> None:
    g = graph(called)
    calls = {name: [x for x in others if x in called] for name, others in called.items()}
    some = first & called.keys()
    assert closure(some, calls.__getitem__) == some.union(*(nx.descendants(g, name) for name in some))


@given(graphs, st.dictionaries(st.sampled_from(NAMES), st.integers(0, 15)))
def test_what_a_function_does_is_done_by_all_that_come_to_it(called: dict[str, list[str]], own: dict[str, int]) -> None:
    g = graph(called)
    known = {name: own.get(name, 0) for name in called}
    calls = {name: [x for x in others if x in called] for name, others in called.items()}
    done = spread(known, calls)
    for name in called:
        want = known[name]
        for other in nx.descendants(g, name):
            want |= known[other]
        assert done[name] == want


def graph(called: dict[str, list[str]]) -> nx.DiGraph[str]:
    """Calls of what there is."""
    g: nx.DiGraph[str] = nx.DiGraph()
    g.add_nodes_from(called)
    g.add_edges_from((a, b) for a, others in called.items() for b in others if b in called)
    return g


def test_members_are_the_bits_that_are_set() -> None:
    assert list(members(0b1010_0001)) == [0, 5, 7]
    assert list(members(1 << 700)) == [700]
