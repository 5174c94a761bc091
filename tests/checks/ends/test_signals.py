"""A signal that comes out of rules that call each other: the loop around goes on, and what the rules would have done is not done."""
from __future__ import annotations

import pytest

from rulewright.checks.ends.proving import places, proved_of

from ..smt.small_game import game

RULES = """
class Out(Signal):
    pass

class Game(State):
    heap: Bag
    box: Bag
    n: Annotated[int, Range(0, 3)] = 3
    again: bool

@procedure
async def deeper(g: Game) -> None:
    g.again = await may(FIRST)
    if g.again:
        {leaves}
    if g.n > 0:
        g.n -= 1
        await deeper(g)

@entry("main")
@procedure
async def main(g: Game) -> None:
    while g.n > 0:
        c = await choose(FIRST, g.{among})
        put(c, g.box)
        try:
            await deeper(g)
            g.n = 0
        except Out:
            g.again = False
"""


@pytest.mark.parametrize(("leaves", "among", "ends"), [
    ("raise Out", "box", False),  # out at once, and round again
    ("return", "box", True),  # always back, and n is 0 then
    ("raise Out", "heap", True),  # a card fewer in the heap each time
])
def test_a_loop_that_a_signal_leads_round_is_proved_to_end_only_where_something_goes_down_all_the_same(leaves: str, among: str, ends: bool) -> None:
    program, _ = game(RULES.format(leaves=leaves, among=among), {"light": {}, "heavy": {}})
    loop = next(p for p in places(program) if p.loop and p.rules == ("main",))
    assert proved_of(program, loop).proved == ends
