"""What players do by policy, for every wish at every sort of choice."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.native.engine import Native
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.policies import Policies, Wish
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.types import BOOL, CardType, Int, OptionType, PlayerType, RecordType, SetType, Type, UnionType

from .harness import compare, compare_arrivals, reachable
from .test_edges import Edge

CARD, CARDS, LANE = OptionType(CardType("Card", 6)), SetType(CardType("Card", 6)), Int(0, 4)
PASS, ENTER = RecordType("Pass", (), True), RecordType("Enter", (("lane", LANE), ("card", CARD)))
SWAP = RecordType("Swap", (("one", CARD), ("other", CARD)))
IDS = ("A", "B", "A", "C", "B", "A")
WISHES = (
    (Wish("pass"),), (Wish("yes"),), (Wish("first"),), (Wish("Enter"),), (Wish("Swap", "A"),), (Wish("Enter", "B"), Wish("pass")),
    (Wish("Swap", "C"), Wish("Enter", "C"), Wish("yes")), (Wish("Pass"), Wish("first")), (Wish("Enter", "nobody"), Wish("Swap")),
    (Wish("yes"), Wish("pass")),
)
Row = tuple[ir.Expr, ...]


def offers(*rows: Row, binders: tuple[ir.Binder, ...] = ()) -> tuple[ir.Offer, ...]:
    return tuple(ir.Offer(binders, ir.Const(1), row) for row in rows)


def game(most: int) -> Edge:
    """One choice of each type, by either player, among cards that a state says; the largest number there is."""
    edge = Edge((0, most))
    who, hand = edge.slot("who", PlayerType("Player", 2)), edge.slot("hand", CARDS)
    a, b = edge.local(CARD), edge.local(CARD)
    one, both = (ir.Binder(a, ir.Load(hand)),), (ir.Binder(a, ir.Load(hand)), ir.Binder(b, ir.Load(hand)))
    none, zero, mine, its = ir.Const(-1), ir.Const(0), ir.Local(a), ir.Local(b)
    union = UnionType((ENTER, PASS, SWAP))
    choices: list[tuple[Type, tuple[ir.Offer, ...]]] = [
        (BOOL, offers((ir.Const(0),), (ir.Const(1),))),
        (BOOL, offers((ir.Const(1),), (ir.Const(0),))),
        (CARD, (*offers((mine,), binders=one), *offers((none,)))),
        (CARD, (*offers((none,)), *offers((mine,), binders=one))),
        (OptionType(Int(0, 3)), offers((ir.Const(2),), (none,), (ir.Const(0),))),
        (LANE, offers((zero,), (ir.Const(1),), (ir.Const(4),))),
        (PASS, offers(())),
        (ENTER, (*offers((ir.Const(1), mine), binders=one), *offers((ir.Const(2), none)))),
        (SWAP, offers((mine, its), binders=both)),
        (union, (*offers((ir.Const(2), zero, none, mine, its), binders=both), *offers((ir.Const(1), zero, none, none, none)),
                 *offers((zero, ir.Const(3), mine, none, none), (zero, ir.Const(3), none, none, none), binders=one))),
        (union, (*offers((zero, ir.Const(3), mine, none, none), binders=one), *offers((ir.Const(2), zero, none, mine, its), binders=both))),
        (union, (*offers((zero, ir.Const(3), mine, none, none), binders=one),  # several that decline
                 *offers(*((ir.Const(1), ir.Const(n), none, none, none) for n in (0, 2, 4))))),
    ]
    for of, given in choices:
        targets = tuple(edge.local(t) for t in of.flat())
        seen = [ir.Store(1, None, 1, ir.Binary("mod", ir.Local(x), ir.Const(99)), "set") for x in targets[-1:]]
        edge.does(ir.Choose(ir.ByPlayer(ir.Load(who)), given, targets, of), *seen)
    return edge


@pytest.mark.parametrize("most", [99, 1 << 70], ids=["words", "wide"])
@pytest.mark.parametrize("wishes", WISHES, ids=str)
def test_policies_leave_the_same_options(wishes: tuple[Wish, ...], most: int, tmp_path: Path) -> None:
    edge = game(most)
    program = edge.program()
    policies: Policies = {0: wishes} if len(wishes) == 1 else {0: wishes, 1: wishes[::-1]}
    engine, native = Interpreter(program, policies, card_ids=IDS), Native(program, policies, card_ids=IDS, cache=tmp_path, level=0)
    first = [s.initial for s in program.layout.slots]
    states = 0
    for which in range(edge.things):
        for who in range(2):
            for hand in (0, 0b1000, 0b110111):
                slots = [which, 0, who, hand, *first[4:]]
                begun = engine.start(slots)  # what is left is one option mostly, and taken at once
                compare_arrivals(State(tuple(slots), ()), "the beginning", begun, native.start(slots))
                out = compare(engine, native, reachable(engine, [begun.state], 3))
                assert not out.beyond
                states += out.states
    assert states >= 2 * 3 * edge.things
