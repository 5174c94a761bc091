"""What is said of procedures, kind by kind: a small game whose condition is provable only by that kind, beside the nearest one in
which it breaks."""
from __future__ import annotations

import pytest

from rulewright.checks.smt import prover

from .small_game import proved

SORTS = {"light": {"heavy": "no"}, "heavy": {"heavy": "yes"}}

PICKED = """
class Printed(Definition):
    heavy: bool

class Game(State):
    heap: Bag
    box: Bag
    hand: Per[Player, Bag]

@invariant
def box_is_light(g: Game) -> bool:
    return all(not Printed(c).heavy for c in g.box)

@step
def lay(g: Game, card: Option[Card], where: Zone) -> None:
    if card is not None:
        put(card, where)

@procedure
async def pick(who: Player, among: Set[Card]) -> {gives}:
    c = await choose(who, among)
    return c

@procedure
async def pick_or_not(g: Game, who: Player, among: Set[Card]) -> {gives}:
    c = await pick(who, among)
    return c

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        c = await pick_or_not(g, FIRST, {{x for x in g.heap if not Printed(x).heavy}})
        d = await pick_or_not(g, SECOND, {{x for x in g.heap}})
        lay(g, c, g.box)
        lay(g, d, g.{to})
"""


@pytest.mark.parametrize("gives", ["Card", "Option[Obj]"])
def test_what_a_procedure_picks_is_one_of_the_cards_it_is_given(gives: str) -> None:
    """Of `pick` by itself nothing is known: the other caller lets it choose heavy cards."""
    rules = PICKED.format(gives=gives, to="hand[SECOND]")
    assert proved(rules, SORTS, "box_is_light").proved == ["box_is_light"]
    found = proved(PICKED.format(gives=gives, to="box"), SORTS, "box_is_light")
    assert not found.proved and "main" in {b.function for b in found.failed["box_is_light"]}


def test_a_procedure_that_gives_another_card_is_not_believed() -> None:
    other = PICKED.format(gives="Card", to="hand[SECOND]").replace("c = await choose(who, among)", "c = await choose(who, CARDS)", 1)
    assert not proved(other, SORTS, "box_is_light").proved


BESIDE = """
class Printed(Definition):
    heavy: bool

Lane = Annotated[int, Range(1, 3)]
LANES = Range(1, 3)

class Game(State):
    heap: Bag
    row: Bag
    place: Per[Lane, Bag]

@invariant
def one_in_a_place(g: Game) -> bool:
    return all(len(g.place[n]) <= 1 for n in LANES)

@procedure
async def lay(g: Game, card: Card, on: Card) -> None:
    put(card, zone_of(on))

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        card = await choose(FIRST, {c for c in g.heap})
        on = await choose(FIRST, {c for c in %s})
        await lay(g, card, on)
        n = await choose(FIRST, {m for m in LANES if len(g.place[m]) == 0})
        put(card, g.place[n])
"""


def test_the_card_that_a_piece_is_about_is_followed_beside_those_that_break_the_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards break the cap, and where a third lies it has to be known."""
    assert proved(BESIDE % "g.row", SORTS, "one_in_a_place").proved == ["one_in_a_place"]
    monkeypatch.setattr(prover, "FAILING", 0)
    found = proved(BESIDE % "g.row", SORTS, "one_in_a_place")
    assert [b.function for b in found.failed["one_in_a_place"]] == ["lay"]


def test_a_card_that_may_lie_in_the_place_is_not_believed_to_lie_elsewhere() -> None:
    for lying in ("CARDS", "g.place[1] | g.row"):
        found = proved(BESIDE % lying, SORTS, "one_in_a_place")
        assert not found.proved and "lay" in {b.function for b in found.failed["one_in_a_place"]}


def test_a_card_found_on_the_way_is_not_believed_to_be_followed() -> None:
    """Which card a step comes to is no parameter: two cards may be laid where a third lies."""
    swept = (BESIDE % "g.row").replace("    put(card, zone_of(on))", "    beside_all(g, card)").replace(
        "@procedure\nasync def lay", """@step
def beside_all(g: Game, card: Card) -> None:
    for c in CARDS:
        if zone_of(c) in g.place:
            put(card, zone_of(c))

@procedure
async def lay""")
    assert not proved(swept, SORTS, "one_in_a_place").proved


WORN = """
class Printed(Definition):
    heavy: bool

class Game(State):
    heap: Bag
    box: Bag
    tokens: Per[Card, Annotated[int, Range(0, 5)]]
    dust: Annotated[int, Range(0, 30)]

@invariant
def tokens_lie_in_the_box(g: Game) -> bool:
    return all(g.tokens[c] == 0 or zone_of(c) == g.box for c in CARDS)

@step
def change(g: Game, card: Option[Card], by: int) -> None:
    if card is None:
        g.dust += by
    else:
        g.tokens[card] += by

@step
def shift(g: Game, src: Option[Card], to: Option[Card]) -> None:
    change(g, src, -1)
    change(g, to, 1)

@step
def wear_off(g: Game, to: Option[Card]) -> None:
    with simultaneously():
        for c in g.box:
            shift(g, c, {to})

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        c = await choose(FIRST, {{x for x in g.heap}})
        put(c, g.box)
        shift(g, None, c)
        d = await choose(FIRST, {{x for x in CARDS}})
        wear_off(g, d)
"""


def test_a_step_that_is_given_no_card_writes_to_none() -> None:
    """In a loop over cards that are not followed, too: what is taken from each goes nowhere but to a number."""
    assert proved(WORN.format(to="None"), SORTS, "tokens_lie_in_the_box").proved == ["tokens_lie_in_the_box"]
    found = proved(WORN.format(to="to"), SORTS, "tokens_lie_in_the_box")
    assert not found.proved and found.failed


NOTED = """
Lane = Annotated[int, Range(1, 3)]
LANES = Range(1, 3)

class Game(State):
    heap: Bag
    box: Bag
    noted: Per[Lane, Set[Card]]

@invariant
def noted_lie_in_the_box(g: Game) -> bool:
    return all(zone_of(c) == g.box or all(c not in g.noted[n] for n in LANES) for c in CARDS)

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        n = await choose(FIRST, LANES)
        c = await choose(FIRST, g.heap)
        put(c, g.box)
        g.noted[n] |= {{c}}
        m = await choose(FIRST, LANES)
        d = await choose(FIRST, g.box)
        with simultaneously():
            put(d, g.heap)
            {forgets}
"""


@pytest.mark.parametrize(("forgets", "holds"), [
    ("for k in LANES:\n                g.noted[k] -= {d}", True),
    ("for k in LANES:\n                g.noted[k] = g.noted[k] - {d}", True),
    ("g.noted[m] -= {d}", False),  # from one row, and it may stand in another
    ("for k in LANES:\n                g.noted[k] -= {c}", False),
    ("for k in LANES:\n                g.noted[k] |= {d}", False),
])
def test_a_card_that_is_taken_out_of_every_set_of_a_row_is_in_none(forgets: str, holds: bool) -> None:
    found = proved(NOTED.format(forgets=forgets), {"light": {}, "heavy": {}}, "noted_lie_in_the_box")
    assert bool(found.proved) == holds and bool(found.failed) != holds
