"""Loops and who can stop them: every case beside its nearest control, then ten thousand graphs by brute
force."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from rulewright.checks.explore.end_components import Arena, Cause, Doubt, connected
from rulewright.checks.explore.loops import Loop, Regions, find_loops, group, has_loop
from rulewright.checks.explore.owned_graph import (
    BOUND,
    CHANCE,
    FRONTIER,
    NOBODY,
    OPEN,
    READING,
    OwnedGraph,
    Scope,
)
from rulewright.spec.findings import WhoCanStop

from .strategies import Oracle, graph_of, inner_edges, random_graph

A, B = 0, 1
END = NOBODY  # a state of NOBODY without an edge ends play
NOBODY_STOPS, ONLY_ONE = WhoCanStop.NOBODY, WhoCanStop.ONE
TOGETHER, EITHER, UNKNOWN = WhoCanStop.TOGETHER, WhoCanStop.EITHER, WhoCanStop.UNKNOWN
STEP, PHASE, TURN, GAME = 1, 2, 3, 4  # crossings

Edge = tuple[int, int] | tuple[int, int, int]
Keepers = tuple[tuple[int, ...], ...]


def loops_of(owners: list[int], *edges: Edge) -> list[Loop]:
    graph = graph_of(owners, edges)
    loops = find_loops(graph)
    for loop in loops:
        check_lasso(graph, loop)
    return loops


def told(owners: list[int], *edges: Edge) -> list[tuple[WhoCanStop, Keepers, tuple[int, ...]]]:
    """What is said of each loop: verdict, keepers, states."""
    return [(loop.verdict, loop.keepers, loop.states) for loop in loops_of(owners, *edges)]


def check_lasso(graph: OwnedGraph, loop: Loop) -> None:
    """The lasso is made of transitions, its cycle inside the loop and its scope, its stem as short as can
    be."""
    at = graph.initial
    for state, edge in (*loop.stem, *loop.cycle):
        assert state == at == graph.source[edge]
        at = graph.target[edge]
    assert loop.cycle and at == loop.cycle[0].state
    assert {step.state for step in loop.cycle} <= set(loop.states)
    assert max(graph.crossing[step.edge] for step in loop.cycle) == loop.scope - 1
    distance, _ = graph.breadth_first()
    assert len(loop.stem) == min(distance[step.state] for step in loop.cycle)


# ---- who can stop it


def test_a_mandatory_loop_can_be_stopped_by_nobody() -> None:
    assert told([NOBODY, NOBODY], (0, 1), (1, 0)) == [(NOBODY_STOPS, ((),), (0, 1))]
    assert told([NOBODY, NOBODY, END], (0, 1), (1, 2)) == []


def test_a_loop_with_one_option_to_leave_belongs_to_who_has_it() -> None:
    assert told([A, NOBODY, END], (0, 1), (1, 0), (0, 2)) == [(ONLY_ONE, ((A,),), (0, 1))]
    assert told([A, NOBODY, END], (0, 1), (1, 0)) == [(NOBODY_STOPS, ((),), (0, 1))]


def test_a_loop_that_both_must_choose_can_be_stopped_by_either() -> None:
    assert told([A, B, END], (0, 1), (1, 0), (0, 2), (1, 2)) == [(EITHER, ((A, B),), (0, 1))]
    assert told([A, B, END], (0, 1), (1, 0), (0, 2)) == [(ONLY_ONE, ((A,),), (0, 1))]


def test_a_loop_from_which_both_only_turn_aside_into_the_others_hands_needs_both_to_stop() -> None:
    """At 0 A may turn aside to 2, where B may end play or come back; at 1 B to 3, likewise."""
    edges = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 4), (3, 1), (3, 4)]
    assert told([A, B, B, A, END], *edges) == [
        (ONLY_ONE, ((A,),), (0, 1, 3)),
        (ONLY_ONE, ((B,),), (0, 1, 2)),
        (TOGETHER, ((A,), (B,)), (0, 1)),
    ]
    edges.remove((2, 4))  # now turning aside to 2 cannot end play
    assert told([A, B, B, A, END], *edges) == [
        (ONLY_ONE, ((A,),), (0, 1, 2, 3)),
        (ONLY_ONE, ((B,),), (0, 1, 2)),
    ]


def test_a_combination_of_loops_already_told_is_not_told_again() -> None:
    """Both players together can also keep 0, 1, 2 and 3 going, but every edge there lies in a loop of one of
    them."""
    edges = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 4), (3, 1), (3, 4)]
    assert (EITHER, ((A, B),), (0, 1, 2, 3)) not in told([A, B, B, A, END], *edges)
    assert (EITHER, ((A, B),), (0, 1, 2, 3)) in told([A, B, B, A, END], *edges, (2, 3))


def test_an_optional_trigger_inside_free_actions_is_two_loops() -> None:
    """At 0 A acts or ends the phase; at 1 B triggers again (2) or declines."""
    assert told([A, B, NOBODY, END], (0, 1), (0, 3), (1, 2), (1, 0), (2, 1)) == [
        (ONLY_ONE, ((A,),), (0, 1, 2)),
        (ONLY_ONE, ((B,),), (1, 2)),
    ]
    assert told([A, NOBODY, NOBODY, END], (0, 1), (0, 3), (1, 2), (2, 1)) == [(NOBODY_STOPS, ((),), (1, 2))]
    assert told([A, NOBODY, END], (0, 1), (0, 2), (1, 0)) == [(ONLY_ONE, ((A,),), (0, 1))]


def test_the_cycle_around_an_inner_loop_leads_out_of_it() -> None:
    outer, inner = loops_of([A, B, NOBODY, END], (0, 1), (0, 3), (1, 2), (1, 0), (2, 1))
    assert [step.state for step in outer.cycle] == [0, 1]
    assert [step.state for step in inner.cycle] == [1, 2]
    assert [step.state for step in inner.stem] == [0]


def test_a_loop_that_nobody_can_stop_is_not_told_again_for_those_who_could_keep_it_too() -> None:
    assert told([A, B], (0, 1), (0, 1), (1, 0), (1, 0)) == [(NOBODY_STOPS, ((),), (0, 1))]


def test_a_player_who_only_chooses_where_to_go_round_cannot_stop_it() -> None:
    assert told([A, NOBODY, NOBODY], (0, 1), (0, 2), (1, 0), (2, 0)) == [(NOBODY_STOPS, ((),), (0, 1, 2))]


def test_chance_that_may_end_it_makes_no_loop() -> None:
    assert told([CHANCE, NOBODY, END], (0, 1), (0, 2), (1, 0)) == []
    assert told([CHANCE, NOBODY], (0, 1), (0, 0), (1, 0)) == [(NOBODY_STOPS, ((),), (0, 1))]


def test_what_chance_may_bring_counts_for_who_can_stop_it() -> None:
    assert told([CHANCE, A, NOBODY, END], (0, 1), (0, 2), (1, 0), (1, 3), (2, 0)) == [
        (ONLY_ONE, ((A,),), (0, 1, 2))
    ]


def test_a_state_that_loops_to_itself() -> None:
    assert told([NOBODY], (0, 0)) == [(NOBODY_STOPS, ((),), (0,))]
    assert told([A, END], (0, 0), (0, 1)) == [(ONLY_ONE, ((A,),), (0,))]
    assert told([A, END], (0, 1), (0, 1)) == []
    assert told([CHANCE, END], (0, 0), (0, 1)) == []


def test_ends_and_choices_without_an_option_are_no_loops() -> None:
    assert told([END]) == []
    assert told([A]) == []
    assert told([A, B, END], (0, 1), (0, 2), (1, 2)) == []


def test_loops_that_cannot_be_reached_are_not_told() -> None:
    assert told([A, END, NOBODY], (0, 1), (2, 2)) == []
    assert told([A, END, NOBODY], (0, 1), (2, 2), (0, 2)) == [(NOBODY_STOPS, ((),), (2,))]


def test_with_three_players_every_set_is_considered() -> None:
    edges: list[Edge] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    three = find_loops(graph_of([0, 1, 2, END], edges), players=(0, 1, 2))
    assert [(loop.verdict, loop.keepers) for loop in three] == [(EITHER, ((0, 1, 2),))]
    two = find_loops(graph_of([0, 1, 2, END], edges[:-1]), players=(0, 1, 2))
    assert [(loop.verdict, loop.keepers) for loop in two] == [(EITHER, ((0, 1),))]


# ---- what is not known


def test_an_open_choice_that_may_leave_makes_the_verdict_unknown() -> None:
    loop, = loops_of([OPEN, NOBODY, END], (0, 1), (1, 0), (0, 2))
    assert (loop.verdict, loop.keepers, loop.possible) == (UNKNOWN, (), ((),))
    assert loop.causes == (Cause(Doubt.OPEN_CHOICE, 0),)
    assert told([A, NOBODY, END], (0, 1), (1, 0), (0, 2)) == [(ONLY_ONE, ((A,),), (0, 1))]


def test_an_open_choice_among_ways_to_stay_does_not_matter() -> None:
    assert told([OPEN, NOBODY, NOBODY], (0, 1), (1, 0), (0, 2), (2, 0)) == [(NOBODY_STOPS, ((),), (0, 1, 2))]


def test_an_open_choice_may_leave_open_who_can_stop_one_of_two_ways_round() -> None:
    """Round by 2, A can stop it whoever decides at 0. Round by 1 only if somebody lets A come to 2."""
    by_one, by_two = sorted(loops_of([OPEN, NOBODY, A, END], (0, 1), (0, 2), (1, 0), (2, 0), (2, 3)),
                            key=lambda loop: len(loop.states))
    assert (by_one.verdict, by_one.keepers, by_one.possible) == (UNKNOWN, ((A,),), ((),))
    assert by_one.states == (0, 1)
    assert by_one.causes == (Cause(Doubt.OPEN_CHOICE, 0),)
    assert (by_two.verdict, by_two.states, by_two.keepers) == (ONLY_ONE, (0, 1, 2), ((A,),))
    assert 2 in {step.state for step in by_two.cycle}


@pytest.mark.parametrize("way", [[(0, 2)], [(0, 3), (3, 2)]], ids=["at once", "by an explored state"])
def test_a_player_whose_only_ways_out_are_unexplored_may_not_be_able_to_stop_it(way: list[Edge]) -> None:
    loop, = loops_of([B, NOBODY, FRONTIER, NOBODY], (0, 1), (1, 0), *way)
    assert (loop.verdict, loop.keepers, loop.possible) == (UNKNOWN, ((B,),), ((),))
    assert loop.causes == (Cause(Doubt.UNEXPLORED, 2),)
    ending = [B, NOBODY, END, NOBODY]
    assert told(ending, (0, 1), (1, 0), *way) == [(ONLY_ONE, ((B,),), (0, 1))]
    leading_back, = loops_of([B, NOBODY, NOBODY, NOBODY], (0, 1), (1, 0), *way, (2, 0))
    assert leading_back.verdict == NOBODY_STOPS


def test_what_is_unexplored_does_not_matter_beside_a_known_way_out() -> None:
    assert told([B, NOBODY, FRONTIER, END], (0, 1), (1, 0), (0, 2), (0, 3)) == [(ONLY_ONE, ((B,),), (0, 1))]


def test_what_is_unexplored_does_not_matter_beyond_the_scope() -> None:
    loop, = loops_of([B, NOBODY, FRONTIER], (0, 1), (1, 0), (0, 2, PHASE))
    assert (loop.verdict, loop.keepers, loop.scope) == (ONLY_ONE, ((B,),), Scope.STEP)


def test_chance_that_leads_to_the_unexplored_leaves_open_whether_there_is_a_loop() -> None:
    loop, = loops_of([CHANCE, NOBODY, FRONTIER], (0, 1), (1, 0), (0, 2))
    assert (loop.verdict, loop.keepers, loop.possible) == (UNKNOWN, (), ((),))


def test_loops_through_unexplored_states_are_not_invented() -> None:
    assert told([A, NOBODY, FRONTIER], (0, 1), (1, 2)) == []


def test_an_edge_beyond_the_bound_is_unknown() -> None:
    loop, = loops_of([B, NOBODY], (0, 1), (1, 0), (0, BOUND))
    assert (loop.verdict, loop.keepers, loop.possible) == (UNKNOWN, ((B,),), ((),))
    assert loop.causes == (Cause(Doubt.BOUND_EXCEEDED, 0),)
    assert told([B, NOBODY, END], (0, 1), (1, 0), (0, 2)) == [(ONLY_ONE, ((B,),), (0, 1))]


def test_only_what_matters_is_named() -> None:
    """Behind 2 A can always end play: only the bound at 0 leaves open whether B keeps the loop. The rest does
    not."""
    owners = [CHANCE, B, A, END, OPEN, FRONTIER]
    loop, = loops_of(owners, (0, 1), (1, 0), (0, BOUND), (1, 2), (2, 3), (2, 4), (4, 5), (4, 3))
    assert (loop.verdict, loop.keepers, loop.possible) == (UNKNOWN, (), ((A,), (B,)))
    assert Cause(Doubt.BOUND_EXCEEDED, 0) in loop.causes
    without_a, = loops_of([CHANCE, B, A, END, OPEN, FRONTIER], (0, 1), (1, 0), (0, BOUND), (1, 2), (2, 3))
    assert (without_a.possible, without_a.causes) == (((B,),), (Cause(Doubt.BOUND_EXCEEDED, 0),))


def test_an_outer_loop_that_is_unknown_does_not_blur_the_inner_one() -> None:
    """As with the optional trigger, but after declining it chance (4) may lead beyond the bound."""
    edges = [(0, 1), (0, 3), (1, 2), (1, 4), (2, 1), (4, 0), (4, BOUND)]
    outer, inner = sorted(loops_of([A, B, NOBODY, END, CHANCE], *edges), key=lambda loop: -len(loop.states))
    assert (inner.verdict, inner.keepers, inner.states) == (ONLY_ONE, ((B,),), (1, 2))
    assert (outer.verdict, outer.possible, outer.states) == (UNKNOWN, ((A,),), (0, 1, 2, 4))
    assert outer.causes == (Cause(Doubt.BOUND_EXCEEDED, 4),)


def test_a_loop_left_by_consulting_a_reading_is_found_again_under_the_reading_that_keeps_it() -> None:
    """At 0 B goes round by 1 or does what reads differently (2): by one reading that leads on (3 and 4 are 0
    and 1 again), by the other play ends."""
    edges = [(0, 1), (1, 0), (0, 2), (2, 3), (2, 5), (3, 4), (4, 3), (3, 3)]
    loops = loops_of([B, NOBODY, READING, B, NOBODY, END], *edges)
    before, after = sorted(loops, key=lambda loop: loop.states)
    assert (before.verdict, before.states, before.keepers) == (UNKNOWN, (0, 1), ((B,),))
    assert before.causes == (Cause(Doubt.READING, 2),)
    assert (after.verdict, after.states) == (NOBODY_STOPS, (3, 4))
    assert [step.state for step in after.stem] == [0, 2]


# ---- scopes


def test_a_loop_inside_a_phase_can_be_stopped_by_ending_the_phase() -> None:
    """At 0 B repeats an action (a new step each time), or ends the phase; the game then goes on for ever."""
    phase, game = loops_of([B, NOBODY], (0, 0, STEP), (0, 1, PHASE), (1, 0, TURN))
    assert (phase.verdict, phase.scope, phase.keepers, phase.states) == (ONLY_ONE, Scope.PHASE, ((B,),), (0,))
    assert (game.verdict, game.scope, game.states) == (NOBODY_STOPS, Scope.GAME, (0, 1))
    assert [step.state for step in game.cycle] == [0, 1]


def test_a_game_that_can_end_has_no_loop_across_turns_that_nobody_stops() -> None:
    phase, game = loops_of([B, NOBODY, END], (0, 0, STEP), (0, 1, PHASE), (1, 0, TURN), (0, 2))
    assert (phase.verdict, phase.scope) == (ONLY_ONE, Scope.PHASE)
    assert (game.verdict, game.scope) == (ONLY_ONE, Scope.GAME)


@pytest.mark.parametrize("crossing", range(4))
def test_a_loop_is_told_once_in_its_narrowest_scope(crossing: int) -> None:
    loop, = loops_of([NOBODY, NOBODY], (0, 1), (1, 0, crossing))
    assert loop.scope == crossing + 1


def test_what_leaves_the_game_is_never_part_of_a_loop() -> None:
    assert told([NOBODY, NOBODY], (0, 1), (1, 0, GAME)) == []


def test_chance_may_end_a_turn_but_not_the_game() -> None:
    """Inside the turn chance may stop it (by 1); across turns nothing does."""
    loop, = loops_of([CHANCE, NOBODY], (0, 0), (0, 1, TURN), (1, 0))
    assert (loop.verdict, loop.scope, loop.states) == (NOBODY_STOPS, Scope.GAME, (0, 1))


# ---- lassos and groups


def test_the_shortest_way_round_is_shown() -> None:
    """From 0 to 1 by 4; round by 1-2-3 or by 1-3."""
    owners, edges = [NOBODY, A, NOBODY, NOBODY, NOBODY], [(0, 4), (4, 1), (1, 2), (2, 3), (3, 1), (1, 3)]
    loop, = loops_of(owners, *edges)
    assert [step.state for step in loop.stem] == [0, 4]
    assert [step.state for step in loop.cycle] == [1, 3]


def test_a_cycle_across_turns_shows_the_turn_pass_although_a_shorter_one_does_not() -> None:
    phase, game = loops_of([A, NOBODY, NOBODY], (0, 0), (0, 1, TURN), (1, 2), (2, 0))
    assert len(phase.cycle) == 1
    assert [step.state for step in game.cycle] == [0, 1, 2]


def test_equal_loops_are_grouped_by_what_the_caller_says_of_them() -> None:
    """Two ways into the same situation, one longer, and a different situation."""
    graph = OwnedGraph()
    for owner in (A, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY):
        graph.add_state(owner)
    for source, target in (0, 1), (1, 2), (0, 3), (0, 4):
        graph.add_edge(source, target)
    for state, label in (2, "swap"), (3, "swap"), (4, "draw"):
        graph.add_edge(state, state, label)
    loops = find_loops(graph)
    assert [loop.states for loop in loops] == [(2,), (3,), (4,)]
    swap, draw = group(loops, lambda loop: tuple(graph.label[step.edge] for step in loop.cycle))
    assert (swap.count, swap.states, len(swap.stem)) == (2, (3,), 1)
    assert (draw.count, draw.states) == (1, (4,))
    assert [loop.count for loop in group([swap, draw, swap], lambda loop: None)] == [5]


def test_loops_of_different_keepers_are_never_grouped() -> None:
    loops = loops_of([A, B, NOBODY, END], (0, 1), (0, 3), (1, 2), (1, 0), (2, 1))
    assert len(group(loops, lambda loop: None)) == 2


def test_the_order_in_which_edges_are_added_changes_nothing_but_their_numbers() -> None:
    random = Random(5)
    for _ in range(200):
        graph = random_graph(random)
        order = list(range(len(graph.source)))
        random.shuffle(order)
        shuffled = OwnedGraph(graph.initial)
        for owner in graph.owner:
            shuffled.add_state(owner)
        for edge in order:
            shuffled.add_edge(graph.source[edge], graph.target[edge], edge, graph.crossing[edge])

        def said(of: OwnedGraph) -> list[tuple[object, ...]]:
            return [(x.scope, x.verdict, x.keepers, x.possible, x.states, len(x.stem), len(x.cycle))
                    for x in find_loops(of)]

        assert said(graph) == said(shuffled)


# ---- size


def test_long_cycles_and_long_stems_are_no_trouble() -> None:
    size = 50_000
    graph = OwnedGraph()
    for _ in range(2 * size):
        graph.add_state(NOBODY)
    for state in range(2 * size - 1):
        graph.add_edge(state, state + 1)
    graph.add_edge(2 * size - 1, size)
    loop, = find_loops(graph)
    assert (loop.verdict, len(loop.stem), len(loop.cycle)) == (NOBODY_STOPS, size, size)


def test_the_component_at_the_end_of_a_long_path_is_found() -> None:
    edges = [*((v, v + 1) for v in range(5000)), (5000, 2500)]
    graph = graph_of([NOBODY] * 5001, edges)
    arena = Arena(graph, np.arange(5001, dtype=np.int32), Scope.GAME)
    assert [part.tolist() for part in map(connected(arena, arena.everything()).member, range(1))] == [[*range(2500, 5001)]]


# ---- the graph


def test_states_are_numbered_before_they_are_expanded() -> None:
    graph = OwnedGraph()
    first, second = graph.add_state(), graph.add_state()
    graph.expand(first, A)
    graph.add_edge(first, second, "go")
    graph.expand(second, NOBODY)
    assert not graph.targets(second)
    assert repr(graph) == "<OwnedGraph: 2 states, 1 edges, initial 0>"
    with pytest.raises(ValueError, match="state 0 is already expanded: its owner is 0"):
        graph.expand(first, B)


@pytest.mark.parametrize(("owners", "edges", "message"), [
    ([NOBODY, END], [(0, 1), (0, 1)],
     "state 0 belongs to NOBODY but has 2 edges; give it the player who chooses, CHANCE or OPEN"),
    ([FRONTIER], [(0, 0)], "state 0 is FRONTIER, so its edges are not known; call expand(0, owner) first"),
    ([A], [(0, 3)], "an edge leads to 3: neither a state (0 to 0) nor BOUND"),
    ([A], [(2, 0)], "an edge starts at state 2, but the states are 0 to 0"),
    ([A], [(0, 0, 5)], "an edge crosses scope 5; use 0 (none) to 4 (game)"),
    ([-7], [], "-7 names no owner: use a player number from 0 up, NOBODY, CHANCE, OPEN, READING or FRONTIER"),
    ([2], [(0, 0)], "state 0 belongs to player 2, who is not among the players [0, 1]"),
    ([READING, NOBODY], [(0, 1), (1, 0)],
     "state 0 chooses a reading and lies on a cycle: the reading chosen must be kept in the state"),
])
def test_what_makes_no_sense_is_refused_with_what_to_do(
    owners: list[int], edges: list[Edge], message: str
) -> None:
    with pytest.raises(ValueError) as error:
        find_loops(graph_of(owners, edges), players=[A, B])
    assert str(error.value) == message


def test_an_initial_state_that_does_not_exist_and_too_many_players_are_refused() -> None:
    with pytest.raises(ValueError, match="the initial state is 4, but the states are 0 to 0"):
        graph_of([A], [], initial=4)
    with pytest.raises(ValueError, match="5 players: loops are judged for at most four"):
        find_loops(graph_of([A], []), players=range(5))
    assert find_loops(OwnedGraph()) == []


# ---- who can go on besides


def test_who_can_keep_play_going_outside_of_the_loop_is_told_besides() -> None:
    # A goes round 0 → 1 → 0 and may turn aside to 2, where play goes round by itself; B may end it at 1
    round_by_itself: list[Edge] = [(0, 1), (0, 2), (1, 0), (2, 2)]
    loop = next(x for x in loops_of([A, B, NOBODY, END], *round_by_itself, (1, 3)) if x.states == (0, 1))
    assert (loop.verdict, loop.besides) == (EITHER, ())
    loop = next(x for x in loops_of([A, B, A, NOBODY, END], (0, 1), (0, 3), (1, 0), (1, 2), (2, 0), (2, 4), (3, 3)) if x.states == (0, 1, 2))
    assert (loop.verdict, loop.keepers, loop.besides, loop.besides_unsure) == (ONLY_ONE, ((A,),), ((B,),), False)


@pytest.mark.parametrize(("aside", "said"), [((3, 3), (((B,),), False)), ((3, 4), ((), False)), ((3, 5), (((B,),), True)), ((3, BOUND), (((B,),), True)),
                                             ((3, 3, PHASE), ((), False))])
def test_where_play_ends_aside_or_that_is_not_known_it_is_not_told_for_sure(aside: Edge, said: tuple[Keepers, bool]) -> None:
    edges: list[Edge] = [(0, 1), (0, 3), (1, 0), (1, 2), (2, 0), (2, 4), aside]
    loop = next(x for x in loops_of([A, B, A, NOBODY, END, FRONTIER], *edges) if x.states == (0, 1, 2))
    assert (loop.verdict, loop.keepers) == (ONLY_ONE, ((A,),))
    assert (loop.besides, loop.besides_unsure) == said


def kept_by_hand(graph: OwnedGraph, players: tuple[int, ...], scope: int) -> set[int]:
    """From the definition: what is left when those are taken away that end, and those from which somebody else can leave."""
    left = {v for v in range(len(graph)) if graph.owner[v] not in (FRONTIER, READING)}
    while True:
        stay = {v: [graph.target[e] in left and graph.crossing[e] < scope for e in graph.out_edges(v)] for v in left}
        fewer = {v for v, ways in stay.items() if (any(ways) if graph.owner[v] in players else bool(ways) and all(ways))}
        if fewer == left:
            return left
        left = fewer


def test_where_play_can_be_kept_going_is_right_of_random_graphs() -> None:
    random, some = Random(77), 0
    for _ in range(2_000):
        graph = random_graph(random)
        regions = Regions(graph)
        reached = graph.breadth_first()[0] >= 0
        for scope in Scope:
            for players in ((), (A,), (B,), (A, B)):
                kept = set(np.flatnonzero(regions.of(players, scope)).tolist())
                assert kept == {v for v in kept_by_hand(graph, players, scope) if reached[v]}
                assert kept <= set(np.flatnonzero(regions.of(players, scope, True)).tolist())
                some += bool(kept)
    assert some > 1_000



# ---- against brute force


def shortest_walk(graph: OwnedGraph, loop: Loop, told_edges: frozenset[int]) -> int:
    """The length of a shortest closed walk inside a loop with a fresh edge and one that no smaller loop
    has."""
    inside = inner_edges(graph, loop.states, loop.scope)
    fresh_edges = {edge for edge in inside if graph.crossing[edge] == loop.scope - 1}
    best = 10**6
    for root in loop.states:
        places, length = {(root, False, False)}, 0
        seen: set[tuple[int, bool, bool]] = set()
        while places - seen and (root, True, True) not in places:
            seen |= places
            length += 1
            places = {(graph.target[e], fresh or e in fresh_edges, new or e not in told_edges)
                      for v, fresh, new in places for e in inside if graph.source[e] == v}
        if (root, True, True) in places:
            best = min(best, length)
    return best


def compare(random: Random, graphs: int) -> tuple[Counter[WhoCanStop], int]:
    """Ask about random graphs, and count the verdicts and those that are UNKNOWN without need."""
    counts: Counter[WhoCanStop] = Counter()
    needless = 0
    for _ in range(graphs):
        graph = random_graph(random)
        oracle, loops = Oracle(graph), find_loops(graph)
        assert has_loop(graph) == bool(loops)
        shown = f"{graph.owner}, {list(zip(graph.source, graph.target, graph.crossing, strict=True))}"
        assert len(loops) == len(oracle.loops), shown
        assert {(loop.scope, loop.states) for loop in loops} == set(oracle.loops), shown
        for loop in loops:
            counts[loop.verdict] += 1
            judged = oracle.loops[loop.scope, loop.states]
            check_lasso(graph, loop)
            assert len(loop.cycle) == shortest_walk(graph, loop, judged.told), shown
            assert bool(loop.causes) == (loop.verdict is UNKNOWN), shown
            if loop.verdict is not UNKNOWN:
                assert judged.keepers == {loop.keepers}, shown
                assert loop.verdict is verdict_for(loop.keepers), shown
                around = {step.state for step in loop.cycle}
                assert oracle.keepers_of(loop.scope, around) == {loop.keepers}, shown
                continue
            assert (loop.keepers, loop.possible) == (judged.certain, judged.possible), shown
            if judged.unsure:
                assert all(oracle.matters(cause, loop.scope, loop.states) for cause in loop.causes), shown
            if len(judged.keepers) == 1:
                # Allowed only where it is not certain how far the components of both players reach.
                assert loop.keepers and loop.possible == ((A,), (B,)), shown
                needless += 1
    return counts, needless


def verdict_for(keepers: Keepers) -> WhoCanStop:
    first, *more = keepers
    return TOGETHER if more else (NOBODY_STOPS, ONLY_ONE, EITHER)[len(first)]


def test_ten_thousand_random_graphs_agree_with_brute_force() -> None:
    counts, needless = compare(Random(20_240), 10_000)
    assert min(counts[verdict] for verdict in WhoCanStop) >= 100, counts
    assert needless < counts.total() / 200, (needless, counts)
