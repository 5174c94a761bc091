"""The judge itself: worlds made by hand, of which everybody can see what is true."""
from __future__ import annotations

import pytest

from rulewright.model.engine.state import CHANCE, NOBODY, OPEN, End

from .books import Book, Part, Rule
from .compare import compare, judged
from .judge import BEYOND, Graph, Judged, Loop, World, grows, keeps_going, odds, powers

NONE, FIRST, SECOND, BOTH = frozenset[int](), frozenset({0}), frozenset({1}), frozenset({0, 1})
STATE = "class Game(State):\n    c: Annotated[int, Range(0, 99)]\n    d: Annotated[int, Range(0, 99)]\n    f: bool\n"


def parts(text: str) -> tuple[Part, ...]:
    """Statements as they are written, line by line."""
    lines = [x for x in text.splitlines() if x.strip()]
    least = min(len(x) - len(x.lstrip()) for x in lines)
    return tuple(Part(x[least:]) for x in lines)


def book(main: str, *others: tuple[str, str, str], caps: dict[str, int] | None = None, head: str = STATE, capacities: dict[str, int] | None = None) -> Book:
    """A book with this procedure, and others (name, parameters, statements)."""
    rules = [Rule(name, params, "", parts(text)) for name, params, text in (*others, ("main", "", main))]
    return Book(head, tuple(rules), ("c", "d"), {"c": 5, "d": 5} if caps is None else caps, capacities or {})


def loops(w: World) -> set[tuple[bool, frozenset[frozenset[int]]]]:
    """Whether each loop grows, and who keeps it going."""
    assert w.folded is not None
    return {(w.leaves and grows(w.graph, w.folded.of, x), x.keepers) for x in Judged(w.folded.graph).loops}


def ends(w: World) -> set[str]:
    return {f"{e.kind}{'' if e.who < 0 else e.who}" for e in w.graph.end if e is not None}


ENDLESS = "while g.c >= 0:\n    g.c += 1\n    if g.f:\n        finish(FIRST)"
EXIT_FAR = "while g.c < 40:\n    g.c += 1\nfinish(SECOND)"
LATE_STOP = "while True:\n    g.c += 1\n    if g.c > 30:\n        x = await may(SECOND)\n        if x:\n            return"
ALWAYS_STOP = "while True:\n    g.c += 1\n    x = await may(FIRST)\n    if x and g.c >= 0:\n        return"
SET_BACK = "while True:\n    g.c += 1\n    if g.c == 33:\n        g.c = 0"
SET_BACK_AND_OUT = "while True:\n    g.c += 1\n    if g.c == 33:\n        g.c = 0\n        g.f = not g.f\n        if not g.f:\n            finish(None)"
APART = "while g.c - g.d < 20:\n    g.c += 2\n    g.d += 1"
TOGETHER = "while g.c - g.d < 20:\n    g.c += 1\n    g.d += 1"
EITHER_STOPS = "while True:\n    x = await may(FIRST)\n    if not x:\n        return\n    y = await may(SECOND)\n    if not y:\n        return"
BOTH_STOP = "while True:\n    x = await may(FIRST)\n    y = await may(SECOND)\n    if x and y:\n        return"
LUCK = "while True:\n    g.c += 1\n    x = await chance({1, 2})\n    if x == 1 and g.c > 20:\n        return"
LUCK_THAT_CHANGES_NOTHING = "while True:\n    g.c += 1\n    x = await chance({1, 2})\n    if x == 1 and g.c > 20:\n        g.f = False"


@pytest.mark.parametrize(("main", "right", "ways"), [
    (ENDLESS, {(True, frozenset({NONE}))}, set[str]()),
    (EXIT_FAR, set(), {"win1"}),
    (LATE_STOP, {(True, frozenset({SECOND}))}, {"over"}),
    (ALWAYS_STOP, {(True, frozenset({FIRST}))}, {"over"}),
    (SET_BACK, {(False, frozenset({NONE}))}, set[str]()),
    (SET_BACK_AND_OUT, set(), {"draw"}),
    (APART, set(), {"over"}),
    (TOGETHER, {(True, frozenset({NONE}))}, set[str]()),
    (EITHER_STOPS, {(False, frozenset({BOTH}))}, {"over"}),
    (LUCK, set(), {"over"}),
    (LUCK_THAT_CHANGES_NOTHING, {(True, frozenset({NONE}))}, set[str]()),
])
def test_loops_of_worlds_made_by_hand(main: str, right: set[object], ways: set[str]) -> None:
    """Beside each the same at twice the horizon: nothing is different further out."""
    for times in (1, 2):
        w = judged(book(main), times)
        assert loops(w) == right
        assert ends(w) == ways


def test_who_can_go_on_where_both_must_agree_to_stop() -> None:
    w = judged(book(BOTH_STOP))
    assert all(0 in keeps_going(w.graph, k) for k in (FIRST, SECOND, BOTH))
    assert 0 not in keeps_going(w.graph, NONE)
    assert loops(w) == {(False, frozenset({FIRST})), (False, frozenset({SECOND}))}


def test_a_call_that_ends_far_down_is_no_loop_and_one_that_does_not_is() -> None:
    dive = "if n == {}:\n    finish(FIRST)\nawait dive(g, n + 1)"
    assert loops(judged(book("await dive(g, 0)", ("dive", "n: int", dive.format(60))))) == set()
    assert ends(judged(book("await dive(g, 0)", ("dive", "n: int", dive.format(60))))) == {"win0"}
    below = judged(book("await dive(g, 7)", ("dive", "n: int", dive.format(5))))
    assert loops(below) == {(True, frozenset({NONE}))} and not ends(below)


def test_calls_that_nest_for_ever_without_a_number() -> None:
    ping, pong = ("ping", "", "g.f = True\nawait pong(g)\ng.f = False"), ("pong", "", "g.f = False\nawait ping(g)\ng.f = True")
    assert loops(judged(book("await ping(g)", ping, pong))) == {(True, frozenset({NONE}))}
    stopped = ("pong", "", "x = await may(SECOND)\nif x:\n    finish(None)\nawait ping(g)\ng.f = True")
    assert loops(judged(book("await ping(g)", ping, stopped))) == {(True, frozenset({SECOND}))}


def test_a_multiset_that_only_grows() -> None:
    head = "class Wait(Record):\n    a: bool\n\n\n" + STATE + "    w: Multiset[Wait]\n"
    for_ever = book("while len(g.w) >= 0:\n    g.w.add(Wait(True))\n    g.w.add(Wait(False))", head=head, capacities={"w": 4})
    until = book("while len(g.w) < 11:\n    g.w.add(Wait(True))", head=head, capacities={"w": 4})
    assert loops(judged(for_ever)) == {(True, frozenset({NONE}))}
    assert loops(judged(until)) == set() and ends(judged(until)) == {"over"}


def test_what_cannot_be_folded_is_left_open() -> None:
    """One climbs as high as they like, then comes down again: from every height otherwise."""
    up_and_down = "up = True\nwhile up:\n    g.c += 1\n    up = await may(FIRST)\nwhile g.c > 0:\n    g.c -= 1"
    w = judged(book(up_and_down))
    assert w.leaves and w.folded is None
    assert ends(w) == {"over"} and 0 in keeps_going(w.graph, FIRST) and 0 not in keeps_going(w.graph, NONE)


def graph(*states: tuple[int, list[int]] | str) -> Graph:
    """States with owner and targets, or an end."""
    out = Graph()
    for s in states:
        k = out.add(NOBODY if isinstance(s, str) else s[0], End("win", int(s)) if isinstance(s, str) else None)
        out.edges[k] = [] if isinstance(s, str) else [(to, 0) for to in s[1]]
    return out


def test_games_on_graphs() -> None:
    g = graph((0, [1, 2]), (CHANCE, [3, 4]), (1, [0, 3]), "0", "1")
    assert 0 not in keeps_going(g, FIRST) and 0 in keeps_going(g, BOTH)
    assert keeps_going(graph((CHANCE, [0, BEYOND])), NONE) == {0}
    assert keeps_going(graph((CHANCE, [0, 1]), "0"), BOTH) == set()
    same, differ = graph((0, [1, 2]), (1, [3, 3]), (1, [3]), "0"), graph((0, [1, 2]), (1, [3, 4]), (1, [3]), "0", "1")
    assert all((1 in p) == (2 in p) for p in powers(same)) and any((1 in p) != (2 in p) for p in powers(differ))


def test_odds() -> None:
    """The first player has one throw of two, or leaves it to the second, who has none to lose; a throw that may be had again is certain."""
    g = graph((0, [1, 2]), (CHANCE, [3, 4]), (1, [3, 4]), "0", "1")
    g.weights[1] = (3, 1)
    assert odds(g, FIRST, {3})[:3] == [0.75, 0.75, 0.0] and odds(g, SECOND, {4})[:3] == [0.25, 0.25, 1.0]
    again = graph((CHANCE, [0, 1]), "0")
    again.weights[0] = (1, 1)
    assert odds(again, NONE, {1})[0] > 0.999


def test_an_open_choice_leaves_keepers_open_and_an_inner_loop_is_its_own() -> None:
    assert not Judged(graph((OPEN, [0, 1]), "0")).loops
    around = Judged(graph((0, [1, 2]), (1, [1, 0]), "0")).loops
    assert set(around) == {Loop(1, frozenset({SECOND}), frozenset({1})), Loop(1, frozenset({FIRST}), frozenset({0, 1}))}
    assert Judged(graph((0, [1]), (1, [1, 0]))).loops == [Loop(1, frozenset({NONE}), frozenset({0, 1}))]


def test_the_order_in_which_the_issue_was_found_is_told_apart() -> None:
    """Who chooses depends on what came first: the results that can be reached are the same, not who can bring them about."""
    head = "class Kind(Enum):\n    X = 1\n    Y = 2\n\n\nclass Wait(Record):\n    kind: Kind\n\n\n" + STATE + "    w: Multiset[Wait]\n"
    main = """
        g.w.add(Wait(Kind.X))
        g.w.add(Wait(Kind.Y))
        while len(g.w) > 0:
            e = await choose(OPEN("2.1"), {w for w in g.w})
            g.w.remove(e)
            match e.kind:
                case Kind.X:
                    n = await choose(SECOND if g.f else FIRST, {1, 5})
                    g.c = n
                case Kind.Y:
                    g.f = True
        if g.c > 4:
            finish(FIRST)
        finish(SECOND)
    """
    b = book(main, head=head, capacities={"w": 4})
    assert "true: order that decides what players can bring about" in compare(b).there
    same = book(main.replace("SECOND if g.f else FIRST", "SECOND"), head=head, capacities={"w": 4})
    assert "true: order that decides what players can bring about" not in compare(same).there
