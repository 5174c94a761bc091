"""What a random program is about: cards, zones, slots, containers, tables."""
from __future__ import annotations

import random
from dataclasses import replace

from rulewright.model.ir.program import ContainerInfo, Layout, Slot, ZoneInfo
from rulewright.model.ir.types import (
    ANY_INT,
    BOOL,
    CardType,
    Int,
    ObjType,
    OptionType,
    PlayerType,
    SetType,
    Type,
    ZoneType,
    blank,
    domain,
)

DEBT, WEALTH = Int(-300, 5), Int(-1, 70_000)
SMALL, LANE, PLAYER = Int(-3, 12), Int(0, 4), PlayerType("Player", 2)
KINDS = ("int", "bool", "card", "object", "cards", "zone", "player", "lanes", "big")


class World:
    """The state of a random program: cards, zones, slots, containers, tables."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.cards = luck.choice((0, 1, 3, 3, 5, 5, 8, 12, 20, 63, 64, 70, 130, 200)) if luck.random() < 0.9 else 64
        few = luck.randint(2, 5)
        self.zones = tuple(ZoneInfo(f"zone{k}", "zone", luck.random() < 0.6, None, k) for k in range(few))
        self.types: dict[str, Type] = {
            "int": SMALL, "bool": BOOL, "card": OptionType(CardType("Card", self.cards)),
            "object": OptionType(ObjType("Obj", self.cards)), "cards": SetType(CardType("Card", self.cards)),
            "zone": ZoneType("Zone", few), "player": PLAYER, "lanes": SetType(LANE), "big": luck.choice((ANY_INT, ANY_INT, DEBT, WEALTH))}
        self.slots: list[Slot] = []
        self.fields: dict[str, list[tuple[int, int]]] = {k: [] for k in KINDS}
        """Slots by kind: first, and how many side by side."""
        self.location = self.add("location", OptionType(self.types["zone"]), self.cards, "zones")
        for k in range(self.cards):
            self.slots[self.location + k] = replace(self.slots[self.location + k], initial=luck.randrange(few))
        self.rank = self.add("rank", Int(0, max(1, self.cards)), self.cards, "zones")
        height = dict.fromkeys(range(few), 0)
        for k in range(self.cards):
            z = self.slots[self.location + k].initial
            if self.zones[z].ordered and luck.random() < 0.7:
                self.slots[self.rank + k] = replace(self.slots[self.rank + k], initial=height[z])
                height[z] += 1
        self.close_ranks()
        for kind in KINDS:
            for n in range(luck.randint(1, 2)):
                count = luck.choice((1, 1, 2, 5)) if kind not in ("card", "object") or n else max(1, self.cards)
                of = self.types[kind]
                self.fields[kind].append((self.add(f"{kind}{n}", of, count, f"{kind}{n}"), count))
        self.given = {k: self.add(f"given{k}", BOOL, 1, "given", 1) for k, z in enumerate(self.zones) if z.ordered and luck.random() < 0.4}
        self.reading = self.add("reading", OptionType(Int(0, 2)), 1, "readings", -1)
        self.containers: dict[str, ContainerInfo] = {}
        for name in ("waiting", "notes"):
            self.container(name, False)
        self.container("attacks", True)
        self.tables = [tuple(luck.randint(-3, 12) for _ in range(max(1, self.cards))),
                       tuple(luck.randrange(1 << max(1, self.cards)) for _ in range(4))]

    def close_ranks(self) -> None:
        """No holes."""
        for z in range(len(self.zones)):
            mine = [k for k in range(self.cards) if self.slots[self.location + k].initial == z]
            order = sorted({self.slots[self.rank + k].initial for k in mine})
            for k in mine:
                r = order.index(self.slots[self.rank + k].initial) if self.zones[z].ordered else 0
                self.slots[self.rank + k] = replace(self.slots[self.rank + k], initial=r)

    def add(self, name: str, of: Type, count: int, group: str, initial: int | None = None) -> int:
        first = len(self.slots)
        lo, _ = domain(of)
        for k in range(count):
            value = blank(of) if initial is None else initial
            self.slots.append(Slot(f"{name}[{k}]", of, max(lo, value), group))
        return first

    def container(self, name: str, is_pool: bool) -> None:
        capacity = self.luck.randint(1, 4)
        kinds = [self.luck.choice(("int", "object", "cards", "player", "card")) for _ in range(self.luck.randint(1, 3))]
        head = self.add(f"{name}.head", SetType(Int(0, capacity - 1)) if is_pool else Int(0, capacity), 1, name)
        columns = tuple(self.add(f"{name}.{k}", self.types[kind], capacity, name) for k, kind in enumerate(kinds))
        self.containers[name] = ContainerInfo(name, head, columns, capacity, SMALL, is_pool)
        self.kinds_of = {**getattr(self, "kinds_of", {}), name: kinds}

    def layout(self) -> Layout:
        per_card = [self.location, self.rank] if self.cards else []
        return Layout(tuple(self.slots), self.location, self.rank, self.cards, self.zones, self.containers,
                      tuple(per_card), self.given)
