"""Plays with texts in the book's phrases, and of the rules behind them, that somebody who read the book beside them traced."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.runs import session

from .test_by_the_book import ability, card, character, event, played, wins_if


def says(ident: str, kind: str, text: str, **more: object) -> dict[str, object]:
    return {**card(ident, kind, **more), "テキスト": text}


def watcher(holds: str) -> dict[str, object]:
    return character("MY-WATCHER", 0, wins_if(holds))


# ---------------------------------------------------------------- to whose zone (4.1.6, 4.7.3)
@pytest.mark.parametrize(("to", "zone"), [("デッキの上に置く", "hero_deck"), ("控え室に置く", "waiting_room"), ("手札に加える", "hand"), ("花嫁エリアに置く", "brides")])
@pytest.mark.parametrize("reading", ["owner", "effect-master"])
def test_a_hero_goes_to_the_hero_deck_in_use_and_elsewhere_as_is_read_of_cards_without_a_master(to: str, zone: str, reading: str, tmp_path: Path) -> None:
    whose = "SECOND" if reading == "effect-master" and zone != "hero_deck" else "FIRST"
    text = f"if any(Printed(c).kind == Kind.HERO for c in g.{zone}[{whose}]):\n    win_game(g, FIRST)\n"
    cards = [
        says("MY-ACTS", "character", f"【自動】メインフェイズの始めに、主人公1枚を選び、{to}。", persons=["三玖"], power=0),
        character("MY-WATCHER", 0, ability("auto", at_turn_end="any", text=text)),
    ]
    place: dict[str, object] = {
        "turn_player": "second", "hero_lane": {1: "H-1"}, "first": {"lane": {5: ["MY-WATCHER"]}}, "second": {"lane": {2: ["MY-ACTS"]}},
    }  # fmt: skip
    won, _ = played(tmp_path, "main-phase", cards, place, None, {"masterless-card-goes-to": reading})
    assert won


@pytest.mark.parametrize("choice", ["相手のキャラ1人を選び", "相手のキャラ2人まで選び"])
def test_several_cards_go_to_their_masters_zones_as_one_does(choice: str, tmp_path: Path) -> None:
    cards = [says("MY-EVENT", "event", f"【メイン】{choice}、手札に加える。"), watcher("len(g.hand[other(you)]) > 0")]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {5: ["MY-WATCHER"]}}, "second": {"lane": {1: ["C-STUDY"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place)
    assert won


@pytest.mark.parametrize("choice", ["相手のキャラ1人を選び", "相手のキャラ2人まで選び"])
def test_several_cards_of_another_owner_s_go_to_their_master_s_waiting_room_as_one_does(choice: str, tmp_path: Path) -> None:
    lends = "mine = character_in(g, you, 1)\nyours = character_in(g, other(you), 1)\nif mine is not None and yours is not None:\n    exchange(g, mine, yours)\n"
    cards = [
        event("MY-LENDS", "main", lends), says("MY-EVENT", "event", f"【メイン】{choice}、控え室に置く。"), character("MY-LENT", 0),
        watcher("any(owner(c) == you for c in g.waiting_room[other(you)])"),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-LENDS", "MY-EVENT"], "lane": {1: ["MY-LENT"], 5: ["MY-WATCHER"]}}, "second": {"lane": {1: ["C-STUDY"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place)
    assert won


# ---------------------------------------------------------------- costs of two parts (10.4.2.2)
@pytest.mark.parametrize(("cost", "others", "works"), [
    ("[あなたの他のキャラ1人を控え室に置く、あなたの他のキャラ1人を控え室に置く]", 1, False),
    ("[あなたの他のキャラ1人を控え室に置く、あなたの他のキャラ1人を控え室に置く]", 2, True),
    ("[このキャラを控え室に置く、このキャラのエピソードを1枚控え室に置く]", 1, False),
    ("[このキャラのエピソードを1枚控え室に置く、このキャラを控え室に置く]", 1, True),
    ("[このキャラのエピソードを1枚控え室に置く、このキャラのエピソードを1枚控え室に置く]", 1, False),
])
@pytest.mark.parametrize("reading", ["foreseen", "kept", "undone"])
def test_a_cost_is_not_paid_if_its_first_part_takes_what_the_second_needs(cost: str, others: int, works: bool, reading: str, tmp_path: Path) -> None:
    cards = [
        says("MY-DEAR", "character", f"【起動】【ターン1回】{cost}2枚引く。", persons=["三玖"], power=1), character("MY-A", 0), character("MY-B", 0),
        says("MY-NOTE", "episode", "【永続】このエピソードがセットされているキャラは花嫁力+1。", bonus=0),
        card("MY-HERO", "hero", ability("auto", at_turn_end="any", text="if len(g.hand[you]) == 2:\n    win_game(g, you)\n"), persons=["風太郎"], required_power=9),
    ]  # fmt: skip
    lanes: dict[int, list[str]] = {1: ["MY-NOTE", "MY-DEAR"], 2: ["MY-A"]}
    if others == 2:
        lanes[3] = ["MY-B"]
    place: dict[str, object] = {"hero_lane": {5: "MY-HERO"}, "first": {"lane": lanes}, "card": {"MY-NOTE": {"set_on": "MY-DEAR"}}}
    won, clauses = played(tmp_path, "main-phase", cards, place, None, {"cost-fails-midway": reading})
    assert won is works
    assert "10.7.4.2" not in clauses  # nobody was asked to choose among none


# ---------------------------------------------------------------- what lies below a character (4.14.2.1)
GROWS = ability("auto", at_turn_end="yours", text="c = the(g.hand[you])\nif c is not None:\n    await come(g, c, g.lane[you][3], you)\n")


def test_what_lies_below_a_character_is_no_character_that_moves(tmp_path: Path) -> None:
    moves = says("MY-MOVES", "character", "【自動】あなたのターンの終わりに、このキャラを一番左のレーンに移動する。", persons=["一花"], power=1)
    left = says("MY-WATCHER", "character", "【自動】このキャラが登場した時、1枚引く。", persons=["一花"], growth=["一花"], power=2)
    cards = [moves, left, says("MY-NOTE", "episode", "【専用】一花"), character("MY-HELPER", 0, GROWS)]
    place: dict[str, object] = {
        "first": {"hand": ["MY-WATCHER"], "lane": {3: ["MY-NOTE", "MY-MOVES"], 5: ["MY-HELPER"]}}, "card": {"MY-NOTE": {"set_on": "MY-MOVES"}},
    }  # fmt: skip
    _, clauses = played(tmp_path, "main-phase", cards, place, ["pass"])
    assert "5.10.1" not in clauses


@pytest.mark.parametrize("below", [True, False])
def test_nothing_is_set_on_what_lies_below_a_character(below: bool, tmp_path: Path) -> None:
    ticket = says("MY-TICKET", "episode", "【自動】このエピソードがセットされた時、1枚引く。")
    text = "e = the({c for c in g.hand[you] if may_be_episode(c)})\nb = first(c for c in g.lane[you][1])\nif e is not None and b is not None:\n    set_episode(g, e, b, False)\n"
    cards = [ticket, event("MY-EVENT", "main", text), character("MY-LOW", 1), character("MY-HIGH", 1), watcher("len(g.hand[you]) == 1 and len(g.waiting_room[you]) == 1")]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT", "MY-TICKET"], "lane": {1: ["MY-LOW", *(["MY-HIGH"] if below else [])], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won  # below: the episode is in the hand still; else: it is set, and a card was drawn


# ---------------------------------------------------------------- characters in front (4.14.2)
def test_the_characters_in_front_of_a_hero_are_no_episodes(tmp_path: Path) -> None:
    cards = [
        says("MY-HERO", "hero", "【永続】この風太郎の正面のキャラは能力を失う。", persons=["風太郎"], required_power=5),
        says("MY-NOTE", "episode", "【起動】【ターン1回】1枚引く。"), character("MY-BEARER", 1), watcher("len(g.hand[you]) == 1"),
    ]  # fmt: skip
    place: dict[str, object] = {
        "hero_lane": {1: "MY-HERO"}, "first": {"lane": {1: ["MY-NOTE", "MY-BEARER"], 5: ["MY-WATCHER"]}}, "card": {"MY-NOTE": {"set_on": "MY-BEARER"}},
    }  # fmt: skip
    won, _ = played(tmp_path, "main-phase", cards, place)
    assert won


# ---------------------------------------------------------------- no targets (10.6.3.1.3), nobody that fits (12.8.2)
@pytest.mark.parametrize("count", [1, 2, 0])
@pytest.mark.parametrize("reading", ["that-part", "whole"])
def test_where_several_are_to_be_chosen_and_none_can_be_that_is_no_target(count: int, reading: str, tmp_path: Path) -> None:
    text = f"some = await targets(g, you, {{c for c in g.waiting_room[you] if Kind.CHARACTER in kinds(g, c)}}, {count})\nput_away(g, some)\nawait draw(g, you)\n"
    cards = [event("MY-EVENT", "main", text), watcher("len(g.hand[you]) == 1")]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"], {"no-target-scope": reading})
    assert won is (reading == "that-part" or count == 0)


@pytest.mark.parametrize("reading", ["one", "all"])
def test_an_exclusive_episode_is_for_nobody_who_has_no_name(reading: str, tmp_path: Path) -> None:
    nobody = says("MY-NOBODY", "character", "【永続】このキャラは人物名三玖を失う。", persons=["三玖"], power=1)
    cards = [says("MY-NOTE", "episode", "【専用】一花"), nobody, watcher("len(g.hand[you]) == 0")]
    place: dict[str, object] = {"first": {"hand": ["MY-NOTE"], "lane": {1: ["MY-NOBODY"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, None, {"exclusive-several-names": reading})
    assert not won


# ---------------------------------------------------------------- what enters (5.9.1), what is set (5.10.1)
@pytest.mark.parametrize(("what", "goes"), [("BLANK", False), ("MY-CHARACTER", True)])
@pytest.mark.parametrize("to", ["キャラのいないあなたのレーンに登場させる", "あなたのキャラ1人にセットする"])
def test_an_event_card_neither_enters_nor_is_set(what: str, goes: bool, to: str, tmp_path: Path) -> None:
    cards = [says("MY-EVENT", "event", f"【メイン】あなたの手札1枚を選び、{to}。"), character("MY-CHARACTER", 1), watcher("len(g.hand[you]) == 0")]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT", what], "lane": {5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won is goes


@pytest.mark.parametrize(("lanes", "reached"), [("空いている", [3]), ("キャラのいない", [1, 2, 3, 4])])
@pytest.mark.parametrize("text", ["【メイン】あなたの手札1枚を選び、{}あなたのレーンに登場させる。", "【起動】【ターン1回】このキャラを控え室に置く。ターンの終わりに、そのカードを{}あなたのレーンに置く。"])
def test_an_empty_lane_is_one_without_a_hero_and_not_without_a_character(text: str, lanes: str, reached: list[int], tmp_path: Path) -> None:  # 4.3.2.4
    is_event = text.startswith("【メイン】")
    for n in range(1, 5):
        said = says("MY-ONE", "event" if is_event else "character", text.format(lanes), power=0 if is_event else 1)
        cards = [said, character("MY-TWO", 1), watcher(f"any(power(g, c) == 1 for c in g.lane[you][{n}]) and not any(power(g, c) == 1 for c in g.waiting_room[you])")]
        heroes: dict[int, str] = {k: f"H-{k}" for k in (1, 2, 4, 5)}
        first: dict[str, object] = {"hand": ["MY-ONE", "MY-TWO"], "lane": {5: ["MY-WATCHER"]}} if is_event else {"lane": {1: ["MY-ONE"], 5: ["MY-WATCHER"]}}
        won, _ = played(tmp_path, "main-phase", cards, {"first": first, "hero_lane": heroes}, ["PlayEvent MY-ONE" if is_event else "UseAbility MY-ONE", "pass"])
        assert won is (n in reached)


# ---------------------------------------------------------------- several cards of one instruction go together
@pytest.mark.parametrize(("reading", "draws"), [("once", 1), ("per-card", 2)])
@pytest.mark.parametrize("text", ["【メイン】手札を2枚控え室に置く。", "【起動】【ターン1回】[手札を2枚控え室に置く]主人公1枚を選び、裏にする。"])
def test_cards_that_one_instruction_puts_away_go_at_the_same_time(text: str, reading: str, draws: int, tmp_path: Path) -> None:  # 10.7.2.1
    counts = says("MY-COUNTS", "character", "【自動】手札からあなたの控え室にカードが置かれた時、1枚引く。")
    away = says("MY-AWAY", "event" if text.startswith("【メイン】") else "character", text)
    is_event = text.startswith("【メイン】")
    hand, lanes = ["BLANK x2", *(["MY-AWAY"] if is_event else [])], {1: ["MY-COUNTS"], 5: ["MY-WATCHER"], **({} if is_event else {2: ["MY-AWAY"]})}
    for n in (1, 2):
        place: dict[str, object] = {"first": {"hand": hand, "lane": lanes}, "hero_lane": {1: "H-1"}}
        acts = ["PlayEvent MY-AWAY" if is_event else "UseAbility MY-AWAY", "pass"]
        won, _ = played(tmp_path, "main-phase", [away, counts, watcher(f"len(g.hand[you]) == {n}")], place, acts, {"trigger-count-batch": reading})
        assert won is (n == draws)


# ---------------------------------------------------------------- who does it (10.10.2.2)
def test_the_opponent_who_puts_a_card_away_does_that(tmp_path: Path) -> None:
    both_apply = [
        ability("permanent", replaces=True, works_in=["hand"], when="WouldMove", text=f"if this is not None:\n    move(g, this, g.{to}[owner(this)])\n", **{"if": "event.card == this"})
        for to in ("removed", "brides")
    ]  # fmt: skip
    cards = [says("MY-EVENT", "event", "【メイン】相手は手札を1枚控え室に置く。"), card("MY-CARD", "event", *both_apply)]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["C-STUDY"]}}, "second": {"hand": ["MY-CARD"]}}
    played(tmp_path, "main-phase", cards, place, None, {"replacement-doer-or-master": "doer"})
    (result,) = session.check(tmp_path / "play.yaml", session.CheckOptions())
    (order,) = [f for f in result.findings if f.clauses[0] == "10.10.2"]
    assert "(the second player)" in order.title.en
