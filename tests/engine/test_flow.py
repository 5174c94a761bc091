"""Call graphs: components and what spreads along calls, against networkx."""
from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from rulewright.model.ir.flow import components, members, spread

NAMES = "abcdefgh"
graphs = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=4))


@given(graphs)
def test_components_are_the_strongly_connected_ones_and_callees_have_smaller_numbers(called: dict[str, list[str]]) -> None:
    g = graph(called)
    component = components(called)
    assert component.keys() == called.keys()
    for a in called:
        for b in called:
            assert (component[a] == component[b]) == (nx.has_path(g, a, b) and nx.has_path(g, b, a))
    assert all(component[b] <= component[a] for a, b in g.edges)


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
