"""Are sets of cards that loop together found in a pool of hundreds? `python benchmarks/combos_planted.py [BOOK …] [--cards 400] [--seconds 900] [--seed 0]`

A pool is invented for each book: a dozen planted sets of two to four cards (some growing, some that nobody can stop), and other cards with sentences
drawn by lot: of hanayome in the book's own phrases; of shinso, which has none, in sentences of this file. Told are how many of the planted sets were
found within the time, as exactly these cards, and when; and what else was found (cards of several planted sets together, or with others: another loop,
as real, since each is judged exactly and replayed, or it is not told).
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


def hanayome(folder: Path, size: int, luck: Random) -> Path:
    """The pool as a table."""
    rows: list[tuple[str, str, str]] = []
    for name, cards in HANAYOME:
        names = [f"{name}{k}".replace("-", "") for k in range(len(cards))]
        rows += [(f"X-{name}-{k}", person, text.format(*names)) for k, (person, text) in enumerate(cards)]
    for k in range(size - len(rows)):
        event = luck.random() < 0.25
        text = luck.choice(EVENTS if event else CHARACTERS).format(n=luck.randint(1, 3), m=luck.randint(2, 5), p=luck.choice(PERSONS))
        rows.append((f"N-{k}", "" if event else luck.choice(PERSONS), text))
    path = folder / "pool.csv"
    with path.open("w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow(["id", "name", "name_en", "kind", "names", "persons", "power", "bonus", "text"])
        for card, person, text in rows:
            name = card.replace("-", "").removeprefix("X")
            out.writerow([card, name, card, "character" if person else "event", name, person, *(("2", "1") if person else ("", "")), text])
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


def shinso(folder: Path, size: int, luck: Random) -> Path:
    """The pool as YAML."""
    cards: list[dict[str, Any]] = []

    def add(card: str, ability: dict[str, Any], power: int, cost: int) -> None:
        name = card.replace("-", "").removeprefix("X")
        of_kin = {"kind": "kin", "power": power} if power else {"kind": "power"}
        ability = {k: LiteralScalarString(v) if isinstance(v, str) and "\n" in v else v for k, v in ability.items()} | {"name": dict(ability["name"])}
        cards.append({"id": card, "name": {"ja": name, "en": card}, "names": [name], "colours": ["red"], "cost": cost, **of_kin, "abilities": [ability]})
    for name, planted in SHINSO:
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
BOOKS = {"hanayome": (hanayome, HANAYOME), "shinso": (shinso, SHINSO)}


def measured(book: str, cards: int, seconds: float, seed: int, threads: int) -> tuple[int, int]:
    """How many of the planted sets of a book were found, of how many; told as it goes."""
    make, planted = BOOKS[book]
    with tempfile.TemporaryDirectory() as name:
        folder, begun = Path(name), time.monotonic()
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path = make(folder, cards, Random(seed))
        when: dict[tuple[str, ...], float] = {}

        def told(now: Searched) -> None:
            for combo in now.combos:
                when.setdefault(combo.cards, time.monotonic() - begun)
        _, found = search(book, path, (2, 3, 4), {}, 0, threads, begun + seconds, told, lambda: False)
        told(found)
        sets = {name: tuple(f"X-{name}-{k}" for k in range(len(of))) for name, of in planted}
        for name, ids in sets.items():
            print(f"{book}: {name} ({len(ids)}): {f'{when[ids]:.0f} s' if ids in when else '-'}", flush=True)
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
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only write the pools")
    given = parser.parse_args()
    if given.write is not None:
        for book in given.books:
            print(BOOKS[book][0](given.write, given.cards, Random(given.seed)))
        return 0
    done = [measured(book, given.cards, given.seconds, given.seed, given.threads) for book in given.books]
    return 0 if all(found >= of - 1 for found, of in done) else 1


if __name__ == "__main__":
    sys.exit(main())
