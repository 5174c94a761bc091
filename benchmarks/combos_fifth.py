"""A fifth dozen of sets of cards that loop together for each of hanayome and shinso, in the form of `combos_planted.py`.

They were invented by somebody who did not know how the search works and had seen nothing of it but the first four dozens. Of each set `check` told the
loop in a position made by hand, and none there with the text of any one card blank.
"""
from __future__ import annotations

from combos_fourth import ANOTHER_LEFT, ENTERED, YOURS, attacking
from combos_third import (
    A_POINT,
    A_SLOT,
    DISCARDED,
    HAND_ENTERS,
    HERO_UP,
    MOVED,
    POINT,
    SLEEP,
    STRONGER,
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
PLAYED = "【自動】あなたがイベントカードをプレイした時、"
WED = "【自動】このキャラが花嫁エリアに置かれた時、"
AN_EVENT = "あなたの控え室のイベントカード1枚を選び、手札に加える。"
TO_A_LANE = "キャラのいないあなたのレーンに登場させる。"

HANAYOME_FIFTH: Planted = [
    ("tidying-up", [
        ("四葉", f"{DISCARDED}あなたの控え室のキャラカード1枚を選び、手札に加える。"),
        ("二乃", "【自動】あなたの手札が3枚以上である時、手札を1枚控え室に置く。")]),
    ("study-group", [
        ("", "【アプローチ】あなたのキャラ1人を選び、キャラのいないレーンに移動する。"),
        ("五月", f"【永続】このキャラのいるレーンのキャラは『{PLAYED}{AN_EVENT}』を得る。")]),
    ("ribbon-dance", [
        ("episode", "【永続】このエピソードがセットされているキャラは『【自動】このキャラが他のレーンに移動した時、1枚引く。』を得る。"),
        ("一花", "【起動】[手札を1枚デッキの上に置く]あなたの他のキャラ1人を選び、このキャラと入れ替える。")]),
    ("would-rather-stay", [
        ("五月", f"【永続】このキャラがレーンから控え室に置かれる時、かわりに手札を1枚控え室に置いてよい。そうしたら、{AN_EVENT}"),
        ("四葉", f"{DISCARDED}あなたの五月1人を選び、控え室に置く。")]),
    ("strong-with-empty-hands", [
        ("二乃", "【永続】あなたの手札がない場合、このキャラは花嫁力+2。"),
        ("三玖", "【自動】あなたの他のキャラが登場した時、花嫁力が4以上のあなたのキャラ1人を選び、手札に加える。"),
        ("四葉", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
    ("all-in-disguise", [
        ("四葉", "【永続】あなたのキャラは一花としても扱う。"),
        ("一花", "【起動】【一花only】[手札を1枚控え室に置く]このキャラを一番左のレーンに移動する。"),
        ("三玖", f"{DISCARDED}あなたの控え室のキャラカード1枚を選び、手札に加える。")]),
    ("umbrella-for-two", [
        ("二乃", f"{ENTERED}あなたの控え室のエピソードカード1枚を選び、このキャラにセットする。"),
        ("episode", "【専用】二乃\n【自動】このエピソードがセットされた時、あなたの二乃1人を選び、控え室に置く。"),
        ("三玖", f"{ANOTHER_LEFT}あなたの控え室の二乃のキャラカード1枚を選び、{TO_A_LANE}")]),
    ("cannot-be-forgotten", [
        ("五月", "【自動】カードが取り除かれた時、このキャラを手札に加える。"),
        ("一花", "【自動】あなたの他のキャラが登場した時、そのキャラを取り除く。"),
        ("四葉", f"{ANOTHER_LEFT}{HAND_ENTERS}これを行わなくてもよい。")]),
    ("wedding-rehearsal", [
        ("", "【メイン】あなたの二乃1人を選び、花嫁エリアに置く。"),
        ("二乃", f"{WED}あなたの三玖1人を選び、このキャラと入れ替える。"),
        ("三玖", f"{WED}{AN_EVENT}"),
        ("一花", f"{ANOTHER_LEFT}あなたの花嫁1人を選び、{TO_A_LANE}")]),
    ("pen-friends", [
        ("", "【メイン】相手は1枚引く。その後、相手は手札を1枚控え室に置く。"),
        ("一花", "【自動】相手がイベントカードをプレイした時、あなたの控え室のキャラカード1枚を選び、デッキの上に置く。"),
        ("五月", f"{PLAYED}あなたの四葉1人を選び、他のレーンに移動する。"),
        ("四葉", f"{MOVED}{STRONGER}その後、{AN_EVENT}")]),
    ("evening-walk", [
        ("", "【アプローチ】あなたの一花1人を選び、他のレーンに移動する。"),
        ("一花", f"{MOVED}表向きの主人公1枚を選び、裏にする。"),
        ("三玖", f"{PLAYED}裏向きの主人公1枚を選び、表にする。"),
        ("hero", f"{HERO_UP}{AN_EVENT}")]),
    ("will-not-look-away", [
        ("hero", "【永続】この風太郎が裏になる時、かわりにあなたの一花1人を選び、他のレーンに移動する。"),
        ("一花", f"{MOVED}あなたの控え室の二乃のキャラカード1枚を選び、{TO_A_LANE}"),
        ("二乃", f"{ENTERED}このキャラを控え室に置く。"),
        ("三玖", f"{ANOTHER_LEFT}表向きの主人公1枚を選び、裏にする。")]),
]


# ---------------------------------------------------------------- shinso, in rule text
A_POWER_OF_THE_COFFIN = "g.coffin[you] if Printed(c).kind == Kind.POWER"

SHINSO_FIFTH: Planted = [
    ("weary-guard", [
        (4710, does("sleep: kin may be put away once more this turn", "g.put_away = False", **SLEEP)),
        (4720, does("kin of the coffin area come back: 1 point", A_POINT, payable=f"any(is_kin(c) for c in g.coffin[you]) and {A_SLOT}",
                    cost="c = await choose(you, {c for c in g.coffin[you] if is_kin(c)})\nn = await choose(you, empty_slots(g, you))\ngo(g, c, g.slot[you][n])\n"))]),
    ("borrowed-life", [
        (4750, does("1 point: an exiled card becomes a rim card, wake kin", chosen("g.exile[you]", "go(g, c, g.rim[you])") + wakes(4760), **POINT)),
        (4760, does("sleep: Life Conversion may be used once more this turn", "if g.conversions[you] > 0:\n    g.conversions[you] -= 1\n", **SLEEP))]),
    ("hostages", [
        (4780, attacking("when attacking, it wakes", "if this is not None:\n    g.card[this].asleep = False\n")),
        ({"kind": "domain", "lends": 1000}, attacking(
            "when your kin attack, kin that the opponent owns become rim cards again", chosen("kin_of(g, you) if owner(c) != you", "go(g, c, g.rim[owner(c)])"), YOURS))]),
    ("curse-that-clings", [
        ({"kind": "domain", "lends": -1000}, destroyed(
            "when destroyed, kin of the coffin area come back, and it is deployed again",
            chosen(f"g.coffin[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")) + "if this is not None:\n    place_domain(g, you, this, False)\n")),
        (1000, destroyed("when destroyed, your domain is destroyed", chosen("g.domain_slot[you]", "destroy(g, {c})")))]),
    ("scapegoat", [
        (4800, does("1 point: kin get -1000 this turn", chosen(mine(1000), "g.card[c].this_turn -= 1000"), **POINT)),
        (1000, destroyed("when destroyed, it comes back: wake kin", THIS_BACK + wakes(4810))),
        (4810, does("sleep: 1 point", A_POINT, **SLEEP))]),
    ("oath-to-the-shard", [
        (4850, does("your shard falls asleep: wake kin", wakes(4860), **spends("{c for c in g.entry_slot[you] if is_shard(c) and not g.card[c].asleep}", "g.card[c].asleep = True"))),
        (4860, does("sleep: 1 point", A_POINT, **SLEEP)),
        (4870, does("1 point: your shard wakes", chosen("g.entry_slot[you] if is_shard(c)", "g.card[c].asleep = False"), **POINT))]),
    ("duel-without-end", [
        (4950, does("sleep: destroy kin of the opponent that are not stronger, 1 point", chosen("kin_of(g, other(you)) if this is not None and power(g, c) <= power(g, this)", "destroy(g, {c})\n    g.points[you] += 1"), **SLEEP)),
        (4960, does("1 point: wake kin", wakes(4950), **POINT)),
        (3010, destroyed("when destroyed, it comes back", THIS_BACK))]),
    ("long-evening", [
        ({"kind": "domain", "lends": 1000}, does(
            "at the end of your turn, 3 points: take another turn", "if g.turn_player == you and g.points[you] >= 3:\n    g.points[you] -= 3\n    g.extra_turns += 1\n", "turn_end", when="TurnEnding")),
        (4980, does("sleep: 2 points", "g.points[you] += 2", **SLEEP)),
        (4990, does("sleep: your next draw phase is skipped", "g.skips_draw[you] = True", **SLEEP))]),
    ("tribute", [
        (5010, does("a card of the opponent's hand becomes a rim card: wake kin", wakes(5020),
                    payable="len(g.hand[other(you)]) > 0", cost="c = await choose(other(you), g.hand[other(you)])\ngo(g, c, g.rim[other(you)])\n")),
        (5020, does("sleep: 1 point", A_POINT, **SLEEP)),
        (5030, does("1 point: a rim card of the opponent is destroyed", chosen("g.rim[other(you)]", "destroy_rims(g, {c})\n    tell_of_rims(g, {c})"), **POINT)),
        (5040, destroyed("rim blast: to hand", "if this is not None:\n    go(g, this, g.hand[you])\n", "rim_blast"))]),
    ("armoury", [
        ({"kind": "treasure", "lends": 2000}, destroyed("when destroyed, on top of the deck", "if this is not None:\n    go(g, this, g.deck[you])\n")),
        (5050, does("sleep, with a treasure: 2 points", "g.points[you] += 2", payable="not g.card[this].asleep and len(treasures_on(g, this)) > 0", cost=SLEEP["cost"])),
        (5060, does("your treasure is destroyed: wake kin", wakes(5050), **spends("g.treasures[you]", "destroy(g, {c})"))),
        (5070, does("1 point: draw a card", "await draw(g, you)", **POINT))]),
    ("drum-and-banner", [
        ({"kind": "kin", "power": 5100, "may_enter": True}, attacking("when attacking, destroy your kin", chosen(mine(5110), "destroy(g, {c})"))),
        (5110, destroyed("when destroyed, it comes back, and a power of the coffin area is set", THIS_BACK + chosen(f"{A_POWER_OF_THE_COFFIN} and len(g.power_slot[you]) == 0", "go(g, c, g.power_slot[you])"))),
        (0, does("wake kin", chosen("kin_of(g, you)", "g.card[c].asleep = False"), "power")),
        (3000, destroyed("when destroyed, it comes back", THIS_BACK))]),
    ("lending-library", [
        (0, does("2 points", "g.points[you] += 2", "power")),
        (4930, does("sleep: a power of the deck goes to hand, shuffle", chosen("g.deck[you] if Printed(c).kind == Kind.POWER", "go(g, c, g.hand[you])") + "shuffle(g.deck[you])\n", **SLEEP)),
        (4940, does("a power of the coffin area is shuffled into the deck: 1 point", A_POINT,
                    **spends("{c for c in g.coffin[you] if Printed(c).kind == Kind.POWER}", "put_into_deck(g, {c}, you)"))),
        (4945, does("2 points: wake kin", wakes(4930), payable="g.points[you] >= 2", cost="g.points[you] -= 2"))]),
]
