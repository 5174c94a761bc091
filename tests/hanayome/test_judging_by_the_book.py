"""Plays about the approach that somebody who read the book beside the rules traced: what the book says of each is what comes about."""
from __future__ import annotations

from pathlib import Path

import pytest

from .test_by_the_book import ability, card, character, instead, played, wins_if

TURNS = "event.card == this and event.face == Face.{}"


def futaro(*abilities: dict[str, object]) -> dict[str, object]:
    return card("MY-H", "hero", *abilities, persons=["風太郎"], required_power=1)


@pytest.mark.parametrize("order", ["turn-player", "together"])
@pytest.mark.parametrize("face", ["DOWN", "UP"])
def test_something_else_may_happen_in_place_of_a_hero_s_turning_in_whatever_order(order: str, face: str, tmp_path: Path) -> None:  # 10.10.1, 9.4.3.1
    cards = [
        futaro(instead(TURNS.format(face), when="WouldTurn")),
        character("MY-SUITOR", 1), character("MY-WATCHER", 0, wins_if("any(g.card[h].face == Face.UP for h in heroes(g))")),
    ]  # fmt: skip
    place: dict[str, object] = {"hero_lane": {1: "MY-H"}, "first": {"lane": {1: ["MY-SUITOR"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place, ["Approach", "pass"], {"judge-order": order})
    assert won is (face == "DOWN")


@pytest.mark.parametrize("order", ["turn-player", "together"])
@pytest.mark.parametrize("answer", ["stops", "goes-on"])
def test_by_one_reading_nobody_becomes_a_bride_where_the_hero_was_not_turned(order: str, answer: str, tmp_path: Path) -> None:  # 9.4.3.2
    cards = [
        futaro(instead(TURNS.format("DOWN"), when="WouldTurn")), character("MY-SUITOR", 1), character("MY-WATCHER", 0, wins_if("len(g.brides[you]) == 1")),
    ]  # fmt: skip
    place: dict[str, object] = {"hero_lane": {1: "MY-H"}, "first": {"lane": {1: ["MY-SUITOR"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place, reading={"judge-order": order, "hero-not-flipped": answer})
    assert won is (answer == "goes-on")


def test_a_replacement_whose_text_finds_no_target_has_replaced_all_the_same(tmp_path: Path) -> None:  # 10.6.3.1.3, 10.10.1.1
    replaces = {**card("MY-H", "hero"), "persons": ["風太郎"], "required_power": 1, "テキスト": "【永続】この風太郎が裏になる時、かわりに相手は手札を1枚控え室に置く。"}
    cards = [replaces, character("MY-SUITOR", 1), character("MY-WATCHER", 0, wins_if("g.brides[you] and any(g.card[h].face == Face.UP for h in heroes(g))"))]
    place: dict[str, object] = {"hero_lane": {1: "MY-H"}, "first": {"lane": {1: ["MY-SUITOR"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place, reading={"no-target-scope": "whole"})
    assert won


@pytest.mark.parametrize("order", ["turn-player", "together"])
@pytest.mark.parametrize("won", [True, False])
def test_a_hero_that_was_won_is_turned_though_its_suitor_has_gone_meanwhile(order: str, won: bool, tmp_path: Path) -> None:  # 9.4.3, 9.4.3.1
    """In place of the first hero's turning the second one's suitor is called back; but a hero whose only suitor had failed stays as it is."""
    calls = "c = character_in(g, FIRST, 2)\nif c is not None:\n    move(g, c, g.hand[FIRST])\n"
    first = {**futaro(instead(TURNS.format("DOWN"), calls, "WouldTurn")), "id": "MY-H1"}
    turned = "any(g.card[h].face == Face.DOWN and zone_number(zone_of(h)) == 2 for h in heroes(g)) and len(g.hand[you]) == 1 and len(g.brides[you]) == 1"
    cards = [first, {**futaro(), "id": "MY-H2"}, character("MY-ONE", 1), character("MY-TWO", 1 if won else 0), character("MY-WATCHER", 0, wins_if(turned))]
    place: dict[str, object] = {
        "hero_lane": {1: "MY-H1", 2: "MY-H2"}, "first": {"lane": {1: ["MY-ONE"], 2: ["MY-TWO"], 5: ["MY-WATCHER"]}},
        "card": {"MY-ONE": {"approaches": "MY-H1"}, "MY-TWO": {"approaches": "MY-H2"}},
    }  # fmt: skip
    can_win, _ = played(tmp_path, "event-step", cards, place, reading={"judge-order": order})
    assert can_win is won


# ---------------------------------------------------------------- what may be played in the event step (9.3.2, 9.3.4)
@pytest.mark.parametrize(("kind", "also", "usable"), [("event", True, True), ("character", False, False)])
def test_by_one_reading_abilities_of_all_but_characters_are_played_in_the_event_step(kind: str, also: bool, usable: bool, tmp_path: Path) -> None:  # 12.3.2
    card_of_it = {**card("MY-CARD", kind, ability("activated", once_per_turn=True, text="await draw(g, you)")), "also_episode": also}
    cards = [card_of_it, character("MY-BEARER", 1), character("MY-WATCHER", 0, wins_if("len(g.hand[you]) == 1"))]
    lanes = {1: ["MY-CARD", "MY-BEARER"], 5: ["MY-WATCHER"]} if also else {1: ["MY-BEARER"], 2: ["MY-CARD"], 5: ["MY-WATCHER"]}
    place: dict[str, object] = {"first": {"lane": lanes}, "card": {"MY-CARD": {"set_on": "MY-BEARER"}} if also else {}}
    won, _ = played(tmp_path, "event-step", cards, place, reading={"activated-in-event-step": "also-abilities"})
    assert won is usable


@pytest.mark.parametrize("half", ["free", "action-decides"])
def test_by_one_reading_an_event_and_episode_is_played_in_the_event_step_as_either(half: str, tmp_path: Path) -> None:  # 10.6.2.2
    both_in_one = {**card("MY-BOTH", "event", ability("event", text="pass")), "also_episode": True, "icons": ["approach"]}
    cards = [both_in_one, character("MY-WATCHER", 0, wins_if("len(episodes_on(g, this)) == 1"))]
    place: dict[str, object] = {"first": {"hand": ["MY-BOTH"], "lane": {5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "event-step", cards, place, reading={"event-episode-half": half})
    assert won is (half == "free")
