"""A third dozen of sets of cards that loop together for each of hanayome and shinso, in the form of `combos_planted.py`.

They were invented by somebody who did not know how the search works and had seen nothing of it but the first two dozens. Of each set `check` told the
loop in a position made by hand, and none there with the text of any one card blank.
"""
from __future__ import annotations

from typing import Any

Planted = list[tuple[str, list[Any]]]

# ---------------------------------------------------------------- hanayome, in the phrases of the book
MOVED = "【自動】このキャラが他のレーンに移動した時、"
WORN_MOVED = "【自動】このエピソードがセットされているキャラが他のレーンに移動した時、"
DISCARDED = "【自動】手札からあなたの控え室にカードが置かれた時、"
HERO_UP = "【自動】主人公が表になった時、"
STRONGER = "このキャラはターンの終わりまで花嫁力+1。"
HAND_ENTERS = "あなたの手札1枚を選び、キャラのいないあなたのレーンに登場させる。"


def fetch(n: int) -> str:
    """Take card n of the set from the waiting room."""
    return f"あなたの控え室の《{{{n}}}》1枚を選び、手札に加える。"


HANAYOME_THIRD: Planted = [
    ("deck-top-and-hero", [
        ("一花", "【起動】[手札を1枚デッキの上に置く]裏向きの主人公1枚を選び、表にする。"),
        ("三玖", f"{HERO_UP}1枚引く。"),
        ("五月", f"【起動】[表向きの主人公1枚を裏にする]{STRONGER}")]),
    ("stays-by-moving", [
        ("三玖", "【永続】このキャラがレーンから控え室に置かれる時、かわりにこのキャラを他のレーンに移動する。"),
        ("episode", f"【専用】三玖\n{WORN_MOVED}あなたの三玖1人を選び、控え室に置く。")]),
    ("hero-who-stays", [
        ("hero", "【永続】この風太郎が裏になる時、かわりにデッキをシャッフルする。"),
        ("一花", f"【起動】[表向きの主人公1枚を裏にする]{STRONGER}")]),
    ("back-at-the-end", [
        ("一花", f"{MOVED}このキャラを控え室に置く。ターンの終わりに、そのカードをキャラのいないあなたのレーンに置く。"),
        ("二乃", "【自動】あなたの他のキャラが登場した時、あなたの一花1人を選び、他のレーンに移動する。")]),
    ("sent-home-and-sent-out", [
        ("四葉", "【自動】相手のキャラが登場した時、相手のキャラ1人を選び、手札に加える。"),
        ("五月", f"【自動】あなたの他のキャラがレーンを離れた時、{HAND_ENTERS}")]),
    ("worn-again", [
        ("episode", "【自動】このエピソードがセットされた時、あなたの一花1人を選び、他のレーンに移動する。"),
        ("一花", f"{MOVED}あなたのエピソード1枚を選び、控え室に置く。その後、あなたの控え室の《{{0}}》1枚を選び、このキャラにセットする。")]),
    ("event-stroll-episode", [
        ("", "【メイン】あなたのキャラ1人を選び、ターンの終わりまで花嫁力+1。"),
        ("三玖", "【自動】あなたがイベントカードをプレイした時、このキャラを他のレーンに移動する。"),
        ("episode", f"【専用】三玖\n{WORN_MOVED}{fetch(0)}")]),
    ("onto-the-deck-instead", [
        ("二乃", "【永続】このキャラがレーンから控え室に置かれる時、かわりにこのキャラをデッキの上に置く。"),
        ("五月", f"【自動】あなたの他のキャラがレーンを離れた時、1枚引く。その後、{HAND_ENTERS}"),
        ("四葉", f"【起動】[あなたの他のキャラ1人を控え室に置く]{STRONGER}")]),
    ("may-discard", [
        ("四葉", f"{DISCARDED}このキャラをキャラのいないレーンに移動する。"),
        ("episode", f"【専用】四葉\n{WORN_MOVED}あなたの二乃1人を選び、キャラのいないレーンに移動する。"),
        ("二乃", f"{MOVED}手札を1枚控え室に置いてよい。そうしたら、あなたの控え室のイベントカード1枚を選び、手札に加える。")]),
    ("two-costs", [
        ("一花", f"{DISCARDED}裏向きの主人公1枚を選び、表にする。"),
        ("二乃", f"{HERO_UP}あなたの三玖1人を選び、キャラのいないレーンに移動する。"),
        ("三玖", f"{MOVED}あなたの控え室のキャラカード1枚を選び、手札に加える。"),
        ("四葉", f"【起動】[手札を1枚控え室に置く、表向きの主人公1枚を裏にする]{STRONGER}")]),
    ("hand-too-full", [
        ("一花", "【自動】あなたの手札が4枚以上である時、手札を1枚控え室に置く。"),
        ("二乃", f"{DISCARDED}あなたの四葉1人を選び、キャラのいないレーンに移動する。"),
        ("四葉", f"{MOVED}あなたの三玖1人を選び、キャラのいないレーンに移動する。"),
        ("三玖", f"{MOVED}あなたの控え室のキャラカード1枚を選び、手札に加える。")]),
    ("cheered-hero", [
        ("", "【メイン】あなたの一花1人を選び、ターンの終わりまで花嫁力+1。"),
        ("一花", "【自動】あなたがイベントカードをプレイした時、手札を1枚控え室に置いてよい。そうしたら、裏向きの主人公1枚を選び、表にする。"),
        ("二乃", f"{HERO_UP}{fetch(0)}"),
        ("五月", "【起動】[表向きの主人公1枚を裏にする]あなたの控え室のエピソードカード1枚を選び、手札に加える。")]),
]


# ---------------------------------------------------------------- shinso, in rule text
POINT = {"payable": "g.points[you] >= 1", "cost": "g.points[you] -= 1"}
SLEEP = {"payable": "not g.card[this].asleep", "cost": "if this is not None:\n    g.card[this].asleep = True\n"}
A_POINT = "g.points[you] += 1"
A_SLOT = "len(empty_slots(g, you)) > 0"


def does(name: str, text: str, kind: str = "activated", **more: str) -> dict[str, Any]:
    """An ability."""
    return {"name": {"ja": name, "en": name}, "kind": kind, **more, "text": text}


def chosen(among: str, what: str) -> str:
    """Choose one of these, if there is one, and do that to it (`c`)."""
    return f"found = {{c for c in {among}}}\nif len(found) > 0:\n    c = await choose(you, found)\n    {what}\n"


def destroyed(name: str, text: str, kind: str = "destroyed") -> dict[str, Any]:
    """An ability that works when its card is destroyed."""
    return does(name, text, kind, when="Destroyed", **{"if": "event.card == this"})


def spends(among: str, what: str) -> dict[str, str]:
    """The cost of doing that to one of these (`c`)."""
    return {"payable": f"len({among}) > 0", "cost": f"c = await choose(you, {among})\n{what}\n"}


def mine(power: int) -> str:
    """Your kin of this printed power: one card of the set."""
    return f"kin_of(g, you) if Printed(c).power == {power}"


def wakes(power: int) -> str:
    """One of them is woken."""
    return chosen(mine(power), "g.card[c].asleep = False")


def to_a_slot(card: str) -> str:
    """The card goes to a free slot of yours. It stands in the body of an `if`."""
    return f"n = await choose(you, empty_slots(g, you))\n    go(g, {card}, g.slot[you][n])\n"


THIS_BACK = f"if this is not None and {A_SLOT}:\n    {to_a_slot('this')}"


def kin(power: int, cost: int) -> dict[str, Any]:
    """What is printed on kin whose cost is not 1."""
    return {"kind": "kin", "power": power, "cost": cost}


SHINSO_THIRD: Planted = [
    ("mill-and-reshuffle", [
        (2810, does("the top card of the deck goes to the coffin area: 1 point", A_POINT, payable="len(g.deck[you]) > 1", cost="c = await chance(on_top(g.deck[you]))\ngo(g, c, g.coffin[you])\n")),
        (2820, does("1 point: the coffin area is shuffled into the deck", "put_into_deck(g, g.coffin[you], you)", **POINT))]),
    ("turncoat", [
        (2830, does("it goes to the opponent: 2 points", "g.points[you] += 2", payable="len(empty_slots(g, other(you))) > 0",
                    cost="if this is not None:\n    n = await choose(you, empty_slots(g, other(you)))\n    go(g, this, g.slot[other(you)][n])\n")),
        (2840, does("1 point: kin of the opponent come to you", chosen(f"kin_of(g, other(you)) if {A_SLOT}", to_a_slot("c")), **POINT))]),
    ("sleepers-recalled", [
        (kin(2850, cost=2), does("sleep: 1 point", A_POINT, **SLEEP)),
        (2860, does("kin that sleep go to hand: 1 point", A_POINT, **spends("{c for c in kin_of(g, you) if g.card[c].asleep}", "go(g, c, g.hand[you])")))]),
    ("blood-and-balm", [
        (3100, does("-1000 this turn: wake kin", wakes(2870), payable="power(g, this) > 1000", cost="if this is not None:\n    g.card[this].this_turn -= 1000\n")),
        (2870, does("sleep: 1 point", A_POINT, **SLEEP)),
        (3110, does("1 point: kin get +1000 this turn", chosen(mine(3100), "g.card[c].this_turn += 1000"), **POINT))]),
    ("cursed-ring", [
        ({"kind": "treasure", "lends": -1000}, destroyed("when destroyed, it is put on other kin", "found = kin_of(g, you)\nif this is not None and len(found) > 0:\n    c = await choose(you, found)\n    equip(g, you, this, c)\n")),
        (1000, destroyed("when destroyed, it comes back", THIS_BACK))]),
    ("feud", [
        (2880, destroyed("when destroyed, it comes back and a treasure of the opponent is destroyed", THIS_BACK + chosen("g.treasures[other(you)]", "destroy(g, {c})"))),
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, it is put back and kin of the opponent are destroyed",
                   "if this is not None:\n    go(g, this, g.treasures[you])\n" + chosen("kin_of(g, other(you))", "destroy(g, {c})")))]),
    ("endless-night", [
        ({"kind": "power", "cost": 2}, does("take another turn, whose draw phase is skipped", "g.extra_turns += 1\ng.skips_draw[you] = True\n", "power")),
        (2890, does("at the end of your turn, a power of the coffin area goes to hand", "if g.turn_player == you:\n    found = {c for c in g.coffin[you] if Printed(c).kind == Kind.POWER}\n    if len(found) > 0:\n        c = await choose(you, found)\n        go(g, c, g.hand[you])\n", "turn_end", when="TurnEnding")),
        (2910, does("sleep: 1 point", A_POINT, **SLEEP))]),
    ("opponents-library", [
        (2920, does("1 point: the opponent draws a card", "await draw(g, other(you))", **POINT)),
        (2930, does("sleep: the opponent discards a card, 1 point", "found = g.hand[other(you)]\nif len(found) > 0:\n    c = await choose(other(you), found)\n    to_graveyard(g, {c})\n    g.points[you] += 1\n", **SLEEP)),
        (2940, does("the opponent's coffin area is shuffled into the deck: wake kin", wakes(2930), payable="len(g.coffin[other(you)]) > 0", cost="put_into_deck(g, g.coffin[other(you)], other(you))\n"))]),
    ("shard-withdrawn", [
        (2950, does("your shard retreats: 1 point", A_POINT, payable="any(is_shard(c) for c in g.entry_slot[you])", cost="for c in g.entry_slot[you]:\n    retreat(g, c)\n")),
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, 3 points", "g.points[you] += 3")),
        (2960, does("1 point: a treasure of the coffin area goes to hand", chosen("g.coffin[you] if Printed(c).kind == Kind.TREASURE", "go(g, c, g.hand[you])"), **POINT))]),
    ("long-way-home", [
        (kin(2970, cost=0), does("it goes to the opponent: 2 points", "g.points[you] += 2", payable="len(empty_slots(g, other(you))) > 0",
                    cost="if this is not None:\n    n = await choose(you, empty_slots(g, other(you)))\n    go(g, this, g.slot[other(you)][n])\n")),
        (2980, does("1 point: destroy kin of the opponent", chosen("kin_of(g, other(you)) if Printed(c).power <= 2970", "destroy(g, {c})"), **POINT)),
        (2990, does("kin of the coffin area on top of the deck: wake kin", wakes(3010), **spends("{c for c in g.coffin[you] if is_kin(c)}", "go(g, c, g.deck[you])"))),
        (3010, does("sleep: draw a card", "await draw(g, you)", **SLEEP))]),
    ("life-juggled", [
        (3020, does("a rim card is destroyed: wake kin", wakes(3030), payable="len(g.rim[you]) > 0", cost="c = await choose(you, g.rim[you])\ndestroy_rims(g, {c})\ntell_of_rims(g, {c})\n")),
        (3030, does("sleep: 1 point", A_POINT, **SLEEP)),
        (3040, destroyed("rim blast: to hand", "if this is not None:\n    go(g, this, g.hand[you])\n", "rim_blast")),
        (3050, does("1 point: a card of the hand becomes a rim card", chosen("g.hand[you]", "go(g, c, g.rim[you])"), **POINT))]),
    ("altar-and-choir", [
        (0, does("destroy your kin: 2 points", chosen(mine(3060), "destroy(g, {c})\n    g.points[you] += 2"), "power")),
        (3060, destroyed("when destroyed, wake kin", wakes(3070))),
        (3070, does("sleep: a power of the coffin area goes to hand", chosen("g.coffin[you] if Printed(c).kind == Kind.POWER", "go(g, c, g.hand[you])"), **SLEEP)),
        (3080, does("1 point: kin of the coffin area come back", chosen(f"g.coffin[you] if Printed(c).power == 3060 and {A_SLOT}", to_a_slot("c")), **POINT))]),
]
