"""How a book goes through what waits, and what comes of the order of two abilities: that the other is not dealt with any more, too."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.smt.queries.orders.all_pairs import ask

from .small_books import own_book

RULES = '''from rulewright.model.lang import *

class Printed(Definition):
    abilities: Set[Ability]

class Says(Definition):
    of: Any

class Waiting(Record):
    ability: Ability
    this: Option[Obj]
    whose: Player
    cause: Cause

class Out(Signal):
    """Nothing more is dealt with."""

class Moved(Event):
    card: Option[Obj]

class Game(State):
    turn_player: Player
    hand: Per[Player, Bag]
    away: Bag
    n: Annotated[int, Range(0, 9)] = 5
    x: bool
    y: bool
    waiting: Multiset[Waiting]

@known_as("master")
@define
def master(g: Game, c: Card) -> Option[Player]:
    return zone_player(zone_of(c))

@step
def move(g: Game, c: Card) -> None:
    put(c, g.away)
    emit(Moved(c))

@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    g.waiting.add(Waiting(ability, card, owner(card), cause))

@procedure
async def play_waiting(g: Game) -> None:
    while g.waiting:
        w = await choose(OPEN("1.1"), {w for w in g.waiting})
        g.waiting.remove(w)
        try:
            await run_text(g, w.ability, w.this, w.whose, w.cause)  #: 1.1
        except Out:
            g.x = g.x

@entry("setup")
@procedure
async def main(g: Game) -> None:
    while g.hand[g.turn_player]:
        c = await choose(g.turn_player, g.hand[g.turn_player])
        move(g, c)
        await play_waiting(g)
    finish(g.turn_player if g.n > 4 or g.x else None)
'''
CARD = "  - {{id: C{k}, name: {{ja: 札{k}, en: Card {k}}}, abilities: [{{when: Moved, if: event.card is not None, text: \"{text}\"}}]}}\n"
SETS_X, SETS_Y, OUT, SHRINKS = "g.x = True", "g.y = True", "raise Out", "g.n = 0"
CLEARED = "            g.x = g.x\n", "            g.waiting.clear()\n"
PASSED = "            g.x = g.x\n", "            pass\n"
ONE_ONLY = "g.waiting.remove(w)", "g.waiting.clear()"
LAST_ONLY = "        try:\n            await run_text(", "        try:\n            if not g.waiting:\n                await run_text("
EACH = "        try:\n            await run_text(", "        try:\n            if not g.waiting or g.waiting:\n                await run_text("

NOT_THE_LAST = "while g.waiting:", "while len(g.waiting) > 1:"
ANY = "while g.waiting:", "while any(w.whose in PLAYERS for w in g.waiting):"


@pytest.mark.parametrize(("change", "one", "other", "matters"), [
    (CLEARED, OUT, SHRINKS, True), (PASSED, OUT, SHRINKS, False),  # a signal takes away what waits, or it is caught and play goes on
    (CLEARED, SETS_X, SETS_Y, False),  # a signal that none of the two raises
    (ONE_ONLY, SETS_X, SETS_Y, True), (PASSED, SETS_X, SETS_Y, False),  # one of those that wait is dealt with, or all are
    (LAST_ONLY, SETS_X, SETS_Y, True), (EACH, SETS_X, SETS_Y, False),  # the last, or each
    (NOT_THE_LAST, SETS_X, SETS_Y, True), (ANY, SETS_X, SETS_Y, False),  # all but the last, or all
])
def test_the_order_matters_where_the_other_is_not_dealt_with_any_more(change: tuple[str, str], one: str, other: str, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULES.replace(*change)
    assert rules != RULES
    own_book(tmp_path, monkeypatch, rules, "".join(CARD.format(k=k, text=text) for k, text in enumerate((one, other))))
    assert bool(ask("mine", {}).findings) == matters


HERE, BACK = "g.away", "if this is not None: put(this, g.hand[SECOND])"


@pytest.mark.parametrize("when", [
    f"all(c in {HERE} for c in CARDS)", f"any(c not in {HERE} for c in CARDS)", f"{{c for c in CARDS if zone_of(c) == {HERE}}} == CARDS"])
def test_all_cards_are_those_that_are_there(when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the cards of the world that is asked about only some are in the game of a pair."""
    for text, matters in ((f"if {when}: g.x = True", True), (f"if {when} or g.turn_player in PLAYERS: g.x = True", False)):
        own_book(tmp_path, monkeypatch, RULES, "".join(CARD.format(k=k, text=x) for k, x in enumerate((text, BACK), 1)))
        assert bool(ask("mine", {}).findings) == matters


@pytest.mark.parametrize(("when", "matters"), [
    ("len(CARDS) == 2", True), ("all(c in g.away for c in CARDS)", True),
    ("len(CARDS) > len(g.away) + len(g.hand[FIRST]) + len(g.hand[SECOND])", False)])
def test_what_can_come_to_wait_does_so_in_a_game_of_the_cards_that_are_there(when: str, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULES.replace("    g.waiting.add(", f"    if {when}:\n        g.waiting.add(")
    own_book(tmp_path, monkeypatch, rules, "".join(CARD.format(k=k, text=text) for k, text in enumerate(("g.n = 1", "g.n = 2"))))
    result = ask("mine", {})
    assert (bool(result.findings), [x.count for x in result.examined[:1]]) == (matters, [2 if matters else 0])


PICKS, ROUND = "x = await choose(you, {0, 4})\\ng.n = x", "while g.n == 0:\\n    yes = await may(you)\\n    if yes:\\n        return"


def test_one_may_go_round_for_ever_in_one_order_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes round more often than is followed is not told to be the same."""
    own_book(tmp_path, monkeypatch, RULES, "".join(CARD.format(k=k, text=text) for k, text in enumerate((PICKS, ROUND))))
    result = ask("mine", {})
    assert len(result.findings) == 1 and not result.bounds.complete
    assert any("may go round so often" in x.en for x in result.bounds.notes)


# ---------------------------------------------------------------- only a third card leads to where the two are taken
REPLACED = (RULES.replace("    of: Any\n", "    of: Any\n    instead: bool = False\n").replace("    y: bool\n", "    y: bool\n    instead: Multiset[Waiting]\n")
            .replace("    g.waiting.add(", "    if Says(ability).instead:\n        g.instead.add(Waiting(ability, card, owner(card), cause))\n    else:\n        g.waiting.add(") + '''
class Going(Event):
    card: Option[Obj]

@procedure
async def leave(g: Game, c: Card) -> None:
    emit(Going(c))
    if g.instead:
        w = await choose(OPEN("1.1"), g.instead)
        g.instead.clear()
        await run_text(g, w.ability, w.this, w.whose, w.cause)  #: 1.1
    else:
        move(g, c)
''')
INSTEAD = "  - {{id: C{k}, name: {{ja: 札{k}, en: Card {k}}}, abilities: [{{instead: yes, when: Going, text: \"{text}\"}}]}}\n"
LEAVES = "  - {id: C2, name: {ja: 札2, en: Card 2}, abilities: [{when: Moved, text: \"if event.card is not None: await leave(g, event.card)\"}]}\n"


def test_what_only_a_third_card_leads_to_is_told_as_undecided_for_the_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "".join(INSTEAD.format(k=k, text=text) for k, text in enumerate((SETS_X, SHRINKS)))
    own_book(tmp_path, monkeypatch, REPLACED, cards + LEAVES)
    (note,) = [x for x in ask("mine", {}).bounds.notes if x.ja.startswith("判定できず")]
    assert "play does not come to where they are resolved" in note.en
    assert "それらを処理する所に来ない" in note.ja and "insteadの C0/1 と C1/1" in note.ja
