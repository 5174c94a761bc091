"""Loops within loops that are carried out round by round: the loop around both goes on after the last of the rounds."""
from __future__ import annotations

import pytest

from rulewright.checks.ends.proving import places, proved_of

from ..smt.small_game import game

RULES = """
class Game(State):
    heap: Bag
    box: Bag
    n: Per[Player, Annotated[int, Range(0, 3)]] = each(3)
    left: Annotated[int, Range(0, 3)] = 3

@procedure
async def empty(g: Game, p: Player) -> None:
    while g.n[p] > 0:
        g.n[p] -= 1

@entry("main")
@procedure
async def main(g: Game) -> None:
    while g.left > 0:
        for p in (FIRST, SECOND):
            {inside}
        {then}
"""


@pytest.mark.parametrize("inside", ["while g.n[p] > 0: g.n[p] -= 1", "await empty(g, p)"])
@pytest.mark.parametrize(("then", "ends"), [("g.left = 3", False), ("g.left -= 1", True)])
def test_a_loop_around_players_each_of_whom_has_a_loop_is_proved_to_end_only_where_something_goes_down(inside: str, then: str, ends: bool) -> None:
    program, _ = game(RULES.format(inside=inside, then=then), {"light": {}, "heavy": {}})
    loop = next(p for p in places(program) if p.loop and p.rules == ("main",))
    found = proved_of(program, loop)
    assert found.proved == ends
    assert found.levels or not ends
