"""The cards of a draft's table: what of each is taken into `cards.yaml`, and what is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...spec.text import Text
from ..register.card_tables import CardTable
from ..register.rows import quoted, scalar
from . import texts, words
from .naming import Names, name_of, singular

MOST_SORTS = 12
"""Different words of a column at most, if it is to say of what sort a card is."""
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Sort:
    """A column that says of what sort a card is: the column, its name in rules, the name of its type, the name of each word."""

    column: int
    name: str
    type: str
    members: dict[str, str]
    said: str


def sorts_of(table: CardTable, names: Names) -> tuple[Sort, ...]:
    """The columns with one of a few words for every card."""
    found: list[Sort] = []
    for column, heading in enumerate(table.headings):
        cells = table.cells(column)
        said = list(dict.fromkeys(cells))
        if (
            column in (table.id, table.name, table.text, *table.numeric)
            or len(cells) < len(table.rows)
            or len(said) > MOST_SORTS
        ):
            continue
        name = names.give(name_of(heading), "sort", "of_card")
        own = Names()
        members = {word: own.give(name_of(word), "sort", "card").upper() for word in said}
        found.append(Sort(column, name, "".join(part.title() for part in f"card_{name}".split("_")), members, heading))
    return tuple(found)


@dataclass(frozen=True)
class Cards:
    """The cards of a new book. `text`: the rows of `cards.yaml`; `not_taken`: headings and lines that were not understood."""

    ids: tuple[str, ...]
    text: str
    texts: int
    not_taken: tuple[str, ...]


def cards_of(table: CardTable, numbers: dict[str, str], sorts: Sequence[Sort]) -> Cards:
    """The cards of the table; `numbers`: the names in rules of the numbers that are printed on cards, by what the draft calls them. A text becomes the name of an ability that
    is not modelled yet."""
    ids: list[str] = []
    rows: list[str] = []
    count = 0
    fields = {k: numbers[singular(table.headings[k])] for k in table.numeric if singular(table.headings[k]) in numbers}
    for row in table.rows:
        own = row[table.id] if table.id is not None else ""
        own = own if _ID.fullmatch(own) and own not in ids else f"CARD{len(rows) + 1}"
        ids.append(own)
        rows.append(f"  - id: {own}\n    name: {scalar(row[table.name] or own)}\n")
        rows += [f"    {sort.name}: {sort.members[row[sort.column]]}\n" for sort in sorts]
        rows += [f"    {name}: {int(row[k])}\n" for k, name in fields.items() if row[k]]
        if table.text is not None and row[table.text]:
            count += 1
            rows.append(f"    abilities:\n      - name: {quoted(row[table.text])}\n        text: not_modelled()\n")
    taken = {table.id, table.name, table.text, *(sort.column for sort in sorts), *fields}
    return Cards(
        tuple(ids), "".join(rows), count, (*(h for k, h in enumerate(table.headings) if k not in taken), *table.odd)
    )


def cards_file(cards: Cards | None, say: texts.Say) -> str:
    """`cards.yaml`: the draft's cards, or a plain one."""
    if cards is None:
        return f"{say(texts.CARDS_ABOUT)}cards:\n  - {{id: PLAIN, name: {texts.in_yaml(texts.PLAIN)}}}\n"
    return f"{say(texts.CARDS_TAKEN)}cards:\n{cards.text}"


def told(cards: Cards) -> Text:
    """What was taken of the table, and what was not."""
    left = "、".join(cards.not_taken) or words.NONE_LEFT.ja, ", ".join(cards.not_taken) or words.NONE_LEFT.en
    return Text(words.CARDS.ja.format(count=len(cards.ids), texts=cards.texts, left=left[0]),
                words.CARDS.en.format(count=len(cards.ids), texts=cards.texts, left=left[1]))
