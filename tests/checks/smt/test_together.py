"""Conditions that need each other, shown together, with what the cards that break one refer to: a small game that is provable so, beside the nearest
that break."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rulewright.checks.smt.each import prove_each
from rulewright.checks.smt.prover import ALONE, TOGETHER, Prover
from rulewright.checks.smt.queries.keeping import Decks, largest_game
from rulewright.checks.smt.results import Kept
from rulewright.checks.smt.sorts import marked
from rulewright.checks.smt.universal import needed
from rulewright.model.engine.library import load_book
from rulewright.model.ir import nodes as ir

from .small_game import beginning, game, proved
from .test_prover import changed

SORTS = {"light": {"heavy": "no"}, "heavy": {"heavy": "yes"}}
CAP = "one_leads"
LEMMAS = ["who_follows_stands_with_it", "who_is_followed_leads"]

FOLLOWING = """
class Printed(Definition):
    heavy: bool

class OnCard(Record):
    after: Option[Obj] = None

class Game(State):
    heap: Bag
    row: Per[Player, Bag]
    past: Bag
    card: Per[Card, OnCard]

@define
def leads(g: Game, card: Card) -> bool:
    return zone_of(card) in g.row and g.card[card].after is None

@define
def stands_with(card: Card, other: Option[Obj]) -> bool:
    return other is None or zone_of(card) == zone_of(other)

@define
def is_none_or_leads(g: Game, card: Option[Obj]) -> bool:
    return card is None or leads(g, card)

@invariant
def one_leads(g: Game) -> bool:
    return all(len({c for c in g.row[p] if g.card[c].after is None}) <= 1 for p in PLAYERS)

@invariant
def who_follows_stands_with_it(g: Game) -> bool:
    return all(stands_with(c, g.card[c].after) for c in CARDS)

@invariant
def who_is_followed_leads(g: Game) -> bool:
    return all(is_none_or_leads(g, g.card[c].after) for c in CARDS)

@step
def throw_away(g: Game, card: Card) -> None:
    renew(card)
    g.card[card] = OnCard()
    put(card, g.past)

@step
def follow(g: Game, card: Card, leader: Card) -> None:
    if zone_of(card) == g.heap and leads(g, leader):
        put(card, zone_of(leader))
        g.card[card].after = leader

@step
def part(g: Game, leader: Card) -> None:
    for c in g.row[FIRST]:
        if g.card[c].after == leader:
            throw_away(g, c)

@procedure
async def begin(g: Game, p: Player) -> None:
    c = await choose(p, {c for c in g.heap})
    put(c, g.row[p])

@procedure
async def wait(g: Game) -> None:
    c = await choose(FIRST, {c for c in g.heap})
    throw_away(g, c)

@entry("main")
@procedure
async def main(g: Game) -> None:
    for p in (FIRST, SECOND):
        await begin(g, p)
    while True:
        a = await choose(FIRST, {c for c in CARDS})
        b = await choose(FIRST, {c for c in CARDS})
        follow(g, a, b)
        await wait(g)
        c = await choose(FIRST, {c for c in g.row[FIRST] if leads(g, c)})
        part(g, c)
"""


def together(rules: str) -> Kept:
    return proved(rules, SORTS, CAP, TOGETHER)


def test_conditions_that_need_each_other_are_shown_together() -> None:
    out = together(FOLLOWING)
    assert sorted(out.proved) == sorted([CAP, *LEMMAS]) and not out.failed and not out.reason
    assert out.few == 4, "two that break it, and whom these follow"
    assert not proved(FOLLOWING, SORTS, CAP, ALONE).proved


@pytest.mark.parametrize(("before", "after"), [
    ("    if zone_of(card) == g.heap and leads(g, leader):", "    if zone_of(card) == g.heap:"),
    ("    if zone_of(card) == g.heap and leads(g, leader):", "    if leads(g, leader):"),
    ("    c = await choose(FIRST, {c for c in g.heap})\n    throw_away(g, c)", "    c = await choose(FIRST, {c for c in CARDS})\n    throw_away(g, c)"),
    ("        if g.card[c].after == leader:\n            throw_away(g, c)", "        if g.card[c].after is None:\n            throw_away(g, c)"),
    ("        await begin(g, p)\n", "        await begin(g, p)\n    await begin(g, FIRST)\n"),
    ("        await begin(g, p)\n", "        await begin(g, FIRST)\n"),
    ("    put(c, g.row[p])\n", "    put(c, g.row[other(p)])\n    d = await choose(p, {c for c in g.heap})\n    put(d, g.row[p])\n"),
], ids=["it follows anything", "anything follows", "a leader is thrown away", "the leader parts, not who follows it",
        "a third one begins", "the same begins twice", "each begins for both"])
def test_what_is_not_kept_is_not_proved_by_assuming_it(before: str, after: str) -> None:
    rules = FOLLOWING.replace(before, after)
    assert rules != FOLLOWING
    out = together(rules)
    assert not out.proved and CAP in out.failed and not out.reason


def test_a_condition_that_fails_is_not_assumed_for_the_others() -> None:
    """That nobody follows anybody is false: with it anything could be thrown away."""
    false = FOLLOWING.replace("@step\ndef throw_away", """@invariant
def nobody_follows(g: Game) -> bool:
    return all(g.card[c].after is None for c in CARDS)

@step
def throw_away""")
    out = together(false)
    assert sorted(out.proved) == sorted([CAP, *LEMMAS]) and set(out.failed) == {"nobody_follows"}
    stays = FOLLOWING.replace("        put(card, zone_of(leader))\n", "")
    assert stays != FOLLOWING
    out = together(stays)
    assert sorted(out.proved) == [CAP, LEMMAS[1]] and set(out.failed) == {LEMMAS[0]}
    thrown = false.replace("    c = await choose(FIRST, {c for c in g.heap})\n    throw_away(g, c)",
                           "    c = await choose(FIRST, {c for c in CARDS})\n    throw_away(g, c)")
    assert thrown != false
    assert not together(thrown).proved


def test_what_one_way_fails_on_is_tried_together() -> None:
    program, owners = game(FOLLOWING, SORTS)
    found = prove_each(program, owners, beginning(program), 300, 5)
    assert all(name in found[name].proved for name in (CAP, *LEMMAS))


def test_to_ask_whether_there_is_a_card_comes_to_no_card() -> None:
    program, _ = game(FOLLOWING, SORTS)
    assert [needed(marked(program), x) for x in (CAP, *LEMMAS)] == [2, 2, 2]


@pytest.fixture(scope="module")
def ts_fight() -> Decks:
    return largest_game(load_book("ts_fight"), {})


def of_ts_fight(decks: Decks, rule: str = "", change: Callable[[int, ir.Instr], ir.Instr] | None = None) -> Kept:
    program = decks.program if change is None else changed(decks.program, rule, change)
    seconds = 20 if change is None else 4  # what is not proved may rest on a question too hard
    return Prover(marked(program), "one_pl_character", decks.owners, decks.first, seconds, extent=TOGETHER).prove()


@pytest.mark.slow
def test_no_pl_zone_of_ts_fight_holds_two_characters(ts_fight: Decks) -> None:
    out = of_ts_fight(ts_fight)
    assert set(out.proved) == {"one_pl_character", "every_card_lies_with_its_character", "cards_lie_on_characters"}
    assert not out.failed and not out.reason and out.pieces > 40


@pytest.mark.slow
def test_two_pl_characters_of_one_player_are_not_proved_away(ts_fight: Decks) -> None:
    """Both are placed in the first player's zone."""
    out = of_ts_fight(ts_fight, "place_pl", lambda _, i: replace(i, zone=replace(i.zone, a=ir.Const(0))) if isinstance(i, ir.Put) and isinstance(i.zone, ir.Binary) else i)
    assert not out.proved and not out.reason
    assert "place_pl" in {b.function for b in out.failed["one_pl_character"]}
