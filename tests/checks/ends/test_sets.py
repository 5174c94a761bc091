"""Loops that take cards out of a set: proved to end by the set, whatever the rules do that are called, unless these write to it; and what is written to a card that is not followed."""
from __future__ import annotations

import pytest

from rulewright.checks.ends.counting import Budget
from rulewright.checks.ends.proving import WORK, Found, once, places, proved_of

from ..smt.small_game import game

SORTS = {"light": {}, "heavy": {}}
ROW = """
Lane = Annotated[int, Range(1, 3)]
LANES = Range(1, 3)

class Game(State):
    heap: Bag
    noted: Per[Lane, Set[Card]]

@entry("main")
@procedure
async def main(g: Game) -> None:
    n = await choose(FIRST, LANES)
    m = await choose(SECOND, LANES)
    g.noted[n] = {{c for c in g.heap}}
    while g.noted[n]:
        c = await choose(FIRST, g.noted[n])
        {does}
"""


@pytest.mark.parametrize(("does", "ends"), [
    ("g.noted[n] -= {c}", True),
    ("with simultaneously():\n            g.noted[n] -= {c}\n            put(c, g.heap)", True),
    ("g.noted[m] -= {c}", False),  # another row, or the same
    ("g.noted[n] |= {c}", False),
    ("with simultaneously():\n            g.noted[n] -= {c}\n            g.noted[m] |= {c}", False),
])
def test_a_set_of_a_row_goes_down_where_a_card_is_taken_out_of_it(does: str, ends: bool) -> None:
    program, _ = game(ROW.format(does=does), SORTS)
    assert [proved_of(program, p).proved for p in places(program)] == [ends]


CALLS = """
class Game(State):
    heap: Bag
    box: Bag
    waiting: Set[Card]
    n: Annotated[int, Range(0, 9)]

@step
def stir(g: Game, c: Card) -> None:
    if g.n < 9:
        g.n += 1
    put(c, g.box)
    g.waiting |= g.heap

@procedure
async def pick(g: Game, who: Player, among: Set[Card]) -> Card:
    c = await choose(who, {of})
    return c

@procedure
async def ask(g: Game) -> None:
    if await may(SECOND):
        g.n = 0
        await pick(g, FIRST, g.heap)

@entry("main")
@procedure
async def main(g: Game) -> None:
    {left} = {{c for c in g.heap}}
    while {left}:
        c = await pick(g, FIRST, {left})
        await ask(g)
        stir(g, c)
        {left} = {rest}
"""


@pytest.mark.parametrize(("left", "rest", "of", "ends"), [
    ("left", "left - {c}", "among", True),
    ("left", "g.heap & (left - {c})", "among", True),  # a part of a set is no larger
    ("left", "left & g.heap", "among", False),
    ("left", "g.heap | (left - {c})", "among", False),
    ("left", "left - {c}", "CARDS", False),  # what is picked need not be left
    ("g.waiting", "g.waiting - {c}", "among", False),  # what is called writes to it
])
def test_what_a_rule_keeps_to_itself_goes_down_whatever_is_called_that_writes_elsewhere(left: str, rest: str, of: str, ends: bool) -> None:
    program, _ = game(CALLS.format(left=left, rest=rest, of=of), SORTS)
    (place,) = places(program)
    out = Found(place)
    once(program, place, Budget(WORK), out, entered=False)
    assert out.proved == ends == bool(out.levels)
    assert ends or not out.shown  # what is called may not do what would be shown


WRITTEN = """
class Game(State):
    heap: Bag
    hits: Per[Card, Annotated[int, Range(0, 9)]]
    n: Annotated[int, Range(0, 3)] = 3

@entry("main")
@procedure
async def main(g: Game) -> None:
    while g.n > 0:
        c = await choose(FIRST, g.heap)
        d = await choose(FIRST, g.heap)
        before = g.hits[d]
        {does}
        if g.hits[d] == before:
            g.n -= 1
"""


@pytest.mark.parametrize(("does", "ends"), [("pass", True), ("g.hits[d] = g.hits[c]", False)])
def test_what_another_card_is_given_is_not_what_it_had(does: str, ends: bool) -> None:
    """Though nothing changes of the card that is followed, which is the first that is chosen."""
    program, _ = game(WRITTEN.format(does=does), SORTS)
    assert [proved_of(program, p).proved for p in places(program)] == [ends]
