"""A position as people write it, laid out as slots of a program.

A position names fields of the state; what belongs to a player stands under `first` (先攻) or `second` (後攻). A zone
is a list of cards (`CARD x3` for three), a pile from the bottom to the top. Other fields are single values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...spec.diagnostics import Collector, Diagnostic, nearest, shown
from ...spec.document import ListNode, MapNode, Node, TextNode
from ...spec.nodes import Entry
from ...spec.readers import parse_counted
from ...spec.text import Text
from ..ir import types as t
from ..ir.program import Container, Fields, Keyed, Layout, Leaf, PlaceNode, Zones, place_number, unkeyed
from ..lang.source import meant
from ..lang.world import SIDES, CardCopy, CardDef, scalar

KeyValues = tuple[int, ...]


@dataclass(frozen=True)
class Laid:
    """A card in a zone: field, keys, and place from the bottom."""

    card: int
    field: str
    keys: KeyValues


@dataclass(frozen=True)
class Setting:
    """A single value to be set: the path of names, the keys, and what was written. `card`, where the place is a
    card's: the card as written (`CARD#2` for its second copy), whose key in `keys` is 0 until all cards are laid."""

    path: tuple[str, ...]
    keys: KeyValues
    written: TextNode
    card: TextNode | None = None


@dataclass
class Placement:
    """Cards and where they lie, and values of other fields."""

    cards: list[CardCopy] = field(default_factory=list[CardCopy])
    laid: list[Laid] = field(default_factory=list[Laid])
    settings: list[Setting] = field(default_factory=list[Setting])


class Reader:
    """Reads a position against the shape of a state (a layout without cards)."""

    def __init__(
        self, shape: Layout, cards: Mapping[str, CardDef], report: Collector, aliases: Mapping[str, str]
    ) -> None:
        self.shape, self.cards, self.report, self.aliases = shape, cards, report, aliases
        self.out = Placement()
        self.named: dict[object, TextNode] = {}
        """What has been named so far, each as it was written first."""

    def refuse(self, node: Node, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> None:
        value = node.text if isinstance(node, TextNode) else None
        self.report.add(
            Diagnostic(
                node.position, code, Text(ja=ja, en=en), None if hint is None else Text(ja=hint[1], en=hint[0]), value
            )
        )

    def card_meant(self, word: str) -> tuple[str, str] | None:
        """The card that was probably meant: by its name, or by a number that is near."""
        of_name = [c.id for c in self.cards.values() if word in (c.name.ja, c.name.en)]
        card = copy_of(word)[0]
        return (
            (f"the card of that name is `{of_name[0]}`", f"その名前のカードは `{of_name[0]}` です") if of_name else
            (f"copies are not numbered where they lie: write `{card}`, or `{card} x2` for two",
             f"置く所では番号を付けず、`{card}`（2枚なら `{card} x2`）と書いてください") if card in self.cards and card != word else
            (f"write `{word[:at]} x{word[at + 1:]}`", f"`{word[:at]} x{word[at + 1:]}` と書いてください")
            if (at := word.lower().rfind("x")) > 0 and word[:at] in self.cards and word[at + 1:].isdecimal() else
            meant(word, self.cards, ("add it under `cards:`", "`cards:` に加えてください")))

    def once(self, key: TextNode, means: object) -> None:
        """What a key means may be named once, in whichever of its names and spellings."""
        first = self.named.setdefault(means, key)
        if first is not key:
            line = first.position.line
            self.refuse(
                key,
                "named-twice",
                f"`{shown(key.text)}` is what `{shown(first.text)}` in line {line} is",
                f"「{shown(key.text)}」は {line} 行目の「{shown(first.text)}」と同じものです",
                ("delete one of them, or put them together", "どちらかを消すか、一つにまとめてください"),
            )

    def entries(self, value: Node, code: str, en: str, ja: str, hint: tuple[str, str]) -> Sequence[Entry]:
        """The entries of a map; none of anything else, which is refused."""
        if isinstance(value, MapNode):
            return value.entries
        self.refuse(value, code, en, ja, hint)
        return ()

    def read(self, position: MapNode) -> Placement:
        """The placement; everything wrong is reported."""
        for e in position.entries:
            key = e.key.text.strip()
            if key in SIDES:
                self.once(e.key, SIDES[key])
                for inner in self.entries(
                    e.value,
                    "position-side",
                    "the fields of this player belong here",
                    "ここにはこのプレイヤーの領域を書きます",
                    ("write `hand: [CARD x3]` below it", "下に `hand: [CARD x3]` のように書いてください"),
                ):
                    self.field(inner.key, inner.value, SIDES[key])
            else:
                self.field(e.key, e.value, None)
        return self.out

    def field(self, key: TextNode, value: Node, side: int | None) -> None:
        name = self.aliases.get(key.text.strip(), key.text.strip())
        node = self.shape.fields.get(name)
        if node is None:
            called = [alias for alias, of in self.aliases.items() if of in self.shape.fields]
            known = "known: " + ", ".join(self.shape.fields), "あるのは: " + "、".join(called or self.shape.fields)
            self.refuse(
                key,
                "no-such-field",
                f"the state has no field `{name}`",
                f"局面に `{name}` という項目はありません",
                meant(name, [*self.shape.fields, *called, *(SIDES if side is None else ())], known),
            )
            return
        self.once(key, (name, None if isinstance(node, Leaf) else side))
        if isinstance(node, Keyed) and isinstance(node.key, t.PlayerType):
            if side is None:
                self.refuse(
                    key,
                    "whose",
                    f"whose `{name}`? it belongs to a player",
                    f"`{name}` はどちらのプレイヤーのものですか",
                    (
                        "write it under `first:` or `second:`",
                        "`first:`（先攻）か `second:`（後攻）の下に書いてください",
                    ),
                )
                return
            self.place(name, (name,), node.of, (side,), value, side)
        elif side is not None and not isinstance(node, Leaf):
            self.refuse(
                key,
                "not-a-players",
                f"`{name}` belongs to no player",
                f"`{name}` はプレイヤーごとの項目ではありません",
                ("write it beside `first:` and `second:`", "`first:` や `second:` と並べて書いてください"),
            )
        else:
            self.place(name, (name,), node, (), value, side)

    def place(
        self,
        name: str,
        path: tuple[str, ...],
        node: PlaceNode,
        keys: KeyValues,
        value: Node,
        side: int | None,
        card: TextNode | None = None,
    ) -> None:
        match node:
            case Keyed(key=t.CardType(), of=inner) if isinstance(value, MapNode):
                for e in value.entries:
                    self.once(e.key, (path, keys, *copy_of(e.key.text)))
                    self.place(name, path, inner, (*keys, 0), e.value, side, e.key)
            case Keyed(key=kt, of=inner):
                for e in self.entries(
                    value,
                    "missing-keys",
                    f"`{name}` has several places: say which",
                    f"`{name}` は複数あります。どれかを書いてください",
                    (f"write `{{{kt.lo}: …}}`", f"`{{{kt.lo}: …}}` のように書いてください"),
                ):
                    k = self.key(kt, e.key)
                    if k is not None:
                        self.once(e.key, (path, (*keys, k), card))
                        self.place(name, path, inner, (*keys, k), e.value, side, card)
            case Zones():
                self.zone(name, keys, value, side)
            case Fields(nodes=nodes):
                known = dict(nodes)
                fields = "{" + ", ".join(known) + "}"
                for e in self.entries(
                    value,
                    "missing-fields",
                    f"`{name}` has fields of its own",
                    f"`{name}` には項目があります",
                    (f"write {fields}", f"{fields} を書いてください"),
                ):
                    if e.key.text in known:
                        self.place(e.key.text, (*path, e.key.text), known[e.key.text], keys, e.value, side, card)
                    else:
                        self.refuse(
                            e.key,
                            "no-such-field",
                            f"there is no field `{e.key.text}`",
                            f"項目 `{e.key.text}` はありません",
                            meant(e.key.text, known),
                        )
            case Leaf(type=of):
                if isinstance(value, TextNode):
                    self.out.settings.append(Setting(path, keys, replace(
                        value, text=self.aliases.get(f"{t.some(of)}.{value.text.strip()}", value.text)), card))
                else:
                    self.refuse(value, "one-value", f"`{name}` is a single value", f"`{name}` は一つの値です")
            case Container():
                self.refuse(
                    value, "not-in-positions", f"`{name}` cannot be given in a position", f"`{name}` は局面に書けません"
                )

    def key(self, kt: t.Type, node: TextNode) -> int | None:
        """The number of the key in its type, from its least value."""
        word = node.text.strip()
        n = scalar(kt, word) if isinstance(kt, t.Int | t.EnumType | t.PlayerType) else None
        if n is not None:
            return n - kt.lo
        self.refuse(
            node,
            "bad-key",
            f"`{word}` is not {kt}",
            f"`{word}` は {kt} ではありません",
            (f"write one of {kt}", f"{kt} のどれかを書いてください"),
        )
        return None

    def zone(self, name: str, keys: KeyValues, value: Node, side: int | None) -> None:
        items: Sequence[Node] = value.items if isinstance(value, ListNode) else (value,)
        for item in items:
            if not isinstance(item, TextNode):
                self.refuse(
                    item,
                    "zone-list",
                    f"`{name}` is a list of cards",
                    f"`{name}` にはカードの一覧を書きます",
                    ("write `[CARD, CARD x3]`", "`[CARD, CARD x3]` のように書いてください"),
                )
                continue
            entry = None if item.missing else parse_counted(item, self.report)
            if entry is None:
                continue
            name_of_card = entry.card.value
            card = self.cards.get(name_of_card)
            if card is None:
                self.refuse(
                    item,
                    "unknown-card",
                    f"there is no card `{name_of_card}`",
                    f"`{name_of_card}` というカードはありません",
                    self.card_meant(name_of_card),
                )
                continue
            for _ in range(entry.count):
                self.out.laid.append(Laid(len(self.out.cards), name, keys))
                self.out.cards.append(CardCopy(card, 0 if side is None else side))


def lay_out(layout: Layout, placement: Placement, shuffled: frozenset[str], report: Collector) -> list[int]:
    """The slots of the position. Cards of the piles named in `shuffled` lie in an order nobody knows."""
    slots = [s.initial for s in layout.slots]
    height: dict[int, int] = {}
    for laid in placement.laid:
        z = zone_number(layout, laid.field, laid.keys)
        slots[layout.location + laid.card] = z
        if layout.zones[z].ordered and laid.field not in shuffled:
            slots[layout.rank + laid.card] = height.get(z, 0)
            height[z] = height.get(z, 0) + 1
    for s in placement.settings:
        set_value(layout, slots, placement, s, report)
    return slots


def zone_number(layout: Layout, name: str, keys: KeyValues) -> int:
    node = unkeyed(layout.fields[name])
    assert isinstance(node, Zones)
    return node.base + place_number(node.keys, keys)


def set_value(layout: Layout, slots: list[int], placement: Placement, s: Setting, report: Collector) -> None:
    node = unkeyed(layout.fields[s.path[0]])
    for name in s.path[1:]:
        assert isinstance(node, Fields)
        node = unkeyed(dict(node.nodes)[name])
    assert isinstance(node, Leaf)
    keys = s.keys
    if s.card is not None:
        number = read_value(t.CardType("Card", len(placement.cards)), s.card.text.strip(), placement)
        if number is None:
            near = nearest(s.card.text, {c.definition.id for c in placement.cards})
            report.add(
                Diagnostic(
                    s.card.position,
                    "no-such-card-here",
                    Text(ja=f"`{s.card.text}` は局面にありません", en=f"`{s.card.text}` is not in the position"),
                    Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?")
                    if near
                    else Text(ja="先に領域に置いてください", en="lay it into a zone first"),
                    s.card.text,
                )
            )
            return
        keys = tuple(number if isinstance(k, t.CardType) else n for k, n in zip(node.keys, keys, strict=True))
    value = read_value(node.type, s.written.text.strip(), placement)
    if value is None:
        ja, en = possible(node.type)
        report.add(
            Diagnostic(
                s.written.position,
                "bad-value",
                Text(ja=f"`{s.written.text}` は {node.type} ではありません", en=f"`{s.written.text}` is not {node.type}"),
                Text(ja=f"書けるのは {ja}", en=f"possible: {en}"),
                s.written.text,
            )
        )
        return
    slots[node.base + place_number(node.keys, keys)] = value


def possible(of: t.Type) -> tuple[str, str]:
    """What can be written for a value of the type, in Japanese and in English."""
    match of:
        case t.OptionType(inner=inner):
            return f"{possible(inner)[0]}、なし", f"{possible(inner)[1]}, none"
        case t.EnumType(members=members):
            return "、".join(m.lower() for m in members), ", ".join(m.lower() for m in members)
        case t.PlayerType():
            return "first（先攻）、second（後攻）", "first, second"
        case t.Bool():
            return "はい、いいえ", "yes, no"
        case t.CardType() | t.ObjType():
            return "局面にあるカードの番号（2枚目なら CARD#2）", "a card in the position, CARD#2 for its second copy"
        case _:
            return str(of), str(of)


def copy_of(word: str) -> tuple[str, int]:
    """A card and which of its copies: `CARD` is the first, `CARD#2` the second; 0 for what is no number."""
    name, mark, nth = (part.strip() for part in word.partition("#"))
    return name, 1 if not mark else int(nth) if nth.isdecimal() else 0


def read_value(of: t.Type, word: str, placement: Placement) -> int | None:
    """The code of a value as written; None if it is none of the type."""
    match of:
        case t.OptionType(inner=inner, none=none):
            return none if word.lower() in ("none", "なし", "-") else read_value(inner, word, placement)
        case t.CardType() | t.ObjType():
            name, n = copy_of(word)
            copies = [k for k, c in enumerate(placement.cards) if c.definition.id == name]
            return copies[n - 1] if 0 < n <= len(copies) else None
        case _:
            return scalar(of, word)
