from __future__ import annotations
from pathlib import Path
import pytest
from .test_by_the_book import *

def perm(**says): return ability("permanent", **says)
SELF = {"applies_to": "card == this"}
def doubles(**s): return perm(effect="doubles_power", **{**SELF, **s})
def sets(n, **s): return perm(effect="sets_power", **{**SELF, "how_much": str(n), **s})
def adds(n, **s): return perm(effect="adds_power", **{**SELF, "how_much": str(n), **s})
def power_is(n): return wins_if(f"this is not None and power(g, this) == {n}")

@pytest.mark.parametrize("count", [1, 2])
def test_n1(count, tmp_path):
    cards = [character("MY-A", 2, *[doubles()] * count, power_is(8))]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-A"]}}}, ["pass"])
    assert won is (count == 2) and not named

@pytest.mark.parametrize("since", [0, 2])
def test_n2(since, tmp_path):
    cards = [character("MY-A", 1, sets(3), adds(2), power_is(5)), character("MY-L", 1, sets(5, applies_to="card in characters(g, you) - {this}"))]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-A"], 2: ["MY-L"]}}, "card": {"MY-A": {"since": 1}, "MY-L": {"since": since}}}, ["pass"])
    assert (won, named) == ((True, set()) if since == 2 else (False, {"10.9.1.7"}))

@pytest.mark.parametrize("dbl", [True, False])
def test_n3(dbl, tmp_path):
    cards = [character("MY-A", 1, adds(2), adds(-2), *([doubles()] if dbl else []))]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-A"]}}}, ["pass"])
    assert named == ({"10.9.1.7"} if dbl else set())

@pytest.mark.parametrize("to", [0, 1])
def test_n4(to, tmp_path):
    cards = [character("MY-A", 1, sets(to), doubles())]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-A"]}}}, ["pass"])
    assert named == ({"10.9.1.7"} if to else set())

@pytest.mark.parametrize("first", ["X", "A"])
def test_n5(first, tmp_path):
    gives = [perm(effect="gives_abilities", applies_to="card in characters(g, you) and not Printed(card).abilities"), doubles(given=True)]
    second = "A" if first == "X" else "X"
    cards = [character("MY-G", 1, *gives, wins_if("any(power(g, c) == 10 for c in characters(g, you))")),
        character("MY-X", 4), character("MY-A", 1, adds(2, applies_to="card in characters(g, you) and not Printed(card).abilities")),
        *(event(f"MY-E{k}", "main", f"c = the({{c for c in g.hand[you] if Printed(c).power == {p}}})\nif c is not None:\n    await come(g, c, g.lane[you][{k + 1}], you)\n") for k, p in ((1, 4 if first == "X" else 1), (2, 1 if first == "X" else 4))),
    ]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-G"]}, "hand": ["MY-E1", "MY-E2", "MY-X", "MY-A"]}, "card": {"MY-G": {"since": 1}}}, ["PlayEvent MY-E1", "PlayEvent MY-E2", "pass"])
    assert (won, named) == (first == "X", set())

@pytest.mark.parametrize("cond", ["zone_player(event.src) == you", "zone_player(event.src) != you"])
def test_o1(cond, tmp_path):
    leaves = ability("auto", **{"when": "Moved", "if": f"event.card == this and event.src in g.lane and not event.to in g.lane and {cond}"}, text="await draw(g, you)")
    cards = [character("MY-OLD", 1, wins_if("len(g.hand[you]) == 3")), character("MY-X", 2, leaves), character("MY-M", 0), 
      event("MY-E1", "main", "a = last(c for c in g.lane[you][1])\nb = last(c for c in g.lane[other(you)][1])\nif a is not None and b is not None:\n    exchange(g, a, b)\n"),
      event("MY-E2", "main", "for c in g.lane[you][1]:\n    await place(g, c, g.waiting_room[owner(c)], you)\n".replace("for c in g.lane[you][1]", "c = last(c for c in g.lane[you][1])\nif c is not None")),
      character("MY-W", 0, wins_if("len(g.hand[you]) == 1"))]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-M"], 2: ["MY-W"]}, "hand": ["MY-E1", "MY-E2"]}, "second": {"lane": {1: ["MY-X"]}}}, ["PlayEvent MY-E1", "PlayEvent MY-E2", "pass"])
    assert won is (cond == "zone_player(event.src) == you")

@pytest.mark.parametrize("cond", ["len(approached_by(g, this)) == 2", "True"])
def test_s1(cond, tmp_path):
    lifts = adds(2, applies_to="card in characters(g, you) - {this}", **{"if": cond})
    cards = [character("MY-LEADER", 3, TWO_HEROES, lifts), character("MY-FOLLOWER", 3, wins_when("Approached", "event.card == this")), hero("MY-H1", 1), hero("MY-H2", 1), hero("MY-H5", 5)]
    place = {"hero_lane": {1: "MY-H1", 2: "MY-H2", 4: "MY-H5"}, "first": {"lane": {1: ["MY-LEADER"], 4: ["MY-FOLLOWER"]}}}
    won, _ = played(tmp_path, "approach-phase", cards, place)
    assert won is (cond == "True")

@pytest.mark.parametrize("second", [True, False])
def test_s2(second, tmp_path):
    shy = card("MY-SHY", "hero", ability("auto", **{"when": "Approached", "if": "event.hero == this and any(g.card[c].approaches == this for c in characters(g, g.turn_player))"}, text="gone = this\nif gone is not None:\n    await remove_card(g, gone, you)\n"), persons=["風太郎"], required_power=1)
    cards = [character("MY-G", 3, TWO_HEROES, wins_when("EventStepBegan", "True")), shy, {**shy, "id": "MY-SHY2", "names": ["MY-SHY2"]}]
    hl = {1: "MY-SHY"} | ({2: "MY-SHY2"} if second else {})
    won, _ = played(tmp_path, "approach-phase", cards, {"hero_lane": hl, "first": {"lane": {1: ["MY-G"]}}}, reading={"approach-emptied": "end-phase"})
    assert won is second

@pytest.mark.parametrize("lent", [True, False])
def test_o2(lent, tmp_path):
    sees = wins_when("Moved", "event.card != this and event.src in g.lane and event.to in g.waiting_room and Person.二乃 in event.persons")
    cards = [character("MY-X", 2), {**character("MY-N", 0, sees), "speaks_of": ["二乃"]},
      event("MY-E1", "main", "for c in g.lane[you][1]:\n    add_person(g, c, Person.二乃)\n"),
      event("MY-E2", "main", "await place_together(g, {c for c in g.lane[you][1]}, None, you)")]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-X"], 2: ["MY-N"]}, "hand": ["MY-E1", "MY-E2"]}}, ["PlayEvent MY-E1"] * lent + ["PlayEvent MY-E2", "pass"])
    assert won is lent

@pytest.mark.parametrize("zone", ["waiting_room", "hand"])
def test_o3(zone, tmp_path):
    sees = wins_when("Moved", f"event.src in g.lane and event.to in g.{zone} and Kind.EPISODE in event.kinds")
    cards = [character("MY-X", 2), character("MY-Y", 1), character("MY-N", 0, sees),
      event("MY-E2", "main", f"await place_together(g, {{c for c in g.lane[you][1] if is_episode(g, c)}}, None, you)")]
    won, named = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-X", "MY-Y"], 2: ["MY-N"]}, "hand": ["MY-E2"]}, "card": {"MY-X": {"set_on": "MY-Y", "as_episode": True}}}, ["PlayEvent MY-E2", "pass"])
    assert won is (zone == "waiting_room")

@pytest.mark.parametrize("line", ["次のスタートフェイズの始めに2枚引く", "ターンの終わりに2枚引く"])
def test_d1(line, tmp_path):
    c = {**character("MY-P", 0, wins_if("len(g.hand[you]) >= 3")), "テキスト": f"【自動】メインフェイズの始めに、{line}。\n【自動】メインフェイズの始めに、次のスタートフェイズの始めに1枚引く。"}
    won, named = played(tmp_path, "main-phase", [c, character("MY-W", 0, ability("auto", at_turn_end="yours", text="if len(g.hand[you]) >= 2:\n    win_game(g, you)\n"))], {"first": {"lane": {1: ["MY-P"], 2: ["MY-W"]}}}, ["pass"])
    assert won is line.startswith("ターン")

def rep(cond, text="await draw(g, you)"):
    return ability("permanent", **{"replaces": "yes", "when": "WouldMove", "if": cond}, text=text)

@pytest.mark.parametrize("to", ["waiting_room", "removed"])
def test_r1_event(to, tmp_path):  # 10.6.4.3
    cards = [event("MY-E", "main", "pass"), character("MY-W", 0, rep(f"event.src == g.effect_resolution and event.to in g.{to}", "c = last(c for c in g.effect_resolution)\nif c is not None:\n    await place(g, c, g.removed[you], you)"), wins_if("len(g.removed[you]) == 1"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-W"]}, "hand": ["MY-E"]}}, ["PlayEvent MY-E", "pass"])
    assert won is (to == "waiting_room")

@pytest.mark.parametrize("to", ["waiting_room", "removed"])
def test_r2_removed(to, tmp_path):
    cards = [event("MY-E", "main", "c = last(c for c in g.lane[you][1])\nif c is not None:\n    await remove_card(g, c, you)"), character("MY-W", 0, rep(f"event.card == this and event.to in g.{to}"), wins_if("len(g.hand[you]) == 1"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-W"]}, "hand": ["MY-E"]}}, ["PlayEvent MY-E", "pass"])
    assert won is (to == "removed")

@pytest.mark.parametrize("to", ["waiting_room", "removed"])
def test_r3_both_discard(to, tmp_path):
    cards = [event("MY-E", "main", "await both_discard(g, 1)"), character("MY-W", 0, rep(f"event.src == g.hand[you] and event.to in g.{to}", "pass"), wins_if("len(g.hand[you]) == 1 and not g.hand[other(you)]"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-W"]}, "hand": ["MY-E", "BLANK"]}, "second": {"hand": ["BLANK"]}}, ["PlayEvent MY-E", "pass"])
    assert won is (to == "waiting_room")

@pytest.mark.parametrize("who", ["you", "other(you)"])
def test_r4_both_draw(who, tmp_path):
    cards = [event("MY-E", "main", "await both_draw(g, 1)"), character("MY-W", 0, ability("permanent", **{"replaces": "yes", "when": "WouldDraw", "if": f"event.by == {who}"}, text="pass"), wins_if("not g.hand[you] and len(g.hand[other(you)]) == 1"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-W"]}, "hand": ["MY-E"]}}, ["PlayEvent MY-E", "pass"])
    assert won is (who == "you")

@pytest.mark.parametrize("to", ["g.lane", "g.hand"])
@pytest.mark.parametrize("how", ["played", "put"])
def test_r5_come(to, how, tmp_path):
    cards = [event("MY-E", "main", "c = the({c for c in g.hand[you] if Printed(c).power == 3})\nif c is not None:\n    await come(g, c, g.lane[you][2], you)"), character("MY-C", 3), character("MY-W", 0, rep(f"event.to in {to}"), wins_if("len(characters(g, you)) == 2"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-W"]}, "hand": ["MY-E", "MY-C"]}}, ["PlayEvent MY-E" if how == "put" else "PlayCharacter MY-C", "pass"])
    assert won is (to == "g.hand")

@pytest.mark.parametrize("count", [1, 2])
def test_r6_below(count, tmp_path):  # 4.14.2.3
    cards = [event("MY-E", "main", "await place_together(g, {c for c in characters(g, you)} - {c for c in g.lane[you][5]}, g.hand[you], you)"), character("MY-A", 1), character("MY-B", 1), character("MY-W", 0, wins_if("len(g.waiting_room[you]) == 2"))]
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-A", "MY-B"][:count], 5: ["MY-W"]}, "hand": ["MY-E"]}}, ["PlayEvent MY-E", "pass"])
    assert won is (count == 2)
