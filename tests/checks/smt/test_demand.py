"""Proofs with the statements that they need and no others: small games that are provable so, beside the nearest that break."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.checks.smt.prover import Prover
from rulewright.checks.smt.queries.keeping import Decks, largest_game
from rulewright.checks.smt.results import Kept
from rulewright.checks.smt.sorts import marked
from rulewright.model.engine.library import load_book
from rulewright.model.ir import nodes as ir

from .small_game import proved
from .test_prover import changed

SORTS = {"light": {"heavy": "no"}, "heavy": {"heavy": "yes"}}

OFFERED = """
class Printed(Definition):
    heavy: bool

Lane = Annotated[int, Range(1, 3)]
LANES = Range(1, 3)

class Game(State):
    heap: Bag
    row: Bag
    place: Per[Lane, Bag]

class Lay(Record):
    card: Card
    where: Lane

class Drop(Record):
    card: Card
    where: Lane

Act = Lay | Drop

@invariant
def one_in_a_place(g: Game) -> bool:
    return all(len(g.place[n]) <= 1 for n in LANES)

@procedure
async def pay(g: Game) -> None:
    c = await choose(FIRST, {c for c in g.heap})
    put(c, g.row)

@procedure
async def play(g: Game, act: Act) -> None:
    match act:
        case Lay(card, n):
            await pay(g)
            put(card, g.place[n])
        case Drop(card, n):
            put(card, g.row)

@expects(play)
def its_place_is_empty(g: Game, act: Act) -> bool:
    match act:
        case Lay(_, n):
            return len(g.place[n]) == 0
        case Drop(_, _):
            return True

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        act = await choose(
            FIRST, {Lay(c, n) for c in g.heap for n in LANES if len(g.place[n]) == 0} | {Drop(c, n) for c in g.heap for n in LANES})
        await play(g, act)
"""


def found(rules: str, condition: str = "one_in_a_place") -> Kept:
    return proved(rules, SORTS, condition)


def test_what_was_offered_is_known_where_it_is_carried_out() -> None:
    """That the place is empty is stated of `Lay` alone, and paying leaves it so."""
    out = found(OFFERED)
    assert out.proved == ["one_in_a_place"] and not out.reason
    texts = {(key[0], text) for key, text in out.needed}
    assert ("play", "its_place_is_empty") in texts
    assert any(name == "pay" for name, _ in texts)


def test_what_nobody_states_is_not_known() -> None:
    unsaid = OFFERED.replace("@expects(play)", "@define")
    assert [b.function for b in found(unsaid).failed["one_in_a_place"]] == ["play"]


@pytest.mark.parametrize(("before", "after"), [
    (" if len(g.place[n]) == 0}", "}"),
    ("    put(c, g.row)\n\n@procedure\nasync def play", "    put(c, g.place[1])\n\n@procedure\nasync def play"),
    ("            put(card, g.row)", "            put(card, g.place[n])"),
    ("        await play(g, act)", "        await pay(g)\n        c = await choose(FIRST, {c for c in g.heap})\n        put(c, g.place[2])\n        await play(g, act)"),
], ids=["any place is offered", "what is paid goes to a place", "another case goes there too", "the place is taken meanwhile"])
def test_a_place_that_may_be_taken_is_not_believed_to_be_empty(before: str, after: str) -> None:
    rules = OFFERED.replace(before, after)
    assert rules != OFFERED
    out = found(rules)
    assert not out.proved and out.failed


def test_what_rests_on_what_fails_is_asked_again() -> None:
    """Paying goes through a rule that may fill a place: all that rested on its leaving places alone is given up."""
    deep = OFFERED.replace("    put(c, g.row)\n\n@procedure\nasync def play", """    await aside(g, c)

@procedure
async def aside(g: Game, c: Card) -> None:
    await lay_aside(g, c)

@procedure
async def lay_aside(g: Game, c: Card) -> None:
    put(c, g.row)

@procedure
async def play""")
    assert found(deep).proved == ["one_in_a_place"]
    out = found(deep.replace("async def lay_aside(g: Game, c: Card) -> None:\n    put(c, g.row)",
                             "async def lay_aside(g: Game, c: Card) -> None:\n    put(c, g.place[3])"))
    assert not out.proved and {"play", "lay_aside"} & {b.function for b in out.failed["one_in_a_place"]}


@pytest.fixture(scope="module")
def shinso() -> Decks:
    return largest_game(load_book("shinso"), {})


def of_shinso(decks: Decks, rule: str = "", change: Callable[[int, ir.Instr], ir.Instr] | None = None) -> Kept:
    program = decks.program if change is None else changed(decks.program, rule, change)
    return Prover(marked(program), "one_card_in_a_slot", decks.owners, decks.first, 4).prove()


@pytest.mark.slow
def test_no_slot_of_shinso_holds_two_cards(shinso: Decks) -> None:
    out = of_shinso(shinso)
    assert out.proved == ["one_card_in_a_slot"] and not out.failed and out.pieces > 80


@pytest.mark.slow
def test_a_slot_that_is_offered_though_it_is_taken_is_not_proved_away(shinso: Decks) -> None:
    out = of_shinso(shinso, "empty_slots", lambda _, i: ir.Return(ir.Const(15)) if isinstance(i, ir.Return) else i)
    assert not out.proved and "play" in {b.function for b in out.failed["one_card_in_a_slot"]}
