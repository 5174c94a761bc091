"""Out of which procedures a signal may come, as proofs ask."""
from __future__ import annotations

from .small_game import prover

RULES = """
class Out(Signal):
    pass

class Off(Signal):
    pass

class Printed(Definition):
    heavy: bool

class Game(State):
    heap: Bag
    box: Bag

@invariant
def box_is_light(g: Game) -> bool:
    return all(not Printed(c).heavy for c in g.box)

@procedure
async def out_of_a_call(g: Game) -> None:
    await raised(g)

@procedure
async def raised(g: Game) -> None:
    if not g.heap:
        raise Out
    c = await choose(FIRST, {c for c in g.heap})
    put(c, g.box)

@procedure
async def caught(g: Game) -> None:
    try:
        await out_of_a_call(g)
        if not g.box:
            raise Out
    except Out:
        pass

@procedure
async def other_caught(g: Game) -> None:
    try:
        if not g.heap:
            raise Off
        await caught(g)
        if not g.box:
            raise Out
    except Off:
        pass

@entry("main")
@procedure
async def main(g: Game) -> None:
    try:
        await other_caught(g)
    except Out:
        pass
    while True:
        await caught(g)
"""


def test_a_signal_that_is_caught_does_not_come_out() -> None:
    assert prover(RULES, {"light": {"heavy": "no"}}, "box_is_light").slice.throwing == {"raised", "out_of_a_call", "other_caught"}
