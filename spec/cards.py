"""Cards as printed, in `cards.yaml` or in a scenario, and lists of them.

What only the model of a book can judge (attributes of cards, facts of abilities, rule text) is kept as it
was written. """
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from .diagnostics import Collector, Diagnostic, Position, shown
from .document import ListNode, Node, TextNode
from .scalars import half_width, refuse
from .schema import (
    Fields,
    Located,
    Unreadable,
    boolean,
    card_number,
    identifier,
    integer,
    items_of,
    list_of,
    located,
    other_kind,
    read_as,
    read_file,
    record,
    statements,
    text_node,
    title,
    words,
)
from .text import Text

Raw: TypeAlias = TextNode | tuple[TextNode, ...]
"""A fact that only the model of the book can judge: one text, or a list of texts."""


@dataclass(frozen=True)
class Ability:
    """An ability of a card. `when` names the event it waits for; the scripts are rule text, kept as nodes so
    that places in them can be found in the file; `facts` are what the book says of abilities besides."""

    position: Position
    id: Located[str] | None
    name: Text | None
    kind: TextNode | None
    when: TextNode | None
    while_: TextNode | None
    if_: TextNode | None
    payable: TextNode | None
    applies_to: TextNode | None
    how_much: TextNode | None
    cost: TextNode | None
    text: TextNode | None
    facts: Mapping[str, Located[Raw]]


@dataclass(frozen=True)
class Card:
    """A card as printed; `attributes` are what the book says of cards besides. A `sample` is made up to try something.
    `texts` are in the book's own phrases (`phrases.yaml`): each line is one ability."""

    position: Position
    id: Located[str]
    name: Text
    abilities: tuple[Ability, ...]
    attributes: Mapping[str, Located[Raw]]
    sample: bool = True
    texts: tuple[TextNode, ...] = ()


OF_CARDS = ("id", "name", "abilities", "text")
OF_ABILITIES = ("id", "name", "kind", "when", "while", "if", "payable", "applies_to", "how_much", "cost", "text")
"""What may be written of cards and of abilities in every book."""


def _ability(m: Fields) -> Ability:
    return Ability(
        position=m.position,
        id=m.optional("id", located(identifier), "番号"),
        name=m.optional("name", title, "名前"),
        kind=m.optional("kind", text_node, "種類"),
        when=m.optional("when", text_node, "誘発"),
        while_=m.optional("while", text_node, "状態"),
        if_=m.optional("if", text_node, "条件"),
        payable=m.optional("payable", text_node, "支払可能"),
        applies_to=m.optional("applies_to", text_node, "対象"),
        how_much=m.optional("how_much", text_node, "数値"),
        cost=m.optional("cost", statements, "コスト"),
        text=m.optional("text", statements, "テキスト"),
        facts=m.rest(words, key=identifier),
    )


def ability(node: Node, report: Collector) -> Ability:
    """It says something that the rules of a book can go by: conditions alone do nothing, whatever the rules are."""
    found = record(_ability)(node, report)
    if not (found.kind or found.when or found.text or found.cost or found.applies_to or found.how_much or found.facts):
        report.add(Diagnostic(found.position, "idle-ability", Text(
            ja="この能力では何も起こりません", en="this ability does nothing",
        ), Text(ja="起こることを「text: …」に書いてください", en="write what happens: `text: …`")))
    return found


def _card(m: Fields) -> Card:
    return Card(
        position=m.position,
        id=m.required("id", located(card_number), "カード番号"),
        name=m.required("name", title, "カード名"),
        abilities=m.optional("abilities", list_of(ability), "能力", default=()),
        texts=m.optional("text", _texts, "テキスト", default=()),
        attributes=m.rest(words, key=identifier),
    )


def _texts(node: Node, report: Collector) -> tuple[TextNode, ...]:
    return list_of(text_node)(node, report) if isinstance(node, ListNode) else (text_node(node, report),)


CARD = record(_card)


def card_list(node: Node, report: Collector) -> tuple[Card, ...]:
    """Cards, each with an id of its own. What is wrong with one is reported, and the others are given."""
    if not isinstance(node, ListNode):
        other_kind(node, report, ListNode)
    return tuple(items_of(node.items, CARD, report, lambda c: c.id)[0])


def read_cards(path: Path | str) -> tuple[Card, ...]:
    """Read `cards.yaml`: cards of the game, unless it says `samples: yes`."""
    return read_file(path, record(_cards))


def _cards(m: Fields) -> tuple[Card, ...]:
    m.optional("book", located(identifier), "本")  # other files of a book say it, too
    cards = m.required("cards", card_list, "札")
    sample = m.optional("samples", boolean, "見本", default=False)
    return tuple(replace(card, sample=bool(sample)) for card in cards or ())


# ---------------------------------------------------------------- counted cards
@dataclass(frozen=True)
class Counted:
    """A card number and how many copies: `CARD-1 x3`."""

    card: Located[str]
    count: int


MOST_COPIES = 999
_JOINED = re.compile("[、，]")
_COUNTED = re.compile(r"(?P<card>.*?\S)(?:\s+[xX*ｘＸ＊]|\s*[×✕])\s*(?P<count>\S+)")


def counted(node: Node, report: Collector) -> Counted:
    """An entry of a list of cards: `CARD-1`, `CARD-1 x3` or `CARD-1 ×3`."""
    found = text_node(node, report)
    if _JOINED.search(found.text):
        meant = ", ".join(one for one in map(half_width, _JOINED.split(found.text)) if one)
        refuse(found, report, "joined-cards", Text(
            ja=f"「{shown(found.text)}」は一枚のカードではありません。カードの間は半角のコンマです",
            en=f"`{shown(found.text)}` is not one card: there is a comma of half width between cards",
        ), Text(ja=f"{shown(meant)} と書いてください", en=f"write `{shown(meant)}`"))
    parts = _COUNTED.fullmatch(found.text)
    if parts is None:
        return Counted(Located(card_number(found, report), found.position), 1)
    card = TextNode(parts["card"], found.position)
    number = TextNode(parts["count"], found.position_in(1, parts.start("count") + 1))
    name, count = read_as(card_number, card, report), read_as(integer(1, MOST_COPIES), number, report)
    if name is None or count is None:
        raise Unreadable
    return Counted(Located(name, found.position), count)


def parse_counted(node: Node, report: Collector) -> Counted | None:
    """The same; `None` if it is wrong, which is then reported."""
    return read_as(counted, node, report)
