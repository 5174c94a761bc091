"""A fourth dozen of sets of cards that loop together for each of hanayome and shinso, in the form of `combos_planted.py`.

They were invented by somebody who did not know how the search works and had seen nothing of it but the first three dozens. Of each set `check` told the
loop in a position made by hand, and none there with the text of any one card blank.
"""
from __future__ import annotations

from typing import Any

from combos_third import (
    A_POINT,
    A_SLOT,
    DISCARDED,
    HAND_ENTERS,
    HERO_UP,
    MOVED,
    POINT,
    SLEEP,
    THIS_BACK,
    Planted,
    chosen,
    destroyed,
    does,
    mine,
    spends,
    to_a_slot,
    wakes,
)

# ---------------------------------------------------------------- hanayome, in the phrases of the book
ENTERED = "【自動】このキャラが登場した時、"
ANOTHER_LEFT = "【自動】あなたの他のキャラがレーンを離れた時、"
HERO_TURNS_AWAY = "【自動】主人公が表になった時、この風太郎を裏にする。"

HANAYOME_FOURTH: Planted = [
    ("reading-club", [
        ("", "【メイン】デッキを上から2枚見て、1枚まで選び手札に加え、残りを好きな順番でデッキの下に置く。"),
        ("三玖", "【自動】[手札を1枚デッキの上に置く]あなたがイベントカードをプレイした時、あなたの控え室のイベントカード1枚を選び、手札に加える。")]),
    ("does-not-suit-her", [
        ("episode", "【専用】五月\n【自動】このエピソードがセットされた時、あなたの控え室のエピソードカード1枚を選び、あなたのキャラ1人にセットする。"),
        ("五月", "【永続】このキャラにエピソードがセットされている場合、このキャラは人物名五月を失う。")]),
    ("rather-than-draw", [
        ("三玖", "【永続】あなたが引く時、かわりに手札を1枚控え室に置いてよい。そうしたら、あなたの控え室のキャラカード1枚を選び、手札に加える。"),
        ("五月", f"{DISCARDED}1枚引く。")]),
    ("generous-opponent", [
        ("", "【メイン】あなたの二乃1人を選び、ターンの終わりまで花嫁力+1。このカードをデッキの上に置く。"),
        ("四葉", "【自動】相手がイベントカードをプレイした時、相手は1枚引く。")]),
    ("promised-for-the-evening", [
        ("hero", HERO_TURNS_AWAY),
        ("一花", f"{MOVED}ターンの終わりに裏向きの主人公1枚を選び、表にする。"),
        ("三玖", f"{HERO_UP}あなたの一花1人を選び、他のレーンに移動する。")]),
    ("grown-out-of-it", [
        ("五月", f"【成長】五月\n{ENTERED}このキャラを手札に加える。"),
        ("五月", f"{ENTERED}あなたの手札1枚を選び、あなたのキャラに重ねて登場させる。"),
        ("二乃", f"{ANOTHER_LEFT}あなたの控え室の五月のキャラカード1枚を選び、キャラのいないあなたのレーンに登場させる。")]),
    ("too-weak-to-stay", [
        ("一花", "【自動】相手のキャラが登場した時、花嫁力が1以下の相手のキャラ1人を選び、控え室に置く。"),
        ("二乃", "【永続】相手のキャラは花嫁力-1。"),
        ("三玖", "【自動】このキャラがレーンから控え室に置かれた時、あなたの控え室の三玖のキャラカード1枚を選び、キャラのいないあなたのレーンに登場させる。")]),
    ("in-front-of-him", [
        ("hero", "【永続】この風太郎の正面のキャラは『【起動】[手札を1枚控え室に置く]このキャラをキャラのいないレーンに移動する。』を得る。"),
        ("三玖", f"{MOVED}このキャラを中央のレーンに移動する。"),
        ("二乃", f"{DISCARDED}あなたの控え室のエピソードカード1枚を選び、手札に加える。")]),
    ("called-itsuki", [
        ("二乃", "【永続】あなたの手札がない場合、あなたの一花は五月としても扱う。"),
        ("三玖", "【自動】あなたの五月がいる時、あなたの五月1人を選び、控え室に置く。"),
        ("一花", "【自動】このキャラがレーンから控え室に置かれた時、あなたの控え室の一花のキャラカード1枚を選び、手札に加える。"),
        ("四葉", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
    ("there-and-back", [
        ("", "【メイン】【使用条件】五月：あなたの五月1人を選び、手札に加える。"),
        ("一花", f"{ANOTHER_LEFT}{HAND_ENTERS}"),
        ("三玖", "【自動】あなたがイベントカードをプレイした時、あなたの控え室のイベントカード1枚を選び、デッキの上に置く。"),
        ("二乃", "【自動】あなたの他のキャラが登場した時、1枚引く。")]),
    ("keepsake", [
        ("episode", "【専用】四葉\n【起動】[このエピソードを控え室に置く]あなたの四葉1人を選び、他のレーンに移動する。"),
        ("四葉", f"{MOVED}裏向きの主人公1枚を選び、表にする。"),
        ("五月", f"{HERO_UP}あなたの控え室のエピソードカード1枚を選び、あなたのキャラ1人にセットする。"),
        ("hero", HERO_TURNS_AWAY)]),
    ("quarrel", [
        ("", "【メイン】相手は手札を1枚控え室に置く。このカードをデッキの上に置く。"),
        ("三玖", f"{DISCARDED}あなたの四葉1人を選び、他のレーンに移動する。"),
        ("四葉", f"{MOVED}相手は1枚引く。"),
        ("五月", f"{DISCARDED}あなたの控え室のキャラカード1枚を選び、手札に加える。")]),
]


# ---------------------------------------------------------------- shinso, in rule text
def attacking(name: str, text: str, condition: str = "event.card == this") -> dict[str, Any]:
    """An ability that works when its card attacks, or whatever else the condition says does."""
    return does(name, text, "attacking", when="Attacking", **{"if": condition})


YOURS = "event.card is not None and master(g, event.card) == you"
THIS_TO_A_SLOT = f"if this is not None:\n    {to_a_slot('this')}"
FACED = "any(zone_of(this) == g.slot[you][n] and len(g.slot[other(you)][n]) > 0 for n in SLOTS)"

SHINSO_FOURTH: Planted = [
    ("endless-hunt", [
        ({"kind": "domain", "lends": 1000}, attacking(
            "when your kin attack, they wake", "c = event.card\nif c is not None:\n    g.card[c].asleep = False\n", YOURS)),
        (1000, destroyed("when destroyed, it comes back", THIS_BACK))]),
    ("mill-and-mend", [
        (4010, does("the top card of the deck is exiled: 1 point", A_POINT, payable="len(g.deck[you]) > 0", cost="c = await chance(on_top(g.deck[you]))\nexile_card(g, c)\n")),
        (4020, does("1 point: an exiled card goes to the life deck", chosen("g.exile[you]", "go(g, c, g.life_deck[you])"), **POINT))]),
    ("gate-and-hall", [
        ({"kind": "kin", "power": 4050, "may_enter": True}, does(
            "from the gate to a free slot: 3 points", "g.points[you] += 3", payable=f"zone_of(this) in g.entry_slot and {A_SLOT}", cost=THIS_TO_A_SLOT)),
        (4060, does("1 point: kin of a slot go to hand", chosen(f"{mine(4050)} and zone_of(c) in g.slot", "go(g, c, g.hand[you])"), **POINT))]),
    ("hedge-of-thorns", [
        (1000, destroyed("when destroyed, it comes back and a rim card of the opponent is destroyed", THIS_BACK + chosen("g.rim[other(you)]", "destroy_rims(g, {c})\n    tell_of_rims(g, {c})"))),
        (4110, destroyed("rim blast: it stays a rim card, and kin of the other player get -1000 this turn",
                         "if this is not None:\n    go(g, this, g.rim[you])\n" + chosen("kin_of(g, other(you))", "g.card[c].this_turn -= 1000"), "rim_blast"))]),
    ("last-charge", [
        (4140, attacking("when attacking, kin of the coffin area come back", chosen(f"g.coffin[you] if Printed(c).power == 4150 and {A_SLOT}", to_a_slot("c")))),
        (4150, attacking("when attacking, kin of the coffin area come back", chosen(f"g.coffin[you] if Printed(c).power == 4140 and {A_SLOT}", to_a_slot("c"))))]),
    ("ashes", [
        (4070, does("it is exiled: 2 points", "g.points[you] += 2", cost="if this is not None:\n    exile_card(g, this)\n")),
        (4080, does("1 point: exiled kin go to the coffin area", chosen("g.exile[you] if is_kin(c)", "go(g, c, g.coffin[you])"), **POINT)),
        (4090, does("1 point: kin of the coffin area come back", chosen(f"g.coffin[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")), **POINT))]),
    ("lullaby", [
        (4170, does("1 point: kin of the opponent fall asleep", chosen("kin_of(g, other(you))", "g.card[c].asleep = True"), **POINT)),
        (4180, does("kin of the opponent that sleep wake: wake kin", wakes(4190), **spends("{c for c in kin_of(g, other(you)) if g.card[c].asleep}", "g.card[c].asleep = False"))),
        (4190, does("sleep: 1 point", A_POINT, **SLEEP))]),
    ("hide-and-seek", [
        (4030, does("it goes to a slot that nothing faces: draw a card", "await draw(g, you)", payable=f"{FACED} and any(len(g.slot[you][n] | g.slot[other(you)][n]) == 0 for n in SLOTS)",
                    cost="if this is not None:\n    n = await choose(you, {n for n in SLOTS if len(g.slot[you][n] | g.slot[other(you)][n]) == 0})\n    go(g, this, g.slot[you][n])\n")),
        (4040, does("1 point: kin of the opponent go to another slot",
                    "found = {c for c in kin_of(g, other(you))}\nif len(found) > 0 and len(empty_slots(g, other(you))) > 0:\n    c = await choose(you, found)\n"
                    "    n = await choose(you, empty_slots(g, other(you)))\n    go(g, c, g.slot[other(you)][n])\n", **POINT)),
        (4045, does("a card of the hand on top of the deck: 1 point", A_POINT, **spends("g.hand[you]", "go(g, c, g.deck[you])")))]),
    ("court-of-debts", [
        (4210, does("a card of the opponent's hand is put away: the opponent has 1 point", "g.points[other(you)] += 1",
                    payable="len(g.hand[other(you)]) > 0", cost="c = await choose(other(you), g.hand[other(you)])\nto_graveyard(g, {c})\n")),
        (4220, does("a point of the opponent: wake kin", wakes(4230), payable="g.points[other(you)] >= 1", cost="g.points[other(you)] -= 1")),
        (4230, does("sleep: 1 point", A_POINT, **SLEEP)),
        (4240, does("1 point: a card of the opponent's coffin area goes to hand", chosen("g.coffin[other(you)]", "go(g, c, g.hand[other(you)])"), **POINT))]),
    ("smithy", [
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, wake kin", wakes(4280))),
        (4260, does("your treasure is destroyed: wake kin", wakes(4270), **spends("g.treasures[you]", "destroy(g, {c})"))),
        (4270, does("sleep: a treasure of the coffin area goes to hand", chosen("g.coffin[you] if Printed(c).kind == Kind.TREASURE", "go(g, c, g.hand[you])"), **SLEEP)),
        (4280, does("sleep: 1 point", A_POINT, **SLEEP))]),
    ("caravan", [
        (4310, does("to the gate: 2 points", "g.points[you] += 2", payable="zone_of(this) in g.slot and len(g.entry_slot[you]) == 0",
                    cost="if this is not None:\n    go(g, this, g.entry_slot[you])\n")),
        (4320, does("1 point: kin at the gate are destroyed", chosen("g.entry_slot[you] if is_kin(c)", "destroy(g, {c})"), **POINT)),
        (4330, does("kin of the coffin area become a rim card: 1 point", A_POINT, **spends("{c for c in g.coffin[you] if is_kin(c)}", "go(g, c, g.rim[you])"))),
        (4340, does("2 points: kin among the rim cards come to a slot", chosen(f"g.rim[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")),
                    payable="g.points[you] >= 2", cost="g.points[you] -= 2"))]),
    ("blood-feast", [
        (4120, attacking("when attacking, destroy your kin", chosen(mine(4130), "destroy(g, {c})"))),
        (4130, destroyed("when destroyed, wake kin", wakes(4120))),
        ({"kind": "domain", "lends": 1000}, attacking(
            "when your kin attack, kin of the coffin area come back", chosen(f"g.coffin[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")), YOURS)),
        (4160, destroyed("rim blast: it stays a rim card", "if this is not None:\n    go(g, this, g.rim[you])\n", "rim_blast"))]),
]
