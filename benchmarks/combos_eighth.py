"""An eighth dozen of sets of cards that loop together, for shinso, in the form of `combos_planted.py`.

They were invented by the one who then worked on the search, who had read the dozens before and how the search is described; thought out before anything of how
candidates and positions are made was opened, and written down after how positions are made was. Of each set `check` told the loop in a position made by hand, and none there with the text of any one card blank.
The first six were looked at while the search was worked on; of the last six (`LAID_ASIDE`) only whether one search, beside much other work, found them (none).
"""
from __future__ import annotations

from combos_fourth import attacking
from combos_third import (
    A_POINT,
    A_SLOT,
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

TREASURE_OF_THE_COFFIN = "g.coffin[you] if Printed(c).kind == Kind.TREASURE"
POWER_OF_THE_COFFIN = "g.coffin[you] if Printed(c).kind == Kind.POWER and len(g.power_slot[you]) == 0"
THEIRS = "kin_of(g, other(you)) if Printed(c).power == {0}"

SHINSO_EIGHTH: Planted = [
    ("lamp-oil", [
        (5710, does("a card of the shift area goes to hand: 1 point", A_POINT, **spends("g.shift[you]", "go(g, c, g.hand[you])"))),
        (5720, does("1 point: a card of the hand is shifted", chosen("g.hand[you]", "go(g, c, g.shift[you])"), **POINT))]),
    ("armourers", [
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, wake kin", wakes(5730))),
        (5730, does("sleep: it bears a treasure of the coffin area", f"found = {{c for c in {TREASURE_OF_THE_COFFIN}}}\nif this is not None and len(found) > 0:\n    c = await choose(you, found)\n    equip(g, you, c, this)\n", **SLEEP)),
        (5740, does("the treasure of your kin is destroyed: +1000 this turn", "if this is not None:\n    g.card[this].this_turn = 1000\n",
                    **spends("{c for c in g.treasures[you] if g.card[c].bearer is not None}", "destroy(g, {c})")))]),
    ("insolent-squire", [
        (5800, does("1 point: destroy kin of the opponent", chosen(THEIRS.format(5810), "destroy(g, {c})"), **POINT)),
        (5810, destroyed("when destroyed, it comes back, and the opponent gets 1 point", f"g.points[other(you)] += 1\n{THIS_BACK}"))]),
    ("echo", [
        (0, does("wake kin", wakes(5890), "power")),
        (5890, does("sleep: a power of the coffin area is set", chosen(POWER_OF_THE_COFFIN, "go(g, c, g.power_slot[you])"), **SLEEP))]),
    ("gravedigger", [
        (5850, does("sleep: kin of the coffin area go to hand", chosen("g.coffin[you] if is_kin(c)", "go(g, c, g.hand[you])"), **SLEEP)),
        (5860, does("kin of the hand go to the coffin area: 1 point", A_POINT, **spends("{c for c in g.hand[you] if is_kin(c)}", "go(g, c, g.coffin[you])"))),
        (5870, does("1 point: wake kin", wakes(5850), **POINT))]),
    ("four-seasons", [
        (5920, does("a card of the hand is shifted: 1 point", A_POINT, **spends("g.hand[you]", "go(g, c, g.shift[you])"))),
        (5930, does("1 point: a card of the shift area becomes a rim card", chosen("g.shift[you]", "go(g, c, g.rim[you])"), **POINT)),
        (5940, does("a rim card goes to the coffin area: wake kin", wakes(5950), **spends("g.rim[you]", "go(g, c, g.coffin[you])"))),
        (5950, does("sleep: a card of the coffin area goes to hand", chosen("g.coffin[you]", "go(g, c, g.hand[you])"), **SLEEP))]),
    ("changing-guard", [
        (5750, does("it is shifted: 2 points", "g.points[you] += 2", cost="if this is not None:\n    go(g, this, g.shift[you])\n")),
        (5760, does("2 points: kin of the shift area come to a slot", chosen(f"g.shift[you] if is_kin(c) and {A_SLOT}", to_a_slot("c")),
                    payable="g.points[you] >= 2", cost="g.points[you] -= 2"))]),
    ("siren", [
        (5820, does("kin of the opponent fall asleep: 1 point", A_POINT, **spends("{c for c in kin_of(g, other(you)) if not g.card[c].asleep}", "g.card[c].asleep = True"))),
        (5830, does("1 point: kin of the opponent wake", chosen("kin_of(g, other(you))", "g.card[c].asleep = False"), **POINT))]),
    ("pawned-domain", [
        ({"kind": "domain", "lends": 1000}, destroyed("when destroyed, it goes to hand, and 3 points", "if this is not None:\n    go(g, this, g.hand[you])\n    g.points[you] += 3\n")),
        (5840, does("2 points: your domain is destroyed", chosen("g.domain_slot[you]", "destroy(g, {c})"), payable="g.points[you] >= 2", cost="g.points[you] -= 2"))]),
    ("alternating-blows", [
        (5900, attacking("when attacking, kin wake", wakes(5910))),
        (5910, attacking("when attacking, kin wake", wakes(5900))),
        (1000, destroyed("when destroyed, it comes back", THIS_BACK))]),
    ("begging-bowl", [
        (6010, does("a card of the opponent's hand goes on top of the deck: wake kin", wakes(6020),
                    payable="len(g.hand[other(you)]) > 0", cost="c = await choose(other(you), g.hand[other(you)])\ngo(g, c, g.deck[other(you)])\n")),
        (6020, does("sleep: 1 point", A_POINT, **SLEEP)),
        (6030, does("1 point: the opponent draws a card", "await draw(g, other(you))", **POINT))]),
    ("relay-of-falls", [
        (5960, destroyed("when destroyed, it comes back, and kin wake", THIS_BACK + wakes(5970))),
        (5970, does("sleep: it bears a treasure of the coffin area", f"found = {{c for c in {TREASURE_OF_THE_COFFIN}}}\nif this is not None and len(found) > 0:\n    c = await choose(you, found)\n    equip(g, you, c, this)\n    g.points[you] += 1\n", **SLEEP)),
        (5980, does("1 point: your treasure is destroyed", chosen("g.treasures[you]", "destroy(g, {c})"), **POINT)),
        ({"kind": "treasure", "lends": 1000}, destroyed("when destroyed, kin are destroyed", chosen(mine(5960), "destroy(g, {c})")))]),
]
LAID_ASIDE = tuple(name for name, _ in SHINSO_EIGHTH[6:])
