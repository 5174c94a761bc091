"""Plays that somebody who read the book beside the rules traced: what the book says of each is what comes about."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.checks.runs import session

CALLED_AWAY = """
book: hanayome
id: called-away
title: {{ja: 裏になるかわりに, en: instead of turning down}}
about: {{ja: 裏になるかわりに, en: instead of turning down}}
begin: approach-phase
cards:
  - id: MY-CALLER
    name: {{ja: 呼び戻す三玖, en: Miku who calls back}}
    kind: character
    names: [呼び戻す三玖]
    persons: [三玖]
    power: 0
    abilities:
      - name: {{ja: 【永続】主人公が裏になる時、かわりに成功したキャラを手札に加える, en: "Permanent: when a hero would turn down, those who succeeded go to the hand instead"}}
        kind: permanent
        replaces: yes
        when: WouldTurn
        text: |
          for c in characters(g, you):
              if g.card[c].partner is not None and {called}:
                  move(g, c, g.hand[you])
      - name: {{ja: 【自動】花嫁になったキャラがいれば勝つ, en: "Auto: with a bride, you win"}}
        kind: auto
        at_turn_end: yours
        text: |
          if g.brides[you]:
              win_game(g, you)
position:
  hero_lane: {{1: H-1}}
  first: {{lane: {{1: [C-STUDY], 5: [MY-CALLER]}}, deck: [BLANK x5]}}
  second: {{deck: [BLANK x3]}}
policy: {{second: pass}}
bounds: {{turns: 1}}
expect:
  - readings: {{hero-not-flipped: goes-on}}
"""


@pytest.mark.parametrize("called", [True, False])
def test_nobody_becomes_a_bride_if_the_only_one_was_called_away_while_the_hero_turned(called: bool, tmp_path: Path) -> None:
    path = tmp_path / "called.yaml"
    path.write_text(CALLED_AWAY.format(called="True" if called else "len(g.hand[you]) > 5"), encoding="utf-8")
    (result,) = session.check(path, session.CheckOptions())
    assert not [f.title.en for f in result.findings]
    assert ("win" in result.outcomes) is not called


# ---------------------------------------------------------------- small plays, written here in full
def ability(kind: str, **says: object) -> dict[str, object]:
    return {"name": both("A"), "kind": kind, **says}


def both(text: str) -> dict[str, str]:
    return {"ja": text, "en": text}


def character(ident: str, power: int, *abilities: dict[str, object]) -> dict[str, object]:
    return card(ident, "character", *abilities, persons=["三玖"], power=power)


def hero(ident: str, required: int) -> dict[str, object]:
    return card(ident, "hero", persons=["風太郎"], required_power=required)


def card(ident: str, kind: str, *abilities: dict[str, object], **says: object) -> dict[str, object]:
    return {"id": ident, "name": both(ident), "kind": kind, "names": [ident], "abilities": list(abilities), **says}


def event(ident: str, icon: str, text: str) -> dict[str, object]:
    return card(ident, "event", ability("event", text=text), icons=[icon])


def wins_if(holds: str) -> dict[str, object]:
    """At the end of the turn its master wins if that holds."""
    return ability("auto", at_turn_end="yours", text=f"if {holds}:\n    win_game(g, you)\n")


def wins_when(happens: str, condition: str) -> dict[str, object]:
    return ability("auto", **{"when": happens, "if": condition}, text="win_game(g, you)")


def played(
    folder: Path, begin: str, cards: list[dict[str, object]], position: dict[str, object], policy: object = None, reading: dict[str, str] | None = None
) -> tuple[bool, set[str]]:
    """Can the first player win within the turn, and which clauses do findings name?"""
    for player in ("first", "second"):
        position[player] = {"deck": ["BLANK x4"], **dict(position.get(player, {}))}  # type: ignore[call-overload]
    scenario = {
        "book": "hanayome", "id": "small-play", "title": both("play"), "about": both("play"), "begin": begin, "cards": cards,
        "position": position, "policy": {"second": "pass"} | ({"first": policy} if policy else {}), "bounds": {"turns": 1},
        "expect": [{"readings": reading or {}}],
    }  # fmt: skip
    path = folder / "play.yaml"
    path.write_text(json.dumps(scenario, ensure_ascii=False), encoding="utf-8")
    (result,) = session.check(path, session.CheckOptions())
    return "win" in result.outcomes, {c for f in result.findings for c in f.clauses}


CURTAIN = event("MY-CURTAIN", "main", "await place_together(g, characters(g, you) - {c for c in g.lane[you][5]}, None, you)")


@pytest.mark.parametrize("below", [2, 4])
def test_the_power_of_a_card_that_lay_below_a_character_is_its_own(below: int, tmp_path: Path) -> None:  # 10.7.4.1.2
    moved = "event.card != this and event.src in g.lane and event.to in g.waiting_room and event.power >= 3"
    cards = [
        CURTAIN, character("MY-LOW", below), character("MY-HIGH", 6),
        character("MY-WITNESS", 0, ability("auto", **{"when": "Moved", "if": moved}, text="await draw(g, you)"), wins_if("len(g.hand[you]) == 2")),
    ]  # fmt: skip
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"hand": ["MY-CURTAIN"], "lane": {1: ["MY-LOW", "MY-HIGH"], 5: ["MY-WITNESS"]}}})
    assert won is (below >= 3)


@pytest.mark.parametrize("what", ["heroes(g)", "characters(g, you) - {c for c in g.lane[you][5]}"])
def test_a_hero_that_is_removed_was_nobody_s_card_and_a_character_was_its_master_s(what: str, tmp_path: Path) -> None:  # 10.7.4.1.2, 4.4.5
    cards = [
        event("MY-BROOM", "main", f"c = the({what})\nif c is not None:\n    await remove_card(g, c, you)\n"), hero("MY-HERO", 5), character("MY-FRIEND", 0),
        character("MY-KEEPER", 0, wins_when("Moved", "event.master == you and event.to in g.removed and event.card != this")),
    ]  # fmt: skip
    place = {"hero_lane": {3: "MY-HERO"}, "first": {"hand": ["MY-BROOM"], "lane": {1: ["MY-FRIEND"], 5: ["MY-KEEPER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place)
    assert won is (what != "heroes(g)")


TWO_HEROES = ability("permanent", effect="approaches_two", applies_to="card == this")


@pytest.mark.parametrize("weakened", [1, 0])
def test_an_approach_to_a_second_hero_fails_like_any_other(weakened: int, tmp_path: Path) -> None:  # 9.4.2
    fails = ability("auto", **{"when": "Failed", "if": "event.card == this"}, text="await draw(g, you)")
    cards = [
        character("MY-GREEDY", 2, TWO_HEROES, fails, wins_if("len(g.hand[you]) == 2")), hero("MY-H1", 2), hero("MY-H2", 2),
        event("MY-SIGH", "approach", f"for c in characters(g, you):\n    change_power(g, c, -{weakened})\n"),
    ]  # fmt: skip
    place = {"hero_lane": {1: "MY-H1", 2: "MY-H2"}, "first": {"hand": ["MY-SIGH"], "lane": {1: ["MY-GREEDY"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place)
    assert won is (weakened == 1)


@pytest.mark.parametrize("unused", [False, True])
def test_what_arises_after_a_number_was_set_adds_to_it(unused: bool, tmp_path: Path) -> None:  # 10.9.1.7.1; an unused card changes nothing
    cards = [
        event("MY-SETTLE", "main", "for c in characters(g, you):\n    set_power(g, c, 3)\n"),
        character("MY-SOLO", 1, wins_if("this is not None and power(g, this) == 4")),
        character("MY-CHEER", 1, ability("permanent", effect="adds_power", applies_to="card in characters(g, you) - {this}", how_much="1")),
        character("MY-UNUSED", 1, ability("permanent", effect="doubles_power", applies_to="card == this")),
    ]  # fmt: skip
    hand = {"hand": ["MY-SETTLE", "MY-CHEER"], "lane": {1: ["MY-SOLO"]}, "deck": ["BLANK x3", *(["MY-UNUSED"] if unused else ["BLANK"])]}
    won, _ = played(tmp_path, "main-phase", cards, {"first": hand}, ["PlayEvent MY-SETTLE", "PlayCharacter MY-CHEER", "pass"])
    assert won
    won, _ = played(tmp_path, "main-phase", cards, {"first": hand}, ["PlayCharacter MY-CHEER", "PlayEvent MY-SETTLE", "pass"])
    assert not won


@pytest.mark.parametrize("later", [True, False])
def test_a_permanent_ability_of_a_bride_counts_from_when_it_became_one(later: bool, tmp_path: Path) -> None:  # 10.9.1.7.1
    adds = ability("permanent", effect="adds_power", works_in=["brides"], applies_to="card in characters(g, you)", how_much="2")
    cards = [
        character("MY-TWICE", 4, ability("permanent", effect="doubles_power", applies_to="card == this"), wins_if("this is not None and power(g, this) == 10")),
        character("MY-BRIDE", 0, adds),
        event("MY-VOWS", "main", "for c in g.hand[you]:\n    move(g, c, g.brides[you])\n"),
    ]  # fmt: skip
    mine = {"hand": ["MY-VOWS", "MY-BRIDE" if later else "MY-TWICE"], "lane": {1: ["MY-TWICE"]} if later else {}, "brides": [] if later else ["MY-BRIDE"]}
    won, _ = played(tmp_path, "main-phase", cards, {"first": mine}, ["PlayEvent MY-VOWS" if later else "PlayCharacter MY-TWICE", "pass"])
    assert won is later


@pytest.mark.parametrize("while_approaching", [True, False])
def test_nobody_approaches_yet_while_it_is_chosen_who_does(while_approaching: bool, tmp_path: Path) -> None:  # 9.2.2.3, 9.2.2.2.2
    condition = {"if": "g.card[this].approaches is not None"} if while_approaching else {}
    lifts = ability("permanent", effect="adds_power", applies_to="card in characters(g, you) - {this}", how_much="2", **condition)
    cards = [
        character("MY-LEADER", 3, lifts), character("MY-FOLLOWER", 3, wins_when("Approached", "event.card == this")),
        hero("MY-H1", 1), hero("MY-H5", 5),
    ]  # fmt: skip
    place = {"hero_lane": {1: "MY-H1", 4: "MY-H5"}, "first": {"lane": {1: ["MY-LEADER"], 4: ["MY-FOLLOWER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place)
    assert won is not while_approaching


@pytest.mark.parametrize("allowed", [True, False])
def test_a_character_that_must_approach_one_hero_may_approach_the_second_that_it_is_allowed(allowed: bool, tmp_path: Path) -> None:  # 1.3.2.3, 1.3.1
    must = ability("permanent", effect="must_approach", applies_to="zone_number(zone_of(card)) == 1")
    second = wins_when("Approached", "event.card == this and event.hero is not None and zone_number(zone_of(event.hero)) == 2")
    cards = [character("MY-GREEDY", 2, must, second, *([TWO_HEROES] if allowed else [])), hero("MY-H1", 1), hero("MY-H2", 2)]
    won, _ = played(tmp_path, "approach-phase", cards, {"hero_lane": {1: "MY-H1", 2: "MY-H2"}, "first": {"lane": {1: ["MY-GREEDY"]}}})
    assert won is allowed


STAYS = "event.card == this and event.to in g.{zone}"


@pytest.mark.parametrize("zone", ["waiting_room", "hand"])
@pytest.mark.parametrize("to", ["None", "g.hand[other(you)]"])
def test_one_of_several_cards_that_would_go_together_is_replaced_alone(zone: str, to: str, tmp_path: Path) -> None:  # 10.10.1
    stays = ability("permanent", **{"replaces": "yes", "when": "WouldMove", "if": STAYS.format(zone=zone)}, text="await draw(g, you)")
    away = event("MY-SWEEP", "main", f"await place_together(g, characters(g, other(you)), {to}, you)")
    cards = [away, character("MY-STAYER", 1, stays), character("MY-GOER", 1), character("MY-WATCHER", 1, wins_if("not characters(g, other(you))"))]
    place = {"first": {"hand": ["MY-SWEEP"], "lane": {1: ["MY-WATCHER"]}}, "second": {"lane": {1: ["MY-STAYER"], 2: ["MY-GOER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place)
    assert won is ((to == "None") != (zone == "waiting_room"))


@pytest.mark.parametrize("zone", ["brides", "hand"])
@pytest.mark.parametrize("order", ["lane-order", "together"])
def test_something_else_may_happen_in_place_of_becoming_a_bride(zone: str, order: str, tmp_path: Path) -> None:  # 10.10.1, 9.4.3.2
    stays = ability("permanent", **{"replaces": "yes", "when": "WouldMove", "if": STAYS.format(zone=zone)}, text="await draw(g, you)")
    cards = [character("MY-SHY", 3, stays), hero("MY-H1", 1), character("MY-WATCHER", 0, wins_if("len(g.brides[you]) == 1"))]
    place = {"hero_lane": {1: "MY-H1"}, "first": {"lane": {1: ["MY-SHY"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place, reading={"judge-order": order})
    assert won is (zone == "hand")


@pytest.mark.parametrize(("most", "clauses"), [(4, {"10.9.1"}), (9, set())])
def test_one_effect_that_undoes_itself_by_what_it_applies_to_is_no_circle_of_two(most: int, clauses: set[str], tmp_path: Path) -> None:  # 10.9.1.6
    lifts = ability("permanent", effect="adds_power", applies_to=f"card in characters(g, you) and power(g, card) <= {most}", how_much="2")
    cards = [character("MY-LIFTS", 4, lifts)]
    _, named = played(tmp_path, "main-phase", cards, {"first": {"hand": ["MY-LIFTS"]}}, ["PlayCharacter MY-LIFTS", "pass"])
    assert named == clauses
