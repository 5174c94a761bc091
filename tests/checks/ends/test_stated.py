"""What authors state of loops (`@decreases`): proved and then counted on, told where it is not shown, and without meaning in play."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.ends.proving import Found, places, proved_of
from rulewright.checks.ends.ranking import LEAVES, RISES, STAYS
from rulewright.model.engine.library import forget_books
from rulewright.model.ir.program import Program

from ..smt.small_game import game

BEGINNING = """
class Game(State):
    heap: Bag
    row: Bag
    hand: Per[Player, Bag]
    tired: Per[Card, bool]
    hits: Per[Card, Annotated[int, Range(0, 9)]]
    points: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    rounds: Annotated[int, Range(0, 9)]

@procedure
async def bid(g: Game, price: Annotated[int, Range(0, 5)]) -> None:
    while any(g.points[p] >= 2 for p in PLAYERS):
        p = await choose(FIRST, {p for p in PLAYERS if g.points[p] >= 2})
        g.points[p] -= 2  #: 1.1
        if g.points[other(p)] < 9:
            g.points[other(p)] += 1  #: 1.2

@procedure
async def attack(g: Game) -> None:
    while any(not g.tired[c] for c in g.row):
        c = await choose(FIRST, {c for c in g.row if not g.tired[c]})
        g.tired[c] = True
        if await may(FIRST):
            d = await choose(FIRST, g.row)
            again(g, d)

@step
def again(g: Game, d: Card) -> None:
    pass

@procedure
async def pass_on(g: Game) -> None:
    while any(g.hand[p] for p in PLAYERS):
        p = await choose(FIRST, {p for p in PLAYERS if g.hand[p]})
        c = await choose(p, g.hand[p])
        put(c, g.heap)
        if g.hand[p]:
            d = await choose(p, g.hand[p])
            put(d, g.hand[other(p)])

@procedure
async def pay(g: Game, who: Player) -> bool:
    await bid_once(g)
    return any(g.points[p] >= 2 for p in PLAYERS)

@procedure
async def bid_once(g: Game) -> None:
    p = await choose(FIRST, {p for p in PLAYERS if g.points[p] >= 2})
    g.points[p] -= 2
    if g.points[other(p)] < 9:
        g.points[other(p)] += 1

@procedure
async def wait(g: Game) -> None:
    while await may(FIRST):
        g.rounds += 1

@entry("main")
@procedure
async def main(g: Game) -> None:
    await bid(g, 2)
    await attack(g)
    await pass_on(g)
    await wait(g)
    if g.rounds == 3:
        await wait(g)
    await keep_acting(g, FIRST, act=pay)
"""
KERNEL = "from rulewright.model.kernel.windows import *\n"
IN_ALL = "sum(g.points[p] for p in PLAYERS)"
AWAKE = "len({c for c in g.row if not g.tired[c]})"


def program(*more: str, change: tuple[str, str] = ("", "")) -> Program:
    return game(KERNEL + BEGINNING.replace(*change) + "".join(more), {"light": {}, "heavy": {}})[0]


def says(rule: str, value: str, parameters: str = "", name: str = "left") -> str:
    return f"\n@decreases({rule})\ndef {name}(g: Game{parameters}) -> int:\n    return {value}\n"


def found(rule: str, *more: str, change: tuple[str, str] = ("", "")) -> Found:
    made = program(*more, change=change)
    return proved_of(made, next(p for p in places(made) if p.loop and p.rules[0].partition("[")[0] == rule))


def proved(rule: str, *more: str, change: tuple[str, str] = ("", "")) -> bool:
    """Is it proved, by what is stated?"""
    out = found(rule, *more, change=change)
    return out.proved and not out.doubts and all(q.kind == "stated" for _, q in out.levels)


@pytest.mark.parametrize("rule", ["bid", "attack", "pass_on", "keep_acting"])
def test_these_loops_are_not_proved_to_end_by_what_is_found_without_a_statement(rule: str) -> None:
    assert not found(rule).proved


def test_a_sum_of_counters_is_proved_to_go_down() -> None:
    assert proved("bid", says("bid", IN_ALL))
    assert proved("bid", says("bid", "3 * g.points[FIRST] + 3 * g.points[SECOND] - price", ", price: Annotated[int, Range(0, 5)]"))


def test_what_may_go_up_is_told_with_the_clauses_on_the_way() -> None:
    out = found("bid", says("bid", "g.points[FIRST]"))
    assert not out.proved
    assert [(d.why, d.clauses, d.quantity.what[0]) for d in out.doubts] == [(RISES, ("1.1", "1.2"), "left")]


def test_what_stays_as_it_is_in_every_round_is_told() -> None:
    out = found("bid", says("bid", "len(g.heap)"))
    assert not out.proved and [d.why for d in out.doubts] == [STAYS]


def test_a_number_that_goes_down_only_until_play_exceeds_a_bound_proves_nothing() -> None:
    out = found("wait", says("wait", "9 - g.rounds"))
    assert not out.proved and [d.why for d in out.doubts] == [LEAVES]
    assert proved("wait", says("wait", "9 - g.rounds"), change=("while await may(FIRST):", "while g.rounds < 9:"))


def test_how_many_cards_are_awake_goes_down_however_many_others_there_are() -> None:
    for value in (AWAKE, "sum(1 for c in CARDS if not g.tired[c])", f"2 * {AWAKE} + g.points[FIRST]", "len(g.row - {c for c in CARDS if g.tired[c]})"):
        assert proved("attack", says("attack", value))
    for step in ("g.tired[d] = True", "put(d, g.heap)", "for c in g.row:\n        g.tired[c] = True"):
        assert proved("attack", says("attack", AWAKE), change=("d: Card) -> None:\n    pass", f"d: Card) -> None:\n    {step}"))


@pytest.mark.parametrize("step", [
    "g.tired[d] = False", "for c in g.row:\n        g.tired[c] = False", "for c in g.heap:\n        put(c, g.row)",
    "for c in CARDS:\n        g.tired[c] = g.hits[c] > 0"])
def test_what_wakes_any_card_again_proves_nothing(step: str) -> None:
    change = ("d: Card) -> None:\n    pass", f"d: Card) -> None:\n    {step}")
    assert [d.why for d in found("attack", says("attack", AWAKE), change=change).doubts] == [RISES]


@pytest.mark.parametrize("value", [f"0 - {AWAKE}", f"min(3, {AWAKE})", f"{AWAKE} * {AWAKE}", f"sum({AWAKE} for c in g.row)", "len(g.row)", "sum(g.hits[c] for c in CARDS)"])
def test_what_is_made_of_a_count_in_other_ways_proves_nothing(value: str) -> None:
    assert not found("attack", says("attack", value)).proved


def test_whether_any_is_awake_is_no_count() -> None:
    assert not found("attack", says("attack", f"1 if {AWAKE} > 0 else 0")).proved
    assert not found("attack", says("attack", "1 if any(not g.tired[c] for c in g.row) else 0")).proved


def test_cards_in_both_hands_go_down_where_one_of_two_goes_from_hand_to_hand() -> None:
    assert proved("pass_on", says("pass_on", "sum(len(g.hand[p]) for p in PLAYERS)"))
    assert not proved("pass_on", says("pass_on", "len(g.hand[FIRST])"))
    assert not proved("pass_on", says("pass_on", "sum(len(g.hand[p]) for p in PLAYERS)"), change=("put(c, g.heap)", "put(c, g.hand[other(p)])"))


def test_statements_are_compared_in_the_order_of_the_text() -> None:
    change = ("g.tired[c] = True", "if g.hits[c] < 9:\n            g.hits[c] += 1\n        else:\n            g.tired[c] = True\n            g.hits[c] = 0")
    hits = "sum(9 - g.hits[c] for c in CARDS)"
    assert proved("attack", says("attack", AWAKE), says("attack", hits, name="further"), change=change)
    assert [d.why for d in found("attack", says("attack", hits), says("attack", AWAKE, name="further"), change=change).doubts] == [RISES]
    out = found("attack", says("attack", AWAKE), change=change)
    assert not out.proved and not out.doubts  # it holds, and some rounds are left


def test_a_rule_of_the_kernel_can_be_spoken_of() -> None:
    assert proved("keep_acting", says("keep_acting", IN_ALL))
    assert not proved("keep_acting", says("keep_acting", "g.points[FIRST]"))


def test_what_is_false_takes_nothing_from_what_is_found_without_it() -> None:
    rounds = ("while await may(FIRST):", "while g.rounds < 9:")
    assert found("wait", change=rounds).proved
    out = found("wait", says("wait", "g.rounds"), change=rounds)
    assert out.proved and [d.why for d in out.doubts] == [RISES]


def test_what_is_stated_has_no_meaning_in_play() -> None:
    plain, said = program(), program(says("bid", IN_ALL))
    assert said.functions == plain.functions and "left" in said.aside
    unread = ("    rounds:", "    stamp: Annotated[int, Range(0, 9)]\n    rounds:")
    counts = says("bid", "g.stamp"), "\n@step\ndef count(g: Game) -> None:\n    g.stamp += 1\n"
    assert set(program(*counts, change=unread).unread) == set(program(counts[1], change=unread).unread) == {"stamp"}


# ---------------------------------------------------------------- as a user sees it
FILES = {
    "clauses.yaml": """book: mine
edition: "1"
clauses:
  - {id: "1.1", kind: procedure, ja: 攻撃する。, en: An attack.}
  - {id: "1.2", kind: procedure, ja: 起こす。, en: Waking.}
""",
    "readings.yaml": "book: mine\nreadings: []\n",
    "cards.yaml": "cards:\n  - {id: A, name: {ja: あ, en: A}}\n",
    "scenarios/game.yaml": """book: mine
id: game
title: {ja: 対戦, en: a game}
position:
  first: {hand: [A x3]}
  second: {hand: [A x3]}
""",
    "rules/game.py": '''from rulewright.model.lang import *

class Printed(Definition):
    of: bool = False

class Game(State):
    turn_player: Player
    hand: Per[Player, Bag]
    tired: Per[Card, bool]

@entry("setup")
@procedure(scope=Scope.PHASE)
async def attacks(g: Game) -> None:
    """One attack after another."""
    while any(not g.tired[c] for c in CARDS):
        c = await choose(FIRST, {c for c in CARDS if not g.tired[c]})  #: 1.1
        g.tired[c] = True  #: 1.1

@decreases(attacks)
def awake(g: Game) -> int:
    """Cards that have not attacked."""
    return len({c for c in CARDS if not g.tired[c]})
''',
}


def told(folder: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str] = ("", "")) -> str:
    for name, text in FILES.items():
        file = folder / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(*change) if name == "rules/game.py" else text, encoding="utf-8")
    forget_books()
    assert main(["check", "mine", "--only", "ends", "--books", str(folder), "--lang", "en"]) in (0, 1)
    return " ".join(capsys.readouterr().out.split())


def test_a_phase_is_told_to_be_proved_by_what_is_stated_and_where_that_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(tmp_path, capsys)
    assert "Phase attacks: proved to end (loops: 1)" in said
    assert "on each way round goes down: awake (stated, awake:22)" in said and "not shown: awake" not in said


def test_what_is_not_shown_is_told_with_its_place_and_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(tmp_path, capsys, ("g.tired[c] = True  #: 1.1", """g.tired[c] = True  #: 1.1
        if await may(SECOND):
            g.tired[c] = False  #: 1.2
            for d in CARDS:
                g.tired[d] = False  #: 1.2"""))
    assert "Not proved: phase attacks; what stands in the way" in said
    assert "Not shown: awake (stated, awake:26), stated of the loop of attacks (attacks:15) [1.1 1.2]: it may go up on a way round: 1.1 → 1.2" in said
