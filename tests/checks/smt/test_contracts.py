"""What authors state of procedures (`@expects`, `@ensures`): it is shown, known of every call, and refused with a state where it is false."""
from __future__ import annotations

import pytest

from rulewright.checks.smt.each import prove_each
from rulewright.checks.smt.results import Kept

from .small_game import beginning, game, proved

SORTS = {"light": {"heavy": "no"}, "heavy": {"heavy": "yes"}}

LIMITED = """
class Printed(Definition):
    heavy: bool

class Game(State):
    heap: Bag
    past: Bag
    row: Per[Player, Bag]

@invariant
def three_at_most(g: Game) -> bool:
    return all(len(g.row[p]) <= 3 for p in PLAYERS)

@procedure
async def keep_to_two(g: Game, p: Player) -> None:
    while len(g.row[p]) > 2:
        c = await choose(p, {c for c in g.row[p]})
        put(c, g.past)

@ensures(keep_to_two)
def two_are_left(g: Game, p: Player) -> bool:
    return len(g.row[p]) <= 2

@procedure
async def pick(g: Game, p: Player) -> Card:
    c = await choose(p, {c for c in g.heap if not Printed(c).heavy})
    return c

@ensures(pick)
def a_light_one_of_the_heap(g: Game, p: Player, result: Card) -> bool:
    return zone_of(result) == g.heap and not Printed(result).heavy

@procedure
async def lay(g: Game, p: Player, card: Card) -> None:
    put(card, g.row[p])
    await keep_to_two(g, p)

@ensures(lay)
def nobody_has_three(g: Game) -> bool:
    return all(len(g.row[p]) <= 2 for p in PLAYERS)

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        c = await pick(g, FIRST)
        await lay(g, FIRST, c)
"""


def of(rules: str, name: str) -> Kept:
    return proved(rules, SORTS, name)


def test_a_cap_rests_on_what_a_rule_is_said_to_leave() -> None:
    out = of(LIMITED, "three_at_most")
    assert out.proved == ["three_at_most"] and {"two_are_left", "nobody_has_three"} <= {text for _, text in out.needed}
    unsaid = of(LIMITED.replace("@ensures(keep_to_two)", "@define"), "three_at_most")
    assert not unsaid.proved and unsaid.failed


def test_what_is_stated_is_proved_like_a_condition() -> None:
    program, owners = game(LIMITED, SORTS)
    out = prove_each(program, owners, beginning(program), 120, 5)
    assert {name: name in kept.proved for name, kept in out.items()} == dict.fromkeys(
        ("three_at_most", "two_are_left", "nobody_has_three", "a_light_one_of_the_heap"), True)


@pytest.mark.parametrize(("before", "after", "name", "rule"), [
    ("len(g.row[p]) > 2:", "len(g.row[p]) > 3:", "two_are_left", "keep_to_two"),
    ("if not Printed(c).heavy}", "}", "a_light_one_of_the_heap", "pick"),
    ("    return c\n", "    put(c, g.past)\n    return c\n", "a_light_one_of_the_heap", "pick"),
], ids=["three are left", "heavy ones are picked", "what is picked has gone"])
def test_what_is_false_is_refused_with_a_state(before: str, after: str, name: str, rule: str) -> None:
    assert before in LIMITED
    out = of(LIMITED.replace(before, after), name)
    assert not out.proved and [b.function for b in out.failed[name]] == [rule]
    assert out.state is not None and out.state.begin.function == rule and out.state.cards


def test_what_is_false_is_assumed_of_no_call() -> None:
    three = LIMITED.replace("len(g.row[p]) > 2:", "len(g.row[p]) > 3:").replace("all(len(g.row[p]) <= 3", "all(len(g.row[p]) <= 2")
    out = of(three, "three_at_most")
    assert not out.proved and out.failed


def test_what_no_call_comes_to_is_not_proved() -> None:
    out = of(LIMITED.replace("        c = await pick(g, FIRST)\n", "        c = await choose(FIRST, {c for c in g.heap})\n"), "a_light_one_of_the_heap")
    assert not out.proved and out.reason is not None and "nothing here calls `pick`" in out.reason.en


def test_what_callers_do_not_bring_about_is_refused_where_they_call() -> None:
    rules = LIMITED + """
@expects(lay)
def it_lies_in_the_heap(g: Game, p: Player, card: Card) -> bool:
    return zone_of(card) == g.heap
"""
    assert of(rules, "it_lies_in_the_heap").proved
    elsewhere = of(rules.replace("        await lay(g, FIRST, c)", "        put(c, g.past)\n        await lay(g, FIRST, c)"), "it_lies_in_the_heap")
    assert not elsewhere.proved and [b.function for b in elsewhere.failed["it_lies_in_the_heap"]] == ["main"]


def test_what_is_ensured_is_not_known_where_a_signal_leaves_the_rule() -> None:
    """Whoever stops keeps all: the caller that catches the signal goes on with too many."""
    stopping = LIMITED.replace("@invariant", """class Enough(Signal):
    \"\"\"Nothing more is put away.\"\"\"

@invariant""", 1).replace("    while len(g.row[p]) > 2:\n", """    stop = await may(p)
    if stop:
        raise Enough
    while len(g.row[p]) > 2:
""").replace("    await keep_to_two(g, p)\n", """    try:
        await keep_to_two(g, p)
    except Enough:
        g.calm = True
""").replace("    heap: Bag\n", "    heap: Bag\n    calm: bool\n", 1)
    assert of(stopping, "two_are_left").proved
    for name in ("nobody_has_three", "three_at_most"):
        out = of(stopping, name)
        assert not out.proved and "lay" in {b.function for b in out.failed[name]}
