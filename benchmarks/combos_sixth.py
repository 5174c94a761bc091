"""A sixth dozen of sets of cards that loop together for each of hanayome and shinso, in the form of `combos_planted.py`.

They were invented by somebody who did not know how the search works and had seen nothing of it but the first five dozens. Of each set `check` told the
loop in a position made by hand, and none there with the text of any one card blank.
"""
from __future__ import annotations

from combos_fifth import AN_EVENT, TO_A_LANE
from combos_fourth import ANOTHER_LEFT, ENTERED, attacking
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
    WORN_MOVED,
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
OPPONENT_ENTERED = "【自動】相手のキャラが登場した時、"
PUT_AWAY = "【自動】このキャラがレーンから控え室に置かれた時、"
THIS_AWAY = "このキャラを控え室に置く。"

HANAYOME_SIXTH: Planted = [
    ("overdue-books", [
        ("", "【メイン】デッキをシャッフルする。"),
        ("三玖", f"【自動】あなたの控え室が2枚以上である時、{AN_EVENT}")]),
    ("end-to-end", [
        ("四葉", f"{MOVED}このキャラを一番左のレーンに移動する。"),
        ("episode", f"【専用】四葉\n{WORN_MOVED}あなたの四葉1人を選び、一番右のレーンに移動する。")]),
    ("courtesy-visits", [
        ("五月", f"{OPPONENT_ENTERED}あなたの控え室の一花のキャラカード1枚を選び、{TO_A_LANE}"),
        ("一花", f"{ENTERED}{THIS_AWAY}")]),
    ("diary-lent", [
        ("一花", "【起動】[このキャラのエピソードを1枚控え室に置く]デッキからエピソードカードを1枚探し手札に加え、デッキをシャッフルする。"),
        ("三玖", "【起動】[手札を1枚デッキの上に置く]あなたの控え室のエピソードカード1枚を選び、あなたのキャラ1人にセットする。")]),
    ("stand-in", [
        ("", "【メイン】【使用条件】一花：あなたの四葉1人を選び、他のレーンに移動する。"),
        ("四葉", f"{MOVED}{AN_EVENT}"),
        ("三玖", "【永続】このキャラが中央のレーンにいる場合、このキャラは一花としても扱う。")]),
    ("in-high-spirits", [
        ("二乃", "【永続】あなたの一花の花嫁力を2倍にする。"),
        ("五月", "【起動】[手札を1枚デッキの上に置く]花嫁力が4以上のあなたのキャラ1人を選び、このキャラと入れ替える。"),
        ("一花", f"{MOVED}1枚引く。")]),
    ("entrance-fee", [
        ("三玖", "【自動】[手札を1枚控え室に置く]あなたの他のキャラが登場した時、あなたの一花1人を選び、手札に加える。"),
        ("四葉", f"{DISCARDED}あなたの控え室のキャラカード1枚を選び、手札に加える。"),
        ("二乃", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
    ("full-house", [
        ("一花", "【自動】あなたのキャラが4人以上いる時、あなたの二乃1人を選び、デッキの上に置く。"),
        ("五月", f"{ANOTHER_LEFT}1枚引く。"),
        ("三玖", f"【自動】あなたの手札が1枚以上である時、{HAND_ENTERS}")]),
    ("cold-feet", [
        ("", "【メイン】あなたの二乃1人を選び、花嫁エリアに置く。"),
        ("一花", "【自動】花嫁が合わせて1人以上いる時、あなたの花嫁1人を選び、手札に加える。"),
        ("五月", f"{ANOTHER_LEFT}{HAND_ENTERS}"),
        ("三玖", f"【自動】あなたの他のキャラが登場した時、{AN_EVENT}")]),
    ("blushing", [
        ("hero", f"{HERO_UP}あなたの四葉1人を選び、キャラのいないレーンに移動する。"),
        ("四葉", f"{MOVED}1枚引く。"),
        ("一花", "【起動】[手札を1枚デッキの上に置く]裏向きの主人公1枚を選び、表にする。"),
        ("三玖", f"{HERO_UP}表向きの主人公1枚を選び、裏にする。")]),
    ("unwelcome-guests", [
        ("", "【メイン】相手のキャラ1人を選び、控え室に置く。"),
        ("一花", f"{PUT_AWAY}あなたの控え室の二乃のキャラカード1枚を選び、{TO_A_LANE}"),
        ("二乃", f"{PUT_AWAY}あなたの控え室の一花のキャラカード1枚を選び、{TO_A_LANE}"),
        ("五月", f"{OPPONENT_ENTERED}{AN_EVENT}")]),
    ("slips-away", [
        ("一花", "【永続】このキャラがレーンから控え室に置かれる時、かわりにこのキャラを手札に加える。"),
        ("二乃", "【起動】[あなたの他のキャラ1人を控え室に置く]デッキをシャッフルする。"),
        ("三玖", f"{ANOTHER_LEFT}あなたの五月1人を選び、キャラのいないレーンに移動する。"),
        ("五月", f"{MOVED}{HAND_ENTERS}")]),
]


# ---------------------------------------------------------------- shinso, in rule text
KIN_OF_THE_COFFIN = f"g.coffin[you] if is_kin(c) and {A_SLOT}"
FRAIL = "{c for c in g.hand[you] if Printed(c).power == 1000}"

SHINSO_SIXTH: Planted = [
    ("heirloom", [
        (5210, does("kin that bear a treasure are destroyed: it wakes", "if this is not None:\n    g.card[this].asleep = False\n", **spends("{c for c in kin_of(g, you) if len(treasures_on(g, c)) > 0}", "destroy(g, {c})"))),
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, kin of the coffin area come back and bear it", (
            f"found = {{c for c in {KIN_OF_THE_COFFIN}}}\nif this is not None and len(found) > 0:\n    c = await choose(you, found)\n    {to_a_slot('c')}    equip(g, you, this, c)\n")))]),
    ("second-thoughts", [
        (5240, does("sleep, your set power goes to hand: 3 points", "g.points[you] += 3", payable="not g.card[this].asleep and len(g.power_slot[you]) > 0",
                    cost=SLEEP["cost"] + "for c in g.power_slot[you]:\n    go(g, c, g.hand[you])\n")),
        (5250, does("1 point: wake kin", wakes(5240), **POINT))]),
    ("heart-laid-bare", [
        (5300, does("a core card becomes a rim card: 1 point", A_POINT, **spends("g.core[you]", "go(g, c, g.rim[you])"))),
        (5310, does("1 point: a rim card becomes a core card", chosen("g.rim[you]", "go(g, c, g.core[you])"), **POINT))]),
    ("second-dusk", [
        (5410, does("at the end of the turn, destroy your kin", chosen(mine(5420), "destroy(g, {c})"), "turn_end", when="TurnEnding")),
        (5420, destroyed("when destroyed, 1 point, it comes back, and what happens at the end of the turn happens again", f"{A_POINT}\n{THIS_BACK}emit(TurnEnding(g.turn_player))\n"))]),
    ("envy", [
        (5330, does("sleep: kin of the opponent get +1000 this turn", chosen("kin_of(g, other(you))", "g.card[c].this_turn += 1000"), **SLEEP)),
        (5340, does("kin of the opponent get -1000 this turn, if they have more: 1 point", A_POINT, **spends("{c for c in kin_of(g, other(you)) if g.card[c].this_turn > 0}", "g.card[c].this_turn -= 1000"))),
        (5350, does("1 point: wake kin", wakes(5330), **POINT))]),
    ("well", [
        (5360, does("the top card of the life deck becomes a rim card: wake kin", wakes(5370), payable="len(g.life_deck[you]) > 1", cost="c = await chance(on_top(g.life_deck[you]))\ngo(g, c, g.rim[you])\n")),
        (5370, does("sleep: a rim card goes to hand, 1 point", chosen("g.rim[you]", f"go(g, c, g.hand[you])\n    {A_POINT}"), **SLEEP)),
        (5380, does("1 point: a card of the hand goes to the life deck", chosen("g.hand[you]", "go(g, c, g.life_deck[you])"), **POINT))]),
    ("frail-herald", [
        (5390, does("sleep: kin get -1000", chosen(mine(1000), "g.card[c].loss -= 1000"), **SLEEP)),
        ({"kind": "kin", "power": 1000, "cost": 4}, destroyed("when destroyed, it goes to hand", "if this is not None:\n    go(g, this, g.hand[you])\n")),
        (5400, does("kin of the hand come to a slot: wake kin", wakes(5390), payable=f"len({FRAIL}) > 0 and {A_SLOT}",
                    cost=f"c = await choose(you, {FRAIL})\nn = await choose(you, empty_slots(g, you))\ngo(g, c, g.slot[you][n])\n"))]),
    ("long-corridor", [
        (5620, does("it goes to the next slot: 1 point", A_POINT, payable="any(zone_of(this) == g.slot[you][n] and len(g.slot[you][n + 1]) == 0 for n in {1, 2, 3})",
                    cost="if this is not None:\n    n = await choose(you, {n for n in {1, 2, 3} if zone_of(this) == g.slot[you][n]})\n    go(g, this, g.slot[you][n + 1])\n")),
        (5630, does("sleep: kin go to the first slot", chosen(f"{mine(5620)} and len(g.slot[you][1]) == 0", "go(g, c, g.slot[you][1])"), **SLEEP)),
        (5640, does("1 point: wake kin", wakes(5630), **POINT))]),
    ("ransom", [
        (5440, does("kin go to the opponent: 1 point", A_POINT, payable=f"len({{c for c in {mine(5450)}}}) > 0 and len(empty_slots(g, other(you))) > 0",
                    cost=f"c = await choose(you, {{c for c in {mine(5450)}}})\nn = await choose(you, empty_slots(g, other(you)))\ngo(g, c, g.slot[other(you)][n])\n")),
        (5460, does("1 point: kin of the opponent that you own go to hand", chosen("kin_of(g, other(you)) if owner(c) == you", "go(g, c, g.hand[you])"), **POINT)),
        (5470, does("kin of the hand on top of the deck: wake kin", wakes(5450), **spends("{c for c in g.hand[you] if is_kin(c)}", "go(g, c, g.deck[you])"))),
        (5450, does("sleep: kin of the deck come to a slot, shuffle", chosen(f"g.deck[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")) + "shuffle(g.deck[you])\n", **SLEEP))]),
    ("pilgrimage", [
        (5490, does("a rim card is exiled: 1 point", A_POINT, **spends("g.rim[you]", "exile_card(g, c)"))),
        (5500, does("1 point: an exiled card is shifted", chosen("g.exile[you]", "go(g, c, g.shift[you])"), **POINT)),
        (5510, does("a card of the shift area goes to the coffin area: wake kin", wakes(5520), **spends("g.shift[you]", "go(g, c, g.coffin[you])"))),
        (5520, does("sleep: a card of the coffin area becomes a rim card", chosen("g.coffin[you]", "go(g, c, g.rim[you])"), **SLEEP))]),
    ("collapse", [
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, your domain is destroyed", chosen("g.domain_slot[you]", "destroy(g, {c})"))),
        ({"kind": "domain", "lends": 1000}, destroyed("when destroyed, it is deployed again, and kin are destroyed",
                   "if this is not None:\n    place_domain(g, you, this, False)\n" + chosen(mine(5530), "destroy(g, {c})"))),
        (5530, destroyed("when destroyed, it comes back, and a rim card of yours is destroyed", THIS_BACK + chosen("g.rim[you]", "destroy_rims(g, {c})\n    tell_of_rims(g, {c})"))),
        (5540, destroyed("rim blast: it stays a rim card, and a treasure of the coffin area is put back and destroyed", "if this is not None:\n    go(g, this, g.rim[you])\n"
                         + chosen("g.coffin[you] if Printed(c).kind == Kind.TREASURE", "go(g, c, g.treasures[you])\n    destroy(g, {c})"), "rim_blast"))]),
    ("parade", [
        (5550, attacking("when attacking, your treasure is destroyed", chosen("g.treasures[you]", "destroy(g, {c})"))),
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, it is put back, and kin are destroyed",
                   "if this is not None:\n    go(g, this, g.treasures[you])\n" + chosen(mine(5560), "destroy(g, {c})"))),
        (5560, destroyed("when destroyed, it comes back and kin wake", THIS_BACK + wakes(5550))),
        (1000, destroyed("when destroyed, it comes back", THIS_BACK))]),
]
