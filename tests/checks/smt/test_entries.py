"""What each entry of a multiset is: small games that are provable only with it, beside the nearest that break."""
from __future__ import annotations

import pytest

from rulewright.checks.smt.each import prove_each
from rulewright.checks.smt.prover import ALONE, ENTRIES, Prover
from rulewright.checks.smt.queries.keeping import Decks, largest_game
from rulewright.checks.smt.results import Kept
from rulewright.checks.smt.sorts import marked
from rulewright.model.engine.library import load_book

from .small_game import beginning, game, proved

SORTS = {"light": {"weight": "1"}, "heavy": {"weight": "2"}}

WAITING = """
class Printed(Definition):
    weight: Annotated[int, Range(1, 2)]

class Due(Record):
    card: Card
    times: Annotated[int, Range(0, 3)]

class Game(State):
    heap: Bag
    row: Bag
    shelf: Bag
    due: Multiset[Due]

@invariant
def only_heavy_ones_lie_on_the_shelf(g: Game) -> bool:
    return all(zone_of(c) != g.shelf or Printed(c).weight == 2 for c in CARDS)

@step
def all_of_the_row(g: Game, again: Card) -> None:
    for c in CARDS:
        if zone_of(c) == g.row and Printed(c).weight == 2:
            g.due.add(Due(c, 1))

@step
def once_more(g: Game, d: Due) -> None:
    g.due.remove(d)
    if d.times > 0:
        g.due.add(Due(d.card, d.times - 1))

@procedure
async def carry_out(g: Game, d: Due) -> None:
    once_more(g, d)
    put(d.card, g.shelf)

@entry("main")
@procedure
async def main(g: Game) -> None:
    while True:
        c = await choose(FIRST, {c for c in g.heap})
        put(c, g.row)
        if Printed(c).weight == 2:
            g.due.add(Due(c, 0))
        all_of_the_row(g, c)
        if len(g.due) > 0:
            d = await choose(FIRST, {d for d in g.due})
            await carry_out(g, d)
"""


def found(rules: str, entries: bool = True) -> Kept:
    return proved(rules, SORTS, "only_heavy_ones_lie_on_the_shelf", ENTRIES if entries else ALONE)


def test_what_waits_is_known_to_be_what_came_to_wait() -> None:
    out = found(WAITING)
    assert out.proved and not out.failed and not out.reason
    alone = found(WAITING, entries=False)
    assert not alone.proved and [b.function for b in alone.failed["only_heavy_ones_lie_on_the_shelf"]] == ["carry_out"]


@pytest.mark.parametrize(("before", "after"), [
    ("        if Printed(c).weight == 2:\n            g.due", "        if True:\n            g.due"),
    (" and Printed(c).weight == 2:\n            g.due.add(Due(c, 1))", ":\n            g.due.add(Due(c, 1))"),
    ("            g.due.add(Due(c, 1))", "            g.due.add(Due(again, 1))"),
    ("    put(d.card, g.shelf)", "    c = await choose(FIRST, {c for c in g.heap})\n    put(c, g.shelf)"),
    ("    put(d.card, g.shelf)", "    put(d.card, g.shelf)\n    for c in g.heap:\n        put(c, g.shelf)"),
], ids=["any card waits", "any card of a loop waits", "another card than that of the round waits", "another card is carried out",
        "others go along"])
def test_what_is_not_so_of_some_entry_is_not_believed(before: str, after: str) -> None:
    rules = WAITING.replace(before, after)
    assert rules != WAITING
    out = found(rules)
    assert not out.proved and out.failed and not out.reason


def test_what_each_entry_is_is_tried_where_statements_about_calls_do_not_do() -> None:
    program, owners = game(WAITING, SORTS)
    name = "only_heavy_ones_lie_on_the_shelf"
    assert prove_each(program, owners, beginning(program), 60)[name].proved == [name]


@pytest.fixture(scope="module")
def sakura() -> Decks:
    return largest_game(load_book("sakura"), {})


@pytest.mark.slow
def test_only_trumps_lie_among_the_trumps_of_sakura(sakura: Decks) -> None:
    name = "only_trumps_lie_among_the_trumps"
    out = Prover(marked(sakura.program), name, sakura.owners, sakura.first, 4, extent=ENTRIES).prove()
    assert out.proved == [name] and not out.failed and out.pieces > 50
