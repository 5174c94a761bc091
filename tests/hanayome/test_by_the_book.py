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


IN_ORDER = {"doubling-depends": "order-of-arising"}


@pytest.mark.parametrize("later", [True, False])
def test_a_permanent_ability_of_a_bride_counts_from_when_it_became_one(later: bool, tmp_path: Path) -> None:  # 10.9.1.7.1
    adds = ability("permanent", effect="adds_power", works_in=["brides"], applies_to="card in characters(g, you)", how_much="2")
    cards = [
        character("MY-TWICE", 4, ability("permanent", effect="doubles_power", applies_to="card == this"), wins_if("this is not None and power(g, this) == 10")),
        character("MY-BRIDE", 0, adds),
        event("MY-VOWS", "main", "for c in g.hand[you]:\n    move(g, c, g.brides[you])\n"),
    ]  # fmt: skip
    mine = {"hand": ["MY-VOWS", "MY-BRIDE" if later else "MY-TWICE"], "lane": {1: ["MY-TWICE"]} if later else {}, "brides": [] if later else ["MY-BRIDE"]}
    play = ["PlayEvent MY-VOWS" if later else "PlayCharacter MY-TWICE", "pass"]
    won, _ = played(tmp_path, "main-phase", cards, {"first": mine}, play, IN_ORDER)
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


# ---------------------------------------------------------------- numbers (10.9.1.5 to .7)
def on_itself(effect: str, number: int = 0, **says: object) -> dict[str, object]:
    return ability("permanent", **{"effect": effect, "applies_to": "card == this", "how_much": str(number), **says})


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_two_effects_of_one_time_double_a_number_twice(count: int, tmp_path: Path) -> None:  # 10.9.1.5
    cards = [character("MY-TWICE", 2, *[on_itself("doubles_power")] * count, wins_if("this is not None and power(g, this) == 8"))]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-TWICE"]}}}, ["pass"])
    assert won is (count == 2)
    assert not named


@pytest.mark.parametrize("later", [True, False])
def test_an_order_that_nothing_decides_is_no_gap_where_a_later_effect_sets_the_number(later: bool, tmp_path: Path) -> None:  # 10.9.1.7
    both_at_once = character("MY-BOTH", 1, on_itself("sets_power", 3), on_itself("adds_power", 2), wins_if("this is not None and power(g, this) == 5"))
    levels = character("MY-LEVELS", 1, on_itself("sets_power", 5, applies_to="card in characters(g, you) - {this}"))
    place = {"first": {"lane": {1: ["MY-BOTH"], 2: ["MY-LEVELS"]}}, "card": {"MY-BOTH": {"since": 1}, "MY-LEVELS": {"since": 2 if later else 0}}}
    won, named = played(tmp_path, "main-phase", [both_at_once, levels], place, ["pass"])
    assert (won, named) == ((True, set()) if later else (False, {"10.9.1.7"}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("effects", "clauses"),
    [
        ([("adds_power", 2), ("adds_power", -2), ("doubles_power", 0)], {"10.9.1.7"}),
        ([("adds_power", 2), ("adds_power", -2)], set()),
        ([("sets_power", 1), ("doubles_power", 0)], {"10.9.1.7"}),
        ([("sets_power", 0), ("doubles_power", 0)], set()),
    ],
)
def test_effects_of_one_time_are_a_gap_exactly_where_their_order_changes_the_number(effects: list[tuple[str, int]], clauses: set[str], tmp_path: Path) -> None:
    cards = [character("MY-OWN", 1, *(on_itself(*e) for e in effects))]  # 10.9.1.7
    _, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-OWN"]}}}, ["pass"], IN_ORDER)
    assert named == clauses


@pytest.mark.slow
@pytest.mark.parametrize("first", [4, 1])
def test_an_ability_that_is_given_counts_from_when_its_card_came(first: int, tmp_path: Path) -> None:  # 10.9.1.7.1
    plain = "card in characters(g, you) and not Printed(card).abilities"
    gives = [on_itself("gives_abilities", applies_to=plain), on_itself("doubles_power", given=True)]
    comes = "c = the({{c for c in g.hand[you] if Printed(c).power == {}}})\nif c is not None:\n    await come(g, c, g.lane[you][{}], you)\n"
    cards = [
        character("MY-GIVES", 9, *gives, wins_if("any(power(g, c) == 10 for c in characters(g, you))")), character("MY-PLAIN", 4),
        character("MY-ADDS", 1, on_itself("adds_power", 2, applies_to=plain)),
        event("MY-1", "main", comes.format(first, 2)), event("MY-2", "main", comes.format(5 - first, 3)),
    ]  # fmt: skip
    place = {"first": {"lane": {1: ["MY-GIVES"]}, "hand": ["MY-1", "MY-2", "MY-PLAIN", "MY-ADDS"]}, "card": {"MY-GIVES": {"since": 1}}}
    won, named = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-1", "PlayEvent MY-2", "pass"], IN_ORDER)
    assert (won, named) == (first == 4, set())


# ---------------------------------------------------------------- what a trigger looks back at, and whose it is
@pytest.mark.parametrize("whose", ["==", "!="])
def test_an_ability_that_looks_back_calls_you_who_was_its_master_then(whose: str, tmp_path: Path) -> None:  # 3.1.2.3, 10.7.4.1.2
    leaves = f"event.card == this and event.src in g.lane and event.to in g.waiting_room and zone_player(event.src) {whose} you"
    top = "last(c for c in g.lane[{}][1])"
    cards = [
        character("MY-MINE", 0), character("MY-THEIRS", 2, ability("auto", **{"when": "Moved", "if": leaves}, text="await draw(g, you)")),
        event("MY-1", "main", f"a = {top.format('you')}\nb = {top.format('other(you)')}\nif a is not None and b is not None:\n    exchange(g, a, b)\n"),
        event("MY-2", "main", f"a = {top.format('you')}\nif a is not None:\n    await place(g, a, g.waiting_room[owner(a)], you)\n"),
        character("MY-WATCHER", 0, wins_if("len(g.hand[you]) == 1")),
    ]  # fmt: skip
    place = {"first": {"lane": {1: ["MY-MINE"], 2: ["MY-WATCHER"]}, "hand": ["MY-1", "MY-2"]}, "second": {"lane": {1: ["MY-THEIRS"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-1", "PlayEvent MY-2", "pass"])
    assert won is (whose == "==")


@pytest.mark.parametrize("line", ["ターンの終わりに2枚引く", "次のスタートフェイズの始めに2枚引く"])
def test_a_text_makes_its_own_delayed_ability_and_none_of_another_text(line: str, tmp_path: Path) -> None:  # 10.7.5
    promises = f"【自動】メインフェイズの始めに、{line}。\n【自動】メインフェイズの始めに、次のスタートフェイズの始めに1枚引く。"
    cards = [{**character("MY-PROMISES", 0), "テキスト": promises}, character("MY-WATCHER", 0, wins_if("len(g.hand[you]) >= 2"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-PROMISES"], 2: ["MY-WATCHER"]}}}, ["pass"])
    assert won is line.startswith("ターン")


# ---------------------------------------------------------------- a second hero (9.2.2.3, 9.4.2)
@pytest.mark.parametrize("asked", ["len(approached_by(g, this)) == 2", "True"])
def test_nobody_approaches_a_second_hero_yet_while_it_is_chosen_who_does(asked: str, tmp_path: Path) -> None:  # 9.2.2.3
    lifts = on_itself("adds_power", 2, applies_to="card in characters(g, you) - {this}", **{"if": asked})
    cards = [
        character("MY-LEADER", 3, TWO_HEROES, lifts), character("MY-FOLLOWER", 3, wins_when("Approached", "event.card == this")),
        hero("MY-H1", 1), hero("MY-H2", 1), hero("MY-H5", 5),
    ]  # fmt: skip
    place = {"hero_lane": {1: "MY-H1", 2: "MY-H2", 4: "MY-H5"}, "first": {"lane": {1: ["MY-LEADER"], 4: ["MY-FOLLOWER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place)
    assert won is (asked == "True")


@pytest.mark.slow
@pytest.mark.parametrize("second", [True, False])
def test_an_approach_to_a_second_hero_goes_on_without_the_first(second: bool, tmp_path: Path) -> None:  # 9.2.4
    goes = "event.hero == this and any(g.card[c].approaches == this for c in characters(g, g.turn_player))"
    shy = ability("auto", **{"when": "Approached", "if": goes}, text="gone = this\nif gone is not None:\n    await remove_card(g, gone, you)\n")
    cards = [
        character("MY-GREEDY", 3, TWO_HEROES, wins_when("EventStepBegan", "True")),
        *(card(h, "hero", shy, persons=["風太郎"], required_power=1) for h in ("MY-H1", "MY-H2")),
    ]
    place = {"hero_lane": {1: "MY-H1"} | ({2: "MY-H2"} if second else {}), "first": {"lane": {1: ["MY-GREEDY"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place, reading={"approach-emptied": "end-phase"})
    assert won is second


# ---------------------------------------------------------------- what else can be replaced (10.10.1)
def instead(condition: str, text: str = "pass", when: str = "WouldMove") -> dict[str, object]:
    return ability("permanent", **{"replaces": "yes", "when": when, "if": condition}, text=text)


TOP = "c = last(c for c in g.{})\nif c is not None:\n    "


@pytest.mark.parametrize("to", ["waiting_room", "removed"])
def test_something_else_may_become_of_a_resolved_event(to: str, tmp_path: Path) -> None:  # 10.6.4.3
    keeps = instead(f"event.src == g.effect_resolution and event.to in g.{to}", TOP.format("effect_resolution") + "await place(g, c, g.removed[you], you)")
    cards = [event("MY-EVENT", "main", "pass"), character("MY-KEEPER", 0, keeps, wins_if("len(g.removed[you]) == 1"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-KEEPER"]}, "hand": ["MY-EVENT"]}}, ["PlayEvent MY-EVENT", "pass"])
    assert won is (to == "waiting_room")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "replaced", "other", "holds"),
    [
        (TOP.format("lane[you][1]") + "await remove_card(g, c, you)", "event.to in g.removed", "event.to in g.hand", "this is not None"),
        ("await both_discard(g, 1)", "event.src == g.hand[you]", "event.src == g.deck[you]", "len(g.hand[you]) == 2 and not g.hand[other(you)]"),
        ("c = the({c for c in g.hand[you] if Printed(c).power == 3})\nif c is not None:\n    await come(g, c, g.lane[you][2], you)",
         "event.to in g.lane", "event.to in g.hand", "len(characters(g, you)) == 1"),
    ],
)  # fmt: skip
def test_what_a_text_moves_may_be_replaced_whatever_the_verb(text: str, replaced: str, other: str, holds: str, tmp_path: Path) -> None:  # 5.4.1, 1.3.4.2, 5.9.1
    place = {"first": {"lane": {1: ["MY-KEEPER"]}, "hand": ["MY-EVENT", "BLANK", "MY-THREE"]}, "second": {"hand": ["BLANK"]}}
    for condition in (replaced, other):
        cards = [event("MY-EVENT", "main", text), character("MY-KEEPER", 0, instead(condition), wins_if(holds)), character("MY-THREE", 3)]
        won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
        assert won is (condition == replaced)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["you", "other(you)"])
def test_one_of_two_players_who_draw_at_once_may_do_something_else(by: str, tmp_path: Path) -> None:  # 1.3.4.1
    cards = [
        event("MY-EVENT", "main", "await both_draw(g, 1)"),
        character("MY-KEEPER", 0, instead(f"event.by == {by}", when="WouldDraw"), wins_if("not g.hand[you] and len(g.hand[other(you)]) == 1")),
    ]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-KEEPER"]}, "hand": ["MY-EVENT"]}}, ["PlayEvent MY-EVENT", "pass"])
    assert won is (by == "you")


@pytest.mark.slow
@pytest.mark.parametrize("to", ["g.lane", "g.hand"])
def test_a_character_that_is_played_may_go_elsewhere(to: str, tmp_path: Path) -> None:  # 10.6.4.1
    cards = [character("MY-COMES", 3), character("MY-KEEPER", 0, instead(f"event.to in {to}"), wins_if("len(characters(g, you)) == 2"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-KEEPER"]}, "hand": ["MY-COMES"]}}, ["PlayCharacter MY-COMES", "pass"])
    assert won is (to == "g.hand")


@pytest.mark.slow
@pytest.mark.parametrize("effect", ["cannot_leave", "cannot_approach"])
def test_a_character_that_does_not_leave_stays_when_it_is_told_to_go(effect: str, tmp_path: Path) -> None:  # 1.3.3
    cards = [
        event("MY-EVENT", "main", "c = the(characters(g, other(you)))\nif c is not None:\n    await place(g, c, g.waiting_room[owner(c)], you)\n"),
        character("MY-ANCHOR", 2, ability("permanent", effect=effect, applies_to="card == this")),
        character("MY-KEEPER", 0, wins_if("len(characters(g, other(you))) == 1")),
    ]
    place = {"first": {"lane": {1: ["MY-KEEPER"]}, "hand": ["MY-EVENT"]}, "second": {"lane": {1: ["MY-ANCHOR"]}}, "character_played": True}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won is (effect == "cannot_leave")


COMES_BACK = ability("activated", once_per_turn=True, text="gone = this\nif gone is not None:\n    await leave_to_come_back(g, gone, you)\n")
SWAP = "a = character_in(g, you, 1)\nb = the(c for c in g.hand[you] if Printed(c).kind == Kind.CHARACTER)\nif a is not None and b is not None:\n    exchange(g, a, b)\n"


@pytest.mark.parametrize("effect", ["cannot_leave", "cannot_approach"])
@pytest.mark.parametrize(("act", "gone"), [
    ("UseAbility MY-ANCHOR", "len(g.hand[you]) == 3"), ("PlayEvent MY-SWAP", "not any(Printed(c).power == 3 for c in g.hand[you])"),
])  # fmt: skip
def test_what_may_not_leave_is_not_exchanged_and_nothing_happens_in_its_place(act: str, gone: str, effect: str, tmp_path: Path) -> None:  # 5.8.2, 1.3.3
    held = ability("permanent", effect=effect, applies_to="card == this")
    draws = instead("event.card == this and event.to in g.waiting_room", "await draw(g, you)")
    cards = [
        character("MY-ANCHOR", 0, held, draws, COMES_BACK, ability("delayed", text="pass")), event("MY-SWAP", "main", SWAP), character("MY-NEW", 3),
        character("MY-KEEPER", 0, wins_if(gone)),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-SWAP", "MY-NEW"], "lane": {1: ["MY-ANCHOR"], 5: ["MY-KEEPER"]}}, "character_played": True}
    won, _ = played(tmp_path, "main-phase", cards, place, [act, "pass"])
    assert won is (effect == "cannot_approach")


@pytest.mark.parametrize("to", ["hand", "brides"])
def test_what_a_replacement_took_away_does_not_go_along_with_the_others(to: str, tmp_path: Path) -> None:  # 10.10.1, 4.1.4
    takes = instead("event.card == this", f"c = the(c for c in characters(g, you) if power(g, c) == 3)\nif c is not None:\n    await place(g, c, g.{to}[you], you)\n")
    cards = [
        CURTAIN, character("MY-ONE", 0, takes), character("MY-TWO", 3),
        character("MY-WATCHER", 0, wins_if(f"len(g.{to}[you]) == 1 and len(g.waiting_room[you]) == 1 and len(characters(g, you)) == 2")),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-CURTAIN"], "lane": {1: ["MY-ONE"], 2: ["MY-TWO"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-CURTAIN", "pass"])
    assert won


def test_what_the_other_s_replacement_took_from_the_hand_is_not_discarded(tmp_path: Path) -> None:  # 1.3.4.2, 10.10.1
    takes = instead("event.card == this", "c = the(g.hand[other(you)])\nif c is not None:\n    await place(g, c, g.brides[other(you)], you)\n") | {"works_in": ["hand"]}
    cards = [
        event("MY-EVENT", "main", "await both_discard(g, 1)"), character("MY-ONE", 0, takes), character("MY-TWO", 3),
        character("MY-WATCHER", 0, wins_if("len(g.brides[you]) == 1")),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT", "MY-TWO"], "lane": {5: ["MY-WATCHER"]}}, "second": {"hand": ["MY-ONE"]}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won


@pytest.mark.parametrize("answer", ["together", "afterwards"])
@pytest.mark.parametrize("text", ["await place(g, c, g.brides[you], you)", "await place_together(g, {c}, g.brides[you], you)", "await place_at_masters(g, {c}, Where.BRIDES, you)"])
def test_what_lies_below_goes_when_the_reading_says_so_however_the_character_leaves(text: str, answer: str, tmp_path: Path) -> None:  # 4.14.2.3
    hears = ability("auto", **{"when": "Moved", "if": "event.card != this and event.src in g.lane and event.to in g.waiting_room"}, text="win_game(g, you)")
    cards = [event("MY-EVENT", "main", f"c = character_in(g, you, 1)\nif c is not None:\n    {text}\n"), character("MY-LOW", 0), character("MY-HIGH", 0, hears)]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-LOW", "MY-HIGH"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"], {"stacked-characters-below-leave": answer})
    assert won is (answer == "together")


@pytest.mark.parametrize("played_so", [True, False])
def test_a_character_in_a_lane_is_no_episode_that_could_be_set_on_another(played_so: bool, tmp_path: Path) -> None:  # 5.10.1, 4.14.2
    sets = "c = the(c for c in g.lane[you][1] if Printed(c).power == 3)\non = character_in(g, you, 2)\nif c is not None and on is not None:\n    set_episode(g, c, on, True)\n"
    cards = [
        event("MY-EVENT", "main", sets), character("MY-ONE", 3), character("MY-TWO", 0), character("MY-HOST", 0),
        character("MY-WATCHER", 0, wins_if("any(episodes_on(g, c) for c in characters(g, you) if zone_number(zone_of(c)) == 2)")),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-ONE"], 2: ["MY-TWO"], 5: ["MY-WATCHER"]}}}
    if played_so:
        place |= {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-ONE", "MY-HOST"], 2: ["MY-TWO"], 5: ["MY-WATCHER"]}}, "card": {"MY-ONE": {"as_episode": True, "set_on": "MY-HOST"}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won is played_so


@pytest.mark.parametrize("as_event", [True, False])
@pytest.mark.parametrize("half", ["event", "episode"])
def test_what_one_half_of_a_card_costs_is_paid_for_that_half(half: str, as_event: bool, tmp_path: Path) -> None:  # 2.10.3.1, 2.10.4
    pays = "c = await choose(you, {c for c in g.hand[you]})\nawait place(g, c, g.brides[you], you)\n"
    costs = ability("play_cost", half=[half], payable="len(g.hand[you]) > 1", cost=pays)
    both_halves = card("MY-BOTH", "event", costs, ability("event", text="pass"), icons=["main"], also_episode=True)
    due = as_event is (half == "event")
    cards = [both_halves, character("MY-WATCHER", 0, wins_if(f"len(g.brides[you]) == {int(due)} and len(g.hand[you]) == {1 - int(due)}"))]
    place: dict[str, object] = {"first": {"hand": ["MY-BOTH", "BLANK"], "lane": {5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-BOTH" if as_event else "PlayEpisode MY-BOTH", "pass"])
    assert won


def test_what_the_other_s_replacement_took_away_does_not_go_to_its_master_either(tmp_path: Path) -> None:  # 10.10.1, 4.1.4
    takes = instead("event.card == this", "c = the(c for c in characters(g, other(you)) if power(g, c) == 3)\nif c is not None:\n    await place(g, c, g.brides[other(you)], you)\n")
    cards = [
        event("MY-EVENT", "main", "await place_at_masters(g, {c for p in PLAYERS for c in characters(g, p) if power(g, c) > 0}, Where.HAND, you)"),
        character("MY-ONE", 1, takes), character("MY-TWO", 3), character("MY-WATCHER", 0, wins_if("len(g.brides[you]) == 1")),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {2: ["MY-TWO"], 5: ["MY-WATCHER"]}}, "second": {"lane": {1: ["MY-ONE"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won
