"""Are sets of cards that loop together found in a pool of hundreds? `python benchmarks/combos_planted.py [BOOK …] [--dozen 1|2|3|4|5|6|7|8] [--cards 400] [--seconds 900] [--seed 0]`

A pool is invented for each book: a dozen planted sets of two to four cards (some growing, some that nobody can stop), and other cards with sentences
drawn by lot: of hanayome in the book's own phrases; of shinso, which has none, in sentences of this file. Told are how many of the planted sets were
found within the time, as exactly these cards (or of which fewer cards loop), and when; and what else was found (cards of several planted sets together, or with others: another loop,
as real, since each is judged exactly and replayed, or it is not told).

The second dozen of each book (`--dozen 2`) was invented by somebody who did not know how the search works, and was measured first when the search had
been worked on with the first alone; since then what it showed of hanayome has been used. Of each of its sets `check` told the loop in a position made by
hand, and none there with any one card blank; from other positions fewer cards of some loop, too. The third (`--dozen 3`, `combos_third.py`) was invented in the
same way, and opened when the search had been worked on with the other two. The fourth (`--dozen 4`, `combos_fourth.py`)
was invented in the same way, too, by somebody who knew the first three; the fifth (`--dozen 5`, `combos_fifth.py`) by somebody who knew the first four;
the sixth (`--dozen 6`, `combos_sixth.py`) by somebody who knew the first five; the seventh (`--dozen 7`, `combos_seventh.py`), of hanayome alone, and the eighth (`--dozen 8`, `combos_eighth.py`), of shinso alone, by those who then worked on the search.
"""
from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from combos_eighth import SHINSO_EIGHTH
from combos_fifth import HANAYOME_FIFTH, SHINSO_FIFTH
from combos_fourth import HANAYOME_FOURTH, SHINSO_FOURTH
from combos_seventh import HANAYOME_SEVENTH
from combos_sixth import HANAYOME_SIXTH, SHINSO_SIXTH
from combos_third import HANAYOME_THIRD, SHINSO_THIRD
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from rulewright.checks.combos.searching import Searched, search
from rulewright.checks.native.team import cores

Planted = list[tuple[str, list[Any]]]

# ---------------------------------------------------------------- hanayome, in the phrases of the book
PERSONS = ("一花", "二乃", "三玖", "四葉", "五月")
CHARACTERS = (
    "【自動】このキャラが登場した時、{n}枚まで引く。",
    "【自動】このキャラが登場した時、手札を1枚控え室に置いてよい。そうしたら、{n}枚引く。",
    "【自動】このキャラが登場した時、デッキを上から{m}枚見て、1枚まで選び手札に加え、残りを好きな順番でデッキの下に置く。",
    "【自動】このキャラが登場した時、相手のキャラ1人を選び、ターンの終わりまで花嫁力-{n}。",
    "【自動】このキャラが登場した時、あなたの控え室の{p}のキャラカード1枚を選び、手札に加える。",
    "【自動】このキャラが花嫁エリアに置かれた時、{n}枚引く。",
    "【自動】このキャラが他のレーンに移動した時、このキャラはターンの終わりまで花嫁力+{n}。",
    "【自動】このキャラがレーンから控え室に置かれた時、{n}枚引く。",
    "【自動】このキャラがアプローチに失敗した時、あなたの控え室のキャラカード1枚を選び、手札に加える。",
    "【自動】このキャラがアプローチした時、相手のキャラ1人を選び、ターンの終わりまで花嫁力-{n}。",
    "【自動】あなたの他のキャラが登場した時、このキャラはターンの終わりまで花嫁力+{n}。",
    "【自動】あなたの他のキャラがレーンを離れた時、このキャラはターンの終わりまで花嫁力+{n}。",
    "【自動】手札からあなたの控え室にカードが置かれた時、このキャラはターンの終わりまで花嫁力+{n}。",
    "【自動】カードが取り除かれた時、{n}枚引く。",
    "【自動】あなたのターンの終わりに、このキャラを一番左のレーンに移動する。",
    "【自動】【ターン1回】あなたの手札がない時、{n}枚引く。",
    "【自動】【ターン1回】相手がイベントカードをプレイした時、{n}枚引く。",
    "【自動】【ターン1回】あなたがイベントカードをプレイした時、このキャラを他のレーンに移動する。",
    "【起動】【ターン1回】あなたの他のキャラ1人を選び、このキャラと入れ替える。",
    "【起動】【ターン1回】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+{n}。",
    "【起動】【ターン1回】[手札を1枚控え室に置く]{n}枚引く。",
    "【起動】【ターン1回】このキャラを一番右のレーンに移動する。",
    "【永続】あなたの花嫁が{n}人以上いる場合、このキャラは花嫁力+{n}。",
    "【永続】あなたの{p}は花嫁力+{n}。",
    "【永続】あなたの手札が{m}枚以上である場合、このキャラは花嫁力+{n}。",
)
EVENTS = (
    "【メイン】{n}枚引く。",
    "【メイン】相手は手札を{n}枚控え室に置く。",
    "【メイン】あなたのキャラ1人を選び、ターンの終わりまで花嫁力+{n}。",
    "【アプローチ】あなたのキャラ1人を選び、ターンの終わりまで花嫁力+{n}。",
    "【メイン】あなたの控え室の{p}のキャラカード1枚を選び、手札に加える。",
    "【メイン】あなたの控え室のエピソードカード1枚を選び、手札に加える。",
    "【メイン】あなたのキャラ1人を選び、他のレーンに移動する。",
    "【メイン】あなたのキャラ1人を選び、手札に加える。",
    "【メイン】あなたの{p}1人を選び、手札に加える。その後、{n}枚引く。",
    "【メイン】相手のキャラ1人を選び、キャラのいないレーンに移動する。",
    "【メイン】花嫁力が{n}以下の相手のキャラ1人を選び、控え室に置く。",
    "【メイン】デッキからキャラカードを1枚探し手札に加え、デッキをシャッフルする。",
    "【メイン】裏向きの主人公1枚を選び、表にする。",
)
DISCARDS = "【起動】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+1。"
DISCARDED = "【自動】手札からあなたの控え室にカードが置かれた時、"
PUTS_AWAY = "【起動】[あなたの他のキャラ1人を控え室に置く]このキャラはターンの終わりまで花嫁力+1。"


def fetch(n: int) -> str:
    """Take card n of the set from the waiting room. Names of the set's cards stand for {0}, {1} …"""
    return f"あなたの控え室の《{{{n}}}》1枚を選び、手札に加える。"


def enters(n: int) -> str:
    return f"【自動】このキャラがレーンから控え室に置かれた時、あなたの控え室の《{{{n}}}》1枚を選び、キャラのいないあなたのレーンに登場させる。"


def moves(one: str) -> str:
    return f"【自動】このキャラが他のレーンに移動した時、あなたの{one}1人を選び、キャラのいないレーンに移動する。"


HANAYOME: Planted = [
    ("two-events", [("", f"【メイン】{fetch(1 - k)}") for k in range(2)]),
    ("three-events", [("", f"【メイン】{fetch((k + 1) % 3)}") for k in range(3)]),
    ("four-events", [("", f"【メイン】{fetch((k + 1) % 4)}") for k in range(4)]),
    ("discard-and-return", [("三玖", DISCARDS), ("四葉", f"{DISCARDED}あなたの控え室のイベントカード1枚を選び、手札に加える。")]),
    ("discard-and-play", [
        ("三玖", DISCARDS), ("四葉", f"{DISCARDED}あなたの控え室の《{{2}}》1枚を選び、キャラのいないあなたのレーンに登場させる。"),
        ("五月", "【自動】このキャラが登場した時、このキャラを手札に加える。")]),
    ("hero-turns", [("一花", "【起動】[表向きの主人公1枚を裏にする]このキャラはターンの終わりまで花嫁力+1。"),
                    ("三玖", f"【自動】主人公が表になった時、{fetch(2)}"), ("", "【メイン】裏向きの主人公1枚を選び、表にする。")]),
    ("comes-back", [("二乃", PUTS_AWAY), ("三玖", enters(1))]),
    ("two-in-turn", [("二乃", PUTS_AWAY), ("三玖", enters(2)), ("五月", enters(1))]),
    ("three-in-turn", [("二乃", PUTS_AWAY), ("三玖", enters(2)), ("五月", enters(3)), ("四葉", enters(1))]),
    ("two-movers", [("四葉", moves("五月")), ("五月", moves("四葉"))]),
    ("three-movers", [("一花", moves("二乃")), ("二乃", moves("三玖")), ("三玖", moves("一花"))]),
    ("draw-and-put-back", [("一花", "【起動】[手札を1枚控え室に置く]1枚引く。"),
                           ("二乃", f"{DISCARDED}あなたの控え室のイベントカード1枚を選び、デッキの上に置く。")]),
]


def returns(n: int) -> str:
    return f"あなたの控え室の《{{{n}}}》1枚を選び、キャラのいないあなたのレーンに登場させる。"


def trades(one: str) -> str:
    return f"【自動】このキャラが登場した時、あなたの控え室の{one}のキャラカード1枚を選び、このキャラと入れ替える。"


EPISODE_SPENT = "【起動】[このキャラのエピソードを1枚控え室に置く]"
EPISODE_SET = "【自動】このエピソードがセットされた時、"
MOVED = "【自動】このキャラが他のレーンに移動した時、"
BRIDE_ENTERS = "あなたの花嫁1人を選び、キャラのいないあなたのレーンに登場させる。"

HANAYOME_SECOND: Planted = [  # held out: see the docstring above
    ("trading-places", [("三玖", trades("四葉")), ("四葉", trades("三玖"))]),
    ("draw-replaced", [("一花", f"【永続】あなたが引く時、かわりに{fetch(1)}"), ("", "【メイン】1枚引く。")]),  # the event twice
    ("empty-hand", [("三玖", "【自動】あなたの手札がない時、1枚引く。"), ("二乃", "【起動】[手札を1枚デッキの上に置く]このキャラはターンの終わりまで花嫁力+1。")]),
    ("leaves-at-the-end", [("二乃", "【自動】ターンの終わりに、このキャラを控え室に置く。"), ("三玖", f"【自動】あなたの他のキャラがレーンを離れた時、{returns(0)}")]),
    ("episode-spent", [("二乃", f"{EPISODE_SPENT}このキャラはターンの終わりまで花嫁力+2。"), ("episode", f"{EPISODE_SET}{fetch(2)}"),
                       ("", "【メイン】あなたの控え室の《{1}》1枚を選び、あなたのキャラ1人にセットする。")]),
    ("searched-again", [("", "【メイン】デッキからイベントカードを1枚探し手札に加え、デッキをシャッフルする。"), ("", "【メイン】あなたの四葉1人を選び、他のレーンに移動する。このカードをデッキの上に置く。"),
                        ("四葉", f"{MOVED}{fetch(0)}")]),
    ("grows-and-falls", [("五月", "【自動】このキャラが登場した時、あなたの控え室の《{1}》1枚を選び、あなたのキャラに重ねて登場させる。"),
                         ("五月", "【成長】五月\n【起動】[このキャラを控え室に置く]あなたの一花1人を選び、中央のレーンに移動する。"),
                         ("一花", f"【自動】あなたの他のキャラがレーンを離れた時、{returns(0)}")]),
    ("bride-instead", [("三玖", "【永続】このキャラがレーンから控え室に置かれる時、かわりにこのキャラを花嫁エリアに置く。"), ("二乃", f"【自動】あなたの花嫁が1人以上いる時、{BRIDE_ENTERS}"),
                       ("四葉", "【自動】あなたの他のキャラが登場した時、そのキャラを控え室に置く。")]),
    ("lent-ability", [("一花", f"【永続】あなたの他のキャラは『【自動】このキャラが登場した時、{fetch(1)}』を得る。"), ("", f"【メイン】{returns(2)}"),
                      ("二乃", "【起動】[このキャラを控え室に置く]デッキをシャッフルする。")]),
    ("hero-to-and-fro", [("hero", "【自動】主人公が表になった時、あなたの一花1人を選び、他のレーンに移動する。"), ("一花", f"{MOVED}表向きの主人公1枚を選び、裏にする。"),
                         ("二乃", f"【自動】主人公が表になった時、{fetch(3)}"), ("", "【メイン】裏向きの主人公1枚を選び、表にする。")]),
    ("spent-for-a-bride", [("一花", f"{EPISODE_SPENT}{BRIDE_ENTERS}"), ("二乃", "【自動】このキャラが登場した時、あなたの控え室の《{2}》1枚を選び、あなたのキャラ1人にセットする。"),
                           ("episode", f"{EPISODE_SET}{fetch(3)}"), ("", "【メイン】あなたの二乃1人を選び、花嫁エリアに置く。")]),
    ("four-at-the-end", [("二乃", "【自動】あなたのターンの終わりに、このキャラを花嫁エリアに置く。"),
                         ("三玖", "【自動】あなたの他のキャラがレーンを離れた時、あなたの四葉1人を選び、キャラのいないレーンに移動する。"),
                         ("四葉", f"{MOVED}あなたの五月1人を選び、キャラのいないレーンに移動する。"), ("五月", f"{MOVED}{BRIDE_ENTERS}")]),
]
NO_PERSON = {"": "event", "episode": "episode", "hero": "hero"}
NUMBERS = {"character": {"power": "2", "bonus": "1"}, "episode": {"bonus": "1"}}


def hanayome(folder: Path, size: int, luck: Random, planted: Planted) -> Path:
    """The pool as a table."""
    rows: list[tuple[str, str, str]] = []
    for name, cards in planted:
        names = [f"{name}{k}".replace("-", "") for k in range(len(cards))]
        rows += [(f"X-{name}-{k}", person, text.format(*names)) for k, (person, text) in enumerate(cards)]
    for k in range(size - len(rows)):
        event = luck.random() < 0.25
        text = luck.choice(EVENTS if event else CHARACTERS).format(n=luck.randint(1, 3), m=luck.randint(2, 5), p=luck.choice(PERSONS))
        rows.append((f"N-{k}", "" if event else luck.choice(PERSONS), text))
    path = folder / "pool.csv"
    with path.open("w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, ["id", "name", "name_en", "kind", "names", "persons", "power", "bonus", "text"])
        out.writeheader()
        for card, person, text in rows:
            name, kind = card.replace("-", "").removeprefix("X"), NO_PERSON.get(person, "character")
            who = person if kind == "character" else "風太郎" if kind == "hero" else ""
            out.writerow({"id": card, "name": name, "name_en": card, "kind": kind, "names": name, "persons": who, "text": text, **NUMBERS.get(kind, {})})
    return path


# ---------------------------------------------------------------- shinso, in rule text
POINT = {"payable": "g.points[you] >= 1", "cost": "g.points[you] -= 1"}
SLEEP = {"payable": "not g.card[this].asleep", "cost": "if this is not None:\n    g.card[this].asleep = True\n"}


def does(name: str, text: str, kind: str = "activated", **more: str) -> dict[str, Any]:
    """An ability."""
    return {"name": {"ja": name, "en": name}, "kind": kind, **more, "text": text}


def chosen(among: str, what: str) -> str:
    """Choose one of these, if there is one, and do that to it (`c`)."""
    return f"found = {{c for c in {among}}}\nif len(found) > 0:\n    c = await choose(you, found)\n    {what}\n"


def destroyed(name: str, text: str) -> dict[str, Any]:
    return does(name, text, "destroyed", when="Destroyed", **{"if": "event.card == this"})


def wakes(power: int, more: str = "") -> str:
    return more + chosen(f"kin_of(g, you) if Printed(c).power == {power}", "g.card[c].asleep = False")


def falls_next(n: int) -> dict[str, Any]:
    """When it is destroyed, card n of the set comes back and is destroyed."""
    among = f"g.coffin[you] if Name.{{{n}}} in Printed(c).names"
    return destroyed(f"when destroyed, card {n} comes back and is destroyed", (
        f"found = {{{{c for c in {among}}}}}\nif len(found) > 0 and len(empty_slots(g, you)) > 0:\n    c = await choose(you, found)\n"
        "    n = await choose(you, empty_slots(g, you))\n    go(g, c, g.slot[you][n])\n    destroy(g, {{c}})\n"))


SHINSO: Planted = [
    ("point-and-wake", [(1100, does("sleep: 1 point", "g.points[you] += 1", **SLEEP)), (1150, does("1 point: wake kin", wakes(1100), **POINT))]),
    ("points-grow", [(1200, does("sleep: 2 points", "g.points[you] += 2", **SLEEP)), (1250, does("1 point: wake kin", wakes(1200), **POINT))]),
    ("three-wake", [(1300 + k, does("sleep: wake kin", wakes(1300 + (k + 1) % 3), **SLEEP)) for k in range(3)]),
    ("four-wake", [(1400 + k, does("sleep: wake kin", wakes(1400 + (k + 1) % 4), **SLEEP)) for k in range(4)]),
    ("power-again", [(0, does("2 points", "g.points[you] += 2", "power")),
                     (1550, does("1 point: a power from the coffin area to hand", chosen("g.coffin[you] if Printed(c).kind == Kind.POWER", "go(g, c, g.hand[you])"), **POINT))]),
    ("two-fall", [(1600 + k, falls_next(1 - k)) for k in range(2)]),
    ("three-fall", [(1700 + k, falls_next((k + 1) % 3)) for k in range(3)]),
    ("four-fall", [(1800 + k, falls_next((k + 1) % 4)) for k in range(4)]),
    ("stronger", [(1900, does("sleep: +1000 for good, wake kin", wakes(1950, "if this is not None:\n    g.card[this].gain += 1000\n"), **SLEEP)),
                  (1950, does("sleep: wake kin", wakes(1900), **SLEEP))]),
    ("four-points", [(2000, does("sleep: 1 point", "g.points[you] += 1", **SLEEP)), (2050, does("1 point: wake kin", wakes(2060), **POINT)),
                     (2060, does("sleep: wake kin", wakes(2070), **SLEEP)), (2070, does("sleep: wake kin", wakes(2000), **SLEEP))]),
    ("discard-for-a-point", [
        (2100, does("discard: 1 point", "g.points[you] += 1", payable="len(g.hand[you]) > 0", cost="c = await choose(you, g.hand[you])\nto_graveyard(g, {c})\n")),
        (2150, does("1 point: a treasure from the coffin area to hand", chosen("g.coffin[you] if Printed(c).kind == Kind.TREASURE", "go(g, c, g.hand[you])"), **POINT))]),
    ("three-points", [(2200, does("sleep: 1 point", "g.points[you] += 1", **SLEEP)), (2250, does("1 point: wake kin", wakes(2270), **POINT)),
                      (2270, does("sleep: wake kin", wakes(2200), **SLEEP))]),
]


def spends(among: str, what: str) -> dict[str, str]:
    """The cost of doing that to one of these (`c`)."""
    return {"payable": f"len({among}) > 0", "cost": f"c = await choose(you, {among})\n{what}\n"}


def goes(among: str, to: str) -> str:
    return chosen(among, f"go(g, c, g.{to}[you])")


def at_the_end(name: str, text: str) -> dict[str, Any]:
    return does(name, text, "turn_end", when="TurnEnding")


DOMAINS = "{c for c in g.coffin[you] if Printed(c).kind == Kind.DOMAIN}"
A_POINT = "g.points[you] += 1"
COMES_BACK = "n = await choose(you, empty_slots(g, you))\n    go(g, {0}, g.slot[you][n])\n"

SHINSO_SECOND: Planted = [  # held out: see the docstring above
    ("domain-given-up", [({"kind": "domain", "lends": 1000}, at_the_end("at the end of the turn, 1 point", A_POINT)),
                         (2300, does("a domain from the coffin area to hand: 2 points", "g.points[you] += 2", **spends(DOMAINS, "go(g, c, g.hand[you])")))]),
    ("rim-and-coffin", [(2350, does("a rim card to the coffin area: 1 point", A_POINT, **spends("g.rim[you]", "go(g, c, g.coffin[you])"))),
                        (2360, does("1 point: a card of the coffin area becomes a rim card", goes("g.coffin[you]", "rim"), **POINT))]),
    ("shift-and-back", [(2400, does("sleep: a card of the coffin area is shifted, 1 point", chosen("g.coffin[you]", f"go(g, c, g.shift[you])\n    {A_POINT}"), **SLEEP)),
                        (2450, does("1 point: the shift area goes to the coffin area, wake kin", wakes(2400, "to_graveyard(g, g.shift[you])\n"), **POINT))]),
    ("withering-domain", [({"kind": "domain", "lends": -1000}, at_the_end("at the end of the turn, draw a card", "await draw(g, you)")),
                          (1000, destroyed("when destroyed, it comes back", f"if this is not None and len(empty_slots(g, you)) > 0:\n    {COMES_BACK.format('this')}"))]),
    ("core-and-rim", [(2500, does("a core card becomes a rim card: 1 point", A_POINT, **spends("g.core[you]", "go(g, c, g.rim[you])"))),
                      (2510, does("1 point: +1000 this turn, wake kin", wakes(2520, "if this is not None:\n    g.card[this].this_turn += 1000\n"), **POINT)), (2520, does("sleep: a rim card becomes a core card", goes("g.rim[you]", "core"), **SLEEP))]),
    ("top-of-the-deck", [(2530, does("a card of the hand on top of the deck: wake kin", wakes(2540), **spends("g.hand[you]", "go(g, c, g.deck[you])"))),
                         (2540, does("sleep: wake kin", wakes(2550), **SLEEP)), (2550, does("sleep: draw a card", "await draw(g, you)", **SLEEP))]),
    ("sacrificed", [({"kind": "kin", "power": 2560, "sacrifice": 1, "cost": 0}, destroyed("when destroyed, to hand", "if this is not None:\n    go(g, this, g.hand[you])\n")),
                    (2570, does("1 point: destroy kin", chosen("kin_of(g, you) if Printed(c).power == 2560", "destroy(g, {c})"), **POINT)),
                    (2580, does("kin from the exile area to the coffin area: 1 point", A_POINT, **spends("{c for c in g.exile[you] if is_kin(c)}", "go(g, c, g.coffin[you])")))]),
    ("treasure-broken", [({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, to hand and 2 points", "if this is not None:\n    go(g, this, g.hand[you])\n    g.points[you] += 2\n")),
                         (2600, does("sleep: destroy its treasure", "if this is not None:\n    destroy(g, treasures_on(g, this))\n", **SLEEP)), (2610, does("1 point: wake kin", wakes(2600), **POINT))]),
    ("power-over-the-deck", [(0, does("wake two kin", wakes(2630, wakes(2620)), "power")),
                             (2620, does("sleep: 1 point, a power from the coffin area on top of the deck", f"{A_POINT}\n" + goes("g.coffin[you] if Printed(c).kind == Kind.POWER", "deck"), **SLEEP)),
                             (2630, does("sleep: draw a card", "await draw(g, you)", **SLEEP))]),
    ("colour-lent", [({"kind": "power", "colours": ["blue"]}, does("3 points, the shift area goes to the coffin area", "g.points[you] += 3\nto_graveyard(g, g.shift[you])\n", "power")),
                     ({"kind": "kin", "power": 2650, "colours": ["blue"]}, destroyed("when destroyed, draw a card", "await draw(g, you)")),
                     (2660, does("1 point: blue kin of the coffin area are shifted", goes("g.coffin[you] if is_kin(c) and Colour.BLUE in Printed(c).colours", "shift"), **POINT)),
                     (2670, does("1 point: a power from the coffin area to hand", goes("g.coffin[you] if Printed(c).kind == Kind.POWER", "hand"), **POINT))]),
    ("round-the-zones", [(2700, does("a card of the hand to the coffin area: 1 point", A_POINT, **spends("g.hand[you]", "go(g, c, g.coffin[you])"))),
                         (2710, does("a card of the coffin area is shifted: +1000 this turn", "if this is not None:\n    g.card[this].this_turn += 1000\n", **spends("g.coffin[you]", "go(g, c, g.shift[you])"))),
                         (2720, does("a card of the shift area is exiled: 1 point", A_POINT, **spends("g.shift[you]", "exile_card(g, c)"))),
                         (2730, does("2 points: an exiled card to hand", goes("g.exile[you]", "hand"), payable="g.points[you] >= 2", cost="g.points[you] -= 2"))]),
    ("treasure-revives", [({"kind": "treasure", "lends": 1000},
                           destroyed("when destroyed, kin come back", chosen("g.coffin[you] if Printed(c).power == 2750 and len(empty_slots(g, you)) > 0", COMES_BACK.format("c")))),
                          (2750, destroyed("when destroyed, 3 points", "g.points[you] += 3")),
                          (2760, does("1 point: destroy kin", chosen("kin_of(g, you) if Printed(c).power == 2750", "destroy(g, {c})"), **POINT)),
                          (2770, does("1 point: a treasure from the coffin area to hand", goes("g.coffin[you] if Printed(c).kind == Kind.TREASURE", "hand"), **POINT))]),
]
KIN = (
    destroyed("when destroyed, draw a card", "await draw(g, you)"),
    destroyed("when destroyed, the opponent discards", chosen("g.hand[other(you)]", "to_graveyard(g, {c})")),
    destroyed("when destroyed, 1 point", "g.points[you] += 1"),
    does("1 point: draw a card", "await draw(g, you)", **POINT),
    does("1 point: +1000 this turn", "if this is not None:\n    g.card[this].this_turn += 1000\n", **POINT),
    does("1 point: kin of the opponent -1000", chosen("kin_of(g, other(you))", "g.card[c].loss -= 1000"), **POINT),
    does("2 points: destroy kin of the opponent", chosen("kin_of(g, other(you))", "destroy(g, {c})"), payable="g.points[you] >= 2", cost="g.points[you] -= 2"),
    does("2 points: kin from the coffin area to hand", chosen("g.coffin[you] if is_kin(c)", "go(g, c, g.hand[you])"), payable="g.points[you] >= 2", cost="g.points[you] -= 2"),
    does("when attacking, draw a card", "await draw(g, you)", "attacking", when="Attacking", **{"if": "event.card == this"}),
    does("when attacking, kin of the opponent -1000", chosen("kin_of(g, other(you))", "g.card[c].loss -= 1000"), "attacking", when="Attacking", **{"if": "event.card == this"}),
    does("at the end of the turn, draw a card", "await draw(g, you)", "turn_end", when="TurnEnding"),
    does("sleep: draw a card", "await draw(g, you)", **SLEEP),
)
POWERS = (
    does("draw a card", "await draw(g, you)", "power"),
    does("destroy kin", chosen("kin_of(g, FIRST) | kin_of(g, SECOND)", "destroy(g, {c})"), "power"),
    does("kin -2000", chosen("kin_of(g, FIRST) | kin_of(g, SECOND)", "g.card[c].loss -= 2000"), "power"),
    does("1 point", "g.points[you] += 1", "power"),
    does("wake kin", chosen("kin_of(g, you)", "g.card[c].asleep = False"), "power"),
)


def shinso(folder: Path, size: int, luck: Random, sets: Planted) -> Path:
    """The pool as YAML."""
    cards: list[dict[str, Any]] = []

    def add(card: str, ability: dict[str, Any], power: int | dict[str, Any], cost: int) -> None:
        name = card.replace("-", "").removeprefix("X")
        of_kin = power if isinstance(power, dict) else {"kind": "kin", "power": power} if power else {"kind": "power"}
        ability = {k: LiteralScalarString(v) if isinstance(v, str) and "\n" in v else v for k, v in ability.items()} | {"name": dict(ability["name"])}
        cards.append({"id": card, "name": {"ja": name, "en": card}, "names": [name], "colours": ["red"], "cost": cost, **of_kin, "abilities": [ability]})
    for name, planted in sets:
        names = [f"{name}{k}".replace("-", "") for k in range(len(planted))]
        for k, (power, ability) in enumerate(planted):
            add(f"X-{name}-{k}", {key: value.format(*names) if isinstance(value, str) and "Name." in value else value for key, value in ability.items()}, power, 1)
    for k in range(size - len(cards)):
        if luck.random() < 0.25:
            add(f"N-{k}", luck.choice(POWERS), 0, luck.randint(2, 4))
        else:
            add(f"N-{k}", luck.choice(KIN), 1000 * luck.randint(3, 8), luck.randint(0, 3))
    path = folder / "pool.yaml"
    with path.open("w", encoding="utf-8") as f:
        YAML().dump({"samples": True, "cards": cards}, f)
    return path


# ---------------------------------------------------------------- measuring
BOOKS = {
    "hanayome": (hanayome, {1: HANAYOME, 2: HANAYOME_SECOND, 3: HANAYOME_THIRD, 4: HANAYOME_FOURTH, 5: HANAYOME_FIFTH, 6: HANAYOME_SIXTH, 7: HANAYOME_SEVENTH}),
    "shinso": (shinso, {1: SHINSO, 2: SHINSO_SECOND, 3: SHINSO_THIRD, 4: SHINSO_FOURTH, 5: SHINSO_FIFTH, 6: SHINSO_SIXTH, 8: SHINSO_EIGHTH}),
}


def written(book: str, folder: Path, cards: int, seed: int, dozen: int) -> tuple[Path, Planted]:
    """The pool of a book, and what is planted in it."""
    make, dozens = BOOKS[book]
    return make(folder, cards, Random(seed), dozens[dozen]), dozens[dozen]


def measured(book: str, cards: int, seconds: float, seed: int, threads: int, dozen: int) -> tuple[int, int]:
    """How many of the planted sets of a book were found, of how many; told as it goes."""
    with tempfile.TemporaryDirectory() as name:
        folder, begun = Path(name), time.monotonic()
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path, planted = written(book, folder, cards, seed, dozen)
        when: dict[tuple[str, ...], float] = {}

        def told(now: Searched) -> None:
            for combo in now.combos:
                when.setdefault(combo.cards, time.monotonic() - begun)
        _, found = search(book, path, (2, 3, 4), {}, 0, threads, begun + seconds, told, lambda: False)
        told(found)
        sets = {name: tuple(f"X-{name}-{k}" for k in range(len(of))) for name, of in planted}
        for name, ids in sets.items():
            fewer = "; ".join(" + ".join(c.cards) for c in found.combos if {*c.cards} < {*ids})
            print(f"{book}: {name} ({len(ids)}): {f'{when[ids]:.0f} s' if ids in when else '-'}{fewer and f' (fewer of them loop: {fewer})'}", flush=True)
        others = [c for c in found.combos if c.cards not in sets.values()]
        for combo in others:
            print(f"{book}: also {' + '.join(combo.cards)}: {combo.findings[0].title.en}", flush=True)
        print(f"{book}: {sum(ids in when for ids in sets.values())} of {len(sets)} planted sets found, {len(others)} others, in {time.monotonic() - begun:.0f} s; "
              f"{found.candidates:,} candidates, {found.tried:,} tried, {found.skipped:,} left out, {found.left:,} not looked at, {found.unshown} not shown", flush=True)
        return sum(ids in when for ids in sets.values()), len(sets)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=[*BOOKS])
    parser.add_argument("--cards", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dozen", type=int, choices=range(1, 9), default=1, help="which dozen is planted (2 to 6: by somebody else; 7: hanayome, 8: shinso)")
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only write the pools")
    given = parser.parse_args()
    if given.write is not None:
        for book in given.books:
            print(written(book, given.write, given.cards, given.seed, given.dozen)[0])
        return 0
    done = [measured(book, given.cards, given.seconds, given.seed, given.threads, given.dozen) for book in given.books]
    return 0 if all(found >= of - 1 for found, of in done) else 1


if __name__ == "__main__":
    sys.exit(main())
